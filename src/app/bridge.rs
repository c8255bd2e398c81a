//! The only file that talks to the solver thread. It takes the newest frame, hands over commands without waiting,
//! and turns the solver's events into sentences on screen.

use bevy::prelude::*;

use super::outbox::Outbox;
use super::shown::Shown;
use super::toasts::Toasts;
use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::runner::{Command, Event, Pace, Runner};
use crate::scene::Scene;
use crate::world::{Edit, Snapshot, SpecError, WorldSpec};

/// The slowest and the fastest speed that can be asked for.
pub const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// Takes frames before everything else in a frame, sends commands after everything else.
pub struct BridgePlugin;

impl Plugin for BridgePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(First, receive).add_systems(Last, send);
    }
}

/// Settings changed in the panel since the scene was loaded. They survive a reset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overrides {
    /// µ of pairs not listed.
    pub friction: Option<f64>,
    /// Time step, s.
    pub dt_s: Option<f64>,
    /// Model of all strands.
    pub model: Option<RodModel>,
    /// Contact detector.
    pub detector: Option<DetectorKind>,
    /// Friction solver.
    pub solver: Option<SolverKind>,
    /// Its tolerance.
    pub tolerance: Option<f64>,
    /// Its iteration limit.
    pub max_iterations: Option<usize>,
    /// Its budget of work, nominal ms.
    pub solver_budget_ms: Option<f64>,
}

impl Overrides {
    fn note(&mut self, edit: &Edit) {
        match *edit {
            Edit::SetFriction(mu) => self.friction = Some(mu),
            Edit::SetTimeStep(dt) => self.dt_s = Some(dt),
            Edit::SetModel { rod: None, model } => self.model = Some(model),
            Edit::SetDetector(kind) => self.detector = Some(kind),
            Edit::SetSolver(kind) => self.solver = Some(kind),
            Edit::SetTolerance(tolerance) => self.tolerance = Some(tolerance),
            Edit::SetMaxIterations(limit) => self.max_iterations = Some(limit),
            Edit::SetSolverBudget(ms) => self.solver_budget_ms = Some(ms),
            _ => {}
        }
    }

    fn edits(&self) -> impl Iterator<Item = Edit> {
        [
            self.friction.map(Edit::SetFriction),
            self.dt_s.map(Edit::SetTimeStep),
            self.model.map(|model| Edit::SetModel { rod: None, model }),
            self.detector.map(Edit::SetDetector),
            self.solver.map(Edit::SetSolver),
            self.tolerance.map(Edit::SetTolerance),
            self.max_iterations.map(Edit::SetMaxIterations),
            self.solver_budget_ms.map(Edit::SetSolverBudget),
        ]
        .into_iter()
        .flatten()
    }

    /// Forgets what the world does not have: it was refused.
    fn keep_only_granted(&mut self, snapshot: &Snapshot) {
        let settings = &snapshot.settings;
        self.friction = self.friction.filter(|mu| *mu == snapshot.friction);
        self.dt_s = self.dt_s.filter(|dt| *dt == settings.dt_s);
        self.model = self.model.filter(|model| snapshot.model() == Some(*model));
        self.detector = self.detector.filter(|kind| *kind == settings.detector);
        self.solver = self.solver.filter(|kind| *kind == settings.solver);
        self.tolerance = self.tolerance.filter(|t| *t == settings.tolerance);
        self.max_iterations = self
            .max_iterations
            .filter(|n| *n == settings.max_iterations);
        self.solver_budget_ms = self
            .solver_budget_ms
            .filter(|ms| *ms == settings.solver_budget_ms);
    }
}

/// A scene's world with its demonstration off from the very first step: in the window the hands are the user's.
fn by_hand(scene: &Scene) -> WorldSpec {
    WorldSpec {
        demo: false,
        ..scene.spec.clone()
    }
}

/// The solver thread, seen from the window.
#[derive(Resource)]
pub struct Bridge {
    runner: Runner,
    outbox: Outbox,
    /// Frames up to this generation belong to a world that is gone.
    stale_generation: Option<u64>,
    /// Whether it runs, as asked.
    pub playing: bool,
    /// Desired real-time factor, as asked.
    pub speed: f64,
    /// Simulated seconds per second.
    pub actual_factor: f64,
    /// Whether the demonstration is played, as asked.
    pub demo: bool,
    /// Settings changed in the panel.
    pub overrides: Overrides,
    /// What stopped the solver, until it is reset.
    pub fault: Option<String>,
    /// The last thing that ever stopped it.
    pub last_fault: Option<String>,
}

impl Bridge {
    /// Starts the solver with a scene, running in real time, its demonstration off.
    pub fn start(scene: &Scene) -> Result<Self, SpecError> {
        let speed = 1.0;
        let runner = Runner::start(by_hand(scene), true, Pace::RealTime { speed })?;
        Ok(Self {
            runner,
            outbox: Outbox::default(),
            stale_generation: None,
            playing: true,
            speed,
            actual_factor: 0.0,
            demo: false,
            overrides: Overrides::default(),
            fault: None,
            last_fault: None,
        })
    }

    /// Changes the world.
    pub fn edit(&mut self, edit: Edit) {
        self.overrides.note(&edit);
        if let Edit::PlayDemo(on) = edit {
            self.demo = on;
        }
        self.outbox.push(Command::Edit(edit));
    }

    /// Runs or stops.
    pub fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.outbox.push(if playing {
            Command::Play
        } else {
            Command::Pause
        });
    }

    /// Takes one step and stops.
    pub fn step(&mut self) {
        self.playing = false;
        self.outbox.push(Command::Step(1));
    }

    /// Starts the scene again, with the settings of the panel.
    pub fn reset(&mut self) {
        self.fault = None;
        self.outbox.push(Command::Reset);
        self.outbox.push(Command::Edit(Edit::PlayDemo(self.demo)));
        for edit in self.overrides.edits() {
            self.outbox.push(Command::Edit(edit));
        }
        if self.playing {
            // A fault paused it.
            self.outbox.push(Command::Play);
        }
    }

    /// Replaces the scene.
    pub fn load(&mut self, scene: &Scene, old: &Snapshot) {
        self.fault = None;
        self.overrides = Overrides::default();
        self.demo = false;
        self.stale_generation = Some(old.generation);
        self.outbox.push(Command::Load(Box::new(by_hand(scene))));
        if self.playing {
            self.outbox.push(Command::Play);
        }
    }

    /// Asks for a real-time factor, held within [`SPEED_RANGE`].
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed.clamp(*SPEED_RANGE.start(), *SPEED_RANGE.end());
        self.outbox
            .push(Command::SetPace(Pace::RealTime { speed: self.speed }));
    }

    fn stopped(&mut self, why: String) {
        self.last_fault = Some(why.clone());
        self.fault = Some(why);
    }
}

fn receive(mut bridge: ResMut<Bridge>, mut shown: ResMut<Shown>, mut toasts: ResMut<Toasts>) {
    while let Some(event) = bridge.runner.event() {
        match event {
            Event::Refused(why) => {
                bridge.overrides.keep_only_granted(&shown.snapshot);
                toasts.warn(why);
            }
            Event::Fault(why) | Event::Panicked(why) => bridge.stopped(why),
        }
    }
    let Some(mut frame) = bridge.runner.newest() else {
        return;
    };
    let generation = frame.snapshot.generation;
    if bridge
        .stale_generation
        .is_none_or(|stale| generation > stale)
    {
        bridge.stale_generation = None;
        bridge.actual_factor = frame.actual_factor;
        // Swapped, not copied: the old buffers go back to the solver.
        std::mem::swap(&mut shown.snapshot, &mut frame.snapshot);
        shown.snapshot_count += 1;
    }
    bridge.runner.recycle(frame);
}

fn send(mut bridge: ResMut<Bridge>) {
    let Bridge { runner, outbox, .. } = bridge.as_mut();
    outbox.deliver(|command| runner.send(command).map_err(|busy| busy.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Outline, StrandRange};

    fn strands(models: &[RodModel]) -> Snapshot {
        let strand = |model: &RodModel| StrandRange {
            first: 0,
            count: 0,
            color: [1.0; 3],
            model: *model,
            closed: false,
            outline: Outline::Round,
        };
        Snapshot {
            strands: models.iter().map(strand).collect(),
            ..Default::default()
        }
    }

    #[test]
    fn a_chosen_model_survives_a_reset_and_is_forgotten_when_refused() {
        let mut overrides = Overrides::default();
        let edit = Edit::SetModel {
            rod: None,
            model: RodModel::Corde,
        };
        overrides.note(&edit);
        assert!(overrides.edits().any(|again| again == edit));
        overrides.keep_only_granted(&strands(&[RodModel::Corde; 2]));
        assert_eq!(overrides.model, Some(RodModel::Corde));
        overrides.keep_only_granted(&strands(&[RodModel::Corde, RodModel::MassSpring]));
        assert_eq!(overrides.model, None);
    }
}
