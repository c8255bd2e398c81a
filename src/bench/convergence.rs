//! How hard one-step problems are against ν = 3 n/m: iterations, time and final error of several solvers on the problems
//! of a pile as it falls and comes to rest [Bertails11, figs. 10 and 11].
//!
//! Solvers start from what the step before suggests, as in a run.

use cpu_time::ProcessTime;
use serde::Serialize;

use super::sample::{Sample, SceneProblems};
use crate::friction::residual::{contact_error, velocity_scale};
use crate::friction::{HYBRID, Problem, Solver, SolverKind, StopRule};
use crate::record::Series;
use crate::record::plot::{Line, Panel, Plot};

/// The scene of the paper's figure.
pub const CONVERGENCE_SCENE: &str = "spaghetti_76";
/// The paper's method, its successor, and ours.
pub const CONVERGENCE_SOLVERS: [SolverKind; 3] = [SolverKind::NewtonAc, HYBRID, SolverKind::Auto];

/// One solver on one problem.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvergenceRow {
    /// Scene and step.
    pub problem: String,
    /// ν.
    pub nu: f64,
    /// Contacts.
    pub contacts: usize,
    /// Name of the solver.
    pub solver: &'static str,
    /// Iterations taken.
    pub iterations: usize,
    /// CPU time, ms.
    pub cpu_ms: f64,
    /// Final error, the judge's `rel`.
    pub error: f64,
    /// ½ |f_AC|² over all contacts, velocities in units of the largest free one: the measure of the paper, whose tolerance
    /// is 1e-5.
    pub half_square: f64,
    /// Whether the error is within the tolerance.
    pub solved: bool,
    /// Why it stopped.
    pub stop: &'static str,
}

/// All of them.
#[derive(Clone, Debug, Serialize)]
pub struct ConvergenceTable {
    /// The scene.
    pub scene: String,
    /// The error that counts as solved.
    pub tolerance: f64,
    /// Iterations after which a solver gives up.
    pub max_iterations: usize,
    /// Work after which it gives up, in products of a block and a vector.
    pub max_work: f64,
    /// Problem by problem, and solver by solver.
    pub rows: Vec<ConvergenceRow>,
}

impl ConvergenceTable {
    /// An empty table.
    pub fn new(scene: &str, stop: &StopRule) -> Self {
        Self {
            scene: scene.to_owned(),
            tolerance: stop.tolerance,
            max_iterations: stop.max_iterations,
            max_work: stop.max_work,
            rows: Vec::new(),
        }
    }

    /// Adds a problem: one row per solver.
    pub fn add(&mut self, sample: &Sample, kinds: &[SolverKind], stop: &StopRule) {
        let rows = kinds.iter().map(|&kind| measure(sample, kind, stop));
        self.rows.extend(rows);
    }

    /// As columns; solvers are numbered in the order of `kinds`.
    pub fn series(&self, kinds: &[SolverKind]) -> Series {
        let mut series = Series::new([
            "nu",
            "contacts",
            "solver",
            "iterations",
            "cpu_ms",
            "error",
            "half_square",
            "solved",
        ]);
        for row in &self.rows {
            let solver = kinds.iter().position(|kind| kind.name() == row.solver);
            series.rows.push(vec![
                row.nu,
                row.contacts as f64,
                solver.map_or(f64::NAN, |k| k as f64),
                row.iterations as f64,
                row.cpu_ms,
                row.error,
                row.half_square,
                f64::from(u8::from(row.solved)),
            ]);
        }
        series
    }

    /// Iterations, time and error against ν.
    pub fn plot(&self, kinds: &[SolverKind]) -> Plot {
        let panel = |title: &str, y: &str, value: &dyn Fn(&ConvergenceRow) -> f64| Panel {
            title: title.to_owned(),
            x: "ν = 3 n/m".to_owned(),
            y: y.to_owned(),
            y_range: None,
            lines: (1..)
                .zip(kinds)
                .map(|(color, kind)| self.line(color, *kind, value))
                .collect(),
        };
        Plot {
            title: format!("One-step problems of {} against ν", self.scene),
            per_row: 2,
            panels: vec![
                panel("Iterations", "iterations", &|row| row.iterations as f64),
                panel("Time", "log₁₀ of CPU ms", &|row| row.cpu_ms.log10()),
                panel("Final error", "log₁₀ of rel", &|row| row.error.log10()),
                panel("Final error as published", "log₁₀ of ½ |f|²", &|row| {
                    row.half_square.log10()
                }),
            ],
        }
    }

    fn line(&self, color: usize, kind: SolverKind, value: &dyn Fn(&ConvergenceRow) -> f64) -> Line {
        let own = self.rows.iter().filter(|row| row.solver == kind.name());
        let mut points: Vec<[f64; 2]> = own.map(|row| [row.nu, value(row)]).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Line {
            name: kind.name().to_owned(),
            color,
            dashed: false,
            points,
        }
    }
}

/// So many problems of a scene, evenly over its run of so many.
pub fn spread(
    problems: SceneProblems,
    count: usize,
) -> impl Iterator<Item = Result<Sample, String>> {
    let every = (problems.most() as usize / count.max(1)).max(1);
    problems.step_by(every).take(count)
}

fn measure(sample: &Sample, kind: SolverKind, stop: &StopRule) -> ConvergenceRow {
    let problem = &sample.problem;
    let mut r = match &sample.guess {
        Some(guess) => guess.clone(),
        None => vec![Default::default(); problem.len()],
    };
    let mut solver = Solver::default();
    let clock = ProcessTime::now();
    let report = solver.solve(kind, problem, &mut r, stop);
    let cpu_ms = clock.elapsed().as_secs_f64() * 1e3;
    ConvergenceRow {
        problem: sample.name.clone(),
        nu: sample.nu.unwrap_or(f64::NAN),
        contacts: problem.len(),
        solver: kind.name(),
        iterations: report.iterations,
        cpu_ms,
        error: report.error,
        half_square: half_square(problem, &r, stop.velocity_floor),
        solved: report.solved,
        stop: report.stop.name(),
    }
}

fn half_square(problem: &Problem, r: &[nalgebra::Vector3<f64>], floor: f64) -> f64 {
    let mut u = Vec::new();
    problem.velocities(r, &mut u);
    let scale = velocity_scale(problem, floor);
    let each = (0..problem.len()).map(|i| {
        let d = problem.mean_diagonal(i);
        (contact_error(&r[i], &u[i], problem.mu[i], d) / scale).powi(2)
    });
    0.5 * each.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_gets_a_row_per_problem_and_a_line_per_panel() {
        let stop = StopRule {
            tolerance: 1e-4,
            max_iterations: 200,
            max_work: 1e7,
            ..StopRule::default()
        };
        let mut table = ConvergenceTable::new("wisp", &stop);
        let problems = SceneProblems::new("wisp", 1e-4).expect("it loads");
        for sample in problems.skip(100).take(2) {
            table.add(&sample.expect("it steps"), &CONVERGENCE_SOLVERS, &stop);
        }
        assert_eq!(table.rows.len(), 6);
        assert!(table.rows.iter().all(|row| row.nu > 0.0 && row.error < 1.0));
        let ours = table.rows.iter().filter(|row| row.solver == "auto");
        assert!(ours.into_iter().all(|row| row.solved));
        let plot = table.plot(&CONVERGENCE_SOLVERS);
        assert!(plot.panels.iter().all(|panel| panel.lines.len() == 3));
        assert_eq!(table.series(&CONVERGENCE_SOLVERS).rows.len(), 6);
    }
}
