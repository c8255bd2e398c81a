//! Over the scene: the banner of a fault, toasts.

use bevy_egui::egui::{self, Align2, Context, FontId, RichText};

use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::theme;
use crate::app::toasts::Toasts;

/// Toasts stand so far above the lower edge of the scene that they hide no hint, points.
const ABOVE_HINTS: f32 = 62.0;
/// They are at most so wide, points.
const TOAST_WIDTH: f32 = 420.0;
/// Distance from the side of the scene, points.
const ASIDE: f32 = 14.0;

/// What stopped the solver, with a way out. Returns where it is.
pub fn fault_ui(
    ctx: &Context,
    view: &View,
    free: egui::Rect,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) -> Option<egui::Rect> {
    let why = view.bridge.fault.as_ref()?;
    let area = egui::Area::new("fault".into())
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(free.center_top() + egui::vec2(0.0, 16.0))
        .show(ctx, |ui| {
            let fill = theme::of(ui).alarm;
            let text = theme::text_on(fill);
            let frame = egui::Frame::new()
                .fill(fill)
                .corner_radius(8)
                .inner_margin(egui::Margin::symmetric(16, 10));
            frame.show(ui, |ui| {
                ui.set_max_width(560.0);
                let title = RichText::new("The simulation stopped").strong().size(16.0);
                ui.label(title.color(text));
                ui.label(RichText::new(why).color(text));
                ui.horizontal(|ui| {
                    let rewind = ui.button("⏮ Rewind to last good");
                    let hint = "back to a state from before this, paused: change something, then play; again goes further back";
                    widgets.insert("rewind", rewind.rect);
                    if rewind.on_hover_text(hint).clicked() {
                        asked.push(Action::RewindToLastGood);
                    }
                    if ui.button("⟲ Reset").clicked() {
                        asked.push(Action::Reset);
                    }
                });
            });
        });
    Some(area.response.rect)
}

/// That the hands are not the user's, and how to make them so.
pub fn watch_ui(ctx: &Context, view: &View, free: egui::Rect) {
    let replaying = view.bridge.replaying;
    // A fault says more, in the same place.
    let Some(last_step) = replaying.filter(|_| view.bridge.fault.is_none()) else {
        return;
    };
    let now = view.shown.snapshot.step;
    egui::Area::new("watching".into())
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(free.center_top() + egui::vec2(0.0, 16.0))
        .interactable(false)
        .show(ctx, |ui| {
            let palette = theme::of(ui);
            let frame = egui::Frame::new()
                .fill(palette.label)
                .corner_radius(8)
                .inner_margin(egui::Margin::symmetric(14, 8));
            frame.show(ui, |ui| {
                ui.set_max_width(420.0);
                let text = "Watching a recorded session. Take hold of anything to go on yourself.";
                ui.label(RichText::new(text).color(palette.text));
                let share = now as f32 / last_step.max(1) as f32;
                ui.add(egui::ProgressBar::new(share).desired_height(4.0));
            });
        });
}

/// Says that a file which hangs over the window can be dropped.
pub fn drop_ui(ctx: &Context, free: egui::Rect) {
    let palette = theme::in_force(ctx);
    let layer = egui::LayerId::new(egui::Order::Foreground, "drop".into());
    let painter = ctx.layer_painter(layer);
    let frame = free.shrink(12.0);
    painter.rect(
        frame,
        12.0,
        // The scene shows through.
        palette.label.gamma_multiply(0.6),
        egui::Stroke::new(2.0, palette.accent),
        egui::StrokeKind::Inside,
    );
    let font = FontId::proportional(22.0);
    let words = painter.layout_no_wrap("Drop a file to open it".into(), font, palette.text);
    let at = Align2::CENTER_CENTER.anchor_size(frame.center(), words.size());
    // What shines through must not cross the words.
    painter.rect_filled(at.expand2(egui::vec2(18.0, 10.0)), 10.0, palette.panel);
    painter.galley(at.min, words, palette.text);
}

/// Short messages in the lower right corner of the scene.
pub fn toasts_ui(ctx: &Context, free: egui::Rect, hint: Option<egui::Rect>, toasts: &mut Toasts) {
    let current = toasts.current();
    if current.is_empty() {
        return;
    }
    // In a narrow scene the hint stands higher, and reaches to where toasts are.
    let met = hint.filter(|hint| hint.right() > free.right() - TOAST_WIDTH - 3.0 * ASIDE);
    let above = met.map_or(f32::INFINITY, |hint| hint.top() - 8.0);
    let bottom = above.min(free.bottom() - ABOVE_HINTS);
    egui::Area::new("toasts".into())
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(egui::pos2(free.right() - ASIDE, bottom))
        .order(egui::Order::Tooltip)
        .interactable(false)
        .show(ctx, |ui| {
            for toast in current {
                let fill = if toast.warning {
                    theme::of(ui).warning
                } else {
                    theme::of(ui).panel
                };
                let frame = egui::Frame::new()
                    .fill(fill)
                    .corner_radius(8)
                    .inner_margin(egui::Margin::symmetric(12, 8));
                frame.show(ui, |ui| {
                    ui.set_max_width(TOAST_WIDTH.min(free.width() - 4.0 * ASIDE).max(80.0));
                    ui.label(RichText::new(&toast.text).color(theme::text_on(fill)));
                });
            }
        });
}
