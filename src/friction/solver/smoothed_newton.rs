//! Newton on the smoothed Fischer-Burmeister function of all contacts at once.
//!
//! In x with r = c P x, P = diag(1/µ, 1, 1)/√dᵢ, the problem is scale free: A = P W P, v = A x + P b/c,
//! y = v + |v_T| e_N, and x ∈ K, y ∈ K, x ⟂ y. Smoothed by τ,
//!
//! Φ_τ(x, y) = x + y − (x∘x + y∘y + 2τ² e)^½  in the Jordan algebra of K,
//!
//! has regular derivatives, and Newton's method on it, shifted a little where W is singular, converges where sweeps
//! stall. τ follows the error down; a step that has to be cut short sends it up again. |v_T| is not smoothed.
//!
//! For what is left, the same around proximal points.

use nalgebra::{Matrix3, Vector3};

use super::jacobian::{Jacobian, Own};
use super::{Best, Stage, Task};
use crate::friction::Problem;
use crate::friction::cone::{Root, arrow};

/// Smoothing never falls below this share of the error.
const LEAST_KAPPA: f64 = 1e-3;
/// Halvings of a step.
const HALVINGS: usize = 6;

/// How boldly to smooth, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Smoothing {
    /// First τ over the error.
    pub kappa: f64,
    /// Largest τ over the error.
    pub most: f64,
    /// Shift of A over τ.
    pub shift: f64,
    /// Newton steps.
    pub steps: usize,
}

/// Gentle first, then with more smoothing.
pub const GENTLE: [Smoothing; 2] = [
    Smoothing {
        kappa: 0.3,
        most: 10.0,
        shift: 0.1,
        steps: 60,
    },
    Smoothing {
        kappa: 3.0,
        most: 10.0,
        shift: 0.1,
        steps: 60,
    },
];

/// With a strong shift, for degenerate problems: hundreds of steps, but on a path that others do not find.
pub const STRONG: Smoothing = Smoothing {
    kappa: 30.0,
    most: 100.0,
    shift: 100.0,
    steps: 1500,
};

/// Smoothing within a proximal step.
const PROXIMAL: Smoothing = Smoothing {
    kappa: 0.1,
    most: 10.0,
    shift: 0.0,
    steps: 40,
};
/// First weight δ of the distance to the proximal point, in units of A's diagonal.
const FIRST_PULL: f64 = 1e-3;
/// A proximal step is done when its own error is this share of the error at its beginning.
const PROXIMAL_SHARE: f64 = 0.1;
/// δ after a proximal step that was done, and after one that was not, over δ before.
const PULL_FACTORS: [f64; 2] = [0.6, 2.0];

/// The method with its workspace.
#[derive(Clone, Debug, Default)]
pub struct SmoothedNewton {
    /// Scale of each contact: x_N, x_T to impulse.
    scale: Vec<[f64; 2]>,
    x: Vec<Vector3<f64>>,
    trial: Vec<Vector3<f64>>,
    v: Vec<Vector3<f64>>,
    r: Vec<Vector3<f64>>,
    u: Vec<Vector3<f64>>,
    own: Vec<Own>,
    rhs: Vec<Vector3<f64>>,
    direction: Vec<Vector3<f64>>,
    jacobian: Jacobian,
    /// Proximal point x₀ and its weight δ: v = A x + q + δ (x − x₀).
    anchor: Vec<Vector3<f64>>,
    pull: f64,
    /// Unit of impulse c.
    unit: f64,
}

impl SmoothedNewton {
    /// Gets ready for a problem.
    pub fn prepare(&mut self, task: &Task) {
        let problem = task.problem;
        self.scale.clear();
        self.scale.extend((0..problem.len()).map(|i| {
            let s = 1.0 / problem.mean_diagonal(i).sqrt();
            let mu = problem.mu[i];
            [if mu > 0.0 { s / mu } else { s }, s]
        }));
        let largest = self.scale.iter().map(|s| s[1]).fold(0.0, f64::max);
        self.unit = task.scale_m_s * largest;
        self.jacobian.prepare(problem, &self.scale);
    }

    fn start_from(&mut self, r: &[Vector3<f64>]) {
        let scaled = r.iter().zip(&self.scale);
        self.x.clear();
        self.x.extend(
            scaled.map(|(r, s)| Vector3::new(r.x / s[0], r.y / s[1], r.z / s[1]) / self.unit),
        );
    }

    /// Iterates from `start`; whatever is better than the best goes there.
    pub fn improve(
        &mut self,
        task: &Task,
        start: &[Vector3<f64>],
        how: &Smoothing,
        best: &mut Best,
    ) {
        best.stage = Stage::Newton;
        self.start_from(start);
        self.pull = 0.0;
        self.iterate(task, how, 0.0, best);
    }

    /// Proximal points from `start`: x₀ ← the solution with v = A x + q + δ (x − x₀) in the place of v. Where the
    /// error has a floor that is no solution, such as where contacts wedge, this walks along it.
    pub fn polish(&mut self, task: &Task, start: &[Vector3<f64>], steps: usize, best: &mut Best) {
        best.stage = Stage::Polish;
        self.start_from(start);
        self.pull = FIRST_PULL;
        for _ in 0..steps {
            if task.ended(&best.report) {
                return;
            }
            self.anchor.clone_from(&self.x);
            self.velocities(task.problem, false);
            let target = PROXIMAL_SHARE * self.merit(task.problem, 0.0, false);
            let done = self.iterate(task, &PROXIMAL, target, best);
            if !done {
                self.x.clone_from(&self.anchor);
            }
            self.pull *= PULL_FACTORS[usize::from(!done)];
        }
    }

    /// Newton steps from x until the task has ended, the error of x is below the target (then true), or it gets no
    /// further.
    fn iterate(&mut self, task: &Task, how: &Smoothing, target: f64, best: &mut Best) -> bool {
        let problem = task.problem;
        let work = self.jacobian.work() + 2.0 * problem.w.blocks() as f64;
        let mut kappa = how.kappa;
        for step in 0..how.steps {
            if task.ended(&best.report) {
                return false;
            }
            self.velocities(problem, false);
            let size = self.merit(problem, 0.0, false);
            if !size.is_finite() || size == 0.0 {
                return false;
            }
            if step > 0 && size < target {
                return true;
            }
            let tau = kappa * size;
            let before = self.merit(problem, tau, false);
            if !self.find_direction(problem, tau, self.pull + how.shift * tau) {
                return false;
            }
            let taken = self.line_search(problem, tau, before);
            std::mem::swap(&mut self.x, &mut self.trial);
            best.report.iterations += 1;
            best.report.work += work;
            best.offer(task, &self.r);
            kappa = match taken {
                1.0 => (kappa / 3.0).max(LEAST_KAPPA),
                t if t < 0.3 => (3.0 * kappa).min(how.most),
                _ => kappa,
            };
        }
        false
    }

    /// v of x, or of the trial.
    fn velocities(&mut self, problem: &Problem, of_trial: bool) {
        let unit = self.unit;
        let x = if of_trial { &self.trial } else { &self.x };
        self.r.clear();
        self.r.extend(
            x.iter()
                .zip(&self.scale)
                .map(|(x, s)| Vector3::new(x.x * s[0], x.y * s[1], x.z * s[1]) * unit),
        );
        problem.velocities(&self.r, &mut self.u);
        self.v.clear();
        self.v.extend(
            self.u
                .iter()
                .zip(&self.scale)
                .map(|(u, s)| Vector3::new(u.x * s[0], u.y * s[1], u.z * s[1]) / unit),
        );
        if self.pull > 0.0 {
            let x = if of_trial { &self.trial } else { &self.x };
            let off = x.iter().zip(&self.anchor);
            (self.v.iter_mut().zip(off))
                .for_each(|(v, (x, anchor))| *v += (x - anchor) * self.pull);
        }
    }

    fn merit(&self, problem: &Problem, tau: f64, of_trial: bool) -> f64 {
        let x = if of_trial { &self.trial } else { &self.x };
        rms(x
            .iter()
            .zip(&self.v)
            .zip(&problem.mu)
            .map(|((x, v), &mu)| phi(x, v, mu, tau)))
    }

    /// Solves (J_x + J_y S (A + δ I)) d = −Φ_τ.
    fn find_direction(&mut self, problem: &Problem, tau: f64, shift: f64) -> bool {
        self.own.clear();
        self.rhs.clear();
        for i in 0..problem.len() {
            let (x, v, mu) = (&self.x[i], &self.v[i], problem.mu[i]);
            let (by_x, by_v) = derivatives(x, v, mu, tau);
            self.own.push(Own {
                by_x: by_x + by_v * shift,
                by_v,
            });
            self.rhs.push(-phi(x, v, mu, tau));
        }
        self.jacobian
            .solve(&self.own, &self.rhs, &mut self.direction)
    }

    /// Leaves in `trial` the step taken; returns its length.
    fn line_search(&mut self, problem: &Problem, tau: f64, before: f64) -> f64 {
        let mut t = 1.0;
        for halving in 0..=HALVINGS {
            self.trial.clear();
            self.trial
                .extend(self.x.iter().zip(&self.direction).map(|(x, d)| x + d * t));
            self.velocities(problem, true);
            if self.merit(problem, tau, true) <= (1.0 - 0.05 * t) * before || halving == HALVINGS {
                break;
            }
            t *= 0.5;
        }
        t
    }
}

fn rms(values: impl Iterator<Item = Vector3<f64>>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), f| {
        (sum + f.norm_squared(), count + 3)
    });
    (sum / count as f64).sqrt()
}

fn lifted(v: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(v.x + (v.y * v.y + v.z * v.z).sqrt(), v.y, v.z)
}

/// Φ_τ; without friction the scalar function, and x_T.
fn phi(x: &Vector3<f64>, v: &Vector3<f64>, mu: f64, tau: f64) -> Vector3<f64> {
    if mu == 0.0 {
        let root = (x.x * x.x + v.x * v.x + 2.0 * tau * tau).sqrt();
        return Vector3::new(x.x + v.x - root, x.y, x.z);
    }
    let y = lifted(v);
    x + y - Root::of_squares(x, &y, tau).s
}

/// ∂Φ/∂x and ∂Φ/∂v.
fn derivatives(
    x: &Vector3<f64>,
    v: &Vector3<f64>,
    mu: f64,
    tau: f64,
) -> (Matrix3<f64>, Matrix3<f64>) {
    if mu == 0.0 {
        let root = (x.x * x.x + v.x * v.x + 2.0 * tau * tau)
            .sqrt()
            .max(f64::MIN_POSITIVE);
        let by_x = Matrix3::from_diagonal(&Vector3::new(1.0 - x.x / root, 1.0, 1.0));
        let by_v = Matrix3::from_diagonal(&Vector3::new(1.0 - v.x / root, 0.0, 0.0));
        return (by_x, by_v);
    }
    let y = lifted(v);
    let inverse = Root::of_squares(x, &y, tau).inverse_arrow();
    let identity = Matrix3::identity();
    // y = S v with S = I + e_N tᵀ, t = v_T/|v_T|.
    let slip = v.y.hypot(v.z);
    let mut lift = identity;
    if slip > 0.0 {
        lift[(0, 1)] = v.y / slip;
        lift[(0, 2)] = v.z / slip;
    }
    (
        identity - inverse * arrow(x),
        (identity - inverse * arrow(&y)) * lift,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-2.0..2.0_f64).prop_map(Vector3::from)
    }

    proptest! {
        #[test]
        fn derivatives_agree_with_central_differences(x in vector(), v in vector(), tau in 0.05..1.0_f64, k in 0..2) {
            prop_assume!(v.y.hypot(v.z) > 1e-2);
            let mu = f64::from(k);
            let (by_x, by_v) = derivatives(&x, &v, mu, tau);
            let h = 1e-6;
            for c in 0..3 {
                let mut d = Vector3::zeros();
                d[c] = h;
                let slope_x = (phi(&(x + d), &v, mu, tau) - phi(&(x - d), &v, mu, tau)) / (2.0 * h);
                let slope_v = (phi(&x, &(v + d), mu, tau) - phi(&x, &(v - d), mu, tau)) / (2.0 * h);
                prop_assert!((slope_x - by_x.column(c)).amax() < 1e-6);
                prop_assert!((slope_v - by_v.column(c)).amax() < 1e-6);
            }
        }
    }
}
