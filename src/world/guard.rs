//! Nothing passes through anything: the check of a trial, and what is done when even the smallest piece of a step fails
//! it, or finds no motion.
//!
//! ```text
//!   divide     the step is tried in smaller pieces, down to 1/64                  (in `step`)
//!   stall      scripts that drive the strands in question stand still for the rest of the step, and are late from
//!              then on; where that happened in the step before, it comes before dividing
//!   hold back  these strands go half the way, a quarter, …
//!   go slowly  or else all takes a much shorter step while the time of this one passes
//!   stay       or else the strands in question do not move at all
//! ```
//!
//! With all that is in question at rest nothing moves, so nothing passes; time goes on whatever happens. A strand
//! squeezed between a scripted needle and a table so stops the needle, as it would stop a weak motor.

use std::time::Instant;

use super::hold::Hold;
use super::proxies::chord_ends;
use super::step::{MOST_OFF, lap};
use super::{Fault, World};
use crate::body::{Body, SAG_OVER_RADIUS};
use crate::contact::passing::Other;
use crate::contact::{DetectorKind, Side};
use crate::geometry::Along;

/// Strands go this share of the way, or so many radii if that is less, and again, so many times, before they stay where
/// they are.
const SHARE: f64 = 0.25;
const RADII: f64 = 0.5;
const SHARES: usize = 5;

/// What can move in no other way takes steps so many times shorter than the time that passes. A taut strand about a needle
/// may find no motion in any usual step; where it then stayed as it was, it stayed for ever.
const SLOWER: [f64; 3] = [8.0, 64.0, 512.0];

/// Motion that is off its equation by more than this many radii is no motion at all.
pub(super) const UNSETTLED: f64 = 0.25;

/// Scripts that stand still are tried again every second step, every fourth, … every 2ⁿ-th: each trial is a step in
/// vain, and mostly a hard one.
const RAREST: u32 = 4;

/// What is in question.
#[derive(Clone, Debug, Default)]
pub(super) struct Involved {
    strands: Vec<bool>,
    solids: Vec<bool>,
}

impl World {
    /// Whether the trial of a piece of `dt` leads nothing through anything, nor too deep into it.
    pub(super) fn is_free(&mut self, dt: f64) -> bool {
        let clock = Instant::now();
        let free = self.judge(dt, [0.0, 1.0], false);
        lap(clock, &mut self.report.phases.check_ms);
        free
    }

    /// Judges the way from the states to the trials, while the solids go through the share `span` of their step; if only
    /// some strands are displaced, the others stay.
    pub(super) fn judge(&mut self, dt: f64, span: [f64; 2], displaced: bool) -> bool {
        self.passing.clear();
        let smooth = self.settings.detector == DetectorKind::Smooth;
        self.passing.off = if smooth { 2.0 * SAG_OVER_RADIUS } else { 0.0 };
        let (proxies, mut next) = (&self.proxies, 0);
        for (index, (body, label)) in self.bodies.iter().zip(&self.labels).enumerate() {
            let stays = displaced && !self.separation.moved[index];
            let (index, radius_m) = (index as u32, body.section().radius_m);
            let [from, to] = &mut self.traces;
            // What is judged is the line that contacts are found on: on another one, what rests by the one would overlap
            // by the other.
            let (from, to) = match (smooth, label.proxies) {
                (true, _) => {
                    body.trace(from, to);
                    (from.as_slice(), to.as_slice())
                }
                (false, Some(count)) => {
                    chord_ends(body.nodes(), count, from);
                    chord_ends(body.trial_nodes(), count, to);
                    (from.as_slice(), to.as_slice())
                }
                (false, None) => (body.nodes(), body.trial_nodes()),
            };
            let to = if stays { from } else { to };
            let first = next;
            next += proxies.count_of(index, first, smooth);
            // A judged piece counts as all of the proxy that it lies on: what has no contact with each other, as neighbours
            // have none, is not held apart here either. Two pieces that may not come nearer, and that nothing keeps from
            // it, would stop their strand for good.
            let (own, pieces) = (next - first, from.len() - 1);
            self.alongs.clear();
            self.alongs.extend((0..pieces).map(|k| {
                let start = proxies.along(first + k * own / pieces, smooth);
                let end = proxies.along(first + ((k + 1) * own - 1) / pieces, smooth);
                Along {
                    to_m: end.to_m,
                    ..start
                }
            }));
            self.passing
                .add(index, [from, to], &self.alongs, body.closed(), radius_m);
        }
        let self_contact = self.settings.self_contact;
        self.passing
            .judge(&self.proxies.solids, dt, span, self_contact);
        self.passing.troubles().is_empty()
    }

    /// The deepest overlap that was judged, in radii, less what the judged line may be off the one that touches.
    pub(super) fn deepest_judged(&self) -> f64 {
        self.passing.deepest() - self.passing.off
    }

    /// Changes a trial of `dt` that leads strands through something, or leaps, into one that does not; returns how long a
    /// step it is then, s.
    pub(super) fn hold_back(&mut self, dt: f64) -> Result<f64, Fault> {
        if self.stall(dt, true)? {
            return Ok(dt);
        }
        self.report.held_back += 1;
        self.involved.clear(self.bodies.len(), self.solids.len());
        self.involve();
        self.involve_what_leaps(dt);
        for _ in 0..SHARES {
            let share = SHARE.min(RADII / self.farthest_over_radius());
            if self.go_less_far(dt, share) {
                return Ok(dt);
            }
            self.involve();
        }
        if let Some(short) = self.go_slowly(dt) {
            self.bound_speeds(short);
            return Ok(short);
        }
        // What is not in question takes this step, not the short one that was tried last.
        self.attempt(dt, true)?;
        self.is_free(dt);
        self.involve();
        self.involve_what_leaps(dt);
        loop {
            if self.go_less_far(dt, 0.0) || !self.involve() {
                return Ok(dt);
            }
        }
    }

    /// Lets no strand be faster after a step of `taken` than sound in it. What holds it goes on meanwhile, and would be
    /// followed at many times its speed.
    fn bound_speeds(&mut self, taken: f64) {
        for body in &mut self.bodies {
            let over_sound = over_sound(body.as_ref(), taken);
            if over_sound > 1.0 {
                body.slow_down(1.0 / over_sound);
            }
        }
    }

    /// Marks strands that would be faster than sound in them after a step of `dt`: what is far off its equation of motion
    /// flings what it touches.
    fn involve_what_leaps(&mut self, dt: f64) {
        for (body, in_question) in self.bodies.iter().zip(&mut self.involved.strands) {
            *in_question |= over_sound(body.as_ref(), dt) > 1.0;
        }
    }

    /// Looks for a free trial of a shorter step while scripts go on for `dt`; returns how long it is, s.
    fn go_slowly(&mut self, dt: f64) -> Option<f64> {
        SLOWER.into_iter().map(|times| dt / times).find(|&short| {
            let attempted = self.attempt(short, true);
            self.foresee_scripts(dt);
            attempted.is_ok_and(|off| off <= MOST_OFF) && self.is_free(dt)
        })
    }

    /// Lets scripts that stood still in the step before go on, ever more rarely where that has been of no use; whether
    /// any does.
    pub(super) fn try_scripts(&mut self) -> bool {
        let solids = self.solids.iter().map(|solid| solid.stalled);
        let holds = self.holds.iter().map(|hold| hold.stalled);
        let stalled = solids.chain(holds).any(|stalled| stalled);
        self.jammed = if stalled { self.jammed + 1 } else { 0 };
        let due = stalled && self.steps.is_multiple_of(1 << self.jammed.min(RAREST));
        if due {
            self.release_scripts();
        }
        due
    }

    /// Lets all scripts go on.
    pub(super) fn release_scripts(&mut self) {
        let solids = self.solids.iter_mut().map(|solid| &mut solid.stalled);
        let holds = self.holds.iter_mut().map(|hold| &mut hold.stalled);
        solids.chain(holds).for_each(|stalled| *stalled = false);
    }

    /// Tries again with scripts at a stand that lead or push the strands in question, maybe through others, for the rest
    /// of the step: holds first, then solids, then `both`; whether the trial is free then. If not, all stand still.
    pub(super) fn stall(&mut self, dt: f64, both: bool) -> Result<bool, Fault> {
        self.involved.clear(self.bodies.len(), self.solids.len());
        self.involve();
        while self.involve_what_is_pushed() {}
        self.involve_what_carries();
        let (holds, solids) = (self.stall_holds(true), self.stall_solids(true));
        // A door that opens must not wait for the hand that is led against it.
        let kinds = [
            (holds, [true, false]),
            (solids, [false, true]),
            (both && holds && solids, [true, true]),
        ];
        for (_, [hands, things]) in kinds.into_iter().filter(|(there, _)| *there) {
            self.stall_holds(hands);
            self.stall_solids(things);
            let off = self.attempt(dt, false)?;
            if off <= UNSETTLED && self.is_free(dt) {
                self.report.held_back += 1;
                return Ok(true);
            }
        }
        self.stall_holds(true);
        self.stall_solids(true);
        Ok(false)
    }

    /// Lets led holds of strands in question stand still, or go on; whether there are any.
    fn stall_holds(&mut self, still: bool) -> bool {
        let strands = &self.involved.strands;
        let led = |hold: &&mut Hold| strands[hold.rod] && hold.is_led();
        let mut any = false;
        for hold in self.holds.iter_mut().filter(led) {
            hold.stalled = still;
            any = true;
        }
        any
    }

    /// Lets moving solids in question stand still, or go on; whether there are any.
    fn stall_solids(&mut self, still: bool) -> bool {
        let solids = self.solids.iter_mut().zip(&self.involved.solids);
        let mut any = false;
        for (solid, _) in solids.filter(|(solid, in_question)| **in_question && solid.moves()) {
            solid.stalled = still;
            any = true;
        }
        any
    }

    /// Marks all that is in trouble or has found no motion; whether anything was not marked before.
    fn involve(&mut self) -> bool {
        let mut new = false;
        for (strand, _) in (0..)
            .zip(&self.off)
            .filter(|(_, off)| off.is_nan() || **off > UNSETTLED)
        {
            new |= mark(&mut self.involved.strands, strand);
        }
        for trouble in self.passing.troubles() {
            new |= mark(&mut self.involved.strands, trouble.body);
            new |= match trouble.other {
                Other::Piece { body, .. } => mark(&mut self.involved.strands, body),
                Other::Solid(solid) => mark(&mut self.involved.solids, solid),
            };
        }
        new
    }

    /// Marks what pushes on what is marked; whether anything was not marked before.
    fn involve_what_is_pushed(&mut self) -> bool {
        let mut new = false;
        let pushing = self.contacts.iter().zip(&self.impulses);
        for (contact, _) in pushing.filter(|(_, r)| r.x > 0.0) {
            let Involved { strands, solids } = &mut self.involved;
            // What stands still hands nothing on: two strands on one table do not push each other.
            let hands_on = |side: &Side| match side {
                Side::Strand(side) => strands[side.body as usize],
                Side::Solid(side) => {
                    let solid = side.solid as usize;
                    solids[solid] && self.solids[solid].free.is_some()
                }
            };
            if hands_on(&contact.a) || hands_on(&contact.b) {
                for side in [&contact.a, &contact.b] {
                    new |= match side {
                        Side::Strand(side) => mark(strands, side.body),
                        Side::Solid(side) => mark(solids, side.solid),
                    };
                }
            }
        }
        new
    }

    /// Marks solids that carry holds of what is marked: such holds never stand still by themselves, lest they lose their
    /// place on the solid.
    fn involve_what_carries(&mut self) {
        let Involved { strands, solids } = &mut self.involved;
        let carried = self.holds.iter().filter(|hold| strands[hold.rod]);
        for on in carried.filter_map(|hold| hold.on) {
            solids[on] = true;
        }
    }

    /// How far strands in question would go, in their radii.
    fn farthest_over_radius(&self) -> f64 {
        let bodies = self.bodies.iter().zip(&self.involved.strands);
        let in_question = bodies.filter(|(_, in_question)| **in_question);
        let far = in_question.flat_map(|(body, _)| {
            let ways = body.nodes().iter().zip(body.trial_nodes());
            ways.map(|(from, to)| (to - from).norm() / body.section().radius_m)
        });
        far.fold(0.0, f64::max)
    }

    /// Lets strands and free solids in question go this share of their way, and scripted ones none of it; whether the trial is free then.
    fn go_less_far(&mut self, dt: f64, share: f64) -> bool {
        let bodies = self.bodies.iter_mut().zip(&self.involved.strands);
        for (body, _) in bodies.filter(|(_, in_question)| **in_question) {
            body.hold_back(share);
        }
        for (index, solid) in self.solids.iter_mut().enumerate() {
            if !self.involved.solids[index] {
                continue;
            }
            if let Some(free) = &mut solid.free {
                free.hold_back(share);
            } else if solid.moves() {
                solid.stalled = true;
                let proxy = &mut self.proxies.solids[index];
                proxy.linear_m_s.fill(0.0);
                proxy.angular_rad_s.fill(0.0);
            }
        }
        self.foresee_solids();
        self.is_free(dt)
    }
}

/// How fast a strand goes on its way of `dt` to the trial, over the speed of sound in it.
fn over_sound(body: &dyn Body, dt: f64) -> f64 {
    let section = body.section();
    let sound = (section.ea_n / section.line_density_kg_m).sqrt();
    let ways = body.nodes().iter().zip(body.trial_nodes());
    let farthest = ways.map(|(from, to)| (to - from).norm_squared());
    farthest.fold(0.0, f64::max).sqrt() / dt / sound
}

impl Involved {
    fn clear(&mut self, strands: usize, solids: usize) {
        for (list, len) in [(&mut self.strands, strands), (&mut self.solids, solids)] {
            list.clear();
            list.resize(len, false);
        }
    }
}

/// Marks one; whether it was not marked before.
fn mark(list: &mut [bool], index: u32) -> bool {
    !std::mem::replace(&mut list[index as usize], true)
}
