//! Figures of the last step: what the solver did, how good the result is, where the time went.

use bevy_egui::egui::{self, RichText, Ui};

use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::theme;
use crate::world::{PhaseTimes, StepReport};

/// A name, a figure, and what it means.
type Figure = (&'static str, String, &'static str);

/// All figures, by subject.
pub fn statistics_ui(ui: &mut Ui, view: &View, _: &mut Vec<Action>, widgets: &mut Widgets) {
    let snapshot = &view.shown.snapshot;
    let report = &snapshot.report;
    let points = snapshot.points.len();
    let size = [
        ("strands", snapshot.strands.len().to_string(), "all of them"),
        ("points", points.to_string(), "drawn along all strands"),
        (
            "solids",
            snapshot.solids.len().to_string(),
            "what strands touch",
        ),
        ("steps", snapshot.step.to_string(), "since the start"),
    ];
    let top = table_ui(ui, "Scene", &size);
    table_ui(ui, "Contact", &contact(report));
    table_ui(ui, "Motion", &motion(report));
    let bottom = phases_ui(ui, &report.phases);
    widgets.insert("statistics", top.union(bottom));
}

fn contact(report: &StepReport) -> [Figure; 6] {
    [
        (
            "contacts",
            report.contacts.to_string(),
            "in the one-step problem",
        ),
        (
            "ν",
            format!("{:.3}", report.nu),
            "contact unknowns over degrees of freedom; above one the forces are not unique",
        ),
        (
            "error",
            format!("{:.1e}", report.solver_error),
            "of the contact forces, by the measure that judges all solvers",
        ),
        (
            "iterations",
            report.iterations.to_string(),
            "of the solver, all passes together",
        ),
        (
            "overlap",
            format!("{:.4} radii", report.penetration_over_radius),
            "the deepest, over the smaller radius",
        ),
        (
            "crossings",
            report.crossings.to_string(),
            "strands that passed through something in this step; it is zero",
        ),
    ]
}

fn motion(report: &StepReport) -> [Figure; 8] {
    let energies = &report.energies;
    let total = energies.kinetic_j + energies.elastic_j + energies.gravity_j;
    let joules = |energy: f64| match energy == 0.0 {
        true => "0 J".into(),
        false => format!("{energy:.4e} J"),
    };
    [
        (
            "fastest point",
            format!("{:.3} m/s", report.max_speed_m_s),
            "of all strands",
        ),
        (
            "passes",
            report.passes.to_string(),
            "how often the step was linearised",
        ),
        (
            "substeps",
            report.substeps.to_string(),
            "extra steps of a step that was divided",
        ),
        (
            "held back",
            report.held_back.to_string(),
            "pieces of a step in which strands went less far",
        ),
        ("kinetic", joules(energies.kinetic_j), "energy of motion"),
        (
            "elastic",
            joules(energies.elastic_j),
            "energy of stretching, bending, twisting",
        ),
        (
            "gravity",
            joules(energies.gravity_j),
            "energy of height, zero at the origin",
        ),
        ("total", joules(total), "all three"),
    ]
}

fn heading(ui: &mut Ui, title: &str) {
    ui.add_space(6.0);
    ui.label(RichText::new(title).strong().color(theme::of(ui).accent));
}

/// Two columns below a heading; returns where they are.
fn table_ui(ui: &mut Ui, title: &str, figures: &[Figure]) -> egui::Rect {
    heading(ui, title);
    // Lines of text, not of buttons.
    ui.spacing_mut().interact_size.y = 16.0;
    let grid = egui::Grid::new(title)
        .num_columns(2)
        .min_col_width(92.0)
        .spacing([12.0, 3.0]);
    let shown = grid.show(ui, |ui| {
        for (name, figure, meaning) in figures {
            let name = ui.label(RichText::new(*name).color(theme::of(ui).faint));
            name.on_hover_text(*meaning);
            ui.label(RichText::new(figure).monospace());
            ui.end_row();
        }
    });
    shown.response.rect
}

/// A bar for each phase of the step, as long as its share; returns where they are.
fn phases_ui(ui: &mut Ui, phases: &PhaseTimes) -> egui::Rect {
    heading(ui, &format!("Time of a step: {:.2} ms", phases.total_ms()));
    let rows = [
        (
            "dynamics",
            phases.dynamics_ms,
            "forces, factorisation, free motion",
        ),
        ("detection", phases.detection_ms, "where things touch"),
        ("assembly", phases.assembly_ms, "W and b"),
        ("solver", phases.solve_ms, "the friction solver"),
        (
            "advance",
            phases.advance_ms,
            "new velocities, positions and frames",
        ),
        (
            "check",
            phases.check_ms,
            "that nothing passes through anything; what overlaps is moved apart",
        ),
        ("other", phases.other_ms, "edits, guard, report"),
    ];
    let total = phases.total_ms().max(1e-9);
    let mut whole = egui::Rect::NOTHING;
    for (name, ms, meaning) in rows {
        whole = whole.union(bar_ui(ui, name, ms, (ms / total) as f32, meaning));
    }
    whole
}

fn bar_ui(ui: &mut Ui, name: &str, ms: f64, share: f32, meaning: &str) -> egui::Rect {
    let palette = theme::of(ui);
    let size = egui::vec2(ui.available_width(), 18.0);
    let (rect, shown) = ui.allocate_exact_size(size, egui::Sense::hover());
    let font = egui::FontId::proportional(12.5);
    let left = egui::Align2::LEFT_CENTER;
    ui.painter()
        .text(rect.left_center(), left, name, font, palette.faint);
    let mut track = rect.shrink2(egui::vec2(0.0, 5.0));
    track.min.x += 76.0;
    track.max.x -= 72.0;
    ui.painter().rect_filled(track, 3.0, palette.well);
    let mut bar = track;
    bar.max.x = bar.min.x + share.clamp(0.0, 1.0) * track.width();
    ui.painter().rect_filled(bar, 3.0, palette.accent);
    // As many digits as there is room for.
    let decimals = match ms {
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    let figure = format!("{ms:.decimals$} ms");
    let (right, mono) = (egui::Align2::RIGHT_CENTER, egui::FontId::monospace(12.0));
    ui.painter()
        .text(rect.right_center(), right, figure, mono, palette.text);
    shown.on_hover_text(meaning);
    rect
}
