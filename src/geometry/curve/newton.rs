//! Newton's method for the closest points near a place, within a rectangle of parameters.
//!
//! Every step minimises the quadratic model of F/2 = |a − b|²/2 over the rectangle exactly, so ends of curves need no
//! special case; where the Hessian is not positive its negative eigenvalue is turned around. F never grows.

use super::{Curve, Jet};

/// A rectangle of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    /// Lowest (s, t).
    pub low: [f64; 2],
    /// Highest (s, t).
    pub high: [f64; 2],
}

impl Region {
    /// Both curves, whole.
    pub const ALL: Self = Self {
        low: [0.0; 2],
        high: [1.0; 2],
    };

    /// The rectangle with this centre and these half-widths, within the curves.
    pub fn about(centre: [f64; 2], half: [f64; 2]) -> Self {
        Self {
            low: [0, 1].map(|c| (centre[c] - half[c]).max(0.0)),
            high: [0, 1].map(|c| (centre[c] + half[c]).min(1.0)),
        }
    }

    /// Whether the other lies within this one.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (0..2).all(|c| self.low[c] <= other.low[c] && other.high[c] <= self.high[c])
    }

    /// Whether a point lies within.
    #[inline]
    pub fn holds(&self, at: [f64; 2]) -> bool {
        (0..2).all(|c| self.low[c] <= at[c] && at[c] <= self.high[c])
    }

    /// Whether a point lies on a side that is not an end of a curve.
    pub fn has_on_inner_side(&self, at: [f64; 2]) -> bool {
        (0..2).any(|c| at[c] == self.low[c] && at[c] > 0.0 || at[c] == self.high[c] && at[c] < 1.0)
    }

    fn clamp(&self, x: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|c| x[c].clamp(self.low[c], self.high[c]))
    }
}

/// A pair of parameters, with the curves there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// (s, t).
    pub at: [f64; 2],
    /// |a − b|², m².
    pub square: f64,
    /// The first curve there.
    pub a: Jet,
    /// The second curve there.
    pub b: Jet,
}

impl Foot {
    /// The pair at these parameters.
    #[inline]
    pub fn new(a: &Curve, b: &Curve, at: [f64; 2]) -> Self {
        let (a, b) = (a.jet(at[0]), b.jet(at[1]));
        Self {
            at,
            square: (a.point - b.point).norm_squared(),
            a,
            b,
        }
    }
}

/// Some units in the last place.
const ROUNDING: f64 = 2e-15;

/// Gradient and Hessian of F/2: (gs, gt) and p, q, r of [[p, −r], [−r, q]].
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub gradient: [f64; 2],
    pub p: f64,
    pub q: f64,
    pub r: f64,
}

impl Model {
    /// The model at a pair of points.
    #[inline]
    pub fn new(a: &Jet, b: &Jet) -> Self {
        let g = a.point - b.point;
        let (aa, bb) = (a.first.norm_squared(), b.first.norm_squared());
        Self {
            gradient: [g.dot(&a.first), -g.dot(&b.first)],
            // A point has no direction; anything positive will do.
            p: if aa > 0.0 { aa + g.dot(&a.second) } else { 1.0 },
            q: if bb > 0.0 { bb - g.dot(&b.second) } else { 1.0 },
            r: a.first.dot(&b.first),
        }
    }

    /// Half of F″ along the valley at the bottom of which the second curve follows the first: p − r²/q.
    pub fn along_valley(&self) -> f64 {
        self.p - self.r * self.r / self.q
    }

    /// With its negative eigenvalue turned around.
    fn positive(mut self) -> Self {
        if self.p > 0.0 && self.p * self.q - self.r * self.r > 1e-14 * self.p * self.q {
            return self;
        }
        let (mean, apart) = (0.5 * (self.p + self.q), 0.5 * (self.p - self.q));
        let lowest = mean - apart.hypot(self.r);
        let shift = (-2.0 * lowest).max(0.0) + 1e-9 * (self.p.abs() + self.q.abs());
        self.p += shift;
        self.q += shift;
        self
    }

    /// The smallest value over |σ| ≤ h₀, |τ| ≤ h₁, whatever the signs of the Hessian, less what rounding may have added.
    pub fn lowest(&self, half: [f64; 2]) -> f64 {
        let det = self.p * self.q - self.r * self.r;
        let [gs, gt] = self.gradient;
        let on_edges = self.lowest_on_edges(half);
        if !(self.p > 0.0 && det > 0.0) {
            return on_edges;
        }
        let free = [-(self.q * gs + self.r * gt), -(self.p * gt + self.r * gs)];
        if free[0].abs() > half[0] * det || free[1].abs() > half[1] * det {
            return on_edges;
        }
        let terms = gs * gs * self.q + gt * gt * self.p + 2.0 * (self.r * gs * gt).abs();
        let rounding = ROUNDING * terms * (1.0 + self.p * self.q / det);
        let inside = (0.5 * (gs * free[0] + gt * free[1]) - rounding) / det;
        // A valley so flat that rounding hides its lowest point: it is not far below the edge that the valley leads to.
        inside.max(on_edges - 2.0 * det / self.q * half[0] * half[0])
    }

    fn lowest_on_edges(&self, [hs, ht]: [f64; 2]) -> f64 {
        let [gs, gt] = self.gradient;
        // A quadratic in one variable, c + l x + e x²/2 on |x| ≤ h.
        let edge = |c: f64, l: f64, e: f64, h: f64| {
            if e * h > l.abs() {
                c - 0.5 * l * l / e
            } else {
                c - l.abs() * h + 0.5 * e * h * h
            }
        };
        let (cs, ct) = (0.5 * self.p * hs * hs, 0.5 * self.q * ht * ht);
        let lowest = edge(cs + gs * hs, gt - self.r * hs, self.q, ht)
            .min(edge(cs - gs * hs, gt + self.r * hs, self.q, ht))
            .min(edge(ct + gt * ht, gs - self.r * ht, self.p, hs))
            .min(edge(ct - gt * ht, gs + self.r * ht, self.p, hs));
        lowest - ROUNDING * (cs.abs() + ct.abs() + (gs * hs).abs() + (gt * ht).abs())
    }

    #[inline]
    fn value(&self, d: [f64; 2]) -> f64 {
        self.gradient[0] * d[0]
            + self.gradient[1] * d[1]
            + 0.5 * (self.p * d[0] * d[0] + self.q * d[1] * d[1])
            - self.r * d[0] * d[1]
    }

    /// The step to the minimum over the rectangle, from `at` within it; needs a positive Hessian.
    fn step(&self, at: [f64; 2], region: &Region) -> [f64; 2] {
        let [gs, gt] = self.gradient;
        let det = self.p * self.q - self.r * self.r;
        let free = [
            -(self.q * gs + self.r * gt) / det,
            -(self.p * gt + self.r * gs) / det,
        ];
        let (low, high) = (
            [0, 1].map(|c| region.low[c] - at[c]),
            [0, 1].map(|c| region.high[c] - at[c]),
        );
        if (0..2).all(|c| low[c] <= free[c] && free[c] <= high[c]) {
            return free;
        }
        let (mut best, mut lowest) = ([0.0; 2], 0.0);
        let on_s = |d: f64| [d, ((self.r * d - gt) / self.q).clamp(low[1], high[1])];
        let on_t = |d: f64| [((self.r * d - gs) / self.p).clamp(low[0], high[0]), d];
        for d in [on_s(low[0]), on_s(high[0]), on_t(low[1]), on_t(high[1])] {
            let value = self.value(d);
            if value < lowest {
                (best, lowest) = (d, value);
            }
        }
        best
    }
}

/// Steps at most; Newton's method needs five where it is in its own, more where it first has to get there.
const STEPS: usize = 50;

/// The local minimum in the rectangle that is reached from `at`, its parameters to about `tolerance_m` of arc length.
pub(super) fn polish(
    a: &Curve,
    b: &Curve,
    at: [f64; 2],
    region: &Region,
    tolerance_m: f64,
) -> Foot {
    let lengths = [a.limits().first, b.limits().first];
    let mut foot = Foot::new(a, b, region.clamp(at));
    for _ in 0..STEPS {
        let model = Model::new(&foot.a, &foot.b).positive();
        let mut step = model.step(foot.at, region);
        let way = |step: [f64; 2]| (step[0].abs() * lengths[0]).max(step[1].abs() * lengths[1]);
        if way(step) <= 0.1 * tolerance_m {
            // The last step is taken on trust: it squares the error.
            foot.at = region.clamp([foot.at[0] + step[0], foot.at[1] + step[1]]);
            foot.square = (foot.square + 2.0 * model.value(step)).max(0.0);
            return foot;
        }
        loop {
            let next = region.clamp([foot.at[0] + step[0], foot.at[1] + step[1]]);
            let next = Foot::new(a, b, next);
            if next.square < foot.square {
                foot = next;
                break;
            }
            step = step.map(|d| 0.5 * d);
            if way(step) <= 0.1 * tolerance_m {
                return foot;
            }
        }
    }
    foot
}
