//! The left dock's head, its pages for the scene and for what is shown.

use bevy_egui::egui::{self, AtomExt, RichText, Ui};

use super::rows::heading;
use super::{View, Widgets, changes, friction, gravity, show};
use crate::app::action::Action;
use crate::app::bridge::SPEED_RANGE;
use crate::app::theme::{self, Theme};
use crate::world::Edit;

/// What stands above the tabs, always in sight: the scene and its motion.
pub fn head_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    scene_ui(ui, view, asked, widgets);
    transport_ui(ui, view, asked, widgets);
}

/// What to watch, the pace, friction: what a newcomer needs.
pub fn scene_page(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let scene = &view.shown.scene;
    ui.add_space(4.0);
    ui.label(RichText::new(&scene.watch).color(theme::of(ui).faint));
    ui.add_space(4.0);
    speed_ui(ui, view, asked, widgets);
    friction::default_ui(ui, view, asked, widgets);
    gravity::gravity_ui(ui, view, asked, widgets);
    demo_ui(ui, view, asked, widgets);
    heading(ui, "Changes");
    changes::changes_ui(ui, view, asked, widgets);
    ui.add_space(6.0);
    let keys = "F1 lists the keys, Tab hides the panels";
    ui.label(RichText::new(keys).small().color(theme::of(ui).faint));
}

/// How it is drawn.
pub fn show_page(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    show::show_ui(ui, view, asked, widgets);
    ui.add_space(6.0);
    theme_ui(ui, view, asked, widgets);
    scale_ui(ui, view, asked, widgets);
}

/// The size of letters and buttons.
fn scale_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    row(ui, "size", "of letters and buttons", |ui| {
        let sizes = [None, Some(1.0), Some(1.25), Some(1.5), Some(2.0)];
        let name =
            |size: Option<f32>| size.map_or("automatic".into(), |s| format!("{:.0} %", 100.0 * s));
        let combo = egui::ComboBox::from_id_salt("scale")
            .selected_text(name(view.scale.0))
            .show_ui(ui, |ui| {
                for size in sizes {
                    if ui
                        .selectable_label(size == view.scale.0, name(size))
                        .clicked()
                    {
                        asked.push(Action::SetScale(size));
                    }
                }
            });
        widgets.insert("scale", combo.response.rect);
    });
}

/// Dark or light.
fn theme_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    row(ui, "theme", "colours of panels and backdrop", |ui| {
        let names = [
            (Theme::Dark, "dark", "theme_dark"),
            (Theme::Light, "light", "theme_light"),
        ];
        for (theme, text, name) in names {
            let shown = ui.selectable_label(*view.theme == theme, text);
            widgets.insert(name, shown.rect);
            if shown.clicked() {
                asked.push(Action::SetTheme(theme));
            }
        }
    });
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
    let coming = view.bridge.coming();
    let title = coming.map_or_else(
        || view.shown.scene.title.clone(),
        |scene| format!("opening {} …", scene.title),
    );
    ui.horizontal(|ui| {
        ui.label(RichText::new("Prusik").heading().strong());
        let button = egui::Button::new((
            RichText::new(title)
                .strong()
                .atom_shrink(true)
                .atom_grow(true)
                .atom_align(egui::Align2::LEFT_CENTER),
            RichText::new("⏷").color(theme::of(ui).faint),
        ));
        let size = egui::vec2(ui.available_width(), 28.0);
        let button = ui
            .add_sized(size, button.truncate())
            .on_hover_text("all scenes (Ctrl+O)");
        widgets.insert("scene", button.rect);
        if button.clicked() {
            asked.push(Action::TogglePicker);
        }
    });
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
            "⏵ Play"
        };
        button(ui, "play", play, "Space", Action::TogglePlay);
        button(ui, "step", "⏭ Step", "Right arrow", Action::Step);
        button(
            ui,
            "reset",
            "⟲ Reset",
            "R: start again, with the settings below",
            Action::Reset,
        );
    });
}

fn speed_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
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
}

fn demo_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let mut demo = view.bridge.demo;
    let has_demo = view.shown.scene.spec.holds.iter().any(|hold| hold.demo);
    let toggled = theme::add_enabled(ui, has_demo, theme::checkbox(&mut demo, "Demonstration"))
        .on_hover_text("hands of the scene pull by themselves")
        .on_disabled_hover_text("this scene has no demonstration");
    widgets.insert("demo", toggled.rect);
    if toggled.changed() {
        asked.push(Action::Edit(Edit::PlayDemo(demo)));
    }
}
