//! Contacts between a smooth piece and a solid. Balls and capsules are curves themselves, a point or a segment with a
//! radius; for the others the sign of n · a′ tells where a curve turns away from the surface.

use nalgebra::{Point3, Vector3};

use super::{
    ALONG, END, FLAT, Found, Lane, MARGIN_OVER_RADIUS, MOST_MARKS, Rank, TOLERANCE, along, is_flat,
    mark_count, mark_slot, mark_spacing, marks, owns,
};
use crate::contact::{Contact, ContactKey, Side, SolidSide, StrandSide, basis};
use crate::geometry::curve::Jet;
use crate::geometry::distance::{SurfaceDistance, to_surface};
use crate::geometry::{Curve, CurveProxy, Shape, SolidProxy, SurfacePlace};

/// A piece is looked at so often per radian that it turns …
const PER_RADIAN: f64 = 2.0;
/// … but not more often than this.
const MOST_LOOKS: usize = 16;

/// Appends the contacts of a piece with a solid that exist or may come about within `dt_s`. A piece that is `fixed` is a
/// rail.
pub(super) fn find(a: &CurveProxy, solid: &SolidProxy, fixed: bool, dt_s: f64, lane: &mut Lane) {
    // However a ball turns, it comes no nearer by that.
    let round = matches!(solid.shape, Shape::Sphere { .. });
    let speed = |t: f64| {
        let at = match round {
            true => Point3::from(solid.world_from_body.translation.vector),
            false => a.curve.point(t),
        };
        (a.velocity - solid.velocity_at(&at)).norm()
    };
    let speed = speed(0.0).max(speed(0.5)).max(speed(1.0)) + a.spread_m_s;
    let pair = Pair {
        a,
        solid,
        reach: a.radius_m + MARGIN_OVER_RADIUS * a.radius_m + dt_s * speed,
        fixed,
        dt_s,
    };
    let pose = &solid.world_from_body;
    match solid.shape {
        Shape::Sphere { radius_m } => {
            let centre = Point3::from(pose.translation.vector);
            pair.round(&Curve::point_at(centre), radius_m, lane);
        }
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => {
            let ends = [-half_length_m, half_length_m].map(|y| pose * Point3::new(0.0, y, 0.0));
            pair.round(&Curve::segment(ends[0], ends[1]), radius_m, lane);
        }
        _ => pair.surface(&mut lane.found),
    }
}

/// A piece and a solid.
struct Pair<'a> {
    a: &'a CurveProxy,
    solid: &'a SolidProxy,
    /// Distance of the centreline from the surface below which there is a contact, m.
    reach: f64,
    /// Whether the piece never moves: then it does not wrap around the solid either.
    fixed: bool,
    dt_s: f64,
}

impl Pair<'_> {
    /// A solid that is all that lies within `radius` of an axis.
    fn round(&self, axis: &Curve, radius: f64, lane: &mut Lane) {
        let a = self.a;
        let (limit, tolerance) = (radius + self.reach, TOLERANCE * a.radius_m.min(radius));
        let Lane { search, found } = lane;
        let distance_at = |s: f64, t: f64| {
            let apart = a.curve.point(s) - axis.point(t);
            SurfaceDistance {
                distance: apart.norm() - radius,
                normal: apart.try_normalize(0.0).unwrap_or_else(Vector3::y),
            }
        };
        let Some(closest) = search.closest(&a.curve, axis, limit, tolerance, None) else {
            return;
        };
        let at = distance_at(closest.s, closest.t);
        if self.fixed {
            if owns(a, closest.s, self.slope(closest.s, &at)) {
                let mut rail = self.contact(closest.s, &at, ContactKey::CLOSEST);
                rail.contact.bend_m_s2 = self.bend(closest.s, radius, axis.point(closest.t));
                found.push(rail);
            }
            return;
        }
        let mut near = [None; MOST_MARKS + 1];
        let count = mark_count(a);
        for (k, near) in near[..=count].iter_mut().enumerate() {
            let s = k as f64 / count as f64;
            let mark = Curve::point_at(a.curve.point(s));
            let Some(there) = search.closest(&mark, axis, limit, tolerance, None) else {
                continue;
            };
            *near = Some(there.distance);
            let at = distance_at(s, there.t);
            if k < count && self.slope(s, &at).abs() < ALONG {
                found.push(self.contact(s, &at, mark_slot(ContactKey::MARK, k)));
            }
        }
        let flat = is_flat(closest.s, closest.distance, &near[..=count], a.radius_m);
        if !flat && owns(a, closest.s, self.slope(closest.s, &at)) {
            found.push(self.contact(closest.s, &at, ContactKey::CLOSEST));
        }
    }

    /// How the gap of a ball that runs along the rail at `s` changes by itself, m/s².
    ///
    /// With d from the curve to the ball's middle, n along it, v_t the speed along the curve and κ its curvature vector, d
    /// changes as d″ = −v_t² κ·n/(1 − d κ·n).
    fn bend(&self, s: f64, radius: f64, centre: Point3<f64>) -> f64 {
        let Jet {
            point,
            first,
            second,
        } = self.a.curve.jet(s);
        let apart = centre.coords - point;
        let (d, speed) = (apart.norm(), first.norm());
        let t = first / speed;
        let turn = (second - t * second.dot(&t)).dot(&apart) / (d * speed * speed);
        // A ball larger than the bend rests on its edges, not here.
        let tight = (1.0 - d * turn).max(radius / (radius + d));
        let along = self.solid.velocity_at(&centre).dot(&t);
        -along * along * turn / tight
    }

    /// Any other solid.
    fn surface(&self, found: &mut Vec<Found>) {
        let a = self.a;
        // Nothing of the piece is further from its middle than half its length.
        if self.at(0.5).distance - 0.5 * a.curve.length_bound() > self.reach {
            return;
        }
        let (first, last) = (self.at(0.0), self.at(1.0));
        for (k, t) in marks(a).enumerate() {
            let near = if k == 0 { first } else { self.at(t) };
            let free = k == 0 && a.element == 0 && a.ring == 0;
            let runs_along = self.slope(t, &near).abs() < ALONG;
            if near.distance < self.reach && (free || runs_along) {
                let mut mark = self.contact(t, &near, mark_slot(ContactKey::MARK, k));
                if free {
                    mark.rank = Rank::Closest;
                }
                found.push(mark);
            }
        }
        if a.last && last.distance < self.reach {
            found.push(self.contact(1.0, &last, ContactKey::FREE_END));
        }
        // On a flat surface all are as near, up to rounding.
        let farther = first.distance.max(last.distance) - FLAT * a.radius_m;
        let turn = a.curve.second_bound(0.0, 1.0) / a.length_m;
        let looks = ((PER_RADIAN * turn) as usize + 2).min(MOST_LOOKS);
        let mut before = (0.0, self.slope(0.0, &first));
        for k in 1..=looks {
            let t = k as f64 / looks as f64;
            let after = (t, self.slope(t, &self.at(t)));
            if before.1 < 0.0 && after.1 > 0.0 {
                let t = turning_point(before, after, |t| self.slope(t, &self.at(t)));
                let near = self.at(t);
                if near.distance < farther.min(self.reach) {
                    let slot = ContactKey::CLOSEST + ContactKey::SLOTS * (k as u32 - 1);
                    found.push(self.contact(t, &near, slot));
                }
            }
            before = after;
        }
    }

    /// Distance of the centreline from the solid, in the world.
    fn at(&self, t: f64) -> SurfaceDistance {
        let pose = &self.solid.world_from_body;
        let local = pose.inverse_transform_point(&self.a.curve.point(t));
        let near = to_surface(&self.solid.shape, &local);
        SurfaceDistance {
            distance: near.distance,
            normal: pose * near.normal,
        }
    }

    /// Cosine of the curve with the normal.
    fn slope(&self, t: f64, near: &SurfaceDistance) -> f64 {
        let along = self.a.curve.derivative(t);
        along.dot(&near.normal) / along.norm()
    }

    fn contact(&self, t: f64, near: &SurfaceDistance, slot: u32) -> Found {
        let (a, solid) = (self.a, self.solid);
        let jet = a.curve.jet(t);
        let normal = near.normal;
        let offset = -normal * a.radius_m;
        let place = SurfacePlace {
            centre: jet.point.into(),
            along: jet.first,
            offset,
            sections: a.sections,
        };
        let point = Point3::from(jet.point - normal * near.distance);
        let contact = Contact {
            key: ContactKey {
                body: a.body,
                partner: ContactKey::SOLIDS + solid.solid,
                feature: a.element,
                partner_feature: 0,
                slot,
            },
            a: Side::Strand(StrandSide {
                body: a.body,
                place: a.place(t),
                offset,
            }),
            b: Side::Solid(SolidSide {
                solid: solid.solid,
                point,
                velocity: solid.takes_along(&place, self.dt_s),
            }),
            point,
            basis: basis(&normal, &jet.first),
            gap: near.distance - a.radius_m,
            radius_m: a.radius_m,
            bend_m_s2: 0.0,
        };
        Found {
            contact,
            rank: match slot % ContactKey::SLOTS {
                ContactKey::MARK => Rank::Mark,
                _ => Rank::Closest,
            },
            along: [along(a, t), 0.0],
            width: 2.0 * a.radius_m,
            spacing: mark_spacing(a),
        }
    }
}

/// Where a function that rises from below zero to above is zero: false position, the stale end weighing half.
fn turning_point(
    (mut low, mut f): (f64, f64),
    (mut high, mut g): (f64, f64),
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
