//! `auto` from nothing against `auto` from the impulses of the step before.

use serde::Serialize;

use super::{Plan, Sample, Trial, trial};
use crate::friction::SolverKind;

/// The comparison, over all problems that have a guess.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WarmTable {
    /// Problems compared.
    pub problems: usize,
    /// Those not solved to tolerance from nothing, %.
    pub cold_unsolved_percent: f64,
    /// Those not solved to tolerance from the guess, %.
    pub warm_unsolved_percent: f64,
    /// Mean iterations from nothing.
    pub cold_iterations: f64,
    /// Mean iterations from the guess.
    pub warm_iterations: f64,
    /// Iterations from nothing over iterations from the guess, all problems together.
    pub iterations_ratio: f64,
    /// The same of the work.
    pub work_ratio: f64,
    /// The same of the time.
    pub time_ratio: f64,
}

/// Sums over one way to start.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    unsolved: usize,
    iterations: f64,
    work: f64,
    cpu_ms: f64,
}

impl Sums {
    fn add(&mut self, trial: &Trial) {
        self.unsolved += usize::from(!trial.report.solved);
        self.iterations += trial.report.iterations as f64;
        self.work += trial.report.work;
        self.cpu_ms += trial.cpu_ms;
    }
}

/// Sums over the problems so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WarmTally {
    problems: usize,
    cold: Sums,
    warm: Sums,
}

impl WarmTally {
    /// Solves one problem both ways; `cold` is the solve from nothing if it is known already.
    pub fn tackle(&mut self, sample: &Sample, plan: &Plan, cold: Option<Trial>) {
        let Some(guess) = &sample.guess else {
            return;
        };
        let solve = |start| trial(SolverKind::Auto, &sample.problem, start, &plan.stop, 1);
        self.problems += 1;
        self.cold.add(&cold.unwrap_or_else(|| solve(None)));
        self.warm.add(&solve(Some(guess.as_slice())));
    }

    /// The comparison; none without guesses.
    pub fn table(&self) -> Option<WarmTable> {
        let count = self.problems as f64;
        // Guesses that solve everything take no iterations at all: at least one then, so that the ratio is a number.
        let ratio = |cold: f64, warm: f64, least: f64| cold.max(least) / warm.max(least);
        let (cold, warm) = (&self.cold, &self.warm);
        (self.problems > 0).then(|| WarmTable {
            problems: self.problems,
            cold_unsolved_percent: 100.0 * cold.unsolved as f64 / count,
            warm_unsolved_percent: 100.0 * warm.unsolved as f64 / count,
            cold_iterations: cold.iterations / count,
            warm_iterations: warm.iterations / count,
            iterations_ratio: ratio(cold.iterations, warm.iterations, 1.0),
            work_ratio: ratio(cold.work, warm.work, 1.0),
            time_ratio: ratio(cold.cpu_ms, warm.cpu_ms, 1e-6),
        })
    }
}
