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
    // A range of zero still has a bar.
    let reach = if limit > 0.0 { limit } else { 1.0 };
    let start = if mode.signed() { -reach } else { 0.0 };
    // One mesh: strips side by side would show their smoothed edges.
    let mut bar = egui::Mesh::default();
    for edge in 0..=STRIPS as u32 {
        let share = edge as f32 / STRIPS as f32;
        let color = color32(mode.color(start + share * (reach - start), reach));
        let x = egui::lerp(rect.x_range(), share);
        bar.colored_vertex(egui::pos2(x, rect.top()), color);
        bar.colored_vertex(egui::pos2(x, rect.bottom()), color);
        if let Some(before) = edge.checked_sub(1) {
            bar.add_triangle(2 * before, 2 * before + 1, 2 * edge);
            bar.add_triangle(2 * before + 1, 2 * edge, 2 * edge + 1);
        }
    }
    ui.painter().add(bar);
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

/// A dot of a colour and what it stands for, in one piece: where a line ends, the dot goes with its name.
pub fn entry_ui(ui: &mut Ui, color: Color32, text: &str) {
    const DOT: f32 = 9.0;
    const BETWEEN: f32 = 5.0;
    const AFTER: f32 = 2.0;
    let font = egui::TextStyle::Small.resolve(ui.style());
    let ink = ui.visuals().text_color();
    let name = ui.painter().layout_no_wrap(text.into(), font, ink);
    let size = egui::vec2(DOT + BETWEEN + name.size().x + AFTER, name.size().y);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let dot = rect.left_center() + egui::vec2(0.5 * DOT, 0.0);
    // Pale dots need an edge on pale panels.
    let edge = theme::of(ui).faint;
    ui.painter().circle(dot, 0.5 * DOT, color, (0.5, edge));
    let at = egui::pos2(
        rect.left() + DOT + BETWEEN,
        rect.center().y - 0.5 * name.size().y,
    );
    ui.painter().galley(at, name, ink);
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

    /// Dots used to stay at the end of a line whose name began the next.
    #[test]
    fn a_dot_is_never_left_behind_by_its_name() {
        for width in [60.0, 100.0, 140.0, 170.0, 200.0] {
            let drawn = egui::Context::default().run_ui(egui::RawInput::default(), |ui| {
                ui.set_max_width(width);
                ui.horizontal_wrapped(|ui| {
                    for name in ["stretching", "bending", "twisting", "sliding"] {
                        entry_ui(ui, Color32::RED, name);
                    }
                });
            });
            let shapes = || drawn.shapes.iter().map(|clipped| &clipped.shape);
            let names: Vec<egui::Rect> = shapes()
                .filter_map(|shape| match shape {
                    egui::Shape::Text(text) => Some(text.visual_bounding_rect()),
                    _ => None,
                })
                .collect();
            let dots: Vec<egui::Pos2> = shapes()
                .filter_map(|shape| match shape {
                    egui::Shape::Circle(circle) => Some(circle.center),
                    _ => None,
                })
                .collect();
            assert_eq!((dots.len(), names.len()), (4, 4));
            for (dot, name) in dots.iter().zip(&names) {
                let after = name.left() - dot.x;
                assert!(name.y_range().contains(dot.y), "{width}: {dot} {name}");
                assert!((0.0..20.0).contains(&after), "{width}: {dot} {name}");
            }
        }
    }

    #[test]
    fn numbers_keep_three_digits() {
        let texts = [0.0, 0.0123, 1.5, 123.4, 2e-6, 3e7].map(short);
        assert_eq!(texts, ["0", "0.0123", "1.50", "123", "2.0e-6", "3.0e7"]);
    }
}
