//! The bar at the bottom.

use bevy_egui::egui::{self, RichText, Ui};

use super::View;
use crate::app::{ground, theme};

/// Bars at least so wide have room for these, points; what matters less goes first, the knot's name stays.
const ITERATIONS_FROM: f32 = 1000.0;
const RESIDUAL_FROM: f32 = 900.0;
const GRID_FROM: f32 = 780.0;
const PACE_FROM: f32 = 680.0;
const CONTACTS_FROM: f32 = 480.0;
/// Room for the grid and the frames per second, points.
const GRID_ROOM: f32 = 150.0;

/// Times, contacts, residual, iterations, frames per second.
pub fn status_ui(ui: &mut Ui, view: &View) {
    let snapshot = &view.shown.snapshot;
    let report = &snapshot.report;
    let width = ui.available_width();
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        state_ui(ui, view);
        item(ui, "t", &format!("{:.3} s", snapshot.time_s));
        if width >= PACE_FROM {
            pace_ui(ui, view);
        }
        if width >= CONTACTS_FROM {
            item(ui, "contacts", &report.contacts.to_string());
        }
        if width >= RESIDUAL_FROM {
            let error = match report.solver_error == 0.0 {
                true => "0".into(),
                false => format!("{:.1e}", report.solver_error),
            };
            let residual = item(ui, "residual", &error);
            residual.on_hover_text(
                "error of the contact forces by the common measure; compare the tolerance",
            );
        }
        if width >= ITERATIONS_FROM {
            item(ui, "iterations", &report.iterations.to_string());
        }
        let with_grid = width >= GRID_FROM;
        knots_ui(ui, view, if with_grid { GRID_ROOM } else { 0.0 });
        if with_grid {
            grid_ui(ui, view);
        }
    });
}

fn pace_ui(ui: &mut Ui, view: &View) {
    let factor = format!(
        "{:.2}× of {:.2}×",
        view.bridge.actual_factor, view.bridge.speed
    );
    let shown = item(ui, "real time", &factor);
    shown.on_hover_text("simulated seconds per second: reached, of desired");
}

/// On the right: the grid, and frames per second.
fn grid_ui(ui: &mut Ui, view: &View) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.label(format!("{:.0} fps", view.frame_rate.0));
        ui.add_space(12.0);
        let cell = ground::cell_m(&view.shown);
        let grid = item(ui, &length(cell), "grid");
        grid.on_hover_text("distance of the fine grid lines");
    });
}

fn state_ui(ui: &mut Ui, view: &View) {
    let (text, color) = if view.bridge.fault.is_some() {
        ("STOPPED", theme::of(ui).alarm)
    } else if view.running() {
        ("RUNNING", theme::of(ui).accent)
    } else {
        ("PAUSED", theme::of(ui).paused)
    };
    let size = egui::vec2(72.0, 18.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter().rect_filled(rect, 5.0, color);
    ui.painter().text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        text,
        egui::FontId::proportional(12.0),
        theme::text_on(color),
    );
    ui.add_space(8.0);
}

/// Which knots the strands make; what is too long to leave `room` on the right is cut short.
fn knots_ui(ui: &mut Ui, view: &View, room: f32) {
    let Some(knots) = view.bridge.knots.as_ref().filter(|knots| knots.count > 0) else {
        return;
    };
    let name = if knots.count == 1 { "knot" } else { "knots" };
    let open = matches!(view.shown.snapshot.strands.as_slice(), [strand] if !strand.closed);
    let name = ui.label(RichText::new(name).color(theme::of(ui).faint));
    let summary = RichText::new(everyday(knots.summary(), open)).monospace();
    let width = (ui.available_width() - room).max(0.0);
    let summary = ui.scope(|ui| {
        ui.set_max_width(width);
        ui.add(egui::Label::new(summary).truncate())
    });
    name.union(summary.inner).on_hover_text(
        "which knot the centreline makes, the ends of an open strand led on to infinity: named by its Alexander polynomial, \
         up to eight crossings; loops that are linked, with their linking number",
    );
}

/// With the name that the knot has in a single open rope, where it has a common one.
fn everyday(summary: String, open: bool) -> String {
    match summary.as_str() {
        "trefoil (3_1)" if open => format!("overhand knot, {summary}"),
        _ => summary,
    }
}

/// A faint name and a figure whose width does not jump.
fn item(ui: &mut Ui, name: &str, value: &str) -> egui::Response {
    let name = ui.label(RichText::new(name).color(theme::of(ui).faint));
    let value = ui.label(RichText::new(value).monospace());
    ui.add_space(12.0);
    name.union(value)
}

/// A power of ten in metres, in the unit people use for it.
fn length(metres: f32) -> String {
    if metres >= 0.9 {
        format!("{metres:.0} m")
    } else if metres >= 0.009 {
        format!("{:.0} cm", 100.0 * metres)
    } else {
        format!("{:.1} mm", 1000.0 * metres)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trefoil_in_an_open_rope_is_an_overhand_knot() {
        let name = |open| everyday("trefoil (3_1)".into(), open);
        assert_eq!(name(true), "overhand knot, trefoil (3_1)");
        assert_eq!(name(false), "trefoil (3_1)");
        assert_eq!(everyday("unknot".into(), true), "unknot");
    }

    #[test]
    fn lengths_use_the_unit_people_use() {
        let texts = [1.0, 0.1, 0.01, 0.001].map(length);
        assert_eq!(texts, ["1 m", "10 cm", "1 cm", "1.0 mm"]);
    }
}
