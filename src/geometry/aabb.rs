//! Boxes along the axes.

use nalgebra::{Point3, Vector3};

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lowest corner, m.
    pub low: Point3<f64>,
    /// Highest corner, m.
    pub high: Point3<f64>,
}

impl Aabb {
    /// The smallest box around these points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Point3<f64>>) -> Self {
        let empty = Self {
            low: Point3::from([f64::INFINITY; 3]),
            high: Point3::from([f64::NEG_INFINITY; 3]),
        };
        points.into_iter().fold(empty, |b, p| Self {
            low: b.low.inf(p),
            high: b.high.sup(p),
        })
    }

    /// Larger by `margin` on every side.
    pub fn grown(self, margin: f64) -> Self {
        let m = Vector3::repeat(margin);
        Self {
            low: self.low - m,
            high: self.high + m,
        }
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            low: self.low.inf(&other.low),
            high: self.high.sup(&other.high),
        }
    }

    /// Whether two boxes have a point in common.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|c| self.low[c] <= other.high[c] && other.low[c] <= self.high[c])
    }

    /// Whether all of another box lies within.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|c| self.low[c] <= other.low[c] && other.high[c] <= self.high[c])
    }

    /// Square of the distance to another box, m²; zero where they overlap.
    #[inline]
    pub fn distance_squared(&self, other: &Self) -> f64 {
        let apart = |c: usize| {
            let gap = (self.low[c] - other.high[c]).max(other.low[c] - self.high[c]);
            gap.max(0.0)
        };
        let (x, y, z) = (apart(0), apart(1), apart(2));
        x * x + y * y + z * z
    }
}
