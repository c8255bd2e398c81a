//! A = L U for sparse matrices of 3 × 3 blocks: A_ik = Σ_j L_ij U_jk, with L_kk = 1.
//!
//! The pattern is made symmetric and ordered by minimum degree, blocks are eliminated in that order without pivoting
//! between them, left-looking:
//!
//! ```text
//!   column k  ←  A_·k − Σ_{j<k} L_·j U_jk          j: the columns whose pattern contains k
//!   row    k  ←  A_k· − Σ_{j<k} L_kj U_j·
//! ```
//!
//! Ordering and pattern are found once; factoring allocates nothing. On patterns of a few hundred contacts this is ten
//! to forty times faster than a scalar sparse LU with pivoting, which spends its time on indices. The price is that a
//! pivot block may vanish: the caller checks the residual.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use nalgebra::{Matrix3, Vector3};

use super::{BlockMatrix, wide};

/// A block, columns padded to four numbers: what wide registers hold.
type Padded = [[f64; 4]; 3];

/// Where a block of A goes.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Pivot(u32),
    Lower(u32),
    Upper(u32),
}

/// The factorisation with its pattern and workspace.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    /// order[k]: the row of A that is eliminated k-th; `place` is the inverse.
    order: Vec<usize>,
    place: Vec<usize>,
    /// Pattern of L below the diagonal, column by column (equal to that of U, row by row), rising.
    starts: Vec<usize>,
    rows: Vec<u32>,
    /// For each k the columns j < k whose pattern contains k, and where.
    row_starts: Vec<usize>,
    row_entries: Vec<(u32, u32)>,
    /// Where each block of A goes, in the order in which A stores them.
    slots: Vec<Slot>,
    lower: Vec<Padded>,
    upper: Vec<Padded>,
    /// U_kk, then its inverse.
    pivots: Vec<Matrix3<f64>>,
    /// Scratch: slot of each row within the column at hand.
    at: Vec<u32>,
    x: Vec<Vector3<f64>>,
}

impl BlockLu {
    /// Finds the ordering and the pattern of the factors.
    pub fn analyse(&mut self, matrix: &BlockMatrix) {
        self.find_order(matrix);
        self.find_pattern(matrix);
        self.index_rows();
        self.index_blocks(matrix);
        let n = self.order.len();
        self.at.clear();
        self.at.resize(n, 0);
        self.x.clear();
        self.x.resize(n, Vector3::zeros());
    }

    /// Products of two blocks that one factorisation takes.
    pub fn work(&self) -> f64 {
        let columns = self
            .starts
            .windows(2)
            .map(|pair| (pair[1] - pair[0]) as f64);
        columns.map(|count| (count + 1.0) * (count + 1.0)).sum()
    }

    fn find_order(&mut self, matrix: &BlockMatrix) {
        let n = matrix.len();
        let (mut starts, mut rows) = (vec![0_usize], Vec::with_capacity(matrix.blocks()));
        for i in 0..n {
            rows.extend(matrix.columns(i).iter().map(|&j| j as usize));
            starts.push(rows.len());
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        self.order.clear();
        self.order.extend(0..n);
        self.place.clear();
        self.place.extend(0..n);
        let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, rows.len()));
        let ordered = amd::order(
            &mut self.order,
            &mut self.place,
            pattern,
            amd::Control::default(),
            MemStack::new(&mut memory),
        );
        if ordered.is_err() {
            // The natural order is slower, not wrong.
            (0..n).for_each(|i| (self.order[i], self.place[i]) = (i, i));
        }
    }

    /// Pattern of each column: A's own, and what its children in the elimination tree hand on.
    fn find_pattern(&mut self, matrix: &BlockMatrix) {
        let n = self.order.len();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
        for i in 0..n {
            for &j in matrix.columns(i) {
                let (a, b) = (self.place[i], self.place[j as usize]);
                if a != b {
                    columns[a.min(b)].push(a.max(b) as u32);
                }
            }
        }
        self.starts.clear();
        self.starts.push(0);
        self.rows.clear();
        for k in 0..n {
            columns[k].sort_unstable();
            columns[k].dedup();
            let column = std::mem::take(&mut columns[k]);
            if let Some((&parent, rest)) = column.split_first() {
                columns[parent as usize].extend_from_slice(rest);
            }
            self.rows.extend_from_slice(&column);
            self.starts.push(self.rows.len());
        }
    }

    fn index_rows(&mut self) {
        let n = self.order.len();
        self.row_starts.clear();
        self.row_starts.resize(n + 1, 0);
        for &i in &self.rows {
            self.row_starts[i as usize + 1] += 1;
        }
        for i in 0..n {
            self.row_starts[i + 1] += self.row_starts[i];
        }
        self.row_entries.clear();
        self.row_entries.resize(self.rows.len(), (0, 0));
        let mut next = self.row_starts.clone();
        for j in 0..n {
            for slot in self.starts[j]..self.starts[j + 1] {
                let at = &mut next[self.rows[slot] as usize];
                self.row_entries[*at] = (j as u32, slot as u32);
                *at += 1;
            }
        }
    }

    fn index_blocks(&mut self, matrix: &BlockMatrix) {
        self.slots.clear();
        for i in 0..matrix.len() {
            for &j in matrix.columns(i) {
                let (a, b) = (self.place[i], self.place[j as usize]);
                let slot = if a == b {
                    Slot::Pivot(a as u32)
                } else {
                    let column = a.min(b);
                    let range = self.starts[column]..self.starts[column + 1];
                    let within = self.rows[range].partition_point(|&row| (row as usize) < a.max(b));
                    let at = (self.starts[column] + within) as u32;
                    if a > b {
                        Slot::Lower(at)
                    } else {
                        Slot::Upper(at)
                    }
                };
                self.slots.push(slot);
            }
        }
    }

    /// Factors the matrix whose blocks, in the order of the analysed one, are `blocks`; false where a pivot vanishes.
    pub fn factor(&mut self, blocks: impl Iterator<Item = Matrix3<f64>>) -> bool {
        for values in [&mut self.lower, &mut self.upper] {
            values.clear();
            values.resize(self.rows.len(), [[0.0; 4]; 3]);
        }
        self.pivots.clear();
        self.pivots.resize(self.order.len(), Matrix3::zeros());
        for (slot, block) in self.slots.iter().zip(blocks) {
            match *slot {
                Slot::Pivot(k) => self.pivots[k as usize] = block,
                Slot::Lower(at) => self.lower[at as usize] = pad(&block),
                Slot::Upper(at) => self.upper[at as usize] = pad(&block),
            }
        }
        wide::run(Elimination(self))
    }

    /// Makes column k of L and row k of U.
    #[inline(always)]
    fn eliminate(&mut self, k: usize) -> bool {
        let own = self.starts[k]..self.starts[k + 1];
        for slot in own.clone() {
            self.at[self.rows[slot] as usize] = slot as u32;
        }
        let mut pivot = pad(&self.pivots[k]);
        for entry in self.row_starts[k]..self.row_starts[k + 1] {
            let (j, slot) = self.row_entries[entry];
            let slot = slot as usize;
            let (left, up) = (self.lower[slot], self.upper[slot]);
            subtract_product(&mut pivot, &left, &up);
            for other in slot + 1..self.starts[j as usize + 1] {
                let to = self.at[self.rows[other] as usize] as usize;
                let (below, beyond) = (self.lower[other], self.upper[other]);
                subtract_product(&mut self.lower[to], &below, &up);
                subtract_product(&mut self.upper[to], &left, &beyond);
            }
        }
        let Some(inverse) = unpad(&pivot).try_inverse() else {
            return false;
        };
        self.pivots[k] = inverse;
        let factor = pad(&-inverse);
        for block in &mut self.lower[own] {
            let whole = std::mem::take(block);
            subtract_product(block, &whole, &factor);
        }
        inverse.iter().all(|x| x.is_finite())
    }

    /// Solves A x = b, in place.
    pub fn solve(&mut self, b: &mut [Vector3<f64>]) {
        let n = self.order.len();
        for k in 0..n {
            self.x[k] = b[self.order[k]];
        }
        for k in 0..n {
            let x = self.x[k];
            for slot in self.starts[k]..self.starts[k + 1] {
                self.x[self.rows[slot] as usize] -= times(&self.lower[slot], &x);
            }
        }
        for k in (0..n).rev() {
            let mut x = self.x[k];
            for slot in self.starts[k]..self.starts[k + 1] {
                x -= times(&self.upper[slot], &self.x[self.rows[slot] as usize]);
            }
            self.x[k] = self.pivots[k] * x;
        }
        for k in 0..n {
            b[self.order[k]] = self.x[k];
        }
    }
}

/// The elimination as one piece of work; false where a pivot vanishes.
struct Elimination<'a>(&'a mut BlockLu);

impl wide::Work for Elimination<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        for k in 0..self.0.order.len() {
            if !self.0.eliminate(k) {
                return false;
            }
        }
        true
    }
}

#[inline(always)]
fn pad(block: &Matrix3<f64>) -> Padded {
    std::array::from_fn(|q| [block[(0, q)], block[(1, q)], block[(2, q)], 0.0])
}

#[inline(always)]
fn unpad(block: &Padded) -> Matrix3<f64> {
    Matrix3::from_fn(|p, q| block[q][p])
}

/// to −= a b.
#[inline(always)]
fn subtract_product(to: &mut Padded, a: &Padded, b: &Padded) {
    for (to, b) in to.iter_mut().zip(b) {
        for p in 0..4 {
            to[p] -= a[0][p] * b[0] + a[1][p] * b[1] + a[2][p] * b[2];
        }
    }
}

#[inline(always)]
fn times(a: &Padded, x: &Vector3<f64>) -> Vector3<f64> {
    let at = |p: usize| a[0][p] * x.x + a[1][p] * x.y + a[2][p] * x.z;
    Vector3::new(at(0), at(1), at(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A ring with a few chords, full of asymmetry; some blocks only on one side of the diagonal.
    fn sample(n: u32) -> BlockMatrix {
        let mut matrix = BlockMatrix::default();
        for i in 0..n {
            let mut columns = vec![i, (i + 1) % n, (i + n - 1) % n, (i * i + 3) % n];
            columns.sort_unstable();
            columns.dedup();
            matrix.push_filled_row(columns.into_iter().map(|j| {
                let size = if i == j { 6.0 } else { 0.0 };
                let entry = |p, q| ((17 * i + 5 * j + 3 * p as u32 + 7 * q as u32) as f64).sin();
                (j, Matrix3::identity() * size + Matrix3::from_fn(entry))
            }));
        }
        matrix
    }

    fn blocks(matrix: &BlockMatrix) -> impl Iterator<Item = Matrix3<f64>> {
        (0..matrix.len()).flat_map(|i| matrix.row(i).map(|(_, block)| block))
    }

    #[test]
    fn solves_what_a_dense_factorisation_solves() {
        for n in [1, 2, 3, 40] {
            let matrix = sample(n);
            let mut dense = DMatrix::zeros(3 * n as usize, 3 * n as usize);
            for i in 0..n as usize {
                for (j, block) in matrix.row(i) {
                    dense
                        .fixed_view_mut::<3, 3>(3 * i, 3 * j as usize)
                        .copy_from(&block);
                }
            }
            let b = DVector::from_fn(3 * n as usize, |i, _| (i as f64).cos());
            let expected = dense.lu().solve(&b).unwrap();
            let mut x: Vec<_> = (0..n as usize)
                .map(|i| Vector3::new(b[3 * i], b[3 * i + 1], b[3 * i + 2]))
                .collect();
            let mut lu = BlockLu::default();
            lu.analyse(&matrix);
            assert!(lu.factor(blocks(&matrix)));
            lu.solve(&mut x);
            for (i, x) in x.iter().enumerate() {
                assert!(
                    (x - expected.fixed_rows::<3>(3 * i)).amax() < 1e-12,
                    "{n} {i}"
                );
            }
        }
    }

    #[test]
    fn a_vanishing_pivot_is_reported() {
        let mut matrix = BlockMatrix::default();
        matrix.push_filled_row([(0, Matrix3::zeros())]);
        let mut lu = BlockLu::default();
        lu.analyse(&matrix);
        assert!(!lu.factor(blocks(&matrix)));
    }
}
