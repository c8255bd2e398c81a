//! Contacts of smooth pieces.

mod twin;

use nalgebra::{Isometry3, Point3, Vector3};
use proptest::prelude::*;

use super::*;
use crate::contact::{ContactKey, Side, SolidSide};
use crate::geometry::{Along, Curve, Sections, Shape, SolidProxy};

/// A strand of cubic pieces along a smooth line, its parameter from 0 to 1.
fn strand(
    body: u32,
    pieces: usize,
    radius_m: f64,
    at: impl Fn(f64) -> Vector3<f64>,
) -> Vec<CurveProxy> {
    let joints: Vec<f64> = (0..=pieces).map(|k| k as f64 / pieces as f64).collect();
    strand_of(body, &joints, radius_m, at)
}

/// The same with its joints at these parameters.
fn strand_of(
    body: u32,
    joints: &[f64],
    radius_m: f64,
    at: impl Fn(f64) -> Vector3<f64>,
) -> Vec<CurveProxy> {
    let pieces = joints.len() - 1;
    let mut start_m = 0.0;
    (0..pieces)
        .map(|k| {
            let (s, e) = (joints[k], joints[k + 1]);
            let slope = |t: f64| (at(t + 1e-6) - at(t - 1e-6)) * (0.5e6 * (e - s));
            let length_m = (at(e) - at(s)).norm();
            start_m += length_m;
            let points = [at(s), at(s) + slope(s) / 3.0, at(e) - slope(e) / 3.0, at(e)];
            CurveProxy {
                body,
                element: k as u32,
                last: k + 1 == pieces,
                ring: 0,
                piece: k as u32,
                span: [0.0, 1.0],
                curve: Curve::cubic(points.map(Point3::from)),
                length_m,
                start_m: start_m - length_m,
                round_m: 0.0,
                along: Along {
                    from_m: start_m - length_m,
                    to_m: start_m,
                    round_m: 0.0,
                },
                velocity: Vector3::zeros(),
                spread_m_s: 0.0,
                radius_m,
                sections: Sections::Edges,
            }
        })
        .collect()
}

fn detect(curves: Vec<CurveProxy>, solids: Vec<SolidProxy>, dt_s: f64) -> Vec<Contact> {
    let proxies = ProxySet {
        curves,
        solids,
        ..ProxySet::default()
    };
    let mut out = Vec::new();
    SmoothDetector::default().detect(&proxies, dt_s, true, &mut out);
    out
}

/// A solid at the origin that does not move.
fn still(solid: u32, shape: Shape) -> SolidProxy {
    SolidProxy {
        solid,
        shape,
        world_from_body: Isometry3::identity(),
        linear_m_s: Vector3::zeros(),
        angular_rad_s: Vector3::zeros(),
    }
}

fn line(y: f64, z_slope: f64) -> impl Fn(f64) -> Vector3<f64> {
    move |s| Vector3::new(2.0 * s - 1.0, y, z_slope * (2.0 * s - 1.0))
}

proptest! {
    #[test]
    fn crossed_strands_touch_once_wherever_they_cross(shift in -0.5..0.5_f64, at_joint in any::<bool>()) {
        let shift = if at_joint { (shift * 10.0).round() / 10.0 } else { shift };
        let mut all = strand(0, 20, 0.05, line(0.0, 0.0));
        all.extend(strand(1, 20, 0.05, move |s| Vector3::new(shift, 0.099, 2.0 * s - 1.0)));
        let found = detect(all, Vec::new(), 1e-3);
        let deep: Vec<_> = found.iter().filter(|c| (c.gap + 0.001).abs() < 1e-9).collect();
        prop_assert_eq!((deep.len(), found.len()), (1, 1));
        prop_assert!((deep[0].basis.column(0) + Vector3::y()).norm() < 1e-6, "from the second to the first");
        prop_assert!((deep[0].point - Point3::new(shift, 0.0495, 0.0)).norm() < 1e-6);
    }
}

#[test]
fn strands_side_by_side_touch_all_along() {
    let mut all = strand(0, 10, 0.05, line(0.0, 0.0));
    all.extend(strand(1, 10, 0.05, line(0.1, 1e-4)));
    let found = detect(all, Vec::new(), 1e-3);
    let mut places: Vec<f64> = found.iter().map(|c| c.point.x).collect();
    places.sort_by(f64::total_cmp);
    let widest = places.windows(2).map(|p| p[1] - p[0]).fold(0.0, f64::max);
    assert!(
        places[0] < -0.85 && places[places.len() - 1] > 0.75,
        "{places:?}"
    );
    assert!(widest < 0.21, "{places:?}");
}

#[test]
fn strands_that_run_opposite_ways_have_axes_along_both() {
    let mut all = strand(0, 10, 0.05, line(0.0, 0.0));
    all.extend(strand(1, 10, 0.05, |s| {
        Vector3::new(1.0 - 2.0 * s, 0.1, 0.0)
    }));
    // And exactly so at an angle.
    all.extend(strand(2, 10, 0.05, |s| {
        Vector3::new(1.0 - 2.0 * s, -0.1, 0.2 - 0.4 * s)
    }));
    let found = detect(all, Vec::new(), 1e-3);
    assert!(found.iter().any(|c| c.key.partner == 1) && found.iter().any(|c| c.key.partner == 2));
    for c in &found {
        let off = (c.basis.transpose() * c.basis - nalgebra::Matrix3::identity()).norm();
        assert!(off < 1e-12 && (c.basis.determinant() - 1.0).abs() < 1e-12);
        assert!(c.basis.column(1).x.abs() > 0.98, "{}", c.basis);
    }
}

#[test]
fn pieces_of_unequal_length_lose_no_contact() {
    let floor = still(0, Shape::Plane);
    // A last piece half as long as the others, and pieces each a tenth shorter than the one before.
    let mut short = vec![0.0];
    short.extend((1..12).map(|k| f64::from(k) / 10.5));
    *short.last_mut().unwrap() = 1.0;
    let graded: Vec<f64> = (0..=16)
        .map(|k| (1.0 - 0.9_f64.powi(k)) / (1.0 - 0.9_f64.powi(16)))
        .collect();
    for joints in [short, graded] {
        let radius = 0.02;
        let curves = strand_of(0, &joints, radius, line(radius, 1e-3));
        let found = detect(curves, vec![floor.clone()], 1e-3);
        let mut places: Vec<f64> = found.iter().map(|c| 0.5 + 0.5 * c.point.x).collect();
        places.sort_by(f64::total_cmp);
        for joint in &joints {
            let off = places
                .iter()
                .map(|x| (x - joint).abs())
                .fold(f64::INFINITY, f64::min);
            assert!(off < 1e-9, "nothing at {joint} of {joints:?}: {places:?}");
        }
    }
}

#[test]
fn a_ring_is_crossed_once_where_it_begins_and_ends() {
    let turn = std::f64::consts::TAU;
    let circle = move |s: f64| Vector3::new((turn * s).cos(), 0.0, (turn * s).sin());
    for shift in [-1e-4, -1e-7, 0.0, 1e-7, 1e-4] {
        let mut all = strand(0, 24, 0.05, circle);
        let round_m = all.iter().map(|c| c.length_m).sum();
        for c in &mut all {
            (c.last, c.ring, c.round_m) = (false, 24, round_m);
            c.along.round_m = round_m;
        }
        // Across the ring's first joint.
        all.extend(strand(1, 3, 0.05, move |s| {
            Vector3::new(0.7 * s + 0.6, 0.099, shift)
        }));
        let found = detect(all, Vec::new(), 1e-3);
        let deep: Vec<_> = found.iter().filter(|c| c.gap < 0.0).collect();
        assert_eq!(deep.len(), 1, "{shift}: {deep:?}");
    }
}

#[test]
fn a_contact_that_slides_over_a_joint_does_not_jump() {
    // A strand with bends slides along under a bar.
    let wave = |shift: f64| {
        move |s: f64| Vector3::new(2.0 * s - 1.0 + shift, 0.003 * (9.0 * s).sin(), 0.0)
    };
    let mut bar = still(
        0,
        Shape::Capsule {
            radius_m: 0.02,
            half_length_m: 0.5,
        },
    );
    bar.world_from_body = Isometry3::new(
        Vector3::new(0.0, 0.042, 0.0),
        Vector3::x() * std::f64::consts::FRAC_PI_2,
    );
    let mut before: Option<(f64, f64)> = None;
    let mut slopes = Vec::new();
    for step in 0..2000 {
        let shift = 1e-4 * f64::from(step);
        let mut found = detect(strand(0, 20, 0.02, wave(shift)), vec![bar.clone()], 0.05);
        found.sort_by(|p, q| p.gap.total_cmp(&q.gap));
        let Some(deepest) = found.first() else {
            before = None;
            continue;
        };
        let site = deepest.a.strand().expect("a strand").place.site();
        let along = site.element as f64 + site.fraction;
        if let Some((gap, last)) = before {
            slopes.push((deepest.gap - gap, along - last));
        }
        before = Some((deepest.gap, along));
    }
    assert!(slopes.len() > 1500);
    // It moves by a thousandth of a piece per step, and never by much more.
    let jump = slopes.iter().map(|(_, s)| s.abs()).fold(0.0, f64::max);
    assert!(jump < 4e-3, "a jump of {jump} pieces");
    let bends = slopes.windows(2).map(|p| (p[1].0 - p[0].0).abs());
    let kink = bends.fold(0.0, f64::max);
    assert!(kink < 1e-7, "the gap has a kink of {kink} m per step");
}

#[test]
fn fast_strands_are_seen_before_they_meet() {
    let mut all = strand(0, 4, 0.01, line(0.0, 0.0));
    let mut bullet = strand(1, 4, 0.01, |s| Vector3::new(0.1, 0.5, 2.0 * s - 1.0));
    bullet
        .iter_mut()
        .for_each(|c| c.velocity = Vector3::new(0.0, -1000.0, 0.0));
    all.extend(bullet);
    assert!(!detect(all.clone(), Vec::new(), 1e-3).is_empty());
    assert!(detect(all, Vec::new(), 1e-4).is_empty());
}

#[test]
fn a_strand_on_each_solid_is_held_along_its_length() {
    let solid = |shape| still(2, shape);
    let flat = [
        (Shape::Plane, 0.0),
        (
            Shape::Box {
                half_extents_m: [2.0, 0.3, 2.0],
            },
            0.3,
        ),
        (
            Shape::Cylinder {
                radius_m: 2.0,
                half_length_m: 0.4,
            },
            0.4,
        ),
    ];
    for (shape, top) in flat {
        let found = detect(
            strand(0, 8, 0.05, line(top + 0.05, 0.3)),
            vec![solid(shape.clone())],
            1e-3,
        );
        assert!(found.len() >= 9, "{shape:?}: {}", found.len());
        for c in &found {
            assert!(
                c.gap.abs() < 1e-9 && c.basis.column(0).y > 1.0 - 1e-9,
                "{shape:?}"
            );
            assert!(matches!(c.b, Side::Solid(SolidSide { solid: 2, .. })));
        }
    }
    // An arch over round ones touches at its lowest point, which is inside a piece.
    let sag = |s: f64| Vector3::new(2.0 * s - 1.0, 0.55 + 0.3 * (2.0 * s - 1.03).powi(2), 0.0);
    let round = [
        Shape::Sphere { radius_m: 0.5 },
        Shape::Capsule {
            radius_m: 0.3,
            half_length_m: 0.2,
        },
        Shape::Plane,
    ];
    for shape in round {
        let lowered =
            Isometry3::translation(0.0, if shape == Shape::Plane { 0.5 } else { 0.0 }, 0.0);
        let mut under = solid(shape.clone());
        under.world_from_body = lowered;
        let found = detect(strand(0, 8, 0.05, sag), vec![under], 1e-3);
        let deepest = found.iter().min_by(|p, q| p.gap.total_cmp(&q.gap));
        let deepest = deepest.expect("a contact");
        assert_eq!(deepest.key.slot % ContactKey::SLOTS, ContactKey::CLOSEST);
        // Over the ball it is lower, as the ball falls away.
        let expected = match shape {
            Shape::Plane => [0.03, 0.0],
            _ => [0.01, 0.02],
        };
        let off = (deepest.point.x - expected[0]).abs();
        assert!(
            off <= expected[1] + 1e-9,
            "{shape:?}: at {}",
            deepest.point.x
        );
    }
}

#[test]
fn the_tip_of_a_strand_that_stands_on_the_floor_touches_it() {
    let floor = still(0, Shape::Plane);
    for up in [1.0, -1.0] {
        let standing =
            move |s: f64| Vector3::new(0.1 * s, 0.04 + if up > 0.0 { s } else { 1.0 - s }, 0.0);
        let found = detect(strand(0, 6, 0.05, standing), vec![floor.clone()], 1e-3);
        assert_eq!(found.len(), 1);
        assert!((found[0].gap + 0.01).abs() < 1e-9);
    }
}
