//! One solver on one problem, timed.

use cpu_time::ProcessTime;
use nalgebra::Vector3;

use crate::friction::{Problem, Solver, SolverKind, SolverReport, StopRule};

/// Nobody waits several times for what takes longer than this, ms.
const LONG_MS: f64 = 5e3;

/// How it went.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// What the solver says; its error is the judge's.
    pub report: SolverReport,
    /// CPU time of all threads, ms; the median of several runs if there were several.
    pub cpu_ms: f64,
}

/// Solves `problem` from `start`, or from nothing, `runs` times over.
pub fn trial(
    kind: SolverKind,
    problem: &Problem,
    start: Option<&[Vector3<f64>]>,
    stop: &StopRule,
    runs: usize,
) -> Trial {
    let mut times = Vec::new();
    let mut report = SolverReport::default();
    for _ in 0..runs.max(1) {
        // A new solver each time: memory that is warm would flatter.
        let mut solver = Solver::default();
        let mut r = match start {
            Some(start) => start.to_vec(),
            None => vec![Vector3::zeros(); problem.len()],
        };
        let clock = ProcessTime::now();
        report = solver.solve(kind, problem, &mut r, stop);
        times.push(clock.elapsed().as_secs_f64() * 1e3);
        if times.last().is_some_and(|ms| *ms > LONG_MS) {
            break;
        }
    }
    times.sort_by(f64::total_cmp);
    Trial {
        report,
        cpu_ms: times[times.len() / 2],
    }
}
