//! Two pieces of strands.

use super::{Course, Judged, Other, Piece, Trouble, floor};
use crate::contact::neighbours::are_neighbours;
use crate::geometry::segment::{distance, pass_through};

/// What becomes of two pieces whose lines may be `off`.
pub(super) fn judge(a: &Piece, b: &Piece, off: f64) -> Judged {
    let apart = pieces_apart(a, b);
    let start = distance(&a.moving.from, &b.moving.from);
    let farthest = farthest(a, b);
    let (smaller, touch) = (a.radius_m.min(b.radius_m), a.radius_m + b.radius_m);
    let is_exempt = || apart.is_some() && are_neighbours(&a.along, &b.along, a.radius_m);
    let depth = match start < touch && !is_exempt() {
        true => (touch - start) / smaller,
        false => 0.0,
    };
    let floor = floor(touch, smaller, start, off);
    // Most pairs: not fast enough to come too near.
    if start - farthest >= floor.max(0.0) {
        return Judged {
            depth,
            trouble: None,
        };
    }
    let crossed = pass_through(&a.moving, &b.moving);
    let deep = || {
        let course = Course {
            distance: |t| distance(&a.moving.at(t), &b.moving.at(t)),
            start_m: start,
            farthest_m: farthest,
        };
        !is_exempt() && !course.stays_above(floor, smaller)
    };
    let trouble = (crossed || deep()).then_some(Trouble {
        body: a.body,
        element: a.element,
        other: Other::Piece {
            body: b.body,
            element: b.element,
        },
        crossed,
    });
    Judged { depth, trouble }
}

/// How many pieces on the other one of the same strand is, the shorter way around a ring; none for different strands.
pub(super) fn pieces_apart(a: &Piece, b: &Piece) -> Option<u32> {
    let apart = a.element.abs_diff(b.element);
    let around = if a.ring > 0 { a.ring - apart } else { apart };
    (a.body == b.body).then_some(apart.min(around))
}

/// No point of one moves farther against a point of the other than this, m.
fn farthest(a: &Piece, b: &Piece) -> f64 {
    let way = |p: &Piece, k: usize| p.moving.to[k] - p.moving.from[k];
    let mut farthest = 0.0_f64;
    for i in 0..2 {
        for j in 0..2 {
            farthest = farthest.max((way(a, i) - way(b, j)).norm_squared());
        }
    }
    farthest.sqrt()
}
