//! The choice of the friction solver, by family, and what is asked of it.

use bevy_egui::egui::{self, RichText, TextStyle, Ui};

use super::control::row;
use super::{View, Widgets, choices};
use crate::app::action::Action;
use crate::app::theme;
use crate::friction::{Family, SolverKind};
use crate::world::Edit;

/// Most milliseconds that the budget can be dragged to; beyond it there is none.
const MOST_BUDGET_MS: f64 = 1000.0;

/// Method, tolerance, time step, limits.
pub fn solver_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    method_ui(ui, view, asked, widgets);
    tolerance_ui(ui, view, asked, widgets);
    ui.horizontal(|ui| {
        time_step_ui(ui, view, asked, widgets);
        limit_ui(ui, view, asked, widgets);
    });
    budget_ui(ui, view, asked, widgets);
}

/// The list of solvers, and below it a sentence on the chosen one.
fn method_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.settings.solver;
    let chosen = view.bridge.overrides.solver.unwrap_or(in_force);
    let combo = row(ui, "solver", "how contact forces are found", |ui| {
        choices::combo(ui, "solver", chosen.name()).show_ui(ui, |ui| list_ui(ui, chosen, widgets))
    });
    widgets.insert("solver", combo.response.rect);
    if let Some(kind) = combo.inner.flatten() {
        asked.push(Action::Edit(Edit::SetSolver(kind)));
    }
    // Two lines, whether or not they are needed: what follows stays where it is.
    let two_lines = 2.0 * ui.text_style_height(&TextStyle::Small);
    let (width, layout) = (
        ui.available_width(),
        egui::Layout::top_down(egui::Align::Min),
    );
    ui.allocate_ui_with_layout(egui::vec2(width, two_lines), layout, |ui| {
        ui.set_min_height(two_lines);
        ui.label(RichText::new(chosen.summary()).small().color(theme::FAINT));
    });
}

/// Every solver under the heading of its family; returns the one that was clicked.
fn list_ui(ui: &mut Ui, chosen: SolverKind, widgets: &mut Widgets) -> Option<SolverKind> {
    let entries = SolverKind::ALL.map(|kind| (kind.name(), kind.summary()));
    let name_width = choices::fit(ui, &entries);
    let mut clicked = None;
    for family in Family::ALL {
        let mut members = SolverKind::ALL.into_iter();
        if members.all(|kind| kind.family() != family) {
            continue;
        }
        ui.add_space(5.0);
        ui.label(RichText::new(family.title()).strong().color(theme::ACCENT));
        for kind in SolverKind::ALL {
            let entry = (kind.name(), kind.summary());
            if kind.family() == family
                && choices::entry_ui(ui, entry, kind == chosen, name_width, widgets)
            {
                clicked = Some(kind);
            }
        }
    }
    ui.add_space(5.0);
    clicked
}

fn tolerance_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.settings.tolerance;
    let mut tolerance = view.bridge.overrides.tolerance.unwrap_or(in_force);
    let slider = egui::Slider::new(&mut tolerance, 1e-12..=1e-2)
        .logarithmic(true)
        .custom_formatter(|value, _| format!("{value:.0e}"));
    let hint = "the solver stops at this error";
    let changed = row(ui, "tolerance", hint, |ui| ui.add(slider));
    widgets.insert("tolerance", changed.rect);
    if changed.changed() && tolerance > 0.0 {
        asked.push(Action::Edit(Edit::SetTolerance(tolerance)));
    }
}

fn time_step_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.settings.dt_s;
    let mut dt_ms = 1e3 * view.bridge.overrides.dt_s.unwrap_or(in_force);
    let drag = egui::DragValue::new(&mut dt_ms)
        .range(0.001..=50.0)
        .speed(0.02)
        .max_decimals(4)
        .suffix(" ms");
    let changed = row(ui, "time step", "dt", |ui| ui.add(drag));
    widgets.insert("dt", changed.rect);
    if changed.changed() && dt_ms > 0.0 {
        asked.push(Action::Edit(Edit::SetTimeStep(1e-3 * dt_ms)));
    }
}

fn limit_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.settings.max_iterations;
    let mut limit = view.bridge.overrides.max_iterations.unwrap_or(in_force);
    let drag = egui::DragValue::new(&mut limit)
        .range(1..=1_000_000)
        .speed(5);
    ui.label("iterations")
        .on_hover_text("at most so many per solve");
    let changed = ui.add(drag);
    widgets.insert("iterations", changed.rect);
    if changed.changed() {
        asked.push(Action::Edit(Edit::SetMaxIterations(limit)));
    }
}

fn budget_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.settings.solver_budget_ms;
    let wanted = view.bridge.overrides.solver_budget_ms.unwrap_or(in_force);
    let mut ms = wanted.min(MOST_BUDGET_MS);
    let slider = egui::Slider::new(&mut ms, 0.1..=MOST_BUDGET_MS)
        .logarithmic(true)
        .custom_formatter(|ms, _| {
            if ms >= MOST_BUDGET_MS {
                "none".into()
            } else {
                format!("{ms:.1} ms")
            }
        });
    let hint =
        "the solver gives up after about so much work and returns its best, to keep the scene live";
    let changed = row(ui, "budget", hint, |ui| ui.add(slider));
    widgets.insert("budget", changed.rect);
    if changed.changed() && ms > 0.0 {
        let budget = if ms >= MOST_BUDGET_MS {
            f64::INFINITY
        } else {
            ms
        };
        asked.push(Action::Edit(Edit::SetSolverBudget(budget)));
    }
}
