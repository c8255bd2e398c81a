//! Layer 4, the solver on its own thread, behind bounded channels.
//!
//! ```text
//!              commands, at most 1024  ─────►
//!   window                                     worker: apply commands · step · publish
//!              ◄─────  one frame, the newest
//!              ◄─────  events, at most 64
//!              used frames, at most 4  ─────►
//! ```
//!
//! The worker also keeps the history: it goes back in time, records what is done and does it again.
//!
//! Frames come as often as the window takes them; with each goes what was passed at every step since the last one taken.
//!
//! Nothing here waits for the other side: a full command queue is reported to the sender, a frame that nobody took is
//! replaced by the next, and of the events the oldest go first.

mod history;
mod knot_watch;
mod message;
mod pacing;
mod passing;
mod past;
mod sessions;
mod steppable;
#[cfg(test)]
mod tests;
mod trials;
mod worker;

pub use history::{BUDGET_BYTES, HistoryView};
pub use knot_watch::KnotWatch;
pub use message::{Busy, Command, Event, Frame, Pace};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::world::{SpecError, World, WorldSpec};
use steppable::Steppable;
use trials::Trials;
use worker::{Ports, Worker};

/// Eight seconds of pointer motion at 120 frames a second: longer than anyone drags through a single step.
const COMMANDS: usize = 1024;
/// More than a reader can take in; older ones are dropped first.
const EVENTS: usize = 64;
/// One at the window, one on its way, one being written, one to spare.
const SPARE_FRAMES: usize = 4;

/// Handle to the solver thread; dropping it stops the thread after the step under way, without waiting for it.
pub struct Runner {
    commands: Sender<Command>,
    frames: Receiver<Box<Frame>>,
    used: Sender<Box<Frame>>,
    events: Receiver<Event>,
    stop: Arc<AtomicBool>,
}

impl Runner {
    /// Starts the thread with a world, paused or playing.
    pub fn start(spec: WorldSpec, playing: bool, pace: Pace) -> Result<Self, SpecError> {
        Self::start_with(World::new, spec, playing, pace, Trials::from_environment())
    }

    /// As [`Runner::start`], with any world that can be stepped; `make` builds it, now and at each load or reset.
    fn start_with<W: Steppable<Kept: Send> + Send + 'static>(
        make: impl Fn(WorldSpec) -> Result<W, SpecError> + Send + 'static,
        spec: WorldSpec,
        playing: bool,
        pace: Pace,
        trials: Trials,
    ) -> Result<Self, SpecError> {
        let world = worker::build(&make, &spec)?;
        let (commands, commands_in) = bounded(COMMANDS);
        let (frames_out, frames) = bounded(1);
        let (used, used_in) = bounded(SPARE_FRAMES);
        let (events_out, events) = bounded(EVENTS);
        let stop = Arc::new(AtomicBool::new(false));
        let ports = Ports {
            commands: commands_in,
            frames: frames_out,
            stale_frames: frames.clone(),
            used: used_in,
            events: events_out,
            stale_events: events.clone(),
            stop: stop.clone(),
        };
        let mut worker = Worker::new(ports, make, world, spec, playing, pace);
        worker.trials = trials;
        thread::Builder::new()
            .name("prusik-solver".into())
            .spawn(move || worker.run())
            .map_err(|error| SpecError(format!("the solver thread did not start: {error}")))?;
        Ok(Self {
            commands,
            frames,
            used,
            events,
            stop,
        })
    }

    /// Hands over a command without waiting.
    pub fn send(&self, command: Command) -> Result<(), Box<Busy>> {
        self.commands
            .try_send(command)
            .map_err(|error| match error {
                TrySendError::Full(command) | TrySendError::Disconnected(command) => {
                    Box::new(Busy(command))
                }
            })
    }

    /// The newest frame, if there is one that was not taken yet.
    pub fn newest(&self) -> Option<Box<Frame>> {
        self.frames.try_recv().ok()
    }

    /// Gives a frame's buffers back for reuse.
    pub fn recycle(&self, frame: Box<Frame>) {
        // A full pool has buffers enough; this one is simply freed.
        let _ = self.used.try_send(frame);
    }

    /// The next event, if any.
    pub fn event(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // The flag ends a long run of steps; closing the command channel (with this handle) wakes a waiting worker.
        self.stop.store(true, Ordering::Relaxed);
    }
}
