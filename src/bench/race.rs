//! Every solver on every file: time to tolerance, and ratios to `auto`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::published::{Peer, peer};
use super::warm::{WarmTable, WarmTally};
use super::{Plan, Sample, Siconos, trial};
use crate::friction::SolverKind;

/// Solves of one problem whose median time counts.
const RUNS: usize = 3;

/// One solver on one problem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Whether it reached the tolerance.
    pub solved: bool,
    /// CPU time, ms.
    pub cpu_ms: f64,
    /// The error of its best impulses.
    pub rel: f64,
    /// Iterations.
    pub iterations: usize,
}

/// One problem.
#[derive(Clone, Debug, Serialize)]
pub struct Runner {
    /// Name of the file.
    pub problem: String,
    /// Contacts.
    pub n: usize,
    /// What is published on it.
    pub published: Option<Peer>,
    /// Siconos' Gauss-Seidel here and now.
    pub nsgs_here: Option<Cell>,
    /// Every solver, by name.
    pub solvers: BTreeMap<&'static str, Cell>,
}

/// A geometric mean of ratios.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The mean.
    pub geometric_mean: f64,
    /// Of so many problems.
    pub problems: usize,
}

/// `auto` against the best published time, scaled to this machine.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedUp {
    /// Siconos' time here over its published time: how much slower this machine is.
    pub machine: Ratio,
    /// Best published time, scaled, over that of `auto`, by problem.
    pub by_problem: BTreeMap<String, f64>,
    /// All of them together.
    pub all: Ratio,
}

/// The table so far.
#[derive(Clone, Debug, Serialize)]
pub struct Race {
    /// Tolerance.
    pub tolerance: f64,
    /// Iterations after which a solver gives up.
    pub max_iterations: usize,
    /// One row per problem.
    pub problems: Vec<Runner>,
    /// Each solver's time over that of `auto` where both solve.
    pub ratio_to_auto: BTreeMap<&'static str, Ratio>,
    /// `auto` against published times; none without the yardstick.
    pub speed_up: Option<SpeedUp>,
    /// `auto` from nothing against `auto` from the guesses, where there are guesses.
    pub warm_start: Option<WarmTable>,
    #[serde(skip)]
    warm: WarmTally,
}

impl Race {
    /// An empty table.
    pub fn new(plan: &Plan) -> Self {
        Self {
            tolerance: plan.stop.tolerance,
            max_iterations: plan.stop.max_iterations,
            problems: Vec::new(),
            ratio_to_auto: BTreeMap::new(),
            speed_up: None,
            warm_start: None,
            warm: WarmTally::default(),
        }
    }

    /// Adds a problem: all solvers of the plan, and Siconos if it is there. An error of Siconos is returned as a sentence,
    /// the row is kept.
    pub fn add(
        &mut self,
        sample: &Sample,
        file: &Path,
        plan: &Plan,
        siconos: Option<&Siconos>,
    ) -> Result<(), String> {
        let mut solvers = BTreeMap::new();
        for &kind in &plan.kinds {
            let trial = trial(kind, &sample.problem, None, &plan.stop, RUNS);
            let cell = Cell {
                solved: trial.report.solved,
                cpu_ms: trial.cpu_ms,
                rel: trial.report.error,
                iterations: trial.report.iterations,
            };
            solvers.insert(kind.name(), cell);
        }
        self.warm.tackle(sample, plan, None);
        let nsgs = siconos.map(|siconos| siconos.solve(sample, file, self.tolerance));
        let (nsgs_here, outcome) = match nsgs.transpose() {
            Ok(cell) => (cell, Ok(())),
            Err(why) => (None, Err(why)),
        };
        self.problems.push(Runner {
            problem: sample.name.clone(),
            n: sample.problem.len(),
            published: peer(&sample.name, sample.problem.len()),
            nsgs_here,
            solvers,
        });
        self.sum_up(plan);
        outcome
    }

    /// Means over all problems so far.
    fn sum_up(&mut self, plan: &Plan) {
        let against = |kind: SolverKind| {
            let ratios = self.problems.iter().filter_map(|row| {
                let auto = row.time(SolverKind::Auto.name())?;
                Some(row.time(kind.name())? / auto)
            });
            Some((kind.name(), geometric_mean(ratios)?))
        };
        self.ratio_to_auto = plan
            .kinds
            .iter()
            .filter_map(|&kind| against(kind))
            .collect();
        self.speed_up = self.speed_up();
        self.warm_start = self.warm.table();
    }

    fn speed_up(&self) -> Option<SpeedUp> {
        let machine = geometric_mean(self.problems.iter().filter_map(Runner::machine))?;
        let mut by_problem = BTreeMap::new();
        for row in &self.problems {
            let best = row.published.and_then(|published| published.best_ms);
            if let (Some(best), Some(auto)) = (best, row.time(SolverKind::Auto.name())) {
                // Where Siconos gives no scale of its own, the mean of the others must do.
                let scale = row.machine().unwrap_or(machine.geometric_mean);
                by_problem.insert(row.problem.clone(), best * scale / auto);
            }
        }
        Some(SpeedUp {
            machine,
            all: geometric_mean(by_problem.values().copied())?,
            by_problem,
        })
    }
}

impl Runner {
    /// Time of a solver, ms, if it reached the tolerance. The clock does not resolve less than some nanoseconds.
    fn time(&self, solver: &str) -> Option<f64> {
        let cell = self.solvers.get(solver)?;
        cell.solved.then(|| cell.cpu_ms.max(1e-5))
    }

    /// Siconos' time here over its published time.
    fn machine(&self) -> Option<f64> {
        let here = self.nsgs_here.filter(|cell| cell.solved)?;
        Some(here.cpu_ms / self.published?.nsgs_ms?)
    }
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<Ratio> {
    let (mut sum, mut problems) = (0.0, 0);
    for value in values {
        sum += value.ln();
        problems += 1;
    }
    (problems > 0).then(|| Ratio {
        geometric_mean: (sum / problems as f64).exp(),
        problems,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(solved: bool, cpu_ms: f64) -> Cell {
        Cell {
            solved,
            cpu_ms,
            rel: 1e-7,
            iterations: 1,
        }
    }

    #[test]
    fn published_times_are_scaled_by_the_yardstick() {
        // Published: best 22 ms, nsgs 588 ms. Here nsgs takes twice as long, so the best would take 44.
        let row = |auto| Runner {
            problem: "Capsules-i100-1090.dat".into(),
            n: 276,
            published: peer("Capsules-i100-1090.dat", 276),
            nsgs_here: Some(cell(true, 2.0 * 588.0)),
            solvers: BTreeMap::from([("auto", auto)]),
        };
        let plan = Plan {
            kinds: vec![SolverKind::Auto],
            stop: Default::default(),
        };
        let mut race = Race::new(&plan);
        race.problems.push(row(cell(true, 11.0)));
        race.sum_up(&plan);
        let speed_up = race.speed_up.clone().expect("a scale");
        assert!((speed_up.all.geometric_mean - 4.0).abs() < 1e-9);
        assert_eq!(race.ratio_to_auto["auto"].geometric_mean, 1.0);
        race.problems = vec![row(cell(false, 1.0))];
        race.sum_up(&plan);
        assert!(race.speed_up.is_none() && race.ratio_to_auto.is_empty());
    }
}
