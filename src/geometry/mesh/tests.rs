//! Every query against a plain twin over all triangles, on points that are random and on points chosen to be awkward.

use std::sync::OnceLock;

use nalgebra::{Point3, Vector3};
use proptest::prelude::*;

use super::{MeshError, TriangleMesh, bumpy_sphere};
use crate::geometry::segment::point_at;

type Corners = [Point3<f64>; 3];

fn cuboid() -> TriangleMesh {
    let corner = |k: usize| {
        let side = |bit: usize, half: f64| if k & bit > 0 { half } else { -half };
        Point3::new(side(1, 0.7), side(2, 0.3), side(4, 0.5))
    };
    let corners: Vec<Point3<f64>> = (0..8).map(corner).collect();
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles: Vec<[u32; 3]> = faces
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    TriangleMesh::new(&corners, &triangles).expect("a box")
}

/// A closed body under a broken line (x, y), x rising, down to `bottom`; as wide along z.
pub(crate) fn terrain(line: &[(f64, f64)], bottom: f64, half_width: f64) -> TriangleMesh {
    // For each x: above and below at −z, above and below at +z.
    let corners = |&(x, y): &(f64, f64)| {
        let corner = |z: f64| [Point3::new(x, y, z), Point3::new(x, bottom, z)];
        [corner(-half_width), corner(half_width)].concat()
    };
    let points: Vec<Point3<f64>> = line.iter().flat_map(corners).collect();
    let last = 4 * (line.len() as u32 - 1);
    let around = [[0, 1], [1, 3], [3, 2], [2, 0]];
    let sides = (0..last)
        .step_by(4)
        .flat_map(|k| around.map(|[a, b]| [k + a, k + b, k + 4 + b, k + 4 + a]));
    let ends = [[0, 2, 3, 1], [last, last + 1, last + 3, last + 2]];
    let triangles: Vec<[u32; 3]> = sides
        .chain(ends)
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    let mesh = TriangleMesh::new(&points, &triangles).expect("a body");
    assert!(mesh.is_closed());
    mesh
}

/// A wavy sheet about y = 0, with a rim.
fn sheet() -> TriangleMesh {
    const N: u32 = 8;
    let height = |x: f64, z: f64| 0.1 * (3.0 * x).sin() * (2.0 * z).cos();
    let at = |i: u32, j: u32| {
        let [x, z] = [i, j].map(|k| 2.0 * f64::from(k) / f64::from(N) - 1.0);
        Point3::new(x, height(x, z), z)
    };
    let name = |i: u32, j: u32| i * (N + 1) + j;
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=N {
        for j in 0..=N {
            points.push(at(i, j));
            if i < N && j < N {
                let [a, b] = [name(i, j), name(i, j + 1)];
                let [c, d] = [name(i + 1, j + 1), name(i + 1, j)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    TriangleMesh::new(&points, &triangles).expect("a sheet")
}

fn meshes() -> &'static [TriangleMesh] {
    static ALL: OnceLock<Vec<TriangleMesh>> = OnceLock::new();
    ALL.get_or_init(|| {
        let ball = bumpy_sphere(0.8, 0.0, 0.0, 1).expect("a ball");
        let bumpy = bumpy_sphere(0.7, 0.25, 6.0, 2).expect("a bumpy ball");
        vec![cuboid(), ball, bumpy, sheet()]
    })
}

fn corners(mesh: &TriangleMesh) -> Vec<Corners> {
    let of = |t: &[u32; 3]| t.map(|i| mesh.vertices()[i as usize]);
    mesh.triangles().iter().map(of).collect()
}

/// Distance of a point to a triangle: to its plane if the foot is inside, else to the nearest edge.
fn plain_distance(p: &Point3<f64>, t: &Corners) -> f64 {
    let normal = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let foot = p - normal * normal.dot(&(p - t[0]));
    let within = |k: usize| {
        let edge = t[(k + 1) % 3] - t[k];
        edge.cross(&(foot - t[k])).dot(&normal) >= 0.0
    };
    if (0..3).all(within) {
        return (p - foot).norm();
    }
    let to_edge = |k: usize| {
        let edge = t[(k + 1) % 3] - t[k];
        let share = (edge.dot(&(p - t[k])) / edge.norm_squared()).clamp(0.0, 1.0);
        (p - (t[k] + edge * share)).norm()
    };
    to_edge(0).min(to_edge(1)).min(to_edge(2))
}

/// How often the surface goes around a point: the solid angles of its triangles over 4π.
fn winding(p: &Point3<f64>, all: &[Corners]) -> f64 {
    let angle = |t: &Corners| {
        let [a, b, c] = t.map(|q| q - p);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    all.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn plain_signed_distance(p: &Point3<f64>, mesh: &TriangleMesh) -> f64 {
    let all = corners(mesh);
    let distances = all.iter().map(|t| plain_distance(p, t));
    let distance = distances.fold(f64::INFINITY, f64::min);
    let inside = mesh.is_closed() && winding(p, &all) > 0.5;
    if inside { -distance } else { distance }
}

/// Distance of a segment to a triangle: along a segment it has one minimum, since a triangle is convex.
fn plain_segment_distance(ends: &[Point3<f64>; 2], t: &Corners) -> f64 {
    let at = |s: f64| plain_distance(&point_at(ends, s), t);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..70 {
        let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(p) < at(q) { high = q } else { low = p }
    }
    at(0.5 * (low + high)).min(at(0.0)).min(at(1.0))
}

/// Points over the middles of faces, edges and corners, on both sides, near and far.
fn awkward(mesh: &TriangleMesh) -> Vec<Point3<f64>> {
    let mut points = Vec::new();
    for (t, n) in corners(mesh).iter().zip(mesh.normals()) {
        let middle = Point3::from((t[0].coords + t[1].coords + t[2].coords) / 3.0);
        let edge = nalgebra::center(&t[0], &t[1]);
        for height in [-0.1, -1e-6, 1e-6, 0.1, 3.0] {
            let out = edge.coords.try_normalize(1e-9).unwrap_or(*n);
            for (place, up) in [(middle, *n), (edge, *n), (edge, out)] {
                points.push(place + up * height);
            }
            let out = t[0].coords.try_normalize(1e-9).unwrap_or(*n);
            points.push(t[0] + out * height);
        }
    }
    points
}

fn point() -> impl Strategy<Value = Point3<f64>> {
    prop::array::uniform3(-1.2..1.2_f64).prop_map(Point3::from)
}

#[test]
fn meshes_are_as_closed_as_they_look() {
    let closed: Vec<bool> = meshes().iter().map(TriangleMesh::is_closed).collect();
    assert_eq!(closed, [true, true, true, false]);
}

#[test]
fn over_faces_edges_and_corners_the_distance_is_that_of_all_triangles() {
    for mesh in meshes() {
        for p in awkward(mesh) {
            let (found, plain) = (mesh.signed_distance(&p), plain_signed_distance(&p, mesh));
            assert!(
                (found.distance - plain).abs() < 1e-9,
                "{p} {} {plain}",
                found.distance
            );
        }
    }
}

#[test]
fn on_the_surface_the_normal_is_that_of_the_face() {
    for mesh in meshes() {
        for (t, n) in corners(mesh).iter().zip(mesh.normals()) {
            let middle = Point3::from((t[0].coords + t[1].coords + t[2].coords) / 3.0);
            for height in [0.0, 1e-15, 1e-12, 1e-9] {
                let found = mesh.signed_distance(&(middle + n * height));
                assert!(found.normal.dot(n).abs() > 1.0 - 1e-12 && found.distance.abs() < 2e-9);
            }
        }
    }
}

#[test]
fn a_sheet_is_touched_from_both_sides() {
    let sheet = sheet();
    for y in [0.5, -0.5] {
        let found = sheet.signed_distance(&Point3::new(0.0, y, 0.0));
        assert!(found.distance > 0.3 && found.normal.y * y > 0.0);
    }
}

proptest! {
    #[test]
    fn distance_and_normal_are_those_of_all_triangles(p in point()) {
        for mesh in meshes() {
            let (found, plain) = (mesh.signed_distance(&p), plain_signed_distance(&p, mesh));
            prop_assert!((found.distance - plain).abs() < 1e-12, "{} {plain}", found.distance);
            prop_assert!((found.normal.norm() - 1.0).abs() < 1e-12);
            let foot = p - found.normal * found.distance;
            prop_assert!(plain_signed_distance(&foot, mesh).abs() < 1e-9);
        }
    }

    #[test]
    fn the_closest_pair_is_that_of_all_triangles(a in point(), b in point(), limit in 0.01..0.6_f64) {
        for mesh in meshes() {
            let ends = [a, b];
            let all = corners(mesh);
            let plain = all.iter().map(|t| plain_segment_distance(&ends, t)).fold(f64::INFINITY, f64::min);
            match mesh.closest_to_segment(&ends, limit) {
                None => prop_assert!(plain > limit - 1e-9),
                Some(found) => {
                    prop_assert!(found.distance.abs() < limit);
                    prop_assert!((found.distance.abs() - plain).abs() < 1e-7, "{} {plain}", found.distance);
                    let at = point_at(&ends, found.fraction);
                    prop_assert!((found.point + found.normal * found.distance - at).norm() < 1e-9);
                    let alone = mesh.signed_distance(&at);
                    prop_assert!((alone.distance - found.distance).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn what_moves_from_outside_to_inside_meets_the_surface(a in point(), b in point(), c in point(), d in point()) {
        for mesh in meshes().iter().filter(|mesh| mesh.is_closed()) {
            let inside = |p: &Point3<f64>| mesh.signed_distance(p).distance < 0.0;
            let sides = [a, b, c, d].map(|p| inside(&p));
            let hit = mesh.sweep_hits(&[a, b], &[c, d]);
            prop_assert!(hit || sides.iter().all(|side| *side == sides[0]));
            // One by one, without the tree.
            let swept = [[a, b, d], [a, d, c]];
            let any = corners(mesh).iter().any(|t| swept.iter().any(|half| super::cut(half, t)));
            prop_assert_eq!(hit, any);
            prop_assert!(!mesh.is_pierced_by(&[a, b]) || mesh.closest_to_segment(&[a, b], 1e-9).is_some());
            if sides[0] != sides[1] {
                prop_assert!(mesh.is_pierced_by(&[a, b]));
            }
        }
    }

    #[test]
    fn a_sweep_through_a_sheet_changes_sides(
        x in -0.8..0.8_f64, z in -0.8..0.8_f64, turn in 0.0..3.0_f64, from in 0.2..9.0_f64, to in -9.0..9.0_f64,
    ) {
        prop_assume!(to.abs() > 0.2);
        let sheet = sheet();
        let half = Vector3::new(turn.cos(), 0.0, turn.sin()) * 0.15;
        let piece = |y: f64| [Point3::new(x, y, z) - half, Point3::new(x, y, z) + half];
        prop_assert_eq!(sheet.sweep_hits(&piece(from), &piece(to)), to < 0.0);
    }
}

#[test]
fn a_closed_mesh_that_faces_inwards_is_turned() {
    let right = bumpy_sphere(0.7, 0.25, 6.0, 2).expect("a bumpy ball");
    let inwards: Vec<[u32; 3]> = right
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let turned = TriangleMesh::new(right.vertices(), &inwards).expect("a mesh");
    for p in awkward(&right) {
        let (a, b) = (right.signed_distance(&p), turned.signed_distance(&p));
        assert!((a.distance - b.distance).abs() < 1e-12);
    }
}

#[test]
fn triangles_that_repeat_their_corners_are_one_surface() {
    let once = cuboid();
    let points: Vec<Point3<f64>> = corners(&once).into_iter().flatten().collect();
    let triangles: Vec<[u32; 3]> = (0..12).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let welded = TriangleMesh::new(&points, &triangles).expect("a box");
    assert!(welded.is_closed());
    assert_eq!(welded.vertices().len(), 8);
}

#[test]
fn what_is_not_a_mesh_is_told() {
    let [o, x, y] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    let error = |points: &[Point3<f64>], triangles: &[[u32; 3]]| {
        TriangleMesh::new(points, triangles).expect_err("no mesh")
    };
    assert_eq!(error(&[o, x, y], &[]), MeshError::Empty(0));
    assert_eq!(error(&[o, x, y], &[[0, 1, 1]]), MeshError::Empty(1));
    assert_eq!(
        error(&[o, x, o + (x - o) * 2.0], &[[0, 1, 2]]),
        MeshError::Empty(1)
    );
    assert_eq!(
        error(&[o, x, y], &[[0, 1, 2], [0, 1, 3]]),
        MeshError::NoSuchCorner(1)
    );
    let nowhere = Point3::new(0.0, f64::NAN, 0.0);
    assert_eq!(
        error(&[o, x, nowhere], &[[0, 1, 2]]),
        MeshError::NotFinite(2)
    );
    let one = TriangleMesh::new(&[o, x, y], &[[0, 1, 2], [0, 1, 1]]).expect("one triangle");
    assert_eq!((one.triangles().len(), one.dropped()), (1, 1));
}

#[test]
fn a_sphere_has_four_times_the_triangles_with_each_subdivision() {
    for (subdivisions, triangles) in [(0, 20), (1, 80), (3, 1280)] {
        let ball = bumpy_sphere(0.5, 0.0, 0.0, subdivisions).expect("a ball");
        assert_eq!(ball.triangles().len(), triangles);
        assert!(ball.is_closed());
        let far = ball
            .vertices()
            .iter()
            .map(|p| (p.coords.norm() - 0.5).abs());
        assert!(far.fold(0.0, f64::max) < 1e-12);
    }
}
