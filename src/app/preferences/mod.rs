//! What the window remembers from one start to the next: theme, docks, the last scene, what was already shown.
//!
//! Kept in `prusik/preferences.toml` where the system keeps such files, or in the file that `PRUSIK_PREFERENCES` names
//! (if that is empty, nothing is read or kept). Writing is left to [`keeper`], so that a slow disk stops nothing.

mod keeper;
mod place;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::action::PanelState;
use super::hints::HintsDone;
use super::panels::{Tab, UiArea};
use super::theme::Theme;
use super::toasts::Toasts;
use keeper::Keeper;

/// Reads the file at the start, keeps it true.
pub struct PreferencesPlugin;

impl Plugin for PreferencesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Last, (note_changes, finish).chain());
    }
}

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Dark or light.
    pub theme: Theme,
    /// The scene that was open last: a name or a path.
    pub last_scene: Option<String>,
    /// Whether the welcome card was sent away.
    pub welcomed: bool,
    /// The page in the left dock.
    pub left_tab: Tab,
    /// The page in the right dock, if it was open.
    pub right_tab: Option<Tab>,
    /// Width of the left dock, points.
    pub left_width: f32,
    /// Width of the right dock, points.
    pub right_width: f32,
    /// Size of letters and buttons against that of the system; none for what suits the window.
    pub scale: Option<f32>,
    /// Hints that were followed.
    pub hints: HintsDone,
}

impl Default for Preferences {
    fn default() -> Self {
        let panels = PanelState::default();
        Self {
            theme: Theme::default(),
            last_scene: None,
            welcomed: false,
            left_tab: panels.left,
            right_tab: panels.right,
            left_width: panels.left_width,
            right_width: panels.right_width,
            scale: None,
            hints: HintsDone::default(),
        }
    }
}

impl Preferences {
    /// Reads them; what cannot be read is left out, with a sentence.
    pub fn read() -> (Self, Option<String>) {
        place::file().map_or_else(Default::default, |path| keeper::read(&path))
    }

    /// The docks as they were.
    pub fn panels(&self) -> PanelState {
        PanelState {
            left: self.left_tab,
            right: self.right_tab,
            left_width: self.left_width,
            right_width: self.right_width,
            ..PanelState::default()
        }
    }
}

/// The scene that was open last, if there was one.
pub fn last_scene() -> Option<String> {
    Preferences::read().0.last_scene
}

/// The name or path by which the present scene was opened.
#[derive(Resource, Clone, Debug)]
pub struct Opened(pub String);

/// Size of letters and buttons against that of the system, if the user chose one.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Scale(pub Option<f32>);

/// Whether the welcome card was ever sent away.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Welcomed(pub bool);

/// Puts what is remembered where it belongs.
pub fn install(app: &mut App, opened: String, welcome: bool) {
    let (found, complaint) = Preferences::read();
    let mut toasts = Toasts::default();
    if let Some(why) = complaint {
        toasts.warn(why);
    }
    let panels = PanelState {
        welcome: welcome && !found.welcomed,
        ..found.panels()
    };
    app.insert_resource(found.theme)
        .insert_resource(panels)
        .insert_resource(Scale(found.scale))
        .insert_resource(Welcomed(found.welcomed))
        .insert_resource(found.hints.clone())
        .insert_resource(Opened(opened))
        .insert_resource(toasts)
        .insert_resource(Keeper::start(place::file(), found))
        .add_plugins(PreferencesPlugin);
}

/// Everything that is remembered, where it lives while the window is open.
#[derive(bevy::ecs::system::SystemParam)]
struct Now<'w> {
    theme: Res<'w, Theme>,
    panels: Res<'w, PanelState>,
    opened: Res<'w, Opened>,
    scale: Res<'w, Scale>,
    welcomed: Res<'w, Welcomed>,
    hints: Res<'w, HintsDone>,
    area: Res<'w, UiArea>,
}

impl Now<'_> {
    fn preferences(&self, before: &Preferences) -> Preferences {
        let width = |shown: Option<f32>, before: f32| shown.filter(|w| *w > 0.0).unwrap_or(before);
        Preferences {
            theme: *self.theme,
            last_scene: Some(self.opened.0.clone()),
            welcomed: self.welcomed.0,
            left_tab: self.panels.left,
            right_tab: self.panels.right,
            left_width: width(Some(self.area.left_points), before.left_width),
            right_width: width(self.area.right_points, before.right_width),
            scale: self.scale.0,
            hints: self.hints.clone(),
        }
    }
}

fn note_changes(now: Now, mut keeper: ResMut<Keeper>, mut toasts: ResMut<Toasts>) {
    // While an edge is dragged every frame would be a change.
    if !now.area.in_use {
        let preferences = now.preferences(keeper.newest());
        keeper.keep(preferences);
    }
    if let Some(why) = keeper.complaint() {
        toasts.warn(why);
    }
}

fn finish(exits: MessageReader<AppExit>, mut keeper: ResMut<Keeper>) {
    if !exits.is_empty() {
        keeper.finish();
    }
}
