//! Contacts between a smooth piece and a solid. Balls and capsules are curves themselves, a point or a segment with a
//! radius; the others have contacts where the curve dips towards them.
//!
//! | file | idea |
//! |---|---|
//! | `dips` | where a curve comes nearest to a convex solid between two of its points |
//! | `mesh` | the same for a mesh |

mod dips;
mod mesh;

use std::cmp::Ordering;

use nalgebra::{Point3, Vector3};

use super::{
    ALONG, FLAT, Found, Lane, MARGIN_OVER_RADIUS, MARK_SPACING, Rank, TOLERANCE, is_flat,
    mark_count, mark_slot, mark_spacing, owns,
};
use crate::contact::ContactKey;
use crate::contact::on_solid::OnStrand;
use crate::geometry::curve::Jet;
use crate::geometry::distance::{SurfaceDistance, to_surface};
use crate::geometry::{Curve, CurveProxy, Shape, SolidProxy};

/// Dips of a piece towards a surface have contacts of their own from this distance on, in radii: lying on the deepest alone,
/// a piece would rock from one to the other for ever.
const SPACING: f64 = 0.5;

/// Sine of the angle with a bar below which a piece lies beside it …
const BESIDE: f64 = 0.5;
/// … and has so many marks at most.
const MOST_BESIDE: usize = 12;
/// A curve comes near once more where it is farther away by this share of the radius in between.
const BETWEEN: f64 = 0.05;

/// A place on a curve, and the surface from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    t: f64,
    near: SurfaceDistance,
    /// How the distance grows with t, m: a′ · n.
    slope: f64,
}

/// Memory for dips.
#[derive(Clone, Debug, Default)]
pub(super) struct Dips {
    found: Vec<Look>,
    /// Places along a curve where a mesh is near.
    looks: Vec<Look>,
}

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
        _ => pair.surface(lane),
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
        let Lane { search, found, .. } = lane;
        let distance_at = |s: f64, t: f64| {
            let apart = a.curve.point(s) - axis.point(t);
            SurfaceDistance {
                distance: apart.norm() - radius,
                normal: apart.try_normalize(0.0).unwrap_or_else(Vector3::y),
            }
        };
        let Some(closest) = search.closest(&a.curve, axis, limit, tolerance) else {
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
        let mut near = [None; MOST_BESIDE + 1];
        let count = self.marks_beside(closest.s, &axis.derivative(closest.t));
        for (k, near) in near[..=count].iter_mut().enumerate() {
            let s = k as f64 / count as f64;
            let mark = Curve::point_at(a.curve.point(s));
            let Some(there) = search.closest(&mark, axis, limit, tolerance) else {
                continue;
            };
            let at = distance_at(s, there.t);
            if self.slope(s, &at).abs() >= ALONG {
                continue;
            }
            *near = Some(there.distance);
            // The last is the next piece's first.
            if k < count {
                let slot = mark_slot(ContactKey::MARK, k);
                found.push(Found {
                    spacing: a.length_m / count as f64,
                    ..self.contact(s, &at, slot)
                });
            }
        }
        let flat = is_flat(closest.s, closest.distance, &near[..=count], a.radius_m);
        if !flat && owns(a, closest.s, self.slope(closest.s, &at)) {
            found.push(self.contact(closest.s, &at, ContactKey::CLOSEST));
        }
        if !a.curve.is_straight() {
            self.other_dips(closest.s, lane);
        }
    }

    /// Marks along the piece that lies at `s` beside something that goes `along`: more than usual where the two run the same
    /// way, or the piece would rock on its closest point.
    fn marks_beside(&self, s: f64, along: &Vector3<f64>) -> usize {
        let a = self.a;
        let own = a.curve.derivative(s);
        let across = own.cross(along).norm() / (own.norm() * along.norm());
        // Not-a-number is what a point gives, which goes no way.
        if across < BESIDE {
            let spaced = a.length_m / (MARK_SPACING * a.radius_m);
            (spaced.round() as usize).clamp(1, MOST_BESIDE)
        } else {
            mark_count(a)
        }
    }

    /// Adds contacts where the curve comes near once more, besides its closest point at `s`, and is farther away in between:
    /// a bar that lies in a bow touches it twice.
    fn other_dips(&self, s: f64, lane: &mut Lane) {
        let Lane { found, dips, .. } = lane;
        let a = self.a;
        dips.found.clear();
        self.dips(&[0.0, 1.0].map(|t| self.look(t)), self.reach, dips);
        let spacing = SPACING * a.radius_m / a.length_m;
        tell_apart(&mut dips.found, spacing);
        for dip in &dips.found {
            let between = self.at(0.5 * (s + dip.t)).distance;
            let once_more = between - dip.near.distance > BETWEEN * a.radius_m;
            if once_more && (dip.t - s).abs() >= spacing {
                found.push(self.contact(dip.t, &dip.near, further_slot(dip.t, spacing)));
            }
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
    fn surface(&self, lane: &mut Lane) {
        let Lane { found, dips, .. } = lane;
        let a = self.a;
        if self.is_clear() {
            return;
        }
        let ends = [0.0, 1.0].map(|t| self.look(t));
        found.extend(self.at_start(&ends[0]));
        found.extend(self.at_end(&ends[1]));
        dips.found.clear();
        self.dips(&ends, self.deeper_than(&ends), dips);
        let spacing = SPACING * a.radius_m / a.length_m;
        tell_apart(&mut dips.found, spacing);
        for (k, dip) in dips.found.iter().enumerate() {
            let slot = match k {
                0 => ContactKey::CLOSEST,
                _ => further_slot(dip.t, spacing),
            };
            found.push(self.contact(dip.t, &dip.near, slot));
        }
    }

    /// Whether nothing of the piece is within reach, as far as is soon known.
    fn is_clear(&self) -> bool {
        match &self.solid.shape {
            Shape::Mesh(mesh) => {
                let hull = self.a.curve.hull();
                let ends = [-1.0, 1.0].map(|side| self.local(&(hull.centre + hull.half * side)));
                mesh.is_clear_of(&ends, self.reach + hull.radius, false)
            }
            // Nothing of the piece is further from its middle than half its length.
            _ => self.at(0.5).distance - 0.5 * self.a.curve.length_bound() > self.reach,
        }
    }

    /// The contact at the start of the piece, where the curve runs along the surface; at that of an open strand however it
    /// runs.
    fn at_start(&self, start: &Look) -> Option<Found> {
        let free = self.a.element == 0 && self.a.ring == 0;
        let wanted = start.near.distance < self.reach && (free || self.runs_along(start));
        wanted.then(|| {
            let found = self.contact(start.t, &start.near, ContactKey::MARK);
            let rank = if free { Rank::Closest } else { found.rank };
            Found { rank, ..found }
        })
    }

    /// The contact at the end of an open strand. The end of any other piece is the start of the next.
    fn at_end(&self, end: &Look) -> Option<Found> {
        let wanted = self.a.last && end.near.distance < self.reach;
        wanted.then(|| self.contact(end.t, &end.near, ContactKey::FREE_END))
    }

    /// Between its ends the piece has contacts of its own where it is nearer than this: if both ends have contacts, nearer than
    /// the farther of them.
    fn deeper_than(&self, ends: &[Look; 2]) -> f64 {
        if !ends.iter().all(|end| self.runs_along(end)) {
            return self.reach;
        }
        let farther = ends[0].near.distance.max(ends[1].near.distance);
        self.reach.min(farther - FLAT * self.a.radius_m)
    }

    fn runs_along(&self, end: &Look) -> bool {
        self.slope(end.t, &end.near).abs() < ALONG
    }

    /// The curve at t, and the surface from there.
    fn look(&self, t: f64) -> Look {
        let near = self.at(t);
        let slope = self.a.curve.derivative(t).dot(&near.normal);
        Look { t, near, slope }
    }

    /// A point in the solid's frame.
    fn local(&self, point: &Vector3<f64>) -> Point3<f64> {
        let pose = &self.solid.world_from_body;
        pose.inverse_transform_point(&Point3::from(*point))
    }

    /// Distance of the centreline from the solid, in the world.
    fn at(&self, t: f64) -> SurfaceDistance {
        let pose = &self.solid.world_from_body;
        let near = to_surface(
            &self.solid.shape,
            &self.local(&self.a.curve.point(t).coords),
        );
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
        let place = OnStrand {
            body: a.body,
            element: a.element,
            place: a.place(t),
            centre: jet.point.into(),
            along: jet.first,
            radius_m: a.radius_m,
            sections: a.sections,
        };
        let contact = place.contact(solid, near, slot, self.dt_s);
        Found {
            contact,
            rank: match slot % ContactKey::SLOTS {
                ContactKey::MARK => Rank::Mark,
                _ => Rank::Closest,
            },
            along: [a.along_m(t), 0.0],
            round: [a.round_m, 0.0],
            width: 2.0 * a.radius_m,
            spacing: mark_spacing(a),
        }
    }
}

/// Leaves the deepest of dips that are closer together than `spacing`, the deepest of all first.
fn tell_apart(dips: &mut Vec<Look>, spacing: f64) {
    let key = |dip: &Look| (dip.near.distance, dip.t);
    dips.sort_unstable_by(|p, q| key(p).partial_cmp(&key(q)).unwrap_or(Ordering::Equal));
    let mut kept = 0;
    for at in 0..dips.len() {
        let dip = dips[at];
        if dips[..kept]
            .iter()
            .all(|other| (other.t - dip.t).abs() >= spacing)
        {
            dips[kept] = dip;
            kept += 1;
        }
    }
    dips.truncate(kept);
}

/// The name of a dip beside the deepest one, by the stretch of the piece that it is on. Dips are `spacing` apart or more, and
/// stretches no longer: no two are on one.
fn further_slot(t: f64, spacing: f64) -> u32 {
    let stretches = (1.0 / spacing).ceil();
    ContactKey::CLOSEST + ContactKey::SLOTS * (1 + (t * stretches) as u32)
}
