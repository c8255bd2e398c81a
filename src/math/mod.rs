//! Layer 0, arithmetic: knows nothing of strands.

pub mod banded;
pub mod block_lu;
pub mod block_sparse;
pub mod frame;
pub mod polynomial;
pub mod sparse;
pub mod sparse_factor;
pub mod wide;

pub use banded::BandedLdl;
pub use block_lu::BlockLu;
pub use block_sparse::BlockMatrix;
pub use sparse::SparseMatrix;
pub use sparse_factor::SparseFactor;
