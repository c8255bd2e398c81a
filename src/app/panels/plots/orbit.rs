//! The free end of the first strand in its phase space: its velocity over its place, along both level axes.

use bevy_egui::egui::Ui;

use super::super::Widgets;
use super::chart::{COLORS, Chart, Curve};
use crate::app::series::Series;

/// What is drawn, s: a few periods of what swings about once a second.
const DRAWN_S: f64 = 5.0;

/// Two orbits.
pub fn orbit_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
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
        let steps = series.tip().last(DRAWN_S);
        let points = steps.map(|tip| [tip.place_m[axis], tip.velocity_m_s[axis]].map(f64::from));
        let curve = Curve {
            name: "velocity".into(),
            color: COLORS[axis],
            points: points.collect(),
        };
        widgets.insert(id, chart.show(ui, vec![curve]));
    }
}
