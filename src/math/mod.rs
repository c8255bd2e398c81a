//! Layer 0, arithmetic.
