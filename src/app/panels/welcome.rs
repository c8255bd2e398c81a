//! The first thing a newcomer sees: a card with what to do next. Any click beside its buttons and any key sends it away.

use bevy_egui::egui::{self, Align2, Color32, Context, FontId, Key, Order, RichText, Sense, Ui};

use super::{View, Widgets, emblem};
use crate::app::action::Action;
use crate::app::theme;
use crate::scene;
use crate::session::shipped_sessions;

/// The scene in which a knot is tied; another if it does not ship.
const TYING: [&str; 2] = ["rope", "knot"];
/// Scenes that show what else there is.
const OTHERS: [(&str, &str); 5] = [
    ("wisp", "a lock of hair"),
    ("drape", "a strand on a ball"),
    ("rings", "linked rings"),
    ("curl", "a curl"),
    ("incline", "a slope"),
];
/// Width of the card within its margins, points.
const WIDTH: f32 = 560.0;
/// Between two large buttons, points.
const GAP: f32 = 12.0;

/// Shows the card over everything; returns where the pointer is kept from the scene: everywhere.
pub fn welcome_ui(
    ctx: &Context,
    view: &View,
    free: egui::Rect,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) -> egui::Rect {
    let whole = ctx.viewport_rect();
    let behind = egui::Area::new("welcome_back".into())
        .order(Order::Middle)
        .fixed_pos(whole.min)
        .show(ctx, |ui| {
            let (_, back) = ui.allocate_exact_size(whole.size(), Sense::click());
            ui.painter()
                .rect_filled(whole, 0.0, Color32::from_black_alpha(90));
            back
        });
    let card = egui::Area::new("welcome".into())
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(free.center())
        .show(ctx, |ui| {
            let palette = theme::of(ui);
            egui::Frame::new()
                .fill(palette.panel)
                .stroke((1.0, palette.line))
                .corner_radius(14)
                .inner_margin(egui::Margin::symmetric(28, 24))
                .show(ui, |ui| card_ui(ui, view, asked, widgets))
        });
    widgets.insert("welcome", card.response.rect);
    let sent_away = behind.inner.clicked() || (card.response.clicked() && asked.is_empty());
    if sent_away || any_key(ctx) {
        asked.push(Action::CloseWelcome);
    }
    whole
}

/// Whether a key went down in this frame; F1, which may have brought the card, does not count.
fn any_key(ctx: &Context) -> bool {
    let pressed = |event: &egui::Event| matches!(event, egui::Event::Key { key, pressed: true, .. } if *key != Key::F1);
    ctx.input(|input| input.events.iter().any(pressed))
}

fn card_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    ui.set_width(WIDTH);
    head_ui(ui);
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        tie_ui(ui, asked, widgets);
        watch_ui(ui, asked, widgets);
        let stay = choice_ui(ui, "Look around", "in the scene behind this", false);
        widgets.insert("welcome_stay", stay.rect);
        if stay.clicked() {
            asked.push(Action::CloseWelcome);
        }
    });
    ui.add_space(12.0);
    ui.label(RichText::new("or open").color(theme::of(ui).faint));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
        for (name, text) in OTHERS {
            let ships = view.scenes.0.iter().any(|entry| entry.name == name);
            if ships && ui.button(text).clicked() {
                asked.extend([Action::OpenScene(name.into()), Action::CloseWelcome]);
            }
        }
        if ui.button("all scenes …").clicked() {
            asked.extend([Action::TogglePicker, Action::CloseWelcome]);
        }
    });
    ui.add_space(12.0);
    let foot = "F1 lists the keys. Any key sends this card away; the help brings it back.";
    ui.label(RichText::new(foot).small().color(theme::of(ui).faint));
}

fn tie_ui(ui: &mut Ui, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let tie = choice_ui(ui, "Tie a knot", "a rope, your mouse, hints", true);
    widgets.insert("welcome_tie", tie.rect);
    let ships = |name: &&str| scene::shipped().iter().any(|scene| scene.name == *name);
    if let Some(name) = TYING.into_iter().find(ships).filter(|_| tie.clicked()) {
        asked.extend([Action::OpenScene(name.into()), Action::CloseWelcome]);
    }
}

fn watch_ui(ui: &mut Ui, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let Some(session) = shipped_sessions().first() else {
        return;
    };
    let watch = choice_ui(ui, "Watch", session.title, false);
    widgets.insert("welcome_watch", watch.rect);
    if watch.clicked() {
        asked.extend([
            Action::WatchSession(session.name.into()),
            Action::CloseWelcome,
        ]);
    }
}

fn head_ui(ui: &mut Ui) {
    let palette = theme::of(ui);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(76.0, 76.0), Sense::hover());
        emblem::draw(ui.painter(), rect, palette.accent, palette.panel);
        ui.add_space(8.0);
        ui.vertical(|ui| {
            ui.add_space(6.0);
            ui.label(RichText::new("Prusik").size(28.0).strong());
            let what = "A laboratory for ropes, knots, hair and wires: they stick and slide\nby Coulomb's law, exactly, under your hands.";
            ui.label(RichText::new(what).color(palette.faint));
        });
    });
}

/// A large button: what it does, and a sentence.
fn choice_ui(ui: &mut Ui, title: &str, sentence: &str, first: bool) -> egui::Response {
    let palette = theme::of(ui);
    let size = egui::vec2((WIDTH - 2.0 * GAP) / 3.0, 74.0);
    let (rect, shown) = ui.allocate_exact_size(size, Sense::click());
    let fill = match (first, shown.hovered()) {
        (true, _) => palette.chosen,
        (false, true) => palette.line,
        (false, false) => palette.button,
    };
    let edge = if shown.hovered() {
        palette.accent
    } else {
        fill
    };
    let painter = ui.painter();
    painter.rect(
        rect,
        10.0,
        fill,
        egui::Stroke::new(1.5, edge),
        egui::StrokeKind::Inside,
    );
    let at = rect.left_center() + egui::vec2(16.0, -10.0);
    let (left, font) = (Align2::LEFT_CENTER, FontId::proportional(17.0));
    painter.text(at, left, title, font, palette.text);
    let faint = if first {
        palette.faint_on_chosen
    } else {
        palette.faint
    };
    let at = rect.left_center() + egui::vec2(16.0, 13.0);
    painter.text(at, left, sentence, FontId::proportional(12.0), faint);
    shown.on_hover_cursor(egui::CursorIcon::PointingHand)
}
