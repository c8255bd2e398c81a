//! Over the scene: newtons at the hand, the banner of a fault, toasts.

use bevy::prelude::{Camera, GlobalTransform, Vec3};
use bevy_egui::egui::{self, Align2, Color32, Context, FontId, RichText};

use super::{View, legend};
use crate::app::action::Action;
use crate::app::dragging::mouse_hold;
use crate::app::theme;
use crate::app::toasts::Toasts;

/// The force of the hand, beside the arrow's tip.
pub fn pull_ui(ctx: &Context, view: &View, camera: &Camera, place: &GlobalTransform) {
    let Some(hold) = mouse_hold(&view.shown) else {
        return;
    };
    let Ok(at) = camera.world_to_viewport(place, Vec3::from(hold.target)) else {
        return;
    };
    let newtons = Vec3::from(hold.force).length();
    let text = format!("{} N", legend::short(newtons));
    let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Background, "pull".into()));
    let at = egui::pos2(at.x + 14.0, at.y - 12.0);
    let galley = painter.layout_no_wrap(text, FontId::proportional(15.0), Color32::WHITE);
    let rect = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
    let back = Color32::from_black_alpha(170);
    painter.rect_filled(rect.expand2(egui::vec2(7.0, 3.0)), 6.0, back);
    painter.galley(rect.min, galley, Color32::WHITE);
}

/// What stopped the solver, with a way out. Returns where it is.
pub fn fault_ui(
    ctx: &Context,
    view: &View,
    left_points: f32,
    asked: &mut Vec<Action>,
) -> Option<egui::Rect> {
    let why = view.bridge.fault.as_ref()?;
    let area = egui::Area::new("fault".into())
        .anchor(Align2::CENTER_TOP, egui::vec2(0.5 * left_points, 16.0))
        .show(ctx, |ui| {
            let frame = egui::Frame::new()
                .fill(theme::ALARM)
                .corner_radius(8)
                .inner_margin(egui::Margin::symmetric(16, 10));
            frame.show(ui, |ui| {
                ui.set_max_width(560.0);
                ui.label(RichText::new("The simulation stopped").strong().size(16.0));
                ui.label(why);
                if ui.button("⟲ Reset").clicked() {
                    asked.push(Action::Reset);
                }
            });
        });
    Some(area.response.rect)
}

/// Short messages in the lower right corner.
pub fn toasts_ui(ctx: &Context, toasts: &mut Toasts) {
    let current = toasts.current();
    if current.is_empty() {
        return;
    }
    egui::Area::new("toasts".into())
        .anchor(
            Align2::RIGHT_BOTTOM,
            egui::vec2(-14.0, -theme::STATUS_HEIGHT - 14.0),
        )
        .order(egui::Order::Tooltip)
        .interactable(false)
        .show(ctx, |ui| {
            for toast in current {
                let fill = if toast.warning {
                    Color32::from_rgb(130, 70, 20)
                } else {
                    theme::PANEL
                };
                let frame = egui::Frame::new()
                    .fill(fill)
                    .corner_radius(8)
                    .inner_margin(egui::Margin::symmetric(12, 8));
                frame.show(ui, |ui| {
                    ui.set_max_width(420.0);
                    ui.label(&toast.text);
                });
            }
        });
}
