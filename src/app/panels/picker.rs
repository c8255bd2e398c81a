//! The list of scenes: type to find one, arrows and Enter or a click to open it.

use bevy_egui::egui::{self, Context, Id, Key, RichText, ScrollArea, Ui};

use super::{SceneEntry, View, Widgets};
use crate::app::action::Action;
use crate::app::theme;

/// Width of the list within its margins, points.
const WIDTH: f32 = 440.0;
/// The least of it, however little the docks leave, points.
const LEAST_WIDTH: f32 = 160.0;
/// Distance from the edges of the window, points.
const MARGIN: f32 = 16.0;

/// What was typed, and which of the scenes found is marked.
#[derive(Clone, Debug, Default)]
struct Search {
    words: String,
    marked: usize,
    /// Whether the field has had the focus: it takes it only once.
    begun: bool,
}

/// Shows the list beside the left dock; returns where it is.
pub fn picker_ui(
    ctx: &Context,
    view: &View,
    free: egui::Rect,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) -> egui::Rect {
    let id = Id::new("picker");
    let mut search: Search = ctx.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    let asked_before = asked.len();
    let shown = egui::Area::new(id)
        .order(egui::Order::Foreground)
        .fixed_pos(free.left_top() + egui::vec2(10.0, 10.0))
        .show(ctx, |ui| {
            let palette = theme::of(ui);
            egui::Frame::new()
                .fill(palette.panel)
                .stroke((1.0, palette.line))
                .corner_radius(10)
                .inner_margin(egui::Margin::same(12))
                .show(ui, |ui| {
                    ui.set_width(WIDTH.min(free.width() - 4.0 * MARGIN).max(LEAST_WIDTH));
                    search_ui(ui, &mut search, widgets);
                    let room = free.height() - 6.0 * MARGIN;
                    list_ui(ui, view, &mut search, room, asked, widgets);
                });
        });
    let rect = shown.response.rect;
    widgets.insert("picker", rect);
    // The button that opens the list closes it by itself, when it is let go of.
    let button = widgets.get("scene").copied();
    let away = ctx.input(|input| {
        let on_button = |at| button.is_some_and(|button| button.contains(at));
        let outside = |at: egui::Pos2| !rect.contains(at) && !on_button(at);
        input.key_pressed(Key::Escape)
            || input.pointer.any_pressed() && input.pointer.interact_pos().is_some_and(outside)
    });
    if asked.len() > asked_before || (away && search.begun) {
        asked.push(Action::TogglePicker);
        ctx.data_mut(|data| data.remove::<Search>(id));
    } else {
        ctx.data_mut(|data| data.insert_temp(id, search));
    }
    rect
}

fn search_ui(ui: &mut Ui, search: &mut Search, widgets: &mut Widgets) {
    let field = egui::TextEdit::singleline(&mut search.words)
        .hint_text("find a scene: knot, hair, friction …")
        .desired_width(f32::INFINITY)
        .margin(egui::Margin::symmetric(8, 6));
    let field = ui.add(field);
    widgets.insert("scene_search", field.rect);
    if field.changed() {
        search.marked = 0;
    }
    if !search.begun {
        search.begun = true;
        field.request_focus();
    }
    ui.add_space(4.0);
}

fn list_ui(
    ui: &mut Ui,
    view: &View,
    search: &mut Search,
    room: f32,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let scenes = view.scenes.0.iter();
    let found: Vec<&SceneEntry> = scenes.filter(|entry| entry.fits(&search.words)).collect();
    let moved = move_mark(ui, search, found.len());
    if found.is_empty() {
        ui.label(RichText::new("no scene has these words").color(theme::of(ui).faint));
        return;
    }
    let entered = ui.input(|input| input.key_pressed(Key::Enter));
    let room = room.max(120.0);
    // The area offers what it took in the frame before: without a least height a list once short would stay short.
    ScrollArea::vertical()
        .max_height(room)
        .min_scrolled_height(room)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (i, entry) in found.into_iter().enumerate() {
                let marked = i == search.marked;
                let shown = entry_ui(ui, entry, marked, entry.name == view.shown.scene.name);
                if ui.clip_rect().contains_rect(shown.rect) {
                    widgets.insert(entry.name, shown.rect);
                }
                if marked && moved {
                    shown.scroll_to_me(None);
                }
                if shown.clicked() || (marked && entered) {
                    asked.push(Action::OpenScene(entry.name.into()));
                }
            }
        });
}

/// Follows the arrow keys; returns whether the mark moved.
fn move_mark(ui: &Ui, search: &mut Search, count: usize) -> bool {
    let presses = |key| ui.input(|input| input.num_presses(key));
    let (down, up) = (presses(Key::ArrowDown), presses(Key::ArrowUp));
    let last = count.saturating_sub(1);
    let before = search.marked;
    search.marked = (before + down).saturating_sub(up).min(last);
    search.marked != before
}

/// Title and name, and below what to watch.
fn entry_ui(ui: &mut Ui, entry: &SceneEntry, marked: bool, open: bool) -> egui::Response {
    let palette = theme::of(ui);
    let text = |ui: &Ui, text: &str, size, color| {
        let width = ui.available_width() - 20.0;
        let font = egui::FontId::proportional(size);
        ui.painter().layout(text.to_owned(), font, color, width)
    };
    let faint = if marked {
        palette.faint_on_chosen
    } else {
        palette.faint
    };
    let title = text(ui, &entry.title, 14.0, palette.text);
    let watch = text(ui, &entry.watch, 11.5, faint);
    let name = if open {
        format!("{} · open now", entry.name)
    } else {
        entry.name.to_owned()
    };
    let name = text(ui, &name, 11.5, faint);
    let height = title.size().y + watch.size().y + 13.0;
    let size = egui::vec2(ui.available_width(), height);
    let (rect, shown) = ui.allocate_exact_size(size, egui::Sense::click());
    let fill = if marked {
        palette.chosen
    } else if shown.hovered() {
        palette.button
    } else {
        egui::Color32::TRANSPARENT
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 6.0, fill);
    let corner = rect.min + egui::vec2(10.0, 5.0);
    let below = corner + egui::vec2(0.0, title.size().y + 2.0);
    let beside = rect.right_top() + egui::vec2(-10.0 - name.size().x, 7.0);
    painter.galley(corner, title, palette.text);
    painter.galley(beside, name, faint);
    painter.galley(below, watch, faint);
    shown
}

impl SceneEntry {
    /// Whether every word that was typed is in its name, title or sentence.
    fn fits(&self, words: &str) -> bool {
        let text = format!("{} {} {}", self.name, self.title, self.watch).to_lowercase();
        words
            .to_lowercase()
            .split_whitespace()
            .all(|word| text.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_found_somewhere() {
        let entry = SceneEntry {
            name: "wisp",
            title: "Lock of hair".into(),
            watch: "Two fingers pinch a lock.".into(),
        };
        for words in ["", "hair", "HAIR wisp", "pin lock"] {
            assert!(entry.fits(words), "{words}");
        }
        for words in ["rope", "hair rope"] {
            assert!(!entry.fits(words), "{words}");
        }
    }
}
