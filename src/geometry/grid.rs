//! Broad phase: pairs of overlapping boxes by a uniform grid.
//!
//! Every box is listed in each cell it touches; sorting the list brings the boxes of a cell together. A pair is
//! reported by the one cell that holds the lowest corner of its overlap, so no pair comes twice, and the order
//! depends on the boxes alone.

use rayon::prelude::*;

use super::Aabb;

/// The grid with its memory.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    entries: Vec<(u64, u32)>,
    lanes: Vec<Lane>,
}

/// What one task works with.
#[derive(Clone, Debug, Default)]
struct Lane {
    entries: Vec<(u64, u32)>,
    pairs: Vec<(u32, u32)>,
}

/// A box touches at most so many cells along an axis; larger ones make the cells larger.
const CELLS_ALONG_BOX: f64 = 8.0;
/// Boxes, or places in the list, that one task looks at.
const TASK: usize = 4096;
/// Lists from this length on are sorted in parallel; entries differ, so the order is the same.
const PARALLEL_FROM: usize = 20_000;

impl Grid {
    /// Appends every pair of overlapping boxes, the lower index first.
    pub fn pairs(&mut self, boxes: &[Aabb], out: &mut Vec<(u32, u32)>) {
        let extent = |b: &Aabb| (b.high - b.low).max();
        let largest = boxes.iter().map(extent).fold(0.0, f64::max);
        let mean = boxes.iter().map(extent).sum::<f64>() / boxes.len().max(1) as f64;
        // Cells of about the usual box; a single huge box must not fill the list.
        let cell = mean.max(largest / CELLS_ALONG_BOX);
        if !(cell.is_finite() && cell > 0.0) {
            return;
        }
        self.fill(boxes, cell);
        self.enumerate(boxes, cell, out);
    }

    /// Lists every box in each cell it touches, cell by cell.
    fn fill(&mut self, boxes: &[Aabb], cell: f64) {
        self.lanes.resize_with(
            boxes.len().div_ceil(TASK).max(self.lanes.len()),
            Lane::default,
        );
        let fill = |(task, (boxes, lane)): (usize, (&[Aabb], &mut Lane))| {
            lane.entries.clear();
            for (index, b) in (task * TASK..).zip(boxes) {
                let (low, high) = (cell_of(&b.low, cell), cell_of(&b.high, cell));
                for x in low[0]..=high[0] {
                    for y in low[1]..=high[1] {
                        for z in low[2]..=high[2] {
                            lane.entries.push((key([x, y, z]), index as u32));
                        }
                    }
                }
            }
        };
        let tasks = boxes.par_chunks(TASK).zip(&mut self.lanes);
        tasks.enumerate().for_each(fill);
        self.entries.clear();
        for lane in &self.lanes[..boxes.len().div_ceil(TASK)] {
            self.entries.extend_from_slice(&lane.entries);
        }
        // Entries differ: their order does not depend on how they are sorted.
        if self.entries.len() < PARALLEL_FROM {
            self.entries.sort_unstable();
        } else {
            self.entries.par_sort_unstable();
        }
    }

    /// Appends the pairs of each cell.
    fn enumerate(&mut self, boxes: &[Aabb], cell: f64, out: &mut Vec<(u32, u32)>) {
        let entries = self.entries.as_slice();
        let tasks = entries.len().div_ceil(TASK);
        self.lanes
            .resize_with(tasks.max(self.lanes.len()), Lane::default);
        // A task has the cells that begin in its share of the list.
        let begins = |k: usize| k == 0 || entries[k].0 != entries[k - 1].0;
        let enumerate = |(task, lane): (usize, &mut Lane)| {
            lane.pairs.clear();
            let share = task * TASK..entries.len().min((task + 1) * TASK);
            let Some(first) = share.clone().find(|&k| begins(k)) else {
                return;
            };
            let end = (share.end..entries.len()).find(|&k| begins(k));
            let own = &entries[first..end.unwrap_or(entries.len())];
            for group in own.chunk_by(|a, b| a.0 == b.0) {
                for (n, &(here, i)) in group.iter().enumerate() {
                    let a = &boxes[i as usize];
                    for &(_, j) in &group[n + 1..] {
                        let b = &boxes[j as usize];
                        if a.overlaps(b) && key(cell_of(&a.low.sup(&b.low), cell)) == here {
                            lane.pairs.push((i, j));
                        }
                    }
                }
            }
        };
        let lanes = self.lanes[..tasks].par_iter_mut();
        lanes.enumerate().for_each(enumerate);
        for lane in &self.lanes[..tasks] {
            out.extend_from_slice(&lane.pairs);
        }
    }
}

fn cell_of(p: &nalgebra::Point3<f64>, cell: f64) -> [i64; 3] {
    [0, 1, 2].map(|c| {
        // The floor, without a call where the machine has no instruction for it.
        let share = p[c] / cell;
        let towards_zero = share as i64;
        towards_zero - i64::from(share < towards_zero as f64)
    })
}

/// 21 bits per axis; cells that wrap around share a list, which costs time but loses no pair.
fn key(cell: [i64; 3]) -> u64 {
    cell.iter()
        .fold(0, |key, &c| (key << 21) | (c as u64 & 0x1f_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Point3, Vector3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_each_overlapping_pair_once(
            raw in prop::collection::vec((prop::array::uniform3(-1.0..1.0_f64), 0.001..0.4_f64), 0..60),
        ) {
            let boxes: Vec<Aabb> = raw
                .iter()
                .map(|(p, s)| Aabb { low: Point3::from(*p), high: Point3::from(*p) + Vector3::new(*s, 0.5 * s, 2.0 * s) })
                .collect();
            let mut found = Vec::new();
            Grid::default().pairs(&boxes, &mut found);
            found.sort_unstable();
            let mut expected = Vec::new();
            for i in 0..boxes.len() {
                for j in i + 1..boxes.len() {
                    if boxes[i].overlaps(&boxes[j]) {
                        expected.push((i as u32, j as u32));
                    }
                }
            }
            prop_assert_eq!(found, expected);
        }
    }
}
