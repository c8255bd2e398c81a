//! Capsules around pieces of curves, and the distance of two of them \[Crespel24, sect. 5\].
//!
//! By Taylor's inequality a piece of half-width h about t₀ stays within |a″| h²/2 of its tangent [Crespel24, eq. 3, about
//! the centre]. Moving the tangent by half the sag, to a + a″ h²/4, halves that: what is left is |a″| h²/4 + |a‴| h³/6.

use nalgebra::Vector3;

use super::{Curve, Jet, Limits};

/// All points within `radius` of the segment from centre − half to centre + half.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Capsule {
    /// Middle of the segment, m.
    pub centre: Vector3<f64>,
    /// From the middle to an end, m.
    pub half: Vector3<f64>,
    /// m.
    pub radius: f64,
    /// Half the length of the segment, or more, m.
    pub half_length: f64,
}

/// Closest points of the segments of two capsules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// Along the first, −1 to 1.
    pub s: f64,
    /// Along the second, −1 to 1.
    pub t: f64,
    /// Distance of the segments squared, m².
    pub square: f64,
}

/// sin² of the angle below which the determinant is taken from a cross product: as a difference it loses its digits.
const SLENDER: f64 = 1e-6;
/// What products of a few numbers may be off, relative.
const ROUNDING: f64 = 1e-12;
/// sin² of the angle below which two segments count as parallel: rounding, a million times.
const PARALLEL: f64 = 1e-20;

impl Capsule {
    /// Closest points of the two segments; parallel ones that face each other give the middle of the stretch they share.
    #[inline]
    pub(super) fn nearest(&self, other: &Self) -> Nearest {
        let (u, v, r) = (&self.half, &other.half, self.centre - other.centre);
        let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(v));
        let (ur, vr) = (u.dot(&r), v.dot(&r));
        let det = uu * vv - uv * uv;
        let mut s = if det > SLENDER * (uu * vv) {
            clamp((uv * vr - vv * ur) / det)
        } else {
            slender(u, v, &r)
        };
        let mut t = if vv > 0.0 { (uv * s + vr) / vv } else { 0.0 };
        if t.abs() > 1.0 {
            t = clamp(t);
            s = if uu > 0.0 {
                clamp((uv * t - ur) / uu)
            } else {
                0.0
            };
        }
        let square = (r + u * s - v * t).norm_squared();
        Nearest { s, t, square }
    }

    /// How far to both sides of their closest points, along each, the two segments can be within `reach` of each other's
    /// line; nothing if the closest points are at ends, or the segments nearly parallel. Along a segment as in
    /// [`Nearest`].
    ///
    /// Beside the closest points of two lines at an angle φ, the distance from the one to points of the other at
    /// x is √(d² + x² sin² φ).
    #[inline]
    pub(super) fn spread(&self, other: &Self, nearest: &Nearest, reach: f64) -> Option<[f64; 2]> {
        if nearest.s.abs() >= 1.0 || nearest.t.abs() >= 1.0 {
            return None;
        }
        let (uu, vv) = (self.half.norm_squared(), other.half.norm_squared());
        let uv = self.half.dot(&other.half);
        let det = uu * vv - uv * uv;
        if det <= SLENDER * (uu * vv) {
            return None;
        }
        let room = (reach * reach - nearest.square) / det;
        Some([(room * vv).sqrt(), (room * uu).sqrt()])
    }

    /// Whether the two are nearer than `apart` to each other. What is not a number is near nothing.
    #[inline]
    pub fn near(&self, other: &Self, apart: f64) -> bool {
        let reach = apart + self.radius + other.radius;
        self.in_reach(other, reach) && self.nearest(other).square < reach * reach
    }

    /// Whether the segments are known to be no nearer than `reach` without looking for their closest points: their
    /// shadows on a line are apart, on the one between their middles or on the one across both. No division, no root.
    #[inline]
    pub(super) fn is_beyond(&self, other: &Self, reach: f64) -> bool {
        let (u, v, r) = (&self.half, &other.half, self.centre - other.centre);
        let (rr, square) = (r.norm_squared(), reach * reach);
        let between = rr - u.dot(&r).abs() - v.dot(&r).abs();
        if between > 0.0 && between * between >= square * rr {
            return true;
        }
        let across = u.cross(v);
        let height = r.dot(&across);
        // Of parallel ones rounding is all that is left.
        height * height >= square * across.norm_squared() * (1.0 + ROUNDING)
            && across.norm_squared() > SLENDER * self.half_square() * other.half_square()
    }

    #[inline]
    fn half_square(&self) -> f64 {
        self.half_length * self.half_length
    }

    /// Whether the segments may be nearer than `reach` as far as their middles and lengths tell: cheap to ask first.
    #[inline]
    pub(super) fn in_reach(&self, other: &Self, reach: f64) -> bool {
        let reach = reach + self.half_length + other.half_length;
        (self.centre - other.centre).norm_squared() < reach * reach
    }
}

#[inline]
fn clamp(x: f64) -> f64 {
    x.clamp(-1.0, 1.0)
}

/// Where along the first of two nearly parallel segments it is closest to the line of the other.
#[cold]
fn slender(u: &Vector3<f64>, v: &Vector3<f64>, r: &Vector3<f64>) -> f64 {
    let (uu, vv) = (u.norm_squared(), v.norm_squared());
    if uu == 0.0 {
        return 0.0;
    }
    let across = u.cross(v);
    let det = across.norm_squared();
    if det > PARALLEL * uu * vv {
        return clamp(v.cross(r).dot(&across) / det);
    }
    // The middle of what the other faces of this one.
    let (uv, ur) = (u.dot(v), u.dot(r));
    let (p, q) = ((-uv - ur) / uu, (uv - ur) / uu);
    let (low, high) = (p.min(q).max(-1.0), p.max(q).min(1.0));
    clamp(0.5 * (low + high))
}

/// A capsule around the piece of a cubic or straight curve that reaches `half` to both sides of where `jet` was taken.
#[inline]
pub(super) fn around(jet: &Jet, half: f64, limits: &Limits) -> Capsule {
    let sag = 0.25 * half * half;
    Capsule {
        centre: jet.point + jet.second * sag,
        half: jet.first * half,
        half_length: limits.first * half,
        radius: jet.second.norm() * sag + limits.third * half * half * half * (1.0 / 6.0),
    }
}

impl Curve {
    /// A capsule around the piece that reaches `half` to both sides of where `jet` was taken.
    #[inline]
    pub(super) fn capsule(&self, jet: &Jet, half: f64) -> Capsule {
        match self {
            Self::Segment(arc) => Capsule {
                centre: jet.point,
                half: jet.first * half,
                radius: 0.0,
                half_length: arc.limits().first * half,
            },
            Self::Helix(arc) => arc.capsule(jet, half),
            Self::Cubic(arc) => around(jet, half, &arc.limits()),
        }
    }
}
