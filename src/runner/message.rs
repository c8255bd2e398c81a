//! What the window and the solver thread say to each other.

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
    /// Replace the world.
    Load(Box<WorldSpec>),
    /// Start again from the last loaded description; pause state and pace stay.
    Reset,
    /// Run.
    Play,
    /// Stop after the step under way.
    Pause,
    /// Take so many steps, then pause.
    Step(u32),
    /// Change the pace.
    SetPace(Pace),
}

/// What the runner tells, besides snapshots. Each text is a sentence for the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A load or an edit was refused; nothing changed.
    Refused(String),
    /// The step could not be taken; the runner is paused with the last good state.
    Fault(String),
    /// The solver panicked; the runner is paused, and takes `Reset` and `Load`.
    Panicked(String),
}

/// A snapshot with the runner's own figures.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The world.
    pub snapshot: Snapshot,
    /// Whether it runs.
    pub playing: bool,
    /// Desired real-time factor; infinite when flat out.
    pub desired_factor: f64,
    /// Simulated seconds per second, over about the last half second.
    pub actual_factor: f64,
}

/// A command was not taken because the solver is busy and its queue is full; ask again next frame.
#[derive(Clone, Debug)]
pub struct Busy(pub Command);
