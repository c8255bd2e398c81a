//! The runner with a fake world whose steps do as the test says.

mod passing;
mod past;
mod sessions;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::steppable::Steppable;
use super::trials::Trials;
use super::{Command, Event, Frame, Pace, Runner};
use crate::world::{Edit, Hand, Passed, Settings, Snapshot, SpecError, WorldSpec};

const MS: Duration = Duration::from_millis(1);

/// What the next steps do; shared with the test.
#[derive(Default)]
struct Script {
    panic: AtomicBool,
    fault: AtomicBool,
    /// The step that always fails; 0 for none.
    fault_after: AtomicU64,
    sleep_ms: AtomicU64,
    steps: AtomicU64,
}

struct FakeWorld {
    script: Arc<Script>,
    steps: u64,
    friction: f64,
    hand: Option<Hand>,
}

impl Steppable for FakeWorld {
    type Kept = (u64, f64, Option<Hand>);

    fn steps(&self) -> u64 {
        self.steps
    }
    fn keep(&self, _: Option<&Self::Kept>, out: &mut Self::Kept) {
        *out = (self.steps, self.friction, self.hand);
    }
    fn go_back(&mut self, to: &Self::Kept) {
        (self.steps, self.friction, self.hand) = *to;
    }
    fn bytes(_: &Self::Kept) -> usize {
        size_of::<Self::Kept>()
    }
    fn state_hash(&self) -> u64 {
        self.steps * 1000 + (self.friction * 100.0) as u64
    }
    fn hands(&self) -> Vec<Hand> {
        self.hand.into_iter().collect()
    }
    fn step(&mut self) -> Result<(), String> {
        sleep(Duration::from_millis(
            self.script.sleep_ms.load(Ordering::Relaxed),
        ));
        assert!(!self.script.panic.load(Ordering::Relaxed), "a bad day");
        let bad_step = self.script.fault_after.load(Ordering::Relaxed);
        if self.script.fault.load(Ordering::Relaxed) || (bad_step > 0 && bad_step == self.steps) {
            // A step that fails may have been taken in part.
            self.friction += 0.1;
            return Err("velocity is not finite".into());
        }
        self.steps += 1;
        self.script.steps.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn apply(&mut self, edit: Edit) -> Result<(), SpecError> {
        match edit {
            Edit::SetFriction(mu) if mu >= 0.0 => self.friction = mu,
            Edit::Grab { hand, .. } => self.hand = Some(hand),
            Edit::Release(_) => self.hand = None,
            _ => return Err(SpecError("friction must not be negative".into())),
        }
        Ok(())
    }
    fn snapshot(&self, out: &mut Snapshot) {
        out.step = self.steps;
        out.time_s = self.time_s();
        out.passed.clear();
        out.passed.push(self.passed());
        out.friction = self.friction;
        // Whether a hand holds it.
        out.demo = self.hand.is_some();
    }
    fn passed(&self) -> Passed {
        Passed {
            step: self.steps,
            time_s: self.time_s(),
            ..Passed::default()
        }
    }
    fn time_s(&self) -> f64 {
        self.steps as f64 * self.dt_s()
    }
    fn dt_s(&self) -> f64 {
        0.002
    }
}

fn nothing() -> WorldSpec {
    WorldSpec {
        demo: true,
        rods: vec![],
        solids: vec![],
        holds: vec![],
        surfaces: vec![],
        friction: Default::default(),
        settings: Settings::default(),
    }
}

fn start(playing: bool, pace: Pace) -> (Runner, Arc<Script>) {
    let script = Arc::new(Script::default());
    let for_world = script.clone();
    let make = move |_| {
        Ok(FakeWorld {
            script: for_world.clone(),
            steps: 0,
            friction: 0.3,
            hand: None,
        })
    };
    let runner =
        Runner::start_with(make, nothing(), playing, pace, Trials::default()).expect("starts");
    (runner, script)
}

/// Waits until `look` finds something, for two seconds at the most.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    while start.elapsed() < 2000 * MS {
        if let Some(found) = look() {
            return found;
        }
        sleep(MS);
    }
    panic!("waited in vain for {what}");
}

fn frame_where(runner: &Runner, what: &str, test: impl Fn(&Frame) -> bool) -> Box<Frame> {
    wait_for(what, || runner.newest().filter(|frame| test(frame)))
}

#[test]
fn the_newest_frame_wins() {
    let (runner, script) = start(true, Pace::FlatOut);
    script.sleep_ms.store(1, Ordering::Relaxed);
    // It has run from the start, and on a busy machine far, before its steps became slow.
    let before = script.steps.load(Ordering::Relaxed);
    wait_for("100 slow steps", || {
        (script.steps.load(Ordering::Relaxed) > before + 100).then_some(())
    });
    let frame = runner.newest().expect("a frame");
    let step = frame.snapshot.step as usize;
    assert!(
        step > before as usize + 80,
        "step {step} of {before} and 100"
    );
    assert_eq!(frame.desired_factor, f64::INFINITY);
    assert!(frame.actual_factor > 0.0 && frame.playing);
}

#[test]
fn frames_are_recycled_and_their_rate_is_bounded() {
    let (runner, _) = start(true, Pace::FlatOut);
    let (start, mut seen, mut frames) = (Instant::now(), HashSet::new(), 0);
    while start.elapsed() < 300 * MS {
        if let Some(frame) = runner.newest() {
            frames += 1;
            seen.insert(std::ptr::from_ref::<Frame>(&frame) as usize);
            runner.recycle(frame);
        }
        sleep(MS / 10);
    }
    assert!(frames <= 40, "{frames} frames in 0.3 s");
    assert!(seen.len() <= 4, "{} buffers", seen.len());
}

#[test]
fn a_panicking_step_becomes_an_event_and_reset_recovers() {
    let (runner, script) = start(true, Pace::FlatOut);
    script.panic.store(true, Ordering::Relaxed);
    let event = wait_for("the event", || runner.event());
    assert_eq!(
        event,
        Event::Panicked("the solver stopped: a bad day".into())
    );
    frame_where(&runner, "the pause", |frame| !frame.playing);
    runner.send(Command::Play).unwrap();
    assert!(matches!(
        wait_for("a refusal", || runner.event()),
        Event::Refused(_)
    ));
    script.panic.store(false, Ordering::Relaxed);
    runner.send(Command::Reset).unwrap();
    runner.send(Command::Play).unwrap();
    let frame = frame_where(&runner, "life after reset", |frame| frame.playing);
    assert_eq!(frame.snapshot.generation, 2);
}

#[test]
fn a_fault_pauses_and_reset_recovers() {
    let (runner, script) = start(true, Pace::FlatOut);
    script.fault.store(true, Ordering::Relaxed);
    assert_eq!(
        wait_for("the event", || runner.event()),
        Event::Fault("velocity is not finite".into())
    );
    frame_where(&runner, "the pause", |frame| !frame.playing);
    script.fault.store(false, Ordering::Relaxed);
    runner.send(Command::Reset).unwrap();
    let frame = frame_where(&runner, "the reset", |frame| frame.snapshot.generation == 2);
    assert_eq!((frame.snapshot.step, frame.playing), (0, false));
    let spec = Box::new(nothing());
    runner.send(Command::Load { spec, ticket: 7 }).unwrap();
    let frame = frame_where(&runner, "the load", |frame| frame.snapshot.generation == 3);
    assert_eq!(frame.ticket, 7);
}

#[test]
fn a_world_that_cannot_be_built_leaves_the_one_that_is_there() {
    let script = Arc::new(Script::default());
    let make = move |spec: WorldSpec| match spec.demo {
        true => Ok(FakeWorld {
            script: script.clone(),
            steps: 0,
            friction: 0.3,
            hand: None,
        }),
        false => panic!("it has no end"),
    };
    let runner = Runner::start_with(make, nothing(), true, Pace::FlatOut, Trials::default());
    let runner = runner.expect("starts");
    let before = frame_where(&runner, "steps", |frame| frame.snapshot.step > 0);
    let mut spec = Box::new(nothing());
    spec.demo = false;
    runner.send(Command::Load { spec, ticket: 5 }).unwrap();
    let session = Arc::new(crate::session::Session {
        head: Default::default(),
        events: vec![],
    });
    let replay = Command::Replay {
        ticket: 5,
        session,
        other_scene: false,
    };
    runner.send(replay).unwrap();
    let Event::NotLoaded { ticket, why } = wait_for("a word", || runner.event()) else {
        panic!("another event");
    };
    assert!(ticket == 5 && why.contains("it has no end"), "{why}");
    let after = frame_where(&runner, "more steps", |frame| frame.heard == 2);
    assert!(after.snapshot.step >= before.snapshot.step && after.runs_on);
    assert_eq!((after.ticket, after.replaying), (0, None));
    assert_eq!(after.snapshot.generation, 1);
}

#[test]
fn edits_arrive_while_running_and_at_once_while_paused() {
    let (runner, _) = start(true, Pace::RealTime { speed: 1.0 });
    let set = |mu| runner.send(Command::Edit(Edit::SetFriction(mu))).unwrap();
    set(0.7);
    frame_where(&runner, "the edit", |frame| frame.snapshot.friction == 0.7);
    runner.send(Command::Pause).unwrap();
    frame_where(&runner, "the pause", |frame| !frame.playing);
    set(0.1);
    frame_where(&runner, "the edit while paused", |frame| {
        frame.snapshot.friction == 0.1 && !frame.playing
    });
    set(-1.0);
    assert_eq!(
        wait_for("the refusal", || runner.event()),
        Event::Refused("friction must not be negative".into())
    );
}

#[test]
fn n_steps_are_n_steps() {
    let (runner, script) = start(false, Pace::RealTime { speed: 1.0 });
    runner.send(Command::Step(7)).unwrap();
    let frame = frame_where(&runner, "the pause after it", |frame| {
        frame.snapshot.step > 0 && !frame.playing
    });
    assert_eq!(frame.snapshot.step, 7);
    sleep(30 * MS);
    assert_eq!(script.steps.load(Ordering::Relaxed), 7);
}

#[test]
fn drop_does_not_wait_for_a_slow_step_and_ends_the_thread_after_it() {
    let (runner, script) = start(true, Pace::FlatOut);
    script.sleep_ms.store(2000, Ordering::Relaxed);
    sleep(50 * MS);
    let start = Instant::now();
    drop(runner);
    assert!(start.elapsed() < 100 * MS);
    // The world holds the other reference: it is gone once the thread is.
    script.sleep_ms.store(0, Ordering::Relaxed);
    let ended = Instant::now();
    while Arc::strong_count(&script) > 1 && ended.elapsed() < 4000 * MS {
        sleep(10 * MS);
    }
    assert_eq!(Arc::strong_count(&script), 1);
}

#[test]
fn a_busy_solver_reports_a_full_queue_and_events_stay_bounded() {
    let (runner, script) = start(true, Pace::FlatOut);
    script.sleep_ms.store(200, Ordering::Relaxed);
    sleep(20 * MS);
    let refused = (0..5000)
        .filter(|_| runner.send(Command::Edit(Edit::SetFriction(-1.0))).is_err())
        .count();
    assert!(refused >= 5000 - 2 * super::COMMANDS, "{refused} refused");
    sleep(450 * MS);
    let mut events = 0;
    while runner.event().is_some() {
        events += 1;
    }
    assert!((1..=super::EVENTS).contains(&events), "{events} events");
}

#[test]
fn real_time_is_kept() {
    let (runner, script) = start(true, Pace::RealTime { speed: 1.0 });
    sleep(600 * MS);
    let steps = script.steps.load(Ordering::Relaxed);
    assert!((150..=310).contains(&steps), "{steps} steps in 0.6 s");
    let frame = frame_where(&runner, "a frame", |_| true);
    assert!(frame.actual_factor > 0.3 && frame.actual_factor < 1.2);
}

/// Runs to a step, pauses there.
fn run_to(runner: &Runner, step: u32) {
    runner.send(Command::Step(step)).unwrap();
    frame_where(runner, "the steps", |frame| {
        frame.snapshot.step == u64::from(step) && !frame.playing
    });
}

fn set_friction(runner: &Runner, mu: f64) -> Box<Frame> {
    let edit = Command::Edit(Edit::SetFriction(mu));
    runner.send(edit).unwrap();
    frame_where(runner, "the edit", |frame| frame.snapshot.friction == mu)
}

fn look_at(runner: &Runner, step: u64) -> Box<Frame> {
    runner.send(Command::SeekTo(step)).unwrap();
    frame_where(runner, "the past", |frame| {
        frame.snapshot.step == step && frame.history.now_step == step
    })
}
