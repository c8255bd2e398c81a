//! The strip above the status bar: the past of the scene under a slider.
//!
//! Dragging the slider shows kept pictures at once and the exact state as soon as it is computed; whoever then plays or
//! edits goes on from there. Ticks mark where something was done.

use bevy_egui::egui::{self, Pos2, Rect, Response, RichText, Sense, Ui, vec2};

use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::theme;
use crate::runner::HistoryView;

/// Height of the strip, points.
pub const HEIGHT: f32 = 34.0;
/// Room at the right end of the slider for what stands there, points.
const RIGHT: f32 = 268.0;

/// Play, step back and forth, the slider, memory, recording.
pub fn timeline_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        buttons_ui(ui, view, asked, widgets);
        let history = &view.bridge.history;
        let width = (ui.available_width() - RIGHT).max(60.0);
        let slider = slider_ui(ui, history, width, asked);
        widgets.insert("timeline", slider.rect);
        ui.add_space(4.0);
        times_ui(ui, view);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            record_ui(ui, view, asked, widgets);
            memory_ui(ui, history);
        });
    });
}

fn buttons_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let mut button = |ui: &mut Ui, name, text: &str, hint: &str, action| {
        let button = egui::Button::new(text).min_size(vec2(28.0, 22.0));
        let pressed = ui.add(button).on_hover_text(hint);
        widgets.insert(name, pressed.rect);
        if pressed.clicked() {
            asked.push(action);
        }
    };
    button(
        ui,
        "step_back",
        "⏮",
        "Left arrow: one step back",
        Action::StepBack,
    );
    let (play, hint) = match view.running() {
        true => ("⏸", "Space: pause"),
        false => ("⏵", "Space: run on from here; what came later is forgotten"),
    };
    button(ui, "timeline_play", play, hint, Action::TogglePlay);
    let hint = "Right arrow: one step forward, through what was done before if there is something";
    button(ui, "step_forward", "⏭", hint, Action::Step);
}

/// The slider over all steps that can be gone back to.
fn slider_ui(ui: &mut Ui, history: &HistoryView, width: f32, asked: &mut Vec<Action>) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 20.0), Sense::click_and_drag());
    let track = Rect::from_center_size(rect.center(), vec2(rect.width() - 14.0, 4.0));
    let wanted = pointed_at(ui, &response).map(|at| step_at(history, track, at));
    if let Some(step) = wanted {
        asked.push(Action::SeekTo(step));
    }
    paint(ui, history, track, wanted.unwrap_or(history.now_step));
    let hint = |ui: &mut Ui| {
        let at = ui.ctx().pointer_hover_pos().unwrap_or(track.min);
        let step = step_at(history, track, at);
        ui.label(format!("{:.3} s, step {step}", time_at(history, step)));
    };
    response.on_hover_ui_at_pointer(hint)
}

/// Where the slider is dragged to or was clicked. When frames are slow, a press, the way and the release come in one: for
/// egui that is neither a drag nor, if the way was longer than a few points, a click.
fn pointed_at(ui: &Ui, slider: &Response) -> Option<Pos2> {
    if slider.clicked() || slider.dragged() {
        return slider.interact_pointer_pos();
    }
    let on_it = |at: Pos2| {
        slider.interact_rect.contains(at) && ui.ctx().layer_id_at(at) == Some(slider.layer_id)
    };
    let (mut pressed, mut released) = (false, None);
    let events = ui.input(|input| input.events.clone());
    for event in events {
        let egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed: down,
            ..
        } = event
        else {
            continue;
        };
        released = (!down && pressed).then_some(pos);
        pressed = down && on_it(pos);
    }
    released
}

fn paint(ui: &Ui, history: &HistoryView, track: Rect, now: u64) {
    let palette = theme::of(ui);
    let painter = ui.painter();
    painter.rect_filled(track, 2.0, palette.line);
    let here = place_of(history, track, now);
    let behind = Rect::from_min_max(track.min, egui::pos2(here, track.max.y));
    painter.rect_filled(behind, 2.0, palette.accent);
    for &mark in &history.marks {
        let x = place_of(history, track, mark);
        let tick = egui::Rangef::new(track.min.y - 4.0, track.max.y + 4.0);
        painter.vline(x, tick, egui::Stroke::new(1.5, palette.paused));
    }
    let middle = egui::pos2(here, track.center().y);
    painter.circle(
        middle,
        7.0,
        palette.text,
        egui::Stroke::new(2.0, palette.panel),
    );
}

/// Steps from the oldest to the newest, at least one.
fn span(history: &HistoryView) -> f64 {
    let steps = history.newest_step.saturating_sub(history.oldest_step);
    steps.max(1) as f64
}

fn step_at(history: &HistoryView, track: Rect, at: Pos2) -> u64 {
    let share = ((at.x - track.min.x) / track.width()).clamp(0.0, 1.0);
    let steps = f64::from(share) * span(history);
    (history.oldest_step + steps.round() as u64).min(history.newest_step)
}

fn place_of(history: &HistoryView, track: Rect, step: u64) -> f32 {
    let steps = step.saturating_sub(history.oldest_step) as f64;
    track.min.x + track.width() * (steps / span(history)).min(1.0) as f32
}

/// Simulated time of a step, s; time steps that changed in between make it an estimate.
fn time_at(history: &HistoryView, step: u64) -> f64 {
    let steps = step.saturating_sub(history.oldest_step) as f64;
    history.oldest_s + (history.newest_s - history.oldest_s) * steps / span(history)
}

fn times_ui(ui: &mut Ui, view: &View) {
    let now_s = view.shown.snapshot.time_s;
    let text = format!("{now_s:.2} / {:.2} s", view.bridge.history.newest_s);
    let shown = ui.label(RichText::new(text).monospace());
    shown.on_hover_text("the time shown, and how far it went");
}

fn memory_ui(ui: &mut Ui, history: &HistoryView) {
    let megabytes = |bytes: usize| bytes as f64 / (1 << 20) as f64;
    let text = format!(
        "{:.0} of {:.0} MB",
        megabytes(history.bytes),
        megabytes(history.budget_bytes)
    );
    let shown = ui.label(RichText::new(text).small().color(theme::of(ui).faint));
    shown.on_hover_text(format!(
        "memory of the past: steps {} to {}. When it is full, older states are kept farther apart, then forgotten",
        history.oldest_step, history.newest_step
    ));
}

fn record_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let recording = view.bridge.recording;
    let (text, hint) = match recording {
        true => ("⏹", "Ctrl+S: end the recording"),
        false => (
            "⏺",
            "Ctrl+S: record what hands do, from the start of the scene on, as a session that can be played again",
        ),
    };
    let color = match recording {
        true => theme::of(ui).alarm,
        false => theme::of(ui).text,
    };
    let button = egui::Button::new(RichText::new(text).color(color)).min_size(vec2(28.0, 22.0));
    let pressed = ui.add(button).on_hover_text(hint);
    widgets.insert("record_session", pressed.rect);
    if pressed.clicked() {
        asked.push(Action::ToggleSession);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> HistoryView {
        HistoryView {
            oldest_step: 100,
            newest_step: 300,
            oldest_s: 0.2,
            newest_s: 0.6,
            ..Default::default()
        }
    }

    fn track() -> Rect {
        Rect::from_min_max(egui::pos2(50.0, 0.0), egui::pos2(250.0, 4.0))
    }

    #[test]
    fn places_and_steps_are_each_others_inverse() {
        for step in [100, 137, 250, 300] {
            let x = place_of(&history(), track(), step);
            assert_eq!(step_at(&history(), track(), egui::pos2(x, 2.0)), step);
        }
    }

    /// What the slider asks for when these events come, a list for each frame.
    fn asked_when(frames: Vec<Vec<egui::Event>>) -> Vec<Action> {
        let ctx = egui::Context::default();
        let mut asked = Vec::new();
        // The first frame only says where the slider is.
        for events in std::iter::once(Vec::new()).chain(frames) {
            let input = egui::RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(300.0, 100.0))),
                events,
                ..Default::default()
            };
            let _ = ctx.run_ui(input, |ui| {
                slider_ui(ui, &history(), 214.0, &mut asked);
            });
        }
        asked
    }

    fn press(x: f32, pressed: bool) -> [egui::Event; 2] {
        let pos = egui::pos2(x, 10.0);
        let button = egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        };
        [egui::Event::PointerMoved(pos), button]
    }

    /// At three frames a second most clicks are over within one, and hands are not still: they had no effect.
    #[test]
    fn a_click_in_one_frame_seeks_even_if_the_hand_moves() {
        for (from, to) in [
            (107.0, 107.0),
            (107.0, 110.0),
            (107.0, 119.0),
            (40.0, 107.0),
        ] {
            let events = [press(from, true), press(to, false)].concat();
            let asked = asked_when(vec![events, Vec::new()]);
            // The track begins 7 points from the left, and a point is a step.
            let wanted = Action::SeekTo(100 + to as u64 - 7);
            assert_eq!(asked, [wanted], "{from} to {to}");
        }
        let elsewhere = [press(290.0, true), press(107.0, false)].concat();
        assert_eq!(asked_when(vec![elsewhere]), []);
    }

    #[test]
    fn pointing_beyond_the_ends_means_the_ends() {
        let at = |x| step_at(&history(), track(), egui::pos2(x, 2.0));
        assert_eq!((at(-1e3), at(1e4)), (100, 300));
        let nothing = HistoryView::default();
        assert_eq!(step_at(&nothing, track(), egui::pos2(200.0, 2.0)), 0);
    }

    #[test]
    fn times_run_from_the_oldest_to_the_newest() {
        assert!((time_at(&history(), 100) - 0.2).abs() < 1e-12);
        assert!((time_at(&history(), 200) - 0.4).abs() < 1e-12);
        assert!((time_at(&history(), 300) - 0.6).abs() < 1e-12);
    }
}
