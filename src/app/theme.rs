//! Colours and spacing of the whole window, in one place.

use bevy::prelude::Color;
use bevy_egui::egui;

/// The backdrop at the top of the picture.
pub const BACKDROP_TOP: Color = Color::srgb(0.63, 0.70, 0.78);
/// The backdrop at the bottom of the picture.
pub const BACKDROP_BOTTOM: Color = Color::srgb(0.88, 0.89, 0.90);

/// What deserves the eye: the running state, chosen things.
pub const ACCENT: egui::Color32 = egui::Color32::from_rgb(86, 180, 233);
/// Something went wrong.
pub const ALARM: egui::Color32 = egui::Color32::from_rgb(200, 52, 52);
/// The simulation stands still.
pub const PAUSED: egui::Color32 = egui::Color32::from_rgb(240, 200, 80);
/// Text that explains.
pub const FAINT: egui::Color32 = egui::Color32::from_rgb(158, 166, 178);
/// The same on the background of what is chosen.
pub const FAINT_ON_CHOSEN: egui::Color32 = egui::Color32::from_rgb(205, 216, 228);
/// Panels.
pub const PANEL: egui::Color32 = egui::Color32::from_rgb(30, 33, 39);
/// Width of the control panel, points.
pub const PANEL_WIDTH: f32 = 292.0;
/// Height of the status bar, points.
pub const STATUS_HEIGHT: f32 = 30.0;

/// Dark, roomy, rounded.
pub fn apply(ctx: &egui::Context) {
    let mut visuals = egui::Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.extreme_bg_color = egui::Color32::from_rgb(20, 22, 27);
    visuals.override_text_color = Some(egui::Color32::from_rgb(226, 230, 236));
    visuals.selection.bg_fill = egui::Color32::from_rgb(0, 92, 148);
    visuals.slider_trailing_fill = true;
    visuals.window_corner_radius = 10.into();
    visuals.menu_corner_radius = 8.into();
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = 6.into();
    }
    ctx.set_visuals(visuals);
    ctx.all_styles_mut(|style| {
        style.text_styles = [
            (egui::TextStyle::Small, egui::FontId::proportional(11.5)),
            (egui::TextStyle::Body, egui::FontId::proportional(13.0)),
            (egui::TextStyle::Button, egui::FontId::proportional(13.0)),
            (egui::TextStyle::Heading, egui::FontId::proportional(18.0)),
            (egui::TextStyle::Monospace, egui::FontId::monospace(12.5)),
        ]
        .into();
        style.spacing.item_spacing = egui::vec2(8.0, 6.0);
        style.spacing.button_padding = egui::vec2(9.0, 4.0);
        style.spacing.interact_size.y = 22.0;
        style.spacing.slider_width = 118.0;
        style.interaction.selectable_labels = false;
    });
}

/// Draws every character that figures use into the font texture now: one that first appears later would be blank for
/// a frame, which shows when frames are slow. Characters are kept once for each quarter of a pixel they may start at.
pub fn warm_up_figures(ctx: &egui::Context) {
    const FIGURES: &str = "0123456789.,-−+×·eEinfNa smN/radμ";
    for style in [
        egui::TextStyle::Small,
        egui::TextStyle::Body,
        egui::TextStyle::Button,
        egui::TextStyle::Monospace,
    ] {
        let format = egui::TextFormat {
            font_id: style.resolve(&ctx.global_style()),
            ..Default::default()
        };
        for quarter in 0..4 {
            let start = 0.25 * quarter as f32 / ctx.pixels_per_point();
            for figure in FIGURES.chars() {
                let mut job = egui::text::LayoutJob::default();
                job.append(figure.encode_utf8(&mut [0; 4]), start, format.clone());
                // The laid out text itself is not needed.
                let _ = ctx.debug_painter().layout_job(job);
            }
        }
    }
}
