//! Layer 1, shapes: what things look like and where they are, without mechanics.

pub mod aabb;
pub mod broad;
pub mod curve;
pub mod distance;
pub mod grid;
mod motion;
mod proxy;
pub mod segment;
mod shape;

pub use aabb::Aabb;
pub use curve::Curve;
pub use motion::{Key, Motion};
pub use proxy::{CurveProxy, Place, ProxySet, SegmentProxy, Site, SolidProxy};
pub use shape::Shape;
