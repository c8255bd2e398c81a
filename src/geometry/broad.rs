//! Broad phase: which of many small boxes along strands overlap.
//!
//! Neighbours along a strand lie close together, so a few of them share one larger box, and only those larger boxes go
//! through the [`Grid`]: a quarter of the work of sorting, and what a strand has of pairs with itself is found without it.
//! Boxes inside of two larger ones that overlap are compared directly, in parallel; the order of pairs does not depend on
//! that.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::Aabb;
use super::grid::Grid;

/// Indices of two boxes, the lower first.
pub type Pair = (u32, u32);

/// Boxes that share one larger box.
const BUNDLE: usize = 4;
/// Pairs of larger boxes that one task compares.
const TASK: usize = 512;

/// The broad phase with its memory.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    grid: Grid,
    /// First and last small box of each larger one.
    bundles: Vec<[u32; 2]>,
    large: Vec<Aabb>,
    pairs: Vec<Pair>,
    found: Vec<Vec<Pair>>,
    spent: Duration,
}

impl BroadPhase {
    /// Appends every pair of overlapping boxes that `wanted` lets pass, the lower index first. `strand(k)` names the
    /// strand of box k; boxes of one strand are next to each other.
    pub fn pairs(
        &mut self,
        boxes: &[Aabb],
        strand: impl Fn(usize) -> u32,
        wanted: impl Fn(u32, u32) -> bool + Sync,
        out: &mut Vec<Pair>,
    ) {
        let clock = Instant::now();
        self.bundle(boxes, strand);
        self.pairs.clear();
        self.grid.pairs(&self.large, &mut self.pairs);
        // A bundle's own pairs, as if it overlapped itself.
        self.pairs
            .extend((0..self.bundles.len() as u32).map(|k| (k, k)));
        let tasks = self.pairs.len().div_ceil(TASK);
        self.found
            .resize_with(tasks.max(self.found.len()), Vec::new);
        let (bundles, large) = (&self.bundles, &self.large);
        let compare = |(pairs, found): (&[Pair], &mut Vec<Pair>)| {
            found.clear();
            for &(p, q) in pairs {
                let ([first, last], [begin, end]) = (bundles[p as usize], bundles[q as usize]);
                let other = &large[q as usize];
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
            1 => compare((&self.pairs, &mut self.found[0])),
            _ => (self.pairs.par_chunks(TASK).zip(&mut self.found)).for_each(compare),
        }
        for found in &self.found[..tasks] {
            out.extend_from_slice(found);
        }
        self.spent += clock.elapsed();
    }

    /// Time that was spent since this was last asked, ms.
    pub fn take_spent_ms(&mut self) -> f64 {
        1e3 * std::mem::take(&mut self.spent).as_secs_f64()
    }

    fn bundle(&mut self, boxes: &[Aabb], strand: impl Fn(usize) -> u32) {
        self.bundles.clear();
        self.large.clear();
        let mut first = 0;
        while first < boxes.len() {
            let own = strand(first);
            let mut last = first;
            let mut large = boxes[first];
            while last + 1 < boxes.len() && last + 1 - first < BUNDLE && strand(last + 1) == own {
                last += 1;
                large = large.union(&boxes[last]);
            }
            self.bundles.push([first as u32, last as u32]);
            self.large.push(large);
            first = last + 1;
        }
    }
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
    }
}
