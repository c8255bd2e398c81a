//! Layer 0, arithmetic: knows nothing of strands.

pub mod banded;
pub mod block_lu;
pub mod block_sparse;
pub mod dense_ldl;
pub mod frame;
pub mod plain;
pub mod polynomial;
pub mod quadrature;
pub mod ring;
pub mod root;
pub mod sparse;
pub mod sparse_factor;
pub mod wide;

pub use banded::BandedLdl;
pub use block_lu::BlockLu;
pub use block_sparse::BlockMatrix;
pub use dense_ldl::DenseLdl;
pub use ring::RingLdl;
pub use sparse::SparseMatrix;
pub use sparse_factor::SparseFactor;

/// The larger of two numbers; not-a-number, unlike with `f64::max`, if one of them is.
#[inline]
pub fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
