//! The hint of the moment, small, at the lower edge of the scene.

use bevy_egui::egui::{self, Align2, Context, RichText, Sense};

use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::hints::Hint;
use crate::app::theme;

/// Half its width at most, points.
const HALF_WIDTH: f32 = 280.0;
/// In a scene narrower than this it would hide more than it says, points.
const NARROWEST: f32 = 240.0;
/// Room for the button that sends it away, points.
const CLOSE: f32 = 26.0;

/// Shows it, if there is one, in the scene and clear of the key in its corner; returns where it is.
pub fn hint_ui(
    ctx: &Context,
    view: &View,
    (free, key): (egui::Rect, egui::Rect),
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) -> Option<egui::Rect> {
    // They are about strands that a hand can move.
    let any_free = view.shown.snapshot.strands.iter().any(|s| !s.fixed);
    let hint = view.hints.next();
    let hint = hint.filter(|_| any_free && free.width() >= NARROWEST)?;
    let in_one_line = free.width() >= 2.0 * HALF_WIDTH;
    let palette = theme::in_force(ctx);
    // Beside the key if there is room, else above it.
    let beside = free.center().x.max(key.right() + 8.0 + HALF_WIDTH);
    let meets_key = beside + HALF_WIDTH > free.right() - 8.0;
    let middle = if meets_key { free.center().x } else { beside };
    let bottom = if meets_key {
        key.top() - 8.0
    } else {
        free.bottom() - 16.0
    };
    let area = egui::Area::new("hint".into())
        .order(egui::Order::Background)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(egui::pos2(middle, bottom))
        .show(ctx, |ui| {
            let frame = egui::Frame::new()
                .fill(palette.label)
                .corner_radius(16)
                .inner_margin(egui::Margin::symmetric(14, 7));
            let words = |ui: &mut egui::Ui| {
                dots_ui(ui, view);
                let (title, rest) = hint.words();
                ui.spacing_mut().item_spacing.x = 5.0;
                ui.label(RichText::new(title).strong().color(palette.accent));
                ui.label(rest);
            };
            let mut close = |ui: &mut egui::Ui| {
                let close = ui.add(egui::Button::new("×").frame(false));
                widgets.insert("hint_close", close.rect);
                if close.on_hover_text("no more hints").clicked() {
                    asked.push(Action::SkipHints);
                }
            };
            frame.show(ui, |ui| {
                ui.set_max_width(free.width() - 40.0);
                // As high as a line: a layout that fills the height it is offered would keep the height of an earlier card,
                // and of one that was wrapped in a narrow window grow without end.
                match in_one_line {
                    true => ui.horizontal(|ui| {
                        words(ui);
                        ui.add_space(6.0);
                        close(ui);
                    }),
                    // Beside the words, or it would stand alone in the last line.
                    false => ui.horizontal_top(|ui| {
                        ui.vertical(|ui| {
                            ui.set_max_width(free.width() - 40.0 - CLOSE);
                            ui.horizontal_wrapped(words);
                        });
                        close(ui);
                    }),
                };
            })
        });
    widgets.insert("hint", area.response.rect);
    Some(area.response.rect)
}

/// A dot for every hint, full for those that were followed.
fn dots_ui(ui: &mut egui::Ui, view: &View) {
    let palette = theme::of(ui);
    let count = Hint::ALL.len() as f32;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0 * count, 12.0), Sense::hover());
    for (i, hint) in Hint::ALL.into_iter().enumerate() {
        let at = rect.left_center() + egui::vec2(4.0 + 9.0 * i as f32, 0.0);
        if view.hints.has(hint) {
            ui.painter().circle_filled(at, 3.0, palette.accent);
        } else {
            ui.painter().circle_stroke(at, 2.6, (1.0, palette.faint));
        }
    }
}
