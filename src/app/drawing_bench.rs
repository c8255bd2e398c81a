//! `prusik bench drawing`: how long a frame takes, and how much of it is ours, for one strand, a lock, a head of hair.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::capture::Studio;
use super::colour::ColorMode;
use super::shown::Look;
use super::{AppError, display};
use crate::body::RodModel;
use crate::scene::Scene;
use crate::world::{Outline, Snapshot, StrandPoint, StrandRange};

/// Numbers of strands that are drawn.
const STRANDS: [usize; 3] = [1, 84, 2000];
/// Nodes of each.
const NODES: usize = 100;
/// Size of the picture, pixels.
const SIZE: (u32, u32) = (1280, 720);

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct DrawingTable {
    /// The graphics adapter.
    pub adapter: String,
    /// Whether the processor itself draws.
    pub software: bool,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// One row per number of strands and quantity shown.
    pub rows: Vec<DrawingRow>,
}

/// Frames of one kind. Times are medians, ms.
#[derive(Clone, Debug, Serialize)]
pub struct DrawingRow {
    /// Strands.
    pub strands: usize,
    /// Nodes of each.
    pub nodes: usize,
    /// What their colour shows.
    pub color: &'static str,
    /// A whole frame, until the adapter has drawn it.
    pub frame_ms: f64,
    /// The slowest of them.
    pub slowest_frame_ms: f64,
    /// Of it our own systems, from the new state to the memory that the adapter copies from.
    pub ours_ms: f64,
    /// The slowest of these.
    pub slowest_ours_ms: f64,
}

/// Draws so many frames of each kind offscreen; `done` hears of each row. The scene lends its light and its material.
pub fn drawing(
    scene: &Scene,
    frames: usize,
    mut done: impl FnMut(&DrawingRow),
) -> Result<DrawingTable, AppError> {
    let backends = display::find_backends()?;
    let mut table = DrawingTable {
        adapter: String::new(),
        software: false,
        size: SIZE,
        rows: Vec::new(),
    };
    for strands in STRANDS {
        for color_mode in [ColorMode::Strand, ColorMode::Tension] {
            let look = Look {
                color_mode,
                ..Look::default()
            };
            let scene = with_strands(scene, strands);
            let mut studio = Studio::new(backends, scene, SIZE, look);
            (table.adapter, table.software) = studio.adapter();
            let row = measure(&mut studio, strands, color_mode, frames)?;
            done(&row);
            table.rows.push(row);
        }
    }
    Ok(table)
}

fn with_strands(scene: &Scene, strands: usize) -> Scene {
    let mut scene = scene.clone();
    let rods = &mut scene.spec.rods;
    if let Some(rod) = rods.first().cloned() {
        rods.resize(strands, rod);
    }
    scene
}

fn measure(
    studio: &mut Studio,
    strands: usize,
    color: ColorMode,
    frames: usize,
) -> Result<DrawingRow, AppError> {
    let mut snapshot = bundle(strands);
    let (mut whole, mut ours) = (Vec::new(), Vec::new());
    // The first two make meshes, buffers and pipelines.
    for frame in 0..frames + 2 {
        wave(&mut snapshot, 0.1 * frame as f32);
        let began = Instant::now();
        let cost = studio.show(&snapshot)?;
        if frame >= 2 {
            whole.push(began.elapsed());
            ours.push(cost.strands + cost.glyphs);
        }
    }
    let [frame_ms, slowest_frame_ms] = median_and_most(whole);
    let [ours_ms, slowest_ours_ms] = median_and_most(ours);
    Ok(DrawingRow {
        strands,
        nodes: NODES,
        color: color.name(),
        frame_ms,
        slowest_frame_ms,
        ours_ms,
        slowest_ours_ms,
    })
}

/// In milliseconds.
fn median_and_most(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(0.0, |t| 1e3 * t.as_secs_f64());
    [ms(times.get(times.len() / 2)), ms(times.last())]
}

/// Strands side by side, all straight.
fn bundle(strands: usize) -> Snapshot {
    let range = |index: usize| StrandRange {
        first: (index * NODES) as u32,
        count: NODES as u32,
        color: [0.45, 0.28, 0.16],
        model: RodModel::DiscreteElastic,
        closed: false,
        outline: Outline::Round,
        fixed: false,
    };
    let point = StrandPoint {
        radius: 4e-4,
        half: [4e-4; 2],
        ..Default::default()
    };
    Snapshot {
        strands: (0..strands).map(range).collect(),
        points: vec![point; strands * NODES],
        step: 1,
        ..Default::default()
    }
}

/// Moves every node, as a solver would.
fn wave(snapshot: &mut Snapshot, phase: f32) {
    let strands = snapshot.strands.len().max(1);
    let across = (strands as f32).sqrt().ceil();
    for (k, point) in snapshot.points.iter_mut().enumerate() {
        let (strand, node) = ((k / NODES) as f32, (k % NODES) as f32);
        let (row, column) = ((strand / across).floor(), strand % across);
        let arc = 0.3 * node / NODES as f32;
        let swing = 0.03 * (10.0 * arc + phase + 0.3 * row).sin();
        point.position = [
            0.002 * (column - 0.5 * across) + swing,
            0.35 - arc,
            0.002 * (row - 0.5 * across),
        ];
        let turn = 6.0 * arc + strand;
        point.director = [turn.cos(), 0.0, turn.sin()];
        point.tension = swing;
    }
    snapshot.step += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_states_are_sound() {
        let mut snapshot = bundle(84);
        wave(&mut snapshot, 0.4);
        assert_eq!(snapshot.points.len(), 84 * NODES);
        let finite = |p: &StrandPoint| p.position.iter().all(|x| x.is_finite());
        assert!(snapshot.points.iter().all(finite));
        let unit = |p: &StrandPoint| p.director.iter().map(|x| x * x).sum::<f32>();
        assert!(snapshot.points.iter().all(|p| (unit(p) - 1.0).abs() < 1e-4));
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let times = [5, 1, 9].map(Duration::from_millis).to_vec();
        assert_eq!(median_and_most(times), [5.0, 9.0]);
        assert_eq!(median_and_most(Vec::new()), [0.0, 0.0]);
    }
}
