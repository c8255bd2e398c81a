//! Gauss-Seidel over contacts with contact freezing [Daviet11, alg. 1].
//!
//! Each sweep visits the contacts in order, gathers bᵢ + Σ_{j≠i} Wᵢⱼ rⱼ and solves contact i alone. A contact whose
//! impulse hardly changes is left out for some sweeps.

use nalgebra::{Matrix3, Vector3};

use super::{Best, SolverReport, Stage, Task};
use crate::friction::Problem;
use crate::friction::local::{Contact, LocalSolver, Outcome};
use crate::friction::residual::contact_error;

/// Sweeps for which a frozen contact is left out.
const FROZEN_SWEEPS: u8 = 8;
/// A contact freezes when its impulse changes by less than this share of the tolerance.
const FREEZE_SHARE: f64 = 0.1;
/// Sweeps between measurements of the true error.
const MEASURE_EVERY: usize = 20;
/// Contacts are solved to this share of the tolerance.
const LOCAL_SHARE: f64 = 0.01;
/// An inexact method has settled when a sweep over all contacts changes velocities by less than this share of the
/// tolerance: its true error tells nothing about that.
const SETTLED_SHARE: f64 = 0.1;
/// Work of one local solve, in block products.
const LOCAL_WORK: f64 = 50.0;

/// What a sweep saw.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Largest error of a contact when it was visited, m/s.
    error_m_s: f64,
    /// Largest change of an impulse, as a velocity, m/s.
    change_m_s: f64,
    /// No contact was left out.
    all: bool,
}

/// The iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidel {
    frozen: Vec<u8>,
    diagonal: Vec<f64>,
    /// Symmetric part of each contact's own block. What real data has beyond it enters as part of b.
    own: Vec<Matrix3<f64>>,
}

impl GaussSeidel {
    fn prepare(&mut self, problem: &Problem) {
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

    /// Sweeps from `r` until the task is done or its iterations are spent.
    pub fn solve(
        &mut self,
        local: LocalSolver,
        failsafe: bool,
        task: &Task,
        r: &mut [Vector3<f64>],
        best: &mut Best,
    ) {
        self.prepare(task.problem);
        best.stage = Stage::Sweeps;
        let exact = failsafe || local.is_exact();
        let tolerance = task.tolerance_m_s();
        while !task.ended(&best.report) {
            let seen = self.sweep(local, failsafe, task, r, &mut best.report);
            best.report.iterations += 1;
            let quiet = seen.change_m_s <= SETTLED_SHARE * tolerance;
            if !exact && quiet && seen.all {
                break;
            }
            // The true error costs as much as a sweep: look when the sweep found little to do, or now and then.
            let sweeps = best.report.iterations;
            let last = sweeps == task.stop.max_iterations;
            let solved = seen.error_m_s <= tolerance;
            if solved || sweeps.is_multiple_of(MEASURE_EVERY) || last || (!exact && quiet) {
                best.offer(task, r);
                // A sweep that looked finished but was not: frozen contacts have drifted off.
                self.frozen.fill(0);
            }
        }
        if !exact && !task.ended(&best.report) {
            best.insist(task, r);
        }
    }

    /// One sweep.
    fn sweep(
        &mut self,
        local: LocalSolver,
        failsafe: bool,
        task: &Task,
        r: &mut [Vector3<f64>],
        report: &mut SolverReport,
    ) -> Seen {
        let problem = task.problem;
        let tolerance = task.tolerance_m_s();
        let mut seen = Seen {
            all: true,
            ..Seen::default()
        };
        for i in 0..problem.len() {
            if self.frozen[i] > 0 {
                self.frozen[i] -= 1;
                seen.all = false;
                continue;
            }
            let w = &self.own[i];
            let u = problem.w.row_times(i, r) + problem.b[i];
            let error = contact_error(&r[i], &u, problem.mu[i], self.diagonal[i]);
            seen.error_m_s = seen.error_m_s.max(error);
            let contact = Contact {
                w,
                b: u - w * r[i],
                mu: problem.mu[i],
                tolerance_m_s: LOCAL_SHARE * tolerance,
            };
            let before = r[i];
            let outcome = if failsafe {
                local.solve_safely(&contact, &mut r[i])
            } else {
                Outcome {
                    solved: local.solve(&contact, &mut r[i]),
                    failsafe: false,
                }
            };
            report.local_solves += 1;
            report.work += LOCAL_WORK + problem.w.columns(i).len() as f64;
            report.failsafe_calls += usize::from(outcome.failsafe);
            report.local_failures += usize::from(!outcome.solved);
            let change = (r[i] - before).norm() * self.diagonal[i];
            seen.change_m_s = seen.change_m_s.max(change);
            if change < FREEZE_SHARE * tolerance {
                self.frozen[i] = FROZEN_SWEEPS;
            }
        }
        seen
    }
}
