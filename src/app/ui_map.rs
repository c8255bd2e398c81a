//! Where things are on screen, as a JSON file kept up to date: for tests and tools that drive the real window.
//! Written only if the environment variable `PRUSIK_UI_MAP` names a file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use serde::Serialize;

use super::bridge::Bridge;
use super::camera::MainCamera;
use super::dragging::mouse_hold;
use super::panels::UiArea;
use super::report::strand_ends;
use super::shown::Shown;
use super::theme::Theme;
use super::toasts::Toasts;
use crate::body::RodModel;
use crate::world::Knots;

/// The variable that names the file.
pub const VARIABLE: &str = "PRUSIK_UI_MAP";
/// How often it is written.
const PERIOD: Duration = Duration::from_millis(250);

/// Keeps the map up to date if it is asked for.
pub struct UiMapPlugin;

impl Plugin for UiMapPlugin {
    fn build(&self, app: &mut App) {
        if let Some(path) = std::env::var_os(VARIABLE) {
            app.insert_resource(MapTo {
                path: path.into(),
                written: None,
            })
            .add_systems(Last, write_map);
        }
    }
}

#[derive(Resource)]
struct MapTo {
    path: PathBuf,
    written: Option<Instant>,
}

/// All positions are in pixels from the upper left corner of the window.
#[derive(Serialize)]
struct Map<'a> {
    scene: &'a str,
    window: [f32; 2],
    playing: bool,
    step: u64,
    simulated_s: f64,
    friction: f64,
    /// The knots in a few words, once they are named.
    knots: Option<String>,
    /// Of all strands, none if they differ.
    model: Option<&'static str>,
    /// What is on show to warn the user.
    toasts: Vec<String>,
    solver: &'static str,
    /// The solver that found the forces on show, if there were contacts.
    solved_by: Option<&'static str>,
    holding: bool,
    /// A text field has the focus.
    typing: bool,
    theme: Theme,
    /// Left, top, right, bottom.
    widgets: BTreeMap<&'static str, [f32; 4]>,
    strand_ends: Vec<[Option<[f32; 2]>; 2]>,
    /// Every strand's nodes, those in view.
    strand_points: Vec<Vec<[f32; 2]>>,
}

fn write_map(
    mut to: ResMut<MapTo>,
    shown: Res<Shown>,
    bridge: Res<Bridge>,
    area: Res<UiArea>,
    (mut toasts, theme): (ResMut<Toasts>, Res<Theme>),
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<MainCamera>>,
) {
    if to.written.is_some_and(|at| at.elapsed() < PERIOD) {
        return;
    }
    to.written = Some(Instant::now());
    let scale = window.scale_factor();
    let project = |p: [f32; 3]| {
        let at = camera.0.world_to_viewport(camera.1, Vec3::from(p)).ok()?;
        Some([at.x * scale, at.y * scale])
    };
    let widget = |(name, rect): (&&'static str, &bevy_egui::egui::Rect)| {
        let corners = [rect.min.x, rect.min.y, rect.max.x, rect.max.y];
        (*name, corners.map(|x| x * scale))
    };
    let snapshot = &shown.snapshot;
    let course = &snapshot.convergence;
    let nodes = |strand: &crate::world::StrandRange| {
        let first = strand.first as usize;
        let points = &snapshot.points[first..first + strand.count as usize];
        points.iter().filter_map(|p| project(p.position)).collect()
    };
    let map = Map {
        scene: &shown.scene.name,
        window: [
            window.physical_width() as f32,
            window.physical_height() as f32,
        ],
        playing: bridge.playing,
        step: snapshot.step,
        simulated_s: snapshot.time_s,
        friction: snapshot.friction,
        knots: bridge.knots.as_ref().map(Knots::summary),
        model: snapshot.model().map(RodModel::name),
        toasts: toasts.current().iter().map(|t| t.text.clone()).collect(),
        solver: snapshot.settings.solver.name(),
        solved_by: (!course.points.is_empty()).then(|| course.solver.name()),
        holding: mouse_hold(&shown).is_some(),
        typing: area.typing,
        theme: *theme,
        widgets: area.widgets.iter().map(widget).collect(),
        strand_ends: strand_ends(snapshot)
            .into_iter()
            .map(|ends| ends.map(project))
            .collect(),
        strand_points: snapshot.strands.iter().map(nodes).collect(),
    };
    // Renamed into place, so that a reader never sees half a file.
    let draft = to.path.with_extension("draft");
    let text = serde_json::to_string(&map).unwrap_or_default();
    let written = std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, &to.path));
    if let Err(why) = written {
        warn!("cannot write {}: {why}", to.path.display());
    }
}
