//! The choice of how contacts are found.

use bevy_egui::egui::Ui;

use super::rows::{Row, combo_width, row_ui};
use super::{View, Widgets, choices};
use crate::app::action::Action;
use crate::app::theme;
use crate::contact::DetectorKind;
use crate::world::Edit;

/// The detector in force, the list of all, and whether strands touch themselves.
pub fn detector_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let wanted = &view.bridge.wanted;
    let (now, scene) = (&wanted.values.settings, &wanted.scene.settings);
    let chosen = now.detector;
    let row = Row {
        names: ["detector", "detector_back"],
        label: "contacts",
        hint: chosen.summary(),
        differs: chosen != scene.detector,
    };
    let mut clicked = None;
    let mut entries = Widgets::new();
    let answer = row_ui(ui, &row, widgets, |ui| {
        let combo = choices::combo(ui, "detector", chosen.name());
        let combo = combo.width(combo_width(ui)).show_ui(ui, |ui| {
            let entry = |kind: DetectorKind| (kind.name(), kind.summary());
            choices::list_ui(ui, &DetectorKind::ALL, entry, Some(chosen), &mut entries)
        });
        clicked = combo.inner.flatten();
        combo.response
    });
    widgets.extend(entries);
    let put_back = answer.put_back.then_some(scene.detector);
    if let Some(kind) = clicked.or(put_back) {
        asked.push(Action::Edit(Edit::SetDetector(kind)));
    }
    self_contact_ui(ui, view, asked, widgets);
}

fn self_contact_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let wanted = &view.bridge.wanted;
    let (now, scene) = (
        wanted.values.settings.self_contact,
        wanted.scene.settings.self_contact,
    );
    let row = Row {
        names: ["self_contact", "self_contact_back"],
        label: "",
        hint: "",
        differs: now != scene,
    };
    let mut on = now;
    let answer = row_ui(ui, &row, widgets, |ui| {
        let hint = "whether a strand can touch itself; without, knots pass through themselves";
        ui.add(theme::checkbox(&mut on, "strands touch themselves"))
            .on_hover_text(hint)
    });
    if answer.put_back {
        on = scene;
    }
    if on != now {
        asked.push(Action::Edit(Edit::SetSelfContact(on)));
    }
}
