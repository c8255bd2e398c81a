//! The list of keys, generated from the binding table.

use bevy_egui::egui::{self, Align2, Context, RichText};

use crate::app::action::Action;
use crate::app::bindings::{BINDINGS, POINTER_HELP};
use crate::app::theme;

/// Shows the list; returns where it is.
pub fn help_ui(ctx: &Context, asked: &mut Vec<Action>) -> Option<egui::Rect> {
    let mut open = true;
    let window = egui::Window::new("Keys")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(
            Align2::CENTER_CENTER,
            egui::vec2(0.5 * theme::PANEL_WIDTH, 0.0),
        )
        .show(ctx, |ui| {
            ui.set_width(420.0);
            // Lines of text, not of buttons.
            ui.spacing_mut().interact_size.y = 15.0;
            egui::Grid::new("keys")
                .num_columns(2)
                .spacing([22.0, 4.0])
                .show(ui, |ui| {
                    let keys = BINDINGS.iter().map(|b| (b.keys, b.does));
                    for (keys, does) in POINTER_HELP.into_iter().chain(keys) {
                        ui.label(RichText::new(keys).strong().color(theme::ACCENT));
                        ui.label(does);
                        ui.end_row();
                    }
                });
        });
    if !open {
        asked.push(Action::ToggleHelp);
    }
    window.map(|shown| shown.response.rect)
}
