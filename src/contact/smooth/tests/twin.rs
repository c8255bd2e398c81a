//! Curves against solids, held against a slow twin: look everywhere along the curve.

use std::sync::Arc;

use nalgebra::{Isometry3, Point3, Vector3};

use super::{detect, still};
use crate::contact::Contact;
use crate::geometry::curve::tests::{Dice, any_curve, moved};
use crate::geometry::distance::to_surface;
use crate::geometry::mesh::{bumpy_sphere, tests::terrain};
use crate::geometry::{Along, Curve, CurveProxy, Sections, Shape, SolidProxy};

const DT_S: f64 = 1e-3;
/// Distances are found to this share of the radius …
const EXACT: f64 = 2e-3;
/// … and to this of a mesh.
const ROUGH: f64 = 0.03;

/// The least distance of a curve from a solid: the least of many, each dip narrowed down.
fn slow_distance(curve: &Curve, solid: &SolidProxy) -> f64 {
    let at = |t: f64| {
        let point = solid
            .world_from_body
            .inverse_transform_point(&curve.point(t));
        to_surface(&solid.shape, &point).distance
    };
    const N: usize = 800;
    let t = |k: usize| k as f64 / N as f64;
    let distances: Vec<f64> = (0..=N).map(|k| at(t(k))).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    // Between two looks the distance changes by no more than the way.
    let way = curve.length_bound() / N as f64;
    let mut best = least;
    for k in 0..=N {
        let around = k.saturating_sub(1)..=(k + 1).min(N);
        if distances[k] < least + way && around.clone().all(|j| distances[j] >= distances[k]) {
            let (mut low, mut high) = (t(*around.start()), t(*around.end()));
            for _ in 0..40 {
                let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if at(p) < at(q) { high = q } else { low = p }
            }
            best = best.min(at(0.5 * (low + high)));
        }
    }
    best
}

/// A strand of one piece that moves so fast that contacts are kept up to `limit`.
fn piece(curve: Curve, radius_m: f64, limit: f64) -> CurveProxy {
    let speed = (limit - 1.25 * radius_m) / DT_S;
    CurveProxy {
        body: 0,
        element: 0,
        last: true,
        ring: 0,
        piece: 0,
        span: [0.0, 1.0],
        curve,
        length_m: curve.length_bound(),
        start_m: 0.0,
        round_m: 0.0,
        along: Along {
            from_m: 0.0,
            to_m: curve.length_bound(),
            round_m: 0.0,
        },
        velocity: Vector3::x() * speed,
        spread_m_s: 0.0,
        radius_m,
        sections: Sections::Edges,
    }
}

fn found(curve: &Curve, radius_m: f64, limit: f64, solid: &SolidProxy) -> Vec<Contact> {
    detect(
        vec![piece(*curve, radius_m, limit)],
        vec![solid.clone()],
        DT_S,
    )
}

/// A curve near a solid: some point of it was moved to within a few thousandths to tenths of the surface.
fn beside(dice: &mut Dice, solid: &SolidProxy) -> Curve {
    let mut curve = any_curve(dice);
    for _ in 0..3 {
        let t = dice.between(0.0, 1.0);
        let pose = &solid.world_from_body;
        let near = to_surface(&solid.shape, &pose.inverse_transform_point(&curve.point(t)));
        let wanted = dice.scale(2e-3, 0.2);
        curve = moved(&curve, &(pose * near.normal * (wanted - near.distance)));
    }
    curve
}

/// What is wrong with so many curves beside a solid, if anything.
fn check(seed: u64, curves: usize, shape: &Shape, tolerance: f64) -> Option<String> {
    let mut dice = Dice::new(seed);
    let mut wrong = Vec::new();
    let mut checked = 0;
    while checked < curves {
        let solid = SolidProxy {
            world_from_body: Isometry3::new(dice.vector(), dice.direction() * 2.0),
            ..still(0, shape.clone())
        };
        let curve = beside(&mut dice, &solid);
        let slow = slow_distance(&curve, &solid);
        // Where a curve is inside, what pushes it out is another question.
        if slow < 1e-3 {
            continue;
        }
        checked += 1;
        let radius = slow * dice.between(0.2, 0.75);
        let allowed = tolerance * radius;
        let text = |what: &str, contacts: &[Contact]| {
            let gaps: Vec<f64> = contacts.iter().map(|c| c.gap + radius).collect();
            format!("{what}: {slow} expected, {gaps:?} of radius {radius}\n{curve:?}\n{solid:?}")
        };
        let contacts = found(&curve, radius, slow + 1.5 * allowed, &solid);
        let nearest = contacts
            .iter()
            .map(|c| c.gap + radius)
            .fold(f64::INFINITY, f64::min);
        if contacts.is_empty() {
            wrong.push(text("missed", &contacts));
        } else if (nearest - slow).abs() > allowed {
            wrong.push(text("not the least distance", &contacts));
        }
        let below = found(&curve, radius, slow - 2e-3 * radius, &solid);
        if !below.is_empty() {
            wrong.push(text("beyond the limit", &below));
        }
    }
    let first = wrong.first()?;
    Some(format!("{} wrong, first:\n{first}", wrong.len()))
}

#[test]
fn a_curve_is_as_near_to_each_simple_solid_as_the_twin_says() {
    let shapes = [
        Shape::Plane,
        Shape::Sphere { radius_m: 0.2 },
        Shape::Capsule {
            radius_m: 0.05,
            half_length_m: 0.4,
        },
        Shape::Box {
            half_extents_m: [0.3, 0.01, 0.2],
        },
        Shape::Cylinder {
            radius_m: 0.03,
            half_length_m: 0.3,
        },
    ];
    for (shape, seed) in shapes.iter().zip(31..) {
        assert_eq!(check(seed, 3_000, shape, EXACT), None, "{shape:?}");
    }
}

#[test]
fn a_curve_is_as_near_to_a_mesh_as_the_twin_says() {
    // Sharp ridges of all heights, and bumps.
    let ridge = |x: f64, height: f64| [(x - 0.01, 0.0), (x, height), (x + 0.01, 0.0)];
    let mut line = vec![(-1.0, 0.0)];
    line.extend(ridge(-0.5, 0.05));
    line.extend(ridge(-0.3, 0.2));
    line.extend(ridge(0.0, 0.01));
    line.extend(ridge(0.35, 0.1));
    line.push((1.0, 0.0));
    let ridges = terrain(&line, -0.3, 0.7);
    let bumps = bumpy_sphere(0.4, 0.1, 6.0, 3).expect("a bumpy ball");
    for (mesh, seed) in [ridges, bumps].into_iter().zip(41..) {
        let shape = Shape::Mesh(Arc::new(mesh));
        assert_eq!(check(seed, 3_000, &shape, ROUGH), None);
    }
}

#[test]
fn a_curve_that_lies_on_several_ridges_touches_them_all() {
    let teeth = [-0.3, -0.1, 0.1, 0.3];
    let mut line = vec![(-1.0, 0.0)];
    let tooth = |x: f64| [(x - 0.01, 0.0), (x, 0.1), (x + 0.01, 0.0)];
    line.extend(teeth.iter().flat_map(|&x| tooth(x)));
    line.push((1.0, 0.0));
    let solid = still(0, Shape::Mesh(Arc::new(terrain(&line, -0.3, 0.5))));
    let radius = 0.02;
    let [from, to] = [-0.4, 0.45].map(|x| Point3::new(x, 0.1 + radius, 0.01 * x));
    let straight = Curve::segment(from, to);
    // Bent within the plane of the tips.
    let third = (to - from) / 3.0;
    let aside = Vector3::z() * 0.05;
    let bent = Curve::cubic([from, from + third + aside, to - third + aside, to]);
    for curve in [straight, bent] {
        let contacts = found(&curve, radius, 1.25 * radius, &solid);
        let mut places: Vec<f64> = contacts.iter().map(|c| c.point.x).collect();
        places.sort_by(f64::total_cmp);
        assert_eq!(places.len(), 4, "{places:?}");
        for (contact, tooth) in places.iter().zip(teeth) {
            assert!((contact - tooth).abs() < 1e-6, "{places:?}");
        }
        let mut keys: Vec<_> = contacts.iter().map(|c| c.key).collect();
        keys.dedup();
        assert_eq!(keys.len(), 4);
    }
}
