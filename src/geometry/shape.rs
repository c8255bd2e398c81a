//! The solids that strands touch, in their own frames. Sizes are in metres.
//!
//! ```text
//!   plane            sphere      capsule        box            cylinder
//!   ^ +y = outward     o        axis = y     centred       axis = y, centred
//!  ─┴───── y = 0                centred
//! ```
//!
//! A mesh has whatever shape its triangles have.

use std::sync::Arc;

use super::TriangleMesh;

/// A solid in its own frame; a pose puts it into the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// The half-space y ≤ 0; its outward normal is +y.
    Plane,
    /// A ball about the origin.
    Sphere {
        /// Radius, m.
        radius_m: f64,
    },
    /// A segment along y, thickened by `radius_m`.
    Capsule {
        /// Radius, m.
        radius_m: f64,
        /// Half the length of the segment, without the caps, m.
        half_length_m: f64,
    },
    /// A box about the origin, its edges along the axes.
    Box {
        /// Half the edge lengths, m.
        half_extents_m: [f64; 3],
    },
    /// A cylinder along y, flat at both ends.
    Cylinder {
        /// Radius, m.
        radius_m: f64,
        /// Half the height, m.
        half_length_m: f64,
    },
    /// A surface of triangles, shared by all that look at it.
    Mesh(Arc<TriangleMesh>),
}
