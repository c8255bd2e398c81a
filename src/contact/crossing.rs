//! The independent check: which pieces of strands passed through each other between two states.
//!
//! It looks at the centrelines alone, at every pair whose swept boxes overlap, and shares nothing with the detectors,
//! so it also counts what they missed.

use nalgebra::Point3;

use crate::geometry::Aabb;
use crate::geometry::broad::BroadPhase;
use crate::geometry::segment::{MovingSegment, pass_through};

/// The check with its memory.
#[derive(Clone, Debug, Default)]
pub struct CrossingCheck {
    broad: BroadPhase,
    /// Strand, piece, and pieces of a closed strand.
    names: Vec<(u32, u32, u32)>,
    moving: Vec<MovingSegment>,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
}

impl CrossingCheck {
    /// Forgets the strands.
    pub fn clear(&mut self) {
        self.names.clear();
        self.moving.clear();
    }

    /// Adds a strand, maybe closed, that goes from one state to another.
    pub fn add(&mut self, body: u32, from: &[Point3<f64>], to: &[Point3<f64>], closed: bool) {
        let ring = if closed { from.len() as u32 - 1 } else { 0 };
        for (k, (p, q)) in from.windows(2).zip(to.windows(2)).enumerate() {
            self.names.push((body, k as u32, ring));
            self.moving.push(MovingSegment {
                from: [p[0], p[1]],
                to: [q[0], q[1]],
            });
        }
    }

    /// Number of pairs of pieces that passed through each other.
    pub fn count(&mut self) -> usize {
        self.boxes.clear();
        self.boxes
            .extend(self.moving.iter().map(MovingSegment::bounds));
        self.pairs.clear();
        let names = self.names.as_slice();
        let strand = |k: usize| names[k].0;
        let wanted = |i: u32, j: u32| {
            let ((body, piece, ring), (other, other_piece, _)) =
                (names[i as usize], names[j as usize]);
            let apart = piece.abs_diff(other_piece);
            !(body == other && (apart < 2 || apart + 1 == ring))
        };
        self.broad
            .pairs(&self.boxes, strand, wanted, &mut self.pairs);
        let passed = |&&(i, j): &&(u32, u32)| {
            pass_through(&self.moving[i as usize], &self.moving[j as usize])
        };
        self.pairs.iter().filter(passed).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strand_that_jumps_through_another_is_counted() {
        let line = |y: f64, along_x: bool| -> Vec<Point3<f64>> {
            (0..11)
                .map(|k| {
                    let s = 0.1 * k as f64 - 0.53;
                    if along_x {
                        Point3::new(s, y, 0.0)
                    } else {
                        Point3::new(0.0, y, s)
                    }
                })
                .collect()
        };
        let mut check = CrossingCheck::default();
        check.add(0, &line(0.0, true), &line(0.0, true), false);
        check.add(1, &line(0.4, false), &line(-0.7, false), false);
        assert_eq!(check.count(), 1);
        check.clear();
        check.add(0, &line(0.0, true), &line(-1.1, true), false);
        check.add(1, &line(0.4, false), &line(-0.7, false), false);
        assert_eq!(check.count(), 0, "moving together is no crossing");
    }
}
