//! The list of keys and of what the pointer does, generated from the binding table.

use bevy_egui::egui::{self, Align2, Context, RichText, Ui};

use super::Widgets;
use crate::app::action::Action;
use crate::app::bindings::{BINDINGS, Group, POINTER_HELP};
use crate::app::theme;

/// Width of a column's keys, points.
const KEYS: f32 = 134.0;

/// Width of both columns, points.
const WIDTH: f32 = 720.0;

/// Shows the list in the middle of the scene, or of the window where docks leave too little; returns where it is.
pub fn help_ui(
    ctx: &Context,
    free: egui::Rect,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) -> Option<egui::Rect> {
    let free = match free.width() < WIDTH + 60.0 {
        true => ctx.viewport_rect(),
        false => free,
    };
    let mut open = true;
    let window = egui::Window::new("Help")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(free.center())
        .show(ctx, |ui| {
            let height = (free.height() - 90.0).max(60.0);
            ui.set_width(WIDTH.min(free.width() - 60.0).max(80.0));
            egui::ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, |ui| body_ui(ui, asked, widgets));
        });
    if !open || ctx.input(|input| input.key_pressed(egui::Key::Escape)) {
        asked.push(Action::ToggleHelp);
    }
    let shown = window.map(|shown| shown.response.rect);
    widgets.extend(shown.map(|rect| ("help", rect)));
    shown
}

fn body_ui(ui: &mut Ui, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    // Lines of text, not of buttons.
    ui.spacing_mut().interact_size.y = 15.0;
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.columns(2, |columns| {
        group_ui(&mut columns[0], "Pointer", &POINTER_HELP);
        for group in [Group::Scene, Group::Files] {
            keys_ui(&mut columns[0], group);
        }
        for group in [Group::Time, Group::Look, Group::Panels] {
            keys_ui(&mut columns[1], group);
        }
    });
    ui.add_space(8.0);
    ui.separator();
    ui.horizontal(|ui| {
        let welcome = ui.button("Welcome card");
        widgets.insert("help_welcome", welcome.rect);
        if welcome.clicked() {
            asked.extend([Action::ToggleHelp, Action::ShowWelcome]);
        }
        if ui.button("Show hints again").clicked() {
            asked.extend([Action::ToggleHelp, Action::RestartHints]);
        }
        let words = "Keys do nothing while you type; F1 closes this list.";
        ui.label(RichText::new(words).small().color(theme::of(ui).faint));
    });
}

fn keys_ui(ui: &mut Ui, group: Group) {
    let of_group = BINDINGS.iter().filter(|b| b.group() == group);
    let lines: Vec<_> = of_group.map(|b| (b.keys, b.does)).collect();
    if !lines.is_empty() {
        group_ui(ui, group.title(), &lines);
    }
}

fn group_ui(ui: &mut Ui, title: &str, lines: &[(&str, &str)]) {
    ui.add_space(4.0);
    ui.label(RichText::new(title).strong().color(theme::of(ui).accent));
    for (keys, does) in lines {
        ui.horizontal_top(|ui| {
            ui.scope(|ui| {
                ui.set_width(KEYS);
                ui.label(RichText::new(*keys).strong());
            });
            let does = RichText::new(*does).color(theme::of(ui).faint);
            ui.vertical(|ui| ui.add(egui::Label::new(does).wrap()));
        });
    }
    ui.add_space(4.0);
}
