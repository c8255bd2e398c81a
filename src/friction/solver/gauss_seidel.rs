//! Gauss-Seidel over contacts with contact freezing [Daviet11, alg. 1].
//!
//! Each sweep visits the contacts in order, gathers bᵢ + Σ_{j≠i} Wᵢⱼ rⱼ and solves contact i alone. A contact whose
//! impulse hardly changes is left out for some sweeps. The best iterate seen is returned, with its true error.

use nalgebra::Vector3;

use super::{SolverReport, StopRule};
use crate::friction::local::{Contact, enumerative, newton_fb};
use crate::friction::residual::{contact_error, relative_error, velocity_scale};
use crate::friction::{Problem, SolverKind};

/// Sweeps for which a frozen contact is left out.
const FROZEN_SWEEPS: u8 = 4;
/// A contact freezes when its impulse changes by less than this share of the tolerance.
const FREEZE_SHARE: f64 = 0.01;
/// Sweeps between measurements of the true error.
const MEASURE_EVERY: usize = 20;

/// The iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidel {
    frozen: Vec<u8>,
    u: Vec<Vector3<f64>>,
    best: Vec<Vector3<f64>>,
    diagonal: Vec<f64>,
}

impl GaussSeidel {
    /// Improves `r` until the stop rule is met.
    pub fn solve(
        &mut self,
        kind: SolverKind,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        stop: &StopRule,
    ) -> SolverReport {
        let mut report = SolverReport::default();
        let scale = velocity_scale(problem, stop.velocity_floor);
        self.diagonal.clear();
        self.diagonal
            .extend((0..problem.len()).map(|i| problem.mean_diagonal(i)));
        self.frozen.clear();
        self.frozen.resize(problem.len(), 0);
        self.best.clear();
        self.best.extend_from_slice(r);
        report.error = self.measure(problem, r, scale);
        while report.error > stop.tolerance && report.iterations < stop.max_iterations {
            let moved = self.sweep(kind, problem, r, stop.tolerance * scale, &mut report);
            report.iterations += 1;
            // The true error costs as much as a sweep: look when the sweep found little to do, or now and then.
            let last = report.iterations == stop.max_iterations;
            if moved <= stop.tolerance * scale || report.iterations % MEASURE_EVERY == 0 || last {
                let error = self.measure(problem, r, scale);
                if error < report.error {
                    report.error = error;
                    self.best.copy_from_slice(r);
                }
                // A sweep that looked finished but was not: frozen contacts have drifted off.
                self.frozen.fill(0);
            }
        }
        r.copy_from_slice(&self.best);
        report.solved = report.error <= stop.tolerance;
        report
    }

    /// One sweep; returns the largest error, as a velocity, of a contact when it was visited.
    fn sweep(
        &mut self,
        kind: SolverKind,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        tolerance: f64,
        report: &mut SolverReport,
    ) -> f64 {
        let mut worst = 0.0_f64;
        for i in 0..problem.len() {
            if self.frozen[i] > 0 {
                self.frozen[i] -= 1;
                continue;
            }
            let w = problem.w.diagonal(i);
            let u = problem.w.row_times(i, r) + problem.b[i];
            let error = contact_error(&r[i], &u, problem.mu[i], self.diagonal[i]);
            worst = worst.max(error);
            let contact = Contact {
                w,
                b: u - w * r[i],
                mu: problem.mu[i],
            };
            let before = r[i];
            solve_contact(kind, &contact, &mut r[i], report);
            let change = (r[i] - before).norm() * self.diagonal[i];
            if change < FREEZE_SHARE * tolerance {
                self.frozen[i] = FROZEN_SWEEPS;
            }
        }
        worst
    }

    fn measure(&mut self, problem: &Problem, r: &[Vector3<f64>], scale: f64) -> f64 {
        problem.velocities(r, &mut self.u);
        relative_error(problem, r, &self.u, scale)
    }
}

/// Solves one contact by the chosen local method; keeps the better of two failures.
fn solve_contact(
    kind: SolverKind,
    contact: &Contact,
    r: &mut Vector3<f64>,
    report: &mut SolverReport,
) {
    match kind {
        SolverKind::GsFb => {
            if !newton_fb::solve(contact, r) {
                report.local_failures += 1;
            }
        }
        SolverKind::GsEnum => match enumerative::solve(contact) {
            Some(exact) => *r = exact,
            None => report.local_failures += 1,
        },
        SolverKind::GsHybrid => {
            let mut newton = *r;
            if newton_fb::solve(contact, &mut newton) {
                *r = newton;
                return;
            }
            report.failsafe_calls += 1;
            let candidates = [
                Some(newton),
                enumerative::solve(contact),
                Some(Vector3::zeros()),
            ];
            let best = candidates
                .into_iter()
                .flatten()
                .min_by(|a, b| contact.error(a).total_cmp(&contact.error(b)));
            *r = best.unwrap_or_default();
            if contact.error(r) > 1e4 * contact.tolerance() {
                report.local_failures += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::BlockMatrix;
    use nalgebra::{DMatrix, Matrix3};

    const STOP: StopRule = StopRule {
        tolerance: 1e-10,
        max_iterations: 5000,
        velocity_floor: 0.0,
    };

    /// n contacts with a full, well-conditioned W = A Aᵀ + I and free velocities that mostly approach.
    fn sample(n: usize, mu: f64) -> Problem {
        let a = DMatrix::from_fn(3 * n, 3 * n, |i, j| ((13 * i + 7 * j * j) as f64).sin());
        let w = &a * a.transpose() / (3 * n) as f64 + DMatrix::identity(3 * n, 3 * n);
        let block = |i, j| Matrix3::from_fn(|p, q| w[(3 * i + p, 3 * j + q)]);
        let rows: Vec<Vec<_>> = (0..n)
            .map(|i| (0..n).map(|j| block(i, j)).collect())
            .collect();
        let b = (0..n).map(|i| {
            Vector3::new(
                -0.6 + (i as f64).sin(),
                (3.0 * i as f64).cos(),
                (5.0 * i as f64).sin(),
            )
        });
        Problem {
            w: BlockMatrix::from_dense(&rows),
            b: b.collect(),
            mu: vec![mu; n],
        }
    }

    #[test]
    fn all_local_solvers_agree_on_the_velocities() {
        for mu in [0.0, 0.3, 1.0] {
            let problem = sample(12, mu);
            let mut reference: Option<Vec<Vector3<f64>>> = None;
            for kind in SolverKind::ALL {
                let mut r = vec![Vector3::zeros(); 12];
                let report = GaussSeidel::default().solve(kind, &problem, &mut r, &STOP);
                assert!(report.solved, "{} µ = {mu}: {report:?}", kind.name());
                let mut u = Vec::new();
                problem.velocities(&r, &mut u);
                let reference = reference.get_or_insert_with(|| u.clone());
                let apart = reference
                    .iter()
                    .zip(&u)
                    .map(|(a, b)| (a - b).amax())
                    .fold(0.0, f64::max);
                assert!(apart < 1e-8, "{} differs by {apart}", kind.name());
            }
        }
    }

    #[test]
    fn a_solved_problem_needs_no_iteration() {
        let problem = sample(6, 0.4);
        let mut r = vec![Vector3::zeros(); 6];
        let mut solver = GaussSeidel::default();
        solver.solve(SolverKind::GsHybrid, &problem, &mut r, &STOP);
        let again = solver.solve(SolverKind::GsHybrid, &problem, &mut r, &STOP);
        assert_eq!((again.iterations, again.solved), (0, true));
    }
}
