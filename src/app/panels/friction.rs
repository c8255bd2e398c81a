//! Coefficients of friction: the default, and one for each pair of surfaces that shall differ.

use bevy_egui::egui::{self, RichText, Ui};

use super::rows::{Row, accent, row_ui};
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::describe;
use crate::world::{Edit, SurfaceId};

/// Largest µ of the sliders; more can be typed.
const MOST_MU: f64 = 2.0;

/// µ of every pair that has none of its own.
pub fn default_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let wanted = &view.bridge.wanted;
    let (now, scene) = (&wanted.values.friction, &wanted.scene.friction);
    let row = Row {
        names: ["friction", "friction_back"],
        label: "µ",
        hint: "coefficient of friction of every pair of surfaces without one of its own (page Material): 0 is ice, 2 is rubber on rubber",
        differs: now.default != scene.default,
    };
    let mut mu = now.default;
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(mu_slider(&mut mu)));
    if answer.put_back {
        asked.push(Action::Edit(Edit::SetFriction(scene.default)));
    } else if answer.changed && mu.is_finite() && mu >= 0.0 {
        asked.push(Action::Edit(Edit::SetFriction(mu)));
    }
}

/// µ of the pairs that can meet.
pub fn pairs_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    for (index, pair) in pairs(view).into_iter().enumerate() {
        pair_ui(ui, view, index, pair, asked, widgets);
    }
}

fn mu_slider(mu: &mut f64) -> egui::Slider<'_> {
    egui::Slider::new(mu, 0.0..=MOST_MU)
        .fixed_decimals(3)
        .clamping(egui::SliderClamping::Edits)
}

/// Pairs of surfaces that can meet: those of strands with all that is there.
fn pairs(view: &View) -> Vec<(SurfaceId, SurfaceId)> {
    let spec = &view.shown.scene.spec;
    let mut strands: Vec<u16> = spec.rods.iter().map(|rod| rod.surface.0).collect();
    strands.sort_unstable();
    strands.dedup();
    let mut all = strands.clone();
    all.extend(spec.solids.iter().map(|solid| solid.surface.0));
    all.sort_unstable();
    all.dedup();
    let mut pairs = Vec::new();
    for &a in &strands {
        for &b in &all {
            let pair = (a.min(b), a.max(b));
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    let id = |(a, b)| (SurfaceId(a), SurfaceId(b));
    pairs.into_iter().map(id).collect()
}

/// Names of the first pairs' widgets, for tests.
const NAMES: [[&str; 2]; 4] = [
    ["pair_0", "pair_0_back"],
    ["pair_1", "pair_1_back"],
    ["pair_2", "pair_2_back"],
    ["pair_3", "pair_3_back"],
];

/// One pair: a µ of its own, or the default.
fn pair_ui(
    ui: &mut Ui,
    view: &View,
    index: usize,
    (a, b): (SurfaceId, SurfaceId),
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let wanted = &view.bridge.wanted;
    let own = wanted.values.friction.listed(a, b);
    let scene = wanted.scene.friction.listed(a, b);
    let [name, back] = NAMES.get(index).copied().unwrap_or(["pair", "pair_back"]);
    let mut edit = |mu| asked.push(Action::Edit(Edit::SetPairFriction { a, b, mu }));
    ui.horizontal(|ui| {
        let text = RichText::new(describe::pair(a, b, &view.shown.scene)).small();
        ui.label(if own != scene {
            text.color(accent(ui))
        } else {
            text
        });
        if own != scene {
            let button = egui::Button::new(RichText::new("⟲").small()).frame(false);
            let shown = ui.add(button).on_hover_text("back to the scene's value");
            widgets.insert(back, shown.rect);
            if shown.clicked() {
                edit(scene);
            }
        }
    });
    ui.horizontal(|ui| {
        let mut listed = own.is_some();
        let default = wanted.values.friction.default;
        let hint = "give this pair a µ of its own; without, it follows the µ of the scene page";
        let toggled = ui.checkbox(&mut listed, "own µ").on_hover_text(hint);
        if toggled.changed() {
            edit(listed.then_some(default));
        }
        let mut mu = own.unwrap_or(default);
        ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(40.0);
        let shown = ui.add_enabled(own.is_some(), mu_slider(&mut mu));
        widgets.insert(name, shown.rect);
        if shown.changed() && mu.is_finite() && mu >= 0.0 {
            edit(Some(mu));
        }
    });
}
