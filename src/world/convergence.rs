//! The course of a solve, for plots: log₁₀ of the error against the iteration.
//!
//! A step may solve several times: once per linearisation, and again where it is divided. Each solve but the first
//! starts from nearly the answer, so the longest one tells the story of the step; of equals, the last.

use crate::friction::{SolverKind, SolverReport, Stage, StopReason, TracePoint};

/// Points kept of a solve: more than a plot in a panel has pixels for.
const MOST_POINTS: usize = 400;
/// log₁₀ of the errors that are told apart: below the lowest lies only rounding, above the highest only divergence.
const LOG_RANGE: [f32; 2] = [-18.0, 6.0];

/// One measured error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvergencePoint {
    /// Iterations taken until then.
    pub iteration: u32,
    /// log₁₀ of the error; always finite, an error of 0 or beyond all numbers lies at the end of the range.
    pub log_error: f32,
    /// The part of the solver it was measured in.
    pub stage: Stage,
}

/// How a step's longest solve went.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Measured errors in order, thinned evenly; empty when there were no contacts.
    pub points: Vec<ConvergencePoint>,
    /// The solver that ran.
    pub solver: SolverKind,
    /// What it was asked for.
    pub tolerance: f64,
    /// Iterations it took.
    pub iterations: usize,
    /// Error of the impulses it returned: the best it met, not the last.
    pub error: f64,
    /// Why it stopped.
    pub stop: StopReason,
}

impl Default for Convergence {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            solver: SolverKind::Auto,
            tolerance: 0.0,
            iterations: 0,
            error: 0.0,
            stop: StopReason::Solved,
        }
    }
}

impl Convergence {
    /// Forgets the last step.
    pub(super) fn restart(&mut self) {
        self.points.clear();
    }

    /// Takes note of a solve if the step had no longer one.
    pub(super) fn offer(
        &mut self,
        solver: SolverKind,
        tolerance: f64,
        report: &SolverReport,
        trace: &[TracePoint],
    ) {
        if !self.points.is_empty() && report.iterations < self.iterations {
            return;
        }
        self.solver = solver;
        self.tolerance = tolerance;
        self.iterations = report.iterations;
        self.error = report.error;
        self.stop = report.stop;
        self.points.clear();
        let point = |at: usize| ConvergencePoint {
            iteration: trace[at].iteration,
            log_error: log_error(trace[at].error),
            stage: trace[at].stage,
        };
        self.points
            .extend(thin(trace.len(), MOST_POINTS).map(point));
    }

    /// Writes itself into `out`, reusing its buffer.
    pub(super) fn write(&self, out: &mut Self) {
        let mut points = std::mem::take(&mut out.points);
        points.clone_from(&self.points);
        *out = Self { points, ..*self };
    }
}

/// At most `most` of the indices below `count`, evenly spread, the first and the last among them.
fn thin(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let kept = count.min(most);
    (0..kept).map(move |k| k * (count - 1) / (kept - 1).max(1))
}

/// log₁₀ of an error, held within [`LOG_RANGE`]; what is not a number counts as infinite.
fn log_error(error: f64) -> f32 {
    let log = if error.is_nan() {
        f64::INFINITY
    } else {
        error.log10()
    };
    (log as f32).clamp(LOG_RANGE[0], LOG_RANGE[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(iterations: usize) -> (SolverReport, Vec<TracePoint>) {
        let report = SolverReport {
            iterations,
            error: 1e-7,
            ..SolverReport::default()
        };
        let point = |iteration: usize| TracePoint {
            iteration: iteration as u32,
            error: 1.0 / (1.0 + iteration as f64),
            stage: Stage::Sweeps,
        };
        (report, (0..=iterations).map(point).collect())
    }

    #[test]
    fn thinning_keeps_both_ends_and_spreads_evenly() {
        for count in [0, 1, 2, 3, 399, 400, 401, 1000, 12_345] {
            let kept: Vec<usize> = thin(count, 400).collect();
            assert_eq!(kept.len(), count.min(400));
            assert_eq!(kept.first().copied(), (count > 0).then_some(0));
            assert_eq!(kept.last().copied(), count.checked_sub(1));
            let strides: Vec<usize> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let least = strides.iter().min().copied().unwrap_or(1);
            let most = strides.iter().max().copied().unwrap_or(1);
            assert!(
                least >= 1 && most <= least + 1,
                "{count}: {least} to {most}"
            );
        }
    }

    #[test]
    fn every_error_has_a_finite_logarithm() {
        assert_eq!(log_error(1e-4), -4.0);
        assert_eq!(log_error(1.0), 0.0);
        assert_eq!(log_error(0.0), LOG_RANGE[0]);
        assert_eq!(log_error(f64::MIN_POSITIVE), LOG_RANGE[0]);
        for beyond in [f64::INFINITY, f64::NAN, f64::MAX] {
            assert_eq!(log_error(beyond), LOG_RANGE[1]);
        }
    }

    #[test]
    fn the_longest_solve_of_a_step_is_kept() {
        let mut course = Convergence::default();
        let mut offer = |iterations, restart: bool| {
            if restart {
                course.restart();
            }
            let (report, trace) = solve(iterations);
            course.offer(SolverKind::Auto, 1e-6, &report, &trace);
            (course.iterations, course.points.len())
        };
        assert_eq!(offer(30, true), (30, 31));
        assert_eq!(offer(7, false), (30, 31));
        assert_eq!(offer(5000, false), (5000, MOST_POINTS));
        assert_eq!(offer(0, true), (0, 1));
    }

    #[test]
    fn writing_reuses_the_buffer() {
        let mut course = Convergence::default();
        let (report, trace) = solve(300);
        course.offer(SolverKind::GsAnderson, 1e-6, &report, &trace);
        let mut out = Convergence::default();
        course.write(&mut out);
        assert_eq!(out, course);
        let buffer = out.points.as_ptr();
        course.write(&mut out);
        assert_eq!(out.points.as_ptr(), buffer);
    }
}
