//! The check after the solve: what would pass through what, or come too deep, between two states.
//!
//! Strands are chains of straight pieces whose ends move straight, solids move straight and turn steadily. Two
//! questions are asked of every pair whose swept boxes overlap, and share nothing with the detectors, so they also
//! find what those missed:
//!
//! | question | how it is answered |
//! |---|---|
//! | does it come too deep at any time? | conservative advancement \[Mirtich96\] of the distance of centreline and surface |
//! | has it passed through? | the instants at which two segments lie in one plane \[Provot97\], a needle being its axis; for other solids, whether it was half-way through the inside at any time, or farther inside than the strand is thick |
//!
//! The first makes a step be taken back; the second is what a report counts as a crossing.

mod solids;
mod strands;

use nalgebra::Point3;
use rayon::prelude::*;

use crate::geometry::broad::BroadPhase;
use crate::geometry::moving_solid::MovingSolid;
use crate::geometry::segment::MovingSegment;
use crate::geometry::{Aabb, Along, SolidProxy};

/// Surfaces may overlap by this share of the smaller radius, and by no more: what starts with less ends with less.
pub const DEEP: f64 = 0.5;
/// What is not as deep as this share of the smaller radius may become so, at once;
const NEARLY: f64 = 0.45;
/// what is, only by this share at a time, so that errors of rounding and of the friction solver do not stop it.
const ALLOWED: f64 = 0.005;
/// The advancement has arrived when this share of the radius is left.
const ARRIVED: f64 = 1e-3;
/// It gives up after so many moves, and takes the worse for true.
const MOST_MOVES: usize = 1000;

/// Pairs that one task looks at, at least.
const TASK: usize = 64;

/// The other side of a trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// A piece of a strand, maybe the same.
    Piece {
        /// Index of the strand.
        body: u32,
        /// Index of the piece.
        element: u32,
    },
    /// A solid, by its index.
    Solid(u32),
}

/// A pair that must not move as it would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Index of the strand.
    pub body: u32,
    /// Index of the piece.
    pub element: u32,
    /// What it passes through or overlaps.
    pub other: Other,
    /// Whether it passes through.
    pub crossed: bool,
}

/// One piece of a strand on its way.
#[derive(Clone, Copy, Debug)]
struct Piece {
    body: u32,
    element: u32,
    /// Pieces of a closed strand; 0 for an open one.
    ring: u32,
    along: Along,
    radius_m: f64,
    moving: MovingSegment,
}

/// The check with its memory.
#[derive(Clone, Debug, Default)]
pub struct PassingCheck {
    broad: BroadPhase,
    pieces: Vec<Piece>,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
    /// First piece of each strand, and the box that the strand stays in.
    strands: Vec<(usize, Aabb)>,
    judged: Vec<Judged>,
    troubles: Vec<Trouble>,
    deepest: f64,
    /// By how much the lines that are judged may be off those that touch, over the radius: so much deeper may they be. At
    /// the limit of a line that is off, what touches could move in no way.
    pub off: f64,
}

/// What is known of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    /// By how much it overlaps before it moves, over the smaller radius; 0 where that is little or nothing.
    depth: f64,
    trouble: Option<Trouble>,
}

impl PassingCheck {
    /// Forgets the strands.
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.boxes.clear();
        self.strands.clear();
        self.troubles.clear();
    }

    /// Adds a strand, maybe closed, whose points go from one place to another; `along` is where each of its pieces lies along
    /// it, or what it lies on.
    pub fn add(
        &mut self,
        body: u32,
        [from, to]: [&[Point3<f64>]; 2],
        along: &[Along],
        closed: bool,
        radius_m: f64,
    ) {
        let ring = if closed { from.len() as u32 - 1 } else { 0 };
        let bounds = Aabb::around(from.iter().chain(to)).grown(radius_m);
        self.strands.push((self.pieces.len(), bounds));
        for (k, (p, q)) in from.windows(2).zip(to.windows(2)).enumerate() {
            let moving = MovingSegment {
                from: [p[0], p[1]],
                to: [q[0], q[1]],
            };
            self.boxes.push(moving.bounds().grown(radius_m));
            self.pieces.push(Piece {
                body,
                element: k as u32,
                ring,
                along: along[k],
                radius_m,
                moving,
            });
        }
    }

    /// Looks at all pairs, the solids going through the share `span` of their step of `dt_s`. What touches only itself
    /// is left alone where `self_contact` is off.
    pub fn judge(&mut self, solids: &[SolidProxy], dt_s: f64, span: [f64; 2], self_contact: bool) {
        self.troubles.clear();
        self.deepest = 0.0;
        self.pairs.clear();
        let pieces = self.pieces.as_slice();
        let wanted = |i: u32, j: u32| {
            let (a, b) = (&pieces[i as usize], &pieces[j as usize]);
            strands::pieces_apart(a, b).is_none_or(|apart| self_contact && apart > 1)
        };
        let strand = |k: usize| pieces[k].body;
        self.broad
            .pairs(&self.boxes, strand, wanted, &mut self.pairs);
        let pairs = self.pairs.par_iter().with_min_len(TASK);
        let off = self.off;
        let judge =
            |&(i, j): &(u32, u32)| strands::judge(&pieces[i as usize], &pieces[j as usize], off);
        pairs.map(judge).collect_into_vec(&mut self.judged);
        self.take_in();
        for solid in solids {
            self.judge_solid(solid.solid, &MovingSolid::new(solid, dt_s, span));
        }
    }

    fn judge_solid(&mut self, index: u32, solid: &MovingSolid) {
        let bounds = solid.bounds();
        self.pairs.clear();
        let near = |b: &Aabb| bounds.as_ref().is_none_or(|s| s.overlaps(b));
        for (n, (first, strand)) in self.strands.iter().enumerate() {
            if !near(strand) {
                continue;
            }
            let end = self.strands.get(n + 1).map_or(self.pieces.len(), |s| s.0);
            let pieces = (*first..end).filter(|&k| near(&self.boxes[k]));
            self.pairs.extend(pieces.map(|k| (k as u32, index)));
        }
        let pieces = self.pieces.as_slice();
        let pairs = self.pairs.par_iter().with_min_len(TASK);
        let off = self.off;
        let judge =
            |&(k, index): &(u32, u32)| solids::judge(&pieces[k as usize], index, solid, off);
        pairs.map(judge).collect_into_vec(&mut self.judged);
        self.take_in();
    }

    /// Keeps what matters of the pairs judged last, in their order.
    fn take_in(&mut self) {
        for judged in &self.judged {
            self.deepest = self.deepest.max(judged.depth);
            self.troubles.extend(judged.trouble);
        }
    }

    /// Time spent on which boxes overlap since this was last asked, ms.
    pub fn broad_ms(&mut self) -> f64 {
        self.broad.take_spent_ms()
    }

    /// What must not happen.
    pub fn troubles(&self) -> &[Trouble] {
        &self.troubles
    }

    /// The deepest overlap before anything moves, over the smaller radius of its pair. Overlap with a mesh is not looked
    /// at unless it is nearly as deep as may be.
    pub fn deepest(&self) -> f64 {
        self.deepest
    }

    /// Pairs that pass through each other.
    pub fn crossings(&self) -> usize {
        self.troubles.iter().filter(|t| t.crossed).count()
    }
}

/// The least distance that a pair may come to, whose surfaces touch at distance `touch_m` and that starts at `start_m`; its
/// lines may be `off` by that share of the radius, and so much deeper when they are drawn anew.
///
/// ```text
///   start      │ far … nearly deep   nearly deep … deep              … deep and off             deeper, from the start or by an edit
///   may go to  │ nearly deep         a little deeper, at most deep   a little, at most so far   a little, at most half-way to nothing
/// ```
fn floor(touch_m: f64, smaller_m: f64, start_m: f64, off: f64) -> f64 {
    let at = |share: f64| touch_m - share * smaller_m;
    let (nearly, deep, deep_and_off) = (at(NEARLY), at(DEEP), at(DEEP + off));
    let deeper = start_m - ALLOWED * smaller_m;
    if start_m >= deep {
        deeper.clamp(deep, nearly)
    } else if start_m >= deep_and_off {
        deeper.max(deep_and_off)
    } else if start_m > 0.0 {
        deeper.max(0.5 * start_m)
    } else {
        deeper
    }
}

/// A distance over times 0 to 1.
struct Course<F: Fn(f64) -> f64> {
    distance: F,
    /// At time 0, m.
    start_m: f64,
    /// It changes by no more than this per unit of time, m.
    farthest_m: f64,
}

impl<F: Fn(f64) -> f64> Course<F> {
    /// Whether it stays above a floor, to a thousandth of `scale_m`: moves on by as much time as it cannot use up.
    fn stays_above(&self, floor_m: f64, scale_m: f64) -> bool {
        let (mut t, mut left) = (0.0, self.start_m - floor_m);
        // What starts nearer than that has not arrived for it: it may be on its way out.
        let arrived = (ARRIVED * scale_m).min(0.5 * left);
        for _ in 0..MOST_MOVES {
            if t * self.farthest_m + left >= self.farthest_m {
                return true;
            }
            t += left / self.farthest_m;
            left = (self.distance)(t) - floor_m;
            // Not-a-number has not stayed above.
            if left.is_nan() || left <= arrived {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
