//! The panel on the left.

use bevy_egui::egui::{self, RichText, Ui};

use super::{View, Widgets, convergence, detector, legend, model, solver};
use crate::app::action::Action;
use crate::app::bridge::SPEED_RANGE;
use crate::app::colour::ColorMode;
use crate::app::theme;
use crate::world::Edit;

/// Scene, transport, rod model, detector, friction, solver, what to show.
pub fn control_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    egui::ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            // Everything fits into a window of the default size only if lines stand close.
            ui.spacing_mut().item_spacing.y = 3.0;
            scene_ui(ui, view, asked, widgets);
            ui.add_space(4.0);
            transport_ui(ui, view, asked, widgets);
            model::model_ui(ui, view, asked, widgets);
            detector::detector_ui(ui, view, asked, widgets);
            section(ui, "Friction");
            friction_ui(ui, view, asked, widgets);
            solver::solver_ui(ui, view, asked, widgets);
            convergence::convergence_ui(ui, &view.shown.snapshot.convergence, widgets);
            section(ui, "Show");
            show_ui(ui, view, asked, widgets);
            ui.add_space(2.0);
            ui.label(
                RichText::new("F1 lists the keys, Tab hides the panels")
                    .small()
                    .color(theme::FAINT),
            );
        });
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(4.0);
    ui.separator();
    ui.label(RichText::new(title).strong().color(theme::ACCENT));
}

/// A label of fixed width, so that what follows stands in a column.
pub fn row<R>(ui: &mut Ui, label: &str, hint: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let size = egui::vec2(66.0, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let shown = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.label(label)
        });
        shown.inner.on_hover_text(hint);
        add(ui)
    })
    .inner
}

fn scene_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let scene = &view.shown.scene;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Prusik").heading().strong());
        let combo = egui::ComboBox::from_id_salt("scene")
            .width(ui.available_width())
            .selected_text(RichText::new(&scene.name).strong())
            .show_ui(ui, |ui| {
                for entry in &view.scenes.0 {
                    let text = format!("{} · {}", entry.name, entry.title);
                    if ui
                        .selectable_label(entry.name == scene.name, text)
                        .clicked()
                    {
                        asked.push(Action::OpenScene(entry.name.into()));
                    }
                }
            });
        widgets.insert("scene", combo.response.rect);
    });
    ui.label(RichText::new(&scene.title).strong());
    ui.label(RichText::new(&scene.watch).small().color(theme::FAINT));
}

fn transport_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    ui.horizontal(|ui| {
        let mut button = |ui: &mut Ui, name, text: &str, hint: &str, action| {
            let size = egui::vec2(82.0, 28.0);
            let pressed = ui
                .add_sized(size, egui::Button::new(text))
                .on_hover_text(hint);
            widgets.insert(name, pressed.rect);
            if pressed.clicked() {
                asked.push(action);
            }
        };
        let play = if view.running() {
            "⏸ Pause"
        } else {
            "▶ Play"
        };
        button(ui, "play", play, "Space", Action::TogglePlay);
        button(ui, "step", "⏭ Step", "→", Action::Step);
        button(
            ui,
            "reset",
            "⟲ Reset",
            "R: start again, with the settings below",
            Action::Reset,
        );
    });
    let mut speed = view.bridge.speed;
    let slider = egui::Slider::new(&mut speed, SPEED_RANGE)
        .logarithmic(true)
        .suffix(" ×");
    let hint = "desired real-time factor; + and − double and halve it";
    let changed = row(ui, "speed", hint, |ui| ui.add(slider));
    widgets.insert("speed", changed.rect);
    if changed.changed() {
        asked.push(Action::SetSpeed(speed));
    }
    let mut demo = view.bridge.demo;
    let has_demo = view.shown.scene.spec.holds.iter().any(|hold| hold.demo);
    let toggled = ui
        .add_enabled(has_demo, egui::Checkbox::new(&mut demo, "Demonstration"))
        .on_hover_text("hands of the scene pull by themselves")
        .on_disabled_hover_text("this scene has no demonstration");
    widgets.insert("demo", toggled.rect);
    if toggled.changed() {
        asked.push(Action::Edit(Edit::PlayDemo(demo)));
    }
}

fn friction_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.friction;
    let mut mu = view.bridge.overrides.friction.unwrap_or(in_force);
    let slider = egui::Slider::new(&mut mu, 0.0..=2.0)
        .fixed_decimals(3)
        .clamping(egui::SliderClamping::Edits);
    let hint = "coefficient of friction of every pair that the scene does not list";
    let changed = row(ui, "µ", hint, |ui| ui.add(slider));
    widgets.insert("friction", changed.rect);
    if changed.changed() && mu.is_finite() && mu >= 0.0 {
        asked.push(Action::Edit(Edit::SetFriction(mu)));
    }
}

fn show_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    ui.horizontal(|ui| {
        let (mut contacts, mut forces) = (view.look.contacts, view.look.forces);
        let toggled = ui.checkbox(&mut contacts, "contacts").on_hover_text("C");
        widgets.insert("contacts", toggled.rect);
        if toggled.changed() {
            asked.push(Action::ToggleContacts);
        }
        let toggled = ui.checkbox(&mut forces, "forces").on_hover_text("Shift+C");
        widgets.insert("forces", toggled.rect);
        if toggled.changed() {
            asked.push(Action::ToggleForces);
        }
        if view.look.contacts || view.look.forces {
            legend::contacts_ui(ui);
        }
    });
    if view.look.forces {
        legend::arrows_ui(ui, view.forces.longest_n);
    }
    let mode = view.look.color_mode;
    let combo = |ui: &mut Ui| {
        egui::ComboBox::from_id_salt("color")
            .width(ui.available_width() - 8.0)
            .selected_text(mode.name())
            .show_ui(ui, |ui| {
                for other in ColorMode::ALL {
                    if ui.selectable_label(other == mode, other.name()).clicked() {
                        asked.push(Action::SetColorMode(other));
                    }
                }
            })
    };
    let chosen = row(ui, "colour by", "what the colour of a strand shows", combo);
    widgets.insert("color", chosen.response.rect);
    if mode != ColorMode::Strand {
        legend::colors_ui(ui, mode, view.range.limit());
    }
}
