//! In the corners of the scene: how large the grid is, what colours mean, and that a film is being made. They stay when
//! the panels are hidden, and so are in every picture.

use bevy_egui::egui::{self, Align2, Color32, Context, RichText, Ui};

use super::{View, legend};
use crate::app::colour::ColorMode;
use crate::app::recording::Progress;
use crate::app::theme;

/// Width of the colour bar, points.
const BAR: f32 = 190.0;

/// The key to what is drawn, in the lower left corner of the scene; returns where it is.
pub fn key_ui(ctx: &Context, view: &View, free: egui::Rect) -> egui::Rect {
    let at = free.left_bottom() + egui::vec2(12.0, -10.0);
    card(ctx, "key", Align2::LEFT_BOTTOM, at, |ui| {
        ui.set_max_width(BAR);
        let look = &view.look;
        if look.color_mode != ColorMode::Strand {
            ui.label(RichText::new(look.color_mode.name()).small().strong());
            ui.set_min_width(BAR);
            legend::colors_ui(ui, look.color_mode, view.range.limit());
        }
        let touching = !view.shown.snapshot.contacts.is_empty();
        if touching && (look.contacts || look.forces || look.cones) {
            ui.horizontal(legend::contacts_ui);
        }
        if touching && (look.forces || look.cones) {
            legend::arrows_ui(ui, view.forces.longest_n);
        }
        let text = format!("grid {}", legend::grid_text(&view.shown));
        ui.label(RichText::new(text).small().color(theme::of(ui).faint));
    })
}

/// A red dot while a film is taken, how far it is while it is written; in the upper right corner of the scene.
pub fn film_ui(ctx: &Context, view: &View, free: egui::Rect) {
    let Some(progress) = view.recording.progress() else {
        return;
    };
    let at = free.right_top() + egui::vec2(-12.0, 10.0);
    card(ctx, "film", Align2::RIGHT_TOP, at, |ui| {
        ui.horizontal(|ui| match progress {
            Progress::Taking { seconds, frames } => {
                // On for most of each second.
                let on = seconds.fract() < 0.65;
                let red = Color32::from_rgb(226, 48, 48);
                let color = if on { red } else { red.gamma_multiply(0.25) };
                legend::entry_ui(ui, color, &format!("film  {seconds:.1} s  {frames} frames"));
            }
            Progress::Writing { done, frames } => {
                let share = f64::from(done) / f64::from(frames.max(1));
                let bar = egui::ProgressBar::new(share as f32)
                    .desired_width(90.0)
                    .desired_height(8.0);
                ui.label(RichText::new(format!("writing film  {done} of {frames}")).small());
                ui.add(bar);
            }
        });
    });
    ctx.request_repaint();
}

/// A small card over the scene through which the pointer passes.
fn card(
    ctx: &Context,
    name: &'static str,
    pivot: Align2,
    at: egui::Pos2,
    add: impl FnOnce(&mut Ui),
) -> egui::Rect {
    let id = egui::Id::new(name);
    let before = ctx.memory(|memory| memory.area_rect(id));
    let area = egui::Area::new(id)
        .order(egui::Order::Background)
        .pivot(pivot)
        .fixed_pos(at)
        .interactable(false)
        .show(ctx, |ui| {
            let frame = egui::Frame::new()
                .fill(theme::of(ui).label)
                .corner_radius(6)
                .inner_margin(egui::Margin::symmetric(8, 5));
            frame.show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 14.0;
                add(ui);
            });
        });
    let rect = area.response.rect;
    // It is put in its corner by the size it had before: with another it is drawn once more, else a frame would show it
    // beyond the edge.
    if before.is_some_and(|before| (before.size() - rect.size()).abs().max_elem() > 0.5) {
        ctx.request_discard("a card has another size");
    }
    rect
}
