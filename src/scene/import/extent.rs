//! How far a thing reaches, and from where all of it is seen.

use nalgebra::{Point3, UnitQuaternion, Vector3};

/// Vertical field of view of the camera, degrees.
pub(super) const FOV_DEG: f64 = 40.0;
/// Some room around what is seen.
const ROOM: f64 = 1.05;

/// A box around points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub low: Point3<f64>,
    pub high: Point3<f64>,
}

impl Extent {
    /// Around some points, each turned and then scaled; none without points.
    pub fn around<'a>(
        points: impl IntoIterator<Item = &'a Point3<f64>>,
        turn: UnitQuaternion<f64>,
        scale: f64,
    ) -> Option<Self> {
        let boxes = points.into_iter().map(|point| {
            let point = turn * point * scale;
            Self {
                low: point,
                high: point,
            }
        });
        boxes.reduce(|a, b| a.with(&b))
    }

    /// Around both.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            low: self.low.inf(&other.low),
            high: self.high.sup(&other.high),
        }
    }

    /// Along each axis.
    pub fn size(&self) -> Vector3<f64> {
        self.high - self.low
    }

    /// Along the axis where it is largest.
    pub fn largest(&self) -> f64 {
        self.size().max()
    }

    /// All lengths times `scale`.
    pub fn scaled(&self, scale: f64) -> Self {
        Self {
            low: self.low * scale,
            high: self.high * scale,
        }
    }

    /// Where to look from, and at what, so that all is in view.
    pub fn eye_and_target(&self) -> ([f64; 3], [f64; 3]) {
        let target = nalgebra::center(&self.low, &self.high);
        let distance = ROOM * 0.5 * self.size().norm() / (0.5 * FOV_DEG).to_radians().sin();
        let eye = target + Vector3::new(0.42, 0.25, 0.9).normalize() * distance;
        (eye.into(), target.into())
    }
}
