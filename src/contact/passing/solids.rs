//! A piece of a strand and a solid.

use super::{Course, Judged, Other, Piece, Trouble, floor};
use crate::geometry::moving_solid::MovingSolid;
use crate::geometry::piece_distance::deepest;
use crate::geometry::segment::pass_through;

/// A strand has been through a solid when its centreline was inside deeper than this share of the deepest.
const CORE: f64 = 0.5;

/// What becomes of a piece, whose line may be `off`, near the solid of this index.
pub(super) fn judge(piece: &Piece, index: u32, solid: &MovingSolid, off: f64) -> Judged {
    let (radius, moving) = (piece.radius_m, &piece.moving);
    let farthest_m = solid.farthest(moving);
    // No floor is higher than that of what is far away.
    if solid.is_clear_of(
        moving,
        farthest_m + floor(radius, radius, f64::INFINITY, off),
    ) {
        return Judged::default();
    }
    let course = Course {
        distance: |t| solid.distance(moving, t),
        start_m: solid.distance(moving, 0.0),
        farthest_m,
    };
    let floor = floor(radius, radius, course.start_m, off);
    let depth = (1.0 - course.start_m / radius).max(0.0);
    if course.start_m - course.farthest_m >= floor.max(0.0) {
        return Judged {
            depth,
            trouble: None,
        };
    }
    let deep = !course.stays_above(floor, radius);
    let across_axis = solid.axis().is_some_and(|axis| pass_through(moving, &axis));
    let through_core = || {
        let core = radius.min(CORE * deepest(solid.shape));
        // What starts inside has not come from outside.
        deep && course.start_m > -0.5 * core && !course.stays_above(-core, core)
    };
    let trouble = (deep || across_axis).then(|| Trouble {
        body: piece.body,
        element: piece.element,
        other: Other::Solid(index),
        crossed: across_axis || through_core() || solid.lets_through(moving),
    });
    Judged { depth, trouble }
}
