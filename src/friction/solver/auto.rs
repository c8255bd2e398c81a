//! Our own solver: groups of contacts apart; for each accelerated sweeps first, one way and the other; what they leave
//! unsolved goes to Newton's method on the smoothed law; what that leaves, to proximal points and to Newton with a
//! strong shift, by turns and from several starts.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::accelerated::AcceleratedSweeps;
use super::groups::Groups;
use super::smoothed_newton::{self, SmoothedNewton};
use super::{Best, SolverReport, StopRule, Task, TracePoint};
use crate::friction::Problem;

/// Accelerated sweeps that may pass without halving the error before something else is tried: at least so many.
const PATIENCE: usize = 60;
/// The same for many contacts, where a Newton step costs as much as many sweeps.
const PATIENCE_FOR_MANY: usize = 100;
/// Contacts that count as many.
const MANY: usize = 100;
/// For few contacts sweeps cost next to nothing: patience for so many visits of a contact.
const PATIENCE_VISITS: usize = 1000;
/// Plain sweeps before Newton's method: a nearly solved start lies on the boundary of the cones, where it stalls.
const NEWTON_SWEEPS: usize = 20;
/// Plain sweeps before each try with a strong shift: which path leads to the end cannot be known beforehand. On
/// shuffled copies of the worst problem at hand each leads there four times out of five.
const STRONG_SWEEPS: [usize; 5] = [5, 20, 100, 50, 10];
/// Proximal steps before the first such try, and before any other.
const POLISHES: [usize; 2] = [10, 30];
/// Fewer contacts than this are not worth a second thread.
const PARALLEL_FROM: usize = 400;

/// Which stages to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// Sweeps, then Newton.
    All,
    /// Sweeps alone, to the last iteration.
    Sweeps,
}

/// The solver with its workspaces.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    groups: Groups,
    hands: Vec<Hand>,
    order: Vec<(usize, usize)>,
}

/// One worker: solves its share of the groups, one after the other.
#[derive(Clone, Debug, Default)]
struct Hand {
    groups: Vec<usize>,
    load: f64,
    problem: Problem,
    r: Vec<Vector3<f64>>,
    sweeps: AcceleratedSweeps,
    newton: SmoothedNewton,
    best: Best,
    /// Impulses of all its groups.
    found: Vec<Vector3<f64>>,
    total: SolverReport,
    longest: (usize, usize),
    trace: Vec<TracePoint>,
}

impl Auto {
    /// Solves group by group.
    pub fn solve(&mut self, stages: Stages, task: &Task, r: &mut [Vector3<f64>], best: &mut Best) {
        if task.ended(&best.report) {
            return;
        }
        self.groups.find(task.problem);
        self.share_out(task.problem);
        let Self { groups, hands, .. } = self;
        let start = &*r;
        if hands.len() > 1 {
            hands
                .par_iter_mut()
                .for_each(|hand| hand.work(groups, stages, task, start));
        } else {
            hands
                .iter_mut()
                .for_each(|hand| hand.work(groups, stages, task, start));
        }
        let first = best.trace.pop();
        best.trace.clear();
        for hand in &*hands {
            let mut found = hand.found.iter();
            for &group in &hand.groups {
                for (&i, value) in groups.members(group).iter().zip(&mut found) {
                    r[i as usize] = *value;
                }
            }
            best.report.add(&hand.total);
        }
        // The groups run side by side; the one that took longest tells the story.
        let longest = hands.iter().max_by_key(|hand| hand.longest);
        best.trace.extend(first);
        if let Some(hand) = longest {
            best.trace.extend(hand.trace.iter().skip(1));
            best.stage = best.trace.last().map_or(best.stage, |point| point.stage);
        }
        best.offer(task, r);
    }

    /// Deals the groups out to as many hands as there are threads, the heaviest first, each to the idlest.
    fn share_out(&mut self, problem: &Problem) {
        let threads = if problem.len() < PARALLEL_FROM {
            1
        } else {
            rayon::current_num_threads()
        };
        let count = threads.min(self.groups.len()).max(1);
        self.hands.resize_with(count, Hand::default);
        for hand in &mut self.hands {
            hand.groups.clear();
            hand.load = 0.0;
        }
        self.order.clear();
        self.order
            .extend((0..self.groups.len()).map(|g| (self.groups.members(g).len(), g)));
        self.order
            .sort_unstable_by_key(|&(size, group)| (std::cmp::Reverse(size), group));
        for &(size, group) in &self.order {
            let idlest = (0..count)
                .min_by(|&a, &b| self.hands[a].load.total_cmp(&self.hands[b].load))
                .unwrap_or(0);
            self.hands[idlest].groups.push(group);
            self.hands[idlest].load += weight(size);
        }
    }
}

/// How hard a group of so many contacts may be, against others.
fn weight(size: usize) -> f64 {
    (size as f64).powf(1.5)
}

impl Hand {
    fn work(&mut self, groups: &Groups, stages: Stages, task: &Task, start: &[Vector3<f64>]) {
        self.found.clear();
        self.total = SolverReport::default();
        self.trace.clear();
        self.longest = (0, 0);
        let all: f64 = (0..groups.len())
            .map(|g| weight(groups.members(g).len()))
            .sum();
        for at in 0..self.groups.len() {
            let group = self.groups[at];
            let members = groups.members(group);
            groups.extract(group, task.problem, &mut self.problem);
            self.r.clear();
            self.r.extend(members.iter().map(|&i| start[i as usize]));
            let stop = StopRule {
                max_work: task.stop.max_work * weight(members.len()) / all,
                ..*task.stop
            };
            self.solve_group(stages, &stop, task.scale_m_s);
            self.found.extend_from_slice(&self.best.r);
            self.total.add(&self.best.report);
            let longest = (self.best.report.iterations, usize::MAX - group);
            if longest >= self.longest {
                self.longest = longest;
                self.trace.clone_from(&self.best.trace);
            }
        }
    }

    fn solve_group(&mut self, stages: Stages, stop: &StopRule, scale_m_s: f64) {
        let Self {
            problem,
            r,
            sweeps,
            newton,
            best,
            ..
        } = self;
        let task = Task {
            problem,
            stop,
            scale_m_s,
        };
        best.start(&task, r);
        if task.ended(&best.report) {
            return;
        }
        sweeps.prepare(problem);
        let patience = match stages {
            Stages::Sweeps => usize::MAX,
            Stages::All if problem.len() > MANY => PATIENCE_FOR_MANY,
            Stages::All => PATIENCE.max(PATIENCE_VISITS / problem.len()),
        };
        sweeps.solve(&task, r, patience, best);
        if task.ended(&best.report) || stages == Stages::Sweeps {
            return;
        }
        if problem.len() <= MANY {
            sweeps.turn_round();
            r.fill(Vector3::zeros());
            sweeps.solve(&task, r, patience, best);
            if task.ended(&best.report) {
                return;
            }
            sweeps.turn_round();
        }
        newton.prepare(&task);
        sweeps.start_anew(NEWTON_SWEEPS, &task, r, best);
        for attempt in &smoothed_newton::GENTLE {
            newton.improve(&task, r, attempt, best);
        }
        for (round, count) in STRONG_SWEEPS.into_iter().enumerate() {
            r.copy_from_slice(&best.r);
            newton.polish(&task, r, POLISHES[round.min(1)], best);
            if task.ended(&best.report) {
                return;
            }
            sweeps.turn_round();
            sweeps.start_anew(count, &task, r, best);
            newton.improve(&task, r, &smoothed_newton::STRONG, best);
        }
    }
}
