//! Gravity: a vector, and the usual places.

use bevy_egui::egui::{self, RichText, Ui};
use nalgebra::Vector3;

use super::rows::label_ui;
use super::{View, Widgets};
use crate::app::action::Action;
use crate::world::Edit;

/// Largest component that can be set, m/s².
const MOST: f64 = 1000.0;

/// Places by the gravity they have, m/s² downwards.
const PLACES: [(&str, &str, f64); 4] = [
    ("earth", "gravity_earth", 9.81),
    ("mars", "gravity_mars", 3.71),
    ("moon", "gravity_moon", 1.62),
    ("none", "gravity_none", 0.0),
];

/// The places, and the vector.
pub fn gravity_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let wanted = &view.bridge.wanted;
    let now = wanted.values.settings.gravity_m_s2;
    let scene = wanted.scene.settings.gravity_m_s2;
    // Adding nothing makes 0 of −0, which is no number for people.
    let mut edited = now.add_scalar(0.0);
    ui.horizontal(|ui| {
        let hint = "acceleration of everything, m/s²; up is y. At most 1000 each way";
        label_ui(ui, "gravity", hint, now != scene);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (place, name, g) in PLACES {
            let there = Vector3::new(0.0, -g, 0.0);
            let shown = ui
                .selectable_label(now == there, place)
                .on_hover_text(format!("{g} m/s² downwards"));
            widgets.insert(name, shown.rect);
            if shown.clicked() {
                edited = there;
            }
        }
        if now != scene {
            let button = egui::Button::new(RichText::new("⟲").small()).frame(false);
            let shown = ui.add(button).on_hover_text("back to the scene's value");
            widgets.insert("gravity_back", shown.rect);
            if shown.clicked() {
                edited = scene;
            }
        }
    });
    ui.horizontal(|ui| {
        label_ui(ui, "", "", false);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (axis, name) in ["x", "y", "z"]
            .into_iter()
            .zip(["gravity_x", "gravity_y", "gravity_z"])
        {
            let component = match axis {
                "x" => &mut edited.x,
                "y" => &mut edited.y,
                _ => &mut edited.z,
            };
            let drag = egui::DragValue::new(component)
                .range(-MOST..=MOST)
                .speed(0.05)
                .max_decimals(2)
                .prefix(format!("{axis} "));
            widgets.insert(name, ui.add(drag).rect);
        }
    });
    if edited != now && edited.iter().all(|g| g.is_finite()) {
        asked.push(Action::Edit(Edit::SetGravity(edited)));
    }
}
