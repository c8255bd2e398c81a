//! Layer 2b, where bodies touch. It sees a [`ProxySet`], never bodies.

mod against_solids;
pub mod crossing;
mod segments;

use nalgebra::{Matrix3, Point3, Vector3};

use crate::geometry::ProxySet;
use crate::math::frame::orthonormalise;

pub use segments::SegmentDetector;

/// How contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetectorKind {
    /// Straight segments between the nodes.
    Segments,
}

impl DetectorKind {
    /// Every detector, for lists and panels.
    pub const ALL: [DetectorKind; 1] = [DetectorKind::Segments];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DetectorKind::Segments => "segments",
        }
    }

    /// The detector with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A place on a strand that touches something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandSide {
    /// Index of the strand.
    pub body: u32,
    /// Index of the piece.
    pub element: u32,
    /// How far along the piece, 0 to 1.
    pub fraction: f64,
    /// From the centreline to the surface point, m.
    pub offset: Vector3<f64>,
}

/// What a strand touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Partner {
    /// A strand, maybe the same.
    Strand(StrandSide),
    /// A solid.
    Solid {
        /// Its index.
        solid: u32,
        /// Its velocity at the contact point, m/s.
        velocity: Vector3<f64>,
    },
}

/// Names a contact across steps: which pieces touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// The first strand.
    pub body: u32,
    /// The second strand, or the solid above [`ContactKey::SOLIDS`].
    pub partner: u32,
    /// Feature of the first: a piece of a strand against a strand; twice the node, or twice the piece and one, against
    /// a solid.
    pub feature: u32,
    /// Piece of the second; 0 for a solid.
    pub partner_feature: u32,
}

impl ContactKey {
    /// Partners from here on are solids.
    pub const SOLIDS: u32 = 1 << 31;
}

/// Two surfaces that touch, or may within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Its name.
    pub key: ContactKey,
    /// The strand on the side the normal points to.
    pub a: StrandSide,
    /// The other.
    pub b: Partner,
    /// Middle between the surfaces, m.
    pub point: Point3<f64>,
    /// Columns: normal from b to a, and two tangents. The direct triple in which W, b and r are written.
    pub basis: Matrix3<f64>,
    /// Distance of the surfaces, m; negative where they overlap.
    pub gap: f64,
    /// The smaller radius of the two, m.
    pub radius_m: f64,
}

/// A contact's axes: the normal and two tangents, the first as far as possible along `along`.
pub(crate) fn basis(normal: &Vector3<f64>, along: &Vector3<f64>) -> Matrix3<f64> {
    let first = orthonormalise(along, normal);
    Matrix3::from_columns(&[*normal, first, normal.cross(&first)])
}

/// Finds contacts.
pub trait Detector {
    /// Writes the contacts that exist or may come about within `dt_s`, sorted by key.
    fn detect(&mut self, proxies: &ProxySet, dt_s: f64, self_contact: bool, out: &mut Vec<Contact>);
}
