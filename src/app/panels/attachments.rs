//! What holds the strands: clamps, pins, hands, scripts; where, and with what force.

use bevy_egui::egui::{self, RichText, Ui};

use super::rows::{accent, faint};
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::units::si;
use crate::world::{Edit, HoldKind, HoldSnapshot};

/// From so many alike on they are folded into one line: a head of hair has a clamp for every strand.
const FOLD_FROM: usize = 5;
/// More rows than this are counted, not shown, even unfolded.
const MOST_ROWS: usize = 100;

/// One row for each hold that acts now, many alike folded.
pub fn attachments_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let holds = &view.shown.snapshot.holds;
    if holds.is_empty() {
        let hint = "nothing holds the strands; P pins what the pointer is at";
        ui.label(RichText::new(hint).small().color(faint(ui)));
        return;
    }
    let title = |hold: &HoldSnapshot| title(view, hold);
    for bundle in bundles(holds, title) {
        if bundle.members.len() < FOLD_FROM {
            rows_ui(ui, view, &bundle.members, asked, widgets);
        } else {
            bundle_ui(ui, view, &bundle, asked, widgets);
        }
    }
}

/// Holds that are alike, by their places in the list.
#[derive(Debug, PartialEq)]
struct Bundle<'a> {
    kind: &'static str,
    title: &'a str,
    members: Vec<usize>,
}

/// Holds of one kind whose names differ only in a number, in the order of their first.
fn bundles<'a>(
    holds: &[HoldSnapshot],
    title: impl Fn(&HoldSnapshot) -> &'a str,
) -> Vec<Bundle<'a>> {
    let mut bundles: Vec<Bundle> = Vec::new();
    for (index, hold) in holds.iter().enumerate() {
        let (kind, title) = (kind(hold), without_number(title(hold)));
        let alike = |bundle: &&mut Bundle| bundle.kind == kind && bundle.title == title;
        match bundles.iter_mut().find(alike) {
            Some(bundle) => bundle.members.push(index),
            None => bundles.push(Bundle {
                kind,
                title,
                members: vec![index],
            }),
        }
    }
    bundles
}

/// `root 12` is one of the roots.
fn without_number(name: &str) -> &str {
    let digits = |c: char| c.is_ascii_digit();
    match name.rsplit_once(' ') {
        Some((base, number)) if !number.is_empty() && number.chars().all(digits) => base,
        _ => name,
    }
}

/// Many alike: how many, what they bear together, and one row each when unfolded.
fn bundle_ui(
    ui: &mut Ui,
    view: &View,
    bundle: &Bundle,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let holds = &view.shown.snapshot.holds;
    let Bundle {
        kind,
        title,
        members,
    } = bundle;
    let total = members.iter().fold([0.0; 3], |sum: [f64; 3], &k| {
        std::array::from_fn(|c| sum[c] + f64::from(holds[k].force[c]))
    });
    let total = total.iter().map(|f| f * f).sum::<f64>().sqrt();
    let id = ui.make_persistent_id((kind, title));
    let state =
        egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, false);
    let (_, header, _) = state
        .show_header(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            let count = format!("{} {kind}s", members.len());
            ui.label(RichText::new(count).small().color(accent(ui)));
            ui.add(egui::Label::new(RichText::new(*title).small()).truncate());
            let layout = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(layout, |ui| {
                ui.spacing_mut().button_padding.x = 4.0;
                let free = ui.small_button("🗙").on_hover_text("free all of them");
                if free.clicked() {
                    let all = members.iter().map(|&k| Edit::Unhold(holds[k].id));
                    asked.push(Action::Edits(all.collect()));
                }
                ui.label(RichText::new(si(total, "N")).small())
                    .on_hover_text("what they bear together");
            });
        })
        .body(|ui| rows_ui(ui, view, members, asked, widgets));
    widgets.insert("hold_bundle", header.response.rect);
}

fn rows_ui(
    ui: &mut Ui,
    view: &View,
    members: &[usize],
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let holds = &view.shown.snapshot.holds;
    for &index in members.iter().take(MOST_ROWS) {
        hold_ui(ui, view, index, &holds[index], asked, widgets);
    }
    if members.len() > MOST_ROWS {
        let more = format!("and {} more", members.len() - MOST_ROWS);
        ui.label(RichText::new(more).small().color(faint(ui)));
    }
}

/// Its name in the scene, or its kind for what hands made.
fn title<'a>(view: &'a View, hold: &HoldSnapshot) -> &'a str {
    let holds = &view.shown.scene.spec.holds;
    let described = hold.described.and_then(|index| holds.get(index as usize));
    described.map_or(kind(hold), |spec| &spec.name)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::picking::tests::hold;

    fn clamp(id: u32) -> HoldSnapshot {
        HoldSnapshot {
            kind: HoldKind::Clamp,
            ..hold(id, None)
        }
    }

    #[test]
    fn what_differs_only_in_a_number_is_one_bundle() {
        const NAMES: [&str; 5] = ["root", "root 1", "tip", "root 12", "loop 3b"];
        let holds: Vec<HoldSnapshot> = (0..5).map(clamp).collect();
        let found = bundles(&holds, |hold| NAMES[hold.id as usize]);
        let found: Vec<(&str, &[usize])> = found
            .iter()
            .map(|bundle| (bundle.title, bundle.members.as_slice()))
            .collect();
        let expected: [(&str, &[usize]); 3] =
            [("root", &[0, 1, 3]), ("tip", &[2]), ("loop 3b", &[4])];
        assert_eq!(found, expected);
    }

    #[test]
    fn pins_and_clamps_of_one_name_are_apart() {
        let holds = [clamp(0), hold(1, None), clamp(2)];
        let found = bundles(&holds, |_| "end");
        let members: Vec<&[usize]> = found.iter().map(|b| b.members.as_slice()).collect();
        assert_eq!(members, [&[0, 2][..], &[1]]);
    }
}
