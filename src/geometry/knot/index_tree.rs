//! Boxes about the pieces of a polygon, in a tree over their numbers. Pieces that follow each other are near each
//! other, so the tree finds what is near as well as one built by place would, and a piece that changes takes only its
//! ancestors along.
//!
//! ```text
//!              1                 node k has children 2k and 2k + 1;
//!        2           3           leaf of piece i is node leaves + i
//!     4     5     6     7
//! ```

use nalgebra::Point3;

use crate::geometry::Aabb;

/// The tree.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexTree {
    boxes: Vec<Aabb>,
    leaves: usize,
    stack: Vec<usize>,
}

impl IndexTree {
    /// Starts with so many pieces.
    pub fn rebuild(&mut self, count: usize, piece: impl Fn(usize) -> [Point3<f64>; 2]) {
        self.leaves = count.next_power_of_two();
        self.boxes.clear();
        self.boxes.resize(2 * self.leaves, empty());
        for i in 0..count {
            self.boxes[self.leaves + i] = about(piece(i));
        }
        for k in (1..self.leaves).rev() {
            self.boxes[k] = self.boxes[2 * k].union(&self.boxes[2 * k + 1]);
        }
    }

    /// Changes a piece, or removes it.
    pub fn set(&mut self, i: usize, piece: Option<[Point3<f64>; 2]>) {
        let mut k = self.leaves + i;
        self.boxes[k] = piece.map_or_else(empty, about);
        while k > 1 {
            k /= 2;
            self.boxes[k] = self.boxes[2 * k].union(&self.boxes[2 * k + 1]);
        }
    }

    /// Whether `accept` says yes to a piece whose box touches `near`; asks no more once it has. Counts what it looks
    /// at into `work`.
    pub fn any(
        &mut self,
        near: &Aabb,
        work: &mut u64,
        mut accept: impl FnMut(usize) -> bool,
    ) -> bool {
        self.stack.clear();
        self.stack.push(1);
        while let Some(k) = self.stack.pop() {
            *work += 1;
            if !self.boxes[k].overlaps(near) {
                continue;
            }
            if k >= self.leaves {
                if accept(k - self.leaves) {
                    return true;
                }
            } else {
                self.stack.extend([2 * k, 2 * k + 1]);
            }
        }
        false
    }
}

fn about(piece: [Point3<f64>; 2]) -> Aabb {
    Aabb::around(&piece)
}

fn empty() -> Aabb {
    Aabb::around([])
}
