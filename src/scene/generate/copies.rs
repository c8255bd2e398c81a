//! Places for copies of a strand, side by side: a hexagonal grid across an axis, from the middle outwards.
//!
//! ```text
//!        o  o  o
//!      o  1  2  o      place (i, j) is at spacing · ((i + j/2) e₁ + (√3/2) j e₂);
//!     o  3  0  4  o    0 is the strand itself, the others follow by distance
//!      o  5  6  o
//!        o  o  o
//! ```

use nalgebra::{Unit, Vector3};

use super::helix::across;
use super::noise::Noise;

/// What describes a bundle.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct Copies {
    /// Strands in all, the first included.
    pub count: usize,
    /// Distance between neighbours, m.
    pub spacing_m: f64,
    /// The grid is across this direction.
    pub axis: Unit<Vector3<f64>>,
    /// Every copy is off its place by up to this in each of the two directions, m: no bundle is perfect.
    pub jitter_m: f64,
    /// Which bundle of all those that the jitter allows.
    pub seed: u64,
}

/// From the strand to each of its copies, m; the first is zero.
pub(in crate::scene) fn offsets(copies: &Copies) -> Vec<Vector3<f64>> {
    let e1 = across(&copies.axis);
    let e2 = copies.axis.cross(&e1);
    let mut noise = Noise(copies.seed);
    hexagonal(copies.count)
        .into_iter()
        .enumerate()
        .map(|(k, (x, y))| {
            // The first stays where the scene puts it.
            let jitter = if k == 0 { 0.0 } else { copies.jitter_m };
            let (dx, dy) = (jitter * noise.next(), jitter * noise.next());
            e1 * (copies.spacing_m * x + dx) + e2 * (copies.spacing_m * y + dy)
        })
        .collect()
}

/// The first `count` points of the unit hexagonal grid, by distance from the origin and then by angle.
fn hexagonal(count: usize) -> Vec<(f64, f64)> {
    // k rings hold 1 + 3 k (k + 1) points; the nearest `count` lie within a circle that is a little wider.
    let rings = ((count as f64 / 3.0).sqrt().ceil() * 1.2).ceil() as i64 + 1;
    let mut points = Vec::new();
    for j in -rings..=rings {
        for i in -rings..=rings {
            let (x, y) = (i as f64 + 0.5 * j as f64, 0.75_f64.sqrt() * j as f64);
            // Whole numbers, so that places at the same distance compare as equal.
            points.push((i * i + i * j + j * j, y.atan2(x), (x, y)));
        }
    }
    points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.truncate(count);
    points.into_iter().map(|(_, _, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copies(count: usize) -> Copies {
        Copies {
            count,
            spacing_m: 0.01,
            axis: Vector3::x_axis(),
            jitter_m: 0.0,
            seed: 1,
        }
    }

    #[test]
    fn neighbours_are_one_spacing_apart_and_none_is_nearer() {
        for count in [1, 2, 7, 30, 61, 200] {
            let places = offsets(&copies(count));
            assert_eq!((places.len(), places[0]), (count, Vector3::zeros()));
            for (k, a) in places.iter().enumerate() {
                assert_eq!(a.x, 0.0, "across the axis");
                let others = places.iter().enumerate().filter(|(other, _)| *other != k);
                let nearest = others.map(|(_, b)| (a - b).norm()).fold(1.0, f64::min);
                assert!(count == 1 || (nearest - 0.01).abs() < 1e-12, "{nearest}");
            }
        }
    }

    #[test]
    fn whole_rings_come_first() {
        let reach = |count| {
            let places = offsets(&copies(count));
            places.iter().map(Vector3::norm).fold(0.0, f64::max)
        };
        assert!((reach(7) - 0.01).abs() < 1e-12);
        assert!((reach(19) - 0.02).abs() < 1e-12);
        assert!((reach(37) - 0.03).abs() < 1e-12);
    }

    #[test]
    fn a_seed_gives_the_same_bundle_again_and_another_seed_another() {
        let with = |seed| {
            offsets(&Copies {
                jitter_m: 1e-3,
                seed,
                ..copies(10)
            })
        };
        assert_eq!(with(1), with(1));
        assert_ne!(with(1), with(2));
        let moved = with(1)[9] - offsets(&copies(10))[9];
        assert!(moved.amax() <= 1e-3 && moved.amax() > 0.0);
    }
}
