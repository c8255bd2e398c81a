//! Whether a triangle can be swept over without touching a piece of the strand. Every answer "clear" holds also with
//! rounding: in doubt the way is not clear.

use nalgebra::{Point3, Vector3};

type Triangle = [Point3<f64>; 3];

/// Whether some plane keeps a piece and a triangle apart, by more than `gap`.
///
/// The planes tried are those that the separating-axis theorem asks for: across the triangle's normal n, across d × e
/// of the piece d and each side e, and, for a piece in the triangle's plane, across n × e and n × d. An axis of any
/// length is one, so none needs to be left out.
pub(super) fn apart(triangle: &Triangle, piece: &[Point3<f64>; 2], gap: f64) -> bool {
    // From a corner on, so that rounding is that of the triangle's own size.
    let origin = triangle[0];
    let [u, v] = [triangle[1] - origin, triangle[2] - origin];
    let [p, q] = [piece[0] - origin, piece[1] - origin];
    let d = q - p;
    let normal = u.cross(&v);
    let sides = [u, v, v - u];
    let separates = |axis: Vector3<f64>| {
        let (a, b) = (u.dot(&axis), v.dot(&axis));
        let (s, t) = (p.dot(&axis), q.dot(&axis));
        let (low, high) = (a.min(b).min(0.0), a.max(b).max(0.0));
        let room = gap * axis.norm();
        s.min(t) > high + room || s.max(t) < low - room
    };
    separates(normal)
        || sides.iter().any(|side| separates(d.cross(side)))
        || sides.iter().any(|side| separates(normal.cross(side)))
        || separates(normal.cross(&d))
}

/// Whether a piece that begins at the triangle's corner `at` and ends at `end` meets the triangle nowhere else; `tip` is
/// the corner that is swept, `other` the third.
pub(super) fn leaves(
    at: &Point3<f64>,
    tip: &Point3<f64>,
    other: &Point3<f64>,
    end: &Point3<f64>,
    gap: f64,
) -> bool {
    let [u, w, d] = [tip - at, other - at, end - at];
    let normal = u.cross(&w);
    let longest = u.norm().max(w.norm()).max((w - u).norm());
    if normal.norm() <= gap * longest {
        // No triangle but a line.
        let line = if w.norm() > u.norm() { w } else { u };
        let off = d.cross(&line).norm() > gap * line.norm();
        return off || (d.dot(&u) < 0.0 && d.dot(&w) < 0.0);
    }
    if d.dot(&normal).abs() > gap * normal.norm() {
        return true;
    }
    let room = gap * longest * normal.norm();
    u.cross(&d).dot(&normal) < -room || d.cross(&w).dot(&normal) < -room
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: Triangle = [
        Point3::new(0.0, 0.0, 0.0),
        Point3::new(1.0, 0.0, 0.0),
        Point3::new(0.0, 1.0, 0.0),
    ];

    #[test]
    fn a_piece_through_the_triangle_is_not_apart_and_one_beside_it_is() {
        let piece = |a: [f64; 3], b: [f64; 3]| [Point3::from(a), Point3::from(b)];
        let through = piece([0.2, 0.2, -1.0], [0.2, 0.3, 1.0]);
        let beside = piece([0.6, 0.6, -1.0], [0.6, 0.6, 1.0]);
        let over = piece([-1.0, 0.2, 0.1], [1.0, 0.3, 0.2]);
        let flat_beside = piece([0.6, 0.6, 0.0], [2.0, 0.1, 0.0]);
        let flat_across = piece([-1.0, 0.2, 0.0], [1.0, 0.3, 0.0]);
        let touching = piece([0.2, 0.2, 0.0], [0.2, 0.2, 1.0]);
        let answers = [through, beside, over, flat_beside, flat_across, touching]
            .map(|piece| apart(&TRIANGLE, &piece, 1e-9));
        assert_eq!(answers, [false, true, true, true, false, false]);
    }

    #[test]
    fn the_next_piece_may_go_anywhere_but_back_over_the_triangle() {
        let [at, tip, other] = TRIANGLE;
        let goes = |end: [f64; 3]| leaves(&at, &tip, &other, &Point3::from(end), 1e-9);
        assert!(goes([-1.0, -1.0, 0.0]));
        assert!(goes([0.5, 0.5, 1.0]));
        assert!(goes([1.0, -0.5, 0.0]));
        assert!(!goes([0.5, 0.5, 0.0]));
        // Along a straight strand.
        let (tip, other) = (Point3::new(1.0, 0.0, 0.0), Point3::new(2.0, 0.0, 0.0));
        let goes = |end: [f64; 3]| leaves(&at, &tip, &other, &Point3::from(end), 1e-9);
        assert!(goes([-1.0, 0.0, 0.0]));
        assert!(goes([1.0, 0.1, 0.0]));
        assert!(!goes([0.5, 0.0, 0.0]));
    }
}
