//! Global iterations over all contacts.

pub mod anderson;
pub mod gauss_seidel;
pub mod smoothed_newton;
#[cfg(test)]
mod tests;

use nalgebra::Vector3;

use super::local::LocalSolver;
use super::residual::{relative_error, velocity_scale};
use super::{Problem, SolverKind};
use gauss_seidel::GaussSeidel;
use smoothed_newton::SmoothedNewton;

/// Accelerated sweeps that may pass without halving the error before `auto` turns to Newton's method.
const PATIENCE: usize = 60;
/// Plain sweeps before Newton's method.
const NEWTON_SWEEPS: usize = 20;

/// When a solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRule {
    /// Error (`rel` of [`super::residual`]) that counts as solved.
    pub tolerance: f64,
    /// Iterations after which it gives up.
    pub max_iterations: usize,
    /// Free velocities below this, m/s, count as this when the error is made relative: without it a world at
    /// complete rest would be asked for digits below rounding.
    pub velocity_floor: f64,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverReport {
    /// The error of the returned impulses.
    pub error: f64,
    /// Whether that is within the tolerance.
    pub solved: bool,
    /// Iterations taken.
    pub iterations: usize,
    /// Local problems that the first local solver left to the fail-safe.
    pub failsafe_calls: usize,
    /// Local problems that no local solver solved.
    pub local_failures: usize,
}

/// A problem with what is asked of its solution.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// W, b, µ.
    pub problem: &'a Problem,
    /// When to stop.
    pub stop: &'a StopRule,
    /// What errors are measured against, m/s.
    pub scale_m_s: f64,
}

impl Task<'_> {
    /// The tolerance as a velocity.
    pub fn tolerance_m_s(&self) -> f64 {
        self.stop.tolerance * self.scale_m_s
    }

    /// Solved, or out of iterations.
    pub fn ended(&self, report: &SolverReport) -> bool {
        report.error <= self.stop.tolerance || report.iterations >= self.stop.max_iterations
    }
}

/// The best impulses seen so far, with their true error in the report.
#[derive(Clone, Debug, Default)]
pub struct Best {
    /// The impulses.
    pub r: Vec<Vector3<f64>>,
    /// Their error, and what it took.
    pub report: SolverReport,
    u: Vec<Vector3<f64>>,
}

impl Best {
    fn start(&mut self, task: &Task, r: &[Vector3<f64>]) {
        self.r.clear();
        self.r.extend_from_slice(r);
        self.report = SolverReport {
            error: f64::INFINITY,
            ..SolverReport::default()
        };
        self.offer(task, r);
    }

    /// Takes `r` if it is better.
    pub fn offer(&mut self, task: &Task, r: &[Vector3<f64>]) {
        task.problem.velocities(r, &mut self.u);
        let error = relative_error(task.problem, r, &self.u, task.scale_m_s);
        if error < self.report.error {
            self.report.error = error;
            self.r.copy_from_slice(r);
        }
    }
}

/// All solvers with their workspaces.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    sweeps: GaussSeidel,
    newton: SmoothedNewton,
    best: Best,
}

impl Solver {
    /// Improves `r`, the first guess, until the stop rule is met; leaves the best impulses seen.
    pub fn solve(
        &mut self,
        kind: SolverKind,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        stop: &StopRule,
    ) -> SolverReport {
        let task = Task {
            problem,
            stop,
            scale_m_s: velocity_scale(problem, stop.velocity_floor),
        };
        self.best.start(&task, r);
        self.sweeps.prepare(problem);
        match kind {
            SolverKind::Auto => self.auto(&task, r),
            SolverKind::GsAnderson => self
                .sweeps
                .accelerated(&task, r, usize::MAX, &mut self.best),
            SolverKind::GsHybrid => {
                self.sweeps
                    .plain(LocalSolver::Hybrid, &task, r, &mut self.best)
            }
            SolverKind::GsFb => self
                .sweeps
                .plain(LocalSolver::NewtonFb, &task, r, &mut self.best),
            SolverKind::GsEnum => {
                self.sweeps
                    .plain(LocalSolver::Enumerative, &task, r, &mut self.best)
            }
        }
        r.copy_from_slice(&self.best.r);
        self.best.report.solved = self.best.report.error <= stop.tolerance;
        self.best.report
    }

    /// Accelerated sweeps; what they leave unsolved goes to Newton's method, from a few plain sweeps: a nearly solved
    /// start lies on the boundary of the cones, where Newton stalls.
    fn auto(&mut self, task: &Task, r: &mut [Vector3<f64>]) {
        let Self {
            sweeps,
            newton,
            best,
        } = self;
        sweeps.accelerated(task, r, PATIENCE, best);
        if task.ended(&best.report) || !SmoothedNewton::suits(task.problem) {
            return;
        }
        r.fill(Vector3::zeros());
        for _ in 0..NEWTON_SWEEPS {
            sweeps.sweep(
                LocalSolver::Enumerative,
                task.problem,
                r,
                0.0,
                &mut best.report,
            );
        }
        for attempt in &smoothed_newton::ATTEMPTS {
            newton.improve(task, r, attempt, best);
        }
    }
}
