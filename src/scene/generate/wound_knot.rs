//! A slack overhand knot whose end is wound n times through its loop, with two straight tails: the torus knot (2, 2n + 1)
//! cut open.
//!
//! Two strands turn about each other 2n + 1 half turns, as the two threads of a screw; outside of them one pair of ends
//! is joined by the loop, the other pair are the tails:
//!
//! ```text
//!        ╭──────────────────────────╮
//!        │           loop           │        y
//!        ╰────╮ ╭──╮ ╭──╮ ╭──╮ ╭────╯        ↑
//!              ╳    ╳    ╳    ╳              └→ x, along the tails
//!   ──────────╯ ╰──╯ ╰──╯ ╰──╯ ╰──────────
//!   first tail   2n + 1 crossings   second tail
//! ```

use std::f64::consts::PI;

use nalgebra::{Point3, Vector3};

use super::knot::{OverhandKnot, frame};
use super::length;

/// Distance of each of the two strands from the middle of the screw, over the size of the loop.
const SCREW: f64 = 0.0175;
/// Advance per half turn over that distance. The strands run at 15° to the axis, clear each other by 1.9 of it, and are bent
/// about twice as sharply as the loop: a tighter screw would spring open like one.
const ADVANCE: f64 = 11.4;
/// Points of the polyline per half turn and per half circle.
const PIECES: usize = 200;

/// A fine polyline along the knot, or the least length that it needs. The size of the loop is its height.
pub(in crate::scene) fn wound_knot(
    knot: &OverhandKnot,
    turns: usize,
) -> Result<Vec<Point3<f64>>, f64> {
    let half_turns = 2 * turns + 1;
    let aside = SCREW * knot.loop_size_m;
    let half_length = 0.5 * half_turns as f64 * ADVANCE * aside;
    let height = 0.5 * knot.loop_size_m;
    let screw = |from_above: bool| -> Vec<Vector3<f64>> {
        let pieces = PIECES * half_turns;
        (0..=pieces)
            .map(|i| {
                let share = i as f64 / pieces as f64;
                let angle = PI * half_turns as f64 * eased(share, half_turns);
                let side = if from_above { aside } else { -aside };
                let x = half_length * (2.0 * share - 1.0);
                Vector3::new(x, side * angle.cos(), side * angle.sin())
            })
            .collect()
    };
    // Up, back and down: half a circle, a straight line, half a circle.
    let turn = |x: f64, from: f64| -> Vec<Vector3<f64>> {
        (0..=PIECES)
            .map(|i| {
                let angle = from + PI * i as f64 / PIECES as f64;
                let (sin, cos) = angle.sin_cos();
                Vector3::new(x, aside + height, 0.0) + Vector3::new(cos, sin, 0.0) * height
            })
            .collect()
    };
    let mut path = screw(false);
    path.extend(turn(half_length, -0.5 * PI).into_iter().skip(1));
    path.extend(turn(-half_length, 0.5 * PI));
    path.extend(screw(true).into_iter().skip(1));
    let world_from_knot = frame(&knot.direction, &knot.normal);
    // The tails are on one line, through the centre.
    let shift = Vector3::new(0.0, aside, 0.0);
    let middle: Vec<Point3<f64>> = path
        .iter()
        .map(|p| knot.centre + world_from_knot * (p + shift))
        .collect();
    let tail_m = 0.5 * (knot.length_m - length(&middle));
    // A tail shorter than this could not be held.
    if tail_m < aside {
        return Err(length(&middle) + 2.0 * aside);
    }
    let tail = knot.direction.into_inner() * tail_m;
    let (first, last) = (middle[0], middle[middle.len() - 1]);
    let mut points = vec![first - tail];
    points.extend(middle);
    points.push(last + tail);
    Ok(points)
}

/// From 0 to 1, steady but for half of a half turn at each end, where it starts and stops gently, so that the strands
/// leave along the axis.
fn eased(share: f64, half_turns: usize) -> f64 {
    let ramp = 0.5 / half_turns as f64;
    let distance = |t: f64| match t < ramp {
        true => 0.5 * t * t / ramp,
        false => t - 0.5 * ramp,
    };
    let whole = 2.0 * distance(0.5);
    match share < 0.5 {
        true => distance(share) / whole,
        false => 1.0 - distance(1.0 - share) / whole,
    }
}

#[cfg(test)]
mod tests {
    use super::super::knot::tests::{clearance, crossings};
    use super::super::resample::{resample, tests::unevenness};
    use super::*;
    use nalgebra::Unit;

    fn knot() -> OverhandKnot {
        OverhandKnot {
            centre: Point3::new(0.0, 0.2, 0.0),
            direction: Unit::new_unchecked(Vector3::y()),
            normal: Vector3::z_axis(),
            loop_size_m: 0.08,
            length_m: 1.0,
        }
    }

    #[test]
    fn it_crosses_itself_an_odd_number_of_times_over_and_under_in_turn() {
        for turns in 1..=4 {
            let nodes = resample(&wound_knot(&knot(), turns).expect("long enough"), 300);
            let passes = crossings(&nodes);
            assert_eq!(passes.len(), 2 * (2 * turns + 1));
            assert!(passes.windows(2).all(|p| p[0].1 != p[1].1), "{passes:?}");
        }
    }

    #[test]
    fn its_strands_keep_clear_of_each_other() {
        for turns in 1..=4 {
            let nodes = resample(&wound_knot(&knot(), turns).expect("long enough"), 300);
            let clear = clearance(&nodes, 0.03);
            assert!(clear > 1.85 * SCREW * 0.08, "{turns}: {clear} m");
            assert!(unevenness(&nodes) < 1e-9, "{}", unevenness(&nodes));
            assert!((length(&nodes) - 1.0).abs() < 5e-3);
        }
    }

    #[test]
    fn it_turns_nowhere_by_more_than_its_strands_can() {
        let nodes = resample(&wound_knot(&knot(), 4).expect("long enough"), 300);
        let edges: Vec<_> = nodes.windows(2).map(|p| p[1] - p[0]).collect();
        let turns = edges.windows(2).map(|e| e[0].angle(&e[1]));
        let sharpest = turns.fold(0.0, f64::max);
        assert!(sharpest < 0.2, "{sharpest} rad");
    }

    #[test]
    fn its_tails_are_on_one_line_through_the_centre() {
        let points = wound_knot(&knot(), 3).expect("long enough");
        let (first, last) = (points[0], points[points.len() - 1]);
        assert!(first.x.abs() < 1e-12 && last.x.abs() < 1e-12);
        assert!((0.5 * (first.y + last.y) - 0.2).abs() < 1e-12 && last.y > first.y);
    }

    #[test]
    fn too_short_a_strand_is_told_what_it_needs() {
        let short = OverhandKnot {
            length_m: 0.3,
            ..knot()
        };
        let needs = wound_knot(&short, 4).unwrap_err();
        let enough = OverhandKnot {
            length_m: needs + 1e-9,
            ..knot()
        };
        assert!(wound_knot(&enough, 4).is_ok());
    }
}
