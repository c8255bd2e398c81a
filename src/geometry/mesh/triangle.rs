//! One triangle against a point and against a segment.
//!
//! ```text
//!            c
//!           / \            edge 0 joins a and b, edge 1 b and c, edge 2 c and a
//!        2 /   \ 1
//!         /_____\
//!        a   0   b
//! ```

use nalgebra::{Point3, Vector3};

use crate::geometry::segment::{closest_parameters, point_at};

/// What part of a triangle a point is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// Its inside.
    Face,
    /// One of its edges.
    Edge(usize),
    /// One of its corners.
    Corner(usize),
}

/// A point of a triangle that is closest to something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    pub point: Point3<f64>,
    pub feature: Feature,
    pub distance_squared: f64,
}

/// The point of a triangle that is closest to `p`, by the region in which `p` lies \[Ericson05, §5.1.5\].
pub(super) fn closest_to_point(p: &Point3<f64>, [a, b, c]: &[Point3<f64>; 3]) -> Closest {
    let found = |point: Point3<f64>, feature| Closest {
        point,
        feature,
        distance_squared: (p - point).norm_squared(),
    };
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return found(*a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return found(*b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return found(a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return found(*c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return found(a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    let (towards_c, towards_b) = (d4 - d3, d5 - d6);
    if va <= 0.0 && towards_c >= 0.0 && towards_b >= 0.0 {
        let share = towards_c / (towards_c + towards_b);
        return found(b + (c - b) * share, Feature::Edge(1));
    }
    let sum = va + vb + vc;
    found(a + ab * (vb / sum) + ac * (vc / sum), Feature::Face)
}

/// Where a segment goes through a triangle, 0 to 1 along it; none if it lies in the triangle's plane.
pub(super) fn pierce(ends: &[Point3<f64>; 2], [a, b, c]: &[Point3<f64>; 3]) -> Option<f64> {
    let normal = (b - a).cross(&(c - a));
    let heights = ends.map(|p| normal.dot(&(p - a)));
    if heights[0] * heights[1] > 0.0 || heights[0] == heights[1] {
        return None;
    }
    let fraction = heights[0] / (heights[0] - heights[1]);
    let q = point_at(ends, fraction);
    let left_of = |p: &Point3<f64>, edge: Vector3<f64>| edge.cross(&(q - p)).dot(&normal) >= 0.0;
    (left_of(a, b - a) && left_of(b, c - b) && left_of(c, a - c)).then_some(fraction)
}

/// The closest pair of a segment and a triangle: how far along the segment, and the triangle's point.
///
/// Unless the segment goes through, an end is closest to the triangle, or an edge of the triangle to the segment.
pub(super) fn closest_to_segment(
    ends: &[Point3<f64>; 2],
    corners: &[Point3<f64>; 3],
) -> (f64, Closest) {
    if let Some(fraction) = pierce(ends, corners) {
        let through = Closest {
            point: point_at(ends, fraction),
            feature: Feature::Face,
            distance_squared: 0.0,
        };
        return (fraction, through);
    }
    let mut best = (0.0, closest_to_point(&ends[0], corners));
    let mut offer = |fraction: f64, found: Closest| {
        if found.distance_squared < best.1.distance_squared {
            best = (fraction, found);
        }
    };
    offer(1.0, closest_to_point(&ends[1], corners));
    for k in 0..3 {
        let edge = [corners[k], corners[(k + 1) % 3]];
        let (s, t) = closest_parameters(ends, &edge);
        let point = point_at(&edge, t);
        let feature = match t {
            t if t <= 0.0 => Feature::Corner(k),
            t if t >= 1.0 => Feature::Corner((k + 1) % 3),
            _ => Feature::Edge(k),
        };
        let distance_squared = (point_at(ends, s) - point).norm_squared();
        let found = Closest {
            point,
            feature,
            distance_squared,
        };
        offer(s, found);
    }
    best
}

/// Whether two triangles cut each other; touching within one plane is not cutting.
pub(super) fn cut(p: &[Point3<f64>; 3], q: &[Point3<f64>; 3]) -> bool {
    let pierces = |from: &[Point3<f64>; 3], into: &[Point3<f64>; 3]| {
        (0..3).any(|k| pierce(&[from[k], from[(k + 1) % 3]], into).is_some())
    };
    pierces(p, q) || pierces(q, p)
}
