//! Symmetric matrices of chains, open or closed to a ring, and their factorisation.
//!
//! An open chain gives a banded matrix. In a ring the last unknowns are also neighbours of the first; they are kept
//! apart as a border of at most 12, and what remains is banded:
//!
//! ```text
//!       ┌ B  C ┐          y = B⁻¹ r,  z = S⁻¹ (s − Cᵀ y),  x = y − B⁻¹C z
//!   A = │      │
//!       └ Cᵀ D ┘          S = D − Cᵀ B⁻¹ C
//! ```

use nalgebra::{Cholesky, Const, SMatrix};

use super::banded::{BandedLdl, SmallPivot};

/// Unknowns that the border can have.
pub const BORDER: usize = 12;
type Corner = SMatrix<f64, BORDER, BORDER>;

/// A symmetric matrix with half-bandwidth `B` but for its border, or its factor in place.
#[derive(Clone, Debug, Default)]
pub struct RingLdl<const B: usize> {
    band: BandedLdl<B>,
    border: usize,
    /// C, row by row; none for an open chain.
    coupling: Vec<[f64; BORDER]>,
    /// B⁻¹ C once factored.
    reach: Vec<[f64; BORDER]>,
    corner: Corner,
    schur: Option<Cholesky<f64, Const<BORDER>>>,
}

impl<const B: usize> RingLdl<B> {
    /// Makes this the n × n zero matrix whose last `border` unknowns may couple to any other; keeps the memory.
    pub fn reset(&mut self, n: usize, border: usize) {
        debug_assert!(border <= BORDER && border <= n);
        self.band.reset(n - border);
        self.border = border;
        self.coupling.clear();
        if border > 0 {
            self.coupling.resize(n - border, [0.0; BORDER]);
        }
        self.corner.fill(0.0);
        self.schur = None;
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.band.len() + self.border
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds to element (i, j) and its mirror image, once each.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        let (i, j) = (i.max(j), i.min(j));
        let core = self.band.len();
        if i < core {
            *self.band.at_mut(i, j) += value;
        } else if j < core {
            self.coupling[j][i - core] += value;
        } else {
            self.corner[(i - core, j - core)] += value;
            if i != j {
                self.corner[(j - core, i - core)] += value;
            }
        }
    }

    /// Adds the lower part of a small block to these rows and columns.
    #[inline]
    pub fn add_block<const N: usize>(&mut self, places: &[usize; N], block: &[[f64; N]; N]) {
        let first = places[0];
        if places[N - 1] == first + N - 1 && first + N <= self.band.len() {
            return self.band.add_block(first, block);
        }
        for (i, row) in block.iter().enumerate() {
            for (j, value) in row.iter().enumerate().take(i + 1) {
                self.add(places[i], places[j], *value);
            }
        }
    }

    /// Element (i, j).
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        let core = self.band.len();
        if i < core {
            self.band.get(i, j)
        } else if j < core {
            self.coupling[j][i - core]
        } else {
            self.corner[(i - core, j - core)]
        }
    }

    /// y += A x.
    pub fn multiply_add(&self, x: &[f64], y: &mut [f64]) {
        let core = self.band.len();
        let ((x, xb), (y, yb)) = (x.split_at(core), y.split_at_mut(core));
        self.band.multiply_add(x, y);
        for (row, (x, y)) in self.coupling.iter().zip(x.iter().zip(y)) {
            for c in 0..self.border {
                *y += row[c] * xb[c];
                yb[c] += row[c] * x;
            }
        }
        for (i, y) in yb.iter_mut().enumerate() {
            *y += (0..self.border)
                .map(|j| self.corner[(i, j)] * xb[j])
                .sum::<f64>();
        }
    }

    /// y += factor × column k.
    pub fn add_column(&self, k: usize, factor: f64, y: &mut [f64]) {
        let core = self.band.len();
        let near = if k < core {
            k.saturating_sub(B)..(k + B + 1).min(core)
        } else {
            0..core
        };
        for i in near.chain(core..self.len()) {
            y[i] += factor * self.get(i, k);
        }
    }

    /// Makes this `factor` times `other`, keeping the memory.
    pub fn copy_scaled(&mut self, other: &Self, factor: f64) {
        self.band.copy_scaled(&other.band, factor);
        self.border = other.border;
        self.coupling.clear();
        self.coupling
            .extend(other.coupling.iter().map(|row| row.map(|a| a * factor)));
        self.corner = other.corner * factor;
        self.schur = None;
    }

    /// Takes row and column `k` out of the system: zero but for a one on the diagonal.
    pub fn isolate(&mut self, k: usize) {
        let core = self.band.len();
        if k < core {
            self.band.isolate(k);
            if let Some(row) = self.coupling.get_mut(k) {
                *row = [0.0; BORDER];
            }
        } else {
            let b = k - core;
            self.coupling.iter_mut().for_each(|row| row[b] = 0.0);
            self.corner.row_mut(b).fill(0.0);
            self.corner.column_mut(b).fill(0.0);
            self.corner[(b, b)] = 1.0;
        }
    }

    /// Factors in place. Every pivot must be positive, or the factorisation stops and the contents are void.
    pub fn factor(&mut self) -> Result<(), SmallPivot> {
        self.band.factor(f64::MIN_POSITIVE)?;
        if self.border == 0 {
            return Ok(());
        }
        self.reach.clone_from(&self.coupling);
        self.band.solve(&mut self.reach, 0);
        let mut schur = self.corner;
        for (c, y) in self.coupling.iter().zip(&self.reach) {
            for i in 0..self.border {
                for j in 0..self.border {
                    schur[(i, j)] -= c[i] * y[j];
                }
            }
        }
        // What the border does not use must not make it singular.
        (self.border..BORDER).for_each(|b| schur[(b, b)] = 1.0);
        self.schur = Cholesky::new(schur);
        match self.schur {
            Some(_) => Ok(()),
            None => Err(SmallPivot {
                row: self.band.len(),
            }),
        }
    }

    /// Solves A x = r in place for one right-hand side.
    pub fn solve_one(&self, x: &mut [f64]) {
        match self.border {
            0 => self.band.solve_one(x),
            _ => self.solve(x.as_chunks_mut::<1>().0, 0),
        }
    }

    /// Solves A X = R in place for `W` right-hand sides kept row by row. Rows of R before `first` must be zero.
    pub fn solve<const W: usize>(&self, x: &mut [[f64; W]], first: usize) {
        let core = self.band.len();
        let (x, rest) = x.split_at_mut(core);
        self.band.solve(x, first.min(core));
        let Some(schur) = &self.schur else {
            return;
        };
        let mut z = SMatrix::<f64, BORDER, W>::zeros();
        for (b, row) in rest.iter().enumerate() {
            (0..W).for_each(|w| z[(b, w)] = row[w]);
        }
        for (c, y) in self.coupling.iter().zip(&*x) {
            for b in 0..self.border {
                if c[b] != 0.0 {
                    (0..W).for_each(|w| z[(b, w)] -= c[b] * y[w]);
                }
            }
        }
        schur.solve_mut(&mut z);
        for (reach, x) in self.reach.iter().zip(x) {
            for b in 0..self.border {
                (0..W).for_each(|w| x[w] -= reach[b] * z[(b, w)]);
            }
        }
        for (b, row) in rest.iter_mut().enumerate() {
            (0..W).for_each(|w| row[w] = z[(b, w)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    const N: usize = 31;

    /// A ring in which each unknown couples to the three on either side, and its dense twin.
    fn sample() -> (RingLdl<3>, DMatrix<f64>) {
        let mut ring = RingLdl::<3>::default();
        ring.reset(N, 3);
        let mut dense = DMatrix::zeros(N, N);
        for i in 0..N {
            ring.add(i, i, 8.0 + (i as f64).sin());
            dense[(i, i)] += 8.0 + (i as f64).sin();
            for step in 1..=3 {
                let (j, value) = ((i + step) % N, ((5 * i + step) as f64).cos());
                ring.add(i, j, value);
                dense[(i, j)] += value;
                dense[(j, i)] += value;
            }
        }
        (ring, dense)
    }

    #[test]
    fn a_ring_is_solved_and_multiplied_as_its_dense_twin() {
        let (mut ring, mut dense) = sample();
        let x = DVector::from_fn(N, |i, _| ((i * i) as f64).sin());
        let mut y = vec![0.0; N];
        ring.multiply_add(x.as_slice(), &mut y);
        assert!((&dense * &x - DVector::from_vec(y)).amax() < 1e-13);
        for k in [4, N - 2] {
            ring.isolate(k);
            dense.row_mut(k).fill(0.0);
            dense.column_mut(k).fill(0.0);
            dense[(k, k)] = 1.0;
        }
        assert!((0..N).all(|i| (0..N).all(|j| ring.get(i, j) == dense[(i, j)])));
        ring.factor().unwrap();
        for first in [0, 9, N - 1] {
            let rhs = DVector::from_fn(N, |i, _| if i < first { 0.0 } else { 1.0 + i as f64 });
            let mut solved: Vec<[f64; 1]> = rhs.iter().map(|&r| [r]).collect();
            ring.solve(&mut solved, first);
            let expected = dense.clone().lu().solve(&rhs).unwrap();
            let off = (0..N)
                .map(|i| (solved[i][0] - expected[i]).abs())
                .fold(0.0, f64::max);
            assert!(off < 1e-13, "{off}");
        }
    }

    #[test]
    fn an_indefinite_ring_is_refused() {
        let (mut ring, _) = sample();
        ring.add(N - 1, N - 1, -20.0);
        assert!(ring.factor().is_err());
    }
}
