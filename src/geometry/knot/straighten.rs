//! A closed polygon with fewer corners that is knotted the same: wherever the triangle of a corner and its two
//! neighbours meets no other piece, the corner is left out \[Koniaris91, Taylor00\]. Where that ends, corners are moved
//! towards the middle of their neighbours as far as the way is clear, which frees others.

use nalgebra::Point3;

use super::clear::{apart, leaves};
use super::index_tree::IndexTree;
use crate::geometry::Aabb;

/// What counts as touching, in sizes of the polygon: far above rounding, far below any strand's thickness.
const GAP: f64 = 1e-9;

/// How far towards the middle of its neighbours a corner is moved, tried one after the other.
const SHARES: [f64; 2] = [0.95, 0.5];

/// Rounds of moving that are tried in vain before giving up.
const VAIN_ROUNDS: usize = 3;

/// Corners left out one after the other, with what is needed for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Straightener {
    corners: Vec<Point3<f64>>,
    /// Neighbours among the corners that are left.
    next: Vec<usize>,
    before: Vec<usize>,
    gone: Vec<bool>,
    left: usize,
    tree: IndexTree,
    gap: f64,
}

impl Straightener {
    /// Leaves out corners until none can be, or `work` (tests of pieces and boxes) reaches `most`.
    pub fn straighten(&mut self, corners: &mut Vec<Point3<f64>>, work: &mut u64, most: u64) {
        self.start(corners);
        self.leave_out_all(work, most);
        let mut vain = 0;
        while self.left > 3 && vain < VAIN_ROUNDS && *work < most {
            let left = self.left;
            self.move_all(work, most);
            self.leave_out_all(work, most);
            vain = if self.left < left { 0 } else { vain + 1 };
        }
        corners.clear();
        let kept = (0..self.corners.len()).filter(|&i| !self.gone[i]);
        corners.extend(kept.map(|i| self.corners[i]));
    }

    fn start(&mut self, corners: &[Point3<f64>]) {
        let count = corners.len();
        self.corners.clear();
        self.corners.extend_from_slice(corners);
        self.next.clear();
        self.next.extend((0..count).map(|i| (i + 1) % count));
        self.before.clear();
        self.before
            .extend((0..count).map(|i| (i + count - 1) % count));
        self.gone.clear();
        self.gone.resize(count, false);
        self.left = count;
        self.tree
            .rebuild(count, |i| [corners[i], corners[(i + 1) % count]]);
        let bounds = Aabb::around(corners);
        self.gap = GAP * (bounds.high - bounds.low).norm();
    }

    fn leave_out_all(&mut self, work: &mut u64, most: u64) {
        loop {
            let left = self.left;
            let mut i = 0;
            while i < self.corners.len() && self.left > 3 && *work < most {
                if !self.gone[i] && self.can_go(i, work) {
                    self.leave_out(i);
                    // Its neighbour has its turn in the next round: triangles grow evenly so, not as a fan.
                    i += 1;
                }
                i += 1;
            }
            if self.left == left || self.left <= 3 || *work >= most {
                return;
            }
        }
    }

    fn can_go(&mut self, i: usize, work: &mut u64) -> bool {
        let (a, c) = (self.before[i], self.next[i]);
        let [pa, pb, pc] = [a, i, c].map(|k| self.corners[k]);
        let (further, earlier) = (self.next[c], self.before[a]);
        leaves(&pa, &pb, &pc, &self.corners[earlier], self.gap)
            && leaves(&pc, &pb, &pa, &self.corners[further], self.gap)
            && self.is_clear([pa, pb, pc], [earlier, a, i, c], work)
    }

    /// Whether no piece but those that start at `except` touches a triangle.
    fn is_clear(&mut self, triangle: [Point3<f64>; 3], except: [usize; 4], work: &mut u64) -> bool {
        let (corners, next, gap) = (&self.corners, &self.next, self.gap);
        let near = Aabb::around(&triangle).grown(gap);
        let mut tests = 0;
        let met = self.tree.any(&near, work, |k| {
            if except.contains(&k) {
                return false;
            }
            tests += 4;
            !apart(&triangle, &[corners[k], corners[next[k]]], gap)
        });
        *work += tests;
        !met
    }

    fn leave_out(&mut self, i: usize) {
        let (a, c) = (self.before[i], self.next[i]);
        self.next[a] = c;
        self.before[c] = a;
        self.gone[i] = true;
        self.left -= 1;
        self.tree.set(i, None);
        self.tree.set(a, Some([self.corners[a], self.corners[c]]));
    }

    fn move_all(&mut self, work: &mut u64, most: u64) {
        for i in 0..self.corners.len() {
            if *work >= most {
                return;
            }
            if self.gone[i] {
                continue;
            }
            let (a, c) = (self.before[i], self.next[i]);
            let middle = nalgebra::center(&self.corners[a], &self.corners[c]);
            let from = self.corners[i];
            let places = SHARES.map(|share| from + (middle - from) * share);
            if let Some(to) = places.into_iter().find(|to| self.can_move(i, *to, work)) {
                self.corners[i] = to;
                self.tree.set(a, Some([self.corners[a], to]));
                self.tree.set(i, Some([to, self.corners[c]]));
            }
        }
    }

    /// Whether both pieces at a corner can follow it to another place.
    fn can_move(&mut self, i: usize, to: Point3<f64>, work: &mut u64) -> bool {
        let (a, c) = (self.before[i], self.next[i]);
        let (earlier, further) = (self.before[a], self.next[c]);
        let [pa, pb, pc] = [a, i, c].map(|k| self.corners[k]);
        let gap = self.gap;
        // Towards the middle, the triangles of both pieces lie in that of the corner and share only the way itself.
        leaves(&pa, &pb, &to, &self.corners[earlier], gap)
            && leaves(&pc, &pb, &to, &self.corners[further], gap)
            && self.is_clear([pa, pb, to], [earlier, a, i, c], work)
            && self.is_clear([pb, to, pc], [earlier, a, i, c], work)
            && self.clear_of(&[pa, pb, to], c, further)
            && self.clear_of(&[pb, to, pc], earlier, a)
    }

    fn clear_of(&self, triangle: &[Point3<f64>; 3], from: usize, to: usize) -> bool {
        apart(triangle, &[self.corners[from], self.corners[to]], self.gap)
    }
}
