//! Sparse matrices of plain numbers, A = Σ aᵢⱼ eᵢ eⱼᵀ, stored column by column, rows rising.

/// A sparse matrix. No entry is stored twice, and none that is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseMatrix {
    rows: usize,
    pub(super) starts: Vec<usize>,
    pub(super) row_indices: Vec<usize>,
    pub(super) values: Vec<f64>,
}

impl SparseMatrix {
    /// From entries (i, j, aᵢⱼ) in any order; those of one place are added up, in the order given.
    ///
    /// # Panics
    ///
    /// If an entry lies outside the matrix.
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        mut triplets: Vec<(usize, usize, f64)>,
    ) -> Self {
        assert!(
            triplets.iter().all(|&(i, j, _)| i < rows && j < columns),
            "an entry lies outside the matrix"
        );
        triplets.sort_by_key(|&(i, j, _)| (j, i));
        triplets.dedup_by(|later, kept| {
            let same = (later.0, later.1) == (kept.0, kept.1);
            if same {
                kept.2 += later.2;
            }
            same
        });
        triplets.retain(|entry| entry.2 != 0.0);
        let mut starts = vec![0; columns + 1];
        for &(_, j, _) in &triplets {
            starts[j + 1] += 1;
        }
        for j in 0..columns {
            starts[j + 1] += starts[j];
        }
        Self {
            rows,
            starts,
            row_indices: triplets.iter().map(|entry| entry.0).collect(),
            values: triplets.iter().map(|entry| entry.2).collect(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Rows and values of column j.
    #[inline]
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[j]..self.starts[j + 1];
        let rows = self.row_indices[range.clone()].iter().copied();
        rows.zip(self.values[range].iter().copied())
    }

    /// Every entry (i, j, aᵢⱼ), column by column.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.columns()).flat_map(|j| self.column(j).map(move |(i, a)| (i, j, a)))
    }

    /// y + A x.
    pub fn add_times(&self, x: &[f64], y: &mut [f64]) {
        for (i, j, a) in self.entries() {
            y[i] += a * x[j];
        }
    }

    /// eⱼᵀ Aᵀ x, the entry j of Aᵀ x.
    #[inline]
    pub fn column_dot(&self, j: usize, x: &[f64]) -> f64 {
        self.column(j).map(|(i, a)| a * x[i]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_one_place_add_up_and_zeros_vanish() {
        let entries = vec![
            (1, 2, 1.0),
            (0, 0, 2.0),
            (1, 2, 3.0),
            (1, 0, 5.0),
            (1, 0, -5.0),
        ];
        let a = SparseMatrix::from_triplets(2, 3, entries);
        assert_eq!((a.rows(), a.columns()), (2, 3));
        assert_eq!(
            a.entries().collect::<Vec<_>>(),
            [(0, 0, 2.0), (1, 2, 4.0)],
            "in order, once each"
        );
        let mut y = [1.0, 1.0];
        a.add_times(&[3.0, 9.0, 0.5], &mut y);
        assert_eq!(y, [7.0, 3.0]);
        assert_eq!(a.column_dot(2, &[9.0, 0.5]), 2.0);
    }
}
