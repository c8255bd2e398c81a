//! What holds the strands: clamps, pins, hands, scripts; where, and with what force.

use bevy_egui::egui::{self, RichText, Ui};

use super::rows::{accent, faint};
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::units::si;
use crate::world::{Edit, HoldKind, HoldSnapshot};

/// More rows than this are counted, not shown: a head of hair has a clamp for every strand.
const MOST_ROWS: usize = 40;

/// One row for each hold that acts now.
pub fn attachments_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let holds = &view.shown.snapshot.holds;
    if holds.is_empty() {
        let hint = "nothing holds the strands; P pins what the pointer is at";
        ui.label(RichText::new(hint).small().color(faint(ui)));
        return;
    }
    for (index, hold) in holds.iter().take(MOST_ROWS).enumerate() {
        hold_ui(ui, view, index, hold, asked, widgets);
    }
    if holds.len() > MOST_ROWS {
        let more = format!("and {} more", holds.len() - MOST_ROWS);
        ui.label(RichText::new(more).small().color(faint(ui)));
    }
}

/// What it is called: its name in the scene, or what it is.
fn name(view: &View, hold: &HoldSnapshot) -> String {
    let holds = &view.shown.scene.spec.holds;
    let described = hold.described.and_then(|index| holds.get(index as usize));
    match (described, hold.hand) {
        (Some(spec), _) => spec.name.clone(),
        (None, Some(hand)) if hand.0 == 0 => "the mouse".into(),
        (None, Some(hand)) => format!("finger {}", hand.0),
        (None, None) => format!("{} {}", kind(hold), hold.id),
    }
}

fn kind(hold: &HoldSnapshot) -> &'static str {
    match (hold.kind, hold.hand) {
        (HoldKind::Pin, _) => "pin",
        (HoldKind::Clamp, _) => "clamp",
        (HoldKind::Grab { .. }, Some(_)) => "hand",
        (HoldKind::Grab { .. }, None) => "pull",
    }
}

/// Names of the first rows' buttons, for tests.
const NAMES: [[&str; 3]; 4] = [
    ["hold_0_free", "hold_0_go", "hold_0_convert"],
    ["hold_1_free", "hold_1_go", "hold_1_convert"],
    ["hold_2_free", "hold_2_go", "hold_2_convert"],
    ["hold_3_free", "hold_3_go", "hold_3_convert"],
];

fn hold_ui(
    ui: &mut Ui,
    view: &View,
    index: usize,
    hold: &HoldSnapshot,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let rods = &view.shown.scene.spec.rods;
    let strand = rods
        .get(hold.rod as usize)
        .map_or("", |rod| rod.name.as_str());
    let elements = view.shown.snapshot.strands.get(hold.rod as usize);
    let elements = elements.map_or(1.0, |strand| f64::from(strand.count.max(2) - 1));
    let share = 100.0 * (hold.point.element as f64 + hold.point.fraction) / elements;
    let newtons = hold
        .force
        .iter()
        .map(|f| f64::from(f * f))
        .sum::<f64>()
        .sqrt();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let title = name(view, hold);
        ui.label(RichText::new(kind(hold)).small().color(accent(ui)));
        let about = format!("{title}: holds {strand} at {share:.0} % of its length");
        ui.add(egui::Label::new(RichText::new(title).small()).truncate())
            .on_hover_text(about);
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        ui.with_layout(layout, |ui| {
            buttons_ui(ui, index, hold, asked, widgets);
            ui.label(RichText::new(si(newtons, "N")).small())
                .on_hover_text("force on the strand");
        });
    });
}

/// Free it, go to it, make a clamp of a pin.
fn buttons_ui(
    ui: &mut Ui,
    index: usize,
    hold: &HoldSnapshot,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let names = NAMES.get(index).copied();
    let names = names.unwrap_or(["hold_free", "hold_go", "hold_convert"]);
    ui.spacing_mut().button_padding.x = 4.0;
    let mut button = |ui: &mut Ui, name, text: &str, hint: &str, action| {
        let shown = ui.small_button(text).on_hover_text(hint);
        if ui.clip_rect().contains_rect(shown.rect) {
            widgets.insert(name, shown.rect);
        }
        if shown.clicked() {
            asked.push(action);
        }
    };
    let free = Action::Edit(Edit::Unhold(hold.id));
    button(ui, names[0], "🗙", "free it", free);
    button(
        ui,
        names[1],
        "⌖",
        "look at it",
        Action::LookAt(hold.position),
    );
    let convert = match hold.kind {
        HoldKind::Pin => ("▣", "hold its direction too", Edit::Clamp(hold.point)),
        HoldKind::Clamp => ("⏺", "let it turn: a pin", Edit::Pin(hold.point)),
        HoldKind::Grab { .. } => return,
    };
    let (text, hint, edit) = convert;
    let both = Action::Edits(vec![Edit::Unhold(hold.id), edit]);
    button(ui, names[2], text, hint, both);
}
