//! A straight piece, a(t) = m + (t − ½) d.

use nalgebra::{Point3, Vector3};

use super::{Capsule, Jet, Limits};

/// A straight piece; a single point if both ends are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightArc {
    hull: Capsule,
}

impl StraightArc {
    /// The piece between two points.
    pub fn new(from: &Point3<f64>, to: &Point3<f64>) -> Self {
        let half = (to - from) * 0.5;
        Self {
            hull: Capsule {
                centre: from.coords + half,
                half,
                radius: 0.0,
                half_length: half.norm(),
            },
        }
    }

    #[inline]
    pub(super) fn hull(&self) -> &Capsule {
        &self.hull
    }

    #[inline]
    pub(super) fn jet(&self, t: f64) -> Jet {
        Jet {
            point: self.hull.centre + self.hull.half * (2.0 * t - 1.0),
            first: self.hull.half * 2.0,
            second: Vector3::zeros(),
        }
    }

    #[inline]
    pub(super) fn limits(&self) -> Limits {
        Limits {
            first: 2.0 * self.hull.half_length,
            second: 0.0,
            third: 0.0,
            even: true,
        }
    }
}
