//! What is drawn and how: looks of strands, what their colour shows, contacts with their forces and cones.

use bevy_egui::egui::{self, RichText, Ui};

use super::control::row;
use super::{View, Widgets, legend};
use crate::app::action::Action;
use crate::app::colour::ColorMode;
use crate::app::theme;
use crate::scene::StrandLook;

/// Strands, their colour, contacts, pictures.
pub fn show_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    strands_ui(ui, view, asked, widgets);
    color_ui(ui, view, asked, widgets);
    ui.add_space(6.0);
    contacts_ui(ui, view, asked, widgets);
    ui.add_space(6.0);
    pictures_ui(ui, view, asked, widgets);
}

fn strands_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let hint = "what strands are drawn as; auto goes by their material, or by the scene";
    row(ui, "strands", hint, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let looks = [
            (None, "auto", "look_auto"),
            (Some(StrandLook::Rope), "rope", "look_rope"),
            (Some(StrandLook::Hair), "hair", "look_hair"),
            (Some(StrandLook::Plain), "plain", "look_plain"),
        ];
        for (look, text, name) in looks {
            let shown = ui.selectable_label(view.look.strands == look, text);
            widgets.insert(name, shown.rect);
            if shown.clicked() {
                asked.push(Action::SetStrandLook(look));
            }
        }
    });
    row(ui, "", "", |ui| {
        let hint = "a stripe along each strand: it winds where the strand is twisted";
        let (on, action) = (view.look.stripe, Action::ToggleStripe);
        check_ui(
            ui,
            "stripe",
            on,
            "twist stripe",
            hint,
            action,
            asked,
            widgets,
        );
    });
}

fn color_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
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

fn contacts_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let look = &view.look;
    row(
        ui,
        "contacts",
        "where strands touch, and what acts there",
        |ui| {
            let boxes = [
                (
                    "contacts",
                    look.contacts,
                    "points",
                    "C",
                    Action::ToggleContacts,
                ),
                (
                    "forces",
                    look.forces,
                    "forces",
                    "Shift+C",
                    Action::ToggleForces,
                ),
                (
                    "cones",
                    look.cones,
                    "cones",
                    "Shift+C twice: a force inside its friction cone sticks, one on its mantle slides",
                    Action::ToggleCones,
                ),
            ];
            for (name, on, text, hint, action) in boxes {
                check_ui(ui, name, on, text, hint, action, asked, widgets);
            }
        },
    );
    if look.contacts || look.forces || look.cones {
        row(ui, "", "", legend::contacts_ui);
    }
    if look.forces || look.cones {
        row(ui, "", "", |ui| {
            legend::arrows_ui(ui, view.forces.longest_n)
        });
    }
}

fn pictures_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    row(
        ui,
        "pictures",
        "files go to the folder where Prusik was started",
        |ui| {
            let shown = ui.button("Picture").on_hover_text("Ctrl+P: a PNG file");
            widgets.insert("picture", shown.rect);
            if shown.clicked() {
                asked.push(Action::Screenshot);
            }
            let text = if view.recording.runs() {
                "End film"
            } else {
                "Film"
            };
            let hint = "Ctrl+R: a GIF, and an MP4 where ffmpeg is present";
            let shown = ui.button(text).on_hover_text(hint);
            widgets.insert("record", shown.rect);
            if shown.clicked() {
                asked.push(Action::Record);
            }
        },
    );
    let text = format!("grid: {}", legend::grid_text(&view.shown));
    ui.label(RichText::new(text).small().color(theme::of(ui).faint));
}

#[expect(clippy::too_many_arguments, reason = "one line of a list of switches")]
fn check_ui(
    ui: &mut Ui,
    name: &'static str,
    mut on: bool,
    text: &str,
    hint: &str,
    action: Action,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let toggled = ui.add(theme::checkbox(&mut on, text)).on_hover_text(hint);
    widgets.insert(name, toggled.rect);
    if toggled.changed() {
        asked.push(action);
    }
}
