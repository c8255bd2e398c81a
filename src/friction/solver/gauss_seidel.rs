//! Gauss-Seidel over contacts, plain with contact freezing [Daviet11, alg. 1] or Anderson-accelerated.
//!
//! Each sweep visits the contacts in order, gathers bᵢ + Σ_{j≠i} Wᵢⱼ rⱼ and solves contact i alone. Plain, a contact
//! whose impulse hardly changes is left out for some sweeps. Accelerated, the sweep as a whole is a map whose fixed
//! point is extrapolated, then put back into the cones. The best iterate seen is returned, with its true error.

use nalgebra::Vector3;

use super::anderson::Anderson;
use super::smoothed_newton::{self, SmoothedNewton};
use super::{SolverReport, StopRule};
use crate::friction::local::{Contact, enumerative, newton_fb};
use crate::friction::residual::{contact_error, relative_error, velocity_scale};
use crate::friction::{Problem, SolverKind};

/// Sweeps for which a frozen contact is left out.
const FROZEN_SWEEPS: u8 = 4;
/// A contact freezes when its impulse changes by less than this share of the tolerance.
const FREEZE_SHARE: f64 = 0.01;
/// Plain sweeps between measurements of the true error.
const MEASURE_EVERY: usize = 20;

/// Accelerated sweeps that may pass without halving the error before Newton's method takes over.
const PATIENCE: usize = 60;
/// Plain sweeps before Newton's method.
const NEWTON_SWEEPS: usize = 20;

/// The iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidel {
    frozen: Vec<u8>,
    u: Vec<Vector3<f64>>,
    best: Vec<Vector3<f64>>,
    diagonal: Vec<f64>,
    weight: Vec<f64>,
    start: Vec<Vector3<f64>>,
    anderson: Anderson,
    newton: SmoothedNewton,
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
        if kind == SolverKind::Auto {
            self.accelerated(problem, r, stop, scale, PATIENCE, &mut report);
            self.newton_if_needed(problem, r, stop, scale, &mut report);
        } else if kind == SolverKind::GsAnderson {
            self.accelerated(problem, r, stop, scale, usize::MAX, &mut report);
        } else {
            self.plain(kind, problem, r, stop, scale, &mut report);
        }
        r.copy_from_slice(&self.best);
        report.solved = report.error <= stop.tolerance;
        report
    }

    fn plain(
        &mut self,
        kind: SolverKind,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        stop: &StopRule,
        scale: f64,
        report: &mut SolverReport,
    ) {
        while report.error > stop.tolerance && report.iterations < stop.max_iterations {
            let worst = self.sweep(
                kind,
                problem,
                r,
                FREEZE_SHARE * stop.tolerance * scale,
                report,
            );
            report.iterations += 1;
            // The true error costs as much as a sweep: look when the sweep found little to do, or now and then.
            let last = report.iterations == stop.max_iterations;
            if worst <= stop.tolerance * scale
                || report.iterations.is_multiple_of(MEASURE_EVERY)
                || last
            {
                self.keep_if_better(problem, r, scale, report);
                // A sweep that looked finished but was not: frozen contacts have drifted off.
                self.frozen.fill(0);
            }
        }
    }

    fn accelerated(
        &mut self,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        stop: &StopRule,
        scale: f64,
        patience: usize,
        report: &mut SolverReport,
    ) {
        let (mut milestone, mut since) = (report.error, 0);
        self.anderson.clear();
        self.weight.clear();
        self.weight.extend(self.diagonal.iter().map(|d| d.sqrt()));
        self.start.clear();
        self.start.extend_from_slice(r);
        while report.error > stop.tolerance && report.iterations < stop.max_iterations {
            r.copy_from_slice(&self.start);
            let worst = self.sweep(SolverKind::GsAnderson, problem, r, 0.0, report);
            report.iterations += 1;
            let last = report.iterations == stop.max_iterations;
            if worst <= 2.0 * stop.tolerance * scale || report.iterations.is_multiple_of(4) || last
            {
                self.keep_if_better(problem, r, scale, report);
            }
            since += 1;
            if report.error < 0.5 * milestone {
                (milestone, since) = (report.error, 0);
            } else if since >= patience {
                break;
            }
            self.anderson.advance(&mut self.start, r, &self.weight);
            self.start
                .iter_mut()
                .zip(&problem.mu)
                .for_each(|(r, &mu)| into_cone(r, mu));
        }
    }

    /// What sweeps could not solve goes to Newton's method, from a few plain sweeps: a nearly solved start lies on the
    /// boundary of the cones, where Newton stalls.
    fn newton_if_needed(
        &mut self,
        problem: &Problem,
        r: &mut [Vector3<f64>],
        stop: &StopRule,
        scale: f64,
        report: &mut SolverReport,
    ) {
        if report.error <= stop.tolerance || !SmoothedNewton::suits(problem) {
            return;
        }
        r.fill(Vector3::zeros());
        for _ in 0..NEWTON_SWEEPS {
            self.sweep(SolverKind::GsAnderson, problem, r, 0.0, report);
        }
        for attempt in &smoothed_newton::ATTEMPTS {
            if report.error > stop.tolerance {
                self.newton
                    .improve(problem, r, &mut self.best, scale, stop, attempt, report);
            }
        }
    }

    fn keep_if_better(
        &mut self,
        problem: &Problem,
        r: &[Vector3<f64>],
        scale: f64,
        report: &mut SolverReport,
    ) {
        let error = self.measure(problem, r, scale);
        if error < report.error {
            report.error = error;
            self.best.copy_from_slice(r);
        }
    }

    /// One sweep; returns the largest error, as a velocity, of a contact when it was visited.
    fn sweep(
        &mut self,
        kind: SolverKind,
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
            if change < freeze_below {
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

/// Shortens the tangential part to the cone; a pull becomes nothing.
fn into_cone(r: &mut Vector3<f64>, mu: f64) {
    r.x = r.x.max(0.0);
    let tangent = r.y.hypot(r.z);
    if tangent > mu * r.x {
        let scale = mu * r.x / tangent;
        r.y *= scale;
        r.z *= scale;
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
        SolverKind::Auto | SolverKind::GsAnderson => {
            if let Some(exact) = enumerative::solve(contact) {
                *r = exact;
            } else if !newton_fb::solve(contact, r) {
                report.local_failures += 1;
            }
        }
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
