//! Colours and spacing of the whole window, in one place: a dark and a light theme.

use bevy::prelude::{Color, Resource};
use bevy_egui::egui::{self, Color32, epaint::FontColorTransferFunction};
use serde::{Deserialize, Serialize};

/// Height of the status bar, points.
pub const STATUS_HEIGHT: f32 = 30.0;

/// A button that is held longer than this was not meant to be clicked, s.
const LONGEST_CLICK_S: f64 = 30.0;

/// Dark or light.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// Light figures on dark grey.
    #[default]
    Dark,
    /// Dark figures on white.
    Light,
}

impl Theme {
    /// Its colours.
    pub fn palette(self) -> &'static Palette {
        match self {
            Self::Dark => &DARK,
            Self::Light => &LIGHT,
        }
    }
}

/// The colours of a theme; [`of`] finds the one in force.
#[derive(Debug)]
pub struct Palette {
    /// What deserves the eye: the running state, headings, chosen things.
    pub accent: Color32,
    /// Something went wrong.
    pub alarm: Color32,
    /// Behind a word of warning.
    pub warning: Color32,
    /// The simulation stands still; a word of warning.
    pub paused: Color32,
    /// Figures and words.
    pub text: Color32,
    /// Text that explains.
    pub faint: Color32,
    /// The same on the background of what is chosen.
    pub faint_on_chosen: Color32,
    /// The background of what is chosen.
    pub chosen: Color32,
    /// Panels.
    pub panel: Color32,
    /// Behind text fields and plots.
    pub well: Color32,
    /// Buttons at rest.
    pub button: Color32,
    /// Thin lines between things.
    pub line: Color32,
    /// Labels that lie over the scene.
    pub label: Color32,
    /// The backdrop at the top of the picture.
    pub backdrop_top: Color,
    /// The backdrop at the bottom of the picture.
    pub backdrop_bottom: Color,
    /// A floor of no matter, only for scale.
    pub floor: Color,
    /// How much of their own colour planes show.
    pub planes: f32,
    /// Grid lines on planes.
    pub grid: Color,
}

const fn rgb(r: u8, g: u8, b: u8) -> Color32 {
    Color32::from_rgb(r, g, b)
}

static DARK: Palette = Palette {
    accent: rgb(86, 180, 233),
    alarm: rgb(200, 52, 52),
    warning: rgb(130, 70, 20),
    paused: rgb(240, 200, 80),
    text: rgb(226, 230, 236),
    faint: rgb(158, 166, 178),
    faint_on_chosen: rgb(205, 216, 228),
    chosen: rgb(0, 92, 148),
    panel: rgb(30, 33, 39),
    well: rgb(20, 22, 27),
    button: rgb(52, 57, 66),
    line: rgb(56, 61, 70),
    label: Color32::from_rgba_premultiplied(20, 22, 27, 228),
    backdrop_top: Color::srgb(0.17, 0.20, 0.25),
    backdrop_bottom: Color::srgb(0.34, 0.37, 0.41),
    floor: Color::srgb(0.26, 0.285, 0.32),
    planes: 0.42,
    grid: Color::srgba(0.80, 0.86, 0.95, 0.13),
};

static LIGHT: Palette = Palette {
    accent: rgb(0, 104, 168),
    alarm: rgb(196, 40, 40),
    warning: rgb(255, 222, 160),
    paused: rgb(176, 112, 0),
    text: rgb(30, 34, 40),
    faint: rgb(96, 104, 116),
    faint_on_chosen: rgb(60, 78, 96),
    chosen: rgb(186, 218, 242),
    panel: rgb(246, 247, 249),
    well: rgb(255, 255, 255),
    button: rgb(226, 230, 235),
    line: rgb(206, 211, 218),
    label: Color32::from_rgba_premultiplied(225, 227, 230, 230),
    backdrop_top: Color::srgb(0.63, 0.70, 0.78),
    backdrop_bottom: Color::srgb(0.88, 0.89, 0.90),
    floor: Color::srgb(0.52, 0.55, 0.60),
    planes: 1.0,
    grid: Color::srgba(0.11, 0.13, 0.17, 0.44),
};

/// The colours in force where `ui` draws.
pub fn of(ui: &egui::Ui) -> &'static Palette {
    by_mode(ui.visuals().dark_mode)
}

/// The colours in force in the whole window.
pub fn in_force(ctx: &egui::Context) -> &'static Palette {
    by_mode(ctx.global_style().visuals.dark_mode)
}

fn by_mode(dark: bool) -> &'static Palette {
    let theme = if dark { Theme::Dark } else { Theme::Light };
    theme.palette()
}

/// Roomy, rounded, in the colours of a theme.
pub fn apply(ctx: &egui::Context, theme: Theme) {
    ctx.set_theme(match theme {
        Theme::Dark => egui::Theme::Dark,
        Theme::Light => egui::Theme::Light,
    });
    ctx.set_visuals(visuals(theme));
    // Times are those of frames: at one frame a second a short click looks longer than the 0.8 s that egui allows it.
    ctx.options_mut(|options| options.input_options.max_click_duration = LONGEST_CLICK_S);
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

fn visuals(theme: Theme) -> egui::Visuals {
    let palette = theme.palette();
    let mut visuals = match theme {
        Theme::Dark => egui::Visuals::dark(),
        Theme::Light => egui::Visuals::light(),
    };
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = egui::Stroke::new(1.0, palette.line);
    visuals.extreme_bg_color = palette.well;
    visuals.override_text_color = Some(palette.text);
    visuals.weak_text_color = Some(palette.faint);
    visuals.hyperlink_color = palette.accent;
    visuals.selection.bg_fill = palette.chosen;
    visuals.selection.stroke.color = palette.text;
    visuals.slider_trailing_fill = true;
    visuals.window_corner_radius = 10.into();
    visuals.menu_corner_radius = 8.into();
    // Letters are blended as light is: dark ones would come out thin on white.
    visuals.text_options.color_transfer_function = match theme {
        Theme::Dark => FontColorTransferFunction::Gamma(0.8),
        Theme::Light => FontColorTransferFunction::TwoCoverageMinusCoverageSq,
    };
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke.color = palette.line;
    // Under the pointer, pressed and open: nearer to the text, so darker on white and lighter on black.
    let towards_text = |share| palette.button.lerp_to_gamma(palette.text, share);
    for (widget, share) in [
        (&mut widgets.inactive, 0.0),
        (&mut widgets.hovered, 0.10),
        (&mut widgets.active, 0.20),
        (&mut widgets.open, 0.05),
    ] {
        widget.bg_fill = towards_text(share);
        widget.weak_bg_fill = towards_text(share);
    }
    widgets.hovered.bg_stroke.color = palette.faint;
    widgets.active.bg_stroke.color = palette.text;
    widgets.open.bg_stroke.color = palette.line;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = 6.into();
    }
    visuals
}

/// A widget that may be of no use now: it is then paler than the others. By colours of its own, half way as the eye sees
/// it: what is half transparent is blended as light is, and dark text then pales more than bright text dims.
pub fn add_enabled(ui: &mut egui::Ui, enabled: bool, widget: impl egui::Widget) -> egui::Response {
    if enabled {
        return ui.add(widget);
    }
    let palette = of(ui);
    let paler = |color: Color32| palette.panel.lerp_to_gamma(color, 0.45);
    ui.scope(|ui| {
        let visuals = ui.visuals_mut();
        visuals.disabled_alpha = 1.0;
        visuals.override_text_color = Some(paler(palette.text));
        visuals.selection.bg_fill = paler(palette.chosen);
        let inactive = &mut visuals.widgets.inactive;
        inactive.bg_fill = paler(palette.button);
        inactive.weak_bg_fill = paler(palette.button);
        inactive.fg_stroke.color = paler(palette.text);
        ui.add_enabled(false, widget)
    })
    .inner
}

/// A box to tick. With the round corners of buttons so small a box would be a disc, as of a choice among several.
pub fn checkbox<'a>(on: &'a mut bool, text: &'a str) -> impl egui::Widget + 'a {
    move |ui: &mut egui::Ui| {
        let palette = of(ui);
        let (ticked, enabled) = (*on, ui.is_enabled());
        let boxed = |ui: &mut egui::Ui| {
            let widgets = &mut ui.visuals_mut().widgets;
            for widget in [
                &mut widgets.noninteractive,
                &mut widgets.inactive,
                &mut widgets.hovered,
                &mut widgets.active,
            ] {
                widget.corner_radius = 3.into();
                if enabled {
                    widget.bg_stroke = egui::Stroke::new(1.0, palette.faint);
                    widget.fg_stroke = egui::Stroke::new(1.5, palette.text);
                }
                if enabled && ticked {
                    widget.bg_fill = palette.chosen;
                }
            }
            ui.checkbox(on, text)
        };
        ui.scope(boxed).inner
    }
}

/// What can be read on a colour: black on bright ones, white on dark ones.
pub fn text_on(color: Color32) -> Color32 {
    // Where black and white stand out equally, by the contrast of the web guidelines.
    const EQUAL: f32 = 0.18;
    match luminance(color) > EQUAL {
        true => Color32::from_gray(18),
        false => Color32::WHITE,
    }
}

/// How bright a colour is to the eye, 0 to 1.
fn luminance(color: Color32) -> f32 {
    let [r, g, b] = [color.r(), color.g(), color.b()].map(|c| (f32::from(c) / 255.0).powf(2.2));
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Draws every character that text uses into the font texture now: one that first appears later would be blank for a
/// frame, which shows when frames are slow. Characters are kept once for each quarter of a pixel they may start at, so
/// even old ones appear anew when a line moves.
pub fn warm_up_letters(ctx: &egui::Context) {
    const BEYOND_ASCII: &str = "−×·µνκ°²³…⟲🗙⏺⏸⏵⏮⏭⏹⏷▣⌖";
    // Fonts draw these as one.
    const TOGETHER: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];
    let letters = (' '..='~').chain(BEYOND_ASCII.chars());
    let letters: Vec<String> = letters
        .map(String::from)
        .chain(TOGETHER.map(String::from))
        .collect();
    let styles = ctx.global_style().text_styles.clone();
    let others = [10.5, 12.0, 12.5, 15.0].map(egui::FontId::proportional);
    let fonts = styles.into_values().chain(others);
    for font_id in fonts.chain([egui::FontId::monospace(12.0)]) {
        let format = egui::TextFormat {
            font_id,
            ..Default::default()
        };
        for quarter in 0..4 {
            let start = 0.25 * quarter as f32 / ctx.pixels_per_point();
            for letter in &letters {
                let mut job = egui::text::LayoutJob::default();
                job.append(letter, start, format.clone());
                // The laid out text itself is not needed.
                let _ = ctx.debug_painter().layout_job(job);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => add_files(&path, files),
                false => files.push(path),
            }
        }
    }

    /// Characters between quotation marks, comments left out.
    fn quoted(text: &str) -> BTreeSet<char> {
        let lines = text.lines().filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && !line.starts_with('#')
        });
        let inside = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
        inside.flat_map(str::chars).collect()
    }

    #[test]
    fn states_can_be_read_in_both_themes() {
        assert_eq!(
            text_on(Theme::Dark.palette().accent),
            Color32::from_gray(18)
        );
        assert_eq!(text_on(Theme::Light.palette().accent), Color32::WHITE);
        for theme in [Theme::Dark, Theme::Light] {
            let p = theme.palette();
            let states = [p.accent, p.paused, p.alarm, p.warning];
            let states = states.map(|fill| (text_on(fill), fill));
            let words = [(p.text, p.panel), (p.faint, p.panel), (p.text, p.button)];
            for (text, fill) in states.into_iter().chain(words) {
                let contrast = contrast(text, fill);
                // What the web guidelines ask of small letters.
                assert!(
                    contrast >= 4.5,
                    "{theme:?}: {text:?} on {fill:?}, {contrast}"
                );
            }
        }
    }

    /// Contrast of two colours by the web guidelines: 1 for none, 21 for black on white.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let [a, b] = [a, b].map(|color| luminance(color) + 0.05);
        a.max(b) / a.min(b)
    }

    /// At one frame a second, press and release in two frames lie a second apart.
    #[test]
    fn a_click_counts_however_slow_frames_are() {
        let ctx = egui::Context::default();
        apply(&ctx, Theme::Dark);
        let mut clicks = 0;
        for (frame, pressed) in [None, Some(true), None, Some(false)]
            .into_iter()
            .enumerate()
        {
            let pos = egui::pos2(20.0, 15.0);
            let button = pressed.map(|pressed| egui::Event::PointerButton {
                pos,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: egui::Modifiers::default(),
            });
            let input = egui::RawInput {
                time: Some(1.1 * frame as f64),
                events: [egui::Event::PointerMoved(pos)]
                    .into_iter()
                    .chain(button)
                    .collect(),
                ..Default::default()
            };
            let _ = ctx.run_ui(input, |ui| {
                clicks += u32::from(ui.button("a button to click").clicked());
            });
        }
        assert_eq!(clicks, 1);
    }

    /// A character that no font has is drawn as an empty box.
    #[test]
    fn every_character_on_screen_can_be_drawn() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        for folder in ["src/app", "scenes"] {
            add_files(&root.join(folder), &mut files);
        }
        files.push(root.join("src/friction/kind.rs"));
        let texts = files.iter().map(fs::read_to_string);
        let used: BTreeSet<char> = texts
            .flat_map(|text| quoted(&text.expect("text")))
            .collect();
        let ctx = egui::Context::default();
        apply(&ctx, Theme::Dark);
        // Fonts are there once a frame has begun.
        let _ = ctx.run_ui(egui::RawInput::default(), |_| {});
        let font = egui::FontId::proportional(13.0);
        let missing: String = ctx.fonts_mut(|fonts| {
            let missing = |c: &char| !c.is_control() && !fonts.has_glyph(&font, *c);
            used.into_iter().filter(missing).collect()
        });
        assert_eq!(missing, "", "no font has these");
    }
}
