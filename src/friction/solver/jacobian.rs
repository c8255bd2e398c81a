//! The linear systems of Newton's method over all contacts: (J_x + J_v A) d = −Φ, block by block where W has a block.
//!
//! Factored by blocks without pivoting between them, refined until the residual is small; where that fails, by a
//! sparse LU with pivoting. Few contacts may have the shortest of all solutions instead.

use faer::Mat;
use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::Task;
use crate::friction::Problem;
use crate::math::{BlockLu, BlockMatrix};

/// A direction is good enough for Newton's method when its residual is this share of the right-hand side.
const ACCURACY: f64 = 1e-6;
/// Refinements before pivoting takes over.
const REFINEMENTS: usize = 2;
/// Contacts of which [`Jacobian::solve_shortest`] takes care.
pub const FEW: usize = 4;
/// Singular values below this share of the largest are rounding.
const VANISHING: f64 = 1e-11;
/// Sweeps of the singular value decomposition, which takes a few.
const MOST_SWEEPS: usize = 200;

/// The derivative of one contact's function: by its own x, and by its own v.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// ∂Φ/∂x, what the shift adds included.
    pub by_x: Matrix3<f64>,
    /// ∂Φ/∂v.
    pub by_v: Matrix3<f64>,
}

/// The scale that makes a problem free of units: writes P = 1/√dᵢ, the same for normal and tangents, and returns the
/// unit of impulse c in r = c P x.
pub fn even_scale(task: &Task, scale: &mut Vec<[f64; 2]>) -> f64 {
    scale.clear();
    scale.extend((0..task.problem.len()).map(|i| {
        let s = 1.0 / task.problem.mean_diagonal(i).sqrt();
        [s, s]
    }));
    let largest = scale.iter().map(|s| s[0]).fold(0.0, f64::max);
    (task.scale_m_s * largest).max(f64::MIN_POSITIVE)
}

/// A = P W P, and what factoring needs.
#[derive(Clone, Debug, Default)]
pub struct Jacobian {
    a: BlockMatrix,
    lu: BlockLu,
    correction: Vec<Vector3<f64>>,
}

impl Jacobian {
    /// Takes A from a problem; `scale` is P, for the normal and for the tangents of each contact.
    pub fn prepare(&mut self, problem: &Problem, scale: &[[f64; 2]]) {
        self.a.clear();
        for i in 0..problem.len() {
            let scaled = problem.w.row(i).map(|(j, block)| {
                let factor = |p: usize, q: usize| {
                    scale[i][usize::from(p > 0)] * scale[j as usize][usize::from(q > 0)]
                };
                (j, Matrix3::from_fn(|p, q| block[(p, q)] * factor(p, q)))
            });
            self.a.push_filled_row(scaled);
        }
        self.lu.analyse(&self.a);
    }

    /// Work of one solve, in block products: a product of two blocks is worth three.
    pub fn work(&self) -> f64 {
        3.0 * (2.0 * self.lu.work() + self.a.blocks() as f64)
    }

    /// Solves (J_x + J_v A) d = rhs; false where the matrix is singular.
    pub fn solve(&mut self, own: &[Own], rhs: &[Vector3<f64>], d: &mut Vec<Vector3<f64>>) -> bool {
        d.clear();
        d.extend_from_slice(rhs);
        let factored = self.lu.factor(blocks(&self.a, own).map(|(_, block)| block));
        (factored && self.refine(own, rhs, d)) || self.solve_with_pivoting(own, rhs, d)
    }

    /// The shortest solution, of at most [`FEW`] contacts; false where there is none. Where contacts can be squeezed against
    /// each other without moving anything, it leaves that squeeze as it is.
    pub fn solve_shortest(
        &mut self,
        own: &[Own],
        rhs: &[Vector3<f64>],
        d: &mut Vec<Vector3<f64>>,
    ) -> bool {
        const SIZE: usize = 3 * FEW;
        let mut matrix = SMatrix::<f64, SIZE, SIZE>::zeros();
        for ([i, j], block) in blocks(&self.a, own) {
            matrix
                .fixed_view_mut::<3, 3>(3 * i, 3 * j)
                .copy_from(&block);
        }
        let mut flat = SVector::<f64, SIZE>::zeros();
        for (i, rhs) in rhs.iter().enumerate() {
            flat.fixed_rows_mut::<3>(3 * i).copy_from(rhs);
        }
        let factors = matrix.try_svd(true, true, f64::EPSILON, MOST_SWEEPS);
        let Some(x) = factors.and_then(|svd| {
            let least = VANISHING * svd.singular_values.max();
            svd.solve(&flat, least).ok()
        }) else {
            return false;
        };
        d.clear();
        d.extend((0..rhs.len()).map(|i| x.fixed_rows::<3>(3 * i).into_owned()));
        self.residual(own, rhs, d) <= ACCURACY * flat.amax()
    }

    /// Solves with the factors and corrects until the residual is small; false where it stays large.
    fn refine(&mut self, own: &[Own], rhs: &[Vector3<f64>], d: &mut [Vector3<f64>]) -> bool {
        let size = rhs.iter().fold(0.0_f64, |m, r| m.max(r.amax()));
        self.lu.solve(d);
        for round in 0..=REFINEMENTS {
            let off = self.residual(own, rhs, d);
            // What is not a number is never small.
            if off <= ACCURACY * size {
                return true;
            }
            if round == REFINEMENTS || !off.is_finite() {
                break;
            }
            self.lu.solve(&mut self.correction);
            d.iter_mut()
                .zip(&self.correction)
                .for_each(|(d, c)| *d += c);
        }
        false
    }

    /// Leaves rhs − (J_x + J_v A) d in `correction`; returns its largest entry.
    fn residual(&mut self, own: &[Own], rhs: &[Vector3<f64>], d: &[Vector3<f64>]) -> f64 {
        let a = &self.a;
        self.correction.clear();
        self.correction.extend(
            (0..a.len()).map(|i| rhs[i] - own[i].by_x * d[i] - own[i].by_v * a.row_times(i, d)),
        );
        let largest = |m: f64, r: &Vector3<f64>| if r.amax() <= m { m } else { r.amax() };
        self.correction.iter().fold(0.0, largest)
    }

    /// The slow way, for matrices whose blocks must be eliminated in another order.
    fn solve_with_pivoting(
        &self,
        own: &[Own],
        rhs: &[Vector3<f64>],
        d: &mut [Vector3<f64>],
    ) -> bool {
        let n = self.a.len();
        let mut entries = Vec::with_capacity(9 * self.a.blocks());
        for ([i, j], block) in blocks(&self.a, own) {
            for (k, &value) in block.as_slice().iter().enumerate() {
                entries.push(Triplet::new(3 * i + k % 3, 3 * j + k / 3, value));
            }
        }
        let Ok(matrix) = SparseColMat::try_new_from_triplets(3 * n, 3 * n, &entries) else {
            return false;
        };
        let Ok(lu) = matrix.sp_lu() else {
            return false;
        };
        let mut x = Mat::from_fn(3 * n, 1, |i, _| rhs[i / 3][i % 3]);
        lu.solve_in_place(&mut x);
        for (i, d) in d.iter_mut().enumerate() {
            *d = Vector3::new(x[(3 * i, 0)], x[(3 * i + 1, 0)], x[(3 * i + 2, 0)]);
        }
        d.iter().all(|d| d.iter().all(|x| x.is_finite()))
    }
}

/// The blocks of J_x + J_v A with their row and column, row by row.
fn blocks<'a>(
    a: &'a BlockMatrix,
    own: &'a [Own],
) -> impl Iterator<Item = ([usize; 2], Matrix3<f64>)> + 'a {
    own.iter().enumerate().flat_map(move |(i, own)| {
        a.row(i).map(move |(j, block)| {
            let through = own.by_v * block;
            let j = j as usize;
            ([i, j], if i == j { through + own.by_x } else { through })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain: each contact couples with its neighbours only.
    fn chain(n: usize) -> Problem {
        let mut w = BlockMatrix::default();
        for i in 0..n {
            let columns = i.saturating_sub(1)..(i + 2).min(n);
            w.push_filled_row(columns.map(|j| {
                let size = if i == j { 3.0 } else { 0.5 };
                let rest = Matrix3::from_fn(|p, q| (0.3 * (i + 2 * p + 5 * q) as f64).sin() * 0.2);
                (j as u32, Matrix3::identity() * size + rest)
            }));
        }
        Problem {
            w,
            b: vec![Vector3::zeros(); n],
            mu: vec![0.5; n],
        }
    }

    #[test]
    fn with_and_without_pivoting_agree() {
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
        let (mut fast, mut slow) = (Vec::new(), rhs.clone());
        assert!(jacobian.solve(&own, &rhs, &mut fast));
        assert!(jacobian.solve_with_pivoting(&own, &rhs, &mut slow));
        let apart = (fast.iter().zip(&slow)).fold(0.0_f64, |m, (a, b)| m.max((a - b).amax()));
        assert!(apart < 1e-10, "{apart}");
    }

    /// The matrix of two contacts that act on each other as they are, and on themselves so many times as much.
    fn pair(on_itself: f64) -> (Jacobian, [Own; 2]) {
        let (one, own) = (Matrix3::identity(), Matrix3::identity() * on_itself);
        let mut w = BlockMatrix::default();
        w.push_filled_row([(0, own), (1, one)]);
        w.push_filled_row([(0, one), (1, own)]);
        let problem = Problem {
            w,
            b: vec![Vector3::zeros(); 2],
            mu: vec![0.5; 2],
        };
        let mut jacobian = Jacobian::default();
        jacobian.prepare(&problem, &[[1.0, 1.0]; 2]);
        let sticking = Own {
            by_x: Matrix3::zeros(),
            by_v: one,
        };
        (jacobian, [sticking; 2])
    }

    #[test]
    fn a_matrix_whose_pivots_vanish_is_solved_all_the_same() {
        // Two contacts that only act on each other: both pivot blocks are zero.
        let (mut jacobian, own) = pair(0.0);
        let mut d = Vec::new();
        assert!(jacobian.solve(&own, &[Vector3::x(), Vector3::y()], &mut d));
        assert_eq!(d, [Vector3::y(), Vector3::x()]);
    }

    #[test]
    fn the_shortest_direction_is_that_of_a_singular_matrix_too() {
        // Two contacts that see nothing but the sum of their impulses.
        let (mut jacobian, own) = pair(1.0);
        let (rhs, mut d) = (Vector3::new(1.0, -2.0, 3.0), Vec::new());
        assert!(jacobian.solve_shortest(&own, &[rhs; 2], &mut d));
        assert!(d.iter().all(|d| (d - rhs * 0.5).norm() < 1e-12), "{d:?}");
        assert!(!jacobian.solve_shortest(&own, &[rhs, -rhs], &mut d));
    }
}
