//! Signed distance from a straight piece to the surface of a shape, and how large a shape is.

use nalgebra::{Point3, Vector3};

use super::distance::to_surface;
use super::segment::{closest_parameters, distance, point_at};
use super::{Aabb, Shape};

/// Rounds of the search along a piece: its last bracket is 1e-6 of the piece.
const ROUNDS: usize = 28;

/// The least signed distance of the points of a piece to the surface, in the shape's own frame: negative when some
/// point is inside.
pub fn piece_to_surface(shape: &Shape, piece: &[Point3<f64>; 2]) -> f64 {
    match *shape {
        Shape::Plane => piece[0].y.min(piece[1].y),
        Shape::Sphere { radius_m } => {
            let (s, _) = closest_parameters(piece, &[Point3::origin(); 2]);
            point_at(piece, s).coords.norm() - radius_m
        }
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => distance(piece, &axis(half_length_m)) - radius_m,
        Shape::Box { .. } | Shape::Cylinder { .. } => least_along(shape, piece),
        Shape::Mesh(ref mesh) => mesh.piece_distance(piece),
    }
}

/// The axis of a capsule.
pub fn axis(half_length_m: f64) -> [Point3<f64>; 2] {
    [-half_length_m, half_length_m].map(|y| Point3::new(0.0, y, 0.0))
}

/// The distance to a convex solid is convex along a piece, so a golden-section search finds its only minimum.
fn least_along(shape: &Shape, piece: &[Point3<f64>; 2]) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let at = |s: f64| to_surface(shape, &point_at(piece, s)).distance;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut p, mut q) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_p, mut at_q) = (at(p), at(q));
    for _ in 0..ROUNDS {
        if at_p < at_q {
            (high, q, at_q) = (q, p, at_p);
            p = high - GOLDEN * (high - low);
            at_p = at(p);
        } else {
            (low, p, at_p) = (p, q, at_q);
            q = low + GOLDEN * (high - low);
            at_q = at(q);
        }
    }
    at_p.min(at_q).min(at(0.0)).min(at(1.0))
}

/// Half the sizes of a box around the shape in its own frame, m; none if it has no end.
pub fn half_extents(shape: &Shape) -> Option<Vector3<f64>> {
    match *shape {
        Shape::Plane => None,
        Shape::Sphere { radius_m } => Some(Vector3::repeat(radius_m)),
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => Some(Vector3::new(radius_m, half_length_m + radius_m, radius_m)),
        Shape::Box { half_extents_m } => Some(Vector3::from(half_extents_m)),
        Shape::Cylinder {
            radius_m,
            half_length_m,
        } => Some(Vector3::new(radius_m, half_length_m, radius_m)),
        Shape::Mesh(ref mesh) => {
            let Aabb { low, high } = mesh.bounds();
            Some(low.coords.abs().sup(&high.coords.abs()))
        }
    }
}

/// How deep inside a point can be, m; no limit is known for a mesh.
pub fn deepest(shape: &Shape) -> f64 {
    match *shape {
        Shape::Plane | Shape::Mesh(_) => f64::INFINITY,
        Shape::Sphere { radius_m } | Shape::Capsule { radius_m, .. } => radius_m,
        Shape::Box { half_extents_m } => half_extents_m.into_iter().fold(f64::INFINITY, f64::min),
        Shape::Cylinder {
            radius_m,
            half_length_m,
        } => radius_m.min(half_length_m),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPES: [Shape; 5] = [
        Shape::Plane,
        Shape::Sphere { radius_m: 0.3 },
        Shape::Capsule {
            radius_m: 0.1,
            half_length_m: 0.5,
        },
        Shape::Box {
            half_extents_m: [0.5, 0.1, 0.3],
        },
        Shape::Cylinder {
            radius_m: 0.4,
            half_length_m: 0.2,
        },
    ];

    proptest! {
        #[test]
        fn no_sampled_point_of_a_piece_is_closer(
            p in prop::array::uniform3(-1.0..1.0_f64), q in prop::array::uniform3(-1.0..1.0_f64), k in 0..5_usize,
        ) {
            let piece = [Point3::from(p), Point3::from(q)];
            let found = piece_to_surface(&SHAPES[k], &piece);
            let sampled = (0..=200)
                .map(|i| to_surface(&SHAPES[k], &point_at(&piece, f64::from(i) / 200.0)).distance)
                .fold(f64::INFINITY, f64::min);
            let between_samples = (piece[1] - piece[0]).norm() / 400.0;
            prop_assert!(found <= sampled + 1e-6);
            prop_assert!(found >= sampled - between_samples - 1e-12);
        }

        #[test]
        fn a_shape_lies_within_its_extents_and_no_point_deeper_than_the_deepest(
            p in prop::array::uniform3(-1.0..1.0_f64), k in 1..5_usize,
        ) {
            let p = Point3::from(p);
            let inside = -to_surface(&SHAPES[k], &p).distance;
            prop_assert!(inside <= deepest(&SHAPES[k]) + 1e-12);
            let half = half_extents(&SHAPES[k]).expect("it has an end");
            prop_assert!(inside <= 0.0 || (0..3).all(|c| p[c].abs() <= half[c]));
        }
    }
}
