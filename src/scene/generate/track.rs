//! One rail of a track that runs straight, then through loops, then straight again.
//!
//! ```text
//!            ___     ____
//!           /   \   /    \        seen from the side; every loop is a circle that leaves the
//!     ______\___/___\____/____    track at its lowest point and comes back beside itself
//!     run_in     between   run_out
//! ```
//!
//! The rail is `beside_m` away from the middle of the track, level across it. In a loop of radius ρ the track goes
//! aside evenly but for its ends, where it starts and ends straight.

use std::f64::consts::TAU;

use nalgebra::{Point3, Unit, Vector3};

/// What describes it.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Track {
    /// Where the middle of the track starts, m.
    pub from: Point3<f64>,
    /// Where it goes from there.
    pub direction: Unit<Vector3<f64>>,
    /// Where its loops rise, across the direction.
    pub up: Unit<Vector3<f64>>,
    /// Length before the first loop, m.
    pub run_in_m: f64,
    /// Radii of the loops, m.
    pub radii_m: Vec<f64>,
    /// Length from loop to loop, m.
    pub between_m: f64,
    /// Length after the last loop, m.
    pub run_out_m: f64,
    /// How far each loop goes aside, m.
    pub aside_m: f64,
    /// From the middle of the track to the rail, m; positive on the side of direction × up.
    pub beside_m: f64,
}

/// Points of a straight part and of a loop: dense enough to be smooth to a millionth.
const STRAIGHT_POINTS: usize = 400;
const LOOP_POINTS: usize = 4000;

/// A fine polyline along the rail.
pub(in crate::scene) fn track(track: &Track) -> Vec<Point3<f64>> {
    let mut middle = vec![[0.0; 3]];
    let (mut x, mut z) = (0.0, 0.0);
    straight(&mut middle, &mut x, z, track.run_in_m);
    for (k, radius) in track.radii_m.iter().enumerate() {
        if k > 0 {
            straight(&mut middle, &mut x, z, track.between_m);
        }
        for i in 1..=LOOP_POINTS {
            let share = i as f64 / LOOP_POINTS as f64;
            let turn = TAU * share;
            middle.push([
                x + radius * turn.sin(),
                radius * (1.0 - turn.cos()),
                z + track.aside_m * (share - turn.sin() / TAU),
            ]);
        }
        z += track.aside_m;
    }
    straight(&mut middle, &mut x, z, track.run_out_m);
    let across = track.direction.cross(&track.up);
    let place = |[x, y, z]: &[f64; 3]| {
        track.from + track.direction.into_inner() * *x + track.up.into_inner() * *y + across * *z
    };
    let middle: Vec<Point3<f64>> = middle.iter().map(place).collect();
    (0..middle.len())
        .map(|i| {
            let [before, after] = [i.saturating_sub(1), (i + 1).min(middle.len() - 1)];
            let along = (middle[after] - middle[before]).normalize();
            let level = (across - along * along.dot(&across)).normalize();
            middle[i] + level * track.beside_m
        })
        .collect()
}

fn straight(out: &mut Vec<[f64; 3]>, x: &mut f64, z: f64, length: f64) {
    if length > 0.0 {
        let step = |i: usize| length * i as f64 / STRAIGHT_POINTS as f64;
        out.extend((1..=STRAIGHT_POINTS).map(|i| [*x + step(i), 0.0, z]));
        *x += length;
    }
}

#[cfg(test)]
mod tests {
    use super::super::resample::length;
    use super::*;

    fn example(beside_m: f64) -> Track {
        Track {
            from: Point3::new(0.5, 0.1, 0.0),
            direction: Vector3::x_axis(),
            up: Vector3::y_axis(),
            run_in_m: 0.4,
            radii_m: vec![0.1, 0.2],
            between_m: 0.3,
            run_out_m: 0.2,
            aside_m: 0.05,
            beside_m,
        }
    }

    #[test]
    fn it_is_as_long_as_its_parts_and_ends_beside_where_it_would() {
        let middle = track(&example(0.0));
        let parts = 0.9 + TAU * 0.3;
        assert!((length(&middle) / parts - 1.0).abs() < 0.01);
        let end = middle[middle.len() - 1];
        assert!((end - Point3::new(1.4, 0.1, 0.1)).norm() < 1e-12, "{end}");
        let highest = middle.iter().map(|p| p.y).fold(0.0, f64::max);
        assert!((highest - 0.5).abs() < 1e-6);
    }

    #[test]
    fn two_rails_are_as_far_apart_everywhere() {
        let [left, right] = [-0.03, 0.03].map(|beside| track(&example(beside)));
        for (a, b) in left.iter().zip(&right) {
            assert!(((a - b).norm() - 0.06).abs() < 1e-12);
        }
    }

    #[test]
    fn it_has_no_corners() {
        let rail = track(&example(0.03));
        for p in rail.windows(3) {
            let (e, f) = ((p[1] - p[0]).normalize(), (p[2] - p[1]).normalize());
            assert!(e.dot(&f) > 0.9999, "{e} {f}");
        }
    }
}
