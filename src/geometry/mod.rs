//! Layer 1, shapes: what things look like and where they are, without mechanics.

mod motion;
mod shape;

pub use motion::{Key, Motion};
pub use shape::Shape;
