//! Open strands, made closed: each end is led on straight to the far outside, and there the two are joined. Which way
//! around the outside does not matter: nothing else is there.

use std::f64::consts::PI;

use nalgebra::{Point3, Unit, Vector3};

/// How far away, in sizes of the strand, the ends of an open one are joined when their directions are given.
const FAR: f64 = 1e3;

/// How far out, in radii of a ball about the strand, the ends are joined when they may choose their way. Any chord of at
/// most a third of a turn between places this far out stays outside the ball.
const OUTSIDE: f64 = 3.0;

/// Directions that an end can choose from, besides its own.
const DIRECTIONS: usize = 96;

/// Nodes that the choice looks at, at most.
const LOOKED_AT: usize = 256;

/// Corners of an open strand whose ends go on straight in these directions and are joined far outside.
pub fn closed_far_outside(
    nodes: &[Point3<f64>],
    directions: [Vector3<f64>; 2],
) -> Vec<Point3<f64>> {
    let Some((first, last)) = nodes.first().zip(nodes.last()) else {
        return Vec::new();
    };
    let size = nodes.iter().map(|x| (x - first).norm()).fold(0.0, f64::max);
    let far = FAR * size;
    let [a, b] = directions.map(|d| d.normalize());
    // Around the outside, away from both and from the straight way between them.
    let across = a.cross(&b).try_normalize(1e-3).unwrap_or_else(|| {
        let (x, y) = (Vector3::x(), Vector3::y());
        a.cross(&if a.x.abs() < 0.5 { x } else { y }).normalize()
    });
    let mut corners = nodes.to_vec();
    corners.push(last + b * far);
    corners.push(first + (across * 2.0 + (a + b) * 0.1) * far);
    corners.push(first + a * far);
    corners
}

/// Adds to an open strand the corners that close it, each end going on where there is most room.
pub(super) fn close(corners: &mut Vec<Point3<f64>>) {
    let count = corners.len();
    if count < 3 {
        return;
    }
    let middle = corners
        .iter()
        .fold(Vector3::zeros(), |sum, x| sum + x.coords)
        / count as f64;
    let middle = Point3::from(middle);
    let reach = |x: &Point3<f64>| (x - middle).norm();
    let radius = corners.iter().map(reach).fold(0.0, f64::max);
    let ways = [
        roomiest(corners, corners[0], corners[1]),
        roomiest(corners, corners[count - 1], corners[count - 2]),
    ];
    let out = |end: Point3<f64>, way: &Vector3<f64>| {
        // From inside the ball, as far as the larger ball.
        let (from, far) = (end - middle, OUTSIDE * radius);
        let along = from.dot(way);
        let rest = far * far - from.norm_squared();
        from + way * ((along * along + rest).max(0.0).sqrt() - along)
    };
    let (a, b) = (out(corners[0], &ways[0]), out(corners[count - 1], &ways[1]));
    corners.push(middle + b);
    if a.angle(&b) > 0.6 * PI {
        let between = (a + b).try_normalize(1e-3 * radius);
        let between = between.unwrap_or_else(|| any_across(&a));
        corners.push(middle + between * (OUTSIDE * radius));
    }
    corners.push(middle + a);
}

/// The direction out of `end` that keeps the widest empty cone about it.
fn roomiest(nodes: &[Point3<f64>], end: Point3<f64>, before: Point3<f64>) -> Vector3<f64> {
    let stride = nodes.len().div_ceil(LOOKED_AT);
    let seen: Vec<Vector3<f64>> = nodes
        .iter()
        .step_by(stride)
        .chain([&before])
        .filter_map(|x| (x - end).try_normalize(0.0))
        .collect();
    let tightest = |way: &Vector3<f64>| seen.iter().map(|x| x.dot(way)).fold(-1.0, f64::max);
    let own = (end - before).try_normalize(0.0).unwrap_or(Vector3::x());
    let mut best = (tightest(&own), own);
    for way in spread_out() {
        let cosine = tightest(&way);
        if cosine < best.0 {
            best = (cosine, way);
        }
    }
    best.1
}

/// Directions all around, evenly: a spiral over the sphere.
fn spread_out() -> impl Iterator<Item = Vector3<f64>> {
    let golden = PI * (5.0_f64.sqrt() - 1.0);
    (0..DIRECTIONS).map(move |k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / DIRECTIONS as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vector3::new(r * cos, r * sin, z)
    })
}

fn any_across(a: &Vector3<f64>) -> Vector3<f64> {
    let axis = if a.x.abs() < 0.5 * a.norm() {
        Vector3::x_axis()
    } else {
        Vector3::y_axis()
    };
    Unit::new_normalize(a.cross(&axis)).into_inner()
}
