//! The reduced one-step problem: find impulses r and velocities u with
//!
//! u = W r + b,  and at every contact i either
//!
//! - take-off: rᵢ = 0 and u_N ≥ 0,
//! - stick: uᵢ = 0 and |r_T| ≤ µ r_N, or
//! - slide: u_N = 0, |r_T| = µ r_N and u_T = −α r_T with α > 0.
//!
//! Vectors are (N, T1, T2): the normal component first [Daviet11, eq. 4].

use nalgebra::Vector3;

use crate::math::BlockMatrix;

/// A one-step frictional contact problem.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Delassus operator W: velocity per impulse, 1/kg, one 3 × 3 block per pair of coupled contacts.
    pub w: BlockMatrix,
    /// Free relative velocities b, m/s.
    pub b: Vec<Vector3<f64>>,
    /// Coefficients of friction µ.
    pub mu: Vec<f64>,
}

impl Problem {
    /// Number of contacts n.
    pub fn len(&self) -> usize {
        self.b.len()
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.b.is_empty()
    }

    /// Relative velocities u = W r + b.
    pub fn velocities(&self, r: &[Vector3<f64>], u: &mut Vec<Vector3<f64>>) {
        u.clear();
        u.extend((0..self.len()).map(|i| self.w.row_times(i, r) + self.b[i]));
    }

    /// Mean diagonal dᵢ = tr(Wᵢᵢ)/3 of a contact's own block: velocity per impulse; 1 where the block is void.
    #[inline]
    pub fn mean_diagonal(&self, i: usize) -> f64 {
        let d = self.w.diagonal(i).trace() / 3.0;
        if d > 0.0 { d } else { 1.0 }
    }
}
