//! Every solver on a sequence of problems, from nothing: the columns of [Daviet11, table 2].

use serde::Serialize;

use super::published::{PaperRow, paper_row};
use super::warm::{WarmTable, WarmTally};
use super::{Plan, Sample, Trial, trial};
use crate::friction::{Family, SolverKind};

/// A solver that has used this much CPU time in all, ms, sits out the remaining problems: nothing more is to be learned
/// about it, and the others wait.
const PATIENCE_MS: f64 = 120e3;

/// One solver's figures.
#[derive(Clone, Debug, Serialize)]
pub struct SolverRow {
    /// Its name.
    pub solver: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Whether it aims at Coulomb's law itself, not at a likeness of it.
    pub exact: bool,
    /// Problems that it was tried on; fewer than all when it took too long.
    pub problems: usize,
    /// Local solves passed on to the fail-safe, %; none without one.
    pub failsafe_percent: Option<f64>,
    /// Local problems left unsolved, %; none for methods that take all contacts at once.
    pub local_failures_percent: Option<f64>,
    /// Problems not solved to tolerance, %.
    pub unsolved_percent: f64,
    /// Mean iterations.
    pub mean_iterations: f64,
    /// Mean work, in products of a 3 × 3 block and a vector.
    pub mean_work: f64,
    /// Mean CPU time, ms.
    pub mean_ms: f64,
    /// Geometric mean of the errors at which it ended.
    pub mean_error: f64,
    /// The row of [Daviet11, table 2] on the same method.
    pub paper: Option<PaperRow>,
}

/// The whole table.
#[derive(Clone, Debug, Serialize)]
pub struct PackedTable {
    /// Number of problems.
    pub problems: usize,
    /// Contacts per problem, mean.
    pub contacts_mean: f64,
    /// Contacts per problem, most.
    pub contacts_max: usize,
    /// Mean ν = 3 n / m, where it is known.
    pub nu_mean: Option<f64>,
    /// Tolerance.
    pub tolerance: f64,
    /// Iterations after which a solver gives up.
    pub max_iterations: usize,
    /// One row per solver.
    pub solvers: Vec<SolverRow>,
    /// `auto` from nothing against `auto` from the guesses, where there are guesses.
    pub warm_start: Option<WarmTable>,
}

/// Runs the plan on each problem as it comes; `done` is told after each. Stops at the first error.
pub fn packed(
    samples: impl Iterator<Item = Result<Sample, String>>,
    plan: &Plan,
    mut done: impl FnMut(&Sample),
) -> Result<PackedTable, String> {
    let mut tallies: Vec<Tally> = plan.kinds.iter().map(|&kind| Tally::new(kind)).collect();
    let mut warm = WarmTally::default();
    let (mut problems, mut contacts, mut most, mut nu) = (0, 0, 0, Some(0.0));
    for sample in samples {
        let sample = sample?;
        problems += 1;
        contacts += sample.problem.len();
        most = most.max(sample.problem.len());
        nu = nu.zip(sample.nu).map(|(sum, nu)| sum + nu);
        let mut cold = None;
        for tally in &mut tallies {
            let trial = tally.tackle(&sample, plan);
            if tally.kind == SolverKind::Auto {
                cold = trial;
            }
        }
        warm.tackle(&sample, plan, cold);
        done(&sample);
    }
    let count = problems.max(1) as f64;
    Ok(PackedTable {
        problems,
        contacts_mean: contacts as f64 / count,
        contacts_max: most,
        nu_mean: nu.map(|sum| sum / count),
        tolerance: plan.stop.tolerance,
        max_iterations: plan.stop.max_iterations,
        solvers: tallies.iter().map(Tally::row).collect(),
        warm_start: warm.table(),
    })
}

/// Sums over the problems so far.
struct Tally {
    kind: SolverKind,
    tried: usize,
    unsolved: usize,
    iterations: f64,
    work: f64,
    cpu_ms: f64,
    ln_error: f64,
    local_solves: f64,
    failsafe_calls: f64,
    local_failures: f64,
}

impl Tally {
    fn new(kind: SolverKind) -> Self {
        Self {
            kind,
            tried: 0,
            unsolved: 0,
            iterations: 0.0,
            work: 0.0,
            cpu_ms: 0.0,
            ln_error: 0.0,
            local_solves: 0.0,
            failsafe_calls: 0.0,
            local_failures: 0.0,
        }
    }

    /// Tries one problem, unless the solver has had its time.
    fn tackle(&mut self, sample: &Sample, plan: &Plan) -> Option<Trial> {
        if self.cpu_ms > PATIENCE_MS {
            return None;
        }
        let trial = trial(self.kind, &sample.problem, None, &plan.stop, 1);
        let report = &trial.report;
        self.tried += 1;
        self.unsolved += usize::from(!report.solved);
        self.iterations += report.iterations as f64;
        self.work += report.work;
        self.cpu_ms += trial.cpu_ms;
        // An error of zero has no logarithm; one beyond all bounds would swallow the others.
        self.ln_error += report.error.clamp(1e-16, 1e16).ln();
        self.local_solves += report.local_solves as f64;
        self.failsafe_calls += report.failsafe_calls as f64;
        self.local_failures += report.local_failures as f64;
        Some(trial)
    }

    fn row(&self) -> SolverRow {
        let count = self.tried.max(1) as f64;
        let share = |part: f64| (self.local_solves > 0.0).then(|| 100.0 * part / self.local_solves);
        let family = self.kind.family();
        let sweeps = [Family::GaussSeidel, Family::Failsafe].contains(&family);
        SolverRow {
            solver: self.kind.name(),
            exact: self.kind.is_exact(),
            family: family.title(),
            problems: self.tried,
            failsafe_percent: share(self.failsafe_calls).filter(|_| family == Family::Failsafe),
            local_failures_percent: share(self.local_failures).filter(|_| sweeps),
            unsolved_percent: 100.0 * self.unsolved as f64 / count,
            mean_iterations: self.iterations / count,
            mean_work: self.work / count,
            mean_ms: self.cpu_ms / count,
            mean_error: (self.ln_error / count).exp(),
            paper: paper_row(self.kind.name()),
        }
    }
}
