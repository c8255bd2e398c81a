//! The linear systems of Newton's method over all contacts: J_x + J_v (A + δ I), block by block where W has a block.
//!
//! Small or full ones are factored dense, others sparse, with one ordering for all iterations.

use faer::Mat;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use nalgebra::{Matrix3, Vector3};

use crate::friction::Problem;

/// Below this many unknowns a dense factorisation is always the faster one.
const DENSE_BELOW: usize = 120;
/// From this share of filled blocks on, too.
const DENSE_FROM: f64 = 0.25;

/// The derivative of one contact's function: by its own x, and by its own v.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// ∂Φ/∂x, what the shift adds included.
    pub by_x: Matrix3<f64>,
    /// ∂Φ/∂v.
    pub by_v: Matrix3<f64>,
}

/// The pattern and the scaled blocks of A = P W P, and what factoring needs.
#[derive(Clone, Debug, Default)]
pub struct Jacobian {
    n: usize,
    /// Blocks column by column: row, and the scaled block.
    columns: Vec<Vec<(usize, Matrix3<f64>)>>,
    sparse: Option<Sparse>,
    values: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Sparse {
    pattern: SymbolicSparseColMat<usize>,
    ordering: SymbolicLu<usize>,
}

impl Jacobian {
    /// Takes A from a problem; `scale` is P, for the normal and for the tangents of each contact.
    pub fn prepare(&mut self, problem: &Problem, scale: &[[f64; 2]]) {
        self.n = problem.len();
        self.columns.iter_mut().for_each(Vec::clear);
        self.columns.resize_with(self.n, Vec::new);
        let mut filled = 0;
        for i in 0..self.n {
            let (columns, blocks) = problem.w.row(i);
            filled += columns.len();
            for (&j, block) in columns.iter().zip(blocks) {
                let factor = |p: usize, q: usize| {
                    scale[i][usize::from(p > 0)] * scale[j as usize][usize::from(q > 0)]
                };
                let scaled = Matrix3::from_fn(|p, q| block[(p, q)] * factor(p, q));
                self.columns[j as usize].push((i, scaled));
            }
        }
        let dense =
            3 * self.n <= DENSE_BELOW || filled as f64 >= DENSE_FROM * (self.n * self.n) as f64;
        self.sparse = if dense { None } else { self.order() };
    }

    /// Pattern and fill-reducing ordering; none where they cannot be had, and then dense it is.
    fn order(&self) -> Option<Sparse> {
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for column in &self.columns {
            for _ in 0..3 {
                rows.extend(column.iter().flat_map(|&(i, _)| 3 * i..3 * i + 3));
                starts.push(rows.len());
            }
        }
        let size = 3 * self.n;
        let pattern = SymbolicSparseColMat::new_checked(size, size, starts, None, rows);
        let ordering = SymbolicLu::try_new(pattern.as_ref()).ok()?;
        Some(Sparse { pattern, ordering })
    }

    /// Solves (J_x + J_v A) d = rhs; none where the matrix is singular.
    pub fn solve(&mut self, own: &[Own], rhs: &[Vector3<f64>]) -> Option<Vec<Vector3<f64>>> {
        let size = 3 * self.n;
        let mut x = Mat::from_fn(size, 1, |i, _| rhs[i / 3][i % 3]);
        match &self.sparse {
            Some(sparse) => {
                self.values.clear();
                for_each_entry(&self.columns, own, |_, _, value| self.values.push(value));
                let matrix = SparseColMatRef::new(sparse.pattern.as_ref(), &self.values);
                Lu::try_new_with_symbolic(sparse.ordering.clone(), matrix)
                    .ok()?
                    .solve_in_place(&mut x);
            }
            None => {
                let mut matrix = Mat::<f64>::zeros(size, size);
                for_each_entry(&self.columns, own, |i, j, value| matrix[(i, j)] = value);
                matrix.partial_piv_lu().solve_in_place(&mut x);
            }
        }
        let d: Vec<_> = (0..self.n)
            .map(|i| Vector3::new(x[(3 * i, 0)], x[(3 * i + 1, 0)], x[(3 * i + 2, 0)]))
            .collect();
        d.iter()
            .all(|d| d.iter().all(|x| x.is_finite()))
            .then_some(d)
    }
}

/// Calls `put` with row, column and value of every entry, column by column.
fn for_each_entry(
    columns: &[Vec<(usize, Matrix3<f64>)>],
    own: &[Own],
    mut put: impl FnMut(usize, usize, f64),
) {
    for (j, column) in columns.iter().enumerate() {
        for q in 0..3 {
            for (i, block) in column {
                let mut entries = own[*i].by_v * block.column(q);
                if *i == j {
                    entries += own[j].by_x.column(q);
                }
                (0..3).for_each(|p| put(3 * i + p, 3 * j + q, entries[p]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::BlockMatrix;

    /// A chain: each contact couples with its neighbours only.
    fn chain(n: usize) -> Problem {
        let mut w = BlockMatrix::default();
        (0..n as u32).for_each(|i| w.push_row(i.saturating_sub(1)..(i + 2).min(n as u32)));
        w.fill_rows(|i, columns, blocks| {
            for (&j, block) in columns.iter().zip(blocks) {
                let size = if i == j as usize { 3.0 } else { 0.5 };
                *block = Matrix3::identity() * size
                    + Matrix3::from_fn(|p, q| (0.3 * (i + 2 * p + 5 * q) as f64).sin() * 0.2);
            }
        });
        Problem {
            w,
            b: vec![Vector3::zeros(); n],
            mu: vec![0.5; n],
        }
    }

    #[test]
    fn sparse_and_dense_factorisations_agree() {
        let n = 80;
        let (problem, scale) = (chain(n), vec![[2.0, 0.7]; n]);
        let own: Vec<Own> = (0..n)
            .map(|i| Own {
                by_x: Matrix3::identity() * (1.0 + (i as f64).cos().abs()),
                by_v: Matrix3::from_fn(|p, q| 0.1 * ((i + 3 * p + q) as f64).sin()),
            })
            .collect();
        let rhs: Vec<_> = (0..n).map(|i| Vector3::new(1.0, i as f64, -0.5)).collect();
        let mut jacobian = Jacobian::default();
        jacobian.prepare(&problem, &scale);
        assert!(jacobian.sparse.is_some());
        let sparse = jacobian.solve(&own, &rhs).unwrap();
        jacobian.sparse = None;
        let dense = jacobian.solve(&own, &rhs).unwrap();
        let apart = sparse
            .iter()
            .zip(&dense)
            .map(|(a, b)| (a - b).amax())
            .fold(0.0, f64::max);
        assert!(apart < 1e-10, "{apart}");
    }
}
