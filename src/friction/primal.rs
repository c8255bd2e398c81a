//! The one-step problem before it is reduced to the contacts: find impulses r and velocities v and u with
//!
//! M v = H r + f,  u = Hᵀ v + w,
//!
//! and Coulomb's law between r and u. Eliminating v gives the reduced problem u = W r + b with
//!
//! W = Hᵀ M⁻¹ H,  b = Hᵀ M⁻¹ f + w.
//!
//! This is FCLIB's convention \[Acary14\]: H takes impulses at contacts to impulses on the unknowns, so it is the
//! transpose of the H of [`crate::notation`]. M need not be symmetric. Where M falls apart into bodies, W is sparse:
//! two contacts couple only if they touch a part of M in common.

use nalgebra::Vector3;

use super::Problem;
use crate::math::sparse_factor::Singular;
use crate::math::{BlockMatrix, SparseFactor, SparseMatrix};

/// W is not built if it has more blocks than this (1.2 GB): a sentence is better than a full memory.
const MOST_BLOCKS: usize = 1 << 24;

/// A one-step frictional contact problem in the velocities of the bodies.
#[derive(Clone, Debug, Default)]
pub struct Primal {
    /// Mass matrix M (or what takes its place in an implicit step), kg.
    pub m: SparseMatrix,
    /// Impulses f without contacts, momentum included, N s.
    pub f: Vec<f64>,
    /// H: three columns per contact, normal first.
    pub h: SparseMatrix,
    /// Relative velocities w that no body causes, m/s.
    pub w: Vec<Vector3<f64>>,
    /// Coefficients of friction µ.
    pub mu: Vec<f64>,
}

/// Why a problem cannot be reduced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrimalError {
    /// M has no inverse.
    #[error("M is singular: unknown {0}, or one that M couples it with, can move without inertia")]
    Singular(usize),
    /// The pieces do not fit together.
    #[error("there are {found} {what}, but there should be {wanted}")]
    Size {
        /// The pieces.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The number that fits the others.
        wanted: usize,
    },
    /// W would not fit into memory.
    #[error(
        "the {contacts} contacts couple so densely that W would have more than {MOST_BLOCKS} blocks"
    )]
    TooDense {
        /// Number of contacts.
        contacts: usize,
    },
}

impl From<Singular> for PrimalError {
    fn from(singular: Singular) -> Self {
        Self::Singular(singular.unknown)
    }
}

impl Primal {
    /// The reduced problem: W = Hᵀ M⁻¹ H, b = Hᵀ M⁻¹ f + w.
    pub fn reduce(&self) -> Result<Problem, PrimalError> {
        self.check_sizes()?;
        let factor = SparseFactor::new(&self.m)?;
        let parts = self.parts_of_contacts(&factor);
        let mut w = pattern(&parts, factor.parts())?;
        w.fill_rows(|i, columns, blocks| {
            let reach = Reach::new(self, &factor, &parts[i], i);
            for (&j, block) in columns.iter().zip(blocks) {
                for q in 0..3 {
                    let column = reach.times(self.h.column(3 * j as usize + q), &factor);
                    block.set_column(q, &column);
                }
            }
        });
        let mut v = self.f.clone();
        factor.solve(&mut v);
        Ok(Problem {
            w,
            b: self.relative_velocities(&v),
            mu: self.mu.clone(),
        })
    }

    /// Velocities of the unknowns, v = M⁻¹ (H r + f).
    pub fn body_velocities(&self, r: &[Vector3<f64>]) -> Result<Vec<f64>, PrimalError> {
        self.check_sizes()?;
        check_size("impulses r", r.len(), self.mu.len())?;
        let flat: Vec<f64> = r.iter().flat_map(|r| [r.x, r.y, r.z]).collect();
        let mut v = self.f.clone();
        self.h.add_times(&flat, &mut v);
        SparseFactor::new(&self.m)?.solve(&mut v);
        Ok(v)
    }

    /// u = Hᵀ v + w.
    pub fn relative_velocities(&self, v: &[f64]) -> Vec<Vector3<f64>> {
        let of = |(i, w): (usize, &Vector3<f64>)| {
            w + Vector3::from_fn(|q, _| self.h.column_dot(3 * i + q, v))
        };
        self.w.iter().enumerate().map(of).collect()
    }

    fn check_sizes(&self) -> Result<(), PrimalError> {
        let (unknowns, contacts) = (self.f.len(), self.mu.len());
        check_size("rows of M", self.m.rows(), unknowns)?;
        check_size("columns of M", self.m.columns(), unknowns)?;
        check_size("rows of H", self.h.rows(), unknowns)?;
        check_size("columns of H", self.h.columns(), 3 * contacts)?;
        check_size("velocities w", self.w.len(), contacts)
    }

    /// The parts of M that each contact touches, rising.
    fn parts_of_contacts(&self, factor: &SparseFactor) -> Vec<Vec<usize>> {
        let of = |i: usize| {
            let entries = (3 * i..3 * i + 3).flat_map(|column| self.h.column(column));
            let mut parts: Vec<usize> = entries.map(|(row, _)| factor.place(row).0).collect();
            parts.sort_unstable();
            parts.dedup();
            parts
        };
        (0..self.mu.len()).map(of).collect()
    }
}

fn check_size(what: &'static str, found: usize, wanted: usize) -> Result<(), PrimalError> {
    if found == wanted {
        Ok(())
    } else {
        Err(PrimalError::Size {
            what,
            found,
            wanted,
        })
    }
}

/// W with a zero block wherever two contacts touch a common part.
fn pattern(parts: &[Vec<usize>], number_of_parts: usize) -> Result<BlockMatrix, PrimalError> {
    let mut touching: Vec<Vec<u32>> = vec![Vec::new(); number_of_parts];
    for (i, parts) in parts.iter().enumerate() {
        parts.iter().for_each(|&part| touching[part].push(i as u32));
    }
    // All columns are known before the first block is set aside.
    let (mut all, mut starts) = (Vec::new(), vec![0]);
    for (i, own) in parts.iter().enumerate() {
        let mut columns = vec![i as u32];
        own.iter().for_each(|&part| columns.extend(&touching[part]));
        columns.sort_unstable();
        columns.dedup();
        all.extend(columns);
        starts.push(all.len());
        if all.len() > MOST_BLOCKS {
            let contacts = parts.len();
            return Err(PrimalError::TooDense { contacts });
        }
    }
    let mut w = BlockMatrix::default();
    starts
        .windows(2)
        .for_each(|bounds| w.push_row(all[bounds[0]..bounds[1]].iter().copied()));
    Ok(w)
}

/// Y = M⁻ᵀ Hᵢ, where contact i reaches: so that Wᵢⱼ = Yᵀ Hⱼ.
struct Reach<'a> {
    parts: &'a [usize],
    /// Where the rows of each part start.
    starts: Vec<usize>,
    rows: Vec<Vector3<f64>>,
}

impl<'a> Reach<'a> {
    fn new(primal: &Primal, factor: &SparseFactor, parts: &'a [usize], i: usize) -> Self {
        let mut starts = vec![0];
        for &part in parts {
            starts.push(starts[starts.len() - 1] + factor.size(part));
        }
        let mut reach = Self {
            parts,
            rows: vec![Vector3::zeros(); starts[parts.len()]],
            starts,
        };
        for q in 0..3 {
            for (unknown, h) in primal.h.column(3 * i + q) {
                if let Some(row) = reach.row(factor.place(unknown)) {
                    reach.rows[row][q] = h;
                }
            }
        }
        for (k, &part) in parts.iter().enumerate() {
            let range = reach.starts[k]..reach.starts[k + 1];
            factor.solve_transposed(part, &mut reach.rows[range]);
        }
        reach
    }

    /// Where the row of an unknown is kept; none where contact i does not reach.
    #[inline]
    fn row(&self, (part, place): (usize, usize)) -> Option<usize> {
        let k = self.parts.binary_search(&part).ok()?;
        Some(self.starts[k] + place)
    }

    /// Yᵀ h for a column h of H.
    fn times(&self, h: impl Iterator<Item = (usize, f64)>, factor: &SparseFactor) -> Vector3<f64> {
        h.filter_map(|(unknown, h)| Some(self.rows[self.row(factor.place(unknown))?] * h))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A row of bodies with six unknowns each, each in contact with the next; the first also with the ground.
    fn row_of_bodies(bodies: usize) -> Primal {
        let noise = |a: usize, b: usize| (12.9898 * a as f64 + 78.233 * b as f64).sin();
        let (mut m, mut h) = (Vec::new(), Vec::new());
        for body in 0..bodies {
            for p in 0..6 {
                for q in 0..6 {
                    let own = if p == q { 4.0 } else { 0.0 };
                    let (i, j) = (6 * body + p, 6 * body + q);
                    m.push((i, j, own + 0.5 * noise(i, j)));
                }
                for column in 3 * body..3 * body + 3 {
                    h.push((6 * body + p, column, noise(column, p)));
                    if body > 0 {
                        h.push((6 * body - 6 + p, column, -noise(column, p + 9)));
                    }
                }
            }
        }
        let of = |k: usize| noise(k, 77);
        Primal {
            m: SparseMatrix::from_triplets(6 * bodies, 6 * bodies, m),
            f: (0..6 * bodies).map(of).collect(),
            h: SparseMatrix::from_triplets(6 * bodies, 3 * bodies, h),
            w: (0..bodies)
                .map(|i| Vector3::new(of(i), of(2 * i), of(3 * i)))
                .collect(),
            mu: vec![0.4; bodies],
        }
    }

    fn dense(matrix: &SparseMatrix) -> DMatrix<f64> {
        let mut twin = DMatrix::zeros(matrix.rows(), matrix.columns());
        matrix.entries().for_each(|(i, j, a)| twin[(i, j)] = a);
        twin
    }

    #[test]
    fn reducing_is_what_the_dense_formula_says() {
        let primal = row_of_bodies(7);
        let problem = primal.reduce().unwrap();
        let (m, h) = (dense(&primal.m).lu(), dense(&primal.h));
        let w = h.transpose() * m.solve(&h).unwrap();
        let b = h.transpose() * m.solve(&DVector::from_vec(primal.f.clone())).unwrap();
        for i in 0..7_usize {
            let expected: Vec<u32> = (i.saturating_sub(1)..(i + 2).min(7))
                .map(|j| j as u32)
                .collect();
            assert_eq!(problem.w.columns(i), expected, "only neighbours couple");
            for j in 0..7 {
                let twin = w.fixed_view::<3, 3>(3 * i, 3 * j);
                let block = problem.w.get(i, j);
                let apart = block.map_or(twin.amax(), |block| (block - twin).amax());
                assert!(apart < 1e-13, "block {i} {j}: {apart}");
            }
            let expected = primal.w[i] + b.fixed_rows::<3>(3 * i);
            assert!((problem.b[i] - expected).amax() < 1e-13);
        }
        assert_eq!(problem.mu, primal.mu);
    }

    #[test]
    fn both_forms_give_the_same_relative_velocities() {
        let primal = row_of_bodies(5);
        let r: Vec<_> = (0..5)
            .map(|i| Vector3::new(1.0, 0.1 * i as f64, -0.3))
            .collect();
        let v = primal.body_velocities(&r).unwrap();
        let mut u = Vec::new();
        primal.reduce().unwrap().velocities(&r, &mut u);
        for (u, from_v) in u.iter().zip(primal.relative_velocities(&v)) {
            assert!((u - from_v).amax() < 1e-13);
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let mut primal = row_of_bodies(3);
        primal.mu.push(0.1);
        let error = primal.reduce().unwrap_err().to_string();
        assert_eq!(error, "there are 9 columns of H, but there should be 12");
        let mut primal = row_of_bodies(3);
        let entries = primal.m.entries().filter(|entry| entry.0 != 13).collect();
        primal.m = SparseMatrix::from_triplets(18, 18, entries);
        assert_eq!(primal.reduce().unwrap_err(), PrimalError::Singular(12));
        assert!(primal.body_velocities(&[Vector3::zeros(); 3]).is_err());
    }

    #[test]
    fn a_contact_that_touches_nothing_has_an_empty_block() {
        let mut primal = row_of_bodies(2);
        primal.h = SparseMatrix::from_triplets(12, 6, Vec::new());
        let problem = primal.reduce().unwrap();
        assert_eq!(problem.w.columns(1), [1]);
        assert_eq!(problem.w.diagonal(1).amax(), 0.0);
        assert_eq!(problem.b, primal.w);
    }

    #[test]
    fn too_dense_a_problem_is_refused_before_it_fills_the_memory() {
        let n = 5000;
        let primal = Primal {
            m: SparseMatrix::from_triplets(1, 1, vec![(0, 0, 1.0)]),
            f: vec![0.0],
            h: SparseMatrix::from_triplets(1, 3 * n, (0..3 * n).map(|j| (0, j, 1.0)).collect()),
            w: vec![Vector3::zeros(); n],
            mu: vec![0.5; n],
        };
        let refused = primal.reduce().err();
        assert_eq!(refused, Some(PrimalError::TooDense { contacts: n }));
    }
}
