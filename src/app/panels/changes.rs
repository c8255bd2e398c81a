//! What has been changed: undo, redo, everything back to the scene's values.

use bevy_egui::egui::{self, RichText, Ui};

use super::rows::faint;
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::theme;

/// Lines of the list.
const LINES: usize = 5;

/// Buttons, and a short list of the last changes.
pub fn changes_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    ui.horizontal(|ui| {
        let undo = view.undo.past().next();
        let redo = view.undo.future().next();
        let differs = !view.bridge.wanted.as_in_scene();
        let mut button = |ui: &mut Ui, name, text: &str, on: bool, hint: &str, action| {
            let shown = theme::add_enabled(ui, on, egui::Button::new(text))
                .on_hover_text(hint)
                .on_disabled_hover_text(hint);
            widgets.insert(name, shown.rect);
            if shown.clicked() {
                asked.push(action);
            }
        };
        let hint = undo.map_or("Ctrl+Z: nothing to undo".into(), |what| {
            format!("Ctrl+Z: undo {what}")
        });
        button(ui, "undo", "Undo", undo.is_some(), &hint, Action::Undo);
        let hint = redo.map_or("Ctrl+Shift+Z: nothing to redo".into(), |what| {
            format!("Ctrl+Shift+Z: redo {what}")
        });
        button(ui, "redo", "Redo", redo.is_some(), &hint, Action::Redo);
        let hint = "every setting back to the scene's value; can be undone";
        button(
            ui,
            "scene_values",
            "⟲ Scene values",
            differs,
            hint,
            Action::SceneValues,
        );
    });
    for (index, what) in view.undo.past().take(LINES).enumerate() {
        let text = RichText::new(what).small();
        ui.label(if index == 0 {
            text
        } else {
            text.color(faint(ui))
        });
    }
}
