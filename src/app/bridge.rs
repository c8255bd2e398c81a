//! The only file that talks to the solver thread. It takes the newest frame, hands over commands without waiting,
//! and turns the solver's events into sentences on screen.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bevy::prelude::*;

use super::outbox::Outbox;
use super::preferences::Opened;
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
    runner: Arc<Runner>,
    knot_watch: KnotWatch,
    outbox: Outbox,
    /// Commands handed over.
    sent: u64,
    /// Number of the scene that is on show; frames of other worlds are not.
    ticket: u64,
    /// The number given last.
    last_ticket: u64,
    /// The scenes that were asked for, the last wish last, until the solver has built one or says that it cannot.
    pending: Vec<Pending>,
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
    /// What stopped the solver, until it goes on.
    pub fault: Option<String>,
    /// Whether it ran until then.
    ran: bool,
    /// Whether only a rewind, a reset or another scene helps.
    broken: bool,
    /// The last thing that ever stopped it.
    pub last_fault: Option<String>,
    /// What can be gone back to.
    pub history: HistoryView,
    /// Whether a session is being recorded.
    pub recording: bool,
    /// The last step of the session that is being watched.
    pub replaying: Option<u64>,
    /// The scene on show, and whether it began with its demonstration on.
    began: Arc<Mutex<(Scene, bool)>>,
}

/// Reaches the solver also when the window is gone, to save what was done.
#[derive(Clone)]
pub struct Lifeline {
    runner: Arc<Runner>,
    began: Arc<Mutex<(Scene, bool)>>,
}

impl Lifeline {
    /// Saves what was done so far as a session, and waits a moment for it. None if the solver is too busy, or if it does not
    /// work.
    pub fn save_session(&self) -> Option<PathBuf> {
        const PATIENCE: Duration = Duration::from_secs(1);
        let (path, head) = {
            let began = self.began.lock().ok()?;
            let (scene, demo) = &*began;
            (session_file(scene), Box::new(Head::of(scene, *demo)))
        };
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
}

/// A scene that the solver is asked to build. Until it has, the old one goes on and stays on show.
struct Pending {
    ticket: u64,
    scene: Scene,
    /// By which name or path; none if that is not to be remembered.
    opened: Option<String>,
    demo: bool,
    /// Whether only a fault has paused the old one: the new one runs.
    runs: bool,
}

impl Bridge {
    /// Starts the solver with a scene, running in real time, its demonstration off.
    pub fn start(scene: &Scene) -> Result<Self, SpecError> {
        let speed = 1.0;
        let runner = Runner::start(by_hand(scene), true, Pace::RealTime { speed })?;
        Ok(Self {
            runner: Arc::new(runner),
            knot_watch: KnotWatch::start(),
            knots: None,
            outbox: Outbox::default(),
            sent: 0,
            ticket: 0,
            last_ticket: 0,
            pending: Vec::new(),
            playing: true,
            speed,
            actual_factor: 0.0,
            demo: false,
            wanted: Wanted::new(scene),
            fault: None,
            ran: false,
            broken: false,
            last_fault: None,
            history: HistoryView::default(),
            recording: false,
            replaying: None,
            began: Arc::new(Mutex::new((scene.clone(), false))),
        })
    }

    /// Changes the world.
    pub fn edit(&mut self, edit: Edit) {
        if !self.pending.is_empty() && !matches!(edit, Edit::Release(_)) {
            // It is meant for the scene on show, and would reach the next one.
            return;
        }
        self.wanted.note(&edit);
        if let Edit::PlayDemo(on) = edit {
            self.demo = on;
        }
        self.outbox.push(Command::Edit(edit));
    }

    /// Runs or stops.
    pub fn set_playing(&mut self, playing: bool) {
        if playing {
            self.go_on();
        }
        self.playing = playing && !self.broken;
        self.outbox.push(if playing {
            Command::Play
        } else {
            Command::Pause
        });
    }

    /// Takes one step and stops.
    pub fn step(&mut self) {
        self.go_on();
        self.playing = false;
        self.outbox.push(Command::Step(1));
    }

    /// Goes back by one step and stops.
    pub fn step_back(&mut self) {
        self.look_back();
        self.outbox.push(Command::StepBack);
    }

    /// Shows the state after so many steps and stops.
    pub fn seek_to(&mut self, step: u64) {
        self.look_back();
        self.outbox.push(Command::SeekTo(step));
    }

    /// Back to a state from before a fault.
    pub fn rewind(&mut self) {
        self.look_back();
        self.outbox.push(Command::RewindToLastGood);
    }

    /// Whoever goes on after a fault has read of it. A world that broke down needs more than that.
    fn go_on(&mut self) {
        if !self.broken {
            self.fault = None;
        }
    }

    /// Going back in time mends also a world that broke down.
    fn look_back(&mut self) {
        (self.fault, self.broken) = (None, false);
        self.playing = false;
    }

    /// Starts to record a session of the scene, or ends it.
    pub fn toggle_recording(&mut self, scene: &Scene) {
        if !self.pending.is_empty() {
            return;
        }
        self.outbox.push(if self.recording {
            Command::StopRecording
        } else {
            Command::Record {
                path: session_file(scene),
                head: Box::new(Head::of(scene, self.began_with_demo())),
            }
        });
        // Asked again before the first answer it would be the same wish twice.
        self.recording ^= true;
    }

    /// For when the window has to go.
    pub fn lifeline(&self) -> Lifeline {
        Lifeline {
            runner: self.runner.clone(),
            began: self.began.clone(),
        }
    }

    fn began_with_demo(&self) -> bool {
        self.began.lock().is_ok_and(|began| began.1)
    }

    /// Replaces the scene and does to it what was done in a session.
    pub fn watch(&mut self, scene: Scene, session: Arc<Session>) {
        let other_scene = !session.is_of(&scene);
        let demo = scene.spec.demo;
        let ticket = self.begin(scene, None, demo);
        self.outbox.push(Command::Replay {
            ticket,
            other_scene,
            session,
        });
    }

    /// Has the solver build a scene, with its demonstration on or off; under which number.
    fn begin(&mut self, scene: Scene, opened: Option<String>, demo: bool) -> u64 {
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        let spec = Box::new(WorldSpec {
            demo,
            ..scene.spec.clone()
        });
        if self.outbox.forget_scene() {
            // The solver has never heard of it.
            self.pending.pop();
        }
        self.outbox.push(Command::Load { spec, ticket });
        self.pending.push(Pending {
            ticket,
            scene,
            opened,
            demo,
            runs: self.stopped_in_its_run(),
        });
        ticket
    }

    /// The scene that was asked for is built, and takes the place of the old one.
    fn arrive(&mut self, ticket: u64, shown: &mut Shown, opened: &mut Opened) {
        let Some(at) = self.pending.iter().position(|p| p.ticket == ticket) else {
            return;
        };
        // Those before it were passed over.
        let Some(pending) = self.pending.drain(..=at).next_back() else {
            return;
        };
        (self.fault, self.broken) = (None, false);
        self.ticket = pending.ticket;
        self.wanted = Wanted::new(&pending.scene);
        self.demo = pending.demo;
        if let Ok(mut began) = self.began.lock() {
            *began = (pending.scene.clone(), pending.demo);
        }
        self.knots = None;
        shown.set_scene(pending.scene);
        if let Some(name) = pending.opened {
            opened.0 = name;
        }
        if pending.runs {
            self.set_playing(true);
        }
    }

    /// The scene that was asked for and is not there yet.
    pub fn coming(&self) -> Option<&Scene> {
        self.pending.last().map(|pending| &pending.scene)
    }

    /// Starts the scene again, with the settings of the panel.
    pub fn reset(&mut self) {
        if !self.pending.is_empty() {
            // Another one is about to start.
            return;
        }
        let runs = self.stopped_in_its_run();
        (self.fault, self.broken) = (None, false);
        self.outbox.push(Command::Reset);
        self.outbox.push(Command::Edit(Edit::PlayDemo(self.demo)));
        for edit in self.wanted.again() {
            self.outbox.push(Command::Edit(edit));
        }
        if runs {
            self.set_playing(true);
        }
    }

    /// Replaces the scene, if it can be built; it is remembered by its name or path.
    pub fn load(&mut self, scene: Scene, opened: String) {
        self.begin(scene, Some(opened), false);
    }

    /// Whether nothing but a fault has paused it.
    fn stopped_in_its_run(&self) -> bool {
        self.fault.is_some() && self.ran
    }

    /// Asks for a real-time factor, held within [`SPEED_RANGE`].
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed.clamp(*SPEED_RANGE.start(), *SPEED_RANGE.end());
        self.outbox
            .push(Command::SetPace(Pace::RealTime { speed: self.speed }));
    }

    fn stopped(&mut self, why: String, broken: bool) {
        self.last_fault = Some(why.clone());
        self.fault = Some(why);
        (self.ran, self.playing) = (self.playing, false);
        self.broken = broken;
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

fn receive(
    mut bridge: ResMut<Bridge>,
    mut shown: ResMut<Shown>,
    mut opened: ResMut<Opened>,
    mut toasts: ResMut<Toasts>,
) {
    while let Some(event) = bridge.runner.event() {
        match event {
            Event::Refused(why) => {
                bridge.wanted.refused(&shown.snapshot);
                toasts.warn(why);
            }
            Event::NotLoaded { ticket, why } => {
                bridge.pending.retain(|pending| pending.ticket != ticket);
                toasts.warn(why);
            }
            Event::Fault(why) => bridge.stopped(why, false),
            Event::Panicked(why) => bridge.stopped(why, true),
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
    bridge.arrive(frame.ticket, &mut shown, &mut opened);
    if frame.ticket == bridge.ticket {
        bridge.actual_factor = frame.actual_factor;
        bridge.recording = frame.recording;
        bridge.replaying = frame.replaying;
        std::mem::swap(&mut bridge.history, &mut frame.history);
        // Swapped, not copied: the old buffers go back to the solver.
        std::mem::swap(&mut shown.snapshot, &mut frame.snapshot);
        shown.snapshot_count += 1;
        let sent = bridge.outbox.is_empty();
        if sent && frame.heard == bridge.sent {
            // It has heard everything: what it does is what was asked for, and what it has not built it cannot build.
            bridge.pending.clear();
            bridge.playing = frame.runs_on && bridge.fault.is_none();
            bridge.demo = frame.snapshot.demo;
        }
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
    let Bridge {
        runner,
        outbox,
        sent,
        ..
    } = bridge.as_mut();
    outbox.deliver(|command| {
        runner.send(command).map_err(|busy| busy.0)?;
        *sent += 1;
        Ok(())
    });
}

#[cfg(test)]
mod tests;
