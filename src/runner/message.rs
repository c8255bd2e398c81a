//! What the window and the solver thread say to each other.

use std::path::PathBuf;
use std::sync::Arc;

use super::HistoryView;
use crate::session::{Head, Session};
use crate::world::{Edit, Snapshot, WorldSpec};

/// How fast simulated time should run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// `speed` simulated seconds per second, or as fast as the solver can if it cannot keep up.
    RealTime {
        /// Desired real-time factor.
        speed: f64,
    },
    /// As fast as the solver can.
    FlatOut,
}

impl Pace {
    /// Desired simulated seconds per second; infinite when flat out.
    pub fn factor(self) -> f64 {
        match self {
            Pace::RealTime { speed } => speed,
            Pace::FlatOut => f64::INFINITY,
        }
    }
}

/// What the window asks of the runner.
#[derive(Clone, Debug)]
pub enum Command {
    /// Change the world before its next step (or at once while paused).
    Edit(Edit),
    /// Replace the world; if it cannot be built, the present one stays.
    Load {
        /// Its description.
        spec: Box<WorldSpec>,
        /// The sender's number for it: [`Frame::ticket`] says whose world is shown. That of the first is 0.
        ticket: u64,
    },
    /// Start again from the last loaded description; pause state and pace stay.
    Reset,
    /// Run.
    Play,
    /// Stop after the step under way.
    Pause,
    /// Take so many steps, then pause; in the past, steps that were taken before, with what was done then.
    Step(u32),
    /// Show the state after so many steps, or the nearest that can be reached, and pause. Whoever then plays or edits goes on
    /// from there: what came later is forgotten.
    SeekTo(u64),
    /// Show the state one step before, and pause.
    StepBack,
    /// After a fault: back to a state from before it, and pause; asked again, further back.
    RewindToLastGood,
    /// How much memory the history may use.
    SetHistoryBudget(usize),
    /// Write all that is done, from the start of the scene on, into a session file, until it is stopped or another scene
    /// is loaded.
    Record {
        /// The file.
        path: PathBuf,
        /// What it is done to.
        head: Box<Head>,
    },
    /// End the session file.
    StopRecording,
    /// Do to the world, which has just been loaded, what was done in a session, and run. An edit or a look into the past ends
    /// it. Nothing happens if that world could not be built.
    Replay {
        /// The number that it was loaded with.
        ticket: u64,
        /// What was done.
        session: Arc<Session>,
        /// Whether the scene is not the one that it was done to.
        other_scene: bool,
    },
    /// Change the pace.
    SetPace(Pace),
}

/// What the runner tells, besides snapshots. Each text is a sentence for the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An edit was refused; nothing changed.
    Refused(String),
    /// A world cannot be built; the one that was there stays.
    NotLoaded {
        /// The number that it came with.
        ticket: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The step could not be taken; the runner is paused with the last good state.
    Fault(String),
    /// The solver panicked; the runner is paused, and takes `RewindToLastGood`, `Reset` and `Load`.
    Panicked(String),
    /// The session file is written.
    Recorded(PathBuf),
    /// The session file cannot be written (any further).
    NotRecorded(String),
    /// A session has been played to its end, and the runner is paused; with how it differed from the recording.
    Replayed(Option<String>),
    /// A session that was being played is over, because something else was done.
    ReplayLeft,
}

/// A snapshot with the runner's own figures.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The world.
    pub snapshot: Snapshot,
    /// The number that the world was loaded with.
    pub ticket: u64,
    /// Commands that were heard before.
    pub heard: u64,
    /// Whether it runs.
    pub playing: bool,
    /// Whether it runs until it is told otherwise, or will as soon as it is where in time it is wanted.
    pub runs_on: bool,
    /// Desired real-time factor; infinite when flat out.
    pub desired_factor: f64,
    /// Simulated seconds per second, over about the last half second.
    pub actual_factor: f64,
    /// What can be gone back to.
    pub history: HistoryView,
    /// Whether a session file is being written.
    pub recording: bool,
    /// The last step of the session that is being played.
    pub replaying: Option<u64>,
}

/// A command was not taken because the solver is busy and its queue is full; ask again next frame.
#[derive(Clone, Debug)]
pub struct Busy(pub Command);
