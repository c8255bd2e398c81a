//! Closest points of two curves by branch and bound [Crespel24, alg. 1].
//!
//! Pairs of pieces wait in a list, each with a lower bound of its distance from two capsules. A pair that is farther
//! than what is already known, or than the limit, is dropped; else one of its pieces is halved. That proves that nothing
//! nearer was missed. The paper stops when both pieces are shorter than the tolerance; here
//!
//! - Newton's method finds the minimum itself, as soon as a pair promises to be nearer than what is known;
//! - around that minimum the squared distance is convex in a rectangle (see `convex`): what lies within is done;
//! - a pair of pieces whose own rectangle is convex is finished by one more run of Newton's method;
//! - the piece with the thicker capsule is halved, for it spoils the bound most.
//!
//! So the work hardly grows with the precision. (The paper's algorithm as printed stops when one of the pieces is short,
//! and may halve at an end; neither is followed.)
//!
//! What is promised: no pair of points is nearer than the distance found by more than the tolerance, and the parameters
//! belong to a local minimum to the tolerance, in arc length, unless the distance is the same along a stretch (to the
//! tolerance): then they are about the middle of it.

use super::capsule::{Capsule, Nearest};
use super::convex::{Side, is_convex};
use super::newton::{Foot, Model, Region, polish};
use super::{Curve, Jet, Limits, stretch};

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
    /// Pairs of pieces whose bound was computed.
    pub pairs: u64,
    /// Runs of Newton's method.
    pub polished: u64,
}

/// A piece of a curve, and its halves if they were needed.
#[derive(Clone, Copy, Debug)]
struct Piece {
    t: f64,
    half: f64,
    jet: Jet,
    capsule: Capsule,
    /// Index of the first half; the second follows it. 0: not halved yet.
    halves: u32,
}

/// A pair of pieces that may hold the closest points.
#[derive(Clone, Copy, Debug)]
struct Pair {
    pieces: [u32; 2],
    nearest: Nearest,
    /// No points of the two are nearer, m.
    lower: f64,
}

/// The search with its memory.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pieces: [Vec<Piece>; 2],
    waiting: Vec<Pair>,
    /// Work done.
    pub counts: Counts,
}

/// What does not change during a search.
struct Query<'a> {
    curves: [&'a Curve; 2],
    limits: [Limits; 2],
    tolerance: f64,
}

/// The best found so far.
struct Found {
    foot: Option<Foot>,
    /// Pairs of pieces at this distance or farther are of no use, m.
    cutoff: f64,
    /// Where the best one is the only local minimum.
    zone: Region,
}

impl Search {
    /// Closest points of two curves if they are nearer than `limit`, m; parameters to `tolerance_m` of arc length.
    /// `guess`: parameters of a close pair, if one is known, from the last step for instance.
    ///
    /// Curves whose distance is below the limit by less than the tolerance may or may not be found.
    pub fn closest(
        &mut self,
        a: &Curve,
        b: &Curve,
        limit: f64,
        tolerance_m: f64,
        guess: Option<(f64, f64)>,
    ) -> Option<Closest> {
        if !a.hull().near(b.hull(), limit) {
            return None;
        }
        self.search(a, b, limit, tolerance_m, guess)
    }

    /// The parameter of the point of a curve that is closest to `point`, and its distance, if that is below `limit`.
    pub fn closest_to_point(
        &mut self,
        curve: &Curve,
        point: &nalgebra::Point3<f64>,
        limit: f64,
        tolerance_m: f64,
        guess: Option<f64>,
    ) -> Option<(f64, f64)> {
        let point = Curve::point_at(*point);
        self.closest(curve, &point, limit, tolerance_m, guess.map(|t| (t, 0.5)))
            .map(|found| (found.s, found.distance))
    }

    fn search(
        &mut self,
        a: &Curve,
        b: &Curve,
        limit: f64,
        tolerance_m: f64,
        guess: Option<(f64, f64)>,
    ) -> Option<Closest> {
        let limits = [a.limits(), b.limits()];
        if a.is_straight() && b.is_straight() {
            return straight(a, b, limit);
        }
        // Below rounding no tolerance can be kept.
        let size =
            a.hull().centre.amax().max(b.hull().centre.amax()) + limits[0].first + limits[1].first;
        let query = Query {
            curves: [a, b],
            limits,
            tolerance: tolerance_m.max(1e-15 * size),
        };
        let mut found = Found {
            foot: None,
            cutoff: limit - query.tolerance,
            zone: Region {
                low: [1.0; 2],
                high: [0.0; 2],
            },
        };
        if let Some((s, t)) = guess {
            self.try_from([s, t], &Region::ALL, &query, &mut found);
        }
        self.start(&query);
        while let Some(pair) = self.waiting.pop() {
            if pair.lower < found.cutoff {
                self.examine(pair, &query, &mut found);
            }
        }
        found.answer(&query, limit)
    }

    fn start(&mut self, query: &Query) {
        self.waiting.clear();
        for (pieces, curve) in self.pieces.iter_mut().zip(query.curves) {
            pieces.clear();
            pieces.push(Piece::new(curve, 0.5, 0.5));
        }
        let pair = self.pair([0, 0]);
        self.waiting.push(pair);
    }

    /// Improves what is known by a pair, drops it or halves it.
    fn examine(&mut self, pair: Pair, query: &Query, found: &mut Found) {
        let [a, b] = [0, 1].map(|c| self.pieces[c][pair.pieces[c] as usize]);
        let region = Region::about([a.t, b.t], [a.half, b.half]);
        if found.zone.contains(&region) {
            return;
        }
        let start = [a.t + pair.nearest.s * a.half, b.t + pair.nearest.t * b.half];
        let sides = [(&a, 0), (&b, 1)].map(|(piece, c): (&Piece, usize)| Side {
            jet: &piece.jet,
            limits: &query.limits[c],
            reach: piece.half,
        });
        if is_convex(sides[0], sides[1]) {
            self.try_from(start, &region, query, found);
            return;
        }
        if second_order_bound(&a, &b, &query.limits) >= found.cutoff {
            return;
        }
        if foreseen(&a, &b, &pair.nearest) < found.cutoff * found.cutoff {
            self.try_from(start, &Region::ALL, query, found);
            if pair.lower >= found.cutoff || found.zone.contains(&region) {
                return;
            }
        }
        let lengths = [0, 1].map(|c| query.limits[c].first * [a.half, b.half][c]);
        if lengths[0].max(lengths[1]) < 0.25 * query.tolerance {
            return;
        }
        let thicker = a.capsule.radius > b.capsule.radius
            || a.capsule.radius == b.capsule.radius && lengths[0] >= lengths[1];
        self.halve(pair, usize::from(!thicker), query, found);
    }

    /// Puts the two halves into the list, the nearer one on top.
    fn halve(&mut self, pair: Pair, which: usize, query: &Query, found: &Found) {
        let first = self.halves(which, pair.pieces[which], query);
        let halves = [first, first + 1].map(|half| {
            let mut pieces = pair.pieces;
            pieces[which] = half;
            self.pair(pieces)
        });
        let nearer = usize::from(halves[1].lower < halves[0].lower);
        for half in [&halves[1 - nearer], &halves[nearer]] {
            if half.lower < found.cutoff {
                self.waiting.push(*half);
            }
        }
    }

    /// Index of the first half of a piece.
    fn halves(&mut self, which: usize, index: u32, query: &Query) -> u32 {
        let pieces = &mut self.pieces[which];
        let piece = pieces[index as usize];
        if piece.halves == 0 {
            let half = 0.5 * piece.half;
            let first = pieces.len() as u32;
            pieces[index as usize].halves = first;
            for t in [piece.t - half, piece.t + half] {
                pieces.push(Piece::new(query.curves[which], t, half));
            }
            return first;
        }
        piece.halves
    }

    fn pair(&mut self, pieces: [u32; 2]) -> Pair {
        self.counts.pairs += 1;
        let [a, b] = [0, 1].map(|c| &self.pieces[c][pieces[c] as usize].capsule);
        let nearest = a.nearest(b);
        Pair {
            pieces,
            nearest,
            lower: (nearest.square.sqrt() - a.radius - b.radius).max(0.0),
        }
    }

    /// Runs Newton's method and keeps what it finds if that is the best.
    fn try_from(&mut self, at: [f64; 2], region: &Region, query: &Query, found: &mut Found) {
        self.counts.polished += 1;
        let [a, b] = query.curves;
        let foot = polish(a, b, at, region, query.tolerance);
        let known = found
            .foot
            .as_ref()
            .map_or(f64::INFINITY, |best| best.square);
        if foot.square.is_nan() || foot.square >= known {
            return;
        }
        if region.has_on_inner_side(foot.at) {
            // Not a minimum but on the way to one.
            return self.try_from(foot.at, &Region::ALL, query, found);
        }
        found.cutoff = found.cutoff.min(foot.square.sqrt() - query.tolerance);
        found.zone = convex_zone(&foot, query);
        found.foot = Some(foot);
    }
}

/// Two segments need no search.
fn straight(a: &Curve, b: &Curve, limit: f64) -> Option<Closest> {
    let nearest = a
        .capsule(&a.jet(0.5), 0.5)
        .nearest(&b.capsule(&b.jet(0.5), 0.5));
    let distance = nearest.square.sqrt();
    (distance < limit).then_some(Closest {
        s: 0.5 + 0.5 * nearest.s,
        t: 0.5 + 0.5 * nearest.t,
        distance,
    })
}

impl Found {
    fn answer(self, query: &Query, limit: f64) -> Option<Closest> {
        let mut foot = self.foot.filter(|foot| foot.square < limit * limit)?;
        if stretch::is_flat(&foot, query.tolerance) {
            foot = stretch::middle(query.curves[0], query.curves[1], &foot, query.tolerance);
        }
        Some(Closest {
            s: foot.at[0],
            t: foot.at[1],
            distance: foot.square.sqrt(),
        })
    }
}

impl Piece {
    fn new(curve: &Curve, t: f64, half: f64) -> Self {
        let jet = curve.jet(t);
        Self {
            t,
            half,
            capsule: curve.capsule(&jet, half),
            jet,
            halves: 0,
        }
    }
}

/// The squared distance at the closest points of two tangents, the curves taken to second order.
fn foreseen(a: &Piece, b: &Piece, nearest: &Nearest) -> f64 {
    let (s, t) = (nearest.s * a.half, nearest.t * b.half);
    let p = a.jet.point + a.jet.first * s + a.jet.second * (0.5 * s * s);
    let q = b.jet.point + b.jet.first * t + b.jet.second * (0.5 * t * t);
    (p - q).norm_squared()
}

/// A lower bound of the distance from the quadratic model of F at the middles of two pieces.
///
/// With a ≈ a₀ + a′σ + a″σ²/2, likewise b, and ℓ, q the terms of first and second order of a − b,
///
/// ```text
///   |g₀ + ℓ + q|² = F₀ + 2 g₀·ℓ + (|ℓ|² + 2 g₀·q) + 2 ℓ·q + |q|²
/// ```
///
/// the first three are the model, 2 ℓ·q is bounded by its coefficients, and |q|² helps. What Taylor leaves, |a‴| h³/6 of
/// each curve, is taken off the distance. Curves that run alongside each other, where capsules would have to be
/// thinner than the tolerance, are bounded to third order by this.
fn second_order_bound(a: &Piece, b: &Piece, limits: &[Limits; 2]) -> f64 {
    let (h, k) = (a.half, b.half);
    let rest = (limits[0].third * h * h * h + limits[1].third * k * k * k) / 6.0;
    let foot = Foot::from_jets([a.t, b.t], a.jet, b.jet);
    let (ja, jb) = (&a.jet, &b.jet);
    let mut mixed =
        jb.second.dot(&ja.first).abs() * h * k * k + ja.second.dot(&jb.first).abs() * h * h * k;
    if !(limits[0].even && limits[1].even) {
        mixed +=
            ja.second.dot(&ja.first).abs() * h * h * h + jb.second.dot(&jb.first).abs() * k * k * k;
    }
    let square = foot.square * (1.0 - 1e-15) + 2.0 * Model::new(&foot).lowest([h, k]) - mixed;
    square.max(0.0).sqrt() - rest
}

/// The largest rectangle about a minimum, up to halving, in which the squared distance is convex.
fn convex_zone(foot: &Foot, query: &Query) -> Region {
    let mut reach = 1.0;
    for _ in 0..12 {
        let [a, b] = [(&foot.a, 0), (&foot.b, 1)].map(|(jet, c): (&Jet, usize)| Side {
            jet,
            limits: &query.limits[c],
            reach,
        });
        if is_convex(a, b) {
            return Region::about(foot.at, [reach; 2]);
        }
        reach *= 0.5;
    }
    Region::about(foot.at, [0.0; 2])
}
