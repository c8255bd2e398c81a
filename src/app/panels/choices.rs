//! Lists to choose from: each entry a name, and beside it a sentence on what it is.

use bevy_egui::egui::{self, AtomExt, RichText, TextStyle, Ui};

use super::Widgets;
use crate::app::theme;

/// Distance of a list from the edges of the window, points.
const MARGIN: f32 = 24.0;
/// A list is never lower than this, points: in a tiny window it may cover the button instead.
const LEAST_HEIGHT: f32 = 160.0;

/// The closed list, as wide as its row; open it is as high as the window allows.
pub fn combo(ui: &Ui, name: &str, chosen: &str) -> egui::ComboBox {
    let below = ui.cursor().top() + ui.spacing().interact_size.y;
    let room = ui.ctx().content_rect().bottom() - below - MARGIN;
    egui::ComboBox::from_id_salt(name)
        .width(ui.available_width() - 8.0)
        .height(room.max(LEAST_HEIGHT))
        .selected_text(chosen)
}

/// Makes the open list wide enough for its entries, or as wide as the window allows; returns the width of the names.
pub fn fit(ui: &mut Ui, entries: &[(&'static str, &'static str)]) -> f32 {
    let widest = |texts: &mut dyn Iterator<Item = &'static str>, style: TextStyle| {
        texts
            .map(|text| text_width(ui, text, &style))
            .fold(0.0, f32::max)
    };
    let name_width = widest(&mut entries.iter().map(|entry| entry.0), TextStyle::Button);
    let padding = 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x + 8.0;
    let summaries = &mut entries.iter().map(|entry| entry.1);
    let wanted = padding + name_width + widest(summaries, TextStyle::Small);
    let room = ui.ctx().content_rect().right() - ui.max_rect().left() - MARGIN;
    ui.set_width(wanted.min(room));
    ui.spacing_mut().item_spacing.y = 1.0;
    name_width
}

/// The entries of an open list; returns the one that was clicked.
pub fn list_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    all: &[T],
    entry: impl Fn(T) -> (&'static str, &'static str),
    chosen: Option<T>,
    widgets: &mut Widgets,
) -> Option<T> {
    let entries: Vec<_> = all.iter().map(|&kind| entry(kind)).collect();
    let name_width = fit(ui, &entries);
    let mut clicked = None;
    for &kind in all {
        if entry_ui(ui, entry(kind), Some(kind) == chosen, name_width, widgets) {
            clicked = Some(kind);
        }
    }
    clicked
}

/// One entry: its name, and beside it what it is. Returns whether it was clicked.
pub fn entry_ui(
    ui: &mut Ui,
    (name, summary): (&'static str, &'static str),
    chosen: bool,
    name_width: f32,
    widgets: &mut Widgets,
) -> bool {
    let faint = if chosen {
        theme::of(ui).faint_on_chosen
    } else {
        theme::of(ui).faint
    };
    let title = RichText::new(name)
        .atom_size(egui::vec2(
            name_width + 8.0,
            ui.text_style_height(&TextStyle::Button),
        ))
        .atom_align(egui::Align2::LEFT_CENTER);
    let summary = RichText::new(summary)
        .small()
        .color(faint)
        .atom_shrink(true)
        .atom_grow(true)
        .atom_align(egui::Align2::LEFT_CENTER);
    let entry = ui.add(egui::Button::selectable(chosen, (title, summary)).wrap());
    // Tests click an entry by its name; one that is scrolled away or not yet in place cannot be clicked.
    if ui.clip_rect().contains_rect(entry.rect) && !ui.is_sizing_pass() {
        widgets.insert(name, entry.rect);
    }
    entry.clicked()
}

/// Width of a line of text, points.
fn text_width(ui: &Ui, text: &str, style: &TextStyle) -> f32 {
    let font = style.resolve(ui.style());
    let line = ui
        .painter()
        .layout_no_wrap(text.into(), font, egui::Color32::WHITE);
    line.size().x.ceil()
}
