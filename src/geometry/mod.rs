//! Layer 1, shapes: what things look like and where they are, without mechanics.

pub mod aabb;
pub mod broad;
pub mod curve;
pub mod distance;
pub mod grid;
pub mod hull;
pub mod knot;
pub mod mesh;
mod motion;
pub mod moving_solid;
pub mod piece_distance;
mod proxy;
pub mod ray;
pub mod segment;
mod shape;

pub use aabb::Aabb;
pub use curve::Curve;
pub use hull::{Hull, Mass};
pub use mesh::TriangleMesh;
pub use motion::{Key, Motion, Swing, TurnKey};
pub use proxy::{
    Along, CurveProxy, Place, ProxySet, Sections, SegmentProxy, Site, SolidProxy, SurfacePlace,
};
pub use ray::Ray;
pub use shape::Shape;
