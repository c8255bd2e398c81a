//! One plot as all of ours look: a title with the unit, the curves with their names, and nothing to trip over.

use bevy_egui::egui::{self, Color32, RichText, Ui};
use egui_plot::{
    AxisHints, GridInput, HoverPosition, Line, Plot, PlotBounds, PlotPoints, uniform_grid_spacer,
};

use super::super::legend;
use crate::app::theme;

/// Height of a plot with its axis, points.
const HEIGHT: f32 = 92.0;
/// Room on the right for the half of the last tick's figures that stands beyond the plot, points.
const OVERHANG: f32 = 12.0;

/// Ticks that there is room for, upward and across.
const UPWARD: f64 = 3.5;
const ACROSS: f64 = 4.0;
/// What is smaller is zero with rounding errors, in every unit that is plotted.
const NOTHING: f64 = 1e-12;

/// Colours that the colour-blind tell apart, in order of use; readable on dark and on white.
pub const COLORS: [Color32; 7] = [
    Color32::from_rgb(64, 158, 216),
    Color32::from_rgb(230, 149, 0),
    Color32::from_rgb(0, 168, 122),
    Color32::from_rgb(214, 110, 170),
    Color32::from_rgb(214, 94, 0),
    Color32::from_rgb(140, 140, 150),
    Color32::from_rgb(190, 178, 40),
];

/// One line of a plot.
pub struct Curve {
    /// What the key and the pointer call it.
    pub name: String,
    /// Its colour.
    pub color: Color32,
    /// Its points.
    pub points: Vec<[f64; 2]>,
}

/// What is drawn, and against what.
pub struct Chart<'a> {
    /// What tells it from the other plots of the page; also its name for tests.
    pub id: &'static str,
    /// Stands above it.
    pub title: &'a str,
    /// Unit of the height.
    pub unit: &'a str,
    /// Unit of the width.
    pub across: &'a str,
    /// Whether the heights are logarithms to base ten.
    pub decades: bool,
    /// Whether zero belongs to the picture.
    pub from_zero: bool,
}

impl Chart<'_> {
    /// Draws the curves; without any point a word says so. Returns where the plot is.
    pub fn show(&self, ui: &mut Ui, curves: Vec<Curve>) -> egui::Rect {
        let palette = theme::of(ui);
        ui.horizontal(|ui| {
            ui.label(RichText::new(self.title).strong().color(palette.text));
            if !self.unit.is_empty() {
                ui.label(RichText::new(self.unit).small().color(palette.faint));
            }
        });
        let Some(bounds) = self.bounds(&curves) else {
            return nothing(ui);
        };
        if curves.len() > 1 {
            key(ui, &curves);
        }
        let drawn = self.plot(ui).show(ui, |plot| {
            plot.set_plot_bounds(bounds);
            for curve in curves {
                let line = Line::new(curve.name, PlotPoints::from(curve.points));
                plot.line(line.color(curve.color).width(1.5));
            }
        });
        ui.add_space(4.0);
        drawn.response.rect
    }

    fn plot(&self, ui: &Ui) -> Plot<'static> {
        let small = egui::TextStyle::Small.resolve(ui.style());
        let faint = theme::of(ui).faint;
        let axis = |hints: AxisHints<'static>| {
            hints.tick_label_font(small.clone()).tick_label_color(faint)
        };
        let (decades, unit, across) = (self.decades, self.unit.to_owned(), self.across.to_owned());
        let height = move |value: f64| {
            let value = if decades { 10_f64.powf(value) } else { value };
            legend::short(value as f32)
        };
        let hover = move |place: &HoverPosition| match place {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => Some(format!(
                "{plot_name} {} {unit}\nat {} {across}",
                height(position.y),
                legend::short(position.x as f32)
            )),
            HoverPosition::Elsewhere { .. } => None,
        };
        // The first word is the unit: what it is measured along needs no place at every figure.
        let unit_across = self.across.split(' ').next().unwrap_or("").to_owned();
        Plot::new(self.id)
            .height(HEIGHT)
            .width(ui.available_width() - OVERHANG)
            .show_crosshair(false)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .allow_axis_zoom_drag(false)
            .sense(egui::Sense::hover())
            .label_formatter(hover)
            .x_grid_spacer(uniform_grid_spacer(|input| steps(&input, ACROSS, 0.0)))
            .y_grid_spacer(uniform_grid_spacer(move |input| {
                steps(&input, UPWARD, if decades { 1.0 } else { 0.0 })
            }))
            .custom_y_axes(vec![
                axis(AxisHints::new_y())
                    .formatter(move |mark, _| tick(mark.value, decades))
                    .label_spacing(egui::Rangef::new(14.0, 22.0))
                    .min_thickness(46.0),
            ])
            .custom_x_axes(vec![
                axis(AxisHints::new_x())
                    .formatter(move |mark, _| format!("{} {unit_across}", tick(mark.value, false)))
                    .label_spacing(egui::Rangef::new(40.0, 60.0)),
            ])
    }

    /// What part of the plane is shown: all points with a little room; none without points.
    fn bounds(&self, curves: &[Curve]) -> Option<PlotBounds> {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for point in curves.iter().flat_map(|curve| &curve.points) {
            for k in 0..2 {
                low[k] = low[k].min(point[k]);
                high[k] = high[k].max(point[k]);
            }
        }
        if low[0] > high[0] {
            return None;
        }
        if self.from_zero {
            (low[1], high[1]) = (low[1].min(0.0), high[1].max(0.0));
        }
        // All zero: there is no size to go by, and figures of nothing are nonsense.
        if !self.decades && low[1].abs().max(high[1].abs()) < NOTHING {
            (low[1], high[1]) = (0.0, 1.0);
        }
        // A level line lies in the middle, not on an edge.
        let least = [1e-9, if self.decades { 1.0 } else { NOTHING }];
        for k in 0..2 {
            let middle = 0.5 * (low[k] + high[k]);
            let half = 0.5 * (high[k] - low[k]);
            let half = half.max(0.05 * middle.abs()).max(least[k]);
            let half = if k == 1 { 1.08 * half } else { half };
            if high[k] - low[k] < 2.0 * half {
                (low[k], high[k]) = (middle - half, middle + half);
            }
        }
        Some(PlotBounds::from_min_max(low, high))
    }
}

/// Distances of the lines of a grid: the least of 1, 2 and 5 times a power of ten that makes at most so many ticks of what
/// is shown, and tens of that. Powers of ten alone would leave a plot from 0 to 6 with a single figure.
fn steps(input: &GridInput, most: f64, least: f64) -> [f64; 3] {
    let wanted = ((input.bounds.1 - input.bounds.0) / most).max(least);
    let ten = 10_f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * ten);
    // A little slack: 1e-3 is not exactly a power of ten.
    let step = step.into_iter().find(|step| *step > 0.999 * wanted);
    let step = step.unwrap_or(10.0 * ten);
    [step, 10.0 * step, 100.0 * step]
}

/// A tick's figures.
fn tick(value: f64, decades: bool) -> String {
    if decades {
        // Between whole powers of ten there is no room for words.
        let whole = (value - value.round()).abs() < 1e-6;
        return if whole {
            format!("1e{value:.0}")
        } else {
            String::new()
        };
    }
    let size = value.abs();
    if size < NOTHING {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.1e}")
    } else {
        // As short as it can be said.
        let text = format!("{value:.4}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        text.to_owned()
    }
}

/// An empty plot.
fn nothing(ui: &mut Ui) -> egui::Rect {
    let palette = theme::of(ui);
    let size = egui::vec2(ui.available_width() - OVERHANG, 0.5 * HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter().rect_filled(rect, 2.0, palette.well);
    ui.painter().text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        "nothing yet",
        egui::TextStyle::Small.resolve(ui.style()),
        palette.faint,
    );
    rect
}

/// Names of the curves in their colours.
fn key(ui: &mut Ui, curves: &[Curve]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().interact_size.y = 14.0;
        for curve in curves {
            legend::entry_ui(ui, curve.color, &curve.name);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(from_zero: bool, decades: bool) -> Chart<'static> {
        Chart {
            id: "test",
            title: "",
            unit: "",
            across: "",
            decades,
            from_zero,
        }
    }

    fn curve(points: &[[f64; 2]]) -> Vec<Curve> {
        vec![Curve {
            name: String::new(),
            color: COLORS[0],
            points: points.to_vec(),
        }]
    }

    #[test]
    fn every_point_is_in_the_picture_and_level_lines_have_room() {
        for (from_zero, decades) in [(false, false), (true, false), (false, true)] {
            for points in [
                vec![[0.0, 0.0]],
                vec![[1.0, 5.0], [2.0, 5.0]],
                vec![[0.0, -7.0], [3.0, 1e-9]],
                vec![[0.0, 1e9], [1e-7, 2e9]],
            ] {
                let shown = chart(from_zero, decades).bounds(&curve(&points));
                let shown = shown.expect("points");
                let (low, high) = (shown.min(), shown.max());
                for point in &points {
                    for k in 0..2 {
                        assert!(low[k] <= point[k] && point[k] <= high[k], "{points:?}");
                        assert!(low[k] < high[k]);
                    }
                }
                assert!(!from_zero || (low[1] <= 0.0 && high[1] >= 0.0));
            }
        }
        assert!(chart(true, false).bounds(&curve(&[])).is_none());
    }

    #[test]
    fn every_range_has_ticks_and_none_has_many() {
        for size in [1e-9, 0.07, 1.0, 6.0, 99.0, 1234.0] {
            let input = GridInput {
                bounds: (0.0, size),
                base_step_size: 1e-3 * size,
            };
            let [step, ..] = steps(&input, UPWARD, 0.0);
            let ticks = (size / step) as usize;
            assert!((1..=3).contains(&ticks), "{ticks} ticks up to {size}");
            assert!(steps(&input, UPWARD, 1.0)[0] >= 0.999, "whole decades");
        }
    }

    #[test]
    fn nothing_but_zeros_is_shown_against_one() {
        let shown = chart(true, false).bounds(&curve(&[[0.0, 0.0], [1.0, -1e-15]]));
        let shown = shown.expect("points");
        assert!(shown.max()[1] >= 1.0 && shown.min()[1] <= 0.0);
    }

    #[test]
    fn ticks_are_short() {
        let texts = [0.0, 0.25, 12.0, 1500.0, 2e-7, -0.5].map(|v| tick(v, false));
        assert_eq!(texts, ["0", "0.25", "12", "1500", "2.0e-7", "-0.5"]);
        assert_eq!(tick(-6.0, true), "1e-6");
        assert_eq!(tick(-6.5, true), "");
    }
}
