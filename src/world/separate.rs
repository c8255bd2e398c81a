//! Overlap is removed by moving strands apart, not by speeding them up \[Cline03\].
//!
//! The one-step problem asks overlapping contacts only not to approach. What overlap there is after the step is removed by
//! pushes p ≥ 0 along the normals that displace but do not set in motion:
//!
//! ```text
//!   Δq = A⁻¹ Hᵀ p,   gap + (W p)_N ≥ target,   p ≥ 0, and p = 0 where it is more,
//! ```
//!
//! by projected Gauss-Seidel. A is that of a long step: a push within a short one would bend strands, and they would
//! swing back. So they move as wholes as far as they can, and what is held stays. Velocities stay as they are: no energy
//! of motion comes of it.

use std::time::Instant;

use nalgebra::Matrix3;

use super::World;
use super::movers::Movers;
use super::one_step::OneStep;
use super::solid::Solid;
use super::step::lap;
use crate::contact::Contact;

/// Pushes are as slow as this, s: the energy of the bends they cause falls with the fourth power.
const OVER_S: f64 = 0.5;
/// Overlap up to this share of the radius is left alone: a strand at rest must not be pushed about for nothing.
const SLOP: f64 = 5e-3;
/// Of deeper overlap, so much is left.
const LEFT: f64 = 0.5 * SLOP;
/// Strands are moved by at most this share of the radius at once.
const FARTHEST: f64 = 0.25;
/// Sweeps of the solver.
const SWEEPS: usize = 40;
/// It stops when no sweep changes a gap by more than this share of the radius.
const SMALL: f64 = 1e-4;
/// So often is the way halved when it would lead through something.
const HALVINGS: usize = 5;
/// A contact whose normal gives way by less than this share of its tangents is between held parts.
const UNYIELDING: f64 = 1e-12;

/// The scalar problem with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Separation {
    /// Contacts of what overlaps.
    contacts: Vec<Contact>,
    /// H and W.
    apart: OneStep,
    /// By how much each gap is to grow; what an open one has to spare, negative. m.
    wanted: Vec<f64>,
    /// By how much it grows, m.
    given: Vec<f64>,
    /// p, kg m.
    push: Vec<f64>,
    /// Strands and free solids that overlap.
    deep: Vec<bool>,
    /// Those that are displaced.
    pub moved: Vec<bool>,
}

impl Separation {
    /// Keeps the contacts of strands and free solids that overlap; whether there are any.
    fn keep_deep(&mut self, movers: Movers) -> bool {
        let Self { contacts, deep, .. } = self;
        deep.clear();
        deep.resize(movers.len(), false);
        let both = |contact: &Contact| [&contact.a, &contact.b].map(|side| movers.index(side));
        for contact in contacts.iter().filter(|contact| is_deep(contact)) {
            both(contact)
                .into_iter()
                .flatten()
                .for_each(|index| deep[index] = true);
        }
        contacts.retain(|contact| both(contact).into_iter().flatten().any(|index| deep[index]));
        !contacts.is_empty()
    }

    /// By how much each gap is to grow.
    fn want(&mut self) {
        self.wanted.clear();
        self.wanted.extend(self.contacts.iter().map(|contact| {
            let (gap, radius) = (contact.gap, contact.radius_m);
            if is_deep(contact) {
                (-gap - LEFT * radius).min(FARTHEST * radius)
            } else {
                -gap.max(0.0)
            }
        }));
    }

    /// Finds the pushes.
    fn solve(&mut self) {
        let w = &self.apart.problem.w;
        let (count, radius) = (self.contacts.len(), |c: &Contact| c.radius_m);
        let small = SMALL
            * self
                .contacts
                .iter()
                .map(radius)
                .fold(f64::INFINITY, f64::min);
        for list in [&mut self.given, &mut self.push] {
            list.clear();
            list.resize(count, 0.0);
        }
        for _ in 0..SWEEPS {
            let mut largest = 0.0_f64;
            for i in 0..count {
                let own = w.diagonal(i);
                let lacking = self.wanted[i] - self.given[i];
                if lacking <= 0.0 && self.push[i] == 0.0 || is_unyielding(own) {
                    continue;
                }
                let change = (lacking / own[(0, 0)]).max(-self.push[i]);
                self.push[i] += change;
                largest = largest.max((change * own[(0, 0)]).abs());
                for (j, block) in w.row(i) {
                    self.given[j as usize] += block[(0, 0)] * change;
                }
            }
            if largest < small {
                return;
            }
        }
    }
}

fn is_deep(contact: &Contact) -> bool {
    contact.gap < -SLOP * contact.radius_m
}

/// Whether no impulse along the normal can change a contact's velocity: both sides are held.
pub(super) fn is_unyielding(own: &Matrix3<f64>) -> bool {
    own[(0, 0)] <= UNYIELDING * own.trace()
}

impl World {
    /// Moves overlapping strands apart after an accepted piece of a step of `dt`.
    pub(super) fn separate(&mut self, dt: f64) {
        if !self.contacts.iter().any(is_deep) {
            return;
        }
        let clock = Instant::now();
        if self.find_overlaps(dt) && self.soften() {
            let movers = Movers {
                strands: &self.bodies,
                solids: &self.solids,
            };
            self.separation.apart.assemble_w(movers);
            self.separation.want();
            self.separation.solve();
            self.move_apart();
        }
        lap(clock, &mut self.report.phases.check_ms);
    }

    /// Finds the contacts of the new state that matter; whether there are any.
    fn find_overlaps(&mut self, dt: f64) -> bool {
        self.collect_proxies(dt);
        let Self {
            separation,
            detector,
            proxies,
            bodies,
            solids,
            ..
        } = self;
        let movers = Movers {
            strands: bodies,
            solids,
        };
        // As things stand, whatever their speed.
        let touching = &mut separation.contacts;
        let (kind, self_contact) = (self.settings.detector, self.settings.self_contact);
        detector.detect(kind, proxies, 0.0, self_contact, touching);
        if !separation.keep_deep(movers) {
            return false;
        }
        let none = |_: &Contact| 0.0;
        separation
            .apart
            .prepare(movers, &separation.contacts, none, none);
        true
    }

    /// Makes what is in question give way slowly; whether all can.
    fn soften(&mut self) -> bool {
        let apart = &self.separation.apart;
        let bodies = self.bodies.iter_mut().enumerate();
        let mut touching = bodies.filter(|(index, _)| apart.touches(*index));
        let strands = touching.all(|(_, body)| body.soften(OVER_S).is_ok());
        let free = self
            .solids
            .iter_mut()
            .filter_map(|solid| solid.free.as_mut());
        strands && free.map(|free| free.soften()).all(|soft| soft.is_ok())
    }

    /// Displaces strands by what was found, or by less where that would lead through something.
    fn move_apart(&mut self) {
        let mut share = self.bounded_share();
        for _ in 0..=HALVINGS {
            // The solids are where they are at the start of the next step.
            if self.displace(share) && self.judge(0.0, [0.0, 0.0], true) {
                let strands = self.bodies.len();
                let moved = &self.separation.moved;
                let bodies = self.bodies.iter_mut().zip(moved);
                bodies
                    .filter(|(_, moved)| **moved)
                    .for_each(|(body, _)| body.settle());
                let free = self.solids.iter_mut().map(|solid| solid.free.as_mut());
                free.zip(&moved[strands..])
                    .filter_map(|(free, moved)| free.filter(|_| *moved))
                    .for_each(|free| free.accept());
                return;
            }
            share *= 0.5;
        }
    }

    /// The share of the pushes that moves no node too far.
    fn bounded_share(&mut self) -> f64 {
        self.displace(1.0);
        let mut share = 1.0_f64;
        let bodies = self.bodies.iter().zip(&self.separation.moved);
        for (body, _) in bodies.filter(|(_, moved)| **moved) {
            let ways = body.nodes().iter().zip(body.trial_nodes());
            let farthest = ways.map(|(a, b)| (b - a).norm()).fold(0.0, f64::max);
            share = share.min(FARTHEST * body.section().radius_m / farthest);
        }
        let moved = &self.separation.moved[self.bodies.len()..];
        let free = self.solids.iter().map(|solid| solid.free.as_ref());
        for free in free
            .zip(moved)
            .filter_map(|(free, moved)| free.filter(|_| *moved))
        {
            share = share.min(FARTHEST * free.size_m() / free.trial_way_m());
        }
        share
    }

    /// Displaces all that is pushed by a share of its pushes; whether all ends up finite.
    fn displace(&mut self, share: f64) -> bool {
        let Self {
            bodies,
            solids,
            proxies,
            separation: Separation {
                apart, push, moved, ..
            },
            ..
        } = self;
        moved.clear();
        let mut finite = true;
        for (index, body) in bodies.iter_mut().enumerate() {
            let motion = apart.displacement(index, push, share);
            moved.push(motion.is_some());
            if let Some(motion) = motion {
                body.displace(motion);
                finite &= motion.iter().all(|x| x.is_finite());
            }
        }
        let first = bodies.len();
        for (index, (solid, proxy)) in solids.iter_mut().zip(&mut proxies.solids).enumerate() {
            let Solid {
                free: Some(free), ..
            } = solid
            else {
                moved.push(false);
                continue;
            };
            let motion = apart.displacement(first + index, push, share);
            moved.push(motion.is_some());
            if let Some(motion) = motion {
                free.displace(motion);
                finite &= motion.iter().all(|x| x.is_finite());
                // What is judged are the strands, and the solids where they are then.
                proxy.world_from_body = free.trial_pose();
            }
        }
        finite
    }
}
