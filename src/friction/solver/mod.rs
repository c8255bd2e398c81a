//! Global iterations over all contacts.

mod accelerated;
pub mod anderson;
mod auto;
mod chain;
pub mod gauss_seidel;
mod groups;
mod jacobian;
pub mod newton;
#[cfg(test)]
mod partition_tests;
pub mod projected_gradient;
pub mod sap;
pub mod smoothed_newton;
#[cfg(test)]
mod tests;
mod trace;
mod working_set;

use nalgebra::Vector3;

use super::residual::{relative_error, velocity_scale};
use super::{Problem, SolverKind};
use auto::{Auto, Stages};
use gauss_seidel::GaussSeidel;
use newton::Newton;
use projected_gradient::ProjectedGradient;
use sap::Sap;
pub use trace::{Stage, TracePoint};

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
    /// Work after which it gives up, in products of a 3 × 3 block and a vector (a few nanoseconds each). Counted, not
    /// clocked, so that a budget does not make results depend on the machine's mood.
    pub max_work: f64,
}

impl Default for StopRule {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 10_000,
            velocity_floor: f64::MIN_POSITIVE,
            max_work: f64::INFINITY,
        }
    }
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopReason {
    /// The error is within the tolerance.
    Solved,
    /// All iterations are spent.
    Iterations,
    /// The budget of work is spent.
    Work,
    /// It cannot get any further.
    #[default]
    Stalled,
    /// Impulses grew beyond all bounds.
    NotFinite,
}

impl StopReason {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Solved => "solved",
            StopReason::Iterations => "iterations_spent",
            StopReason::Work => "budget_spent",
            StopReason::Stalled => "stalled",
            StopReason::NotFinite => "not_finite",
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverReport {
    /// The error of the returned impulses.
    pub error: f64,
    /// Whether that is within the tolerance.
    pub solved: bool,
    /// Why it stopped.
    pub stop: StopReason,
    /// Iterations taken.
    pub iterations: usize,
    /// Work done, in block products.
    pub work: f64,
    /// Contacts visited by local solvers.
    pub local_solves: usize,
    /// Local problems that the first local solver left to the fail-safe.
    pub failsafe_calls: usize,
    /// Local problems that no local solver solved.
    pub local_failures: usize,
}

impl SolverReport {
    /// Adds what a part of the problem took, solved beside the others.
    fn add(&mut self, part: &SolverReport) {
        self.iterations = self.iterations.max(part.iterations);
        self.work += part.work;
        self.local_solves += part.local_solves;
        self.failsafe_calls += part.failsafe_calls;
        self.local_failures += part.local_failures;
    }
}

/// An error below this share of the tolerance is not worth another sweep, even of those that rest asks for.
const FAR_BETTER: f64 = 1e-4;

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

    /// Solved, or out of iterations or work.
    pub fn ended(&self, report: &SolverReport) -> bool {
        self.reason(report) != StopReason::Stalled
    }

    /// The same, but what is solved goes on until so many iterations, or until it is solved far better than asked.
    pub fn ended_after(&self, report: &SolverReport, iterations: usize) -> bool {
        let far = report.error <= FAR_BETTER * self.stop.tolerance;
        match self.reason(report) {
            StopReason::Solved => far || report.iterations >= iterations,
            reason => reason != StopReason::Stalled,
        }
    }

    fn reason(&self, report: &SolverReport) -> StopReason {
        if report.error <= self.stop.tolerance {
            StopReason::Solved
        } else if report.iterations >= self.stop.max_iterations {
            StopReason::Iterations
        } else if report.work >= self.stop.max_work {
            StopReason::Work
        } else if report.error.is_finite() {
            StopReason::Stalled
        } else {
            StopReason::NotFinite
        }
    }
}

/// The best impulses seen so far, with their true error in the report.
#[derive(Clone, Debug, Default)]
pub struct Best {
    /// The impulses.
    pub r: Vec<Vector3<f64>>,
    /// Their error, and what it took.
    pub report: SolverReport,
    /// Every measured error.
    pub trace: Vec<TracePoint>,
    /// The stage that is at work.
    pub stage: Stage,
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
        self.trace.clear();
        self.stage = Stage::Start;
        self.offer(task, r);
        if !self.report.error.is_finite() {
            // A guess beyond all bounds would be returned if nothing better came.
            self.r.fill(Vector3::zeros());
        }
    }

    /// Measures `r`, takes it if it is better; returns its error.
    pub fn offer(&mut self, task: &Task, r: &[Vector3<f64>]) -> f64 {
        task.problem.velocities(r, &mut self.u);
        self.report.work += task.problem.w.blocks() as f64;
        let error = relative_error(task.problem, r, &self.u, task.scale_m_s);
        self.trace.push(TracePoint {
            iteration: self.report.iterations as u32,
            error,
            stage: self.stage,
        });
        if error < self.report.error {
            self.report.error = error;
            self.r.copy_from_slice(r);
        }
        error
    }

    /// Adds what solving a part of the problem took, one after the other with what was before, and its record.
    fn follow(&mut self, part: &Best) {
        let before = self.report.iterations;
        self.report.add(&part.report);
        self.report.iterations = before + part.report.iterations;
        let later = part.trace.iter().skip(1).map(|point| TracePoint {
            iteration: point.iteration + before as u32,
            ..*point
        });
        self.trace.extend(later);
        self.stage = part.stage;
    }

    /// Takes `r` even where another was better: the answer of a method that does not aim at Coulomb's law. Unless it
    /// is no number.
    pub fn insist(&mut self, task: &Task, r: &[Vector3<f64>]) {
        let error = self.offer(task, r);
        if error.is_finite() {
            self.report.error = error;
            self.r.copy_from_slice(r);
        }
    }
}

/// All solvers with their workspaces.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    sweeps: GaussSeidel,
    auto: Auto,
    newton: Newton,
    gradient: ProjectedGradient,
    sap: Sap,
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
        if r.iter().any(|r| r.iter().any(|x| !x.is_finite())) {
            r.fill(Vector3::zeros());
        }
        self.best.start(&task, r);
        self.run(kind, &task, r);
        r.copy_from_slice(&self.best.r);
        let report = &mut self.best.report;
        report.stop = task.reason(report);
        report.solved = report.stop == StopReason::Solved;
        *report
    }

    fn run(&mut self, kind: SolverKind, task: &Task, r: &mut [Vector3<f64>]) {
        use newton::Method as Newton;
        use projected_gradient::Method as Gradient;
        let best = &mut self.best;
        match kind {
            SolverKind::Auto => self.auto.solve(Stages::All, task, r, best),
            SolverKind::GsAnderson => self.auto.solve(Stages::Sweeps, task, r, best),
            SolverKind::NewtonAc => self.newton.solve(Newton::AlartCurnier, task, r, best),
            SolverKind::NewtonAcPure => self.newton.solve(Newton::AlartCurnierPure, task, r, best),
            SolverKind::NewtonFb => self.newton.solve(Newton::FischerBurmeister, task, r, best),
            SolverKind::GaussSeidel { local, failsafe } => {
                self.sweeps.solve(local, failsafe, task, r, best)
            }
            SolverKind::ProjectedGradient => self.gradient.solve(Gradient::Spectral, task, r, best),
            SolverKind::ProjectedGradientAccelerated => {
                self.gradient.solve(Gradient::Nesterov, task, r, best)
            }
            SolverKind::Sap => self.sap.solve(task, r, best),
        }
    }

    /// Every error measured during the last solve, in order.
    pub fn trace(&self) -> &[TracePoint] {
        &self.best.trace
    }
}
