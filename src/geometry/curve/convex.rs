//! What is known of the squared distance over a rectangle of parameters, from its derivatives at a point within.
//!
//! With g = a − b the Hessian of F/2 = |g|²/2 over (s, t) is
//!
//! ```text
//!   ⎛ p  −r ⎞      p = |a′|² + g·a″
//!   ⎝ −r  q ⎠      q = |b′|² − g·b″        r = a′·b′
//! ```
//!
//! Over a rectangle its entries differ from those at the point by at most dp, dq and dr, from Taylor's inequality. If
//! (p − dp)(q − dq) > (|r| + dr)² and both factors are positive, F is convex there: one local minimum, which Newton's
//! method finds, is the only one.

use super::newton::Model;
use super::{Jet, Limits};

/// A curve at a point, how far from it the rectangle reaches, and the bounds of its derivatives.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub jet: &'a Jet,
    pub limits: &'a Limits,
    pub reach: f64,
}

impl Side<'_> {
    /// The largest |a″| in the rectangle.
    #[inline]
    fn bend(&self) -> f64 {
        if self.limits.even {
            return self.limits.second;
        }
        let here = self.jet.second.norm() + self.limits.third * self.reach;
        here.min(self.limits.second)
    }
}

/// F over a rectangle.
pub(super) struct Landscape<'a> {
    a: Side<'a>,
    b: Side<'a>,
    model: Model,
    /// F at the point.
    square: f64,
    /// |a″·b′| and |a′·b″|, by which tangents turn towards each other.
    ab: f64,
    ba: f64,
}

impl<'a> Landscape<'a> {
    /// Over the rectangle that reaches from where the jets were taken to both sides.
    #[inline]
    pub fn new(a: Side<'a>, b: Side<'a>) -> Self {
        Self {
            model: Model::new(a.jet, b.jet),
            square: (a.jet.point - b.jet.point).norm_squared(),
            ab: a.jet.second.dot(&b.jet.first).abs(),
            ba: b.jet.second.dot(&a.jet.first).abs(),
            a,
            b,
        }
    }

    /// The same about another rectangle.
    pub fn reaching(mut self, reach: f64) -> Self {
        self.a.reach = reach;
        self.b.reach = reach;
        self
    }

    /// Whether F is convex in the rectangle.
    #[inline]
    pub fn is_convex(&self) -> bool {
        let Self { a, b, ab, ba, .. } = self;
        // Where even the point's own Hessian is not positive there is nothing to prove.
        let Model { p, q, r, .. } = self.model;
        if p <= 0.0 || p * q <= r * r {
            return false;
        }
        let (ka, kb) = (a.bend(), b.bend());
        let (ha, hb) = (a.reach, b.reach);
        let (ta, tb) = (a.limits.third, b.limits.third);
        let way = a.limits.first * ha + b.limits.first * hb;
        let sag = 0.5 * (ka * ha * ha + kb * hb * hb);
        let far = self.square.sqrt() + way;
        let p = p - own_change(a) - (ab * hb + sag * ka + far * ta * ha);
        let q = q - own_change(b) - (ba * ha + sag * kb + far * tb * hb);
        let turned = ab * ha
            + ba * hb
            + ka * kb * ha * hb
            + 0.5 * (ta * ha * ha * b.limits.first + tb * hb * hb * a.limits.first);
        let r = r.abs() + turned;
        // The small part is for rounding.
        p > 0.0 && q > 0.0 && p * q * (1.0 - 1e-13) > r * r
    }

    /// Whether no points are nearer than `cutoff`, as far as the quadratic model of F tells.
    ///
    /// With a ≈ a₀ + a′σ + a″σ²/2, likewise b, and ℓ, q the terms of first and second order of a − b,
    ///
    /// ```text
    ///   |g₀ + ℓ + q|² = F₀ + 2 g₀·ℓ + (|ℓ|² + 2 g₀·q) + 2 ℓ·q + |q|²
    /// ```
    ///
    /// the first three are the model, 2 ℓ·q is bounded by its coefficients, and |q|² helps. What Taylor leaves, |a‴| h³/6
    /// of each curve, is taken off the distance. Curves that run alongside each other, where capsules would have to be
    /// thinner than the tolerance, are bounded to third order by this.
    #[inline]
    pub fn is_beyond(&self, cutoff: f64) -> bool {
        let Self { a, b, .. } = self;
        let (h, k) = (a.reach, b.reach);
        let rest = (a.limits.third * h * h * h + b.limits.third * k * k * k) * (1.0 / 6.0);
        let mut mixed = (self.ba * k + self.ab * h) * (h * k);
        if !(a.limits.even && b.limits.even) {
            let own = |side: &Side| side.jet.second.dot(&side.jet.first).abs() * side.reach.powi(3);
            mixed += own(a) + own(b);
        }
        let needed = (cutoff + rest) * (cutoff + rest) + mixed;
        // The model is at most F at the point itself.
        self.square > needed
            && self.square * (1.0 - 1e-15) + 2.0 * self.model.lowest([h, k]) > needed
    }
}

/// How much p may change by what happens on its own curve: a′·a″ σ, thrice, twice from |a′|² and once from g·a″; and the
/// second order of |a′|². Nothing where |a′| does not change.
#[inline]
fn own_change(side: &Side) -> f64 {
    if side.limits.even {
        return 0.0;
    }
    3.0 * side.jet.first.dot(&side.jet.second).abs() * side.reach
        + side.jet.first.norm() * side.limits.third * side.reach * side.reach
}
