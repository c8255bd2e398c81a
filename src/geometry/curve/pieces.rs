//! Pieces of two curves, and pairs of them: what a search divides the curves into.

use super::capsule::{Capsule, Nearest};
use super::{Curve, Jet};

/// A pair is cut off rather than halved if no more than this share of its rectangle is left.
const MUCH_LESS: f64 = 0.6;

/// A piece of a curve, from t − half to t + half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub t: f64,
    pub half: f64,
    pub capsule: Capsule,
    /// At t, once it was looked at.
    pub jet: Jet,
    seen: bool,
    /// Index of the first half; the second follows it. 0: not halved yet.
    halves: u32,
}

impl Piece {
    fn new(curve: &Curve, t: f64, half: f64) -> Self {
        let jet = curve.jet(t);
        Self {
            t,
            half,
            capsule: curve.capsule(&jet, half),
            jet,
            seen: true,
            halves: 0,
        }
    }

    fn whole(curve: &Curve) -> Self {
        Self {
            t: 0.5,
            half: 0.5,
            capsule: *curve.hull(),
            jet: curve.middle(),
            seen: true,
            halves: 0,
        }
    }

    /// A half of a curve, of which only the capsule is known so far.
    fn half(t: f64, capsule: &Capsule) -> Self {
        Self {
            t,
            half: 0.25,
            capsule: *capsule,
            jet: Jet {
                point: capsule.centre,
                first: capsule.half,
                second: capsule.half,
            },
            seen: false,
            halves: 0,
        }
    }

    /// The squared distance at the closest points of the tangents of two pieces, the curves taken to second order.
    pub fn foreseen(&self, other: &Self, nearest: &Nearest) -> f64 {
        let (s, t) = (nearest.s * self.half, nearest.t * other.half);
        let p = self.jet.point + self.jet.first * s + self.jet.second * (0.5 * s * s);
        let q = other.jet.point + other.jet.first * t + other.jet.second * (0.5 * t * t);
        (p - q).norm_squared()
    }

    /// What lies between two shares of it, −1 to 1: middle and half-width.
    fn part(&self, (from, to): (f64, f64)) -> (f64, f64) {
        (
            self.t + 0.5 * (from + to) * self.half,
            0.5 * (to - from) * self.half,
        )
    }
}

/// A pair of pieces that may hold the closest points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// One of each curve.
    pub pieces: [u32; 2],
    /// Closest points of the segments of their capsules.
    pub nearest: Nearest,
    /// Radii of the two capsules, m: no points are nearer than the distance of their segments less this.
    pub radii: f64,
}

impl Pair {
    /// The pair of two pieces with these capsules.
    #[inline]
    pub fn new(pieces: [u32; 2], a: &Capsule, b: &Capsule) -> Self {
        Self {
            pieces,
            nearest: a.nearest(b),
            radii: a.radius + b.radius,
        }
    }

    /// The same, if points nearer than `cutoff` are not ruled out.
    #[inline]
    pub fn within(pieces: [u32; 2], a: &Capsule, b: &Capsule, cutoff: f64) -> Option<Self> {
        if !a.in_reach(b, cutoff + a.radius + b.radius) {
            return None;
        }
        let pair = Self::new(pieces, a, b);
        pair.may_be_nearer(cutoff).then_some(pair)
    }

    /// Whether points nearer than `cutoff` are not ruled out by the capsules.
    #[inline]
    pub fn may_be_nearer(&self, cutoff: f64) -> bool {
        let reach = cutoff + self.radii;
        cutoff > 0.0 && self.nearest.square < reach * reach
    }
}

/// The pieces of both curves so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    of: [Vec<Piece>; 2],
}

impl Pieces {
    /// Starts anew with the curves, or with their halves where they have such.
    pub fn start(&mut self, curves: &[&Curve; 2], halves: bool) {
        for (pieces, curve) in self.of.iter_mut().zip(curves) {
            pieces.clear();
            match curve.halves() {
                [p, q] if halves => pieces.extend([Piece::half(0.25, p), Piece::half(0.75, q)]),
                _ => pieces.push(Piece::whole(curve)),
            }
        }
    }

    #[inline]
    fn both(&self, pair: &Pair) -> [&Piece; 2] {
        [0, 1].map(|c| &self.of[c][pair.pieces[c] as usize])
    }

    /// The two pieces of a pair, with their jets.
    #[inline]
    pub fn look(&mut self, pair: &Pair, curves: &[&Curve; 2]) -> [&Piece; 2] {
        for (c, curve) in curves.iter().enumerate() {
            let piece = &mut self.of[c][pair.pieces[c] as usize];
            if !piece.seen {
                piece.jet = curve.jet(piece.t);
                piece.seen = true;
            }
        }
        self.both(pair)
    }

    /// The part of a pair that is not clearly beyond the cutoff, if that is much less than the pair.
    pub fn cut(&mut self, pair: &Pair, curves: &[&Curve; 2], cutoff: f64) -> Option<Pair> {
        let [a, b] = self.both(pair);
        let Nearest { s, t, .. } = pair.nearest;
        let reach = cutoff + pair.radii;
        let spread = a.capsule.spread(&b.capsule, &pair.nearest, reach)?;
        let share = |at: f64, spread: f64| ((at - spread).max(-1.0), (at + spread).min(1.0));
        let (p, q) = (share(s, spread[0]), share(t, spread[1]));
        if (p.1 - p.0) * (q.1 - q.0) > 4.0 * MUCH_LESS {
            return None;
        }
        let parts = [a.part(p), b.part(q)];
        let pieces = [0, 1].map(|c| self.of[c].len() as u32);
        for ((of, curve), (t, half)) in self.of.iter_mut().zip(curves).zip(parts) {
            of.push(Piece::new(curve, t, half));
        }
        let [a, b] = [0, 1].map(|c| &self.of[c][pieces[c] as usize].capsule);
        Some(Pair::new(pieces, a, b))
    }

    /// Halves the piece with the thicker capsule, for it spoils the bound most; the pairs that are not beyond the cutoff,
    /// the nearer one last.
    pub fn halve(&mut self, pair: &Pair, curves: &[&Curve; 2], cutoff: f64) -> [Option<Pair>; 2] {
        let [a, b] = self.both(pair).map(|piece| &piece.capsule);
        let which = usize::from(
            a.radius < b.radius || a.radius == b.radius && a.half_length < b.half_length,
        );
        let first = self.halves(which, pair.pieces[which], curves[which]);
        let [p, q] = [first, first + 1].map(|half| {
            let mut pieces = pair.pieces;
            pieces[which] = half;
            let [a, b] = [0, 1].map(|c| &self.of[c][pieces[c] as usize].capsule);
            Pair::within(pieces, a, b, cutoff)
        });
        match (&p, &q) {
            (Some(near), Some(far)) if near.nearest.square < far.nearest.square => [q, p],
            _ => [p, q],
        }
    }

    /// Index of the first half of a piece.
    fn halves(&mut self, which: usize, index: u32, curve: &Curve) -> u32 {
        let pieces = &mut self.of[which];
        let Piece {
            t, half, halves, ..
        } = pieces[index as usize];
        if halves != 0 {
            return halves;
        }
        let first = pieces.len() as u32;
        pieces[index as usize].halves = first;
        for t in [t - 0.5 * half, t + 0.5 * half] {
            pieces.push(Piece::new(curve, t, 0.5 * half));
        }
        first
    }
}
