//! The semi-analytic primal method: compliant contacts by unconstrained convex optimisation [Castro22; Li25].
//!
//! min ½ rᵀ(W + R) r + bᵀ r,  r ∈ K: |r_T| ≤ µ r_N,  R = dᵢ diag(β²/4π², σ, σ),
//!
//! whose solution is r = P(−R⁻¹(W r + b)), P the projection on K in the norm of R. The sources minimise over velocities
//! v with impulses γ = P(y), y = −R⁻¹ u. Where only W is known, v = v* + M⁻¹Jᵀz turns their objective into
//! ℓ(z) = ½ zᵀW z + ½ γᵀR γ with u = W z + b, its gradient into W (z − γ) and a Newton step into
//!
//! (I + G W) d = −(z − γ),  G = ∂P/∂y R⁻¹,
//!
//! which is never singular. ℓ is convex: with an exact line search every start leads to z = γ, the solution.
//!
//! It is not Coulomb's law. R lets contacts give way and creep, and normality of the flow on K lifts a contact that
//! slides off by µ|u_T|: the true error says by how much. It stops when its own problem is solved.

use nalgebra::{Matrix3, Vector3};

use super::jacobian::{Jacobian, Own, even_scale};
use super::{Best, Stage, Task};
use crate::friction::Problem;
use crate::friction::law::compliant::{Compliance, impulse};

/// Its own problem is solved to this share of the tolerance.
const OWN_SHARE: f64 = 1e-2;
/// Steps that may pass without halving its own error: only rounding is left.
const PATIENCE: usize = 20;
/// Evaluations of ℓ′ in one line search.
const TRIALS: usize = 40;
/// A slope of ℓ below this share of that at the start counts as none.
const FLAT: f64 = 1e-8;

/// The method with its workspace.
#[derive(Clone, Debug, Default)]
pub struct Sap {
    /// How soft contacts are.
    pub compliance: Compliance,
    /// 1/√dᵢ, for the normal and for the tangents.
    scale: Vec<[f64; 2]>,
    /// Unit of impulse c.
    unit: f64,
    /// z = c x/√dᵢ.
    x: Vec<Vector3<f64>>,
    /// v = A x + q, Aᵢⱼ = Wᵢⱼ/√(dᵢ dⱼ).
    v: Vec<Vector3<f64>>,
    /// γ − x.
    rhs: Vec<Vector3<f64>>,
    own: Vec<Own>,
    d: Vec<Vector3<f64>>,
    /// A d.
    dv: Vec<Vector3<f64>>,
    r: Vec<Vector3<f64>>,
    jacobian: Jacobian,
}

impl Sap {
    /// Solves the convex problem from `start`; its solution becomes the best, unless a better one meets the law itself.
    pub fn solve(&mut self, task: &Task, start: &[Vector3<f64>], best: &mut Best) {
        if task.ended(&best.report) {
            return;
        }
        best.stage = Stage::Newton;
        self.prepare(task, start);
        let (mut milestone, mut since) = (f64::INFINITY, 0);
        while !task.ended(&best.report) && since < PATIENCE {
            let own_error = self.linearise(task.problem);
            if own_error <= OWN_SHARE * task.tolerance_m_s() {
                break;
            }
            since += 1;
            if own_error < 0.5 * milestone {
                (milestone, since) = (own_error, 0);
            }
            if !self.step(task.problem) {
                break;
            }
            best.report.iterations += 1;
            best.report.work += self.jacobian.work();
            self.impulses(task.problem);
            best.offer(task, &self.r);
        }
        if best.report.error > task.stop.tolerance {
            self.impulses(task.problem);
            best.insist(task, &self.r);
        }
    }

    fn prepare(&mut self, task: &Task, start: &[Vector3<f64>]) {
        let problem = task.problem;
        self.unit = even_scale(task, &mut self.scale);
        self.x.clear();
        let scaled = start.iter().zip(&self.scale);
        self.x.extend(scaled.map(|(r, s)| r / (s[0] * self.unit)));
        self.v.clear();
        for i in 0..problem.len() {
            let u = problem.w.row_times(i, start) + problem.b[i];
            self.v.push(u * (self.scale[i][0] / self.unit));
        }
        self.jacobian.prepare(problem, &self.scale);
    }

    /// γ − x and its derivative; returns the largest component of it as a velocity, m/s.
    fn linearise(&mut self, problem: &Problem) -> f64 {
        let soft = self.compliance.regularisation();
        self.own.clear();
        self.rhs.clear();
        let mut worst = 0.0_f64;
        for i in 0..problem.len() {
            let (gamma, by_v) = impulse(&self.v[i], problem.mu[i], soft);
            self.own.push(Own {
                by_x: Matrix3::identity(),
                by_v,
            });
            self.rhs.push(gamma - self.x[i]);
            worst = worst.max(self.rhs[i].amax() * self.unit / self.scale[i][0]);
        }
        worst
    }

    /// One Newton step with exact line search; false where there is none.
    fn step(&mut self, problem: &Problem) -> bool {
        if !self.jacobian.solve(&self.own, &self.rhs, &mut self.d) {
            return false;
        }
        self.r.clear();
        let scaled = self.d.iter().zip(&self.scale);
        self.r.extend(scaled.map(|(d, s)| d * s[0]));
        self.dv.clear();
        let rows = (0..problem.len()).map(|i| problem.w.row_times(i, &self.r) * self.scale[i][0]);
        self.dv.extend(rows);
        let t = self.lowest(problem);
        for i in 0..problem.len() {
            self.x[i] += self.d[i] * t;
            self.v[i] += self.dv[i] * t;
        }
        true
    }

    /// ℓ′(t) = Ad · (x + t d − γ), which never falls.
    fn slope(&self, problem: &Problem, t: f64) -> f64 {
        let soft = self.compliance.regularisation();
        let at = |i: usize| {
            let (gamma, _) = impulse(&(self.v[i] + self.dv[i] * t), problem.mu[i], soft);
            self.dv[i].dot(&(self.x[i] + self.d[i] * t - gamma))
        };
        (0..problem.len()).map(at).sum()
    }

    /// The t with ℓ′(t) = 0: false position in a bracket, with bisection where that is slow.
    fn lowest(&self, problem: &Problem) -> f64 {
        let first = self.slope(problem, 0.0);
        let flat = FLAT * first.abs();
        let (mut low, mut low_slope) = (0.0, first);
        let (mut high, mut high_slope) = (1.0, self.slope(problem, 1.0));
        // With an asymmetric W, or at rounding, ℓ may not fall along d: then the Newton step itself is best.
        let worth_it = first < 0.0 && high_slope.abs() > flat;
        if !worth_it {
            return 1.0;
        }
        for trial in 0..TRIALS {
            if high_slope < 0.0 {
                (low, low_slope) = (high, high_slope);
                high *= 2.0;
                high_slope = self.slope(problem, high);
                continue;
            }
            let chord = low - low_slope * (high - low) / (high_slope - low_slope);
            let inside = chord > low && chord < high;
            let t = if trial % 2 == 0 && inside {
                chord
            } else {
                0.5 * (low + high)
            };
            let slope = self.slope(problem, t);
            if slope.abs() <= flat {
                return t;
            }
            if slope < 0.0 {
                (low, low_slope) = (t, slope)
            } else {
                (high, high_slope) = (t, slope)
            }
        }
        0.5 * (low + high)
    }

    /// Impulses γ of the present v: they lie in the cones whether or not x = γ.
    fn impulses(&mut self, problem: &Problem) {
        let soft = self.compliance.regularisation();
        self.r.clear();
        for i in 0..problem.len() {
            let (gamma, _) = impulse(&self.v[i], problem.mu[i], soft);
            self.r.push(gamma * (self.scale[i][0] * self.unit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{apart, sample};
    use super::super::{Solver, StopRule};
    use super::*;
    use crate::friction::residual::velocity_scale;
    use crate::friction::{SolverKind, StopReason};

    const STOP: StopRule = StopRule {
        tolerance: 1e-10,
        max_iterations: 500,
        velocity_floor: 0.0,
        max_work: f64::INFINITY,
    };

    fn solve(problem: &Problem, compliance: Compliance) -> Vec<Vector3<f64>> {
        let task = Task {
            problem,
            stop: &STOP,
            scale_m_s: velocity_scale(problem, 0.0),
        };
        let mut sap = Sap {
            compliance,
            ..Sap::default()
        };
        let mut best = Best::default();
        let r = vec![Vector3::zeros(); problem.len()];
        best.start(&task, &r);
        sap.solve(&task, &r, &mut best);
        best.r
    }

    fn exact(problem: &Problem) -> Vec<Vector3<f64>> {
        let mut r = vec![Vector3::zeros(); problem.len()];
        let report = Solver::default().solve(SolverKind::Auto, problem, &mut r, &STOP);
        assert!(report.solved);
        r
    }

    #[test]
    fn meets_the_conditions_of_its_own_problem() {
        for mu in [0.0, 0.4, 1.5] {
            for (n, rank, shift) in [(12, 36, 1.0), (20, 24, 1e-7)] {
                let problem = sample(n, rank, shift, mu);
                let r = solve(&problem, Compliance::default());
                let soft = Compliance::default().regularisation();
                let mut u = Vec::new();
                problem.velocities(&r, &mut u);
                let tolerance = 1e-9 * velocity_scale(&problem, 0.0);
                for i in 0..n {
                    let d = problem.mean_diagonal(i);
                    let give = Vector3::new(soft[0], soft[1], soft[1]) * d;
                    let flow = u[i] + r[i].component_mul(&give);
                    assert!(r[i].y.hypot(r[i].z) <= mu * r[i].x * (1.0 + 1e-12), "cone");
                    assert!(
                        flow.x >= mu * flow.y.hypot(flow.z) - tolerance,
                        "dual cone {flow}"
                    );
                    assert!((r[i] * d).dot(&flow).abs() <= tolerance, "complementarity");
                }
            }
        }
    }

    #[test]
    fn hard_contacts_without_friction_are_exact() {
        let problem = sample(12, 36, 1.0, 0.0);
        let hard = Compliance {
            beta: 1e-4,
            sigma: 1e-10,
        };
        let difference = apart(&problem, &solve(&problem, hard), &exact(&problem));
        assert!(difference < 1e-8, "{difference}");
    }

    #[test]
    fn hard_contacts_that_stick_are_exact() {
        let mut problem = sample(12, 36, 1.0, 0.8);
        // A push into the contacts that friction can hold.
        problem
            .b
            .iter_mut()
            .for_each(|b| *b = Vector3::new(-1.0, 0.05, -0.05));
        let mut u = Vec::new();
        problem.velocities(&exact(&problem), &mut u);
        let slip = u.iter().map(|u| u.norm()).fold(0.0, f64::max);
        assert!(slip < 1e-9, "the sample slides by {slip}");
        let hard = Compliance {
            beta: 1e-4,
            sigma: 1e-10,
        };
        let difference = apart(&problem, &solve(&problem, hard), &exact(&problem));
        assert!(difference < 1e-8, "{difference}");
    }

    #[test]
    fn it_stalls_where_its_own_problem_is_solved_and_says_how_wrong_it_is() {
        let problem = sample(12, 36, 1.0, 0.5);
        let mut r = vec![Vector3::zeros(); 12];
        let report = Solver::default().solve(SolverKind::Sap, &problem, &mut r, &STOP);
        assert_eq!(report.stop, StopReason::Stalled);
        assert!(report.iterations < 60 && report.error > 1e-4, "{report:?}");
    }
}
