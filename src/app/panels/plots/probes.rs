//! Measured along a strand: tension, bending moment, curvature, twist, contact force; and over time: the same at the point
//! that was clicked, forces on bodies and of holds.

use bevy_egui::egui::{self, RichText, Ui};

use super::super::{View, Widgets};
use super::chart::{COLORS, Chart, Curve};
use super::orbit::orbit_ui;
use super::thin::thin;
use super::{course, export_ui, over_time};
use crate::app::action::Action;
use crate::app::colour::ColorMode;
use crate::app::dragging::mouse_hold;
use crate::app::series::{GAUGES, Sample, Series, Table, along};
use crate::app::theme;
use crate::world::StrandPoint;

/// Along the chosen strand, then over time; the orbit first where the scene is about one.
pub fn probes_page(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let count = view.shown.snapshot.strands.len();
    // Where something swings for ever, the orbit is what there is to see: it must not lie below the window's edge.
    let solids = &view.shown.scene.spec.solids;
    let swings = solids.iter().any(|solid| solid.motion.swing.is_some());
    if swings {
        orbit_ui(ui, &view.series, widgets);
        ui.separator();
    }
    if count == 0 {
        let text = "This scene has no strands to measure.";
        ui.label(RichText::new(text).color(theme::of(ui).faint));
    } else {
        let index = strand_ui(ui, view, count, widgets);
        if view.shown.snapshot.strands[index].fixed {
            let text =
                "It is a rail that nothing bends or moves: there is nothing to measure along it.";
            ui.label(RichText::new(text).color(theme::of(ui).faint));
        } else {
            along_ui(ui, view, index, widgets);
            let text = format!("Save strand {} as CSV", index + 1);
            export_ui(ui, view, Table::Strand(index), &text, asked, widgets);
        }
    }
    ui.separator();
    if !swings {
        orbit_ui(ui, &view.series, widgets);
    }
    if view.shown.snapshot.strands.iter().any(|s| !s.fixed) {
        gauges_ui(ui, &view.series, widgets);
    }
    forces_ui(ui, &view.series, widgets);
    export_ui(ui, view, Table::Time, "Save courses as CSV", asked, widgets);
}

/// Which strand: the one in hand, or else the one chosen here; the first that is no rail to begin with.
fn strand_ui(ui: &mut Ui, view: &View, count: usize, widgets: &mut Widgets) -> usize {
    let id = egui::Id::new("probed strand");
    let held = mouse_hold(&view.shown).map(|hold| hold.rod as usize);
    let kept = ui.data(|data| data.get_temp::<usize>(id));
    let first_free = || view.shown.snapshot.strands.iter().position(|s| !s.fixed);
    let index = held.or(kept).or_else(first_free).unwrap_or(0);
    let index = index.min(count - 1);
    let mut number = index + 1;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Strand").strong().color(theme::of(ui).accent));
        let drag = egui::DragValue::new(&mut number)
            .range(1..=count)
            .speed(0.1);
        let shown = theme::add_enabled(ui, count > 1, drag)
            .on_hover_text("drag or type; grabbing a strand chooses it too");
        widgets.insert("probe_strand", shown.rect);
        let name = view.shown.scene.spec.rods.get(index).map(|rod| &rod.name);
        let text = match name {
            Some(name) => format!("of {count}: {name}"),
            None => format!("of {count}"),
        };
        ui.label(RichText::new(text).small().color(theme::of(ui).faint));
    });
    let chosen = number.clamp(1, count) - 1;
    ui.data_mut(|data| data.insert_temp(id, chosen));
    chosen
}

fn along_ui(ui: &mut Ui, view: &View, index: usize, widgets: &mut Widgets) {
    let snapshot = &view.shown.snapshot;
    let nodes: Vec<(f32, &StrandPoint)> = along(snapshot, index).collect();
    let charts = [
        ("probe_tension", "Tension", ColorMode::Tension),
        ("probe_bending", "Bending moment", ColorMode::BendingMoment),
        ("probe_curvature", "Curvature", ColorMode::Curvature),
        ("probe_twist", "Twist", ColorMode::Twist),
        ("probe_contact", "Contact force", ColorMode::ContactForce),
    ];
    for (k, (id, title, mode)) in charts.into_iter().enumerate() {
        let chart = Chart {
            id,
            title,
            unit: mode.unit(),
            across: "m along the strand",
            decades: false,
            from_zero: true,
        };
        let curve = Curve {
            name: title.to_lowercase(),
            color: COLORS[k],
            points: thin(nodes.len(), |n| {
                let (arc, point) = nodes[n];
                [f64::from(arc), f64::from(mode.value(point))]
            }),
        };
        widgets.insert(id, chart.show(ui, vec![curve]));
    }
}

/// At the point that was clicked, over time.
fn gauges_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
    let Some(place) = series.gauged_at() else {
        let hint = "Click a strand to follow its tension and bending moment there over time.";
        ui.label(RichText::new(hint).small().color(theme::of(ui).faint));
        return;
    };
    ui.label(RichText::new(place).strong().color(theme::of(ui).accent));
    let ids = [
        ("gauge_tension", "Tension there"),
        ("gauge_bending", "Bending moment there"),
        ("gauge_twist", "Twist there"),
        ("gauge_contact", "Contact force there"),
    ];
    for (k, ((id, title), gauge)) in ids.into_iter().zip(GAUGES).enumerate() {
        let value = |sample: &Sample| f64::from(sample.gauged(k));
        let curve = course(series, gauge.name(), k, value);
        let rect = over_time(id, title, gauge.unit()).show(ui, vec![curve]);
        widgets.insert(id, rect);
    }
}

/// Force on each solid, and of each hold.
fn forces_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
    let samples = series.samples();
    let curves = series.probes().enumerate().map(|(k, name)| Curve {
        name: name.to_owned(),
        color: COLORS[k % COLORS.len()],
        points: thin(samples.len(), |n| {
            [samples[n].time_s, f64::from(samples[n].force_n(k))]
        }),
    });
    let curves: Vec<Curve> = curves.filter(|curve| !curve.points.is_empty()).collect();
    let rect = over_time("probe_forces", "Forces on bodies and holds", "N").show(ui, curves);
    widgets.insert("probe_forces", rect);
}
