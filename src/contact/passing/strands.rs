//! Two pieces of strands.

use super::{Course, Other, Piece, Trouble, floor};
use crate::contact::neighbours::are_neighbours;
use crate::geometry::segment::{distance, pass_through};

/// What becomes of two pieces.
pub(super) fn judge(a: &Piece, b: &Piece) -> Option<Trouble> {
    let apart = pieces_apart(a, b);
    let start = distance(&a.moving.from, &b.moving.from);
    let farthest = farthest(a, b);
    let smaller = a.radius_m.min(b.radius_m);
    let floor = floor(a.radius_m + b.radius_m, smaller, start);
    // Most pairs: not fast enough to come too near.
    if start - farthest >= floor.max(0.0) {
        return None;
    }
    let crossed = pass_through(&a.moving, &b.moving);
    let deep = || {
        let exempt = apart.is_some_and(|apart| are_neighbours(apart, shorter(a, b), a.radius_m));
        let course = Course {
            distance: |t| distance(&a.moving.at(t), &b.moving.at(t)),
            start_m: start,
            farthest_m: farthest,
        };
        !exempt && !course.stays_above(floor, smaller)
    };
    (crossed || deep()).then_some(Trouble {
        body: a.body,
        element: a.element,
        other: Other::Piece {
            body: b.body,
            element: b.element,
        },
        crossed,
    })
}

/// How many pieces on the other one of the same strand is, the shorter way around a ring; none for different strands.
pub(super) fn pieces_apart(a: &Piece, b: &Piece) -> Option<u32> {
    let apart = a.element.abs_diff(b.element);
    let around = if a.ring > 0 { a.ring - apart } else { apart };
    (a.body == b.body).then_some(apart.min(around))
}

fn shorter(a: &Piece, b: &Piece) -> f64 {
    let length = |p: &Piece| (p.moving.from[1] - p.moving.from[0]).norm();
    length(a).min(length(b))
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
