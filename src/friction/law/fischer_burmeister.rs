//! The modified Fischer-Burmeister function of Coulomb's law [Daviet11, sect. 5 and app. A.1].
//!
//! ũ = u + µ|u_T| e_N,  r̂ = (µ r_N, r_T),  û = ρ (ũ_N, µ ũ_T):  Coulomb's law holds iff K ∋ û ⟂ r̂ ∈ K with the
//! self-dual cone K: x_N ≥ |x_T|, hence iff f(r̂, û) = r̂ + û − (r̂∘r̂ + û∘û)^½ = 0 in the Jordan algebra of K.
//! For µ = 0 the normal part is the scalar function and f_T = r_T.
//!
//! Sources differ in the singular cases; those here are limits of the regular one (the paper's lack a square root).

use std::f64::consts::FRAC_1_SQRT_2;

use nalgebra::{Matrix3, Vector2, Vector3};

use crate::friction::cone::{Root, arrow};

/// A contact seen by the law: u = W r + b with these constants.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Coefficient of friction µ.
    pub mu: f64,
    /// ρ, kg: makes velocity and impulse comparable. 3 / tr W makes the function independent of units.
    pub rho: f64,
}

impl Law {
    /// f(r, u).
    pub fn value(&self, r: &Vector3<f64>, u: &Vector3<f64>) -> Vector3<f64> {
        if self.mu == 0.0 {
            let (x, y) = (r.x, self.rho * u.x);
            return Vector3::new(x + y - x.hypot(y), r.y, r.z);
        }
        let (x, y) = self.hatted(r, u);
        x + y - Root::of_squares(&x, &y, 0.0).s
    }

    /// f(r, W r + b) and its derivative by r.
    pub fn value_and_jacobian(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
        w: &Matrix3<f64>,
    ) -> (Vector3<f64>, Matrix3<f64>) {
        let (value, by_r, by_u) = self.value_and_derivatives(r, u);
        (value, by_u * w + by_r)
    }

    /// f(r, u), ∂f/∂r and ∂f/∂u.
    #[inline]
    pub fn value_and_derivatives(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
    ) -> (Vector3<f64>, Matrix3<f64>, Matrix3<f64>) {
        if self.mu == 0.0 {
            return self.frictionless(r, u);
        }
        let (x, y) = self.hatted(r, u);
        let root = Root::of_squares(&x, &y, 0.0);
        let (mut by_r, by_y) = derivatives(&x, &y, &root);
        // r̂ = diag(µ, 1, 1) r.
        by_r.column_mut(0).scale_mut(self.mu);
        // û = ρ diag(1, µ, µ) S u with S = I + µ e_N (u_T/|u_T|)ᵀ; at u_T = 0 the second term is 0.
        let slip = Vector2::new(u.y, u.z);
        let direction = slip.try_normalize(0.0).unwrap_or_default();
        let (by_normal, scale) = (by_y.column(0).into_owned(), self.rho * self.mu);
        let by_u = Matrix3::from_columns(&[
            by_normal * self.rho,
            (by_y.column(1) + by_normal * direction.x) * scale,
            (by_y.column(2) + by_normal * direction.y) * scale,
        ]);
        (x + y - root.s, by_r, by_u)
    }

    #[inline]
    fn hatted(&self, r: &Vector3<f64>, u: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let (mu, rho) = (self.mu, self.rho);
        let lifted = u.x + mu * (u.y * u.y + u.z * u.z).sqrt();
        (
            Vector3::new(mu * r.x, r.y, r.z),
            Vector3::new(rho * lifted, rho * mu * u.y, rho * mu * u.z),
        )
    }

    fn frictionless(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
    ) -> (Vector3<f64>, Matrix3<f64>, Matrix3<f64>) {
        let (x, y) = (r.x, self.rho * u.x);
        let n = x.hypot(y);
        let (by_x, by_y) = if n > 0.0 {
            (1.0 - x / n, 1.0 - y / n)
        } else {
            (1.0 - FRAC_1_SQRT_2, 1.0 - FRAC_1_SQRT_2)
        };
        (
            Vector3::new(x + y - n, r.y, r.z),
            Matrix3::from_diagonal(&Vector3::new(by_x, 1.0, 1.0)),
            Matrix3::from_diagonal(&Vector3::new(by_y * self.rho, 0.0, 0.0)),
        )
    }
}

/// ∂f/∂x and ∂f/∂y.
#[inline]
fn derivatives(x: &Vector3<f64>, y: &Vector3<f64>, root: &Root) -> (Matrix3<f64>, Matrix3<f64>) {
    let identity = Matrix3::identity();
    if root.singular {
        let n = (x.x * x.x + y.x * y.x).sqrt();
        if n == 0.0 {
            let both = identity * (1.0 - FRAC_1_SQRT_2);
            return (both, both);
        }
        return (identity * (1.0 - x.x / n), identity * (1.0 - y.x / n));
    }
    let inverse = root.inverse_arrow();
    (identity - inverse * arrow(x), identity - inverse * arrow(y))
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
        fn jacobian_agrees_with_central_differences(
            r in vector(), b in vector(), m in prop::array::uniform9(-1.0..1.0_f64), mu in 0.0..3.0_f64,
        ) {
            let m = Matrix3::from_row_slice(&m);
            let w = m * m.transpose() + Matrix3::identity() * 0.1;
            let law = Law { mu, rho: 3.0 / w.trace() };
            let (_, jacobian) = law.value_and_jacobian(&r, &(w * r + b), &w);
            let step = 1e-6;
            // Differences mean nothing within a few steps of a kink.
            let u = w * r + b;
            prop_assume!(u.y.hypot(u.z) > 1e-2);
            let (x, y) = law.hatted(&r, &u);
            prop_assume!(Root::of_squares(&x, &y, 0.0).det > 1e-2);
            for k in 0..3 {
                let mut d = Vector3::zeros();
                d[k] = step;
                let at = |r: Vector3<f64>| law.value(&r, &(w * r + b));
                let difference = (at(r + d) - at(r - d)) / (2.0 * step);
                prop_assert!((difference - jacobian.column(k)).amax() < 1e-6, "{difference} {jacobian}");
            }
        }
    }

    #[test]
    fn vanishes_in_each_regime() {
        let law = Law { mu: 0.5, rho: 2.0 };
        let f = |r: [f64; 3], u: [f64; 3]| law.value(&r.into(), &u.into()).norm();
        assert!(f([0.0; 3], [0.3, 1.0, -2.0]) < 1e-15, "take-off");
        assert!(f([2.0, 0.6, -0.7], [0.0; 3]) < 1e-15, "stick");
        assert!(f([2.0, 0.6, 0.8], [0.0, -3.0, -4.0]) < 1e-7, "slide");
        assert!(
            f([2.0, 0.6, 0.8], [0.0, 3.0, 4.0]) > 0.1,
            "slide the wrong way"
        );
        assert!(
            f([0.0; 3], [-0.1, 0.0, 0.0]) > 0.1,
            "approach without a force"
        );
    }
}
