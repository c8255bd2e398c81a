//! What contact detection sees of the world: thick segments and solids, with their velocities. It cannot tell what
//! model a strand follows, nor what a solid is for.

use nalgebra::{Isometry3, Point3, Vector3};

use super::Shape;

/// One straight piece of a strand: a capsule whose two ends move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentProxy {
    /// Index of the strand.
    pub body: u32,
    /// Index of the piece along it.
    pub element: u32,
    /// Whether it is the last piece of an open strand.
    pub last: bool,
    /// Pieces of a closed strand; 0 for an open one.
    pub ring: u32,
    /// Its ends, m.
    pub ends: [Point3<f64>; 2],
    /// Velocities of its ends as far as they are foreseen, m/s.
    pub velocities: [Vector3<f64>; 2],
    /// Radius, m.
    pub radius_m: f64,
}

impl SegmentProxy {
    /// How many pieces on the other one of the same strand is, the shorter way around a ring.
    pub fn pieces_apart(&self, other: &SegmentProxy) -> u32 {
        let apart = self.element.abs_diff(other.element);
        if self.ring > 0 {
            apart.min(self.ring - apart)
        } else {
            apart
        }
    }
}

/// One solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidProxy {
    /// Index of the solid.
    pub solid: u32,
    /// Its shape in its own frame.
    pub shape: Shape,
    /// Its pose at the start of the step.
    pub world_from_body: Isometry3<f64>,
    /// Velocity of its origin, m/s.
    pub linear_m_s: Vector3<f64>,
    /// Angular velocity, rad/s, world frame.
    pub angular_rad_s: Vector3<f64>,
}

impl SolidProxy {
    /// Velocity of the solid at a point of the world, m/s.
    pub fn velocity_at(&self, point: &Point3<f64>) -> Vector3<f64> {
        self.linear_m_s
            + self
                .angular_rad_s
                .cross(&(point.coords - self.world_from_body.translation.vector))
    }
}

/// Everything that can touch.
#[derive(Clone, Debug, Default)]
pub struct ProxySet {
    /// Pieces of strands, by strand and then along it.
    pub segments: Vec<SegmentProxy>,
    /// Solids.
    pub solids: Vec<SolidProxy>,
}
