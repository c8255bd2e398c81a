//! Gauss-Seidel over contacts, plain with contact freezing [Daviet11, alg. 1] or Anderson-accelerated.
//!
//! Each sweep visits the contacts in order, gathers bᵢ + Σ_{j≠i} Wᵢⱼ rⱼ and solves contact i alone. Plain, a contact
//! whose impulse hardly changes is left out for some sweeps. Accelerated, the sweep as a whole is a map whose fixed
//! point is extrapolated, then put back into the cones.

use nalgebra::{Matrix3, Vector3};

use super::anderson::Anderson;
use super::{Best, SolverReport, Task};
use crate::friction::Problem;
use crate::friction::cone::shorten;
use crate::friction::local::{Contact, LocalSolver};
use crate::friction::residual::contact_error;

/// Sweeps for which a frozen contact is left out.
const FROZEN_SWEEPS: u8 = 4;
/// A contact freezes when its impulse changes by less than this share of the tolerance.
const FREEZE_SHARE: f64 = 0.01;
/// Plain sweeps between measurements of the true error.
const MEASURE_EVERY: usize = 20;
/// Accelerated sweeps between measurements.
const MEASURE_ACCELERATED_EVERY: usize = 4;

/// The iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidel {
    frozen: Vec<u8>,
    diagonal: Vec<f64>,
    /// Symmetric part of each contact's own block. What real data has beyond it enters as part of b.
    own: Vec<Matrix3<f64>>,
    weight: Vec<f64>,
    start: Vec<Vector3<f64>>,
    anderson: Anderson,
}

impl GaussSeidel {
    /// Gets ready for a problem.
    pub fn prepare(&mut self, problem: &Problem) {
        self.diagonal.clear();
        self.diagonal
            .extend((0..problem.len()).map(|i| problem.mean_diagonal(i)));
        let symmetric = |w: &Matrix3<f64>| (w + w.transpose()) * 0.5;
        self.own.clear();
        self.own
            .extend((0..problem.len()).map(|i| symmetric(problem.w.diagonal(i))));
        self.frozen.clear();
        self.frozen.resize(problem.len(), 0);
    }

    /// Plain sweeps from `r` until the task is done or its iterations are spent.
    pub fn plain(
        &mut self,
        local: LocalSolver,
        task: &Task,
        r: &mut [Vector3<f64>],
        best: &mut Best,
    ) {
        let tolerance = task.tolerance_m_s();
        while !task.ended(&best.report) {
            let worst = self.sweep(
                local,
                task.problem,
                r,
                FREEZE_SHARE * tolerance,
                &mut best.report,
            );
            best.report.iterations += 1;
            // The true error costs as much as a sweep: look when the sweep found little to do, or now and then.
            let sweeps = best.report.iterations;
            let last = sweeps == task.stop.max_iterations;
            if worst <= tolerance || sweeps.is_multiple_of(MEASURE_EVERY) || last {
                best.offer(task, r);
                // A sweep that looked finished but was not: frozen contacts have drifted off.
                self.frozen.fill(0);
            }
        }
    }

    /// Accelerated sweeps from `r`, until so many have passed without halving the error.
    pub fn accelerated(
        &mut self,
        task: &Task,
        r: &mut [Vector3<f64>],
        patience: usize,
        best: &mut Best,
    ) {
        let (mut milestone, mut since) = (best.report.error, 0);
        self.anderson.clear();
        self.weight.clear();
        self.weight.extend(self.diagonal.iter().map(|d| d.sqrt()));
        self.start.clear();
        self.start.extend_from_slice(r);
        while !task.ended(&best.report) && since < patience {
            r.copy_from_slice(&self.start);
            let worst = self.sweep(
                LocalSolver::Enumerative,
                task.problem,
                r,
                0.0,
                &mut best.report,
            );
            best.report.iterations += 1;
            let sweeps = best.report.iterations;
            let last = sweeps == task.stop.max_iterations;
            let promising = worst <= 2.0 * task.tolerance_m_s();
            if promising || sweeps.is_multiple_of(MEASURE_ACCELERATED_EVERY) || last {
                best.offer(task, r);
            }
            since += 1;
            if best.report.error < 0.5 * milestone {
                (milestone, since) = (best.report.error, 0);
            }
            self.anderson.advance(&mut self.start, r, &self.weight);
            self.start
                .iter_mut()
                .zip(&task.problem.mu)
                .for_each(|(r, &mu)| shorten(r, mu));
        }
    }

    /// One sweep; returns the largest error, as a velocity, of a contact when it was visited.
    pub fn sweep(
        &mut self,
        local: LocalSolver,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        freeze_below: f64,
        report: &mut SolverReport,
    ) -> f64 {
        let mut worst = 0.0_f64;
        for i in 0..problem.len() {
            if self.frozen[i] > 0 {
                self.frozen[i] -= 1;
                continue;
            }
            let w = &self.own[i];
            let u = problem.w.row_times(i, r) + problem.b[i];
            worst = worst.max(contact_error(&r[i], &u, problem.mu[i], self.diagonal[i]));
            let contact = Contact {
                w,
                b: u - w * r[i],
                mu: problem.mu[i],
            };
            let before = r[i];
            let outcome = local.solve(&contact, &mut r[i]);
            report.failsafe_calls += usize::from(outcome.failsafe);
            report.local_failures += usize::from(!outcome.solved);
            if (r[i] - before).norm() * self.diagonal[i] < freeze_below {
                self.frozen[i] = FROZEN_SWEEPS;
            }
        }
        worst
    }
}
