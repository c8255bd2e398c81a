//! Everything a user can ask for, as one message. Keys, panel and pointer emit it; [`apply_actions`] carries it out.

use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};

use super::AppSets;
use super::bridge::Bridge;
use super::camera::ViewRequest;
use super::colour::ColorMode;
use super::pinning::PinRequest;
use super::screenshot::ShotRequest;
use super::shown::{Look, Shown};
use super::toasts::Toasts;
use crate::scene;
use crate::world::Edit;

/// One thing a user asked for.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Action {
    /// Run or pause.
    TogglePlay,
    /// Take one step.
    Step,
    /// Start the scene again.
    Reset,
    /// Run twice as fast.
    Faster,
    /// Run half as fast.
    Slower,
    /// Run at this real-time factor.
    SetSpeed(f64),
    /// Open the scene with this name.
    OpenScene(String),
    /// Open the next scene of the list.
    NextScene,
    /// Open the previous scene of the list.
    PreviousScene,
    /// Change the world.
    Edit(Edit),
    /// Pin or free what is under the pointer.
    Pin,
    /// Draw contact points or not.
    ToggleContacts,
    /// Draw contact forces or not.
    ToggleForces,
    /// Colour strands by this quantity.
    SetColorMode(ColorMode),
    /// Show all strands as large as fits.
    FrameView,
    /// Back to the view of the scene.
    ResetView,
    /// Show the list of keys or not.
    ToggleHelp,
    /// Show the panels or not.
    TogglePanels,
    /// Full screen or window.
    ToggleFullScreen,
    /// Save a picture of the window.
    Screenshot,
    /// Close the window.
    Quit,
}

/// Which panels are open.
#[derive(Resource, Clone, Copy, Debug)]
pub struct PanelState {
    /// The control panel and the status bar.
    pub panels: bool,
    /// The list of keys.
    pub help: bool,
}

impl Default for PanelState {
    fn default() -> Self {
        Self {
            panels: true,
            help: false,
        }
    }
}

/// Carries out actions.
pub struct ActionPlugin;

impl Plugin for ActionPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Action>()
            .init_resource::<PanelState>()
            .add_systems(PostUpdate, apply_actions);
    }
}

/// What an action can change.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Reach<'w, 's> {
    bridge: ResMut<'w, Bridge>,
    shown: ResMut<'w, Shown>,
    look: ResMut<'w, Look>,
    panels: ResMut<'w, PanelState>,
    toasts: ResMut<'w, Toasts>,
    sets: Res<'w, AppSets>,
    views: MessageWriter<'w, ViewRequest>,
    pins: MessageWriter<'w, PinRequest>,
    shots: MessageWriter<'w, ShotRequest>,
    exits: MessageWriter<'w, AppExit>,
    windows: Query<'w, 's, &'static mut Window, With<PrimaryWindow>>,
}

fn apply_actions(mut actions: MessageReader<Action>, mut reach: Reach) {
    for action in actions.read() {
        reach.apply(action);
    }
}

impl Reach<'_, '_> {
    fn apply(&mut self, action: &Action) {
        match action {
            Action::TogglePlay => {
                let playing = !self.bridge.playing;
                self.bridge.set_playing(playing);
            }
            Action::Step => self.bridge.step(),
            Action::Reset => self.bridge.reset(),
            Action::Faster => self.scale_speed(2.0),
            Action::Slower => self.scale_speed(0.5),
            Action::SetSpeed(speed) => self.bridge.set_speed(*speed),
            Action::OpenScene(name) => self.open_scene(name),
            Action::NextScene => self.open_neighbour(1),
            Action::PreviousScene => self.open_neighbour(-1),
            Action::Edit(edit) => self.bridge.edit(edit.clone()),
            Action::Pin => {
                self.pins.write(PinRequest);
            }
            Action::ToggleContacts => self.look.contacts ^= true,
            Action::ToggleForces => self.look.forces ^= true,
            Action::SetColorMode(mode) => self.look.color_mode = *mode,
            Action::FrameView => {
                self.views.write(ViewRequest::Frame);
            }
            Action::ResetView => {
                self.views.write(ViewRequest::Reset);
            }
            Action::ToggleHelp => self.panels.help ^= true,
            Action::TogglePanels => self.panels.panels ^= true,
            Action::ToggleFullScreen => self.toggle_full_screen(),
            Action::Screenshot => {
                self.shots.write(ShotRequest);
            }
            Action::Quit => {
                self.exits.write(AppExit::Success);
            }
        }
    }

    fn scale_speed(&mut self, factor: f64) {
        let speed = self.bridge.speed * factor;
        self.bridge.set_speed(speed);
    }

    fn open_scene(&mut self, name: &str) {
        match scene::load(name, &self.sets.0) {
            Ok(scene) => {
                self.bridge.load(&scene, &self.shown.snapshot);
                self.shown.set_scene(scene);
            }
            Err(why) => self.toasts.warn(why.to_string()),
        }
    }

    fn open_neighbour(&mut self, direction: isize) {
        let names: Vec<&str> = scene::shipped().iter().map(|s| s.name).collect();
        if let Some(name) = neighbour(&names, &self.shown.scene.name, direction) {
            let name = name.to_string();
            self.open_scene(&name);
        }
    }

    fn toggle_full_screen(&mut self) {
        for mut window in &mut self.windows {
            window.mode = match window.mode {
                WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
                _ => WindowMode::Windowed,
            };
        }
    }
}

/// The name after (+1) or before (−1) `current`, around the ends; the first for a scene that is not in the list.
fn neighbour<'a>(names: &[&'a str], current: &str, direction: isize) -> Option<&'a str> {
    let count = names.len() as isize;
    let at = names.iter().position(|name| *name == current);
    let next = at.map_or(0, |i| (i as isize + direction).rem_euclid(count.max(1)));
    names.get(next as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_go_around_in_both_directions() {
        let names = ["knot", "drape", "incline"];
        assert_eq!(neighbour(&names, "knot", 1), Some("drape"));
        assert_eq!(neighbour(&names, "knot", -1), Some("incline"));
        assert_eq!(neighbour(&names, "incline", 1), Some("knot"));
        assert_eq!(neighbour(&names, "my-file", -1), Some("knot"));
        assert_eq!(neighbour(&[], "knot", 1), None);
    }
}
