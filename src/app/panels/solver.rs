//! The choice of the friction solver, by family, and what is asked of it.

use bevy_egui::egui::{self, RichText, TextStyle, Ui};

use super::rows::{Row, combo_width, row_ui, si_slider};
use super::{View, Widgets, choices};
use crate::app::action::Action;
use crate::app::theme;
use crate::friction::{Family, SolverKind};
use crate::world::{Edit, Settings};

/// Most milliseconds that the budget can be dragged to; beyond it there is none.
const MOST_BUDGET_MS: f64 = 1000.0;

/// Method, tolerance, time step, limits.
pub fn solver_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    method_ui(ui, view, asked, widgets);
    tolerance_ui(ui, view, asked, widgets);
    limit_ui(ui, view, asked, widgets);
    budget_ui(ui, view, asked, widgets);
    time_step_ui(ui, view, asked, widgets);
    passes_ui(ui, view, asked, widgets);
}

/// The list of solvers, and below it a sentence on the chosen one.
fn method_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let [chosen, scene] = both(view).map(|settings| settings.solver);
    let row = Row {
        names: ["solver", "solver_back"],
        label: "solver",
        hint: "how contact forces are found",
        differs: chosen != scene,
    };
    let mut clicked = None;
    let mut entries = Widgets::new();
    let answer = row_ui(ui, &row, widgets, |ui| {
        let combo = choices::combo(ui, "solver", chosen.name());
        let combo = combo
            .width(combo_width(ui))
            .show_ui(ui, |ui| list_ui(ui, chosen, &mut entries));
        clicked = combo.inner.flatten();
        combo.response
    });
    widgets.extend(entries);
    if let Some(kind) = clicked.or(answer.put_back.then_some(scene)) {
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
        ui.label(
            RichText::new(chosen.summary())
                .small()
                .color(theme::of(ui).faint),
        );
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
        ui.label(
            RichText::new(family.title())
                .strong()
                .color(theme::of(ui).accent),
        );
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
    let [now, scene] = both(view).map(|settings| settings.tolerance);
    let mut tolerance = now;
    let slider = egui::Slider::new(&mut tolerance, 1e-12..=1e-2)
        .logarithmic(true)
        .clamping(egui::SliderClamping::Edits)
        .custom_formatter(|value, _| format!("{value:.0e}"));
    let row = Row {
        names: ["tolerance", "tolerance_back"],
        label: "tolerance",
        hint: "the solver stops at this error of the contact forces, relative to the free motion: 1e-12 to 1e-2",
        differs: now != scene,
    };
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    if answer.put_back {
        asked.push(Action::Edit(Edit::SetTolerance(scene)));
    } else if answer.changed && tolerance > 0.0 {
        asked.push(Action::Edit(Edit::SetTolerance(tolerance)));
    }
}

fn time_step_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let [now, scene] = both(view).map(|settings| settings.dt_s);
    let mut dt_s = now;
    let slider = si_slider(&mut dt_s, 1e-6..=0.05, "s");
    let row = Row {
        names: ["dt", "dt_back"],
        label: "time step",
        hint: "dt: how far each step leads, 1 µs to 50 ms; smaller is more exact and slower",
        differs: now != scene,
    };
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    if answer.put_back {
        asked.push(Action::Edit(Edit::SetTimeStep(scene)));
    } else if answer.changed && dt_s > 0.0 {
        asked.push(Action::Edit(Edit::SetTimeStep(dt_s)));
    }
}

fn limit_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let [now, scene] = both(view).map(|settings| settings.max_iterations);
    let mut limit = now;
    let slider = egui::Slider::new(&mut limit, 1..=10_000)
        .logarithmic(true)
        .clamping(egui::SliderClamping::Never);
    let row = Row {
        names: ["iterations", "iterations_back"],
        label: "iterations",
        hint: "the solver gives up after so many and returns its best; 1 to 10 000, more can be typed",
        differs: now != scene,
    };
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    if answer.put_back {
        asked.push(Action::Edit(Edit::SetMaxIterations(scene)));
    } else if answer.changed {
        asked.push(Action::Edit(Edit::SetMaxIterations(
            limit.clamp(1, 1_000_000),
        )));
    }
}

fn passes_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let [now, scene] = both(view).map(|settings| settings.max_passes);
    let mut passes = now;
    let slider = egui::Slider::new(&mut passes, 1..=30).clamping(egui::SliderClamping::Edits);
    let row = Row {
        names: ["passes", "passes_back"],
        label: "passes",
        hint: "how often a step may be linearised again until its equation of motion is met: 1 to 30",
        differs: now != scene,
    };
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    if answer.put_back {
        asked.push(Action::Edit(Edit::SetMaxPasses(scene)));
    } else if answer.changed {
        asked.push(Action::Edit(Edit::SetMaxPasses(passes)));
    }
}

fn budget_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let [now, scene] = both(view).map(|settings| settings.solver_budget_ms);
    let mut ms = now.min(MOST_BUDGET_MS);
    let slider = egui::Slider::new(&mut ms, 0.1..=MOST_BUDGET_MS)
        .logarithmic(true)
        .custom_formatter(|ms, _| {
            if ms >= MOST_BUDGET_MS {
                "none".into()
            } else {
                format!("{ms:.1} ms")
            }
        });
    let row = Row {
        names: ["budget", "budget_back"],
        label: "budget",
        hint: "the solver gives up after about so much work and returns its best, to keep the scene live; 0.1 ms to 1 s, or none",
        differs: now != scene,
    };
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    if answer.put_back {
        asked.push(Action::Edit(Edit::SetSolverBudget(scene)));
    } else if answer.changed && ms > 0.0 {
        let budget = if ms >= MOST_BUDGET_MS {
            f64::INFINITY
        } else {
            ms
        };
        asked.push(Action::Edit(Edit::SetSolverBudget(budget)));
    }
}

/// Settings as asked for and as the scene has them.
fn both<'a>(view: &'a View) -> [&'a Settings; 2] {
    let wanted = &view.bridge.wanted;
    [&wanted.values.settings, &wanted.scene.settings]
}
