//! The convex, compliant likeness of Coulomb's law [Castro22; Li25].
//!
//! γ = P(y), y = −R⁻¹ u, P the projection on the cone |γ_T| ≤ µ γ_N in the norm of R = diag(R_N, R_T, R_T). With
//! µ̂ = µ R_T/R_N and µ̃² = µ² R_T/R_N:
//!
//! - stick, |y_T| ≤ µ y_N: γ = y;
//! - no contact, y_N ≤ −µ̂ |y_T|: γ = 0;
//! - slide otherwise: γ_N = (y_N + µ̂ |y_T|)/(1 + µ̃²), γ_T = µ γ_N y_T/|y_T|.
//!
//! Components are (N, T1, T2); the sources have the normal last.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// How soft contacts are, against the diagonal of W.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// R_N = β²/4π² dᵢ: a contact swings with a period of β time steps, which is as hard as they can tell.
    pub beta: f64,
    /// R_T = σ dᵢ: creep of contacts that stick.
    pub sigma: f64,
}

impl Default for Compliance {
    /// Nearly rigid: the values of \[Castro22\].
    fn default() -> Self {
        Self {
            beta: 1.0,
            sigma: 1e-3,
        }
    }
}

impl Compliance {
    /// R_N and R_T over dᵢ.
    pub fn regularisation(&self) -> [f64; 2] {
        let turns = self.beta / std::f64::consts::TAU;
        [turns * turns, self.sigma]
    }
}

/// γ, and G = ∂P/∂y R⁻¹ = −∂γ/∂u, symmetric and positive semidefinite; `soft` is R.
#[inline]
pub fn impulse(v: &Vector3<f64>, mu: f64, soft: [f64; 2]) -> (Vector3<f64>, Matrix3<f64>) {
    let stiff = Vector3::new(1.0 / soft[0], 1.0 / soft[1], 1.0 / soft[1]);
    let y = -v.component_mul(&stiff);
    let tangent = Vector2::new(y.y, y.z);
    let length = tangent.norm();
    let (mu_hat, lift) = (mu * soft[1] / soft[0], 1.0 + mu * mu * soft[1] / soft[0]);
    if y.x <= -mu_hat * length {
        return (Vector3::zeros(), Matrix3::zeros());
    }
    if length <= mu * y.x {
        return (y, Matrix3::from_diagonal(&stiff));
    }
    let t = tangent / length;
    let normal = (y.x + mu_hat * length) / lift;
    let gamma = Vector3::new(normal, mu * normal * t.x, mu * normal * t.y);
    let along = t * t.transpose();
    let across = Matrix2::identity() - along;
    let block = (across * (normal / length) + along * (mu_hat / lift)) * (mu * stiff.y);
    let side = t * (mu * stiff.x / lift);
    let g = Matrix3::new(
        stiff.x / lift,
        side.x,
        side.y,
        side.x,
        block.m11,
        block.m12,
        side.y,
        block.m21,
        block.m22,
    );
    (gamma, g)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impulse_slope_agrees_with_central_differences() {
        let soft = [0.03, 0.01];
        for k in 0..300 {
            let wave = |a: f64| (a * f64::from(k) + a).sin();
            let (v, mu) = (
                Vector3::new(wave(1.0), wave(1.7), wave(2.9)),
                0.2 + wave(0.6).abs(),
            );
            let (_, g) = impulse(&v, mu, soft);
            assert!((g - g.transpose()).amax() < 1e-12);
            for c in 0..3 {
                let mut h = Vector3::zeros();
                h[c] = 1e-7;
                let change = impulse(&(v + h), mu, soft).0 - impulse(&(v - h), mu, soft).0;
                // Differences mean nothing across a kink; none of these samples lies on one.
                assert!(
                    (change / 2e-7 + g.column(c)).amax() < 1e-4 * g.amax().max(1.0),
                    "{k}"
                );
            }
        }
    }
}
