//! Three-point bending: the force on a support that bends a rod, against theory.
mod rig;
pub use rig::{Rig, SAMPLE, Track};
