//! Bending and twist between two quaternions, with their derivatives.
//!
//! The strain rates of [Spillmann07, eq. 5], u_k = (2/|q|²) B_k q · q′, taken at q = ½ (q_j + q_{j+1}) with
//! q′ = (q_{j+1} − q_j)/l, depend on the rotation p = q_j⁻¹ q_{j+1} = (w, v) alone:
//!
//! q̄ q′ = v/l and |q|² = ½ (1 + w), so l u = 4 v/(1 + w) = 4 n tan(φ/4) for a turn by φ about n.
//!
//! With σ = v/(1 + w), turns dθ of the two edges in their own axes change it by
//!
//! d(l u) = G dθ_{j+1} − Gᵀ dθ_j,  G = (1 − |σ|²) I + 2 [σ]ₓ + 2 σ σᵀ.
//!
//! Components are twist, and curvatures about d₁ and d₂: κ₁ = u_z bends towards d₁, κ₂ = −u_y towards d₂.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Strain at a joint, times its length.
#[derive(Clone, Copy, Debug)]
pub struct Strain {
    /// l u: twist, curvatures about d₁ and about d₂, rad.
    pub u: Vector3<f64>,
}

impl Strain {
    /// The strain between two edges. `sign` says which of the two quaternions of the rotation between them is meant, so
    /// that a twist may pass π.
    pub fn between(e: &UnitQuaternion<f64>, f: &UnitQuaternion<f64>, sign: f64) -> Self {
        let p: Quaternion<f64> = e.conjugate().into_inner() * f.into_inner() * sign;
        // A joint turned all the way round has no strain; stop just before.
        let u = p.imag() * (4.0 / (1.0 + p.w).max(1e-9));
        Self { u }
    }

    /// The strain of a turn by this vector.
    pub fn of_turn(turn: &Vector3<f64>) -> Self {
        let angle = turn.norm();
        let longer = if angle > 0.0 {
            4.0 * (0.25 * angle).tan() / angle
        } else {
            1.0
        };
        Self { u: turn * longer }
    }

    /// G.
    pub fn jacobian(&self) -> Matrix3<f64> {
        let sigma = self.u * 0.25;
        Matrix3::identity() * (1.0 - sigma.norm_squared())
            + (sigma.cross_matrix() + sigma * sigma.transpose()) * 2.0
    }
}
