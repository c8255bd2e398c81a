//! What contact detection sees of a world: straight or smooth pieces of its strands, and its solids.

use nalgebra::{Point3, Vector3};

use super::World;
use crate::body::Body;
use crate::contact::DetectorKind;
use crate::geometry::{Along, CurveProxy, Place, SegmentProxy, Site, SolidProxy};

/// A smooth piece turns by no more than this, rad, or is cut into parts. Half-way around a needle it would touch it on both
/// sides: a helix that did, and had its one contact on the one, froze with the needle half a radius deep in the other. And
/// two neighbours together turn by less than π, so that they meet each other nowhere but at their joint.
const MOST_TURN: f64 = 1.5;
/// Parts of a piece, at most: eight times around.
const MOST_PARTS: usize = 25;

impl World {
    /// What can touch within `dt`, with the velocities foreseen.
    pub(super) fn collect_proxies(&mut self, dt: f64) {
        let Self {
            bodies,
            labels,
            proxies,
            settings,
            ..
        } = self;
        proxies.segments.clear();
        proxies.curves.clear();
        for (index, (body, label)) in bodies.iter().zip(labels.iter()).enumerate() {
            let (body, index) = (body.as_ref(), index as u32);
            match settings.detector {
                DetectorKind::Segments => {
                    segments(body, index, label.proxies, &mut proxies.segments);
                }
                DetectorKind::Smooth => curves(body, index, label.proxies, &mut proxies.curves),
            }
        }
        self.proxies.solids.clear();
        for (index, solid) in self.solids.iter().enumerate() {
            let now = solid.pose(self.time_s);
            let mut proxy = SolidProxy {
                solid: index as u32,
                shape: solid.shape.clone(),
                world_from_body: now,
                linear_m_s: Vector3::zeros(),
                angular_rad_s: Vector3::zeros(),
            };
            proxy.go_to(&solid.pose_after(self.time_s, dt), dt);
            self.proxies.solids.push(proxy);
        }
        self.taking_s = dt;
    }

    /// Scripted solids go to where they are after `dt`, free ones to where their trials are by then.
    pub(super) fn foresee_scripts(&mut self, dt: f64) {
        for (proxy, solid) in self.proxies.solids.iter_mut().zip(&self.solids) {
            if solid.free.is_none() {
                proxy.go_to(&solid.pose_after(self.time_s, dt), dt);
            }
        }
        self.taking_s = dt;
        self.foresee_solids();
    }

    /// Free solids go to where their trials are.
    pub(super) fn foresee_solids(&mut self) {
        let dt = self.taking_s;
        for (proxy, solid) in self.proxies.solids.iter_mut().zip(&self.solids) {
            if let Some(free) = &solid.free {
                proxy.go_to(&free.trial_pose(), dt);
            }
        }
    }
}

/// Where chord `k` of `count` at equal shares of a strand of `pieces` pieces begins: the piece, and the share of it.
fn chord_start(k: usize, count: usize, pieces: usize) -> (usize, f64) {
    let along = k as f64 * (pieces as f64 / count as f64);
    let piece = (along as usize).min(pieces - 1);
    (piece, along - piece as f64)
}

/// Where chord `k` of so many begins.
fn chord_place(k: usize, count: usize, pieces: usize) -> Place {
    let (element, fraction) = chord_start(k, count, pieces);
    Place::Piece(Site { element, fraction })
}

/// Length of a closed strand at rest; 0 of an open one, m.
fn round_m(body: &dyn Body) -> f64 {
    let pieces = body.nodes().len() - 1;
    match body.closed() {
        true => body.arc_at_rest(chord_place(pieces, pieces, pieces)),
        false => 0.0,
    }
}

/// The ends of the straight pieces that contacts are found on: nodes, or those of `count` chords.
pub(super) fn chord_ends(nodes: &[Point3<f64>], count: usize, out: &mut Vec<Point3<f64>>) {
    out.clear();
    out.extend((0..=count).map(|k| {
        let (piece, share) = chord_start(k, count, nodes.len() - 1);
        nodes[piece] + (nodes[piece + 1] - nodes[piece]) * share
    }));
}

/// Straight pieces: one between every two nodes, or `count` chords at equal shares of the strand.
fn segments(body: &dyn Body, index: u32, count: Option<usize>, out: &mut Vec<SegmentProxy>) {
    let nodes = body.nodes();
    let pieces = nodes.len() - 1;
    let count = count.unwrap_or(pieces);
    let round_m = round_m(body);
    let at = |k: usize| -> (f64, f64, Point3<f64>, Vector3<f64>) {
        let (node, share) = chord_start(k, count, pieces);
        let [v, w] = [node, node + 1].map(|k| body.foreseen_velocity(k));
        let point = nodes[node] + (nodes[node + 1] - nodes[node]) * share;
        let arc = body.arc_at_rest(chord_place(k, count, pieces));
        (node as f64 + share, arc, point, v.lerp(&w, share))
    };
    // Of what does not stretch, chords are shorter where it bends: pieces with a tight bend between them are neighbours.
    let bends_only = body.helix(0).is_some();
    let mut bent_m = 0.0;
    let mut start = at(0);
    out.extend((0..count).map(|k| {
        let mut end = at(k + 1);
        if bends_only {
            bent_m += (end.2 - start.2).norm();
            end.1 = bent_m;
        }
        let begin = std::mem::replace(&mut start, end);
        SegmentProxy {
            body: index,
            element: k as u32,
            last: k + 1 == count && !body.closed(),
            span: [begin.0, end.0],
            along: Along {
                from_m: begin.1,
                to_m: end.1,
                round_m,
            },
            ends: [begin.2, end.2],
            velocities: [begin.3, end.3],
            radius_m: body.section().radius_m,
            sections: body.sections(),
        }
    }));
}

/// Smooth pieces: those of the body, or each divided evenly until there are about `count`.
fn curves(body: &dyn Body, index: u32, count: Option<usize>, out: &mut Vec<CurveProxy>) {
    let pieces = body.curves();
    let parts = count.map_or(1, |count| count.div_ceil(pieces));
    let parts = parts.max(parts_by_turn(body));
    let total = (pieces * parts) as u32;
    let first = out.len();
    let rest_round_m = round_m(body);
    let mut start_m = 0.0;
    for piece in 0..pieces {
        let (curve, length_m) = body.curve(piece);
        let (velocity, spread_m_s) = velocities(body, piece);
        let part_m = length_m / parts as f64;
        let arc = |fraction: f64| {
            body.arc_at_rest(Place::Curve(Site {
                element: piece,
                fraction,
            }))
        };
        out.extend((0..parts).map(|part| {
            let element = (piece * parts + part) as u32;
            let span = [part, part + 1].map(|k| k as f64 / parts as f64);
            CurveProxy {
                body: index,
                element,
                last: element + 1 == total && !body.closed(),
                ring: if body.closed() { total } else { 0 },
                piece: piece as u32,
                span,
                curve: if parts == 1 { curve } else { curve.part(span) },
                length_m: part_m,
                start_m: start_m + part_m * part as f64,
                round_m: 0.0,
                along: Along {
                    from_m: arc(span[0]),
                    to_m: arc(span[1]),
                    round_m: rest_round_m,
                },
                velocity,
                spread_m_s,
                radius_m: body.section().radius_m,
                sections: body.sections(),
            }
        }));
        start_m += length_m;
    }
    if body.closed() {
        out[first..]
            .iter_mut()
            .for_each(|proxy| proxy.round_m = start_m);
    }
}

/// Into how many parts smooth pieces must be cut so that none goes around a thing: it has one closest point with it, and
/// would be without a contact on its far side.
fn parts_by_turn(body: &dyn Body) -> usize {
    let turns = (0..body.curves()).map(|piece| body.curve(piece).0.turn_bound());
    let sharpest = turns.fold(0.0, f64::max);
    // Not-a-number is one part.
    ((sharpest / MOST_TURN).ceil() as usize).clamp(1, MOST_PARTS)
}

/// Middle of the velocities foreseen of the nodes about a smooth piece, and how far they are from it.
fn velocities(body: &dyn Body, piece: usize) -> (Vector3<f64>, f64) {
    let nodes = body.curve_nodes(piece);
    let mut low = Vector3::repeat(f64::INFINITY);
    let mut high = -low;
    for node in nodes {
        let v = body.foreseen_velocity(node);
        (low, high) = (low.inf(&v), high.sup(&v));
    }
    ((low + high) * 0.5, (high - low).norm() * 0.5)
}
