//! Smooth arcs: straight, helical and cubic, and the closest points of two of them.
//!
//! A strand drawn as straight pieces has corners, and a contact that slides over a corner jumps. Super-helices are
//! smooth by themselves; other strands can be drawn with cubics. A [`Curve`] has its parameter t in \[0, 1\]; all
//! derivatives are with respect to t, so that |a′| is the arc length per unit of t.

mod capsule;
mod closest;
mod convex;
mod cubic;
mod found;
mod helix;
mod newton;
mod pieces;
mod straight;
mod stretch;
#[cfg(test)]
pub(crate) mod tests;

use nalgebra::{Matrix3, Point3, Vector3};

use super::Aabb;
pub use capsule::Capsule;
pub use closest::{Closest, Counts, Search};
pub use cubic::CubicArc;
pub use helix::HelixArc;
pub use straight::StraightArc;

/// A smooth arc with its parameter in \[0, 1\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    /// A straight piece.
    Segment(StraightArc),
    /// A piece of a helix.
    Helix(HelixArc),
    /// A cubic polynomial.
    Cubic(CubicArc),
}

/// Where a curve is at some t, and its first two derivatives by t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// The point, m.
    pub point: Vector3<f64>,
    /// First derivative, m.
    pub first: Vector3<f64>,
    /// Second derivative, m.
    pub second: Vector3<f64>,
}

/// Upper bounds of the derivatives of a curve on all of \[0, 1\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// Of |a′|, m: also of the length.
    pub first: f64,
    /// Of |a″|, m.
    pub second: f64,
    /// Of |a‴|, m.
    pub third: f64,
    /// |a′| does not change.
    pub even: bool,
}

impl Curve {
    /// The straight piece between two points.
    pub fn segment(from: Point3<f64>, to: Point3<f64>) -> Self {
        Self::Segment(StraightArc::new(&from, &to))
    }

    /// A single point, for the distance of a curve from it.
    pub fn point_at(point: Point3<f64>) -> Self {
        Self::segment(point, point)
    }

    /// The arc that starts at `start` with the frame `frame` (columns: tangent and two directors) and has the twist and
    /// curvatures `k`, 1/m, along its length. See [`HelixArc::new`].
    pub fn helix(
        start: Point3<f64>,
        frame: &Matrix3<f64>,
        k: &Vector3<f64>,
        length_m: f64,
    ) -> Self {
        Self::Helix(HelixArc::new(&start, frame, k, length_m))
    }

    /// The cubic with these Bézier points.
    pub fn cubic(points: [Point3<f64>; 4]) -> Self {
        Self::Cubic(CubicArc::from_bezier(&points))
    }

    /// What lies between two parameters.
    pub fn part(&self, span: [f64; 2]) -> Self {
        match self {
            Self::Segment(_) => Self::segment(self.point(span[0]), self.point(span[1])),
            Self::Helix(arc) => Self::Helix(arc.part(span)),
            Self::Cubic(arc) => Self::Cubic(arc.part(span)),
        }
    }

    /// Point and derivatives at t.
    #[inline]
    pub fn jet(&self, t: f64) -> Jet {
        match self {
            Self::Segment(arc) => arc.jet(t),
            Self::Helix(arc) => arc.jet(t),
            Self::Cubic(arc) => arc.jet(t),
        }
    }

    /// The jet at t = ½, known beforehand for a helix.
    #[inline]
    pub(super) fn middle(&self) -> Jet {
        match self {
            Self::Helix(arc) => arc.middle(),
            _ => self.jet(0.5),
        }
    }

    /// The point at t, m.
    #[inline]
    pub fn point(&self, t: f64) -> Point3<f64> {
        self.jet(t).point.into()
    }

    /// d/dt at t, m.
    #[inline]
    pub fn derivative(&self, t: f64) -> Vector3<f64> {
        self.jet(t).first
    }

    /// d²/dt² at t, m.
    #[inline]
    pub fn second(&self, t: f64) -> Vector3<f64> {
        self.jet(t).second
    }

    /// An upper bound of |d²/dt²| between t₀ and t₁, m; for a helix and a cubic the largest value itself.
    pub fn second_bound(&self, t0: f64, t1: f64) -> f64 {
        match self {
            Self::Segment(_) => 0.0,
            Self::Helix(arc) => arc.limits().second,
            // It is linear in t, so it is largest at an end.
            Self::Cubic(arc) => arc.jet(t0).second.norm().max(arc.jet(t1).second.norm()),
        }
    }

    /// An upper bound of the angle that the tangent goes through on its way, rad: the angle itself but for a cubic.
    pub fn turn_bound(&self) -> f64 {
        match self {
            Self::Segment(_) => 0.0,
            Self::Helix(arc) => arc.limits().second / arc.limits().first,
            Self::Cubic(arc) => arc.turn_bound(),
        }
    }

    /// An upper bound of the length, m: the length itself but for a cubic.
    pub fn length_bound(&self) -> f64 {
        self.limits().first
    }

    /// Whether it has no curvature at all.
    pub fn is_straight(&self) -> bool {
        self.limits().second == 0.0
    }

    /// A capsule around the whole curve, known beforehand.
    #[inline]
    pub fn hull(&self) -> &Capsule {
        match self {
            Self::Segment(arc) => arc.hull(),
            Self::Helix(arc) => arc.hull(),
            Self::Cubic(arc) => arc.hull(),
        }
    }

    /// Capsules that hold the curve between them: those of its halves, known beforehand, or the one of a straight curve.
    #[inline]
    pub(super) fn halves(&self) -> &[Capsule] {
        match self {
            Self::Segment(arc) => std::slice::from_ref(arc.hull()),
            Self::Helix(arc) => arc.halves(),
            Self::Cubic(arc) => arc.halves(),
        }
    }

    /// A box around the curve, larger than the smallest one by hardly more than the sag of a quarter of the curve.
    pub fn bounds(&self) -> Aabb {
        let limits = self.limits();
        if limits.second == 0.0 {
            return Aabb::around(&[self.point(0.0), self.point(1.0)]);
        }
        // Four pieces, more if it winds: each turns by less than a radian.
        let turn = limits.third / limits.second;
        let pieces = (turn.min(250.0) as usize + 1).max(4);
        let half = 0.5 / pieces as f64;
        let (mut low, mut high) = (
            Vector3::repeat(f64::INFINITY),
            Vector3::repeat(-f64::INFINITY),
        );
        for piece in 0..pieces {
            let jet = self.jet((2 * piece + 1) as f64 * half);
            let sag = jet.second * (0.25 * half * half);
            let reach =
                jet.first.abs() * half + sag.abs().add_scalar(limits.third * half.powi(3) / 6.0);
            low = low.inf(&(jet.point + sag - reach));
            high = high.sup(&(jet.point + sag + reach));
        }
        Aabb {
            low: low.into(),
            high: high.into(),
        }
    }

    #[inline]
    pub(super) fn limits(&self) -> Limits {
        match self {
            Self::Segment(arc) => arc.limits(),
            Self::Helix(arc) => arc.limits(),
            Self::Cubic(arc) => arc.limits(),
        }
    }
}
