//! One problem by one method after the other, the cheapest first, until it is solved.
//!
//! ```text
//!   up to 100 contacts    sweeps, one way and the other         then Newton on the smoothed law, gentle and strong,
//!   more                  sweeps, then projected gradients      with proximal points in between, from several starts
//! ```
//!
//! A Newton step costs as much as ten sweeps on few contacts and as much as ten thousand on many, whose factors are full.
//! There the gradient takes over where sweeps wedge; it never does, and Newton's method gets what time is in proportion.

use nalgebra::Vector3;

use super::accelerated::AcceleratedSweeps;
use super::auto::Stages;
use super::projected_gradient::{Method, ProjectedGradient};
use super::smoothed_newton::{self, SmoothedNewton};
use super::{Best, StopRule, Task};

/// Accelerated sweeps that may pass without halving the error before something else is tried: at least so many.
const PATIENCE: usize = 60;
/// The same for many contacts, where a Newton step costs as much as many sweeps.
const PATIENCE_FOR_MANY: usize = 100;
/// Contacts that count as many.
pub const MANY: usize = 100;
/// For few contacts sweeps cost next to nothing: patience for so many visits of a contact.
const PATIENCE_VISITS: usize = 1000;
/// Plain sweeps before Newton's method: a nearly solved start lies on the boundary of the cones, where it stalls.
const NEWTON_SWEEPS: usize = 20;
/// Plain sweeps before each try with a strong shift: which path leads to the end cannot be known beforehand. On
/// shuffled copies of the worst problem at hand each leads there four times out of five.
const STRONG_SWEEPS: [usize; 5] = [5, 20, 100, 50, 10];
/// Proximal steps before the first such try, and before any other.
const POLISHES: [usize; 2] = [10, 30];
/// Gradient steps on many contacts.
const GRADIENT_STEPS: usize = 500;
/// On many contacts Newton's method may work so many times as long as all before it …
const NEWTON_SHARE: f64 = 10.0;
/// … unless so many iterations are allowed: then the answer is wanted, whatever it takes.
pub const PATIENT: usize = 2000;

/// The methods with their workspaces.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    sweeps: AcceleratedSweeps,
    gradient: ProjectedGradient,
    newton: SmoothedNewton,
}

impl Chain {
    /// Improves `r`; what is better than the best goes there, which has been started. What is solved gets `least` sweeps
    /// all the same.
    pub fn solve(
        &mut self,
        stages: Stages,
        task: &Task,
        r: &mut [Vector3<f64>],
        least: usize,
        best: &mut Best,
    ) {
        let Self {
            sweeps, gradient, ..
        } = self;
        let count = task.problem.len();
        if task.ended_after(&best.report, least) {
            return;
        }
        sweeps.prepare(task.problem);
        let patience = match stages {
            Stages::Sweeps => usize::MAX,
            Stages::All if count > MANY => PATIENCE_FOR_MANY,
            Stages::All => PATIENCE.max(PATIENCE_VISITS / count),
        };
        sweeps.solve(task, r, patience, least, best);
        if task.ended(&best.report) || stages == Stages::Sweeps {
            return;
        }
        if count <= MANY {
            sweeps.turn_round();
            r.fill(Vector3::zeros());
            sweeps.solve(task, r, patience, 0, best);
            if task.ended(&best.report) {
                return;
            }
            sweeps.turn_round();
            return self.finish(task, r, best);
        }
        r.copy_from_slice(&best.r);
        let most = task.stop.max_iterations;
        let stop = StopRule {
            max_iterations: most.min(best.report.iterations + GRADIENT_STEPS),
            ..*task.stop
        };
        gradient.solve(
            Method::Nesterov,
            &Task {
                stop: &stop,
                ..*task
            },
            r,
            best,
        );
        let share = match most >= PATIENT {
            true => f64::INFINITY,
            false => NEWTON_SHARE,
        };
        let stop = StopRule {
            max_work: (task.stop.max_work).min((1.0 + share) * best.report.work),
            ..*task.stop
        };
        self.finish(
            &Task {
                stop: &stop,
                ..*task
            },
            r,
            best,
        );
    }

    /// One plain sweep over all contacts; what is at rest comes closer to rest in every step.
    pub fn sweep_once(&mut self, task: &Task, r: &mut [Vector3<f64>], best: &mut Best) {
        self.sweeps.prepare(task.problem);
        self.sweeps.sweep(task, r, best);
        best.offer(task, r);
    }

    /// What sweeps do not solve.
    fn finish(&mut self, task: &Task, r: &mut [Vector3<f64>], best: &mut Best) {
        let Self { sweeps, newton, .. } = self;
        if task.ended(&best.report) {
            return;
        }
        newton.prepare(task);
        sweeps.start_anew(NEWTON_SWEEPS, task, r, best);
        for attempt in &smoothed_newton::GENTLE {
            newton.improve(task, r, attempt, best);
        }
        for (round, count) in STRONG_SWEEPS.into_iter().enumerate() {
            r.copy_from_slice(&best.r);
            newton.polish(task, r, POLISHES[round.min(1)], best);
            if task.ended(&best.report) {
                return;
            }
            sweeps.turn_round();
            sweeps.start_anew(count, task, r, best);
            newton.improve(task, r, &smoothed_newton::STRONG, best);
        }
    }
}
