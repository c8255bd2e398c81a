//! What colours mean: the bar of a colour map, and the keys to stick and slide.

use bevy::prelude::{LinearRgba, Srgba};
use bevy_egui::egui::{self, Color32, RichText, Ui};

use crate::app::colour::ColorMode;
use crate::app::glyphs::{OPEN_COLOR, SLIDE_COLOR, STICK_COLOR};
use crate::app::shown::Shown;
use crate::app::{ground, theme};

/// Strips of the bar; enough to look smooth.
const STRIPS: usize = 64;

/// The bar of a colour map with its range and unit.
pub fn colors_ui(ui: &mut Ui, mode: ColorMode, limit: f32) {
    let (rect, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), 12.0), egui::Sense::hover());
    let low = if mode.signed() { -limit } else { 0.0 };
    let width = rect.width() / STRIPS as f32;
    for strip in 0..STRIPS {
        let share = (strip as f32 + 0.5) / STRIPS as f32;
        // A range of zero still has a bar.
        let reach = if limit > 0.0 { limit } else { 1.0 };
        let start = if mode.signed() { -reach } else { 0.0 };
        let color = mode.color(start + share * (reach - start), reach);
        let left = rect.left() + strip as f32 * width;
        let piece = egui::Rect::from_min_size(
            egui::pos2(left, rect.top()),
            egui::vec2(width + 0.5, rect.height()),
        );
        ui.painter().rect_filled(piece, 0.0, color32(color));
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new(short(low)).small());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(format!("{} {}", short(limit), mode.unit())).small());
        });
    });
}

/// The colours of sticking, sliding and opening contacts, in the present line.
pub fn contacts_ui(ui: &mut Ui) {
    let states = [
        (STICK_COLOR, "stick"),
        (SLIDE_COLOR, "slide"),
        (OPEN_COLOR, "take-off"),
    ];
    for ([r, g, b], text) in states {
        entry_ui(ui, Color32::from_rgb(r, g, b), text);
    }
}

/// The force of the longest arrow.
pub fn arrows_ui(ui: &mut Ui, longest_n: f32) {
    let text = format!("longest arrow {} N", short(longest_n));
    ui.label(RichText::new(text).small().color(theme::of(ui).faint));
}

/// A dot of a colour and what it stands for.
pub fn entry_ui(ui: &mut Ui, color: Color32, text: &str) {
    ui.spacing_mut().item_spacing.x = 5.0;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0, 9.0), egui::Sense::hover());
    ui.painter().circle_filled(rect.center(), 4.5, color);
    // Pale dots need an edge on pale panels.
    let edge = ui.visuals().weak_text_color().gamma_multiply(0.5);
    ui.painter().circle_stroke(rect.center(), 4.5, (0.5, edge));
    ui.label(RichText::new(text).small());
    ui.add_space(5.0);
}

/// Distances of the grid's fine and bold lines.
pub fn grid_text(shown: &Shown) -> String {
    let fine = ground::cell_m(shown);
    format!("{} · bold {}", length(fine), length(10.0 * fine))
}

/// A round length in the unit that needs no zeros.
fn length(metres: f32) -> String {
    let (value, unit) = match metres {
        m if m >= 0.999 => (m, "m"),
        m if m >= 0.00999 => (100.0 * m, "cm"),
        m if m >= 0.000_999 => (1e3 * m, "mm"),
        m => (1e6 * m, "µm"),
    };
    format!("{value:.0} {unit}")
}

/// For egui.
pub fn color32([r, g, b]: [f32; 3]) -> Color32 {
    let color = Srgba::from(LinearRgba::rgb(r, g, b));
    let [r, g, b] = [color.red, color.green, color.blue].map(|x| (255.0 * x).round() as u8);
    Color32::from_rgb(r, g, b)
}

/// Three significant digits, with an exponent when the number is very small or large.
pub fn short(value: f32) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.1e}")
    } else {
        let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_named_in_handy_units() {
        let texts = [1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0].map(length);
        assert_eq!(texts, ["100 µm", "1 mm", "1 cm", "10 cm", "1 m", "10 m"]);
    }

    #[test]
    fn numbers_keep_three_digits() {
        let texts = [0.0, 0.0123, 1.5, 123.4, 2e-6, 3e7].map(short);
        assert_eq!(texts, ["0", "0.0123", "1.50", "123", "2.0e-6", "3.0e7"]);
    }
}
