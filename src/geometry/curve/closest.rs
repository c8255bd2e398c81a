//! Closest points of two curves by branch and bound [Crespel24, alg. 1].
//!
//! Pairs of pieces wait in a list, each with a lower bound of its distance from two capsules. A pair that is farther
//! than what is already known, or than the limit, is dropped; else one of its pieces is halved. That proves that nothing
//! nearer was missed. The paper stops when both pieces are shorter than the tolerance; here
//!
//! - a pair is cut off where the tangents have left each other's reach, which halves both curves several times at once;
//! - the squared distance of a pair may be seen to be convex (see `convex`): Newton's method then finds its minimum;
//! - around the best minimum it is convex in some rectangle: what lies within is done;
//! - curves that run alongside each other are told apart by a bound of second order.
//!
//! So the work hardly grows with the precision, and most pairs that are apart cost one distance of two segments. (The
//! paper's algorithm as printed stops when one of the pieces is short, and may halve at an end; neither is followed.) The
//! list is a stack, the nearer half on top: taking the widest pair first, as the paper does, or the one with the smallest
//! bound, changes the number of pairs by less than a hundredth on pairs of hairs, and costs more than it saves.
//!
//! What is promised: no pair of points is nearer than the distance found by more than the tolerance, and the parameters
//! belong to a local minimum to the tolerance, in arc length, unless the distance is the same along a stretch (to the
//! tolerance): then they are about the middle of it. With a limit the distance is found to a thousandth of it, however
//! coarse the tolerance.

use super::found::{Found, Query};
use super::newton::Region;
use super::pieces::{Pair, Pieces};
use super::{Curve, stretch};

/// Pairs of capsules this many times thicker than what is sought are divided unseen.
const COARSE: f64 = 1.5;
/// Thinner ones, by this factor, foresee the distance so well that Newton's method is worth its time.
const FINE: f64 = 0.25;
/// A search ends after so many pairs with the best that it has, even if that is beyond the limit. Only curves that run
/// alongside each other for hundreds of radii, to a tolerance near rounding, take as many; it keeps the memory bounded.
const MOST_PAIRS: u64 = 1 << 18;

/// Closest points of two curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Parameter on the first.
    pub s: f64,
    /// Parameter on the second.
    pub t: f64,
    /// Distance of the curves, m.
    pub distance: f64,
}

/// How much work searches were, since the counts were last set to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of pieces that were taken from the list.
    pub pairs: u64,
    /// Runs of Newton's method.
    pub polished: u64,
}

/// The search with its memory.
#[derive(Clone, Debug)]
pub struct Search {
    pieces: Pieces,
    waiting: Vec<Pair>,
    /// Pairs that one search may take from the list.
    most_pairs: u64,
    /// Work done.
    pub counts: Counts,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            pieces: Pieces::default(),
            waiting: Vec::new(),
            most_pairs: MOST_PAIRS,
            counts: Counts::default(),
        }
    }
}

impl Search {
    /// One that ends after so many pairs.
    #[cfg(test)]
    pub(super) fn of_at_most(pairs: u64) -> Self {
        Self {
            most_pairs: pairs,
            ..Self::default()
        }
    }

    /// Closest points of two curves if they are nearer than `limit`, m; parameters to `tolerance_m` of arc length.
    ///
    /// Curves whose distance is below the limit by less than the tolerance (or a thousandth of the limit) may or may not
    /// be found.
    #[inline]
    pub fn closest(
        &mut self,
        a: &Curve,
        b: &Curve,
        limit: f64,
        tolerance_m: f64,
    ) -> Option<Closest> {
        self.closest_from(a, b, limit, tolerance_m, None)
    }

    /// The same from a `guess`: parameters of a close pair, from the last step for instance. It saves less than a tenth of
    /// the time of a pair that touches, and the detector does without: in `wisp` all searches together took 0.4 % fewer
    /// instructions with guesses, and finding the guesses took three times what that saves.
    #[inline]
    pub fn closest_from(
        &mut self,
        a: &Curve,
        b: &Curve,
        limit: f64,
        tolerance_m: f64,
        guess: Option<(f64, f64)>,
    ) -> Option<Closest> {
        let (p, q) = (a.hull(), b.hull());
        if p.is_beyond(q, limit + p.radius + q.radius) {
            return None;
        }
        let whole = Pair::new([0, 0], p, q);
        if !whole.may_be_nearer(limit) {
            return None;
        }
        let coarse = whole.radii > limit;
        self.waiting.clear();
        if !coarse {
            self.waiting.push(whole);
        } else if !self.start_with_halves(a, b, limit) {
            return None;
        }
        if a.is_straight() && b.is_straight() {
            return straight(a, b, limit);
        }
        let query = Query::new([a, b], limit, tolerance_m);
        self.pieces.start(&query.curves, coarse);
        self.search(&query, coarse, guess)
    }

    /// The parameter of the point of a curve that is closest to `point`, and its distance, if that is below `limit`.
    pub fn closest_to_point(
        &mut self,
        curve: &Curve,
        point: &nalgebra::Point3<f64>,
        limit: f64,
        tolerance_m: f64,
    ) -> Option<(f64, f64)> {
        let point = Curve::point_at(*point);
        self.closest(curve, &point, limit, tolerance_m)
            .map(|found| (found.s, found.distance))
    }

    /// Puts pairs of halves of the two curves into the list, the nearest on top, unless they are clearly farther apart than
    /// `limit`; says whether there are any. The capsules of halves are four times thinner than those of the whole, and
    /// known beforehand.
    fn start_with_halves(&mut self, a: &Curve, b: &Curve, limit: f64) -> bool {
        for (i, p) in a.halves().iter().enumerate() {
            for (j, q) in b.halves().iter().enumerate() {
                let pair = Pair::within([i as u32, j as u32], p, q, limit);
                self.waiting.extend(pair);
            }
        }
        self.waiting
            .sort_unstable_by(|p, q| q.nearest.square.total_cmp(&p.nearest.square));
        !self.waiting.is_empty()
    }

    /// Goes through the list until nothing is left. `coarse`: the limit is small against the curves.
    fn search(
        &mut self,
        query: &Query,
        coarse: bool,
        guess: Option<(f64, f64)>,
    ) -> Option<Closest> {
        let mut found = Found::new(query);
        if let Some((s, t)) = guess {
            found.try_from([s, t], &Region::ALL, query);
        }
        let last = self.counts.pairs + self.most_pairs;
        while self.counts.pairs < last
            && let Some(pair) = self.waiting.pop()
        {
            self.counts.pairs += 1;
            if !pair.may_be_nearer(found.cutoff) {
                continue;
            }
            // Capsules much thicker than what is sought: looking closer would not tell.
            let unseen = pair.radii > COARSE * found.cutoff;
            if unseen || self.examine(&pair, query, !coarse, &mut found) {
                self.divide(&pair, query, found.cutoff);
            }
        }
        let left = self.try_what_is_left(query, &mut found);
        self.counts.polished += found.polished;
        let limit = if left { f64::INFINITY } else { query.limit };
        answer(&found, query, limit)
    }

    /// Runs Newton's method from the pair that may be nearest of those that still wait; says whether any may be nearer than
    /// what is known.
    fn try_what_is_left(&mut self, query: &Query, found: &mut Found) -> bool {
        let bound = |pair: &Pair| pair.nearest.square.sqrt() - pair.radii;
        let left = self
            .waiting
            .drain(..)
            .filter(|pair| pair.may_be_nearer(found.cutoff));
        let Some(pair) = left.min_by(|p, q| bound(p).total_cmp(&bound(q))) else {
            return false;
        };
        let [a, b] = self.pieces.look(&pair, &query.curves);
        let start = [a.t + pair.nearest.s * a.half, b.t + pair.nearest.t * b.half];
        found.try_from(start, &Region::ALL, query);
        true
    }

    /// Improves what is known by a pair; says whether the pair is not done with.
    ///
    /// `early`: Newton's method may run before a pair is seen to be convex, for a small distance soon. Of little use where
    /// the limit is small already.
    fn examine(&mut self, pair: &Pair, query: &Query, early: bool, found: &mut Found) -> bool {
        let [a, b] = self.pieces.look(pair, &query.curves);
        let region = Region::about([a.t, b.t], [a.half, b.half]);
        if found.zone.contains(&region) {
            return false;
        }
        let land = query.landscape([&a.jet, &b.jet], [a.half, b.half]);
        if land.is_beyond(found.cutoff) {
            return false;
        }
        let start = [a.t + pair.nearest.s * a.half, b.t + pair.nearest.t * b.half];
        if land.is_convex() {
            // A minimum that lies within is the only one here; if it lies elsewhere, there may be another on a side.
            let at = found.try_from(start, &Region::ALL, query);
            let done = region.holds(at) || found.zone.contains(&region);
            if !done && pair.may_be_nearer(found.cutoff) {
                found.try_from(start, &region, query);
            }
            return false;
        }
        let promising = early || pair.radii < FINE * found.cutoff;
        if promising && a.foreseen(b, &pair.nearest) < found.cutoff * found.cutoff {
            found.try_from(start, &Region::ALL, query);
            if !pair.may_be_nearer(found.cutoff) || found.zone.contains(&region) {
                return false;
            }
        }
        let longer = (query.limits[0].first * a.half).max(query.limits[1].first * b.half);
        longer > 0.25 * query.slack
    }

    /// Puts what is left of a pair into the list: cut off where it is too far, if that is much, or in halves.
    fn divide(&mut self, pair: &Pair, query: &Query, cutoff: f64) {
        match self.pieces.cut(pair, &query.curves, cutoff) {
            Some(cut) => {
                if cut.may_be_nearer(cutoff) {
                    self.waiting.push(cut);
                }
            }
            None => {
                let halves = self.pieces.halve(pair, &query.curves, cutoff);
                self.waiting.extend(halves.into_iter().flatten());
            }
        }
    }
}

/// Two segments need no search.
fn straight(a: &Curve, b: &Curve, limit: f64) -> Option<Closest> {
    let nearest = a.hull().nearest(b.hull());
    let distance = nearest.square.sqrt();
    (distance < limit).then_some(Closest {
        s: 0.5 + 0.5 * nearest.s,
        t: 0.5 + 0.5 * nearest.t,
        distance,
    })
}

/// What was found nearer than `limit`.
fn answer(found: &Found, query: &Query, limit: f64) -> Option<Closest> {
    let best = found.foot.as_ref();
    let mut foot = *best.filter(|foot| foot.square < limit * limit)?;
    if stretch::is_flat(&foot, query.slack) {
        foot = stretch::middle(query.curves[0], query.curves[1], &foot, query.slack);
    }
    Some(Closest {
        s: foot.at[0],
        t: foot.at[1],
        distance: foot.square.sqrt(),
    })
}
