//! Layer 5, the window. PLACEHOLDER.
