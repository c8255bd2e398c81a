//! What the window did, as one JSON object written on exit (`--report FILE`): what a test can check from outside.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use bevy::prelude::*;
use serde::Serialize;

use super::AppError;
use super::bridge::Bridge;
use super::dragging::{Dragging, mouse_hold};
use super::shown::Shown;
use crate::world::{HoldKind, Snapshot};

/// Where to write the report, and where to leave the reason if that fails.
#[derive(Resource, Clone)]
pub struct ReportTo {
    /// The file.
    pub path: PathBuf,
    /// Why it could not be written.
    pub failure: Arc<Mutex<Option<AppError>>>,
}

/// Counts what happens, and writes it on exit.
pub struct ReportPlugin;

impl Plugin for ReportPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Tally>().add_systems(
            Last,
            (count, write_report.run_if(resource_exists::<ReportTo>)).chain(),
        );
    }
}

/// Frames that do not count when frames are timed.
const WARM_UP: u64 = 10;

/// What happened so far.
#[derive(Resource, Default, Debug)]
pub struct Tally {
    frames: u64,
    /// The longest frame after the first ones, in which shaders are compiled, s.
    slowest_frame_s: f64,
    /// The largest distance of a held point from where it was taken, m.
    grab_travel_m: f32,
}

#[derive(Serialize)]
struct Report<'a> {
    scene: &'a str,
    simulated_s: f64,
    steps: u64,
    friction: f64,
    settings: SettingsReport,
    frames: u64,
    slowest_frame_s: f64,
    grabs: u64,
    grab_travel_m: f32,
    strand_ends_m: Vec<[[f32; 3]; 2]>,
    holds: Vec<HoldReport>,
    last_fault: Option<&'a str>,
}

#[derive(Serialize)]
struct SettingsReport {
    dt_s: f64,
    solver: &'static str,
    tolerance: f64,
    max_iterations: usize,
}

#[derive(Serialize)]
struct HoldReport {
    id: u32,
    rod: u32,
    kind: &'static str,
    by_hand: bool,
    position_m: [f32; 3],
    force_n: [f32; 3],
}

fn count(
    mut tally: ResMut<Tally>,
    dragging: Res<Dragging>,
    shown: Res<Shown>,
    time: Res<Time<Real>>,
) {
    tally.frames += 1;
    if tally.frames > WARM_UP {
        tally.slowest_frame_s = tally.slowest_frame_s.max(time.delta_secs_f64());
    }
    if let (Some(from), Some(hold)) = (dragging.taken_at(), mouse_hold(&shown)) {
        let travel = Vec3::from(hold.position).distance(from);
        tally.grab_travel_m = tally.grab_travel_m.max(travel);
    }
}

fn write_report(
    exits: MessageReader<AppExit>,
    to: Res<ReportTo>,
    tally: Res<Tally>,
    bridge: Res<Bridge>,
    dragging: Res<Dragging>,
    shown: Res<Shown>,
) {
    if exits.is_empty() {
        return;
    }
    let snapshot = &shown.snapshot;
    let report = Report {
        scene: &shown.scene.name,
        simulated_s: snapshot.time_s,
        steps: snapshot.step,
        friction: snapshot.friction,
        settings: SettingsReport {
            dt_s: snapshot.settings.dt_s,
            solver: snapshot.settings.solver.name(),
            tolerance: snapshot.settings.tolerance,
            max_iterations: snapshot.settings.max_iterations,
        },
        slowest_frame_s: tally.slowest_frame_s,
        frames: tally.frames,
        grabs: dragging.grabs,
        grab_travel_m: tally.grab_travel_m,
        strand_ends_m: strand_ends(snapshot),
        holds: hold_reports(snapshot),
        last_fault: bridge.last_fault.as_deref(),
    };
    let written = serde_json::to_string_pretty(&report)
        .map_err(|why| why.to_string())
        .and_then(|text| std::fs::write(&to.path, text + "\n").map_err(|why| why.to_string()));
    if let (Err(why), Ok(mut failure)) = (written, to.failure.lock()) {
        *failure = Some(AppError::Write {
            path: to.path.clone(),
            why,
        });
    }
}

/// First and last node of each strand, m.
pub fn strand_ends(snapshot: &Snapshot) -> Vec<[[f32; 3]; 2]> {
    let ends = snapshot.strands.iter().filter_map(|strand| {
        let first = strand.first as usize;
        let nodes = snapshot.points.get(first..first + strand.count as usize)?;
        Some([nodes.first()?.position, nodes.last()?.position])
    });
    ends.collect()
}

fn hold_reports(snapshot: &Snapshot) -> Vec<HoldReport> {
    let report = |hold: &crate::world::HoldSnapshot| HoldReport {
        id: hold.id,
        rod: hold.rod,
        kind: match hold.kind {
            HoldKind::Clamp => "clamp",
            HoldKind::Pin => "pin",
            HoldKind::Grab { .. } => "grab",
        },
        by_hand: hold.hand.is_some(),
        position_m: hold.position,
        force_n: hold.force,
    };
    snapshot.holds.iter().map(report).collect()
}
