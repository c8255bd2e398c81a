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

    /// Adds the lower part of a small block to consecutive rows and columns from `first` on.
    #[inline]
    pub fn add_block<const N: usize>(&mut self, first: usize, block: &[[f64; N]; N]) {
        for (i, (row, values)) in self.rows[first..first + N]
            .iter_mut()
            .zip(block)
            .enumerate()
        {
            for (a, value) in row[B - i..=B].iter_mut().zip(values) {
                *a += value;
            }
        }
    }

    /// y += A x.
    pub fn multiply_add(&self, x: &[f64], y: &mut [f64]) {
        wide::run(Product { matrix: self, x, y });
    }

    #[inline(always)]
    fn product(&self, x: &[f64], y: &mut [f64]) {
        let n = self.len();
        for i in 0..n.min(B) {
            let row = &self.rows[i];
            for j in 0..i {
                y[i] += row[B + j - i] * x[j];
                y[j] += row[B + j - i] * x[i];
            }
            y[i] += row[B] * x[i];
        }
        // Where a row is whole, its length is known and the loops unroll.
        for i in B..n {
            let (row, here) = (&self.rows[i], x[i]);
            let (x, y) = (&x[i - B..i], &mut y[i - B..=i]);
            let mut sum = row[B] * here;
            for k in 0..B {
                sum += row[k] * x[k];
                y[k] += row[k] * here;
            }
            y[B] += sum;
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

    /// Factors in place. Every pivot must reach `floor`, or the factorisation stops and the contents are void.
    pub fn factor(&mut self, floor: f64) -> Result<(), SmallPivot> {
        wide::run(Factorisation {
            matrix: self,
            floor,
        })
    }

    /// Pivot by pivot, each taken at once from the square behind it: short, independent rows for wide registers, where
    /// a sum along the band would wait for itself.
    #[inline(always)]
    fn eliminate(&mut self, floor: f64) -> Result<(), SmallPivot> {
        let n = self.len();
        for k in 0..n {
            let pivot = self.rows[k][B];
            // NaN fails the comparison too.
            if !(pivot.is_finite() && pivot >= floor) {
                return Err(SmallPivot { row: k });
            }
            let inverse = 1.0 / pivot;
            let behind = B.min(n - 1 - k);
            let mut column = [0.0; 16];
            for (m, row) in self.rows[k + 1..k + 1 + behind].iter().enumerate() {
                column[m] = row[B - 1 - m];
            }
            for (m, row) in self.rows[k + 1..k + 1 + behind].iter_mut().enumerate() {
                let l = column[m] * inverse;
                for (a, c) in row[B - m..=B].iter_mut().zip(&column) {
                    *a -= l * c;
                }
                row[B - 1 - m] = l;
            }
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

    /// Solves A x = r in place for one right-hand side.
    pub fn solve_one(&self, x: &mut [f64]) {
        debug_assert_eq!(x.len(), self.len());
        wide::run(OneColumn { factors: self, x });
    }

    /// With one column a sum along a row would wait for itself: it is taken in four parts, and on the way back each
    /// unknown is taken from all those before it at once.
    #[inline(always)]
    fn substitute_one(&self, x: &mut [f64]) {
        let n = self.len();
        for i in 1..n {
            let low = i.saturating_sub(B);
            let mut parts = [0.0; 4];
            for (k, (l, y)) in self.rows[i][B + low - i..B]
                .iter()
                .zip(&x[low..i])
                .enumerate()
            {
                parts[k % 4] += l * y;
            }
            x[i] -= (parts[0] + parts[1]) + (parts[2] + parts[3]);
        }
        for (row, x) in self.rows.iter().zip(x.iter_mut()) {
            *x /= row[B];
        }
        for i in (1..n).rev() {
            let low = i.saturating_sub(B);
            let (before, here) = x.split_at_mut(i);
            let row = &self.rows[i][B + low - i..B];
            for (y, l) in before[low..].iter_mut().zip(row) {
                *y -= l * here[0];
            }
        }
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

/// The factorisation as one piece of work.
struct Factorisation<'a, const B: usize> {
    matrix: &'a mut BandedLdl<B>,
    floor: f64,
}

impl<const B: usize> wide::Work for Factorisation<'_, B> {
    type Output = Result<(), SmallPivot>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.matrix.eliminate(self.floor)
    }
}

/// The product as one piece of work.
struct Product<'a, const B: usize> {
    matrix: &'a BandedLdl<B>,
    x: &'a [f64],
    y: &'a mut [f64],
}

impl<const B: usize> wide::Work for Product<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.matrix.product(self.x, self.y);
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

/// The substitution of one column as one piece of work.
struct OneColumn<'a, const B: usize> {
    factors: &'a BandedLdl<B>,
    x: &'a mut [f64],
}

impl<const B: usize> wide::Work for OneColumn<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.factors.substitute_one(self.x);
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
        banded.factor(1.0).unwrap();
        let mut x: Vec<[f64; 2]> = (0..17).map(|i| [rhs[(i, 0)], rhs[(i, 1)]]).collect();
        banded.solve(&mut x, 4);
        let mut one: Vec<f64> = (0..17).map(|i| rhs[(i, 1)]).collect();
        banded.solve_one(&mut one);
        for i in 0..17 {
            assert!((one[i] - expected[(i, 1)]).abs() < 1e-14);
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
        banded.factor(0.5).unwrap();
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
        assert_eq!(banded.factor(1e-3), Err(SmallPivot { row: 4 }));
    }
}
