//! Crossings saved by laying a stretch anew. A stretch of the strand that is over everything it crosses can be lifted off
//! and put down again wherever its two ends allow; so can one that is under everything. The shortest way between the ends
//! crosses the fewest edges of what is left, and is found from face to face of the diagram.
//!
//! ```text
//!      ──│──│──                       the stretch leaves the crossing it comes from, passes through faces, and enters
//!     ╱  │  │  ╲         ────────     the crossing it goes to; an edge between two faces costs one crossing, an edge of
//!    ─   │  │   ─   →    │  │         the old stretch none
//! ```
//!
//! Moves of all three kinds of \[Reidemeister27\] are special cases.

use std::collections::VecDeque;

use super::diagram::{Diagram, Visit};

const NONE: u32 = u32::MAX;

/// Lays stretches anew. A dart is an edge with a direction: edge e, from visit e to visit e + 1, is dart 2e, and backwards
/// dart 2e + 1. A face lies to the left of its darts.
#[derive(Clone, Debug, Default)]
pub(super) struct Rerouter {
    /// The dart after each around its face, and the face.
    next: Vec<u32>,
    face: Vec<u32>,
    /// One dart of each face.
    some_dart: Vec<u32>,
    /// Of each face: fewest crossings to get there, and the dart last crossed.
    distance: Vec<u32>,
    through: Vec<u32>,
    queue: VecDeque<u32>,
    /// Darts crossed by the new way, in order.
    way: Vec<u32>,
    /// Which crossing of the new way is on each edge.
    laid: Vec<u32>,
    fresh: Diagram,
    places: Vec<[u32; 2]>,
}

/// Visits `first`, `first` + 1, …, so many, all over or all under.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: usize,
    count: usize,
    over: bool,
}

impl Rerouter {
    /// Lays stretches anew until none gets shorter, or `work` reaches `most`.
    pub fn reroute(&mut self, diagram: &mut Diagram, work: &mut u64, most: u64) {
        while diagram.crossings() > 2 && *work < most && self.improve(diagram, work) {}
    }

    /// Makes the first stretch shorter that can be.
    fn improve(&mut self, diagram: &mut Diagram, work: &mut u64) -> bool {
        self.find_faces(diagram);
        *work += diagram.visits.len() as u64;
        let visits = &diagram.visits;
        let count = visits.len();
        let begins = |i: usize| visits[i].over != visits[(i + count - 1) % count].over;
        for first in (0..count).filter(|&i| begins(i)) {
            let over = visits[first].over;
            let run = (1..count).take_while(|k| visits[(first + k) % count].over == over);
            let stretch = Stretch {
                first,
                count: 1 + run.count(),
                over,
            };
            if self.find_way(&stretch, count, work) {
                self.lay(&stretch, diagram);
                return true;
            }
        }
        false
    }

    fn find_faces(&mut self, diagram: &Diagram) {
        let count = diagram.visits.len();
        self.places.clear();
        self.places.resize(diagram.crossings(), [0; 2]);
        for (i, visit) in diagram.visits.iter().enumerate() {
            self.places[visit.crossing as usize][usize::from(visit.over)] = i as u32;
        }
        let leave = |visit: usize| 2 * visit as u32;
        let back = |visit: usize| 2 * ((visit + count - 1) % count) as u32 + 1;
        self.next.clear();
        for dart in 0..2 * count {
            let forward = dart % 2 == 0;
            let visit = if forward {
                (dart / 2 + 1) % count
            } else {
                dart / 2
            };
            let Visit { crossing, over } = diagram.visits[visit];
            let [under_at, over_at] = self.places[crossing as usize];
            let other = if over { under_at } else { over_at } as usize;
            // To the left: along the other strand if that crosses from right to left, else against it.
            let to_left = (diagram.signs[crossing as usize] > 0) == over;
            let along = to_left == forward;
            self.next
                .push(if along { leave(other) } else { back(other) });
        }
        self.face.clear();
        self.face.resize(2 * count, NONE);
        self.some_dart.clear();
        for dart in 0..2 * count {
            if self.face[dart] != NONE {
                continue;
            }
            let (number, mut at) = (self.some_dart.len() as u32, dart);
            self.some_dart.push(dart as u32);
            while self.face[at] == NONE {
                self.face[at] = number;
                at = self.next[at] as usize;
            }
        }
    }

    /// Looks for a way with fewer crossings than the stretch has.
    fn find_way(&mut self, stretch: &Stretch, count: usize, work: &mut u64) -> bool {
        let is_stretch = |edge: usize| (edge + count + 1 - stretch.first) % count <= stretch.count;
        let from = (stretch.first + count - 1) % count;
        let to = (stretch.first + stretch.count - 1) % count;
        let goals = [self.face[2 * to], self.face[2 * to + 1]];
        self.distance.clear();
        self.distance.resize(self.some_dart.len(), NONE);
        self.through.resize(self.some_dart.len(), NONE);
        self.queue.clear();
        for face in [self.face[2 * from], self.face[2 * from + 1]] {
            self.distance[face as usize] = 0;
            self.through[face as usize] = NONE;
            self.queue.push_back(face);
        }
        while let Some(face) = self.queue.pop_front() {
            let distance = self.distance[face as usize];
            if distance as usize >= stretch.count {
                return false;
            }
            if goals.contains(&face) {
                self.trace_back(face, is_stretch);
                return true;
            }
            let start = self.some_dart[face as usize];
            let mut dart = start;
            loop {
                *work += 1;
                let beyond = self.face[dart as usize ^ 1];
                let free = is_stretch(dart as usize / 2);
                let there = distance + u32::from(!free);
                if there < self.distance[beyond as usize] {
                    self.distance[beyond as usize] = there;
                    self.through[beyond as usize] = dart;
                    if free {
                        self.queue.push_front(beyond);
                    } else {
                        self.queue.push_back(beyond);
                    }
                }
                dart = self.next[dart as usize];
                if dart == start {
                    break;
                }
            }
        }
        false
    }

    fn trace_back(&mut self, goal: u32, is_stretch: impl Fn(usize) -> bool) {
        self.way.clear();
        let mut face = goal;
        while self.through[face as usize] != NONE {
            let dart = self.through[face as usize];
            if !is_stretch(dart as usize / 2) {
                self.way.push(dart);
            }
            face = self.face[dart as usize];
        }
        self.way.reverse();
    }

    /// Writes the diagram with the stretch along the new way.
    fn lay(&mut self, stretch: &Stretch, diagram: &mut Diagram) {
        let count = diagram.visits.len();
        self.laid.clear();
        self.laid.resize(count, NONE);
        for (k, dart) in self.way.iter().enumerate() {
            self.laid[*dart as usize / 2] = k as u32;
        }
        // Old crossings keep their order, without those of the stretch; the new ones come after.
        let places = &mut self.places;
        places.iter_mut().for_each(|p| *p = [0; 2]);
        for k in 0..stretch.count {
            let lifted = diagram.visits[(stretch.first + k) % count].crossing;
            places[lifted as usize][0] = NONE;
        }
        let fresh = &mut self.fresh;
        fresh.visits.clear();
        fresh.signs.clear();
        for (c, place) in places.iter_mut().enumerate().filter(|(_, p)| p[0] != NONE) {
            place[1] = fresh.signs.len() as u32;
            fresh.signs.push(diagram.signs[c]);
        }
        let kept = fresh.signs.len() as u32;
        for k in 0..count - stretch.count {
            let at = (stretch.first + stretch.count + k) % count;
            let Visit { crossing, over } = diagram.visits[at];
            let [lifted, number] = places[crossing as usize];
            if lifted != NONE {
                let crossing = number;
                fresh.visits.push(Visit { crossing, over });
            }
            if self.laid[at] != NONE {
                fresh.visits.push(Visit {
                    crossing: kept + self.laid[at],
                    over: !stretch.over,
                });
            }
        }
        for (k, dart) in self.way.iter().enumerate() {
            fresh.visits.push(Visit {
                crossing: kept + k as u32,
                over: stretch.over,
            });
            // From the left of the edge to its right: positive if above.
            let from_left = dart % 2 == 0;
            fresh
                .signs
                .push(if from_left == stretch.over { 1 } else { -1 });
        }
        std::mem::swap(diagram, fresh);
    }
}
