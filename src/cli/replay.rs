//! `prusik replay`: play a recorded session without a window, and say whether it is still the same.

use std::sync::Arc;
use std::time::Instant;

use prusik::geometry::knot::KnotNamer;
use prusik::session::{Replay, Session, load_session};
use prusik::world::{Knots, Snapshot, World};
use serde::Serialize;

use super::args::ReplayArgs;
use super::progress::progress_bar;
use super::{Failure, print_json, print_line, use_threads};

/// Steps between two looks at the progress bar.
const BAR_EVERY: u64 = 16;

/// What a replay gives; field names are its JSON.
#[derive(Debug, Default, Serialize)]
struct ReplayReport {
    /// The scene that the session was done to.
    scene: String,
    /// Steps taken.
    steps: u64,
    /// Simulated time, s.
    simulated_s: f64,
    /// Time on the clock, s.
    wall_s: f64,
    /// Edits done.
    edits: usize,
    /// Times strands passed through each other or through solids.
    crossings: usize,
    /// Deepest overlap over the smaller radius.
    penetration_max_over_radius: f64,
    /// Which knot there was first, and which last.
    knot: FirstLast,
    /// Hash of the last state.
    state_hash: String,
    /// How the replay differs from the recording, in a sentence.
    diverged: Option<String>,
    /// Whether the recording broke off.
    cut_short: bool,
    /// What stopped the simulation, if something did.
    fault: Option<String>,
}

/// In a few words, at the start and at the end.
#[derive(Debug, Default, Serialize)]
struct FirstLast {
    first: String,
    last: String,
}

/// Plays a session and prints what came of it.
pub(super) fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let session = load_session(&args.session).map_err(Failure::new)?;
    let report = play(Arc::new(session))?;
    if args.json {
        print_json(&report)?;
    } else {
        print_line(table(&report))?;
    }
    match (report.fault, report.diverged) {
        (Some(fault), _) => Err(Failure::fault(fault)),
        (None, Some(word)) => Err(Failure::broken(word)),
        (None, None) => Ok(()),
    }
}

fn play(session: Arc<Session>) -> Result<ReplayReport, Failure> {
    let scene = session.scene().map_err(Failure::new)?;
    let mut world = World::new(scene.spec.clone())
        .map_err(|why| Failure::new(format!("scene {}: {why}", scene.name)))?;
    let bar = progress_bar(session.last_step(), "steps");
    let mut replay = Replay::new(session.clone(), !session.is_of(&scene));
    let mut report = ReplayReport::default();
    report.knot.first = knot(&world);
    let start = Instant::now();
    loop {
        match replay.step(&mut world) {
            Ok(true) => report.add(&world),
            Ok(false) => break,
            Err(fault) => {
                report.fault = Some(fault.to_string());
                break;
            }
        }
        if world.steps().is_multiple_of(BAR_EVERY) {
            bar.set_position(world.steps());
        }
    }
    bar.finish_and_clear();
    report.scene = scene.name;
    report.steps = world.steps();
    report.simulated_s = world.time_s();
    report.wall_s = start.elapsed().as_secs_f64();
    report.edits = session.edits().count();
    report.knot.last = knot(&world);
    report.state_hash = format!("{:016x}", world.state_hash());
    report.diverged = replay.diverged().map(str::to_owned);
    report.cut_short = session.is_cut_short();
    Ok(report)
}

impl ReplayReport {
    fn add(&mut self, world: &World) {
        let step = world.report();
        self.crossings += step.crossings;
        let deepest = &mut self.penetration_max_over_radius;
        *deepest = deepest.max(step.penetration_over_radius);
    }
}

/// The knots of the state that a world is in, in a few words.
fn knot(world: &World) -> String {
    let mut snapshot = Snapshot::default();
    world.snapshot(&mut snapshot);
    Knots::of(&snapshot, &mut KnotNamer::new()).summary()
}

/// The report as lines of text.
fn table(r: &ReplayReport) -> String {
    let mut lines = vec![
        format!("scene      {}", r.scene),
        format!(
            "time       {:.3} s in {} steps, {} edits; {:.2} s on the clock",
            r.simulated_s, r.steps, r.edits, r.wall_s
        ),
        format!(
            "contact    overlap at most {:.4} of a radius, {} crossings",
            r.penetration_max_over_radius, r.crossings
        ),
        format!("knot       {} → {}", r.knot.first, r.knot.last),
        format!("state      {}", r.state_hash),
    ];
    if r.cut_short {
        lines.push("recording  it broke off before it was stopped".into());
    }
    if r.diverged.is_none() && r.fault.is_none() {
        lines.push("replay     the same as the recording, to the bit".into());
    }
    lines.join("\n")
}
