//! Gauss-Seidel sweeps as one map, whose fixed point is extrapolated by Anderson's method and put back into the cones.
//!
//! Every contact is solved by its [`Secular`] equation, from the slip it had last time.

use nalgebra::Vector3;

use super::anderson::Anderson;
use super::{Best, Stage, Task};
use crate::friction::Problem;
use crate::friction::cone::shorten;
use crate::friction::local::secular::Secular;

/// Sweeps between measurements.
const MEASURE_EVERY: usize = 8;
/// A sweep that changes impulses by less than this many tolerances is measured.
const PROMISING: f64 = 1.0;
/// Work of one local solve, in block products.
const LOCAL_WORK: f64 = 15.0;

/// The iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub struct AcceleratedSweeps {
    own: Vec<Secular>,
    alpha: Vec<f64>,
    weight: Vec<f64>,
    start: Vec<Vector3<f64>>,
    anderson: Anderson,
    backward: bool,
}

impl AcceleratedSweeps {
    /// Gets ready for a problem.
    pub fn prepare(&mut self, problem: &Problem) {
        let n = problem.len();
        self.own.clear();
        self.own
            .extend((0..n).map(|i| Secular::new(problem.w.diagonal(i))));
        self.weight.clear();
        self.weight
            .extend((0..n).map(|i| problem.mean_diagonal(i).sqrt()));
        self.alpha.clear();
        self.alpha.resize(n, 0.0);
        self.backward = false;
    }

    /// Visits the contacts the other way round from now on: a path of its own.
    pub fn turn_round(&mut self) {
        self.backward = !self.backward;
    }

    /// Sweeps from `r`, until so many have passed without halving the error; of what is solved before, `least` sweeps
    /// make more, for rest to become complete.
    pub fn solve(
        &mut self,
        task: &Task,
        r: &mut [Vector3<f64>],
        patience: usize,
        least: usize,
        best: &mut Best,
    ) {
        best.stage = Stage::Sweeps;
        let (mut milestone, mut since, mut unmeasured) = (best.report.error, 0, 0);
        let enough = best.report.iterations + least;
        self.anderson.clear();
        self.start.clear();
        self.start.extend_from_slice(r);
        while since < patience && !task.ended_after(&best.report, enough) {
            r.copy_from_slice(&self.start);
            self.sweep(task, r, best);
            unmeasured += 1;
            let change = self.anderson.advance(&mut self.start, r, &self.weight);
            self.start
                .iter_mut()
                .zip(&task.problem.mu)
                .for_each(|(r, &mu)| shorten(r, mu));
            let last = best.report.iterations == task.stop.max_iterations;
            let promising = change <= PROMISING * task.tolerance_m_s();
            let solved = best.report.error <= task.stop.tolerance;
            let due = unmeasured >= MEASURE_EVERY || best.report.iterations == enough;
            if (promising && !solved) || due || last {
                best.offer(task, r);
                unmeasured = 0;
            }
            since += 1;
            if best.report.error < 0.5 * milestone {
                (milestone, since) = (best.report.error, 0);
            }
        }
    }

    /// So many plain sweeps from nothing.
    pub fn start_anew(
        &mut self,
        count: usize,
        task: &Task,
        r: &mut [Vector3<f64>],
        best: &mut Best,
    ) {
        r.fill(Vector3::zeros());
        self.alpha.fill(0.0);
        (0..count).for_each(|_| self.sweep(task, r, best));
    }

    /// One sweep, counted.
    pub fn sweep(&mut self, task: &Task, r: &mut [Vector3<f64>], best: &mut Best) {
        self.pass(task.problem, r);
        best.report.iterations += 1;
        best.report.local_solves += task.problem.len();
        best.report.work += Self::work(task.problem);
    }

    /// Work of one sweep, in block products.
    pub fn work(problem: &Problem) -> f64 {
        problem.w.blocks() as f64 + LOCAL_WORK * problem.len() as f64
    }

    /// Solves every contact once, in turn.
    pub fn pass(&mut self, problem: &Problem, r: &mut [Vector3<f64>]) {
        let n = problem.len();
        for k in 0..n {
            let i = if self.backward { n - 1 - k } else { k };
            let own = &self.own[i];
            let u = problem.w.row_times(i, r) + problem.b[i];
            let b = u - own.w * r[i];
            r[i] = own.solve(&b, problem.mu[i], &mut self.alpha[i]);
        }
    }
}
