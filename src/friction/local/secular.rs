//! One contact by a single equation in the slip α, without quartic and without false roots.
//!
//! With w = W_TN, c = b_T − b_N w/W_NN and W̄ = W_TT − w wᵀ/W_NN = Q diag(λ) Qᵀ, u_N = 0 and u_T = −α r_T mean
//!
//! r_T(α) = −(W̄ + α)⁻¹ c,  r_N(α) = (−b_N − w·r_T)/W_NN,
//!
//! and the cone asks for h(α) = µ r_N/|r_T| − 1 = 0. With W̄ isotropic h is a straight line; otherwise it is nearly
//! one, so that Newton's method, kept inside a bracket, ends after two or three steps. h(0) ≥ 0: the contact sticks.
//! In the basis Q, found once per problem, a step costs two divisions and a root.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// Eigenvalues of W̄ are at least this share of tr W: the local solver of a sweep may be any matrix near W_ii, its
/// fixed point stays the same, and a void direction would divide by nothing.
const LEAST: f64 = 1e-9;
/// Newton or bisection steps; enough for bisection alone.
const STEPS: usize = 80;

/// What one contact's block gives once and for all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Secular {
    /// The block, as the solver sees it: symmetric, regular.
    pub w: Matrix3<f64>,
    inverse_n: f64,
    /// w/W_NN.
    lever: Vector2<f64>,
    /// Rows of Qᵀ.
    q: Matrix2<f64>,
    /// λ.
    lambda: Vector2<f64>,
}

impl Secular {
    /// From W_ii; only its symmetric part counts.
    pub fn new(block: &Matrix3<f64>) -> Self {
        let mut w = (block + block.transpose()) * 0.5;
        let trace = w.trace();
        let least = LEAST * if trace > 0.0 { trace } else { 1.0 };
        w[(0, 0)] = w[(0, 0)].max(least);
        let inverse_n = 1.0 / w[(0, 0)];
        let lever = Vector2::new(w[(1, 0)], w[(2, 0)]) * inverse_n;
        let (a, b, d) = (
            w[(1, 1)] - lever.x * w[(1, 0)],
            w[(2, 1)] - lever.x * w[(2, 0)],
            w[(2, 2)] - lever.y * w[(2, 0)],
        );
        // Jacobi's rotation of [[a, b], [b, d]].
        let theta = 0.5 * (2.0 * b).atan2(a - d);
        let (sin, cos) = theta.sin_cos();
        let q = Matrix2::new(cos, sin, -sin, cos);
        let raw = Vector2::new(
            a * cos * cos + 2.0 * b * sin * cos + d * sin * sin,
            a * sin * sin - 2.0 * b * sin * cos + d * cos * cos,
        );
        let lambda = raw.map(|l| l.max(least));
        // What was raised is raised in the block too, so that both speak of the same matrix.
        let raise = q.transpose() * Matrix2::from_diagonal(&(lambda - raw)) * q;
        for p in 0..2 {
            for r in 0..2 {
                w[(p + 1, r + 1)] += raise[(p, r)];
            }
        }
        Self {
            w,
            inverse_n,
            lever,
            q,
            lambda,
        }
    }

    /// The impulse for the free velocity b; `alpha` is the first guess and becomes the slip found (0 unless it slides).
    #[inline]
    pub fn solve(&self, b: &Vector3<f64>, mu: f64, alpha: &mut f64) -> Vector3<f64> {
        if b.x >= 0.0 {
            return Vector3::zeros();
        }
        let free = -b.x * self.inverse_n;
        if mu == 0.0 {
            return Vector3::new(free, 0.0, 0.0);
        }
        let c = Vector2::new(b.y, b.z) - self.lever * b.x;
        let c = self.q * c;
        let lever = self.q * self.lever;
        let (c2, sum) = (c.component_mul(&c), lever.component_mul(&c));
        let at = |alpha: f64| {
            let e = Vector2::new(1.0 / (self.lambda.x + alpha), 1.0 / (self.lambda.y + alpha));
            let e2 = e.component_mul(&e);
            let (t2, n) = (c2.dot(&e2), free + sum.dot(&e));
            // d|r_T|²/dα = −2 Σ c²e³, dr_N/dα = −Σ sum e².
            let (t2_slope, n_slope) = (-2.0 * c2.dot(&e2.component_mul(&e)), -sum.dot(&e2));
            (e, t2, n, t2_slope, n_slope)
        };
        let impulse = |e: &Vector2<f64>, n: f64| {
            let t = self.q.tr_mul(&(-c.component_mul(e)));
            Vector3::new(n, t.x, t.y)
        };
        let (e, t2, n, ..) = at(0.0);
        if n >= 0.0 && t2 <= mu * mu * n * n {
            *alpha = 0.0;
            return impulse(&e, n);
        }
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut x = *alpha;
        let mut found = (e, n);
        for _ in 0..STEPS {
            let (e, t2, n, t2_slope, n_slope) = at(x);
            let t = t2.sqrt();
            let h = mu * n - t;
            found = (e, n);
            // Rounding: nothing more to gain.
            if h.abs() <= 4.0 * f64::EPSILON * (mu * n.abs() + t) {
                break;
            }
            if h < 0.0 {
                low = x
            } else {
                high = x
            }
            // Newton on µ r_N/|r_T| − 1: slope (µ n' − µ n t'/t)/t with t' = t2'/(2 t).
            let slope = mu * (n_slope - n * t2_slope / (2.0 * t2));
            let next = x - h / slope;
            let inside = slope > 0.0 && next > low && next < high;
            let step = if inside {
                next
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                4.0 * x + self.lambda.x + self.lambda.y
            };
            if step == x {
                break;
            }
            x = step;
        }
        *alpha = x;
        // On the cone to the last bit: r_N from u_N = 0, the tangent as long as the cone allows.
        impulse(&found.0, found.1.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::law::alart_curnier::AlartCurnier;
    use crate::friction::local::{Contact, enumerative};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn solves_every_random_contact(
            m in prop::array::uniform9(-1.0..1.0_f64), b in prop::array::uniform3(-1.0..1.0_f64),
            shift in -4.0..0.0_f64, mu in -1.3..0.7_f64, guess in 0.0..10.0_f64,
        ) {
            let m = Matrix3::from_row_slice(&m);
            let w = m * m.transpose() + Matrix3::identity() * 10f64.powf(shift);
            let (b, mu) = (Vector3::from(b), 10f64.powf(mu));
            let secular = Secular::new(&w);
            prop_assert!((secular.w - w).amax() < 1e-14 * w.amax());
            let mut alpha = guess;
            let r = secular.solve(&b, mu, &mut alpha);
            let contact = Contact::new(&w, b, mu);
            // Not by Fischer and Burmeister's function, which loses half its digits where r is tiny beside u.
            let judge = AlartCurnier { mu, rho: contact.law().rho };
            let error = judge.value(&r, &(w * r + b)).norm();
            prop_assert!(error <= 1e-9 * judge.rho * b.norm(), "{r} {error}");
            let other = enumerative::solve(&contact).unwrap();
            // More than one solution is legal; one equal to the other method's is the rule.
            if mu < 0.3 {
                prop_assert!((r - other).norm() <= 1e-6 * other.norm());
            }
        }
    }

    #[test]
    fn void_and_singular_blocks_give_finite_impulses() {
        let b = Vector3::new(-1.0, 0.3, 0.2);
        let singular = Vector3::new(1.0, 1.0, 0.0) * Vector3::new(1.0, 1.0, 0.0).transpose();
        for w in [Matrix3::identity(), Matrix3::zeros(), singular] {
            for mu in [0.0, 0.3, 10.0] {
                let r = Secular::new(&w).solve(&b, mu, &mut 0.0);
                assert!(r.iter().all(|x| x.is_finite()), "{w} {mu} {r}");
            }
        }
    }
}
