//! Bending at a joint, with its derivatives.
//!
//! ```text
//!      x_{i-1} ──── e ──── x_i ──── f ──── x_{i+1}
//! ```
//!
//! b = κb = 2 t_e × t_f/χ,  χ = 1 + t_e·t_f,  |b| = 2 tan(φ/2), φ the angle between the edges [Bergou08, eq. 1].
//! With t̃ = (t_e + t_f)/χ,
//!
//! ∂b/∂e = −(2 [t_f]ₓ/χ + b t̃ᵀ)/|e|,  ∂b/∂f = (2 [t_e]ₓ/χ − b t̃ᵀ)/|f|.

use nalgebra::{Matrix3, Vector3};

/// One edge in its present state.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Length |e|, m.
    pub length: f64,
    /// 1/|e|, 1/m.
    pub per_length: f64,
    /// Unit tangent t.
    pub tangent: Vector3<f64>,
}

impl Edge {
    /// The edge e; one that has shrunk to nothing points to where it did.
    #[inline]
    pub fn new(e: &Vector3<f64>, before: &Vector3<f64>) -> Self {
        let length = e.norm();
        let per_length = 1.0 / length.max(f64::MIN_POSITIVE);
        Self {
            length,
            per_length,
            tangent: if length > 0.0 {
                e * per_length
            } else {
                *before
            },
        }
    }
}

/// Bending at a joint and what its derivatives share.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    /// b, across both edges.
    pub binormal: Vector3<f64>,
    /// 2/χ.
    twice: f64,
    /// t̃ = (t_e + t_f)/χ.
    tilde_t: Vector3<f64>,
}

impl Bend {
    /// The bending between two edges.
    #[inline]
    pub fn new(e: &Edge, f: &Edge) -> Self {
        // Edges folded flat onto each other have no curvature; stop just before.
        let chi = (1.0 + e.tangent.dot(&f.tangent)).max(1e-9);
        let twice = 2.0 / chi;
        Self {
            binormal: e.tangent.cross(&f.tangent) * twice,
            twice,
            tilde_t: (e.tangent + f.tangent) * (0.5 * twice),
        }
    }

    /// ∂b/∂e and ∂b/∂f.
    #[inline]
    pub fn jacobians(&self, e: &Edge, f: &Edge) -> [Matrix3<f64>; 2] {
        let shared = self.binormal * self.tilde_t.transpose();
        let (te, tf) = (e.tangent * self.twice, f.tangent * self.twice);
        [
            (tf.cross_matrix() + shared) * -e.per_length,
            (te.cross_matrix() - shared) * f.per_length,
        ]
    }

    /// (∂b/∂e)ᵀ m and (∂b/∂f)ᵀ m.
    #[inline]
    pub fn pull_back(&self, e: &Edge, f: &Edge, m: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let shared = self.tilde_t * self.binormal.dot(m);
        [
            (f.tangent.cross(m) * self.twice - shared) * e.per_length,
            (e.tangent.cross(m) * self.twice + shared) * -f.per_length,
        ]
    }
}
