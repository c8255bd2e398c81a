//! Dense symmetric matrices and their factorisation A = Lᵀ D L, without pivoting.
//!
//! Only the lower triangle is kept, row by row. Eliminating the *last* unknown first makes every inner loop run along
//! the beginning of a row,
//!
//! ```text
//!   row i −= (a_ki / d_k) row k      over columns 0 … i, for i < k
//! ```
//!
//! so it fills wide registers. Four unknowns are eliminated together: one load and store of a row serves four products.

use super::wide;

/// Unknowns eliminated together.
const PANEL: usize = 4;
/// A pivot below this share of its diagonal is round-off; it is lifted to it.
const PIVOT_SHARE: f64 = 1e-14;

/// A symmetric matrix, or its factor in place: L below the diagonal.
#[derive(Clone, Debug, Default)]
pub struct DenseLdl {
    n: usize,
    stride: usize,
    a: Vec<f64>,
    /// 1/D of the factor.
    inverse: Vec<f64>,
    /// What a pivot must reach.
    floor: Vec<f64>,
}

/// A pivot was not a positive number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPivot {
    /// Its row.
    pub row: usize,
}

impl DenseLdl {
    /// Makes this an n × n matrix, keeping the memory. Its contents are void until every row is written.
    pub fn reset(&mut self, n: usize) {
        if self.n != n {
            self.n = n;
            self.stride = n.next_multiple_of(8);
            self.a.clear();
            self.a.resize(n * self.stride, 0.0);
            self.inverse.clear();
            self.inverse.resize(n, 0.0);
            self.floor.clear();
            self.floor.resize(n, 0.0);
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Columns 0 … i of row i.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.stride..i * self.stride + i + 1]
    }

    /// Columns 0 … i of row i.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.a[i * self.stride..i * self.stride + i + 1]
    }

    /// Columns 0 … i of rows i, i + 1 and i + 2, which go on for zero, one and two columns.
    #[inline]
    pub fn three_rows_mut(&mut self, i: usize) -> [&mut [f64]; 3] {
        let stride = self.stride;
        let (first, rest) = self.a[i * stride..(i + 3) * stride].split_at_mut(stride);
        let (second, third) = rest.split_at_mut(stride);
        [
            &mut first[..=i],
            &mut second[..=i + 1],
            &mut third[..=i + 2],
        ]
    }

    /// Element (i, j), either triangle.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.row(i.max(j))[i.min(j)]
    }

    /// A += weight x xᵀ; `x` may be shorter than A is wide.
    pub fn add_outer(&mut self, weight: f64, x: &[f64]) {
        for i in 0..x.len() {
            let f = weight * x[i];
            let row = self.row_mut(i);
            for (a, x) in row.iter_mut().zip(x) {
                *a += f * x;
            }
        }
    }

    /// Takes row and column `k` out of the system: zero but for a one on the diagonal.
    pub fn isolate(&mut self, k: usize) {
        self.row_mut(k).fill(0.0);
        for i in k + 1..self.n {
            self.row_mut(i)[k] = 0.0;
        }
        self.row_mut(k)[k] = 1.0;
    }

    /// Factors in place. A positive semi-definite matrix always has a factor; pivots lost to round-off are lifted.
    pub fn factor(&mut self) -> Result<(), BadPivot> {
        for i in 0..self.n {
            self.floor[i] = PIVOT_SHARE * self.a[i * self.stride + i];
        }
        wide::run(Factor {
            of: self,
            lift: true,
        })
    }

    /// Factors in place, if the matrix is safely positive definite: no pivot below `share` of its diagonal element.
    pub fn factor_definite(&mut self, share: f64) -> Result<(), BadPivot> {
        for i in 0..self.n {
            self.floor[i] = share * self.a[i * self.stride + i];
        }
        wide::run(Factor {
            of: self,
            lift: false,
        })
    }

    /// Solves A X = R in place for `W` right-hand sides kept row by row.
    pub fn solve<const W: usize>(&self, x: &mut [[f64; W]]) {
        debug_assert_eq!(x.len(), self.n);
        wide::run(Substitution { factor: self, x });
    }

    /// Solves A x = r in place.
    pub fn solve_one(&self, x: &mut [f64]) {
        debug_assert_eq!(x.len(), self.n);
        wide::run(OneColumn { factor: self, x });
    }

    /// xᵀ A x, from the factor.
    pub fn quadratic(&self, x: &[f64]) -> f64 {
        let square = |k: usize| {
            let row = &self.a[k * self.stride..k * self.stride + k];
            let sum = x[k] + row.iter().zip(x).map(|(l, x)| l * x).sum::<f64>();
            sum * sum / self.inverse[k]
        };
        (0..self.n).map(square).sum()
    }
}

/// The factorisation as one piece of work.
struct Factor<'a> {
    of: &'a mut DenseLdl,
    /// Whether pivots below their floor are lifted; else they are refused.
    lift: bool,
}

impl wide::Work for Factor<'_> {
    type Output = Result<(), BadPivot>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let DenseLdl {
            n,
            stride,
            a,
            inverse,
            floor,
        } = self.of;
        let stride = *stride;
        let mut end = *n;
        while end > 0 {
            let begin = end.saturating_sub(PANEL);
            let (above, panel) = a.split_at_mut(begin * stride);
            for k in (begin..end).rev() {
                let (lower, row) = panel.split_at_mut((k - begin) * stride);
                let row = &row[..=k];
                let refused = !self.lift && row[k] < floor[k];
                let pivot = row[k].max(floor[k]);
                if refused || !(pivot > 0.0 && pivot.is_finite()) {
                    return Err(BadPivot { row: k });
                }
                inverse[k] = 1.0 / pivot;
                for i in begin..k {
                    let f = row[i] * inverse[k];
                    let start = (i - begin) * stride;
                    subtract(&mut lower[start..start + i + 1], f, &row[..=i]);
                }
            }
            if end - begin == PANEL {
                let inv: [f64; PANEL] = std::array::from_fn(|m| inverse[begin + m]);
                eliminate(above, panel, stride, begin, &inv);
            }
            for k in begin..end {
                let start = (k - begin) * stride;
                panel[start..start + k]
                    .iter_mut()
                    .for_each(|l| *l *= inverse[k]);
            }
            end = begin;
        }
        Ok(())
    }
}

/// Takes a whole panel of rows out of the `count` rows above it, two of them at a time.
#[inline(always)]
fn eliminate(
    above: &mut [f64],
    panel: &[f64],
    stride: usize,
    count: usize,
    inverse: &[f64; PANEL],
) {
    let rows: [&[f64]; PANEL] = std::array::from_fn(|m| &panel[m * stride..m * stride + count]);
    let mut i = 0;
    while i < count {
        let factors =
            |i: usize| -> [f64; PANEL] { std::array::from_fn(|m| rows[m][i] * inverse[m]) };
        let f = factors(i);
        if i + 1 == count {
            let row = &mut above[i * stride..i * stride + i + 1];
            let [p, q, r, s] = rows.map(|row| &row[..=i]);
            for j in 0..row.len() {
                row[j] -= (f[0] * p[j] + f[1] * q[j]) + (f[2] * r[j] + f[3] * s[j]);
            }
        } else {
            // The shorter row is run to the length of the longer: the surplus falls on its unused upper triangle.
            let g = factors(i + 1);
            let len = i + 2;
            let (first, second) = above[i * stride..].split_at_mut(stride);
            let (first, second) = (&mut first[..len], &mut second[..len]);
            let [p, q, r, s] = rows.map(|row| &row[..len]);
            for j in 0..len {
                first[j] -= (f[0] * p[j] + f[1] * q[j]) + (f[2] * r[j] + f[3] * s[j]);
                second[j] -= (g[0] * p[j] + g[1] * q[j]) + (g[2] * r[j] + g[3] * s[j]);
            }
        }
        i += 2;
    }
}

/// y −= f x.
#[inline(always)]
fn subtract(y: &mut [f64], f: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= f * x;
    }
}

/// Substitution in many columns as one piece of work.
struct Substitution<'a, const W: usize> {
    factor: &'a DenseLdl,
    x: &'a mut [[f64; W]],
}

impl<const W: usize> wide::Work for Substitution<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { factor, x } = self;
        let (n, stride, a) = (factor.n, factor.stride, &factor.a[..]);
        // A contact moves nothing beyond itself: the last rows of its columns are zero.
        let filled = x
            .iter()
            .rposition(|x| x.iter().any(|&x| x != 0.0))
            .map_or(0, |last| last + 1);
        for i in (0..filled).rev() {
            let mut sum = x[i];
            for (k, y) in x[..filled].iter().enumerate().skip(i + 1) {
                subtract(&mut sum, a[k * stride + i], y);
            }
            x[i] = sum;
        }
        for (x, inverse) in x[..filled].iter_mut().zip(&factor.inverse) {
            x.iter_mut().for_each(|x| *x *= inverse);
        }
        let mut i = 1;
        while i < n {
            // Two rows at a time share what they read.
            let (mut one, row) = (x[i], &a[i * stride..i * stride + i]);
            if i + 1 < n {
                let (mut two, next) = (x[i + 1], &a[(i + 1) * stride..(i + 1) * stride + i + 1]);
                for ((y, l), m) in x[..i].iter().zip(row).zip(next) {
                    subtract(&mut one, *l, y);
                    subtract(&mut two, *m, y);
                }
                x[i] = one;
                subtract(&mut two, next[i], &one);
                x[i + 1] = two;
            } else {
                for (y, l) in x[..i].iter().zip(row) {
                    subtract(&mut one, *l, y);
                }
                x[i] = one;
            }
            i += 2;
        }
    }
}

/// Substitution in one column as one piece of work.
struct OneColumn<'a> {
    factor: &'a DenseLdl,
    x: &'a mut [f64],
}

impl wide::Work for OneColumn<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { factor, x } = self;
        let (n, stride, a) = (factor.n, factor.stride, &factor.a[..]);
        for k in (1..n).rev() {
            let (before, here) = x.split_at_mut(k);
            subtract(before, here[0], &a[k * stride..k * stride + k]);
        }
        for (x, inverse) in x.iter_mut().zip(&factor.inverse) {
            *x *= inverse;
        }
        for i in 1..n {
            let (row, known) = (&a[i * stride..i * stride + i], &x[..i]);
            let mut lanes = [0.0; 8];
            let (rows, row_rest) = row.as_chunks::<8>();
            let (knowns, known_rest) = known.as_chunks::<8>();
            for (l, y) in rows.iter().zip(knowns) {
                for c in 0..8 {
                    lanes[c] += l[c] * y[c];
                }
            }
            let rest: f64 = row_rest.iter().zip(known_rest).map(|(l, y)| l * y).sum();
            let [a, b, c, d, e, f, g, h] = lanes;
            x[i] -= ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A definite matrix with no structure to speak of, and its plain twin.
    fn sample(n: usize) -> (DenseLdl, DMatrix<f64>) {
        let half = DMatrix::from_fn(n, n, |i, j| ((7 * i + 3 * j * j) as f64).sin());
        let plain = &half * half.transpose() + DMatrix::identity(n, n);
        let mut dense = DenseLdl::default();
        dense.reset(n);
        for i in 0..n {
            for j in 0..=i {
                dense.row_mut(i)[j] = plain[(i, j)];
            }
        }
        (dense, plain)
    }

    #[test]
    fn solve_agrees_with_elimination_for_any_size() {
        for n in [1, 2, 3, 4, 5, 8, 11, 30, 67] {
            let (mut dense, plain) = sample(n);
            let rhs = DMatrix::from_fn(n, 3, |i, j| ((i + 5 * j) as f64).cos());
            let expected = plain.clone().lu().solve(&rhs).unwrap();
            dense.factor().unwrap();
            let mut x: Vec<[f64; 3]> = (0..n)
                .map(|i| [rhs[(i, 0)], rhs[(i, 1)], rhs[(i, 2)]])
                .collect();
            dense.solve(&mut x);
            let mut one: Vec<f64> = (0..n).map(|i| rhs[(i, 1)]).collect();
            dense.solve_one(&mut one);
            for i in 0..n {
                for j in 0..3 {
                    assert!((x[i][j] - expected[(i, j)]).abs() < 1e-11, "{n}");
                }
                assert!((one[i] - expected[(i, 1)]).abs() < 1e-11, "{n}");
            }
        }
    }

    #[test]
    fn quadratic_form_of_the_factor_is_that_of_the_matrix() {
        let (mut dense, plain) = sample(11);
        let x = DVector::from_fn(11, |i, _| (i as f64).sin());
        dense.factor().unwrap();
        let expected = x.dot(&(plain * &x));
        assert!((dense.quadratic(x.as_slice()) / expected - 1.0).abs() < 1e-12);
    }

    #[test]
    fn columns_that_end_in_zeros_are_solved_alike() {
        let (mut dense, plain) = sample(13);
        dense.factor().unwrap();
        let rhs = DVector::from_fn(13, |i, _| if i < 6 { 1.0 + i as f64 } else { 0.0 });
        let expected = plain.lu().solve(&rhs).unwrap();
        let mut x: Vec<[f64; 1]> = rhs.iter().map(|&r| [r]).collect();
        dense.solve(&mut x);
        assert!((0..13).all(|i| (x[i][0] - expected[i]).abs() < 1e-12));
    }

    #[test]
    fn an_isolated_unknown_leaves_the_others_alone() {
        let (mut dense, plain) = sample(9);
        dense.isolate(5);
        dense.factor().unwrap();
        let mut x: Vec<f64> = (0..9)
            .map(|i| if i == 5 { 2.5 } else { i as f64 - 4.0 })
            .collect();
        dense.solve_one(&mut x);
        assert_eq!(x[5], 2.5);
        let rest = plain.remove_row(5).remove_column(5);
        let product = rest * DVector::from_vec(x).remove_row(5);
        let expected = DVector::from_fn(9, |i, _| i as f64 - 4.0).remove_row(5);
        assert!((product - expected).amax() < 1e-12);
    }

    #[test]
    fn an_outer_product_is_added_in_place() {
        let (mut dense, plain) = sample(7);
        let x = DVector::from_fn(5, |i, _| i as f64 - 1.5);
        dense.add_outer(0.7, x.as_slice());
        let long = DVector::from_fn(7, |i, _| if i < 5 { x[i] } else { 0.0 });
        let expected = plain + 0.7 * &long * long.transpose();
        assert!((0..7).all(|i| (0..7).all(|j| (dense.get(i, j) - expected[(i, j)]).abs() < 1e-14)));
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        let (mut dense, _) = sample(6);
        dense.row_mut(4)[4] = f64::NAN;
        assert_eq!(dense.factor(), Err(BadPivot { row: 4 }));
    }
}
