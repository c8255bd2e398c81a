//! The error of the last step's solve against the iteration, on a scale of powers of ten.

mod scale;

use bevy_egui::egui::{self, Color32, RichText, Ui};
use egui_plot::{AxisHints, HLine, HoverPosition, Line, LineStyle, Plot, Points};

use super::{Widgets, legend};
use crate::app::theme::{self, Palette};
use crate::friction::{Stage, StopReason};
use crate::world::{Convergence, ConvergencePoint};
use scale::{Range, decades, iterations, power_of_ten};

/// Height of the plot with its axis, points.
const HEIGHT: f32 = 96.0;
/// Height of the plot with the three lines of text below it, points.
const WHOLE_HEIGHT: f32 = HEIGHT + 56.0;
/// Room on the right for the half of the last tick's figures that stands beyond the plot, points.
const OVERHANG: f32 = 10.0;
/// Beyond so many measurements dots would merge into a band.
const MOST_DOTS: usize = 40;

/// The plot, what its colours mean, and how the solve ended; all of it can be folded away.
pub fn convergence_ui(ui: &mut Ui, course: &Convergence, widgets: &mut Widgets) {
    let shown = egui::CollapsingHeader::new(title(ui))
        .id_salt("convergence")
        .default_open(true)
        .show_unindented(ui, |ui| {
            // Lines of text, not of buttons.
            ui.spacing_mut().interact_size.y = 14.0;
            // The same with and without contacts: a strand that bounces must not shake the panel.
            ui.set_min_height(WHOLE_HEIGHT);
            if course.points.is_empty() {
                nothing_ui(ui);
                return;
            }
            let plotted = plot_ui(ui, course);
            widgets.insert("convergence", plotted);
            stages_ui(ui, course);
            caption_ui(ui, course);
        });
    widgets.insert("convergence_title", shown.header_response.rect);
}

/// What it is, and what is drawn against what.
fn title(ui: &Ui) -> egui::text::LayoutJob {
    let mut job = egui::text::LayoutJob::default();
    let parts = [
        RichText::new("Convergence")
            .strong()
            .color(theme::of(ui).accent),
        RichText::new("   error against iteration")
            .small()
            .color(theme::of(ui).faint),
    ];
    for part in parts {
        let (font, align) = (egui::FontSelection::Default, egui::Align::Center);
        part.append_to(&mut job, ui.style(), font, align);
    }
    job
}

/// An empty plot.
fn nothing_ui(ui: &mut Ui) {
    let size = egui::vec2(ui.available_width() - OVERHANG, HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let dark = ui.visuals().extreme_bg_color;
    ui.painter().rect_filled(rect, 2.0, dark);
    ui.painter().text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        "no contacts",
        egui::TextStyle::Small.resolve(ui.style()),
        theme::of(ui).faint,
    );
}

/// Draws the plot; returns where it is.
fn plot_ui(ui: &mut Ui, course: &Convergence) -> egui::Rect {
    let range = Range::of(course);
    let small = egui::TextStyle::Small.resolve(ui.style());
    let palette = theme::of(ui);
    let axis = |hints: AxisHints<'static>| {
        hints
            .tick_label_font(small.clone())
            .tick_label_color(palette.faint)
    };
    let plot = Plot::new("convergence")
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
        .label_formatter(hover_text)
        .y_grid_spacer(decades)
        .x_grid_spacer(iterations)
        .custom_y_axes(vec![
            axis(AxisHints::new_y())
                .formatter(|mark, _| power_of_ten(mark.value))
                .label_spacing(egui::Rangef::new(8.0, 12.0))
                .min_thickness(36.0),
        ])
        .custom_x_axes(vec![
            axis(AxisHints::new_x())
                .formatter(|mark, _| format!("{:.0}", mark.value))
                .label_spacing(egui::Rangef::new(20.0, 30.0)),
        ]);
    let drawn = plot.show(ui, |plot| {
        plot.set_plot_bounds(range.bounds());
        let tolerance = HLine::new("tolerance", course.tolerance.log10())
            .color(palette.faint)
            .width(1.0)
            .style(LineStyle::dashed_dense());
        plot.hline(tolerance.allow_hover(false));
        for (run, joined) in runs(&course.points) {
            let (name, color) = (run.stage.name(), stage_color(run.stage, palette));
            let places = |points: &[ConvergencePoint]| -> Vec<[f64; 2]> {
                points.iter().map(|point| range.place(point)).collect()
            };
            let line = Line::new(name, places(joined)).color(color).width(1.6);
            plot.line(line.allow_hover(false));
            let dots = Points::new(name, places(run.points)).color(color);
            let size = if course.points.len() > MOST_DOTS {
                0.8
            } else {
                2.6
            };
            plot.points(dots.radius(size));
        }
    });
    drawn.response.rect
}

/// Consecutive points of one stage.
struct Run<'a> {
    stage: Stage,
    points: &'a [ConvergencePoint],
}

/// Cuts the course into runs of one stage each; beside each run its points with the one before them, so that the line
/// does not break where the stage changes.
fn runs(
    points: &[ConvergencePoint],
) -> impl Iterator<Item = (Run<'_>, &[ConvergencePoint])> + use<'_> {
    let mut end = 0;
    points
        .chunk_by(|a, b| a.stage == b.stage)
        .map(move |chunk| {
            let start = end;
            end += chunk.len();
            let run = Run {
                stage: chunk[0].stage,
                points: chunk,
            };
            (run, &points[start.saturating_sub(1)..end])
        })
}

fn hover_text(place: &HoverPosition) -> Option<String> {
    match place {
        HoverPosition::NearDataPoint {
            plot_name,
            position,
            ..
        } => Some(format!(
            "{plot_name}, iteration {:.0}: {:.1e}",
            position.x,
            10_f64.powf(position.y)
        )),
        HoverPosition::Elsewhere { .. } => None,
    }
}

/// Names of the stages that the solve went through, in their colours.
fn stages_ui(ui: &mut Ui, course: &Convergence) {
    ui.horizontal_wrapped(|ui| {
        let mut named: Vec<Stage> = Vec::new();
        for point in &course.points {
            if !named.contains(&point.stage) {
                named.push(point.stage);
                legend::entry_ui(
                    ui,
                    stage_color(point.stage, theme::of(ui)),
                    point.stage.name(),
                );
            }
        }
        // A second line would push everything below to and fro.
        if named.len() < 4 {
            ui.label(
                RichText::new("- -  tolerance")
                    .small()
                    .color(theme::of(ui).faint),
            );
        }
    });
}

/// Colours that the colour-blind tell apart.
fn stage_color(stage: Stage, palette: &Palette) -> Color32 {
    match stage {
        Stage::Start => palette.text,
        Stage::Sweeps => palette.accent,
        Stage::Newton => Color32::from_rgb(230, 159, 0),
        Stage::Polish => Color32::from_rgb(0, 178, 130),
        Stage::Gradient => Color32::from_rgb(220, 140, 190),
    }
}

/// Which solver, how many iterations, how good, and why it stopped.
fn caption_ui(ui: &mut Ui, course: &Convergence) {
    let unit = if course.iterations == 1 {
        "iteration"
    } else {
        "iterations"
    };
    let figures = format!(
        "{}: {} {unit}, error {:.1e}",
        course.solver.name(),
        course.iterations,
        course.error
    );
    ui.label(RichText::new(figures).small());
    let color = if course.stop == StopReason::Solved {
        theme::of(ui).faint
    } else {
        theme::of(ui).paused
    };
    ui.label(RichText::new(in_words(course)).small().color(color));
}

/// Why a solve stopped.
fn in_words(course: &Convergence) -> &'static str {
    match course.stop {
        StopReason::Solved if course.iterations == 0 => "solved: the last step's forces still hold",
        StopReason::Solved => "solved: the error is within the tolerance",
        StopReason::Iterations => "gave up: all iterations are spent",
        StopReason::Work => "gave up: its budget of work is spent",
        StopReason::Stalled => "gave up: it could get no further",
        StopReason::NotFinite => "gave up: the forces grew beyond all bounds",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_different_stages_meet() {
        let stages = [Stage::Start, Stage::Sweeps, Stage::Sweeps, Stage::Newton];
        let point = |(iteration, stage)| ConvergencePoint {
            iteration,
            log_error: -1.0,
            stage,
        };
        let points: Vec<_> = (0..).zip(stages).map(point).collect();
        let shape: Vec<_> = runs(&points)
            .map(|(run, joined)| (run.stage, run.points.len(), joined.len()))
            .collect();
        let expected = [
            (Stage::Start, 1, 1),
            (Stage::Sweeps, 2, 3),
            (Stage::Newton, 1, 2),
        ];
        assert_eq!(shape, expected);
    }
}
