//! Watches how deep a strand is in itself and in needles, by looking at every pair of straight pieces: slow, and nothing
//! that detection or the check after a step could hide from it.

use nalgebra::{Isometry3, Point3};

use crate::geometry::segment::distance;

/// Pieces that are nearer than this along the strand, in radii, bend about each other as neighbours do.
const NEIGHBOURS: f64 = 6.0;
/// A strand is held against itself every so many steps: that takes as long as a step.
const EVERY: u64 = 8;

/// A needle: its axis is the y axis of its own frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needle {
    pub radius_m: f64,
    pub half_length_m: f64,
}

/// The deepest overlap seen.
#[derive(Clone, Debug, Default)]
pub(super) struct OverlapWatch {
    steps: u64,
    deepest_over_radius: f64,
}

impl OverlapWatch {
    /// Takes in where the strand and the needles are after a step.
    pub fn observe(
        &mut self,
        nodes: &[Point3<f64>],
        radius_m: f64,
        needles: impl Iterator<Item = (Needle, Isometry3<f64>)>,
    ) {
        let pieces = || nodes.windows(2).map(|p| [p[0], p[1]]);
        let mut nearest = f64::INFINITY;
        for (needle, pose) in needles {
            let end = |y: f64| pose * Point3::new(0.0, y, 0.0);
            let axis = [end(-needle.half_length_m), end(needle.half_length_m)];
            for piece in pieces() {
                nearest = nearest.min(distance(&piece, &axis) - needle.radius_m - radius_m);
            }
        }
        if self.steps.is_multiple_of(EVERY) {
            nearest = nearest.min(self_distance(nodes, radius_m) - 2.0 * radius_m);
        }
        self.steps += 1;
        self.deepest_over_radius = self.deepest_over_radius.max(-nearest / radius_m);
    }

    /// Over the radius of the strand.
    pub fn deepest_over_radius(&self) -> f64 {
        self.deepest_over_radius
    }
}

/// Least distance of two pieces of a strand that are no neighbours, m.
fn self_distance(nodes: &[Point3<f64>], radius_m: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    for i in 0..nodes.len() - 1 {
        let mut along = 0.0;
        for j in i + 2..nodes.len() - 1 {
            along += (nodes[j] - nodes[j - 1]).norm();
            if along > NEIGHBOURS * radius_m {
                let pieces = [i, j].map(|k| [nodes[k], nodes[k + 1]]);
                nearest = nearest.min(distance(&pieces[0], &pieces[1]));
            }
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_with_a_needle_and_with_itself_is_seen_and_neighbours_are_not() {
        // A hairpin of radius 10 mm whose legs are 15 mm apart.
        let there = (0..20).map(|k| Point3::new(0.01 * f64::from(k), 0.0, 0.0));
        let back = (0..20).map(|k| Point3::new(0.19 - 0.01 * f64::from(k), 0.015, 0.0));
        let hairpin: Vec<_> = there.clone().chain(back).collect();
        let mut watch = OverlapWatch::default();
        watch.observe(&hairpin, 0.01, std::iter::empty());
        assert!((watch.deepest_over_radius() - 0.5).abs() < 1e-9);

        let straight: Vec<_> = there.collect();
        let needle = Needle {
            radius_m: 0.001,
            half_length_m: 0.05,
        };
        let mut watch = OverlapWatch::default();
        let at = |z: f64| (needle, Isometry3::translation(0.1, 0.0, z));
        watch.observe(&straight, 0.01, [at(0.012)].into_iter());
        assert_eq!(watch.deepest_over_radius(), 0.0);
        watch.observe(&straight, 0.01, [at(0.012), at(0.007)].into_iter());
        assert!((watch.deepest_over_radius() - 0.4).abs() < 1e-9);
    }
}
