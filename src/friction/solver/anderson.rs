//! Anderson acceleration of a fixed-point iteration x ← G(x) [Anderson65; Walker11].
//!
//! With F = G(x) − x and the last differences ΔF, ΔG as columns, γ = argmin |F − ΔF γ| and the next x = G(x) − ΔG γ:
//! the step that would be exact if G were affine. Differences are kept normalised, so that the Gram matrix of ΔF needs
//! only a little regularisation.

use nalgebra::{SMatrix, SVector, Vector3};

use crate::math::wide;

/// Differences that are remembered.
const WINDOW: usize = 8;
/// Regularisation of the normalised Gram matrix.
const SHIFT: f64 = 1e-10;

/// The memory of the acceleration. Vectors are flat: three numbers per contact.
#[derive(Clone, Debug, Default)]
pub struct Anderson {
    delta_f: [Vec<f64>; WINDOW],
    delta_g: [Vec<f64>; WINDOW],
    gram: SMatrix<f64, WINDOW, WINDOW>,
    len: usize,
    next: usize,
    f: Vec<f64>,
    g: Vec<f64>,
    last_f: Vec<f64>,
    last_g: Vec<f64>,
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
        let mut largest = 0.0_f64;
        self.f.clear();
        self.g.clear();
        for ((x, g), w) in x.iter().zip(g).zip(weight) {
            let f = (g - x) * *w;
            largest = largest.max(f.amax() * w);
            self.f.extend_from_slice(f.as_slice());
            self.g.extend_from_slice(g.as_slice());
        }
        wide::run(Extrapolation(self));
        for (x, next) in x.iter_mut().zip(self.last_g.chunks_exact(3)) {
            *x = Vector3::new(next[0], next[1], next[2]);
        }
        // What was extrapolated is not what the map gave: keep that.
        std::mem::swap(&mut self.last_g, &mut self.g);
        largest
    }

    /// Takes the differences of f and g to the last ones into memory; leaves the next x in `last_g`.
    #[inline(always)]
    fn extrapolate(&mut self) {
        let size = dot(&self.f, &self.f).sqrt();
        if self.last_f.is_empty() || size > 2.0 * self.last_size {
            // The iteration has left the region its differences describe.
            self.len = 0;
            self.next = 0;
        } else {
            self.remember();
        }
        std::mem::swap(&mut self.last_f, &mut self.f);
        self.last_size = size;
        let gamma = self.coefficients();
        self.last_g.clone_from(&self.g);
        for k in 0..self.len {
            let shift = self.last_g.iter_mut().zip(&self.delta_g[k]);
            shift.for_each(|(x, d)| *x -= d * gamma[k]);
        }
    }

    #[inline(always)]
    fn remember(&mut self) {
        let k = self.next;
        difference(&mut self.delta_f[k], &self.f, &self.last_f);
        difference(&mut self.delta_g[k], &self.g, &self.last_g);
        let size = dot(&self.delta_f[k], &self.delta_f[k]).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            return;
        }
        let inverse = 1.0 / size;
        self.delta_f[k].iter_mut().for_each(|d| *d *= inverse);
        self.delta_g[k].iter_mut().for_each(|d| *d *= inverse);
        self.next = (k + 1) % WINDOW;
        self.len = (self.len + 1).min(WINDOW);
        for j in 0..self.len {
            let product = dot(&self.delta_f[j], &self.delta_f[k]);
            self.gram[(j, k)] = product;
            self.gram[(k, j)] = product;
        }
    }

    #[inline(always)]
    fn coefficients(&self) -> SVector<f64, WINDOW> {
        let mut matrix = SMatrix::<f64, WINDOW, WINDOW>::identity();
        let mut rhs = SVector::<f64, WINDOW>::zeros();
        for j in 0..self.len {
            rhs[j] = dot(&self.delta_f[j], &self.last_f);
            for k in 0..self.len {
                matrix[(j, k)] = self.gram[(j, k)] + if j == k { SHIFT } else { 0.0 };
            }
        }
        matrix
            .cholesky()
            .map_or_else(SVector::zeros, |factor| factor.solve(&rhs))
    }
}

/// The arithmetic of a step as one piece of work.
struct Extrapolation<'a>(&'a mut Anderson);

impl wide::Work for Extrapolation<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.extrapolate();
    }
}

/// In eight sums, which vector instructions can carry side by side.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = (a.remainder().iter().zip(b.remainder()))
        .map(|(a, b)| a * b)
        .sum();
    let mut sums = [0.0; 8];
    for (a, b) in a.zip(b) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[inline(always)]
fn difference(out: &mut Vec<f64>, a: &[f64], b: &[f64]) {
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
