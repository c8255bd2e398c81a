//! Anderson acceleration of a fixed-point iteration x ← G(x) [Anderson65; Walker11].
//!
//! With F = G(x) − x and the last differences ΔF, ΔG as columns, γ = argmin |F − ΔF γ| and the next x = G(x) − ΔG γ:
//! the step that would be exact if G were affine. Differences are kept normalised, so that the Gram matrix of ΔF needs
//! only a little regularisation.

use nalgebra::{SMatrix, SVector, Vector3};

/// Differences that are remembered.
const WINDOW: usize = 8;
/// Regularisation of the normalised Gram matrix.
const SHIFT: f64 = 1e-10;

/// The memory of the acceleration.
#[derive(Clone, Debug, Default)]
pub struct Anderson {
    delta_f: [Vec<Vector3<f64>>; WINDOW],
    delta_g: [Vec<Vector3<f64>>; WINDOW],
    gram: SMatrix<f64, WINDOW, WINDOW>,
    len: usize,
    next: usize,
    last_f: Vec<Vector3<f64>>,
    last_g: Vec<Vector3<f64>>,
    last_size: f64,
}

impl Anderson {
    /// Starts anew.
    pub fn clear(&mut self) {
        self.len = 0;
        self.next = 0;
        self.last_f.clear();
    }

    /// Given x and g = G(x), writes the next x over `x`. Components are weighed by `weight` (one per block) when the
    /// size of F is measured. Returns the largest |F| times its weight again.
    pub fn advance(&mut self, x: &mut [Vector3<f64>], g: &[Vector3<f64>], weight: &[f64]) -> f64 {
        let f: &mut [Vector3<f64>] = x;
        f.iter_mut()
            .zip(g)
            .zip(weight)
            .for_each(|((x, g), w)| *x = (g - *x) * *w);
        let size = dot(f, f).sqrt();
        let largest = (f.iter().zip(weight)).fold(0.0_f64, |m, (f, w)| m.max(f.amax() * w));
        if self.last_f.is_empty() || size > 2.0 * self.last_size {
            // The iteration has left the region its differences describe.
            self.len = 0;
            self.next = 0;
        } else {
            self.remember(f, g);
        }
        copy(&mut self.last_f, f);
        copy(&mut self.last_g, g);
        self.last_size = size;
        let gamma = self.coefficients(f);
        x.copy_from_slice(g);
        for k in 0..self.len {
            x.iter_mut()
                .zip(&self.delta_g[k])
                .for_each(|(x, d)| *x -= d * gamma[k]);
        }
        largest
    }

    fn remember(&mut self, f: &[Vector3<f64>], g: &[Vector3<f64>]) {
        let k = self.next;
        difference(&mut self.delta_f[k], f, &self.last_f);
        difference(&mut self.delta_g[k], g, &self.last_g);
        let size = dot(&self.delta_f[k], &self.delta_f[k]).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            return;
        }
        self.delta_f[k]
            .iter_mut()
            .chain(&mut self.delta_g[k])
            .for_each(|d| *d /= size);
        self.next = (k + 1) % WINDOW;
        self.len = (self.len + 1).min(WINDOW);
        for j in 0..self.len {
            let product = dot(&self.delta_f[j], &self.delta_f[k]);
            self.gram[(j, k)] = product;
            self.gram[(k, j)] = product;
        }
    }

    fn coefficients(&self, f: &[Vector3<f64>]) -> SVector<f64, WINDOW> {
        let mut matrix = SMatrix::<f64, WINDOW, WINDOW>::identity();
        let mut rhs = SVector::<f64, WINDOW>::zeros();
        for j in 0..self.len {
            rhs[j] = dot(&self.delta_f[j], f);
            for k in 0..self.len {
                matrix[(j, k)] = self.gram[(j, k)] + if j == k { SHIFT } else { 0.0 };
            }
        }
        matrix
            .cholesky()
            .map_or_else(SVector::zeros, |factor| factor.solve(&rhs))
    }
}

fn dot(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

fn copy(to: &mut Vec<Vector3<f64>>, from: &[Vector3<f64>]) {
    to.clear();
    to.extend_from_slice(from);
}

fn difference(out: &mut Vec<Vector3<f64>>, a: &[Vector3<f64>], b: &[Vector3<f64>]) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(a, b)| a - b));
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    #[test]
    fn an_affine_iteration_is_solved_in_as_many_steps_as_it_has_unknowns() {
        let m = Matrix3::new(0.9, 0.05, 0.0, 0.02, 0.8, 0.1, 0.0, -0.1, 0.95);
        let c = Vector3::new(1.0, -2.0, 0.5);
        let fixed = (Matrix3::identity() - m).lu().solve(&c).unwrap();
        let mut x = [Vector3::zeros()];
        let mut accelerated = Anderson::default();
        for _ in 0..6 {
            let g = [m * x[0] + c];
            accelerated.advance(&mut x, &g, &[1.0]);
        }
        assert!(
            (x[0] - fixed).norm() < 1e-6 * fixed.norm(),
            "{} against {fixed}",
            x[0]
        );
    }
}
