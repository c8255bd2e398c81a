//! Symmetric banded matrices and their factorisation A = L D Lᵀ, without pivoting.
//!
//! A row keeps its lower part, diagonal last, padded on the left:
//!
//! ```text
//!   B = 2      row 0   ·    ·   a00
//!              row 1   ·   a10  a11
//!              row 2  a20  a21  a22
//!              row 3  a31  a32  a33
//! ```

use super::wide;

/// A symmetric matrix with half-bandwidth `B`, or its factor in place: L below the diagonal, D on it.
#[derive(Clone, Debug, Default)]
pub struct BandedLdl<const B: usize> {
    rows: Vec<[f64; 16]>,
}

/// The factorisation met a pivot below its floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallPivot {
    /// Row of the pivot.
    pub row: usize,
}

impl<const B: usize> BandedLdl<B> {
    const FITS: () = assert!(B < 16, "rows are kept in 16 numbers");

    /// Makes this the n × n zero matrix, keeping the memory.
    pub fn reset(&mut self, n: usize) {
        let () = Self::FITS;
        self.rows.clear();
        self.rows.resize(n, [0.0; 16]);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Element (i, j) of the lower part, `j ≤ i ≤ j + B`.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.rows[i][B + j - i]
    }

    /// Element (i, j) of the lower part, `j ≤ i ≤ j + B`.
    #[inline]
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.rows[i][B + j - i]
    }

    /// Element (i, j), either triangle; zero outside the band.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        if i - j > B { 0.0 } else { self.at(i, j) }
    }

    /// y += A x.
    pub fn multiply_add(&self, x: &[f64], y: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate() {
            let first = i.saturating_sub(B);
            let mut sum = row[B] * x[i];
            for j in first..i {
                let a = row[B + j - i];
                sum += a * x[j];
                y[j] += a * x[i];
            }
            y[i] += sum;
        }
    }

    /// Makes this `factor` times `other`, keeping the memory.
    pub fn copy_scaled(&mut self, other: &Self, factor: f64) {
        self.rows.clear();
        self.rows
            .extend(other.rows.iter().map(|row| row.map(|a| a * factor)));
    }

    /// Takes row and column `k` out of the system: zero but for a one on the diagonal.
    pub fn isolate(&mut self, k: usize) {
        self.rows[k] = [0.0; 16];
        for i in k + 1..(k + B + 1).min(self.len()) {
            *self.at_mut(i, k) = 0.0;
        }
        *self.at_mut(k, k) = 1.0;
    }

    /// Factors in place. Every pivot must reach `floor(row)`, or the factorisation stops and the contents are void.
    pub fn factor(&mut self, floor: impl Fn(usize) -> f64) -> Result<(), SmallPivot> {
        for i in 0..self.len() {
            let first = i.saturating_sub(B);
            let (above, here) = self.rows.split_at_mut(i);
            let row = &mut here[0];
            let mut pivot = row[B];
            // First the products L_ij D_j, by substitution against the rows above …
            for j in first..i {
                let other = &above[j];
                let from = first.max(j.saturating_sub(B));
                let mut sum = row[B + j - i];
                for k in from..j {
                    sum -= row[B + k - i] * other[B + k - j];
                }
                row[B + j - i] = sum;
            }
            // … then L itself.
            for j in first..i {
                let product = row[B + j - i];
                let l = product / above[j][B];
                pivot -= product * l;
                row[B + j - i] = l;
            }
            // NaN fails the comparison too.
            if !(pivot.is_finite() && pivot >= floor(i)) {
                return Err(SmallPivot { row: i });
            }
            row[B] = pivot;
        }
        Ok(())
    }

    /// Solves A X = R in place for `W` right-hand sides kept row by row. Rows of R before `first` must be zero.
    pub fn solve<const W: usize>(&self, x: &mut [[f64; W]], first: usize) {
        debug_assert_eq!(x.len(), self.len());
        // The same arithmetic in the same order, in as wide registers as the machine has.
        wide::run(Substitution {
            factors: self,
            x,
            first,
        });
    }

    #[inline(always)]
    fn substitute<const W: usize>(&self, x: &mut [[f64; W]], first: usize) {
        let n = self.len();
        for i in first..n {
            let mut sum = x[i];
            let low = i.saturating_sub(B).max(first);
            for (l, y) in self.rows[i][B + low - i..B].iter().zip(&x[low..i]) {
                subtract(&mut sum, *l, y);
            }
            x[i] = sum;
        }
        for (row, x) in self.rows[first..].iter().zip(&mut x[first..]) {
            let inverse = 1.0 / row[B];
            x.iter_mut().for_each(|x| *x *= inverse);
        }
        for i in (0..n).rev() {
            let mut sum = x[i];
            let high = (i + B + 1).min(n);
            for (k, y) in x[i + 1..high].iter().enumerate() {
                subtract(&mut sum, self.rows[i + 1 + k][B - 1 - k], y);
            }
            x[i] = sum;
        }
    }
}

/// The substitution as one piece of work.
struct Substitution<'a, const B: usize, const W: usize> {
    factors: &'a BandedLdl<B>,
    x: &'a mut [[f64; W]],
    first: usize,
}

impl<const B: usize, const W: usize> wide::Work for Substitution<'_, B, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.factors.substitute(self.x, self.first);
    }
}

/// y −= factor x.
#[inline(always)]
fn subtract<const W: usize>(y: &mut [f64; W], factor: f64, x: &[f64; W]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= factor * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A diagonally dominant band matrix with no structure to speak of, and its dense twin.
    fn sample(n: usize) -> (BandedLdl<3>, DMatrix<f64>) {
        let mut banded = BandedLdl::<3>::default();
        banded.reset(n);
        let mut dense = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in i.saturating_sub(3)..=i {
                let value = if i == j {
                    9.0 + i as f64
                } else {
                    ((7 * i + 3 * j) as f64).sin()
                };
                *banded.at_mut(i, j) = value;
                dense[(i, j)] = value;
                dense[(j, i)] = value;
            }
        }
        (banded, dense)
    }

    #[test]
    fn solve_agrees_with_dense_elimination() {
        let (mut banded, dense) = sample(17);
        let rhs = DMatrix::from_fn(17, 2, |i, j| {
            if i < 4 {
                0.0
            } else {
                ((i + 5 * j) as f64).cos()
            }
        });
        let expected = dense.lu().solve(&rhs).unwrap();
        banded.factor(|_| 1.0).unwrap();
        let mut x: Vec<[f64; 2]> = (0..17).map(|i| [rhs[(i, 0)], rhs[(i, 1)]]).collect();
        banded.solve(&mut x, 4);
        for i in 0..17 {
            assert!((x[i][0] - expected[(i, 0)]).abs() < 1e-14);
            assert!((x[i][1] - expected[(i, 1)]).abs() < 1e-14);
        }
    }

    #[test]
    fn an_isolated_unknown_leaves_the_others_alone() {
        let (mut banded, dense) = sample(9);
        let mut x: Vec<[f64; 1]> = (0..9)
            .map(|i| [if i == 5 { 2.5 } else { i as f64 - 4.0 }])
            .collect();
        banded.isolate(5);
        banded.factor(|_| 0.5).unwrap();
        banded.solve(&mut x, 0);
        assert_eq!(x[5], [2.5]);
        let rest = dense.remove_row(5).remove_column(5);
        let product = rest * DVector::from_iterator(9, x.iter().map(|x| x[0])).remove_row(5);
        let expected = DVector::from_fn(9, |i, _| i as f64 - 4.0).remove_row(5);
        assert!((product - expected).amax() < 1e-13);
    }

    #[test]
    fn product_agrees_with_dense_product() {
        let (banded, dense) = sample(8);
        let x = DVector::from_fn(8, |i, _| (i as f64).exp());
        let mut y = vec![0.0; 8];
        banded.multiply_add(x.as_slice(), &mut y);
        assert!((dense * x - DVector::from_vec(y)).amax() < 1e-10);
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let (mut banded, _) = sample(6);
        *banded.at_mut(4, 4) = -1.0;
        assert_eq!(banded.factor(|_| 1e-3), Err(SmallPivot { row: 4 }));
    }
}
