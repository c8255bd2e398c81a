//! Overlap is removed by moving strands apart, not by speeding them up \[Cline03\].
//!
//! The one-step problem asks overlapping contacts only not to approach. What overlap there is after the step is removed by
//! impulses p ≥ 0 along the normals that displace but do not set in motion:
//!
//! ```text
//!   Δq = A⁻¹ Hᵀ p,   gap + (W p)_N ≥ target,   p ≥ 0, and p = 0 where it is more,
//! ```
//!
//! with the A, H and W of the step, by projected Gauss-Seidel. Since A has the stiffness in it, strands give way softly,
//! and what is held stays. Velocities stay as they are, so no energy of motion comes of it.

use std::time::Instant;

use super::World;
use super::step::lap;
use crate::friction::Problem;

/// Overlap up to this share of the radius is left alone: a strand at rest must not be pushed about for nothing.
pub(super) const SLOP: f64 = 5e-3;
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
    /// By how much each gap is to grow; what an open one has to spare, negative. m.
    wanted: Vec<f64>,
    /// By how much it grows, m.
    given: Vec<f64>,
    /// Impulses times dt, kg m.
    push: Vec<f64>,
    /// Which strands are displaced.
    pub moved: Vec<bool>,
}

impl Separation {
    /// Finds `push` for `wanted`; `radius_m` is what small is measured by.
    fn solve(&mut self, problem: &Problem, radius_m: f64) {
        self.given.clear();
        self.given.resize(problem.len(), 0.0);
        self.push.clear();
        self.push.resize(problem.len(), 0.0);
        for _ in 0..SWEEPS {
            let mut largest = 0.0_f64;
            for i in 0..problem.len() {
                let own = problem.w.diagonal(i);
                let yielding = own[(0, 0)];
                let lacking = self.wanted[i] - self.given[i];
                if lacking <= 0.0 && self.push[i] == 0.0 || is_unyielding(own) {
                    continue;
                }
                let change = (lacking / yielding).max(-self.push[i]);
                self.push[i] += change;
                largest = largest.max((change * yielding).abs());
                for (j, block) in problem.w.row(i) {
                    self.given[j as usize] += block[(0, 0)] * change;
                }
            }
            if largest < SMALL * radius_m {
                return;
            }
        }
    }
}

/// Whether no impulse along the normal can change a contact's velocity: both sides are held.
pub(super) fn is_unyielding(own: &nalgebra::Matrix3<f64>) -> bool {
    own[(0, 0)] <= UNYIELDING * own.trace()
}

impl World {
    /// Moves overlapping strands apart after an accepted piece of `dt`; where strands were held back, the gaps are not
    /// what the one-step problem says, but about what they were.
    pub(super) fn separate(&mut self, dt: f64, as_solved: bool) {
        let deep = |c: &crate::contact::Contact| c.gap < -SLOP * c.radius_m;
        if !self.contacts.iter().any(deep) {
            return;
        }
        let clock = Instant::now();
        if self.want_apart(if as_solved { dt } else { 0.0 }) {
            self.move_apart(dt);
        }
        lap(clock, &mut self.report.phases.other_ms);
    }

    /// What the gaps are after contacts have moved as solved for a time, and by how much they are to grow; whether any is.
    fn want_apart(&mut self, dt: f64) -> bool {
        let Self {
            separation,
            contacts,
            impulses,
            one_step,
            ..
        } = self;
        let problem = &one_step.problem;
        let mut any = false;
        let (mut smallest, wanted) = (f64::INFINITY, &mut separation.wanted);
        wanted.clear();
        for (i, contact) in contacts.iter().enumerate() {
            let gap = if dt > 0.0 {
                let u = problem.w.row_times(i, impulses) + problem.b[i];
                contact.gap.min(0.0) + dt * u.x
            } else {
                contact.gap
            };
            let radius = contact.radius_m;
            smallest = smallest.min(radius);
            let deep = gap < -SLOP * radius;
            any |= deep;
            wanted.push(if deep {
                (-gap - LEFT * radius).min(FARTHEST * radius)
            } else {
                -gap.max(0.0)
            });
        }
        if any {
            separation.solve(problem, smallest);
        }
        any
    }

    /// Displaces strands by what was found, or by less where that would lead through something.
    fn move_apart(&mut self, dt: f64) {
        let mut share = self.bounded_share();
        for _ in 0..=HALVINGS {
            if self.displace(share) && self.judge(dt, [1.0, 1.0], true) {
                let bodies = self.bodies.iter_mut().zip(&self.separation.moved);
                bodies
                    .filter(|(_, moved)| **moved)
                    .for_each(|(body, _)| body.settle());
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
        share
    }

    /// Displaces every pushed strand by a share of its pushes; whether all ends up finite.
    fn displace(&mut self, share: f64) -> bool {
        let Self {
            bodies,
            one_step,
            separation: Separation { push, moved, .. },
            ..
        } = self;
        moved.clear();
        let mut finite = true;
        for (index, body) in bodies.iter_mut().enumerate() {
            let motion = one_step.displacement(index, push, share);
            moved.push(motion.is_some());
            if let Some(motion) = motion {
                body.displace(motion);
                finite &= motion.iter().all(|x| x.is_finite());
            }
        }
        finite
    }
}
