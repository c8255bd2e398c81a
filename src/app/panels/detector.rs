//! The choice of how contacts are found.

use bevy_egui::egui::Ui;

use super::control::row;
use super::{View, Widgets, choices};
use crate::app::action::Action;
use crate::contact::DetectorKind;
use crate::world::Edit;

/// The detector in force, and the list of all.
pub fn detector_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.settings.detector;
    let chosen = view.bridge.overrides.detector.unwrap_or(in_force);
    let combo = row(ui, "contacts", chosen.summary(), |ui| {
        choices::combo(ui, "detector", chosen.name()).show_ui(ui, |ui| {
            let entry = |kind: DetectorKind| (kind.name(), kind.summary());
            choices::list_ui(ui, &DetectorKind::ALL, entry, Some(chosen), widgets)
        })
    });
    widgets.insert("detector", combo.response.rect);
    if let Some(kind) = combo.inner.flatten() {
        asked.push(Action::Edit(Edit::SetDetector(kind)));
    }
}
