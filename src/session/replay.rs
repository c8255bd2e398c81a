//! A session on its way: what is due at which step, and whether the states agree.

use std::sync::Arc;

use super::{Event, Session};
use crate::world::{Fault, World};

/// A session that is being played.
#[derive(Clone, Debug)]
pub struct Replay {
    session: Arc<Session>,
    next: usize,
    /// The last step after which the state was the recorded one.
    agreed: Option<u64>,
    diverged: Option<String>,
    /// Whether the scene is not the one that the session was done to.
    other_scene: bool,
}

impl Replay {
    /// At its start; `other_scene` where [`Session::is_of`] denies the scene.
    pub fn new(session: Arc<Session>, other_scene: bool) -> Self {
        Self {
            session,
            next: 0,
            agreed: None,
            diverged: None,
            other_scene,
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Whether there is nothing left to come.
    pub fn ended(&self) -> bool {
        self.next >= self.session.events.len()
    }

    /// How it differs from the recording, in a sentence; none while it does not.
    pub fn diverged(&self) -> Option<&str> {
        self.diverged.as_deref()
    }

    /// The next thing to happen to a world that has taken so many steps.
    pub fn due(&mut self, step: u64) -> Option<Event> {
        let (at, event) = self.session.events.get(self.next)?;
        if *at > step {
            return None;
        }
        self.next += 1;
        Some(event.clone())
    }

    /// Holds the state after a step against the recorded one.
    pub fn compare(&mut self, step: u64, recorded: u64, found: u64) {
        if recorded == found {
            self.agreed = Some(step);
            return;
        }
        let since = match self.agreed {
            Some(0) => "; at the start it was the same".to_owned(),
            Some(agreed) => format!("; up to step {agreed} it was the same"),
            None => String::new(),
        };
        self.differs(format!(
            "the replay differs from the recording at step {step} (state {found:016x}, recorded {recorded:016x}){since}"
        ));
    }

    /// An edit that was done in the recording is refused.
    pub fn refused(&mut self, step: u64, why: &str) {
        self.differs(format!(
            "the replay differs from the recording at step {step}: an edit that was done then is refused now ({why})"
        ));
    }

    /// Only the first difference is told; what follows follows from it.
    fn differs(&mut self, mut sentence: String) {
        if self.other_scene {
            sentence +=
                "; the scene, or how this version reads it, has changed since it was recorded";
        }
        self.diverged.get_or_insert(sentence);
    }

    /// Does everything that is due to a world.
    pub fn catch_up(&mut self, world: &mut World) {
        while let Some(event) = self.due(world.steps()) {
            match event {
                Event::Edit(edit) => {
                    if let Err(why) = world.apply(edit) {
                        self.refused(world.steps(), &why.0);
                    }
                }
                Event::Hash(recorded) | Event::End(recorded) => {
                    self.compare(world.steps(), recorded, world.state_hash());
                }
            }
        }
    }

    /// Does what is due and takes a step; false when the session is over instead.
    pub fn step(&mut self, world: &mut World) -> Result<bool, Fault> {
        self.catch_up(world);
        if self.ended() {
            return Ok(false);
        }
        world.step()?;
        Ok(true)
    }
}
