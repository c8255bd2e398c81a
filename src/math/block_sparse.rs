//! Square sparse matrices of 3 × 3 blocks, stored row by row, columns rising.

use nalgebra::{Matrix3, Vector3};

/// A square block-sparse matrix. Every row has its diagonal block.
#[derive(Clone, Debug, Default)]
pub struct BlockMatrix {
    starts: Vec<usize>,
    columns: Vec<u32>,
    diagonal: Vec<usize>,
    blocks: Vec<Matrix3<f64>>,
}

impl BlockMatrix {
    /// Empties the matrix, keeping the memory.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
        self.diagonal.clear();
        self.blocks.clear();
    }

    /// Adds a row with zero blocks at these rising columns, which must contain the row's own.
    pub fn push_row(&mut self, columns: impl IntoIterator<Item = u32>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let row = self.diagonal.len() as u32;
        let begin = self.columns.len();
        self.columns.extend(columns);
        debug_assert!(self.columns[begin..].is_sorted());
        let at = self.columns[begin..].binary_search(&row);
        self.diagonal
            .push(begin + at.expect("a row contains its diagonal block"));
        self.starts.push(self.columns.len());
        self.blocks.resize(self.columns.len(), Matrix3::zeros());
    }

    /// Adds a row of these blocks, columns rising, the row's own among them.
    pub fn push_filled_row(&mut self, row: impl IntoIterator<Item = (u32, Matrix3<f64>)>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let own = self.diagonal.len() as u32;
        for (column, block) in row {
            if column == own {
                self.diagonal.push(self.columns.len());
            }
            self.columns.push(column);
            self.blocks.push(block);
        }
        assert_eq!(self.diagonal.len(), own as usize + 1, "no diagonal block");
        self.starts.push(self.columns.len());
    }

    /// From dense blocks, `rows[i][j]`.
    pub fn from_dense(rows: &[Vec<Matrix3<f64>>]) -> Self {
        let mut matrix = Self::default();
        for row in rows {
            matrix.push_filled_row((0..).zip(row.iter().copied()));
        }
        matrix
    }

    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of stored blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.diagonal.is_empty()
    }

    /// The diagonal block of row i.
    #[inline]
    pub fn diagonal(&self, i: usize) -> &Matrix3<f64> {
        &self.blocks[self.diagonal[i]]
    }

    /// Columns and blocks of row i.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[Matrix3<f64>]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.columns[range.clone()], &self.blocks[range])
    }

    /// Calls `fill` with every row's index, columns and blocks, on as many threads as there are.
    pub fn fill_rows(&mut self, fill: impl Fn(usize, &[u32], &mut [Matrix3<f64>]) + Sync) {
        fill_range(&self.starts, &self.columns, &mut self.blocks, 0, &fill);
    }

    /// Σⱼ Wᵢⱼ xⱼ.
    #[inline]
    pub fn row_times(&self, i: usize, x: &[Vector3<f64>]) -> Vector3<f64> {
        let (columns, blocks) = self.row(i);
        columns
            .iter()
            .zip(blocks)
            .fold(Vector3::zeros(), |sum, (&j, block)| {
                sum + block * x[j as usize]
            })
    }
}

/// Rows that one thread fills at a stretch.
const ROWS_PER_TASK: usize = 16;

/// Fills the rows that `starts` bounds; `blocks` are theirs alone, `columns` are the whole matrix's.
fn fill_range(
    starts: &[usize],
    columns: &[u32],
    blocks: &mut [Matrix3<f64>],
    first_row: usize,
    fill: &(impl Fn(usize, &[u32], &mut [Matrix3<f64>]) + Sync),
) {
    let rows = starts.len().saturating_sub(1);
    if rows > ROWS_PER_TASK {
        let middle = rows / 2;
        let (left, right) = blocks.split_at_mut(starts[middle] - starts[0]);
        rayon::join(
            || fill_range(&starts[..=middle], columns, left, first_row, fill),
            || fill_range(&starts[middle..], columns, right, first_row + middle, fill),
        );
        return;
    }
    for (k, bounds) in starts.windows(2).enumerate() {
        let own = &mut blocks[bounds[0] - starts[0]..bounds[1] - starts[0]];
        fill(first_row + k, &columns[bounds[0]..bounds[1]], own);
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
            let (columns, blocks) = matrix.row(i);
            assert_eq!((columns.len(), blocks.len()), (i % 3 + 1, i % 3 + 1));
            assert!(blocks.iter().all(|block| block[(0, 0)] == i as f64));
        }
    }
}
