//! Where a curve dips towards a mesh.
//!
//! A mesh may have any ridges, so that no looking here and there finds them all. The curve is cut into chords, which it
//! leaves by no more than k w²/8 over a width w in t [Crespel24, eq. 3]; triangles that come nearer to a chord than the
//! limit and that tell where the curve is looked at. Of these places the ones that are nearer than those beside them are
//! moved along the curve itself to where it turns away, so that contacts slide as smoothly as the curve is.

use nalgebra::Point3;

use super::super::END;
use super::dips::turning_point;
use super::{Dips, Look, Pair, SPACING};
use crate::geometry::TriangleMesh;

/// Chords leave the curve by no more than this share of the radius …
const SAG: f64 = 0.01;
/// … but are not halved more often than this.
const DEEPEST: u32 = 10;
/// Ridges count that are farther from a chord than the nearest by this share of the radius: what is farther still may become
/// the nearest first.
const LEVEL: f64 = 0.02;
/// Places at which a chord that goes through the surface is looked at for where it is deepest.
const PROBES: u32 = 15;
/// Halvings at most until a dip is between two places where the distance falls and rises.
const HALVINGS: usize = 40;

impl Pair<'_> {
    /// Appends the dips between two points that are nearer to the mesh than `limit`.
    pub(super) fn dips_on_mesh(
        &self,
        mesh: &TriangleMesh,
        ends: [Look; 2],
        limit: f64,
        out: &mut Dips,
    ) {
        // A piece of which an end is inside has a negative limit: that end pushes it out.
        if limit <= 0.0 {
            return;
        }
        let Dips { found, looks } = out;
        looks.clear();
        looks.push(ends[0]);
        let bend = self.a.curve.second_bound(ends[0].t, ends[1].t);
        let chord = Chord {
            span: ends.map(|end| end.t),
            ends: ends.map(|end| self.local_at(end.t)),
        };
        self.look_along(mesh, chord, bend, limit, DEEPEST, looks);
        if looks.len() == 1 {
            return;
        }
        looks.push(ends[1]);
        looks.sort_unstable_by(|p, q| p.t.total_cmp(&q.t));
        looks.dedup_by(|p, q| p.t == q.t);
        for k in 0..looks.len() {
            let here = looks[k];
            let before = looks[k.saturating_sub(1)];
            let after = looks[(k + 1).min(looks.len() - 1)];
            let nearer = |other: &Look| here.near.distance <= other.near.distance;
            if nearer(&before) && nearer(&after) {
                let dip = self.bottom([before, here, after]);
                let inside = dip.t > END && dip.t < 1.0 - END;
                found.extend((inside && dip.near.distance < limit).then_some(dip));
            }
        }
    }

    /// Looks at the curve along a chord wherever it may have a dip nearer than `limit`.
    fn look_along(
        &self,
        mesh: &TriangleMesh,
        chord: Chord,
        bend: f64,
        limit: f64,
        halvings: u32,
        looks: &mut Vec<Look>,
    ) {
        let radius = self.a.radius_m;
        let width = chord.span[1] - chord.span[0];
        let sag = 0.125 * bend * width * width;
        if sag > SAG * radius && halvings > 0 {
            if mesh.is_within(&chord.ends, limit + sag) {
                for half in chord.halves(|t| self.local_at(t)) {
                    self.look_along(mesh, half, bend, limit, halvings - 1, looks);
                }
            }
            return;
        }
        let Some(closest) = mesh.closest_to_segment(&chord.ends, limit + sag) else {
            return;
        };
        let mut look = |share: f64| looks.push(self.look(chord.at(share)));
        look(0.0);
        look(1.0);
        if closest.distance <= 0.0 {
            // A ridge stands through it. Where it is deepest tells the way out; where it enters does not.
            (1..=PROBES).for_each(|k| look(f64::from(k) / f64::from(PROBES + 1)));
            return;
        }
        look(closest.fraction);
        let level = closest.distance + LEVEL * radius + 2.0 * sag;
        let spacing = SPACING * radius / (chord.ends[1] - chord.ends[0]).norm();
        let level = level.min(limit + sag);
        for share in mesh.places_along(&chord.ends, level, spacing).fractions() {
            // What is nearer to the closest is the same place.
            if (share - closest.fraction).abs() >= spacing {
                look(share);
            }
        }
    }

    /// The dip about a place that is no farther from the surface than those before and after it.
    fn bottom(&self, [mut before, mut here, mut after]: [Look; 3]) -> Look {
        for _ in 0..HALVINGS {
            let aside = if here.slope > 0.0 { before } else { after };
            let span = if here.slope > 0.0 {
                [aside, here]
            } else {
                [here, aside]
            };
            if here.slope == 0.0 || span[1].t - span[0].t < END {
                return here;
            }
            if span[0].slope < 0.0 && span[1].slope > 0.0 {
                let dip = self.look(turning_point(&span[0], &span[1], |t| self.look(t).slope));
                // Beyond a valley there may be another dip, less deep.
                if dip.near.distance <= here.near.distance {
                    return dip;
                }
            }
            let middle = self.look(0.5 * (span[0].t + span[1].t));
            match (middle.near.distance < here.near.distance, here.slope > 0.0) {
                (true, true) => (after, here) = (here, middle),
                (true, false) => (before, here) = (here, middle),
                (false, true) => before = middle,
                (false, false) => after = middle,
            }
        }
        here
    }
}

/// The straight line between two points of a curve.
#[derive(Clone, Copy)]
struct Chord {
    /// Parameters of its ends.
    span: [f64; 2],
    /// Its ends in the mesh's frame, m.
    ends: [Point3<f64>; 2],
}

impl Chord {
    /// The parameter at a share of its length.
    fn at(&self, share: f64) -> f64 {
        self.span[0] + (self.span[1] - self.span[0]) * share
    }

    fn halves(&self, point: impl Fn(f64) -> Point3<f64>) -> [Self; 2] {
        let t = self.at(0.5);
        let middle = point(t);
        [
            Self {
                span: [self.span[0], t],
                ends: [self.ends[0], middle],
            },
            Self {
                span: [t, self.span[1]],
                ends: [middle, self.ends[1]],
            },
        ]
    }
}
