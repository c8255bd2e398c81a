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

    /// From dense blocks, `rows[i][j]`.
    pub fn from_dense(rows: &[Vec<Matrix3<f64>>]) -> Self {
        let mut matrix = Self::default();
        for row in rows {
            matrix.push_row(0..rows.len() as u32);
            let last = matrix.blocks.len() - row.len();
            matrix.blocks[last..].copy_from_slice(row);
        }
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

    /// All rows, to be filled at the same time from several threads: index, columns, blocks.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = (usize, &[u32], &mut [Matrix3<f64>])> {
        let mut columns = self.columns.as_slice();
        let mut blocks = self.blocks.as_mut_slice();
        self.starts.windows(2).enumerate().map(move |(i, bounds)| {
            let count = bounds[1] - bounds[0];
            let (these_columns, columns_left) = columns.split_at(count);
            let (these_blocks, blocks_left) = std::mem::take(&mut blocks).split_at_mut(count);
            (columns, blocks) = (columns_left, blocks_left);
            (i, these_columns, these_blocks)
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_what_was_put_there() {
        let mut matrix = BlockMatrix::default();
        matrix.push_row([0, 2]);
        matrix.push_row([1]);
        matrix.push_row([0, 2]);
        for (i, columns, blocks) in matrix.rows_mut() {
            for (&j, block) in columns.iter().zip(blocks) {
                *block = Matrix3::from_element((10 * i + j as usize) as f64);
            }
        }
        assert_eq!(matrix.diagonal(2)[(0, 0)], 22.0);
        let x = [Vector3::x(), Vector3::y(), Vector3::z() * 2.0];
        assert_eq!(matrix.row_times(0, &x), Vector3::repeat(4.0));
        assert_eq!(matrix.row_times(1, &x), Vector3::repeat(11.0));
        assert_eq!(matrix.row_times(2, &x), Vector3::repeat(20.0 + 44.0));
    }
}
