use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::geometry::Shape;

fn line(y: f64, along_x: bool) -> Vec<Point3<f64>> {
    (0..11)
        .map(|k| {
            let s = 0.1 * f64::from(k) - 0.53;
            if along_x {
                Point3::new(s, y, 0.0)
            } else {
                Point3::new(0.0, y, s)
            }
        })
        .collect()
}

fn still(shape: Shape) -> SolidProxy {
    SolidProxy {
        solid: 0,
        shape,
        world_from_body: Isometry3::identity(),
        linear_m_s: Vector3::zeros(),
        angular_rad_s: Vector3::zeros(),
    }
}

/// An open strand whose lengths at rest are those that it starts with.
fn add(check: &mut PassingCheck, body: u32, [from, to]: [&[Point3<f64>]; 2], radius_m: f64) {
    let lengths: Vec<f64> = from.windows(2).map(|p| (p[1] - p[0]).norm()).collect();
    check.add(body, [from, to], &alongs(&lengths), false, radius_m);
}

/// Pieces of these lengths one after the other.
fn alongs(lengths: &[f64]) -> Vec<Along> {
    let mut to_m = 0.0;
    let along = |length: &f64| {
        let from_m = to_m;
        to_m += length;
        Along {
            from_m,
            to_m,
            round_m: 0.0,
        }
    };
    lengths.iter().map(along).collect()
}

/// Crossings and all troubles of two strands of radius 10 mm.
fn two(from: [f64; 2], to: [f64; 2]) -> (usize, usize) {
    let mut check = PassingCheck::default();
    for (k, along_x) in [(0, true), (1, false)] {
        let (from, to) = (line(from[k], along_x), line(to[k], along_x));
        add(&mut check, k as u32, [&from, &to], 0.01);
    }
    check.judge(&[], 1.0, [0.0, 1.0], true);
    (check.crossings(), check.troubles().len())
}

/// The same of a strand along x and a solid.
fn one(solid: SolidProxy, from: f64, to: f64) -> (usize, usize) {
    let mut check = PassingCheck::default();
    add(&mut check, 0, [&line(from, true), &line(to, true)], 0.01);
    check.judge(&[solid], 1.0, [0.0, 1.0], true);
    (check.crossings(), check.troubles().len())
}

#[test]
fn a_strand_that_jumps_through_another_is_counted() {
    assert_eq!(two([0.0, 0.4], [0.0, -0.7]), (1, 1));
    let together = two([0.0, 0.4], [-1.1, -0.7]);
    assert_eq!(together, (0, 0), "moving together is no crossing");
}

#[test]
fn what_comes_deeper_than_half_a_radius_is_found_and_what_leaves_is_not() {
    assert_eq!(two([0.0, 0.03], [0.0, 0.016]), (0, 0));
    let (crossed, found) = two([0.0, 0.03], [0.0, 0.0149]);
    assert!(crossed == 0 && found > 0);
    assert_eq!(
        two([0.0, 0.010], [0.0, 0.011]),
        (0, 0),
        "deep from the start"
    );
    assert!(two([0.0, 0.010], [0.0, 0.008]).1 > 0, "and deeper");
}

#[test]
fn nothing_gets_deeper_than_half_a_radius_bit_by_bit() {
    // Piece after piece a pair goes on by as much as it may: once it could so come to any depth.
    let mut at = 0.0201;
    for _ in 0..2000 {
        let less = [1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6].map(|way| at - way);
        let next = less
            .into_iter()
            .find(|&to| two([0.0, at], [0.0, to]).1 == 0);
        at = next.unwrap_or(at);
    }
    assert!((0.015..0.0152).contains(&at), "{at} m left of 0.02");
    // Nor does a strand in a floor, whose centreline may come down to 5 mm.
    let mut at = 0.0101;
    for _ in 0..2000 {
        let less = [1e-3, 1e-4, 1e-5, 1e-6].map(|way| at - way);
        let next = less
            .into_iter()
            .find(|&to| one(still(Shape::Plane), at, to).1 == 0);
        at = next.unwrap_or(at);
    }
    assert!((0.005..0.0052).contains(&at), "{at} m left of 0.01");
}

#[test]
fn the_deepest_overlap_is_told_whether_or_not_it_is_trouble() {
    let depth = |y: f64| {
        let mut check = PassingCheck::default();
        add(&mut check, 0, [&line(0.0, true), &line(0.0, true)], 0.01);
        add(&mut check, 1, [&line(y, false), &line(y, false)], 0.005);
        check.judge(&[], 1.0, [0.0, 1.0], true);
        check.deepest()
    };
    assert_eq!(depth(0.0151), 0.0);
    assert!((depth(0.0141) - 0.18).abs() < 1e-9);
    assert!((depth(0.005) - 2.0).abs() < 1e-9);
}

#[test]
fn what_hardly_has_any_distance_left_may_still_leave() {
    // Nearer than the advancement tells apart from having arrived: such a pair stood still for ever.
    assert_eq!(two([0.0, 1e-6], [0.0, 1e-3]), (0, 0));
    assert!(two([0.0, 1e-6], [0.0, 2e-7]).1 > 0, "and deeper");
    let needle = || {
        still(Shape::Capsule {
            radius_m: 5e-4,
            half_length_m: 0.2,
        })
    };
    // A capsule stands along y: through the origin, across the strand.
    let mut across = needle();
    across.world_from_body = Isometry3::rotation(Vector3::x() * std::f64::consts::FRAC_PI_2);
    assert_eq!(one(across.clone(), 5e-4 + 1e-6, 2e-3), (0, 0));
    assert!(one(across, 5e-4 + 1e-6, 5e-4).1 > 0, "and deeper");
}

#[test]
fn strands_in_one_plane_do_not_slip_through_each_other() {
    // The cubic of coplanarity is zero all the time; only the distance tells.
    let mut check = PassingCheck::default();
    add(&mut check, 0, [&line(0.0, true), &line(0.0, true)], 0.01);
    add(&mut check, 1, [&line(0.1, true), &line(-0.1, true)], 0.01);
    check.judge(&[], 1.0, [0.0, 1.0], true);
    assert!(!check.troubles().is_empty());
}

#[test]
fn nothing_jumps_through_a_solid_however_thin_and_fast() {
    let thin = 2e-4;
    let shapes = [
        Shape::Plane,
        Shape::Sphere { radius_m: thin },
        Shape::Box {
            half_extents_m: [0.3, thin, 0.3],
        },
        Shape::Box {
            half_extents_m: [thin, thin, thin],
        },
        Shape::Cylinder {
            radius_m: 0.2,
            half_length_m: thin,
        },
    ];
    for shape in shapes {
        for speed in [0.1, 1.0, 100.0] {
            let (crossed, found) = one(still(shape.clone()), 0.05, 0.05 - speed);
            assert!(crossed > 0 && found > 0, "{shape:?} at {speed}");
            assert_eq!(
                one(still(shape.clone()), 0.05, 0.05 + speed),
                (0, 0),
                "{shape:?}"
            );
        }
    }
}

#[test]
fn a_needle_that_shoots_or_swings_through_a_strand_is_counted() {
    let mut needle = still(Shape::Capsule {
        radius_m: 2e-4,
        half_length_m: 0.3,
    });
    // It points along z and comes from above.
    needle.world_from_body = Isometry3::new(
        Vector3::new(0.013, 0.1, 0.0),
        Vector3::x() * std::f64::consts::FRAC_PI_2,
    );
    assert_eq!(one(needle.clone(), 0.0, 0.0), (0, 0));
    needle.linear_m_s = Vector3::new(0.0, -20.0, 0.0);
    assert_eq!(one(needle.clone(), 0.0, 0.0), (1, 1));
    // It points along y, its lower end above the strand, and swings through it sideways.
    needle.linear_m_s = Vector3::zeros();
    needle.world_from_body = Isometry3::translation(0.013, 0.25, -0.1);
    needle.angular_rad_s = Vector3::x() * -1.0;
    assert_eq!(one(needle.clone(), 0.0, 0.0).0, 1);
    needle.angular_rad_s = Vector3::x();
    assert_eq!(one(needle.clone(), 0.0, 0.0), (0, 0));
}

#[test]
fn a_strand_carried_by_a_solid_is_left_alone() {
    let mut drum = still(Shape::Cylinder {
        radius_m: 0.1,
        half_length_m: 0.1,
    });
    drum.linear_m_s = Vector3::new(0.0, -3.0, 0.0);
    // It starts overlapping by 0.4 radii and goes along.
    assert_eq!(one(drum.clone(), 0.106, -2.894), (0, 0));
    assert!(one(drum, 0.106, -2.896).1 > 0);
}

#[test]
fn neighbours_along_a_strand_are_exempt_unless_they_cross() {
    // Pieces of 5 mm on a strand of radius 10 mm overlap all along.
    let straight: Vec<_> = (0..20)
        .map(|k| Point3::new(5e-3 * f64::from(k), 0.0, 0.0))
        .collect();
    let bent: Vec<_> = (0..20)
        .map(|k| {
            let angle = f64::from(k) * 0.3;
            Point3::new(0.0166 * angle.sin(), 0.0166 * (1.0 - angle.cos()), 0.0)
        })
        .collect();
    let mut check = PassingCheck::default();
    add(&mut check, 0, [&straight, &straight], 0.01);
    check.judge(&[], 1.0, [0.0, 1.0], true);
    assert!(check.troubles().is_empty());
    check.clear();
    add(&mut check, 0, [&bent, &bent], 0.01);
    check.judge(&[], 1.0, [0.0, 1.0], true);
    assert!(check.troubles().is_empty());
}

#[test]
fn lines_that_may_be_off_creep_no_deeper_than_lines_that_are_not() {
    let may_go = |from: f64, to: f64| {
        let mut check = PassingCheck {
            off: 0.2,
            ..PassingCheck::default()
        };
        let apart = |depth: f64| line((2.0 - depth) * 0.01, false);
        add(&mut check, 0, [&line(0.0, true), &line(0.0, true)], 0.01);
        add(&mut check, 1, [&apart(from), &apart(to)], 0.01);
        check.judge(&[], 1.0, [0.0, 1.0], true);
        check.troubles().is_empty()
    };
    assert!(may_go(0.3, 0.44) && !may_go(0.3, 0.46));
    assert!(may_go(0.494, 0.498) && !may_go(0.494, 0.501));
    // So deep they are only when they are drawn anew, and may be for as much as they are off.
    assert!(may_go(0.55, 0.553) && !may_go(0.55, 0.57));
    assert!(may_go(0.694, 0.698) && !may_go(0.694, 0.701));
}

#[test]
fn what_is_squeezed_does_not_become_a_neighbour() {
    // The middle one of three pieces, 32 mm long at rest, is squeezed to 30: less than π radii, and the outer two could pass.
    let bent = |tip: f64| {
        let [a, b] = [Point3::origin(), Point3::new(0.0, 0.03, 0.0)];
        [Point3::new(0.1, 0.0, 0.0), a, b, Point3::new(0.1, tip, 0.0)]
    };
    for (middle_m, troubles) in [(0.032, 1), (0.03, 0)] {
        let mut check = PassingCheck::default();
        let along = alongs(&[0.1, middle_m, 0.1]);
        check.add(0, [&bent(0.03), &bent(0.002)], &along, false, 0.01);
        check.judge(&[], 1.0, [0.0, 1.0], true);
        assert_eq!(check.troubles().len(), troubles, "{middle_m} m");
    }
}

#[test]
fn without_self_contact_a_strand_may_do_what_it_likes_with_itself() {
    let hairpin = |gap: f64| -> Vec<Point3<f64>> {
        let there = (0..10).map(|k| Point3::new(0.1 * f64::from(k), 0.0, 0.0));
        let back =
            (0..10).map(|k| Point3::new(0.87 - 0.1 * f64::from(k), gap, 0.01 * f64::from(k)));
        there.chain(back).collect()
    };
    let mut check = PassingCheck::default();
    add(&mut check, 0, [&hairpin(0.1), &hairpin(-0.1)], 0.01);
    check.judge(&[], 1.0, [0.0, 1.0], false);
    assert!(check.troubles().is_empty());
    check.judge(&[], 1.0, [0.0, 1.0], true);
    assert!(!check.troubles().is_empty());
}
