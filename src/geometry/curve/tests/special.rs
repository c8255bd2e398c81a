//! Curves for which the closest points are not one pair, or are at an end.

use nalgebra::{Matrix3, Point3, Vector3};

use super::super::{Closest, Curve, Search};
use super::{Dice, HelixData};

fn find(a: &Curve, b: &Curve) -> (Closest, u64) {
    let mut search = Search::default();
    let found = search.closest(a, b, f64::INFINITY, 1e-8).expect("no limit");
    (found, search.counts.pairs)
}

/// An arc of a helix about the x axis: radius, rise per radian, from one angle to another.
fn about_x(radius: f64, rise: f64, from: f64, to: f64) -> Curve {
    let speed = radius.hypot(rise);
    let frame_at = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let tangent = Vector3::new(rise, -radius * sin, radius * cos) / speed;
        let inward = Vector3::new(0.0, -cos, -sin);
        Matrix3::from_columns(&[tangent, inward, tangent.cross(&inward)])
    };
    let (sin, cos) = from.sin_cos();
    // It curves by radius/speed² towards n₁, which is a turn about n₂, and twists by rise/speed².
    let k = Vector3::new(rise, 0.0, radius) / (speed * speed);
    let start = Point3::new(rise * from, radius * cos, radius * sin);
    Curve::helix(start, &frame_at(from), &k, speed * (to - from))
}

#[test]
fn parallel_segments_meet_in_the_middle_of_what_they_share() {
    let a = Curve::segment(Point3::origin(), Point3::new(2.0, 0.0, 0.0));
    for (from, to) in [(1.0, 3.0), (3.0, 1.0)] {
        let b = Curve::segment(Point3::new(from, 0.1, 0.0), Point3::new(to, 0.1, 0.0));
        let (found, _) = find(&a, &b);
        assert!((found.s - 0.75).abs() < 1e-6 && (found.distance - 0.1).abs() < 1e-12);
    }
}

#[test]
fn coaxial_helices_end_soon_and_meet_in_the_middle() {
    for (radius, other, rise) in [
        (0.01, 0.011, 0.01),
        (0.01, 0.0101, 0.002),
        (0.1, 0.2, 0.0),
        (1e-3, 1.2e-3, 1e-4),
    ] {
        for span in [0.5, 2.0, 4.0] {
            let a = about_x(radius, rise, 0.0, span);
            let b = about_x(other, rise, 0.25 * span, 1.25 * span);
            let (found, pairs) = find(&a, &b);
            assert!((found.distance - (other - radius)).abs() < 1e-8);
            assert!((found.s - 0.625).abs() < 0.01, "{found:?}");
            assert!((found.t - 0.375).abs() < 0.01, "{found:?}");
            assert!(pairs < 6000, "{pairs} for {radius} {other} {rise} {span}");
        }
    }
}

#[test]
fn two_plies_end_soon() {
    // A double helix: the two strands touch all along.
    for span in [1.0, 3.0, 10.0] {
        let a = about_x(0.001, 0.002, 0.0, span);
        let b = {
            let start = about_x(
                0.001,
                0.002,
                std::f64::consts::PI,
                span + std::f64::consts::PI,
            );
            let back = Vector3::x() * (-0.002 * std::f64::consts::PI);
            super::moved(&start, &back)
        };
        let (found, pairs) = find(&a, &b);
        assert!((found.distance - 0.002).abs() < 1e-8, "{found:?}");
        assert!(pairs < 6000, "{pairs} for {span}");
    }
}

#[test]
fn concentric_arcs_and_their_common_centre() {
    let a = about_x(0.05, 0.0, 0.0, 2.0);
    let mut search = Search::default();
    let (_, distance) = search
        .closest_to_point(&a, &Point3::origin(), 1.0, 1e-8)
        .expect("near");
    assert!((distance - 0.05).abs() < 1e-8);
    assert!(search.counts.pairs < 2000, "{:?}", search.counts);
}

#[test]
fn a_curve_meets_itself() {
    let mut dice = Dice::new(31);
    for _ in 0..200 {
        let a = HelixData::random(&mut dice).curve();
        let (found, _) = find(&a, &a);
        assert!(found.distance <= 1e-8);
    }
}

#[test]
fn points_are_curves_too() {
    let (p, q) = (Point3::new(1.0, 2.0, 3.0), Point3::new(1.0, 2.0, 5.0));
    let (found, _) = find(&Curve::point_at(p), &Curve::point_at(q));
    assert!((found.distance - 2.0).abs() < 1e-15);
    let nothing = Curve::helix(p, &Matrix3::identity(), &Vector3::new(1.0, 2.0, 3.0), 0.0);
    let (found, _) = find(&nothing, &Curve::point_at(q));
    assert!((found.distance - 2.0).abs() < 1e-15);
}

#[test]
fn what_is_not_a_number_is_near_nothing() {
    let bad = Curve::segment(Point3::new(f64::NAN, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0));
    let good = Curve::segment(Point3::origin(), Point3::new(1.0, 0.0, 0.0));
    let mut search = Search::default();
    assert_eq!(search.closest(&bad, &good, 1.0, 1e-8), None);
    assert_eq!(
        search.closest_from(&good, &bad, 1.0, 1e-8, Some((0.5, 0.5))),
        None
    );
}
