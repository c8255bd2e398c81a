//! Contacts between a smooth piece and a solid. Balls and capsules are curves themselves, a point or a segment with a
//! radius; for the others the sign of n · a′ tells where a curve turns away from the surface.

use nalgebra::{Point3, Vector3};

use super::{ALONG, END, Found, Lane, MARGIN_OVER_RADIUS, TOLERANCE, along, marks, owns};
use crate::contact::{Contact, ContactKey, Partner, StrandSide, basis};
use crate::geometry::distance::{SurfaceDistance, to_surface};
use crate::geometry::{Aabb, Curve, CurveProxy, Shape, SolidProxy};

/// A closest point inside a piece counts if it is nearer than the ends by this share of the radius: on a flat surface
/// all are as near, up to rounding, and the ends are enough.
const BULGE: f64 = 1e-3;
/// A piece is looked at so often per radian that it turns …
const PER_RADIAN: f64 = 2.0;
/// … but not more often than this.
const MOST_LOOKS: usize = 16;

/// Appends the contacts of a piece with a solid that exist or may come about within `dt_s`.
pub(super) fn find(a: &CurveProxy, bounds: &Aabb, solid: &SolidProxy, dt_s: f64, lane: &mut Lane) {
    let speeds = [0.0, 0.5, 1.0].map(|t| {
        let at = a.curve.point(t);
        (a.velocity - solid.velocity_at(&at)).norm()
    });
    let speed = speeds.into_iter().fold(0.0, f64::max) + a.spread_m_s;
    let reach = MARGIN_OVER_RADIUS * a.radius_m + dt_s * speed;
    let pose = &solid.world_from_body;
    match solid.shape {
        Shape::Sphere { radius_m } => {
            let centre = Point3::from(pose.translation.vector);
            round(a, solid, &Curve::point_at(centre), radius_m, reach, lane);
        }
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => {
            let ends = [-half_length_m, half_length_m].map(|y| pose * Point3::new(0.0, y, 0.0));
            let axis = Curve::segment(ends[0], ends[1]);
            round(a, solid, &axis, radius_m, reach, lane);
        }
        _ => surface(a, bounds, solid, reach, &mut lane.found),
    }
}

/// A solid that is all that lies within `radius` of an axis.
fn round(
    a: &CurveProxy,
    solid: &SolidProxy,
    axis: &Curve,
    radius: f64,
    reach: f64,
    lane: &mut Lane,
) {
    let limit = a.radius_m + radius + reach;
    let tolerance = TOLERANCE * a.radius_m.min(radius);
    let Lane { search, found } = lane;
    let distance_at = |s: f64, t: f64| {
        let apart = a.curve.point(s) - axis.point(t);
        let distance = apart.norm();
        let normal = apart.try_normalize(0.0).unwrap_or_else(Vector3::y);
        SurfaceDistance {
            distance: distance - radius,
            normal,
        }
    };
    let Some(closest) = search.closest(&a.curve, axis, limit, tolerance, None) else {
        return;
    };
    let at = distance_at(closest.s, closest.t);
    if owns(a, closest.s, slope(a, closest.s, &at.normal)) {
        found.push(contact(a, solid, closest.s, &at, ContactKey::CLOSEST));
    }
    for (k, s) in marks(a).enumerate() {
        let mark = Curve::point_at(a.curve.point(s));
        let Some(near) = search.closest(&mark, axis, limit, tolerance, None) else {
            continue;
        };
        let at = distance_at(s, near.t);
        if slope(a, s, &at.normal).abs() < ALONG {
            let slot = ContactKey::MARK + ContactKey::SLOTS * k as u32;
            found.push(contact(a, solid, s, &at, slot));
        }
    }
}

/// Any other solid.
fn surface(a: &CurveProxy, bounds: &Aabb, solid: &SolidProxy, reach: f64, found: &mut Vec<Found>) {
    let at = |t: f64| {
        let pose = &solid.world_from_body;
        let local = pose.inverse_transform_point(&a.curve.point(t));
        let near = to_surface(&solid.shape, &local);
        SurfaceDistance {
            distance: near.distance,
            normal: pose * near.normal,
        }
    };
    let within = |near: &SurfaceDistance| near.distance - a.radius_m < reach;
    // Nothing of the piece is further from its middle than half its length.
    if at(0.5).distance - a.radius_m - 0.5 * a.length_m.min((bounds.high - bounds.low).norm())
        > reach
    {
        return;
    }
    let turn = a.curve.second_bound(0.0, 1.0) / a.length_m;
    let looks = ((PER_RADIAN * turn) as usize + 2).min(MOST_LOOKS);
    let mut before = (0.0, at(0.0));
    let first = before.1;
    let last = at(1.0);
    for (k, t) in marks(a).enumerate() {
        let near = if k == 0 { first } else { at(t) };
        let free = k == 0 && a.element == 0 && a.ring == 0;
        if within(&near) && (free || slope(a, t, &near.normal).abs() < ALONG) {
            let slot = ContactKey::MARK + ContactKey::SLOTS * k as u32;
            let mut mark = contact(a, solid, t, &near, slot);
            mark.closest = free;
            found.push(mark);
        }
    }
    if a.last && within(&last) {
        found.push(contact(a, solid, 1.0, &last, ContactKey::FREE_END));
    }
    let ends = first.distance.min(last.distance) - BULGE * a.radius_m;
    for k in 1..=looks {
        let t = k as f64 / looks as f64;
        let after = (t, if k == looks { last } else { at(t) });
        let slopes = [&before, &after].map(|(t, near)| slope(a, *t, &near.normal));
        if slopes[0] < 0.0 && slopes[1] > 0.0 {
            let t = turning_point([before.0, after.0], slopes, |t| slope(a, t, &at(t).normal));
            let near = at(t);
            if within(&near) && near.distance < ends {
                let slot = ContactKey::CLOSEST + ContactKey::SLOTS * (k as u32 - 1);
                found.push(contact(a, solid, t, &near, slot));
            }
        }
        before = after;
    }
}

/// Cosine of the curve with a normal.
fn slope(a: &CurveProxy, t: f64, normal: &Vector3<f64>) -> f64 {
    let along = a.curve.derivative(t);
    along.dot(normal) / along.norm()
}

/// Where a function that rises from below zero to above is zero: false position, the stale end weighing half.
fn turning_point(
    [mut low, mut high]: [f64; 2],
    [mut f, mut g]: [f64; 2],
    at: impl Fn(f64) -> f64,
) -> f64 {
    for _ in 0..60 {
        let t = (low * g - high * f) / (g - f);
        let here = at(t);
        if here.abs() < 1e-14 || high - low < 0.1 * END {
            return t;
        }
        if here < 0.0 {
            (low, f, g) = (t, here, 0.5 * g);
        } else {
            (high, g, f) = (t, here, 0.5 * f);
        }
    }
    0.5 * (low + high)
}

fn contact(a: &CurveProxy, solid: &SolidProxy, t: f64, near: &SurfaceDistance, slot: u32) -> Found {
    let jet = a.curve.jet(t);
    let normal = near.normal;
    let point = Point3::from(jet.point - normal * near.distance);
    let contact = Contact {
        key: ContactKey {
            body: a.body,
            partner: ContactKey::SOLIDS + solid.solid,
            feature: a.element,
            partner_feature: 0,
            slot,
        },
        a: StrandSide {
            body: a.body,
            place: a.place(t),
            offset: -normal * a.radius_m,
        },
        b: Partner::Solid {
            solid: solid.solid,
            velocity: solid.velocity_at(&point),
        },
        point,
        basis: basis(&normal, &jet.first),
        gap: near.distance - a.radius_m,
        radius_m: a.radius_m,
    };
    Found {
        contact,
        closest: slot % ContactKey::SLOTS != ContactKey::MARK,
        along: [along(a, t), 0.0],
        width: 2.0 * a.radius_m,
    }
}
