//! The only file that talks to the solver thread. It takes the newest frame, hands over commands without waiting,
//! and turns the solver's events into sentences on screen.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bevy::prelude::*;

use super::outbox::Outbox;
use super::shown::Shown;
use super::toasts::Toasts;
use super::wanted::Wanted;
use crate::runner::{Command, Event, HistoryView, KnotWatch, Pace, Runner};
use crate::scene::Scene;
use crate::session::{Head, Session};
use crate::world::{Edit, Knots, Snapshot, SpecError, WorldSpec};

/// The slowest and the fastest speed that can be asked for.
pub const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// Takes frames before everything else in a frame, sends commands after everything else.
pub struct BridgePlugin;

impl Plugin for BridgePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(First, receive).add_systems(Last, send);
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
    knot_watch: KnotWatch,
    outbox: Outbox,
    /// Frames up to this generation belong to a world that is gone.
    stale_generation: Option<u64>,
    /// The knots on show, once they are named.
    pub knots: Option<Knots>,
    /// Whether it runs, as asked.
    pub playing: bool,
    /// Desired real-time factor, as asked.
    pub speed: f64,
    /// Simulated seconds per second.
    pub actual_factor: f64,
    /// Whether the demonstration is played, as asked.
    pub demo: bool,
    /// What the panels have asked the world to be.
    pub wanted: Wanted,
    /// What stopped the solver, until it is reset.
    pub fault: Option<String>,
    /// The last thing that ever stopped it.
    pub last_fault: Option<String>,
    /// What can be gone back to.
    pub history: HistoryView,
    /// Whether a session is being recorded.
    pub recording: bool,
    /// The last step of the session that is being watched.
    pub replaying: Option<u64>,
    /// Whether the world began with its demonstration on.
    began_with_demo: bool,
}

impl Bridge {
    /// Starts the solver with a scene, running in real time, its demonstration off.
    pub fn start(scene: &Scene) -> Result<Self, SpecError> {
        let speed = 1.0;
        let runner = Runner::start(by_hand(scene), true, Pace::RealTime { speed })?;
        Ok(Self {
            runner,
            knot_watch: KnotWatch::start(),
            knots: None,
            outbox: Outbox::default(),
            stale_generation: None,
            playing: true,
            speed,
            actual_factor: 0.0,
            demo: false,
            wanted: Wanted::new(scene),
            fault: None,
            last_fault: None,
            history: HistoryView::default(),
            recording: false,
            replaying: None,
            began_with_demo: false,
        })
    }

    /// Changes the world.
    pub fn edit(&mut self, edit: Edit) {
        self.wanted.note(&edit);
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

    /// Goes back by one step and stops.
    pub fn step_back(&mut self) {
        self.playing = false;
        self.outbox.push(Command::StepBack);
    }

    /// Shows the state after so many steps and stops.
    pub fn seek_to(&mut self, step: u64) {
        self.playing = false;
        self.outbox.push(Command::SeekTo(step));
    }

    /// Back to a state from before a fault.
    pub fn rewind(&mut self) {
        self.fault = None;
        self.playing = false;
        self.outbox.push(Command::RewindToLastGood);
    }

    /// Starts to record a session of the scene, or ends it.
    pub fn toggle_recording(&mut self, scene: &Scene) {
        self.outbox.push(if self.recording {
            Command::StopRecording
        } else {
            Command::Record {
                path: session_file(scene),
                head: Box::new(Head::of(scene, self.began_with_demo)),
            }
        });
        // Asked again before the first answer it would be the same wish twice.
        self.recording ^= true;
    }

    /// Saves what was done so far as a session, and waits a moment for it: for when the window has to go. None if the solver
    /// is too busy, or if it does not work.
    pub fn save_session(&mut self, scene: &Scene) -> Option<PathBuf> {
        const PATIENCE: Duration = Duration::from_secs(1);
        let path = session_file(scene);
        let head = Box::new(Head::of(scene, self.began_with_demo));
        let record = Command::Record {
            path: path.clone(),
            head,
        };
        self.runner.send(record).ok()?;
        self.runner.send(Command::StopRecording).ok()?;
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match self.runner.event() {
                // Another may have been under way, and ends first.
                Some(Event::Recorded(written)) if written == path => return Some(path),
                Some(_) => {}
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
        None
    }

    /// Replaces the scene and does to it what was done in a session.
    pub fn watch(&mut self, scene: &Scene, session: Arc<Session>, old: &Snapshot) {
        self.begin(scene, scene.spec.demo, old);
        self.outbox.push(Command::Replay {
            other_scene: !session.is_of(scene),
            session,
        });
        self.set_playing(true);
    }

    fn begin(&mut self, scene: &Scene, demo: bool, old: &Snapshot) {
        self.fault = None;
        self.wanted = Wanted::new(scene);
        self.demo = demo;
        self.began_with_demo = demo;
        self.knots = None;
        self.stale_generation = Some(old.generation);
        let spec = WorldSpec {
            demo,
            ..scene.spec.clone()
        };
        self.outbox.push(Command::Load(Box::new(spec)));
    }

    /// Starts the scene again, with the settings of the panel.
    pub fn reset(&mut self) {
        self.fault = None;
        self.outbox.push(Command::Reset);
        self.outbox.push(Command::Edit(Edit::PlayDemo(self.demo)));
        for edit in self.wanted.again() {
            self.outbox.push(Command::Edit(edit));
        }
        if self.playing {
            // A fault paused it.
            self.outbox.push(Command::Play);
        }
    }

    /// Replaces the scene.
    pub fn load(&mut self, scene: &Scene, old: &Snapshot) {
        self.begin(scene, false, old);
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

/// A new file in the folder where Prusik was started.
fn session_file(scene: &Scene) -> PathBuf {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |d| d.as_secs());
    PathBuf::from(format!("prusik-{}-{seconds}.session", scene.name))
}

fn recorded(path: &std::path::Path) -> String {
    let shown = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    format!(
        "Recorded {}; play it with prusik replay FILE",
        shown.display()
    )
}

fn receive(mut bridge: ResMut<Bridge>, mut shown: ResMut<Shown>, mut toasts: ResMut<Toasts>) {
    while let Some(event) = bridge.runner.event() {
        match event {
            Event::Refused(why) => {
                bridge.wanted.refused(&shown.snapshot);
                toasts.warn(why);
            }
            Event::Fault(why) | Event::Panicked(why) => bridge.stopped(why),
            Event::Recorded(path) => toasts.say(recorded(&path)),
            Event::NotRecorded(why) => toasts.warn(why),
            Event::Replayed(diverged) => {
                bridge.playing = false;
                match diverged {
                    Some(word) => toasts.warn(word),
                    None => toasts.say("The session is over. Go on from here with your own hands."),
                }
            }
            Event::ReplayLeft => toasts.say("The session is over: the scene is yours."),
        }
    }
    name_knots(&mut bridge, &shown.snapshot);
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
        bridge.recording = frame.recording;
        bridge.replaying = frame.replaying;
        std::mem::swap(&mut bridge.history, &mut frame.history);
        // Swapped, not copied: the old buffers go back to the solver.
        std::mem::swap(&mut shown.snapshot, &mut frame.snapshot);
        shown.snapshot_count += 1;
        let sent = bridge.outbox.is_empty();
        bridge.wanted.follow(&shown.snapshot, sent);
    }
    bridge.runner.recycle(frame);
}

/// Takes the names that are known by now, and asks for those of what is on show.
fn name_knots(bridge: &mut Bridge, shown: &Snapshot) {
    if let Some((generation, knots)) = bridge.knot_watch.newest()
        && generation == shown.generation
    {
        bridge.knots = Some(knots);
    }
    bridge.knot_watch.offer(shown);
}

fn send(mut bridge: ResMut<Bridge>) {
    let Bridge { runner, outbox, .. } = bridge.as_mut();
    outbox.deliver(|command| runner.send(command).map_err(|busy| busy.0));
}
