//! Detection along smooth curves \[Crespel24, sec. 5\]: a contact lies where two curves are closest, and slides along them
//! without the jumps that the corners of straight pieces cause.
//!
//! | file | idea |
//! |---|---|
//! | `between` | two pieces of curves |
//! | `solids` | a piece of a curve and a solid |
//! | `thin` | one contact where several were found |

mod between;
mod solids;
#[cfg(test)]
mod tests;
mod thin;

use rayon::prelude::*;

use super::neighbours::are_neighbours;
use super::{Contact, ContactKey, Detector, MARGIN_OVER_RADIUS};
use crate::geometry::broad::BroadPhase;
use crate::geometry::curve::Search;
use crate::geometry::{Aabb, CurveProxy, ProxySet, SolidProxy};

/// Closest points are found to this share of the thinner radius.
const TOLERANCE: f64 = 1e-6;
/// Parameters this near to 0 or 1 are the end of a piece.
const END: f64 = 1e-9;
/// Cosine of the way to the other surface with the curve below which a joint counts as a closest point.
const ACROSS: f64 = 1e-6;
/// Cosine of a curve with a surface's normal below which it runs along the surface: there every start of a piece may have a
/// contact.
const ALONG: f64 = 0.5;
/// A closest point counts unless the marks on both sides of it are as near, to this share of the radius: along a strand that
/// lies against something it may be anywhere, and would be elsewhere in every step; the marks stay where they are.
const FLAT: f64 = 1e-3;
/// Radii from mark to mark along a piece …
const MARK_SPACING: f64 = 1.8;
/// … unless there would be more than this. Then it is as slender as of hair, bends too little between its contacts to need
/// them, and has one at its start: with four each, a wisp had four times the contacts and ten times the work.
const MOST_MARKS: usize = 4;
/// Pairs that one task looks at.
const TASK: usize = 128;

/// What a contact was found at; the first speak for the others near them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Closest,
    Mark,
    PartnerMark,
}

/// A contact with what decides whether it stays.
#[derive(Clone, Copy, Debug)]
struct Found {
    contact: Contact,
    rank: Rank,
    /// Arc lengths on both strands, m; 0 on a solid.
    along: [f64; 2],
    /// Lengths of both strands where they are closed, m; 0 where not.
    round: [f64; 2],
    /// Thickness of both together, m.
    width: f64,
    /// From mark to mark, m.
    spacing: f64,
}

/// What one task works with.
#[derive(Clone, Debug, Default)]
struct Lane {
    search: Search,
    found: Vec<Found>,
    dips: solids::Dips,
}

/// The detector with its memory.
#[derive(Clone, Debug, Default)]
pub struct SmoothDetector {
    pub(super) broad: BroadPhase,
    boxes: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
    lanes: Vec<Lane>,
    found: Vec<Found>,
    thinner: thin::Thinner,
}

impl Detector for SmoothDetector {
    fn detect(
        &mut self,
        proxies: &ProxySet,
        dt_s: f64,
        self_contact: bool,
        out: &mut Vec<Contact>,
    ) {
        let curves = proxies.curves.as_slice();
        let boxes = curves.par_iter().with_min_len(TASK);
        boxes
            .map(|curve| swept_box(curve, dt_s))
            .collect_into_vec(&mut self.boxes);
        self.pairs.clear();
        let neighbours =
            |a: &CurveProxy, b: &CurveProxy| are_neighbours(&a.along, &b.along, a.radius_m);
        let wanted = |i: u32, j: u32| {
            let (a, b) = (&curves[i as usize], &curves[j as usize]);
            let moves = !proxies.is_fixed(a.body) || !proxies.is_fixed(b.body);
            moves && (a.body != b.body || (self_contact && !neighbours(a, b)))
        };
        let strand = |k: usize| curves[k].body;
        self.broad
            .pairs(&self.boxes, strand, wanted, &mut self.pairs);
        self.found.clear();
        self.in_lanes(|pairs, lane| {
            for &(i, j) in pairs {
                let (a, b) = (&curves[i as usize], &curves[j as usize]);
                between::find(a, b, dt_s, &mut lane.search, &mut lane.found);
            }
        });
        if !proxies.solids.is_empty() {
            self.pairs.clear();
            self.pairs.extend((0..curves.len() as u32).map(|k| (k, k)));
            self.in_lanes(|pairs, lane| {
                for &(k, _) in pairs {
                    let curve = &curves[k as usize];
                    let fixed = proxies.is_fixed(curve.body);
                    let moving = |s: &&SolidProxy| !fixed || proxies.is_free(s.solid);
                    for solid in proxies.solids.iter().filter(moving) {
                        solids::find(curve, solid, fixed, dt_s, lane);
                    }
                }
            });
        }
        self.found.sort_unstable_by_key(|found| found.contact.key);
        out.clear();
        self.thinner.thin(&self.found, out);
    }
}

impl SmoothDetector {
    /// Deals the pairs to tasks and appends what they find, in the order of the pairs.
    fn in_lanes(&mut self, look: impl Fn(&[(u32, u32)], &mut Lane) + Sync) {
        let tasks = self.pairs.len().div_ceil(TASK);
        self.lanes
            .resize_with(tasks.max(self.lanes.len()), Lane::default);
        let look = |(pairs, lane): (&[(u32, u32)], &mut Lane)| {
            lane.found.clear();
            look(pairs, lane);
        };
        match tasks {
            0 => (),
            1 => look((&self.pairs, &mut self.lanes[0])),
            _ => (self.pairs.par_chunks(TASK).zip(&mut self.lanes)).for_each(look),
        }
        for lane in &self.lanes[..tasks] {
            self.found.extend_from_slice(&lane.found);
        }
    }
}

/// What a piece may touch within the step.
fn swept_box(proxy: &CurveProxy, dt_s: f64) -> Aabb {
    let bounds = proxy.curve.bounds();
    let way = proxy.velocity * dt_s;
    let moved = Aabb {
        low: bounds.low + way,
        high: bounds.high + way,
    };
    let margin = proxy.radius_m * (1.0 + MARGIN_OVER_RADIUS) + proxy.spread_m_s * dt_s;
    bounds.union(&moved).grown(margin)
}

/// Whether a closest point at parameter `t` belongs to this piece. At a joint of two pieces the same point is found from
/// both: it belongs to the piece after it, and only if it is closest on the whole curve there: `slope`, the cosine of the
/// curve with the way to it, is then nil.
fn owns(proxy: &CurveProxy, t: f64, slope: f64) -> bool {
    if t >= 1.0 - END {
        proxy.last
    } else if t <= END && (proxy.element > 0 || proxy.ring > 0) {
        slope <= ACROSS
    } else {
        true
    }
}

/// Places along a piece where it may touch what it runs along: its start, and more in between if it is long.
fn marks(proxy: &CurveProxy) -> impl Iterator<Item = f64> + use<> {
    let count = mark_count(proxy);
    (0..count).map(move |k| k as f64 / count as f64)
}

/// The slot of the k-th mark.
fn mark_slot(kind: u32, k: usize) -> u32 {
    kind + ContactKey::SLOTS * k as u32
}

fn mark_count(proxy: &CurveProxy) -> usize {
    let count = (proxy.length_m / (MARK_SPACING * proxy.radius_m)).round() as usize;
    if count > MOST_MARKS { 1 } else { count.max(1) }
}

/// Whether marks are as near as a closest point at parameter `s` is: both that it lies between. `marks` are the distances
/// of all, from the start of the piece to its end, where they are within reach.
fn is_flat(s: f64, distance: f64, marks: &[Option<f64>], radius_m: f64) -> bool {
    let count = marks.len() - 1;
    let before = ((s * count as f64) as usize).min(count - 1);
    marks[before..before + 2]
        .iter()
        .all(|mark| mark.is_some_and(|mark| mark - distance < FLAT * radius_m))
}

/// From mark to mark, m.
fn mark_spacing(proxy: &CurveProxy) -> f64 {
    proxy.length_m / mark_count(proxy) as f64
}
