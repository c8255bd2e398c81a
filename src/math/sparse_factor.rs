//! A⁻¹ of a sparse matrix that may fall apart: after reordering A = diag(A₁, A₂, …), and each part is factored on its
//! own, Aₖ = LU.
//!
//! The mass matrix of many bodies is of this kind: unknowns of different bodies never meet in it. The parts are the
//! connected components of the graph that joins i and j where aᵢⱼ ≠ 0. Rows and columns are first scaled by powers of
//! two, which costs no digit, so that metres and radians do not look like a singular matrix.

use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use nalgebra::Vector3;

use super::SparseMatrix;

/// Up to this many unknowns a dense factorisation is the faster one.
const DENSE_UP_TO: usize = 100;
/// A scaled matrix whose inverse is larger than this leaves fewer than three digits of sixteen: as good as singular.
const LARGEST_INVERSE: f64 = 1e13;

/// A is singular, or so nearly that its inverse means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular in the part of unknown {unknown}")]
pub struct Singular {
    /// An unknown of the part that has no inverse.
    pub unknown: usize,
}

/// The factors of a square matrix, part by part.
#[derive(Clone, Debug)]
pub struct SparseFactor {
    parts: Vec<Part>,
    /// Of every unknown: its part, and its place therein.
    places: Vec<(usize, usize)>,
}

/// R Aₖ C = LU, with R and C diagonal.
#[derive(Clone, Debug)]
struct Part {
    unknowns: Vec<usize>,
    row_scales: Vec<f64>,
    column_scales: Vec<f64>,
    factor: Factor,
}

#[derive(Clone, Debug)]
enum Factor {
    Dense(PartialPivLu<f64>),
    Sparse(Lu<usize, f64>),
}

impl SparseFactor {
    /// Factors a square matrix.
    pub fn new(matrix: &SparseMatrix) -> Result<Self, Singular> {
        let groups = components(matrix);
        let mut places = vec![(0, 0); matrix.rows()];
        for (part, unknowns) in groups.iter().enumerate() {
            for (place, &unknown) in unknowns.iter().enumerate() {
                places[unknown] = (part, place);
            }
        }
        let parts = groups
            .into_iter()
            .map(|unknowns| Part::new(matrix, unknowns, &places))
            .collect::<Result<_, _>>()?;
        Ok(Self { parts, places })
    }

    /// Part and place of an unknown.
    #[inline]
    pub fn place(&self, unknown: usize) -> (usize, usize) {
        self.places[unknown]
    }

    /// Number of unknowns of a part.
    #[inline]
    pub fn size(&self, part: usize) -> usize {
        self.parts[part].unknowns.len()
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// A⁻¹ b, in place of b.
    pub fn solve(&self, b: &mut [f64]) {
        for part in &self.parts {
            let mut x = Mat::from_fn(part.unknowns.len(), 1, |k, _| {
                part.row_scales[k] * b[part.unknowns[k]]
            });
            part.factor.solve(&mut x);
            for (k, &unknown) in part.unknowns.iter().enumerate() {
                b[unknown] = part.column_scales[k] * x[(k, 0)];
            }
        }
    }

    /// Aₖ⁻ᵀ B for three columns at once, in place of the rows of B.
    pub fn solve_transposed(&self, part: usize, b: &mut [Vector3<f64>]) {
        let part = &self.parts[part];
        let mut x = Mat::from_fn(b.len(), 3, |k, column| part.column_scales[k] * b[k][column]);
        part.factor.solve_transposed(&mut x);
        for (k, b) in b.iter_mut().enumerate() {
            *b = Vector3::new(x[(k, 0)], x[(k, 1)], x[(k, 2)]) * part.row_scales[k];
        }
    }
}

impl Part {
    fn new(
        matrix: &SparseMatrix,
        unknowns: Vec<usize>,
        places: &[(usize, usize)],
    ) -> Result<Self, Singular> {
        let size = unknowns.len();
        let mut entries: Vec<(usize, usize, f64)> = unknowns
            .iter()
            .flat_map(|&unknown| matrix.column(unknown).map(move |(i, a)| (i, unknown, a)))
            .map(|(i, j, a)| (places[i].1, places[j].1, a))
            .collect();
        let singular = Singular {
            unknown: unknowns[0],
        };
        let row_scales = scales(size, entries.iter().map(|&(i, _, a)| (i, a)));
        entries
            .iter_mut()
            .for_each(|(i, _, a)| *a *= row_scales[*i]);
        let column_scales = scales(size, entries.iter().map(|&(_, j, a)| (j, a)));
        entries
            .iter_mut()
            .for_each(|(_, j, a)| *a *= column_scales[*j]);
        let factor = Factor::new(size, entries).ok_or(singular)?;
        if factor.inverse_at_least(size) >= LARGEST_INVERSE {
            return Err(singular);
        }
        Ok(Self {
            unknowns,
            row_scales,
            column_scales,
            factor,
        })
    }
}

impl Factor {
    /// None where no pivot can be found.
    fn new(size: usize, entries: Vec<(usize, usize, f64)>) -> Option<Self> {
        if size <= DENSE_UP_TO {
            let mut matrix = Mat::<f64>::zeros(size, size);
            entries.iter().for_each(|&(i, j, a)| matrix[(i, j)] = a);
            return Some(Self::Dense(matrix.partial_piv_lu()));
        }
        let SparseMatrix {
            starts,
            row_indices,
            values,
            ..
        } = SparseMatrix::from_triplets(size, size, entries);
        let pattern = SymbolicSparseColMat::new_checked(size, size, starts, None, row_indices);
        let ordering = SymbolicLu::try_new(pattern.as_ref()).ok()?;
        let matrix = SparseColMatRef::new(pattern.as_ref(), &values);
        let factor = Lu::try_new_with_symbolic(ordering, matrix).ok()?;
        Some(Self::Sparse(factor))
    }

    fn solve(&self, x: &mut Mat<f64>) {
        match self {
            Self::Dense(factor) => factor.solve_in_place(x),
            Self::Sparse(factor) => factor.solve_in_place(x),
        }
    }

    fn solve_transposed(&self, x: &mut Mat<f64>) {
        match self {
            Self::Dense(factor) => factor.solve_transpose_in_place(x),
            Self::Sparse(factor) => factor.solve_transpose_in_place(x),
        }
    }

    /// A lower bound of |A⁻¹|∞, close where it matters: two steps of inverse iteration from scattered signs. Infinite
    /// where a pivot vanished.
    fn inverse_at_least(&self, size: usize) -> f64 {
        let sign = |k: usize| {
            // The multiplier of Fibonacci hashing; one of the upper bits is as good as a coin.
            let odd = (k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60 & 1 == 1;
            if odd { -1.0 } else { 1.0 }
        };
        let mut x = Mat::from_fn(size, 1, |k, _| sign(k));
        self.solve(&mut x);
        let first = largest(&x);
        x.col_as_slice_mut(0).iter_mut().for_each(|x| *x /= first);
        self.solve(&mut x);
        let second = largest(&x);
        first.max(second)
    }
}

/// |x|∞, infinite if any entry is or is NaN.
fn largest(x: &Mat<f64>) -> f64 {
    let size = |x: &f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
    x.col_as_slice(0).iter().map(size).fold(0.0, f64::max)
}

/// Powers of two that bring the largest of each index' numbers to between 1 and 2; 1 where all are 0.
fn scales(size: usize, numbers: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
    let mut most = vec![0.0_f64; size];
    for (k, a) in numbers {
        most[k] = most[k].max(a.abs());
    }
    most.into_iter().map(inverse_power_of_two).collect()
}

/// 2⁻ᵏ for 2ᵏ ≤ x < 2ᵏ⁺¹.
fn inverse_power_of_two(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    // The exponent as stored is k + 1023, so that of the inverse is 2046 − it; 0 and 2047 mean something else.
    let exponent = x.to_bits() >> 52 & 0x7ff;
    f64::from_bits(2046_u64.saturating_sub(exponent).clamp(1, 2045) << 52)
}

/// The connected components of the graph of A + Aᵀ, each rising, in the order of their first unknowns.
fn components(matrix: &SparseMatrix) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..matrix.rows()).collect();
    for (i, j, _) in matrix.entries() {
        let (a, b) = (root(&mut parents, i), root(&mut parents, j));
        // The smaller one leads, so that a root is the first of its component.
        parents[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![0; parents.len()];
    for k in 0..parents.len() {
        let first = root(&mut parents, k);
        if first == k {
            group_of[k] = groups.len();
            groups.push(Vec::new());
        }
        groups[group_of[first]].push(k);
    }
    groups
}

/// The root of k; halves the path on the way.
fn root(parents: &mut [usize], mut k: usize) -> usize {
    while parents[k] != k {
        parents[k] = parents[parents[k]];
        k = parents[k];
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Three bodies whose unknowns are interleaved: sizes n, n and 1; not symmetric.
    fn interleaved(n: usize) -> SparseMatrix {
        let size = 2 * n + 1;
        let mut entries = vec![(2 * n, 2 * n, 7e-9)];
        for k in 0..2 * n {
            let unit = if k % 2 == 0 { 1.0 } else { 1e-6 };
            entries.push((k, k, unit * (3.0 + (k as f64).sin())));
            if k + 2 < 2 * n {
                entries.push((k + 2, k, -unit));
                entries.push((k, k + 2, 0.5 * unit));
            }
        }
        SparseMatrix::from_triplets(size, size, entries)
    }

    fn dense(matrix: &SparseMatrix) -> DMatrix<f64> {
        let mut twin = DMatrix::zeros(matrix.rows(), matrix.columns());
        matrix.entries().for_each(|(i, j, a)| twin[(i, j)] = a);
        twin
    }

    #[test]
    fn the_parts_are_found_and_solved_as_the_whole() {
        for n in [4, 2 * DENSE_UP_TO] {
            let matrix = interleaved(n);
            let factor = SparseFactor::new(&matrix).unwrap();
            assert_eq!(factor.parts(), 3);
            assert_eq!((factor.size(0), factor.size(1), factor.size(2)), (n, n, 1));
            let b = DVector::from_fn(2 * n + 1, |k, _| 1.0 + (k as f64).cos());
            let twin = dense(&matrix);
            let expected = twin.clone().lu().solve(&b).unwrap();
            let mut x = b.as_slice().to_vec();
            factor.solve(&mut x);
            for (x, expected) in x.iter().zip(&expected) {
                assert!((x / expected - 1.0).abs() < 1e-12, "{x} for {expected}");
            }
            let rhs: Vec<usize> = (0..n).map(|k| 2 * k + 1).collect();
            let mut y: Vec<_> = rhs
                .iter()
                .map(|&k| Vector3::new(b[k], -b[k], 0.0))
                .collect();
            factor.solve_transposed(1, &mut y);
            let expected = twin.transpose().lu().solve(&b).unwrap();
            for (y, &k) in y.iter().zip(&rhs) {
                let wanted = Vector3::new(expected[k], -expected[k], 0.0);
                assert!((y - wanted).norm() < 1e-12 * wanted.norm());
            }
        }
    }

    #[test]
    fn singular_parts_are_named() {
        let singular = |size, entries| {
            let matrix = SparseMatrix::from_triplets(size, size, entries);
            SparseFactor::new(&matrix).err().map(|error| error.unknown)
        };
        assert_eq!(singular(2, vec![(0, 0, 1.0)]), Some(1), "an empty row");
        assert_eq!(
            singular(
                3,
                vec![
                    (0, 0, 1.0),
                    (1, 1, 0.1),
                    (1, 2, 0.2),
                    (2, 1, 0.3),
                    (2, 2, 0.6)
                ]
            ),
            Some(1),
            "rank one, up to round-off"
        );
        assert_eq!(
            singular(2, vec![(0, 0, 1e9), (1, 1, 1e-9)]),
            None,
            "mere units"
        );
        assert_eq!(
            singular(2, vec![(0, 1, 1e9), (1, 0, 1e-9)]),
            None,
            "nothing on the diagonal"
        );
        // A chain of springs that nothing holds: sparse, and singular only as a whole.
        let n = 3 * DENSE_UP_TO;
        let mut chain = Vec::new();
        for k in 1..n {
            chain.extend([
                (k - 1, k - 1, 1.1),
                (k, k, 1.1),
                (k - 1, k, -1.1),
                (k, k - 1, -1.1),
            ]);
        }
        assert_eq!(singular(n, chain.clone()), Some(0));
        chain.push((5, 5, 1e-3));
        assert_eq!(singular(n, chain.clone()), None, "held at one place");
        chain.retain(|entry| entry.1 != 7);
        assert_eq!(singular(n, chain), Some(0), "an empty column");
    }

    #[test]
    fn scales_are_powers_of_two() {
        for (x, scale) in [(1.0, 1.0), (3.0, 0.5), (0.3, 4.0), (0.0, 1.0)] {
            assert_eq!(inverse_power_of_two(x), scale);
        }
        for x in [f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            let scale = inverse_power_of_two(x);
            assert!(scale > 0.0 && scale.is_finite(), "{x}");
        }
    }
}
