//! The choice of the rod model, for all strands at once.

use bevy_egui::egui::Ui;

use super::control::row;
use super::{View, Widgets, choices};
use crate::app::action::Action;
use crate::body::RodModel;
use crate::world::Edit;

/// What stands in the list's place when strands have different models.
const MIXED: &str = "mixed";

/// The model in force, and the list of all.
pub fn model_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let in_force = view.shown.snapshot.model();
    let chosen = view.bridge.overrides.model.or(in_force);
    let hint = chosen.map_or(
        "the strands have different models; a choice is for all of them",
        RodModel::summary,
    );
    let combo = row(ui, "model", hint, |ui| {
        choices::combo(ui, "model", chosen.map_or(MIXED, RodModel::name)).show_ui(ui, |ui| {
            let entry = |model: RodModel| (model.name(), model.summary());
            choices::list_ui(ui, &RodModel::ALL, entry, chosen, widgets)
        })
    });
    widgets.insert("model", combo.response.rect);
    if let Some(model) = combo.inner.flatten() {
        asked.push(Action::Edit(Edit::SetModel { rod: None, model }));
    }
}
