//! Coefficients of friction: the default, and one for each pair of surfaces that shall differ.

use std::collections::BTreeSet;

use bevy_egui::egui::{self, RichText, Ui};

use super::rows::{Row, accent, row_ui};
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::describe;
use crate::app::theme;
use crate::world::{Edit, SolidSpec, SurfaceId, WorldSpec};

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
    let spec = &view.shown.scene.spec;
    for (index, pair) in pairs(spec).into_iter().enumerate() {
        pair_ui(ui, view, index, pair, asked, widgets);
    }
}

fn mu_slider(mu: &mut f64) -> egui::Slider<'_> {
    egui::Slider::new(mu, 0.0..=MOST_MU)
        .fixed_decimals(3)
        .clamping(egui::SliderClamping::Edits)
}

/// Pairs of surfaces that can meet: those of strands with all that is there, then those of solids that are free to move with
/// those of other solids.
fn pairs(spec: &WorldSpec) -> Vec<(SurfaceId, SurfaceId)> {
    let strands: BTreeSet<u16> = spec.rods.iter().map(|rod| rod.surface.0).collect();
    let solids = spec.solids.iter().map(|solid| solid.surface.0);
    let all: BTreeSet<u16> = strands.iter().copied().chain(solids).collect();
    let of_strands = strands
        .iter()
        .flat_map(|&a| all.iter().map(move |&b| (a, b)));
    let free = |solid: &SolidSpec| solid.matter.is_some();
    let of_solids = spec.solids.iter().enumerate().flat_map(|(k, a)| {
        let others = spec.solids[..k].iter().filter(move |b| free(a) || free(b));
        others.map(move |b| (a.surface.0, b.surface.0))
    });
    let mut pairs = Vec::new();
    for (a, b) in of_strands.chain(of_solids) {
        let pair = (SurfaceId(a.min(b)), SurfaceId(a.max(b)));
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
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
        let toggled = ui
            .add(theme::checkbox(&mut listed, "own µ"))
            .on_hover_text(hint);
        if toggled.changed() {
            edit(listed.then_some(default));
        }
        let mut mu = own.unwrap_or(default);
        ui.spacing_mut().slider_width = (ui.available_width() - 90.0).max(40.0);
        let shown = theme::add_enabled(ui, own.is_some(), mu_slider(&mut mu));
        widgets.insert(name, shown.rect);
        if shown.changed() && mu.is_finite() && mu >= 0.0 {
            edit(Some(mu));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_that_is_free_has_a_pair_with_the_floor() {
        let spec = crate::scene::load("double_loop", &[]).expect("ships").spec;
        let free = spec.solids.iter().find(|solid| solid.matter.is_some());
        let ball = free.expect("the ball").surface;
        let mut floors = spec.solids.iter().filter(|solid| solid.matter.is_none());
        let pairs = pairs(&spec);
        let listed = |floor: SurfaceId| {
            let pair = (
                SurfaceId(ball.0.min(floor.0)),
                SurfaceId(ball.0.max(floor.0)),
            );
            pairs.contains(&pair)
        };
        assert!(floors.all(|floor| listed(floor.surface)), "{pairs:?}");
        let mut once = pairs.clone();
        once.dedup();
        assert_eq!(once, pairs);
    }

    #[test]
    fn solids_that_never_move_by_themselves_have_no_pair() {
        let mut spec = crate::scene::load("double_loop", &[]).expect("ships").spec;
        spec.rods.clear();
        spec.solids.iter_mut().for_each(|solid| solid.matter = None);
        assert!(pairs(&spec).is_empty());
    }
}
