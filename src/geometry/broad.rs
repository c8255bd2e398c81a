//! Broad phase: which of many small boxes along strands overlap.
//!
//! Neighbours along a strand lie close together, so a few of them share one larger box. Which larger boxes are near each
//! other is asked of the [`Grid`], and not in every step: it is given boxes with some room, and its answer holds for as long
//! as none has left its own. In a step that leaves
//!
//! ```text
//!   fit        each larger box anew around its small ones; is it still in its room?     in parallel
//!   refill     if not: rooms anew, grid anew                                            in parallel, now and then
//!   compare    boxes inside of two larger ones that are near each other                 in parallel
//! ```
//!
//! Pairs come in the order of their larger boxes, whatever the rooms were: it depends on the boxes alone, not on the past
//! nor on the number of threads.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::Aabb;
use super::grid::Grid;

/// Indices of two boxes, the lower first.
pub type Pair = (u32, u32);

/// Boxes that share one larger box.
const BUNDLE: usize = 4;
/// Larger boxes that one task fits.
const FIT: usize = 1024;
/// Pairs of larger boxes that one task compares.
const TASK: usize = 512;
/// Room around a larger box, at most, as a share of the mean of their sizes. From a twentieth to a half the cost is about
/// the same: less of comparing, more of filling.
const ROOM: f64 = 0.2;

/// The least share of it.
const LEAST: f64 = 0.25;

/// The broad phase with its memory.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    grid: Grid,
    /// First and last small box of each larger one.
    bundles: Vec<[u32; 2]>,
    large: Vec<Aabb>,
    /// Where each larger box may be while `near` holds.
    rooms: Vec<Aabb>,
    /// Pairs of larger boxes whose rooms overlap, and each with itself, in order.
    near: Vec<Pair>,
    found: Vec<Vec<Pair>>,
    /// Share that the rooms have of [`ROOM`], and how often they were large enough.
    roominess: f64,
    lasted: u64,
    spent: Duration,
}

impl BroadPhase {
    /// Appends every pair of overlapping boxes that `wanted` lets pass, the lower index first. `strand(k)` names the
    /// strand of box k; boxes of one strand are next to each other.
    pub fn pairs(
        &mut self,
        boxes: &[Aabb],
        strand: impl Fn(usize) -> u32 + Sync,
        wanted: impl Fn(u32, u32) -> bool + Sync,
        out: &mut Vec<Pair>,
    ) {
        let clock = Instant::now();
        if self.fit(boxes, &strand) {
            self.lasted += 1;
        } else {
            self.refill(boxes, &strand);
        }
        self.compare(boxes, wanted, out);
        self.spent += clock.elapsed();
    }

    /// Time that was spent since this was last asked, ms.
    pub fn take_spent_ms(&mut self) -> f64 {
        1e3 * std::mem::take(&mut self.spent).as_secs_f64()
    }

    /// Fits the larger boxes around the small ones; whether they are of the same boxes as before, and in their rooms.
    fn fit(&mut self, boxes: &[Aabb], strand: &(impl Fn(usize) -> u32 + Sync)) -> bool {
        let end = self.bundles.last().map_or(0, |last| last[1] as usize + 1);
        if end != boxes.len() {
            return false;
        }
        let rooms = &self.rooms;
        let fit = |(k, ([first, last], large)): (usize, (&[u32; 2], &mut Aabb))| {
            let (first, last) = (*first as usize, *last as usize);
            *large = around(&boxes[first..=last]);
            let full = last + 1 - first == BUNDLE || last + 1 == boxes.len();
            let of_one = strand(first) == strand(last);
            of_one && (full || strand(last + 1) != strand(first)) && rooms[k].contains(large)
        };
        let bundles = self.bundles.par_iter().zip(&mut self.large);
        // All of them are fitted, whatever the first ones say.
        (bundles.enumerate().with_min_len(FIT).map(fit)).reduce(|| true, |a, b| a & b)
    }

    /// Makes larger boxes, rooms and what is near anew.
    fn refill(&mut self, boxes: &[Aabb], strand: &impl Fn(usize) -> u32) {
        // Rooms that boxes leave at once are of little use.
        let change = match std::mem::take(&mut self.lasted) {
            0 => 0.5,
            _ => 2.0,
        };
        self.roominess = (change * self.roominess).clamp(LEAST, 1.0);
        self.bundle(boxes, strand);
        let size = |b: &Aabb| (b.high - b.low).max();
        let mean = self.large.iter().map(size).sum::<f64>() / self.large.len().max(1) as f64;
        let room = ROOM * self.roominess * mean;
        self.rooms.clear();
        self.rooms
            .extend(self.large.iter().map(|large| large.grown(room)));
        self.near.clear();
        self.grid.pairs(&self.rooms, &mut self.near);
        // A bundle's own pairs, as if it overlapped itself.
        let own = (0..self.bundles.len() as u32).map(|k| (k, k));
        self.near.extend(own);
        // The same order from the same boxes; pairs differ.
        self.near.par_sort_unstable();
    }

    fn bundle(&mut self, boxes: &[Aabb], strand: &impl Fn(usize) -> u32) {
        self.bundles.clear();
        self.large.clear();
        let mut first = 0;
        while first < boxes.len() {
            let own = strand(first);
            let most = boxes.len().min(first + BUNDLE);
            let last = (first + 1..most)
                .take_while(|&k| strand(k) == own)
                .last()
                .unwrap_or(first);
            self.bundles.push([first as u32, last as u32]);
            self.large.push(around(&boxes[first..=last]));
            first = last + 1;
        }
    }

    /// Compares the boxes inside of larger ones that are near each other.
    fn compare(
        &mut self,
        boxes: &[Aabb],
        wanted: impl Fn(u32, u32) -> bool + Sync,
        out: &mut Vec<Pair>,
    ) {
        let tasks = self.near.len().div_ceil(TASK);
        self.found
            .resize_with(tasks.max(self.found.len()), Vec::new);
        let (bundles, large) = (&self.bundles, &self.large);
        let compare = |(pairs, found): (&[Pair], &mut Vec<Pair>)| {
            found.clear();
            for &(p, q) in pairs {
                let other = &large[q as usize];
                if !large[p as usize].overlaps(other) {
                    continue;
                }
                let ([first, last], [begin, end]) = (bundles[p as usize], bundles[q as usize]);
                for i in first..=last {
                    let a = &boxes[i as usize];
                    if !a.overlaps(other) {
                        continue;
                    }
                    let begin = if p == q { i + 1 } else { begin };
                    for j in begin..=end {
                        if a.overlaps(&boxes[j as usize]) && wanted(i, j) {
                            found.push((i, j));
                        }
                    }
                }
            }
        };
        match tasks {
            0 => (),
            1 => compare((&self.near, &mut self.found[0])),
            _ => (self.near.par_chunks(TASK).zip(&mut self.found)).for_each(compare),
        }
        for found in &self.found[..tasks] {
            out.extend_from_slice(found);
        }
    }
}

/// The smallest box around boxes, of which there is at least one.
fn around(boxes: &[Aabb]) -> Aabb {
    boxes[1..].iter().fold(boxes[0], |all, b| all.union(b))
}
#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Point3, Vector3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_each_wanted_pair_once(
            raw in prop::collection::vec((prop::array::uniform3(-1.0..1.0_f64), 0.001..0.4_f64), 0..80),
            strands in 1..5_usize,
        ) {
            let boxes: Vec<Aabb> = raw
                .iter()
                .map(|(p, s)| Aabb { low: Point3::from(*p), high: Point3::from(*p) + Vector3::new(*s, 0.5 * s, 2.0 * s) })
                .collect();
            let strand = |k: usize| (k * strands / boxes.len().max(1)) as u32;
            let wanted = |i: u32, j: u32| !(i + j).is_multiple_of(3);
            let mut found = Vec::new();
            BroadPhase::default().pairs(&boxes, strand, wanted, &mut found);
            found.sort_unstable();
            let all = (0..boxes.len() as u32).flat_map(|i| (i + 1..boxes.len() as u32).map(move |j| (i, j)));
            let expected: Vec<_> = all
                .filter(|&(i, j)| boxes[i as usize].overlaps(&boxes[j as usize]) && wanted(i, j))
                .collect();
            prop_assert_eq!(found, expected);
        }

        /// What was near before must not show: neither in the pairs nor in their order.
        #[test]
        fn finds_the_same_whatever_was_there_before(
            raw in prop::collection::vec((prop::array::uniform3(-1.0..1.0_f64), 0.001..0.4_f64), 0..80),
            steps in prop::collection::vec((0.0..0.1_f64, 1..5_usize, 0..3_usize), 1..12),
        ) {
            let mut boxes: Vec<Aabb> = raw
                .iter()
                .map(|(p, s)| Aabb { low: Point3::from(*p), high: Point3::from(*p) + Vector3::repeat(*s) })
                .collect();
            let mut phase = BroadPhase::default();
            for (n, (way, strands, lost)) in steps.into_iter().enumerate() {
                for (k, b) in boxes.iter_mut().enumerate() {
                    let angle = (k * (n + 1)) as f64;
                    let way = Vector3::new(angle.cos(), angle.sin(), (0.7 * angle).sin()) * way;
                    *b = Aabb { low: b.low + way, high: b.high + way };
                }
                // Now and then a box goes, or strands are parted elsewhere.
                if lost == 0 {
                    boxes.pop();
                }
                let strand = |k: usize| (k * strands / boxes.len().max(1)) as u32;
                let (mut found, mut anew) = (Vec::new(), Vec::new());
                phase.pairs(&boxes, strand, |_, _| true, &mut found);
                BroadPhase::default().pairs(&boxes, strand, |_, _| true, &mut anew);
                prop_assert_eq!(found, anew);
            }
        }
    }
}
