//! The choice of the rod model, for all strands or for a group of them.

use std::ops::Range;

use bevy_egui::egui::Ui;

use super::rows::{Row, combo_width, row_ui};
use super::{View, Widgets, choices};
use crate::app::action::Action;
use crate::body::RodModel;
use crate::world::{Edit, StrandValues};

/// What stands in the list's place when strands have different models.
const MIXED: &str = "mixed";
/// What is said of it then.
const MIXED_HINT: &str = "the strands have different models; a choice is for all of them";

/// The model in force, and the list of all, for every strand.
pub fn model_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let names = ["model", "model_back"];
    choice_ui(ui, view, None, names, asked, widgets);
}

/// The same for some strands.
pub fn group_model_ui(
    ui: &mut Ui,
    view: &View,
    rods: Range<usize>,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let names = ["group_model", "group_model_back"];
    choice_ui(ui, view, Some(rods), names, asked, widgets);
}

fn choice_ui(
    ui: &mut Ui,
    view: &View,
    rods: Option<Range<usize>>,
    names: [&'static str; 2],
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let wanted = &view.bridge.wanted;
    let range = rods.clone().unwrap_or(0..wanted.values.strands.len());
    let now = wanted.values.strands.get(range.clone()).unwrap_or(&[]);
    let scene = wanted.scene.strands.get(range.clone()).unwrap_or(&[]);
    let chosen = common(now);
    let row = Row {
        names,
        label: "model",
        hint: chosen.map_or(MIXED_HINT, RodModel::summary),
        differs: now
            .iter()
            .map(|s| s.model)
            .ne(scene.iter().map(|s| s.model)),
    };
    let mut clicked = None;
    let mut entries = Widgets::new();
    let answer = row_ui(ui, &row, widgets, |ui| {
        let combo = choices::combo(ui, names[0], chosen.map_or(MIXED, RodModel::name));
        let combo = combo.width(combo_width(ui)).show_ui(ui, |ui| {
            let entry = |model: RodModel| (model.name(), model.summary());
            choices::list_ui(ui, &RodModel::ALL, entry, chosen, &mut entries)
        });
        clicked = combo.inner.flatten();
        combo.response
    });
    widgets.extend(entries);
    if let Some(model) = clicked {
        asked.push(Action::Edit(Edit::SetModel { rods, model }));
    } else if answer.put_back {
        // Strands of the scene may have had different models.
        let mut goal = wanted.values.clone();
        for (rod, strand) in range.zip(scene) {
            let rods = Some(rod..rod + 1);
            let model = strand.model;
            goal.apply(&Edit::SetModel { rods, model });
        }
        asked.push(Action::Edits(wanted.values.edits_to(&goal)));
    }
}

/// The model of all, if they have the same.
fn common(strands: &[StrandValues]) -> Option<RodModel> {
    let first = strands.first()?.model;
    let same = strands.iter().all(|strand| strand.model == first);
    same.then_some(first)
}
