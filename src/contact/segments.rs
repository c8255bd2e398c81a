//! Detection with straight pieces: one contact per pair of pieces that come close, at their closest points.
//!
//! A closest point at the far end of a piece belongs to the next piece, which has it at its near end, so a joint is
//! counted once.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::neighbours::are_neighbours;
use super::{
    Contact, ContactKey, Detector, MARGIN_OVER_RADIUS, Side, StrandSide, against_solids, basis,
};
use crate::geometry::broad::BroadPhase;
use crate::geometry::segment::{closest_parameters, point_at};
use crate::geometry::{Aabb, ProxySet, SegmentProxy};

/// Pieces, or pairs of them, that one task looks at.
const TASK: usize = 512;

/// The detector with its memory.
#[derive(Clone, Debug, Default)]
pub struct SegmentDetector {
    pub(super) broad: BroadPhase,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
    /// Contacts, task by task.
    lanes: Vec<Vec<Contact>>,
}

impl Detector for SegmentDetector {
    fn detect(
        &mut self,
        proxies: &ProxySet,
        dt_s: f64,
        self_contact: bool,
        out: &mut Vec<Contact>,
    ) {
        out.clear();
        let boxes = proxies.segments.par_iter().with_min_len(TASK);
        boxes
            .map(|segment| swept_box(segment, dt_s))
            .collect_into_vec(&mut self.boxes);
        self.pairs.clear();
        let segments = proxies.segments.as_slice();
        let strand = |k: usize| segments[k].body;
        let wanted = |i: u32, j: u32| {
            let (a, b) = (&segments[i as usize], &segments[j as usize]);
            let moves = !proxies.is_fixed(a.body) || !proxies.is_fixed(b.body);
            moves
                && (a.body != b.body
                    || (self_contact && !are_neighbours(&a.along, &b.along, a.radius_m)))
        };
        self.broad
            .pairs(&self.boxes, strand, wanted, &mut self.pairs);
        let tasks = self.pairs.len().div_ceil(TASK);
        self.lanes
            .resize_with(tasks.max(self.lanes.len()), Vec::new);
        let lanes = self.pairs.par_chunks(TASK).zip(&mut self.lanes);
        lanes.for_each(|(pairs, lane)| {
            lane.clear();
            for &(i, j) in pairs {
                let (a, b) = (&segments[i as usize], &segments[j as usize]);
                lane.extend(between(a, b, dt_s));
            }
        });
        for lane in &self.lanes[..tasks] {
            out.extend_from_slice(lane);
        }
        against_solids::detect(proxies, dt_s, &mut self.lanes, out);
        out.sort_unstable_by_key(|contact| contact.key);
    }
}

fn swept_box(segment: &SegmentProxy, dt_s: f64) -> Aabb {
    let [a, b] = segment.ends;
    let moved = [
        a + segment.velocities[0] * dt_s,
        b + segment.velocities[1] * dt_s,
    ];
    Aabb::around([a, b].iter().chain(&moved)).grown(segment.radius_m * (1.0 + MARGIN_OVER_RADIUS))
}

fn between(a: &SegmentProxy, b: &SegmentProxy, dt_s: f64) -> Option<Contact> {
    let (s, t) = closest_parameters(&a.ends, &b.ends);
    if (s == 1.0 && !a.last) || (t == 1.0 && !b.last) {
        return None;
    }
    let (p, q) = (point_at(&a.ends, s), point_at(&b.ends, t));
    let apart = p - q;
    let distance = apart.norm();
    let gap = distance - a.radius_m - b.radius_m;
    let radius_m = a.radius_m.min(b.radius_m);
    if gap > MARGIN_OVER_RADIUS * radius_m + dt_s * relative_speed(a, b) {
        return None;
    }
    let along = a.ends[1] - a.ends[0];
    // Centrelines that meet exactly: across both is the only direction left.
    let normal = apart
        .try_normalize(0.0)
        .or_else(|| along.cross(&(b.ends[1] - b.ends[0])).try_normalize(0.0))?;
    let side = |segment: &SegmentProxy, fraction, offset| {
        Side::Strand(StrandSide {
            body: segment.body,
            place: segment.place(fraction),
            offset,
        })
    };
    Some(Contact {
        key: ContactKey {
            body: a.body,
            partner: b.body,
            feature: a.element,
            partner_feature: b.element,
            slot: ContactKey::CLOSEST,
        },
        a: side(a, s, -normal * a.radius_m),
        b: side(b, t, normal * b.radius_m),
        point: q + normal * (b.radius_m + 0.5 * gap),
        basis: basis(&normal, &along),
        gap,
        radius_m,
        bend_m_s2: 0.0,
    })
}

/// The largest speed at which an end of one moves against an end of the other, m/s.
fn relative_speed(a: &SegmentProxy, b: &SegmentProxy) -> f64 {
    let mut fastest = 0.0_f64;
    for va in &a.velocities {
        for vb in &b.velocities {
            fastest = fastest.max((va - vb as &Vector3<f64>).norm_squared());
        }
    }
    fastest.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Along, Sections};
    use nalgebra::Point3;

    fn strand(body: u32, nodes: &[[f64; 3]], radius_m: f64) -> Vec<SegmentProxy> {
        let last = nodes.len() - 2;
        let length = |p: &[[f64; 3]]| (Vector3::from(p[1]) - Vector3::from(p[0])).norm();
        let arc = |k: usize| nodes[..=k].windows(2).map(length).sum::<f64>();
        nodes
            .windows(2)
            .enumerate()
            .map(|(k, p)| SegmentProxy {
                body,
                element: k as u32,
                last: k == last,
                span: [k as f64, k as f64 + 1.0],
                along: Along {
                    from_m: arc(k),
                    to_m: arc(k + 1),
                    round_m: 0.0,
                },
                ends: [Point3::from(p[0]), Point3::from(p[1])],
                velocities: [Vector3::zeros(); 2],
                radius_m,
                sections: Sections::Edges,
            })
            .collect()
    }

    fn detect(segments: Vec<SegmentProxy>, dt: f64) -> Vec<Contact> {
        let mut out = Vec::new();
        let proxies = ProxySet {
            segments,
            ..ProxySet::default()
        };
        SegmentDetector::default().detect(&proxies, dt, true, &mut out);
        out
    }

    #[test]
    fn crossed_strands_touch_once_even_at_a_joint() {
        // The upper strand crosses exactly over a node of the lower one.
        let mut all = strand(
            0,
            &[
                [-2.0, 0.0, 0.0],
                [-1.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
            ],
            0.1,
        );
        all.extend(strand(
            1,
            &[[0.0, 0.19, -1.0], [0.0, 0.19, 0.0], [0.0, 0.19, 1.0]],
            0.1,
        ));
        let found = detect(all, 1e-3);
        assert_eq!(found.len(), 1);
        assert!((found[0].gap + 0.01).abs() < 1e-12);
        assert!(
            (found[0].basis.column(0) + Vector3::y()).norm() < 1e-12,
            "from the second to the first"
        );
    }

    #[test]
    fn a_bent_strand_does_not_touch_its_own_neighbours_but_its_far_side() {
        // A hairpin: two long legs 1.9 radii apart, joined by a short end.
        let legs = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 0.19, 0.0],
            [1.0, 0.19, 0.0],
            [0.0, 0.19, 0.0],
        ];
        let found = detect(strand(0, &legs, 0.1), 1e-3);
        assert!(!found.is_empty());
        assert!(
            found
                .iter()
                .all(|c| c.key.feature.abs_diff(c.key.partner_feature) > 1)
        );
    }

    #[test]
    fn fast_strands_are_seen_before_they_meet() {
        let mut all = strand(0, &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 0.01);
        let mut bullet = strand(1, &[[0.0, 0.5, -1.0], [0.0, 0.5, 1.0]], 0.01);
        bullet[0].velocities = [Vector3::new(0.0, -1000.0, 0.0); 2];
        all.extend(bullet);
        assert_eq!(detect(all.clone(), 1e-3).len(), 1);
        assert_eq!(detect(all, 1e-4).len(), 0);
    }
}
