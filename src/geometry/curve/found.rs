//! What a search knows: what is asked for, and the best found so far.

use super::convex::{Landscape, Side};
use super::newton::{Foot, Region, polish};
use super::{Curve, Jet, Limits};

/// The distance is found to this share of the limit, if the tolerance does not ask for more.
const SHARE_OF_LIMIT: f64 = 1e-3;
/// How often a rectangle is halved until the squared distance is convex in it.
const HALVINGS: usize = 12;

/// What does not change during a search.
pub(super) struct Query<'a> {
    /// The two curves.
    pub curves: [&'a Curve; 2],
    /// Bounds of their derivatives.
    pub limits: [Limits; 2],
    /// Distance from which on nothing is sought, m.
    pub limit: f64,
    /// Tolerance of the parameters, m.
    pub tolerance: f64,
    /// Tolerance of the distance, m.
    pub slack: f64,
}

impl<'a> Query<'a> {
    /// The tolerances are no smaller than rounding: below that none can be kept.
    pub fn new(curves: [&'a Curve; 2], limit: f64, tolerance_m: f64) -> Self {
        let limits = curves.map(Curve::limits);
        let far = curves.map(|curve| curve.hull().centre.amax());
        let rounding = 1e-15 * (far[0].max(far[1]) + limits[0].first + limits[1].first);
        let tolerance = tolerance_m.max(rounding);
        Self {
            curves,
            limits,
            limit,
            tolerance,
            slack: tolerance.min(SHARE_OF_LIMIT * limit).max(rounding),
        }
    }

    /// What is known over a rectangle about places on both curves.
    #[inline]
    pub fn landscape<'b>(&'b self, jets: [&'b Jet; 2], reach: [f64; 2]) -> Landscape<'b> {
        let [a, b] = [0, 1].map(|c| Side {
            jet: jets[c],
            limits: &self.limits[c],
            reach: reach[c],
        });
        Landscape::new(a, b)
    }
}

/// The best found so far.
pub(super) struct Found {
    /// The best pair.
    pub foot: Option<Foot>,
    /// Pairs of pieces at this distance or farther are of no use, m.
    pub cutoff: f64,
    /// Where it is the only local minimum.
    pub zone: Region,
    /// Runs of Newton's method.
    pub polished: u64,
}

impl Found {
    /// Nothing yet.
    pub fn new(query: &Query) -> Self {
        Self {
            foot: None,
            cutoff: query.limit - query.slack,
            zone: Region {
                low: [1.0; 2],
                high: [0.0; 2],
            },
            polished: 0,
        }
    }

    /// Runs Newton's method and keeps what it finds if that is the best; says where it ended.
    pub fn try_from(&mut self, at: [f64; 2], region: &Region, query: &Query) -> [f64; 2] {
        self.polished += 1;
        let [a, b] = query.curves;
        let foot = polish(a, b, at, region, query.tolerance);
        let known = self.foot.as_ref().map_or(f64::INFINITY, |best| best.square);
        if foot.square.is_nan() || foot.square >= known {
            return foot.at;
        }
        if region.has_on_inner_side(foot.at) {
            // Not a minimum but on the way to one.
            return self.try_from(foot.at, &Region::ALL, query);
        }
        self.cutoff = self.cutoff.min(foot.square.sqrt() - query.slack);
        self.zone = convex_zone(&foot, query);
        self.foot = Some(foot);
        foot.at
    }
}

/// The largest rectangle about a minimum, up to halving, in which the squared distance is convex.
fn convex_zone(foot: &Foot, query: &Query) -> Region {
    let mut reach = 1.0;
    let mut land = query.landscape([&foot.a, &foot.b], [reach; 2]);
    for _ in 0..HALVINGS {
        if land.is_convex() {
            return Region::about(foot.at, [reach; 2]);
        }
        reach *= 0.5;
        land = land.reaching(reach);
    }
    Region::about(foot.at, [0.0; 2])
}
