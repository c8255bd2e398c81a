//! Layer 2b, where bodies touch. It sees a [`ProxySet`], never bodies.

mod against_mesh;
mod against_solids;
mod among_solids;
mod neighbours;
mod on_solid;
pub mod passing;
mod segments;
mod smooth;

use nalgebra::{Matrix3, Point3, Vector3};
use serde::{Deserialize, Serialize};

use crate::geometry::{Place, ProxySet};
use crate::math::frame::orthonormalise;

pub use segments::SegmentDetector;
pub use smooth::SmoothDetector;

/// Contacts are kept from this share of the radius on, besides what the relative speed asks for: impulses of other
/// contacts may push strands together that are not foreseen to approach.
const MARGIN_OVER_RADIUS: f64 = 0.25;

/// How contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectorKind {
    /// Straight segments between the nodes.
    Segments,
    /// The smooth curves that strands are: forces without jumps.
    Smooth,
}

impl DetectorKind {
    /// Every detector, for lists and panels.
    pub const ALL: [DetectorKind; 2] = [DetectorKind::Segments, DetectorKind::Smooth];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DetectorKind::Segments => "segments",
            DetectorKind::Smooth => "smooth",
        }
    }

    /// What it is, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            DetectorKind::Segments => "straight pieces between the nodes; fast",
            DetectorKind::Smooth => "smooth curves; forces without jumps as strands slide",
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
    /// Where along it.
    pub place: Place,
    /// From the centreline to the surface point, m.
    pub offset: Vector3<f64>,
}

/// A place on a solid that touches something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidSide {
    /// Index of the solid.
    pub solid: u32,
    /// The point of its surface, m.
    pub point: Point3<f64>,
    /// How fast it takes along what sticks to it there, m/s; where it is free to move, that is only foreseen.
    pub velocity: Vector3<f64>,
}

/// One side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// A strand.
    Strand(StrandSide),
    /// A solid.
    Solid(SolidSide),
}

impl Side {
    /// The strand, if it is one.
    pub fn strand(&self) -> Option<&StrandSide> {
        match self {
            Side::Strand(side) => Some(side),
            Side::Solid(_) => None,
        }
    }

    /// The solid, if it is one.
    pub fn solid(&self) -> Option<&SolidSide> {
        match self {
            Side::Solid(side) => Some(side),
            Side::Strand(_) => None,
        }
    }
}

/// Names a contact across steps: which pieces touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// The first: a strand, or a solid above [`ContactKey::SOLIDS`].
    pub body: u32,
    /// The second, likewise.
    pub partner: u32,
    /// Proxy of the first.
    pub feature: u32,
    /// Proxy of the second; 0 for a solid that a strand touches.
    pub partner_feature: u32,
    /// Which of the contacts that the two may have.
    pub slot: u32,
}

impl ContactKey {
    /// From here on they are solids.
    pub const SOLIDS: u32 = 1 << 31;
    /// At the closest points; further ones are so many times [`Self::SLOTS`] more.
    pub const CLOSEST: u32 = 0;
    /// At the first's start; further marks along it are so many times [`Self::SLOTS`] more.
    pub const MARK: u32 = 1;
    /// At the second's start, likewise.
    pub const PARTNER_MARK: u32 = 2;
    /// At the end of an open strand.
    pub const FREE_END: u32 = 3;
    /// Number of kinds of slots.
    pub const SLOTS: u32 = 4;
}

/// Two surfaces that touch, or may within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Its name.
    pub key: ContactKey,
    /// The side the normal points to; a strand, if any of the two is.
    pub a: Side,
    /// The other.
    pub b: Side,
    /// Middle between the surfaces, m.
    pub point: Point3<f64>,
    /// Columns: normal from b to a, and two tangents. The direct triple in which W, b and r are written.
    pub basis: Matrix3<f64>,
    /// Distance of the surfaces, m; negative where they overlap.
    pub gap: f64,
    /// The smaller radius of the two, m; of solids, a share of their size.
    pub radius_m: f64,
    /// How fast the gap of two bodies that pass each other on curved surfaces opens ever faster by itself, m/s²: its second
    /// derivative with the velocities foreseen.
    pub bend_m_s2: f64,
}

/// A contact's axes: the normal and two tangents, the first as far as possible along `along`.
pub(crate) fn basis(normal: &Vector3<f64>, along: &Vector3<f64>) -> Matrix3<f64> {
    let first = orthonormalise(along, normal);
    Matrix3::from_columns(&[*normal, first, normal.cross(&first)])
}

/// Finds contacts of strands.
pub trait Detector {
    /// Writes the contacts that exist or may come about within `dt_s`, sorted by key.
    fn detect(&mut self, proxies: &ProxySet, dt_s: f64, self_contact: bool, out: &mut Vec<Contact>);
}

/// Both detectors with their memory: which one works may change at any time.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    segments: SegmentDetector,
    smooth: SmoothDetector,
    solids: among_solids::SolidDetector,
}

impl Detection {
    /// [`Detector::detect`] with the detector of this kind, and the contacts among solids after those of strands.
    pub fn detect(
        &mut self,
        kind: DetectorKind,
        proxies: &ProxySet,
        dt_s: f64,
        self_contact: bool,
        out: &mut Vec<Contact>,
    ) {
        let detector: &mut dyn Detector = match kind {
            DetectorKind::Segments => &mut self.segments,
            DetectorKind::Smooth => &mut self.smooth,
        };
        detector.detect(proxies, dt_s, self_contact, out);
        // What cannot move does not touch what cannot move.
        out.retain(|contact| gives_way(proxies, &contact.a) || gives_way(proxies, &contact.b));
        self.solids.detect(proxies, dt_s, out);
    }

    /// Time spent on which boxes overlap since this was last asked, ms.
    pub fn broad_ms(&mut self) -> f64 {
        self.segments.broad.take_spent_ms()
            + self.smooth.broad.take_spent_ms()
            + self.solids.broad.take_spent_ms()
    }
}

/// Whether a side can move.
fn gives_way(proxies: &ProxySet, side: &Side) -> bool {
    match side {
        Side::Strand(side) => !proxies.is_fixed(side.body),
        Side::Solid(side) => proxies.is_free(side.solid),
    }
}
