//! The loop on the solver thread: apply commands, step when one is due, publish the state.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError};

use super::history::History;
use super::pacing::{Pacer, RateMeter};
use super::passing::Passing;
use super::past::Past;
use super::sessions::Sessions;
use super::steppable::Steppable;
use super::trials::Trials;
use super::{Command, Event, Frame, Pace};
use crate::session::Event as Done;
use crate::world::{Edit, SpecError, WorldSpec};

/// Twice what a common screen shows; more would only cost the solver time.
const FRAME_INTERVAL: Duration = Duration::from_micros(1_000_000 / 120);

/// The worker's ends of the channels. It also holds the reading ends of what it sends, to take back what went stale.
pub(super) struct Ports {
    pub commands: Receiver<Command>,
    pub frames: Sender<Box<Frame>>,
    pub stale_frames: Receiver<Box<Frame>>,
    pub used: Receiver<Box<Frame>>,
    pub events: Sender<Event>,
    pub stale_events: Receiver<Event>,
    pub stop: Arc<AtomicBool>,
}

/// What the thread should do now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    Paused,
    Playing,
    /// So many steps, as fast as they come, then pause.
    Stepping(u32),
}

/// The window is gone.
struct Closed;

/// What is said to whoever wants something of a broken world.
const STOPPED: &str = "the solver has stopped; rewind, reset or load a scene";

pub(super) struct Worker<W: Steppable, F> {
    ports: Ports,
    pub make: F,
    pub world: W,
    /// After a panic the world may be half advanced; nothing but a load, a reset or a rewind touches it then.
    pub broken: bool,
    pub spec: WorldSpec,
    generation: u64,
    pub ticket: u64,
    heard: u64,
    pub mode: Mode,
    pub history: History<W::Kept>,
    pub past: Past,
    pub passing: Passing,
    pub sessions: Sessions,
    pacer: Pacer,
    meter: RateMeter,
    spare: Option<Box<Frame>>,
    /// The state has changed since the last frame.
    changed: bool,
    /// The next frame goes out without regard to the frame interval.
    urgent: bool,
    published: Option<Instant>,
    /// What is to go wrong.
    pub trials: Trials,
}

impl<W: Steppable, F: Fn(WorldSpec) -> Result<W, SpecError>> Worker<W, F> {
    pub fn new(
        ports: Ports,
        make: F,
        world: W,
        spec: WorldSpec,
        playing: bool,
        pace: Pace,
    ) -> Self {
        let now = Instant::now();
        let mut meter = RateMeter::default();
        meter.restart(now, world.time_s());
        let mut worker = Self {
            ports,
            make,
            world,
            broken: false,
            spec,
            generation: 1,
            ticket: 0,
            heard: 0,
            mode: if playing { Mode::Playing } else { Mode::Paused },
            history: History::default(),
            past: Past::default(),
            passing: Passing::default(),
            sessions: Sessions::default(),
            pacer: Pacer::new(pace, now),
            meter,
            spare: None,
            changed: true,
            urgent: true,
            published: None,
            trials: Trials::default(),
        };
        worker.begin_history();
        worker
    }

    /// Works until the window goes.
    pub fn run(&mut self) {
        while self.turn().is_ok() {}
    }

    fn turn(&mut self) -> Result<(), Closed> {
        self.take_commands()?;
        if self.ports.stop.load(Ordering::Relaxed) {
            return Err(Closed);
        }
        if self.urgent {
            // A new world is seen before its first step, which may take long.
            self.publish_if_due();
        }
        let wait = self.step_if_due();
        self.publish_if_due();
        match wait {
            Some(wait) => self.wait_for_command(wait),
            None => Ok(()),
        }
    }

    fn take_commands(&mut self) -> Result<(), Closed> {
        loop {
            match self.ports.commands.try_recv() {
                Ok(command) => self.hear(command),
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(Closed),
            }
        }
    }

    /// Sleeps until a command comes, or for `wait` at the most.
    fn wait_for_command(&mut self, wait: Duration) -> Result<(), Closed> {
        match self.ports.commands.recv_timeout(wait) {
            Ok(command) => self.hear(command),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Closed),
        }
        Ok(())
    }

    /// Takes a step if one is due; otherwise says how long there is nothing to do.
    fn step_if_due(&mut self) -> Option<Duration> {
        // Idle, but not for ever: an hour is below the limits of every clock.
        const IDLE: Duration = Duration::from_secs(3600);
        if self.past.is_seeking() {
            // The picture that was kept first: a step may take long.
            self.publish_if_due();
            self.seek_on();
            return None;
        }
        self.flush_session_if_due();
        match self.mode {
            Mode::Paused => return Some(self.sessions.until_flush().unwrap_or(IDLE)),
            Mode::Stepping(0) => {
                self.pause();
                return Some(IDLE);
            }
            Mode::Stepping(left) => self.mode = Mode::Stepping(left - 1),
            Mode::Playing => {
                if let Err(wait) = self.pacer.take(self.world.dt_s(), Instant::now()) {
                    let unseen = self.changed.then(|| self.until_next_frame());
                    return Some(unseen.map_or(wait, |until| wait.min(until)));
                }
            }
        }
        self.play_due_events();
        // The session may have ended just now.
        if self.mode != Mode::Paused {
            self.step();
        }
        None
    }

    fn step(&mut self) {
        if !self.trials.slowness.is_zero() {
            std::thread::sleep(self.trials.slowness);
        }
        let steps = self.world.steps();
        let step = || {
            self.world.step()?;
            self.trials.fail_if_due(steps)
        };
        match catch(step) {
            Ok(Ok(())) => {
                self.changed = true;
                self.passing.note(self.world.passed());
                self.went_on();
            }
            Ok(Err(sentence)) => {
                self.pause();
                self.tell(Event::Fault(sentence));
                self.return_to_before_the_fault();
            }
            Err(message) => self.break_down(message),
        }
    }

    fn hear(&mut self, command: Command) {
        self.heard += 1;
        self.obey(command);
    }

    pub fn obey(&mut self, command: Command) {
        let Some(command) = self.past.defer(command) else {
            // That it will run is told before it does.
            self.changed = true;
            return;
        };
        match command {
            Command::Edit(edit) => self.edit(edit),
            Command::Load { spec, ticket } => self.load(*spec, ticket),
            Command::Reset => self.load(self.spec.clone(), self.ticket),
            Command::Play => self.go(Mode::Playing),
            Command::Step(steps) => self.step_on(steps),
            Command::Pause => self.pause(),
            Command::SeekTo(step) => self.look_at(step),
            Command::StepBack => {
                self.look_at(self.past.shown(self.world.steps()).saturating_sub(1))
            }
            Command::RewindToLastGood => self.rewind(),
            Command::SetHistoryBudget(bytes) => {
                self.history.set_budget(bytes);
                self.show_now();
            }
            Command::Record { path, head } => self.record(&path, *head),
            Command::StopRecording => self.stop_recording(),
            Command::Replay {
                ticket,
                session,
                other_scene,
            } => {
                if ticket == self.ticket {
                    self.replay(session, other_scene);
                }
            }
            Command::SetPace(pace) => {
                self.pacer.set_pace(pace, Instant::now());
                self.show_now();
            }
        }
    }

    fn edit(&mut self, edit: Edit) {
        if self.broken {
            self.tell(Event::Refused(STOPPED.into()));
            return;
        }
        let of_a_hand = matches!(
            edit,
            Edit::MoveHand { .. } | Edit::TwistHand { .. } | Edit::Release(_)
        );
        if of_a_hand && self.is_in_the_past() {
            // The hand has nothing to do with what it held later: it must not undo what came in between.
            return;
        }
        self.leave_replay();
        self.fork();
        if let Err(sentence) = self.apply(edit)
            && !self.broken
        {
            self.tell(Event::Refused(sentence));
        }
    }

    /// Changes the world and notes it; whether that was allowed.
    pub fn apply(&mut self, edit: Edit) -> Result<(), String> {
        match catch(|| self.world.apply(edit.clone())) {
            Ok(Ok(())) => {
                self.note(Done::Edit(edit));
                self.changed = true;
                self.urgent |= self.mode == Mode::Paused;
                Ok(())
            }
            Ok(Err(SpecError(sentence))) => Err(sentence),
            Err(message) => {
                self.break_down(message.clone());
                Err(message)
            }
        }
    }

    /// Builds a world from `spec`; keeps the present one when that fails.
    fn load(&mut self, spec: WorldSpec, ticket: u64) {
        match build(&self.make, &spec) {
            Ok(world) => {
                self.ticket = ticket;
                self.stop_recording();
                self.sessions.forget_replay();
                self.world = world;
                self.spec = spec;
                self.broken = false;
                self.generation += 1;
                self.begin_history();
                self.restart_clocks();
                self.show_now();
            }
            Err(SpecError(why)) => self.tell(Event::NotLoaded { ticket, why }),
        }
    }

    pub fn go(&mut self, mode: Mode) {
        if self.broken {
            self.tell(Event::Refused(STOPPED.into()));
        } else if self.mode != mode {
            self.fork();
            self.mode = mode;
            self.restart_clocks();
            self.show_now();
        }
    }

    pub fn pause(&mut self) {
        self.mode = Mode::Paused;
        self.show_now();
    }

    pub fn break_down(&mut self, message: String) {
        self.broken = true;
        self.past.stop_seeking();
        self.pause();
        self.tell(Event::Panicked(format!("the solver stopped: {message}")));
    }

    pub fn restart_clocks(&mut self) {
        let now = Instant::now();
        self.pacer.restart(now);
        self.meter.restart(now, self.world.time_s());
    }

    pub fn show_now(&mut self) {
        self.changed = true;
        self.urgent = true;
    }

    fn until_next_frame(&self) -> Duration {
        self.published.map_or(Duration::ZERO, |at| {
            FRAME_INTERVAL.saturating_sub(at.elapsed())
        })
    }

    fn publish_if_due(&mut self) {
        if self.changed && (self.urgent || self.until_next_frame().is_zero()) {
            self.publish();
        }
    }

    fn publish(&mut self) {
        self.changed = false;
        self.urgent = false;
        let now = Instant::now();
        self.published = Some(now);
        if self.ports.frames.is_empty() {
            self.passing.taken();
        }
        let mut frame = self.blank_frame();
        self.history
            .view(self.past.shown(self.world.steps()), &mut frame.history);
        frame.recording = self.sessions.is_recording();
        frame.replaying = self.sessions.replaying();
        // A broken world may not even be able to show itself; then the last frame stays, and the event says why.
        let stored = self.past.picture(&self.history);
        let write = || match stored {
            Some(stored) => frame.snapshot.clone_from(stored),
            None => self.world.snapshot(&mut frame.snapshot),
        };
        if let Err(message) = catch(write) {
            if !self.broken {
                self.break_down(message);
                self.changed = false;
            }
            return;
        }
        self.passing.write(&mut frame.snapshot);
        frame.snapshot.generation = self.generation;
        (frame.ticket, frame.heard) = (self.ticket, self.heard);
        frame.playing = self.mode != Mode::Paused;
        frame.runs_on = self.mode == Mode::Playing || self.past.will_play();
        frame.desired_factor = self.pacer.pace().factor();
        frame.actual_factor = match self.mode {
            Mode::Paused => 0.0,
            _ => self.meter.rate(now, self.world.time_s()),
        };
        self.send_frame(frame);
    }

    fn blank_frame(&mut self) -> Box<Frame> {
        self.spare
            .take()
            .or_else(|| self.ports.used.try_recv().ok())
            .unwrap_or_default()
    }

    /// Latest wins: a frame that the window has not taken is taken back and its buffers are kept.
    fn send_frame(&mut self, frame: Box<Frame>) {
        let mut frame = frame;
        while let Err(TrySendError::Full(back)) = self.ports.frames.try_send(frame) {
            frame = back;
            self.spare = self
                .ports
                .stale_frames
                .try_recv()
                .ok()
                .or(self.spare.take());
        }
    }

    pub fn tell(&self, event: Event) {
        let mut event = event;
        while let Err(TrySendError::Full(back)) = self.ports.events.try_send(event) {
            event = back;
            let _ = self.ports.stale_events.try_recv();
        }
    }
}

/// Builds a world; a panic is a sentence like any other.
pub(super) fn build<W>(
    make: impl Fn(WorldSpec) -> Result<W, SpecError>,
    spec: &WorldSpec,
) -> Result<W, SpecError> {
    catch(|| make(spec.clone()))
        .unwrap_or_else(|message| Err(SpecError(format!("this scene cannot be built: {message}"))))
}

/// Runs `work`; a panic becomes its message.
///
/// Unwind safety: whoever gets an error here marks the world as broken and does not step it again.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "an unknown panic".into())
    })
}
