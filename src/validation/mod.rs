//! Layer 4, proofs.

pub mod bending;
mod page;
pub mod three_point_bending;
pub mod violent_drag;

pub use page::{Check, Page, Rule};
