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
use rayon::prelude::*;

use crate::math::BlockMatrix;

/// Fewer contacts than this are not worth a second thread.
const PARALLEL_FROM: usize = 1000;
/// Rows of W that one thread multiplies at a stretch.
const ROWS_PER_TASK: usize = 256;

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
        let row = |i: usize| self.w.row_times(i, r) + self.b[i];
        u.clear();
        if self.len() < PARALLEL_FROM {
            u.extend((0..self.len()).map(row));
        } else {
            u.resize(self.len(), Vector3::zeros());
            let parts = u.par_chunks_mut(ROWS_PER_TASK).enumerate();
            parts.for_each(|(part, u)| {
                let first = part * ROWS_PER_TASK;
                u.iter_mut()
                    .enumerate()
                    .for_each(|(k, u)| *u = row(first + k));
            });
        }
    }

    /// Mean diagonal dᵢ = tr(Wᵢᵢ)/3 of a contact's own block: velocity per impulse; 1 where the block is void.
    #[inline]
    pub fn mean_diagonal(&self, i: usize) -> f64 {
        let d = self.w.diagonal(i).trace() / 3.0;
        if d > 0.0 { d } else { 1.0 }
    }
}
