//! Rows of a panel: a name with an explanation, a value with its unit, and the way back to the scene's value.

use bevy_egui::egui::{self, RichText, Ui};

use super::Widgets;
use crate::app::theme;
use crate::app::units::{parse_si, si};

/// Width of the names, points.
const LABEL_WIDTH: f32 = 66.0;
/// Width of the number beside a slider, points.
const NUMBER_WIDTH: f32 = 74.0;
/// Width of the button that puts a value back, points.
const BACK_WIDTH: f32 = 20.0;

/// What a row is about.
pub struct Row {
    /// Its widget, and the button that puts it back, by name for tests.
    pub names: [&'static str; 2],
    /// What it is called.
    pub label: &'static str,
    /// What it means, with its unit and limits.
    pub hint: &'static str,
    /// Whether it is not as the scene has it.
    pub differs: bool,
}

/// What a user did to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Gave it another value.
    pub changed: bool,
    /// Asked for the value of the scene.
    pub put_back: bool,
}

/// A name and what `add` makes beside it. One that differs from the scene is marked, and can be put back.
pub fn row_ui(
    ui: &mut Ui,
    row: &Row,
    widgets: &mut Widgets,
    add: impl FnOnce(&mut Ui) -> egui::Response,
) -> Answer {
    ui.horizontal(|ui| {
        label_ui(ui, row.label, row.hint, row.differs);
        let room = ui.available_width() - BACK_WIDTH - ui.spacing().item_spacing.x;
        let number = NUMBER_WIDTH + ui.spacing().item_spacing.x;
        ui.spacing_mut().slider_width = (room - number).max(40.0);
        let shown = add(ui);
        widgets.insert(row.names[0], shown.rect);
        Answer {
            changed: shown.changed(),
            put_back: row.differs && back_ui(ui, row.names[1], widgets),
        }
    })
    .inner
}

/// How wide a list in a row may be.
pub fn combo_width(ui: &Ui) -> f32 {
    ui.available_width() - BACK_WIDTH - ui.spacing().item_spacing.x - 8.0
}

/// The name of a row, in a column of fixed width.
pub fn label_ui(ui: &mut Ui, label: &str, hint: &str, differs: bool) {
    let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let shown = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(size.x);
        let text = RichText::new(label);
        let text = if differs {
            text.color(accent(ui))
        } else {
            text
        };
        ui.label(text)
    });
    shown.inner.on_hover_text(hint);
}

fn back_ui(ui: &mut Ui, name: &'static str, widgets: &mut Widgets) -> bool {
    let button = egui::Button::new(RichText::new("⟲").small()).frame(false);
    let shown = ui
        .add_sized(egui::vec2(BACK_WIDTH, 18.0), button)
        .on_hover_text("back to the scene's value");
    widgets.insert(name, shown.rect);
    shown.clicked()
}

/// A slider over powers of ten, in SI units with prefixes.
pub fn si_slider<'a>(
    value: &'a mut f64,
    range: std::ops::RangeInclusive<f64>,
    unit: &'static str,
) -> egui::Slider<'a> {
    egui::Slider::new(value, range)
        .logarithmic(true)
        .clamping(egui::SliderClamping::Edits)
        .custom_formatter(move |value, _| si(value, unit))
        .custom_parser(move |text| parse_si(text, unit))
}

/// A number that is only shown, in two columns.
pub fn figure_ui(ui: &mut Ui, label: &str, value: &str, hint: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new(label).small().color(faint(ui)))
            .on_hover_text(hint);
        ui.label(RichText::new(value).small()).on_hover_text(hint);
    });
}

/// The colour of text that explains.
pub fn faint(ui: &Ui) -> egui::Color32 {
    theme::of(ui).faint
}

/// The colour of what deserves the eye.
pub fn accent(ui: &Ui) -> egui::Color32 {
    theme::of(ui).accent
}

/// The title of a part of a page.
pub fn heading(ui: &mut Ui, title: &str) {
    ui.add_space(4.0);
    ui.separator();
    ui.label(RichText::new(title).strong().color(accent(ui)));
}
