//! A world as it was after some step, complete: whoever goes on from it gets the same bits.
//!
//! Kept is all that a step starts from or that is shown of the last one. Workspaces are not; nothing in them outlives a
//! step, which a test of every model, detector and solver holds true. What seldom changes (rest shapes, designs) is
//! shared between checkpoints.

use std::sync::Arc;

use nalgebra::Vector3;

use super::division::Division;
use super::warm_start::WarmStart;
use super::{
    Convergence, FrictionTable, Hold, Label, Parked, Pull, Settings, Solid, StepReport,
    StrandValues, World,
};
use crate::body::Saved;
use crate::contact::Contact;

/// A state to go back to.
#[derive(Default)]
pub struct Checkpoint {
    bodies: Vec<Option<Box<dyn Saved>>>,
    labels: Arc<Vec<Label>>,
    solids: Vec<Solid>,
    holds: Vec<Hold>,
    parked: Vec<Parked>,
    pulls: Vec<Pull>,
    friction: FrictionTable,
    strands: Arc<Vec<StrandValues>>,
    settings: Settings,
    demo: bool,
    next_hold: u32,
    steps: u64,
    time_s: f64,
    warm: WarmStart,
    taken_s: f64,
    jammed: u32,
    division: Division,
    // What is shown of the last step.
    contacts: Vec<Contact>,
    impulses: Vec<Vector3<f64>>,
    outcome: Outcome,
    report: StepReport,
    convergence: Convergence,
}

/// How the contacts of the last step moved, which is shown as sticking and sliding. A restored world has it from its
/// checkpoint: the problem that it came from is not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Relative velocity of each contact, m/s, in its own axes.
    pub velocities: Vec<Vector3<f64>>,
    /// µ of each.
    pub mu: Vec<f64>,
    /// What velocities are compared with, m/s.
    pub scale_m_s: f64,
}

impl World {
    /// Writes everything into `out`, whose memory is used again; shares with `like`, an earlier checkpoint, what has not
    /// changed since.
    pub fn checkpoint(&self, like: Option<&Checkpoint>, out: &mut Checkpoint) {
        // No field is left out by accident: a new one does not compile before it stands here.
        let Self {
            bodies,
            labels,
            solids,
            holds,
            parked,
            pulls,
            friction,
            surfaces: _,
            strands,
            settings,
            demo,
            next_hold,
            steps,
            time_s,
            constraints: _,
            proxies: _,
            detector: _,
            contacts,
            one_step: _,
            solver: _,
            impulses,
            warm,
            guess: _,
            passing: _,
            traces: _,
            alongs: _,
            off: _,
            involved: _,
            jammed,
            division,
            separation: _,
            taking_s: _,
            taken_s,
            report,
            convergence,
            restored: _,
        } = self;
        out.bodies.resize_with(bodies.len(), || None);
        for (body, slot) in bodies.iter().zip(&mut out.bodies) {
            body.save(slot);
        }
        let same = like.filter(|like| *like.labels == *labels);
        out.labels = same.map_or_else(|| Arc::new(labels.clone()), |like| like.labels.clone());
        out.solids.clone_from(solids);
        out.holds.clone_from(holds);
        out.parked.clone_from(parked);
        out.pulls.clone_from(pulls);
        out.friction.clone_from(friction);
        out.strands.clone_from(strands);
        out.settings.clone_from(settings);
        (out.demo, out.next_hold) = (*demo, *next_hold);
        (out.steps, out.time_s, out.taken_s) = (*steps, *time_s, *taken_s);
        (out.jammed, out.division) = (*jammed, *division);
        out.warm.clone_from(warm);
        out.contacts.clone_from(contacts);
        out.impulses.clone_from(impulses);
        self.write_outcome(&mut out.outcome);
        out.report.clone_from(report);
        convergence.write(&mut out.convergence);
    }

    /// Goes back (or on) to a checkpoint of this world, or of another of the same description.
    pub fn restore(&mut self, from: &Checkpoint) {
        let saved: Vec<&dyn Saved> = from.bodies.iter().flatten().map(AsRef::as_ref).collect();
        self.bodies.truncate(saved.len());
        for (index, saved) in saved.into_iter().enumerate() {
            let there = self.bodies.get_mut(index);
            if there.is_none_or(|body| !body.restore(saved)) {
                // Another body stands there, or none.
                match self.bodies.get_mut(index) {
                    Some(body) => *body = saved.revive(),
                    None => self.bodies.push(saved.revive()),
                }
            }
        }
        self.labels.clone_from(&from.labels);
        self.solids.clone_from(&from.solids);
        self.holds.clone_from(&from.holds);
        self.parked.clone_from(&from.parked);
        self.pulls.clone_from(&from.pulls);
        self.friction.clone_from(&from.friction);
        self.strands.clone_from(&from.strands);
        self.settings.clone_from(&from.settings);
        (self.demo, self.next_hold) = (from.demo, from.next_hold);
        (self.steps, self.time_s, self.taken_s) = (from.steps, from.time_s, from.taken_s);
        (self.jammed, self.division) = (from.jammed, from.division);
        self.warm.clone_from(&from.warm);
        self.contacts.clone_from(&from.contacts);
        self.impulses.clone_from(&from.impulses);
        self.restored = Some(from.outcome.clone());
        self.report.clone_from(&from.report);
        from.convergence.write(&mut self.convergence);
    }

    /// How the contacts of the last step moved.
    pub(super) fn write_outcome(&self, out: &mut Outcome) {
        if let Some(restored) = &self.restored {
            out.clone_from(restored);
            return;
        }
        let problem = &self.one_step.problem;
        // Before the first step, or after an attempt that failed, there is nothing to show.
        let count = problem.len().min(self.impulses.len());
        out.scale_m_s = crate::friction::residual::velocity_scale(problem, 1e-9);
        out.mu.clear();
        out.mu.extend_from_slice(&problem.mu[..count]);
        out.velocities.clear();
        let velocity = |i| problem.w.row_times(i, &self.impulses) + problem.b[i];
        out.velocities.extend((0..count).map(velocity));
    }
}

impl Checkpoint {
    /// Steps taken before it.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Its simulated time, s.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// Memory that it takes, about; without what it shares with others.
    pub fn bytes(&self) -> usize {
        let bodies = self.bodies.iter().flatten();
        size_of::<Self>()
            + bodies.map(|saved| saved.bytes()).sum::<usize>()
            + size_of_val(self.bodies.as_slice())
            + size_of_val(self.solids.as_slice())
            + size_of_val(self.holds.as_slice())
            + size_of_val(self.parked.as_slice())
            + size_of_val(self.pulls.as_slice())
            + self.warm.bytes()
            + size_of_val(self.contacts.as_slice())
            + size_of_val(self.impulses.as_slice())
            + size_of_val(self.outcome.velocities.as_slice())
            + size_of_val(self.outcome.mu.as_slice())
            + size_of_val(self.convergence.points.as_slice())
    }
}
