//! Going back in time.
//!
//! A state of the past is reached from the one kept before it, one step per turn of the loop, so that commands are heard in
//! between and a newer wish takes the place of an older one. Meanwhile the picture that was kept is shown. Steps taken
//! again do again what was done then; playing or editing in the past forgets what came later.

use std::collections::VecDeque;

use super::history::{History, Keyframe, snapshot_bytes};
use super::steppable::Steppable;
use super::worker::{Mode, Worker, build, catch};
use super::{Command, Event};
use crate::session::{Event as Done, HASH_EVERY};
use crate::world::{Edit, Snapshot, SpecError, WorldSpec};

/// A rewind leads at least so many steps back: what led to a fault has often begun some steps before it.
const REWIND: u64 = 50;

/// Where in time the world is, and where it is wanted.
#[derive(Default)]
pub(super) struct Past {
    /// The step that is being gone to.
    target: Option<u64>,
    /// Commands that wait until it is there.
    deferred: VecDeque<Command>,
    /// The first entry of the log that has not been done to the world.
    next: usize,
    /// Where the last rewind led from and to.
    rewound: Option<(u64, u64)>,
}

impl Past {
    /// Whether the world is on its way to another step.
    pub fn is_seeking(&self) -> bool {
        self.target.is_some()
    }

    /// Stays where it is; what was to be done elsewhere is forgotten.
    pub fn stop_seeking(&mut self) {
        self.target = None;
        self.deferred.clear();
    }

    /// The step that is shown of a world that is at another.
    pub fn shown(&self, world_step: u64) -> u64 {
        self.target.unwrap_or(world_step)
    }

    /// Keeps a command that makes sense only when the world is where it is wanted; hands back the others.
    pub fn defer(&mut self, command: Command) -> Option<Command> {
        let waits = is_motion(&command) || matches!(command, Command::Edit(_));
        if waits && self.is_seeking() {
            self.deferred.push_back(command);
            return None;
        }
        match command {
            // What was to be done elsewhere is not to be done here.
            Command::SeekTo(_) | Command::Load { .. } | Command::Reset => self.deferred.clear(),
            // Who wants to run and then does not, does not.
            Command::Pause | Command::StepBack | Command::RewindToLastGood => {
                self.deferred.retain(|waiting| !is_motion(waiting));
            }
            _ => {}
        }
        Some(command)
    }

    /// Whether it is to run on as soon as it is where it is wanted.
    pub fn will_play(&self) -> bool {
        let last = self
            .deferred
            .iter()
            .rev()
            .find(|command| is_motion(command));
        matches!(last, Some(Command::Play))
    }

    /// The picture of the state that is being gone to, as near as there is one.
    pub fn picture<'a, K: Default>(&self, history: &'a History<K>) -> Option<&'a Snapshot> {
        history.before(self.target?).map(|frame| &frame.snapshot)
    }
}

/// Whether a command makes time pass.
fn is_motion(command: &Command) -> bool {
    matches!(command, Command::Play | Command::Step(_))
}

impl<W: Steppable, F: Fn(WorldSpec) -> Result<W, SpecError>> Worker<W, F> {
    /// A world has begun.
    pub fn begin_history(&mut self) {
        self.history.clear();
        self.past = Past::default();
        self.passing.clear();
        self.note(Done::Hash(self.world.state_hash()));
        self.went_on();
    }

    /// A step has been taken that was never taken before.
    pub fn went_on(&mut self) {
        let (step, time_s) = (self.world.steps(), self.world.time_s());
        self.history.went_on(step, time_s);
        if self.history.wants(step) {
            let world = &self.world;
            let bytes =
                |kept: &W::Kept, snapshot: &Snapshot| W::bytes(kept) + snapshot_bytes(snapshot);
            self.history
                .keep(step, time_s, bytes, |like, kept, snapshot| {
                    world.keep(like, kept);
                    world.snapshot(snapshot);
                });
        }
        if step > 0 && step.is_multiple_of(HASH_EVERY) {
            self.note(Done::Hash(self.world.state_hash()));
        }
    }

    /// Something was done to the world for the first time.
    pub fn note(&mut self, event: Done) {
        let step = self.world.steps();
        self.write_down(step, &event);
        self.history.note(step, event);
        self.past.next = self.history.log().len();
    }

    /// Whether there is something that came later.
    pub fn is_in_the_past(&self) -> bool {
        self.world.steps() < self.history.newest_step() || self.past.next < self.history.log().len()
    }

    /// Shows a step as soon as can be, and pauses there.
    pub fn look_at(&mut self, step: u64) {
        if self.broken {
            self.rewind();
            return;
        }
        self.leave_replay();
        self.pause();
        self.seek(self.history.clamp(step), false);
    }

    /// Sets out for a step; `anew` where the world may not be what it should be.
    fn seek(&mut self, step: u64, anew: bool) {
        self.past.target = Some(step);
        self.passing.forget_after(step);
        let here = self.world.steps();
        let from = self.history.before(step).map(|frame| frame.step);
        if anew || here > step || from.is_some_and(|from| from > here) {
            self.return_to(step);
        }
        self.show_now();
    }

    /// Restores the state that is kept before a step.
    fn return_to(&mut self, step: u64) {
        let Self { history, world, .. } = self;
        let Some(Keyframe { step, kept, .. }) = history.before(step) else {
            return;
        };
        let restored = catch(|| world.go_back(kept));
        self.past.next = history.first_since(*step);
        if let Err(message) = restored {
            self.break_down(message);
        }
    }

    /// One step on the way.
    pub fn seek_on(&mut self) {
        let Some(target) = self.past.target else {
            return;
        };
        if self.world.steps() < target {
            self.do_again();
            match catch(|| self.world.step()) {
                Ok(Ok(())) => {}
                // It went well before; whatever it is, the state is as far as it goes.
                Ok(Err(sentence)) => {
                    self.past.stop_seeking();
                    self.tell(Event::Fault(sentence));
                }
                Err(message) => self.break_down(message),
            }
        }
        if self.past.target == Some(self.world.steps()) {
            self.arrive();
        }
    }

    fn arrive(&mut self) {
        if self.world.steps() == self.history.newest_step() {
            // At the end nothing came later: all that was done is done.
            self.do_again();
        }
        self.past.target = None;
        self.restart_clocks();
        self.show_now();
        for command in std::mem::take(&mut self.past.deferred) {
            self.obey(command);
        }
    }

    /// Does again what was done at this step.
    fn do_again(&mut self) {
        let here = self.world.steps();
        while let Some((step, event)) = self.history.log().get(self.past.next) {
            if *step > here {
                break;
            }
            self.past.next += 1;
            if let Done::Edit(edit) = event {
                let edit = edit.clone();
                // It was allowed before, and the state is the same.
                let _ = catch(|| self.world.apply(edit));
            }
        }
    }

    /// Goes on from here: forgets what came later, and lets go of what hands held then.
    pub fn fork(&mut self) {
        if !self.is_in_the_past() {
            return;
        }
        let (step, time_s) = (self.world.steps(), self.world.time_s());
        self.history.fork(step, time_s, self.past.next);
        self.rewrite_session();
        self.let_go();
    }

    /// Takes every hand off the world.
    pub fn let_go(&mut self) {
        for hand in self.world.hands() {
            // A hand that holds something can let go.
            let _ = self.apply(Edit::Release(hand));
        }
    }

    /// Takes steps that were taken before, or new ones at the end.
    pub fn step_on(&mut self, steps: u32) {
        if self.is_in_the_past() && !self.broken {
            let wanted = self.world.steps() + u64::from(steps);
            self.leave_replay();
            self.pause();
            self.seek(wanted.min(self.history.newest_step()), false);
        } else {
            self.go(Mode::Stepping(steps));
        }
    }

    /// A step that failed may have been taken in part: back to what it started from.
    pub fn return_to_before_the_fault(&mut self) {
        self.seek(self.history.newest_step(), true);
    }

    /// Back to a state from before a fault; further back each time it is asked for at the same fault.
    pub fn rewind(&mut self) {
        let fault = self.history.newest_step();
        let from = match self.past.rewound {
            Some((same, to)) if same == fault => to,
            _ => fault,
        };
        let target = self.history.clamp(from.saturating_sub(REWIND));
        let target = self
            .history
            .before(target)
            .map_or(target, |frame| frame.step);
        if self.broken {
            match build(&self.make, &self.spec) {
                Ok(world) => self.world = world,
                Err(SpecError(sentence)) => {
                    self.tell(Event::Refused(sentence));
                    return;
                }
            }
            self.broken = false;
        }
        self.sessions.forget_replay();
        self.past.rewound = Some((fault, target));
        self.pause();
        self.seek(target, true);
    }
}
