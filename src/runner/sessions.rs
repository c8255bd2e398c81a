//! Sessions on the solver thread: writing down what is done, and doing what was written down.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Event;
use super::steppable::Steppable;
use super::worker::{Mode, Worker};
use crate::session::{Event as Done, Head, Replay, Session, SessionFile};
use crate::world::{SpecError, WorldSpec};

/// What was done stays unwritten for at most so long.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// The session that is written, and the one that is played.
#[derive(Default)]
pub(super) struct Sessions {
    file: Option<SessionFile>,
    unwritten: Option<Instant>,
    replay: Option<Replay>,
}

impl Sessions {
    pub fn is_recording(&self) -> bool {
        self.file.is_some()
    }

    /// The last step of the session that is played.
    pub fn replaying(&self) -> Option<u64> {
        let replay = self.replay.as_ref()?;
        Some(replay.session().last_step())
    }

    /// Plays no more.
    pub fn forget_replay(&mut self) {
        self.replay = None;
    }

    /// How long what was written may still wait to be handed to the system; none if nothing was.
    pub fn until_flush(&self) -> Option<Duration> {
        let since = self.unwritten?;
        Some(FLUSH_EVERY.saturating_sub(since.elapsed()))
    }
}

impl<W: Steppable, F: Fn(WorldSpec) -> Result<W, SpecError>> Worker<W, F> {
    /// Starts a session file with all that was done so far.
    pub fn record(&mut self, path: &Path, head: Head) {
        self.stop_recording();
        let log = self
            .history
            .log()
            .iter()
            .map(|(step, event)| (*step, event));
        match SessionFile::create(path, head, log) {
            Ok(file) => self.sessions.file = Some(file),
            Err(SpecError(why)) => self.tell(Event::NotRecorded(why)),
        }
        self.show_now();
    }

    /// Ends the session file, if there is one.
    pub fn stop_recording(&mut self) {
        let Some(mut file) = self.sessions.file.take() else {
            return;
        };
        let end = self.session_end();
        let added = end.map_or(Ok(()), |(step, end)| file.add(step, &end));
        self.tell(match added.and_then(|()| file.flush()) {
            Ok(()) => Event::Recorded(file.path().to_owned()),
            Err(SpecError(why)) => Event::NotRecorded(why),
        });
        self.show_now();
    }

    /// The last line of a session. In the past, or in a broken world, the state at the end is not at hand: then the last
    /// hash that was noted has to do.
    fn session_end(&self) -> Option<(u64, Done)> {
        let at_hand = !self.broken && !self.past.is_seeking() && !self.is_in_the_past();
        at_hand.then(|| (self.world.steps(), Done::End(self.world.state_hash())))
    }

    /// Hands over to the system what has waited for a while.
    pub fn flush_session_if_due(&mut self) {
        if !self
            .sessions
            .until_flush()
            .is_some_and(|wait| wait.is_zero())
        {
            return;
        }
        self.sessions.unwritten = None;
        let flushed = self.sessions.file.as_mut().map(SessionFile::flush);
        if let Some(Err(SpecError(why))) = flushed {
            self.sessions.file = None;
            self.tell(Event::NotRecorded(why));
        }
    }

    /// Adds a line to the session file.
    pub fn write_down(&mut self, step: u64, event: &Done) {
        let Some(file) = &mut self.sessions.file else {
            return;
        };
        self.sessions.unwritten.get_or_insert_with(Instant::now);
        if let Err(SpecError(why)) = file.add(step, event) {
            self.sessions.file = None;
            self.tell(Event::NotRecorded(why));
        }
    }

    /// What came later has been forgotten: also by the session file.
    pub fn rewrite_session(&mut self) {
        let Some(file) = &mut self.sessions.file else {
            return;
        };
        let log = self
            .history
            .log()
            .iter()
            .map(|(step, event)| (*step, event));
        if let Err(SpecError(why)) = file.rewrite(log) {
            self.sessions.file = None;
            self.tell(Event::NotRecorded(why));
        }
    }

    /// Plays a session on the world, which has just been loaded.
    pub fn replay(&mut self, session: Arc<Session>, other_scene: bool) {
        self.sessions.replay = Some(Replay::new(session, other_scene));
        self.go(Mode::Playing);
        self.show_now();
    }

    /// Does what is due before the next step; at the end of the session, pauses.
    pub fn play_due_events(&mut self) {
        let Some(mut replay) = self.sessions.replay.take() else {
            return;
        };
        let step = self.world.steps();
        while let Some(event) = replay.due(step) {
            match event {
                Done::Edit(edit) => {
                    if let Err(why) = self.apply(edit) {
                        replay.refused(step, &why);
                    }
                }
                Done::Hash(recorded) | Done::End(recorded) => {
                    replay.compare(step, recorded, self.world.state_hash());
                }
            }
        }
        if replay.ended() {
            let diverged = replay.diverged().map(str::to_owned);
            self.let_go();
            self.pause();
            self.tell(Event::Replayed(diverged));
        } else {
            self.sessions.replay = Some(replay);
        }
    }

    /// Whoever touches the world has it: the session is over, its hands let go.
    pub fn leave_replay(&mut self) {
        if self.sessions.replay.take().is_some() {
            self.let_go();
            self.tell(Event::ReplayLeft);
        }
    }
}
