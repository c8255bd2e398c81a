//! Square sparse matrices of 3 × 3 blocks, row by row, columns rising.
//!
//! A full matrix stores every block. A symmetric one stores those on and right of the diagonal; what lies left of it
//! is read from its mirror image, transposed:
//!
//! ```text
//!   row i   columns  [ j₀  j₁ | i  j₃ ]
//!           blocks     ↑   ↑   own  own          W_{i j₀} = W_{j₀ i}ᵀ
//!                    mirror
//! ```

use nalgebra::{Matrix3, Vector3};

/// A square block-sparse matrix. Every row has its diagonal block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMatrix {
    /// Bounds of each row in `columns`.
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// Place of each row's diagonal entry in `columns`.
    diagonal: Vec<usize>,
    symmetric: bool,
    /// Symmetric: bounds of each row's own blocks; and for every entry left of the diagonal its mirror image, else 0.
    own_starts: Vec<usize>,
    mirror: Vec<u32>,
    /// Symmetric, while rows are added: the next entry of each row that still wants a mirror image.
    next: Vec<usize>,
    blocks: Vec<Matrix3<f64>>,
}

impl BlockMatrix {
    /// Empties the matrix, keeping the memory; it will be full.
    pub fn clear(&mut self) {
        self.reset(false);
    }

    /// Empties the matrix, keeping the memory; it will be symmetric.
    pub fn clear_symmetric(&mut self) {
        self.reset(true);
    }

    fn reset(&mut self, symmetric: bool) {
        self.symmetric = symmetric;
        self.starts.clear();
        self.starts.push(0);
        self.own_starts.clear();
        self.own_starts.push(0);
        self.columns.clear();
        self.diagonal.clear();
        self.mirror.clear();
        self.next.clear();
        self.blocks.clear();
    }

    /// Adds a row with zero blocks at these rising columns, which must contain the row's own. The pattern of a
    /// symmetric matrix must be symmetric.
    pub fn push_row(&mut self, columns: impl IntoIterator<Item = u32>) {
        if self.starts.is_empty() {
            self.reset(self.symmetric);
        }
        let row = self.diagonal.len() as u32;
        let begin = self.columns.len();
        self.columns.extend(columns);
        debug_assert!(self.columns[begin..].is_sorted());
        let at = self.columns[begin..].binary_search(&row);
        let diagonal = begin + at.expect("a row contains its diagonal block");
        self.close_row(begin, diagonal);
        self.blocks.resize(self.own_end(), Matrix3::zeros());
    }

    /// Adds a row of these blocks, columns rising, the row's own among them. Only for full matrices.
    pub fn push_filled_row(&mut self, row: impl IntoIterator<Item = (u32, Matrix3<f64>)>) {
        assert!(
            !self.symmetric,
            "rows of a symmetric matrix are filled later"
        );
        if self.starts.is_empty() {
            self.reset(false);
        }
        let (own, begin) = (self.diagonal.len() as u32, self.columns.len());
        let mut diagonal = None;
        for (column, block) in row {
            if column == own {
                diagonal = Some(self.columns.len());
            }
            self.columns.push(column);
            self.blocks.push(block);
        }
        self.close_row(begin, diagonal.expect("a row contains its diagonal block"));
    }

    /// Adds the blocks of row `i` of another matrix whose columns `place` keeps, under the columns that it names, which
    /// rise as the old ones do; the row's own is among them. Only for full matrices.
    pub fn push_part_of_row(&mut self, from: &Self, i: usize, place: impl Fn(u32) -> Option<u32>) {
        let entries = from.starts[i]..from.starts[i + 1];
        let kept = entries.filter_map(|k| Some((place(from.columns[k])?, k)));
        self.push_filled_row(kept.map(|(column, k)| (column, from.block(i, k))));
    }

    /// Registers the entries from `begin` on as a row.
    fn close_row(&mut self, begin: usize, diagonal: usize) {
        let row = self.diagonal.len() as u32;
        self.diagonal.push(diagonal);
        self.starts.push(self.columns.len());
        if !self.symmetric {
            return;
        }
        for k in begin..diagonal {
            // Rows come in order, so the entries of row j right of its diagonal are met in order, too.
            let j = self.columns[k] as usize;
            let at = self.next[j];
            assert_eq!(self.columns[at], row, "the pattern is not symmetric");
            self.next[j] += 1;
            self.mirror
                .push((self.own_starts[j] + at - self.diagonal[j]) as u32);
        }
        self.mirror.resize(self.columns.len(), 0);
        self.next.push(diagonal + 1);
        let own = self.columns.len() - diagonal;
        self.own_starts.push(self.own_end() + own);
    }

    /// Blocks stored so far.
    fn own_end(&self) -> usize {
        if self.symmetric {
            self.own_starts.last().copied().unwrap_or(0)
        } else {
            self.columns.len()
        }
    }

    /// From dense blocks, `rows[i][j]`.
    pub fn from_dense(rows: &[Vec<Matrix3<f64>>]) -> Self {
        let mut matrix = Self::default();
        for row in rows {
            matrix.push_filled_row((0..).zip(row.iter().copied()));
        }
        matrix
    }

    /// The same matrix in symmetric storage, where it is symmetric to rounding; else itself.
    pub fn into_symmetric(self) -> Self {
        let close = |a: &Matrix3<f64>, b: &Matrix3<f64>| {
            (a - b).amax() <= 4.0 * f64::EPSILON * a.amax().max(b.amax())
        };
        let mirrored = |i: usize, j: u32, block: &Matrix3<f64>| {
            self.get(j as usize, i)
                .is_some_and(|mirror| close(&mirror.transpose(), block))
        };
        let symmetric = !self.symmetric
            && (0..self.len()).all(|i| self.row(i).all(|(j, block)| mirrored(i, j, &block)));
        if !symmetric {
            return self;
        }
        let mut matrix = Self::default();
        matrix.clear_symmetric();
        (0..self.len()).for_each(|i| matrix.push_row(self.columns(i).iter().copied()));
        matrix.fill_rows(|i, _, blocks| {
            let own = self.row(i).filter(|&(j, _)| j as usize >= i);
            blocks
                .iter_mut()
                .zip(own)
                .for_each(|(to, (_, block))| *to = block);
        });
        matrix
    }

    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.diagonal.is_empty()
    }

    /// Whether only one half is stored.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// Number of blocks, mirror images counted.
    pub fn blocks(&self) -> usize {
        self.columns.len()
    }

    /// The diagonal block of row i.
    #[inline]
    pub fn diagonal(&self, i: usize) -> &Matrix3<f64> {
        if self.symmetric {
            &self.blocks[self.own_starts[i]]
        } else {
            &self.blocks[self.diagonal[i]]
        }
    }

    /// Columns of row i.
    #[inline]
    pub fn columns(&self, i: usize) -> &[u32] {
        &self.columns[self.starts[i]..self.starts[i + 1]]
    }

    /// Columns and blocks of row i.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (u32, Matrix3<f64>)> + '_ {
        (self.starts[i]..self.starts[i + 1]).map(move |k| (self.columns[k], self.block(i, k)))
    }

    /// The block at (i, j), if there is one.
    pub fn get(&self, i: usize, j: usize) -> Option<Matrix3<f64>> {
        let at = self.columns(i).binary_search(&(j as u32)).ok()?;
        Some(self.block(i, self.starts[i] + at))
    }

    #[inline]
    fn block(&self, i: usize, entry: usize) -> Matrix3<f64> {
        if !self.symmetric {
            self.blocks[entry]
        } else if entry < self.diagonal[i] {
            self.blocks[self.mirror[entry] as usize].transpose()
        } else {
            self.blocks[self.own_starts[i] + entry - self.diagonal[i]]
        }
    }

    /// Calls `fill` with every row's index, columns and blocks, on as many threads as there are. Of a symmetric matrix
    /// only what is on and right of the diagonal.
    pub fn fill_rows(&mut self, fill: impl Fn(usize, &[u32], &mut [Matrix3<f64>]) + Sync) {
        let Self {
            starts,
            columns,
            diagonal,
            symmetric,
            own_starts,
            blocks,
            ..
        } = self;
        if *symmetric {
            let right = |i: usize| &columns[diagonal[i]..starts[i + 1]];
            let fill = |i: usize, blocks: &mut [Matrix3<f64>]| fill(i, right(i), blocks);
            fill_range(own_starts, blocks, 0, &fill);
        } else if !starts.is_empty() {
            let whole = |i: usize| &columns[starts[i]..starts[i + 1]];
            let fill = |i: usize, blocks: &mut [Matrix3<f64>]| fill(i, whole(i), blocks);
            fill_range(starts, blocks, 0, &fill);
        }
    }

    /// Σⱼ Wᵢⱼ xⱼ.
    #[inline]
    pub fn row_times(&self, i: usize, x: &[Vector3<f64>]) -> Vector3<f64> {
        let (begin, end) = (self.starts[i], self.starts[i + 1]);
        if !self.symmetric {
            let entries = self.columns[begin..end]
                .iter()
                .zip(&self.blocks[begin..end]);
            return entries.fold(Vector3::zeros(), |sum, (&j, block)| {
                sum + block * x[j as usize]
            });
        }
        let diagonal = self.diagonal[i];
        let left = self.columns[begin..diagonal]
            .iter()
            .zip(&self.mirror[begin..diagonal]);
        let sum = left.fold(Vector3::zeros(), |sum, (&j, &at)| {
            sum + self.blocks[at as usize].tr_mul(&x[j as usize])
        });
        let own = &self.blocks[self.own_starts[i]..self.own_starts[i + 1]];
        let right = self.columns[diagonal..end].iter().zip(own);
        right.fold(sum, |sum, (&j, block)| sum + block * x[j as usize])
    }
}

/// Rows that one thread fills at a stretch.
const ROWS_PER_TASK: usize = 16;

/// Fills the rows that `starts` bounds; `blocks` are theirs alone.
fn fill_range(
    starts: &[usize],
    blocks: &mut [Matrix3<f64>],
    first_row: usize,
    fill: &(impl Fn(usize, &mut [Matrix3<f64>]) + Sync),
) {
    let rows = starts.len().saturating_sub(1);
    if rows > ROWS_PER_TASK {
        let middle = rows / 2;
        let (left, right) = blocks.split_at_mut(starts[middle] - starts[0]);
        rayon::join(
            || fill_range(&starts[..=middle], left, first_row, fill),
            || fill_range(&starts[middle..], right, first_row + middle, fill),
        );
        return;
    }
    for (k, bounds) in starts.windows(2).enumerate() {
        let own = &mut blocks[bounds[0] - starts[0]..bounds[1] - starts[0]];
        fill(first_row + k, own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_what_was_put_there() {
        let mut matrix = BlockMatrix::default();
        matrix.push_row([0, 2]);
        matrix.push_row([1]);
        matrix.push_row([0, 2]);
        matrix.fill_rows(|i, columns, blocks| {
            for (&j, block) in columns.iter().zip(blocks) {
                *block = Matrix3::from_element((10 * i + j as usize) as f64);
            }
        });
        assert_eq!(matrix.diagonal(2)[(0, 0)], 22.0);
        let x = [Vector3::x(), Vector3::y(), Vector3::z() * 2.0];
        assert_eq!(matrix.row_times(0, &x), Vector3::repeat(4.0));
        assert_eq!(matrix.row_times(1, &x), Vector3::repeat(11.0));
        assert_eq!(matrix.row_times(2, &x), Vector3::repeat(20.0 + 44.0));
        let unchanged = matrix.clone().into_symmetric();
        assert!(!unchanged.is_symmetric(), "20 is not 2");
    }

    #[test]
    fn every_row_is_filled_once_however_many_there_are() {
        let mut matrix = BlockMatrix::default();
        (0..100_u32).for_each(|i| matrix.push_row(i.saturating_sub(i % 3)..=i));
        matrix.fill_rows(|i, columns, blocks| {
            assert_eq!(columns.last(), Some(&(i as u32)));
            blocks
                .iter_mut()
                .for_each(|block| block[(0, 0)] += i as f64);
        });
        for i in 0..100 {
            assert_eq!(matrix.row(i).count(), i % 3 + 1);
            assert!(matrix.row(i).all(|(_, block)| block[(0, 0)] == i as f64));
        }
    }

    #[test]
    fn half_a_matrix_acts_as_the_whole() {
        // W = Σ over pairs of neighbours on a ring, and a chord.
        let block = |i: u32, j: u32| {
            let (low, high) = (i.min(j), i.max(j));
            let entry = |p, q| f64::from(17 * low + 5 * high + 3 * p as u32 + 7 * q as u32).sin();
            let whole = Matrix3::from_fn(entry);
            match i.cmp(&j) {
                std::cmp::Ordering::Less => whole,
                std::cmp::Ordering::Greater => whole.transpose(),
                std::cmp::Ordering::Equal => whole + whole.transpose(),
            }
        };
        let n = 40;
        let mut full = BlockMatrix::default();
        for i in 0..n {
            let mut columns = vec![i, (i + 1) % n, (i + n - 1) % n, (n - 1) - i];
            columns.sort_unstable();
            columns.dedup();
            full.push_filled_row(columns.into_iter().map(|j| (j, block(i, j))));
        }
        let half = full.clone().into_symmetric();
        assert!(half.is_symmetric() && half.blocks() == full.blocks());
        assert_eq!(half.blocks.len(), (full.blocks.len() + n as usize) / 2);
        let x: Vec<_> = (0..n)
            .map(|i| Vector3::new(1.0, f64::from(i), -0.5))
            .collect();
        for i in 0..n as usize {
            assert!(half.row(i).eq(full.row(i)));
            assert_eq!(half.diagonal(i), full.diagonal(i));
            assert!((half.row_times(i, &x) - full.row_times(i, &x)).amax() < 1e-13);
        }
    }
}
