//! Where a curve dips towards a solid: minima of its distance φ(t) between two of its points.
//!
//! The distance from a convex solid is a convex function of the place, and grows no faster than the way. Along a curve
//! with |a″| ≤ k therefore
//!
//! ```text
//!   φ″ ≥ −k      φ(t) ≥ φ(t₀) + φ′(t₀) (t − t₀) − k (t − t₀)²/2
//! ```
//!
//! so that nothing within a limit is missed: between two points the curve is divided until the slopes or the parabolas
//! from both show that there is no dip, or until the stretch is so short that it has only one.

use nalgebra::Point3;

use super::super::{END, FLAT};
use super::{Dips, Look, Pair};
use crate::geometry::Shape;

/// Halvings at most: what is left of a curve then is straight.
const DEEPEST: u32 = 16;

impl Pair<'_> {
    /// Appends the dips between two points that are nearer to the solid than `limit`. One that is not deeper than what is
    /// around it by a thousandth of the radius (of a mesh, two hundredths) may be left out.
    pub(super) fn dips(&self, ends: &[Look; 2], limit: f64, out: &mut Dips) {
        let [low, high] = *ends;
        match &self.solid.shape {
            Shape::Mesh(mesh) => self.dips_on_mesh(mesh, [low, high], limit, out),
            _ => {
                let bend = self.a.curve.second_bound(low.t, high.t);
                self.dips_on_convex([low, high], bend, limit, DEEPEST, &mut out.found);
            }
        }
    }

    fn dips_on_convex(
        &self,
        [low, high]: [Look; 2],
        bend: f64,
        limit: f64,
        halvings: u32,
        out: &mut Vec<Look>,
    ) {
        let width = high.t - low.t;
        let falls = bend * width;
        if low.slope > falls || high.slope < -falls || lowest(&low, &high, bend) >= limit {
            return;
        }
        let straight = 0.125 * falls * width <= 0.5 * FLAT * self.a.radius_m;
        if straight || halvings == 0 {
            if low.slope < 0.0 && high.slope >= 0.0 {
                let dip = self.look(turning_point(&low, &high, |t| self.look(t).slope));
                let inside = dip.t > END && dip.t < 1.0 - END;
                out.extend((inside && dip.near.distance < limit).then_some(dip));
            }
            return;
        }
        let middle = self.look(0.5 * (low.t + high.t));
        for ends in [[low, middle], [middle, high]] {
            self.dips_on_convex(ends, bend, limit, halvings - 1, out);
        }
    }

    /// A point of the curve in the solid's frame.
    pub(super) fn local_at(&self, t: f64) -> Point3<f64> {
        self.local(&self.a.curve.point(t).coords)
    }
}

/// What the distance between two places is not below: the parabolas from both bound it, and meet once.
fn lowest(low: &Look, high: &Look, bend: f64) -> f64 {
    let width = high.t - low.t;
    let ends = low.near.distance.min(high.near.distance);
    // p(x) = φ₀ + s₀ x − k x²/2 and q(x) = φ₁ − s₁ (w − x) − k (w − x)²/2: their difference is linear in x.
    let parabola = |x: f64| low.near.distance + low.slope * x - 0.5 * bend * x * x;
    let at_start = high.near.distance - high.slope * width - 0.5 * bend * width * width;
    let rise = high.slope - low.slope + bend * width;
    if rise <= 0.0 {
        return ends;
    }
    let meet = ((low.near.distance - at_start) / rise).clamp(0.0, width);
    ends.min(parabola(meet))
}

/// Where the slope, which rises from below zero to above, is zero: false position, the stale end weighing half.
pub(super) fn turning_point(low: &Look, high: &Look, slope: impl Fn(f64) -> f64) -> f64 {
    let (mut from, mut f) = (low.t, low.slope);
    let (mut to, mut g) = (high.t, high.slope);
    // Slopes are lengths; this is rounding of theirs.
    let nil = 1e-14 * (f.abs() + g.abs());
    for _ in 0..60 {
        let t = (from * g - to * f) / (g - f);
        let here = slope(t);
        if here.abs() <= nil || to - from < 0.1 * END {
            return t;
        }
        if here < 0.0 {
            (from, f, g) = (t, here, 0.5 * g);
        } else {
            (to, g, f) = (t, here, 0.5 * f);
        }
    }
    0.5 * (from + to)
}
