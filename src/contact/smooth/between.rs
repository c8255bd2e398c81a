//! Contacts between two smooth pieces: at their closest points, and at marks along both. Strands that run along or around
//! each other are equally near over a long stretch, and closest somewhere by chance: there every mark has a contact, and
//! wherever the two may touch within the step. Strands that cross touch once.

use nalgebra::{Point3, Vector3};

use super::{
    Found, MARGIN_OVER_RADIUS, MOST_MARKS, Rank, TOLERANCE, is_flat, mark_count, mark_slot,
    mark_spacing, marks, owns,
};
use crate::contact::{Contact, ContactKey, Side, StrandSide, basis};
use crate::geometry::CurveProxy;
use crate::geometry::curve::{Closest, Curve, Search};

/// Cosine of a curve with the way to the other below which the two run alongside each other.
const ALONGSIDE: f64 = 0.1;

/// Appends the contacts of two pieces that exist or may come about within `dt_s`.
pub(super) fn find(
    a: &CurveProxy,
    b: &CurveProxy,
    dt_s: f64,
    search: &mut Search,
    out: &mut Vec<Found>,
) {
    let speed = (a.velocity - b.velocity).norm() + a.spread_m_s + b.spread_m_s;
    let thinner = a.radius_m.min(b.radius_m);
    let soon = a.radius_m + b.radius_m + dt_s * speed;
    let limit = soon + MARGIN_OVER_RADIUS * thinner;
    let tolerance = TOLERANCE * thinner;
    let Some(found) = search.closest(&a.curve, &b.curve, limit, tolerance) else {
        return;
    };
    let (s, t) = (found.s, found.t);
    let mut near = [None; MOST_MARKS + 1];
    let count = mark_count(a);
    for (k, near) in near[..=count].iter_mut().enumerate() {
        let s = k as f64 / count as f64;
        let mark = Curve::point_at(a.curve.point(s));
        let found = search.closest(&mark, &b.curve, limit, tolerance);
        let wanted = |found: &Closest| {
            found.distance < soon || runs_alongside(&a.curve, s, &b.curve.point(found.t))
        };
        if let Some(found) = found.filter(wanted) {
            *near = Some(found.distance);
            // The last is the next piece's first.
            if k < count {
                out.extend(contact(a, b, [s, found.t], mark_slot(ContactKey::MARK, k)));
            }
        }
    }
    if !is_flat(s, found.distance, &near[..=count], thinner) {
        out.extend(contact(a, b, [s, t], ContactKey::CLOSEST));
    }
    for (k, t) in marks(b).enumerate() {
        let mark = Curve::point_at(b.curve.point(t));
        let found = search.closest(&a.curve, &mark, limit, tolerance);
        let wanted = |found: &Closest| {
            found.distance < soon || runs_alongside(&b.curve, t, &a.curve.point(found.s))
        };
        if let Some(found) = found.filter(wanted) {
            let slot = mark_slot(ContactKey::PARTNER_MARK, k);
            out.extend(contact(a, b, [found.s, t], slot));
        }
    }
}

/// Whether the distance of a curve from a point of another, the closest, hardly changes along it at t.
fn runs_alongside(curve: &Curve, t: f64, point: &Point3<f64>) -> bool {
    let jet = curve.jet(t);
    let apart = jet.point - point.coords;
    apart.dot(&jet.first).abs() <= ALONGSIDE * apart.norm() * jet.first.norm()
}

/// The contact at these parameters, unless it belongs to neighbouring pieces.
fn contact(a: &CurveProxy, b: &CurveProxy, [s, t]: [f64; 2], slot: u32) -> Option<Found> {
    let (p, q) = (a.curve.jet(s), b.curve.jet(t));
    let apart = p.point - q.point;
    let distance = apart.norm();
    let slope = |along: &Vector3<f64>| match distance > 0.0 {
        true => apart.dot(along) / (distance * along.norm()),
        false => 0.0,
    };
    // A mark is its piece's own, however the other curve runs there.
    let kind = slot % ContactKey::SLOTS;
    let own_a = kind == ContactKey::MARK || owns(a, s, slope(&p.first));
    let own_b = kind == ContactKey::PARTNER_MARK || owns(b, t, -slope(&q.first));
    if !(own_a && own_b) {
        return None;
    }
    let gap = distance - a.radius_m - b.radius_m;
    // Centrelines that meet exactly: across both is the only direction left.
    let normal = apart
        .try_normalize(0.0)
        .or_else(|| p.first.cross(&q.first).try_normalize(0.0))?;
    let side = |proxy: &CurveProxy, t, offset| {
        Side::Strand(StrandSide {
            body: proxy.body,
            place: proxy.place(t),
            offset,
        })
    };
    let contact = Contact {
        key: ContactKey {
            body: a.body,
            partner: b.body,
            feature: a.element,
            partner_feature: b.element,
            slot,
        },
        a: side(a, s, -normal * a.radius_m),
        b: side(b, t, normal * b.radius_m),
        point: (q.point + normal * (b.radius_m + 0.5 * gap)).into(),
        basis: basis(&normal, &mean_direction(&p.first, &q.first)),
        gap,
        radius_m: a.radius_m.min(b.radius_m),
        bend_m_s2: 0.0,
    };
    Some(Found {
        contact,
        rank: match kind {
            ContactKey::CLOSEST => Rank::Closest,
            ContactKey::MARK => Rank::Mark,
            _ => Rank::PartnerMark,
        },
        along: [a.along_m(s), b.along_m(t)],
        round: [a.round_m, b.round_m],
        width: a.radius_m + b.radius_m,
        spacing: mark_spacing(a).min(mark_spacing(b)),
    })
}

/// Between the directions of two curves, whichever way they run.
fn mean_direction(a: &Vector3<f64>, b: &Vector3<f64>) -> Vector3<f64> {
    let (a, b) = (a.normalize(), b.normalize());
    if a.dot(&b) < 0.0 { a - b } else { a + b }
}
