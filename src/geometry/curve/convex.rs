//! Where the squared distance of two curves is surely convex.
//!
//! With g = a − b the Hessian of F/2 = |g|²/2 over (s, t) is
//!
//! ```text
//!   ⎛ p  −r ⎞      p = |a′|² + g·a″
//!   ⎝ −r  q ⎠      q = |b′|² − g·b″        r = a′·b′
//! ```
//!
//! Over a region its entries differ from those at a point within by at most dp, dq and dr, from Taylor's inequality. If
//! (p − dp)(q − dq) > (|r| + dr)² and both factors are positive, F is convex there: one local minimum, which Newton's
//! method finds, is the only one.

use super::{Jet, Limits};

/// A curve at a point, how far from it the region reaches, and the bounds of its derivatives.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub jet: &'a Jet,
    pub limits: &'a Limits,
    pub reach: f64,
}

impl Side<'_> {
    /// The largest |a″| in the region.
    fn bend(&self) -> f64 {
        let here = if self.limits.even {
            self.limits.second
        } else {
            self.jet.second.norm() + self.limits.third * self.reach
        };
        here.min(self.limits.second)
    }
}

/// Whether F is convex in the region.
pub(super) fn is_convex(a: Side, b: Side) -> bool {
    let g = a.jet.point - b.jet.point;
    let (ka, kb) = (a.bend(), b.bend());
    let r = a.jet.first.dot(&b.jet.first);
    // First order: a″·b′ σ and a′·b″ τ, which show up in r and, with g, in p and q.
    let (ab, ba) = (
        a.jet.second.dot(&b.jet.first).abs(),
        b.jet.second.dot(&a.jet.first).abs(),
    );
    let (ha, hb) = (a.reach, b.reach);
    let way = a.limits.first * ha + b.limits.first * hb;
    let sag = 0.5 * (ka * ha * ha + kb * hb * hb);
    let far = g.norm() + way;
    let p = lowest(
        &a,
        g.dot(&a.jet.second),
        ab * hb + sag * ka + far * a.limits.third * ha,
    );
    let q = lowest(
        &b,
        -g.dot(&b.jet.second),
        ba * ha + sag * kb + far * b.limits.third * hb,
    );
    let dr = ab * ha
        + ba * hb
        + ka * kb * ha * hb
        + 0.5
            * (a.limits.third * ha * ha * b.limits.first
                + b.limits.third * hb * hb * a.limits.first);
    let r = r.abs() + dr;
    // The small part is for rounding.
    p > 0.0 && q > 0.0 && p * q * (1.0 - 1e-13) > r * r
}

/// The smallest value of p (or q) in the region, `bent` and `change` being its part from g·a″ and how much that changes
/// besides g·a″ along the curve itself. A point has none, and must not stand in the way.
fn lowest(side: &Side, bent: f64, change: f64) -> f64 {
    if side.limits.first == 0.0 {
        return 1.0;
    }
    let speed = side.jet.first.norm_squared();
    let own = if side.limits.even {
        0.0
    } else {
        // a′·a″ σ, thrice: twice from |a′|², once from g·a″; and the second order of |a′|².
        3.0 * side.jet.first.dot(&side.jet.second).abs() * side.reach
            + speed.sqrt() * side.limits.third * side.reach * side.reach
    };
    speed + bent - change - own
}
