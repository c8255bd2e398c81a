//! The free end of the first strand in its phase space: its velocity over its place, along both level axes.

use bevy_egui::egui::Ui;

use super::super::Widgets;
use super::chart::{COLORS, Chart, Curve};
use crate::app::series::{Sample, Series};

/// States that are drawn: a few periods of what swings about once a second, as the window shows it.
const DRAWN: usize = 600;

/// Two orbits.
pub fn orbit_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
    let samples = series.samples();
    let from = samples.len().saturating_sub(DRAWN);
    let samples: Vec<&Sample> = samples.iter().skip(from).collect();
    let charts = [
        ("probe_orbit_x", "End of the first strand, along x", 0),
        ("probe_orbit_z", "The same along z", 2),
    ];
    for (id, title, axis) in charts {
        let chart = Chart {
            id,
            title,
            unit: "m/s",
            across: "m",
            decades: false,
            from_zero: true,
        };
        let curve = Curve {
            name: "velocity".into(),
            color: COLORS[axis],
            points: orbit(&samples, axis),
        };
        widgets.insert(id, chart.show(ui, vec![curve]));
    }
}

/// Place and velocity halfway between every two states.
fn orbit(samples: &[&Sample], axis: usize) -> Vec<[f64; 2]> {
    let between = |pair: &[&Sample]| {
        let [x, y] = [pair[0], pair[1]].map(|sample| f64::from(sample.tip_m[axis]));
        [0.5 * (x + y), (y - x) / (pair[1].time_s - pair[0].time_s)]
    };
    let points = samples.windows(2).map(between);
    points
        .filter(|point| point.iter().all(|x| x.is_finite()))
        .collect()
}
