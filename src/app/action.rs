//! Everything a user can ask for, as one message. Keys, panel and pointer emit it; [`apply_actions`] carries it out.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};
use bevy_egui::EguiPostUpdateSet;

use super::AppSets;
use super::bridge::Bridge;
use super::camera::ViewRequest;
use super::chosen::Chosen;
use super::colour::ColorMode;
use super::hints::HintsDone;
use super::panels::{Tab, has_page};
use super::pinning::PinRequest;
use super::preferences::{Scale, Welcomed};
use super::recording::RecordRequest;
use super::screenshot::ShotRequest;
use super::series::{ExportRequest, Table};
use super::shown::{Look, Shown};
use super::theme::Theme;
use super::toasts::Toasts;
use super::undo::UndoLog;
use crate::scene::{self, StrandLook};
use crate::session::load_session;
use crate::world::Edit;

/// One thing a user asked for.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Action {
    /// Run or pause.
    TogglePlay,
    /// Take one step.
    Step,
    /// Go back by one step.
    StepBack,
    /// Show the state after so many steps.
    SeekTo(u64),
    /// After a fault: back to a state from before it.
    RewindToLastGood,
    /// Start or end the recording of a session.
    ToggleSession,
    /// Play a session: the name of a shipped one, or the path of a file.
    WatchSession(String),
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
    /// Change the world by several edits that belong together.
    Edits(Vec<Edit>),
    /// Take back the last change of a panel.
    Undo,
    /// Do it again.
    Redo,
    /// Every setting as the scene has it.
    SceneValues,
    /// Show the material of this group of strands.
    ChooseGroup(usize),
    /// Pin or free what is held or under the pointer.
    Pin,
    /// Clamp it, position and direction, or free it.
    Clamp,
    /// Free the pin or clamp under the pointer, or the one that is selected.
    Free,
    /// Draw contact points or not.
    ToggleContacts,
    /// Draw contact forces or not.
    ToggleForces,
    /// Draw friction cones or not.
    ToggleCones,
    /// Draw no forces, forces, forces in their cones, and so on around.
    CycleForces,
    /// Draw the stripe that shows twist or not.
    ToggleStripe,
    /// Draw strands as this; as their scene or material suggests when not given.
    SetStrandLook(Option<StrandLook>),
    /// Colour strands by this quantity.
    SetColorMode(ColorMode),
    /// Show all strands as large as fits.
    FrameView,
    /// Bring this point to the middle of the view, m.
    LookAt([f32; 3]),
    /// Back to the view of the scene.
    ResetView,
    /// Open this page of a dock.
    ShowTab(Tab),
    /// Open this page, or close the dock if it is open.
    ToggleTab(Tab),
    /// Dark or light.
    SetTheme(Theme),
    /// Letters and buttons of this size; none for what suits the window.
    SetScale(Option<f32>),
    /// Open the list of scenes or close it.
    TogglePicker,
    /// Show the welcome card.
    ShowWelcome,
    /// Send the welcome card away, for good.
    CloseWelcome,
    /// No more hints.
    SkipHints,
    /// All hints from the start.
    RestartHints,
    /// Show the list of keys or not.
    ToggleHelp,
    /// Show the panels or not.
    TogglePanels,
    /// Full screen or window.
    ToggleFullScreen,
    /// Save a picture of the window.
    Screenshot,
    /// Begin or end a film of the window.
    Record,
    /// Write a table of what a plot shows.
    Export(Table),
    /// Close the window.
    Quit,
}

/// Which panels are open.
#[derive(Resource, Clone, Copy, Debug)]
pub struct PanelState {
    /// All docks and the status bar.
    pub panels: bool,
    /// The list of keys.
    pub help: bool,
    /// The list of scenes.
    pub picker: bool,
    /// The welcome card.
    pub welcome: bool,
    /// The page in the left dock.
    pub left: Tab,
    /// The page in the right dock, if it is open.
    pub right: Option<Tab>,
    /// Width that the left dock starts with, points.
    pub left_width: f32,
    /// Width that the right dock starts with, points.
    pub right_width: f32,
}

impl PanelState {
    /// Opens a page, if there is one.
    fn show(&mut self, tab: Tab) {
        if !has_page(tab) {
            return;
        }
        if tab.on_left() {
            self.left = tab;
        } else {
            self.right = Some(tab);
        }
        self.panels = true;
    }

    /// Opens a page; if it is open on the right, closes it.
    fn toggle(&mut self, tab: Tab) {
        if self.panels && self.right == Some(tab) {
            self.right = None;
        } else {
            self.show(tab);
        }
    }
}

impl Default for PanelState {
    fn default() -> Self {
        Self {
            panels: true,
            help: false,
            picker: false,
            welcome: false,
            left: Tab::Scene,
            right: None,
            left_width: 304.0,
            right_width: 330.0,
        }
    }
}

/// Carries out actions.
pub struct ActionPlugin;

impl Plugin for ActionPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Action>()
            .init_resource::<PanelState>()
            .add_systems(
                PostUpdate,
                apply_actions
                    .in_set(ActionSystems)
                    .before(EguiPostUpdateSet::EndPass),
            );
    }
}

/// Where actions are carried out, once a frame and before panels are drawn: what is drawn after this shows them all.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActionSystems;

/// What an action can change.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Reach<'w, 's> {
    bridge: ResMut<'w, Bridge>,
    shown: ResMut<'w, Shown>,
    look: ResMut<'w, Look>,
    panels: ResMut<'w, PanelState>,
    theme: ResMut<'w, Theme>,
    remembered: Remembered<'w>,
    toasts: ResMut<'w, Toasts>,
    undo: ResMut<'w, UndoLog>,
    chosen: ResMut<'w, Chosen>,
    sets: Res<'w, AppSets>,
    views: MessageWriter<'w, ViewRequest>,
    pins: MessageWriter<'w, PinRequest>,
    shots: MessageWriter<'w, ShotRequest>,
    records: MessageWriter<'w, RecordRequest>,
    exports: MessageWriter<'w, ExportRequest>,
    exits: MessageWriter<'w, AppExit>,
    windows: Query<'w, 's, &'static mut Window, With<PrimaryWindow>>,
}

/// What only preferences know.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Remembered<'w> {
    scale: ResMut<'w, Scale>,
    welcomed: ResMut<'w, Welcomed>,
    hints: ResMut<'w, HintsDone>,
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
            Action::StepBack => self.bridge.step_back(),
            Action::SeekTo(step) => self.bridge.seek_to(*step),
            Action::RewindToLastGood => self.bridge.rewind(),
            Action::ToggleSession => self.bridge.toggle_recording(&self.shown.scene),
            Action::WatchSession(name) => self.watch(name),
            Action::Reset => {
                self.bridge.reset();
                self.undo.forget_hands();
            }
            Action::Faster => self.scale_speed(2.0),
            Action::Slower => self.scale_speed(0.5),
            Action::SetSpeed(speed) => self.bridge.set_speed(*speed),
            Action::OpenScene(name) => self.open_scene(name),
            Action::NextScene => self.open_neighbour(1),
            Action::PreviousScene => self.open_neighbour(-1),
            Action::Edit(edit) => self.edit(std::slice::from_ref(edit)),
            Action::Edits(edits) => self.edit(edits),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::SceneValues => {
                let wanted = &self.bridge.wanted;
                let edits = wanted.values.edits_to(&wanted.scene);
                self.edit(&edits);
                self.undo.close();
            }
            Action::ChooseGroup(group) => self.chosen.group = *group,
            Action::Pin => {
                self.pins.write(PinRequest::Pin);
            }
            Action::Clamp => {
                self.pins.write(PinRequest::Clamp);
            }
            Action::Free => {
                self.pins.write(PinRequest::Free);
            }
            Action::ToggleContacts => self.look.contacts ^= true,
            Action::ToggleForces => self.look.forces ^= true,
            Action::ToggleCones => self.look.cones ^= true,
            Action::CycleForces => self.look.cycle_forces(),
            Action::ToggleStripe => self.look.stripe ^= true,
            Action::SetStrandLook(look) => self.look.strands = *look,
            Action::SetColorMode(mode) => self.look.color_mode = *mode,
            Action::FrameView => {
                self.views.write(ViewRequest::Frame);
            }
            Action::LookAt(point) => {
                self.views.write(ViewRequest::LookAt(Vec3::from(*point)));
            }
            Action::ResetView => {
                self.views.write(ViewRequest::Reset);
            }
            Action::ShowTab(tab) => self.panels.show(*tab),
            Action::ToggleTab(tab) => self.panels.toggle(*tab),
            Action::SetTheme(theme) => *self.theme = *theme,
            Action::SetScale(scale) => self.remembered.scale.0 = *scale,
            Action::TogglePicker => {
                self.panels.picker ^= true;
                self.panels.help = false;
            }
            Action::ShowWelcome => self.panels.welcome = true,
            Action::CloseWelcome => {
                self.panels.welcome = false;
                self.remembered.welcomed.0 = true;
            }
            Action::SkipHints => self.remembered.hints.skip_all(),
            Action::RestartHints => self.remembered.hints.start_again(),
            Action::ToggleHelp => {
                self.panels.help ^= true;
                self.panels.picker = false;
            }
            Action::TogglePanels => self.panels.panels ^= true,
            Action::ToggleFullScreen => self.toggle_full_screen(),
            Action::Screenshot => {
                self.shots.write(ShotRequest);
            }
            Action::Record => {
                self.records.write(RecordRequest);
            }
            Action::Export(table) => {
                self.exports.write(ExportRequest(*table));
            }
            Action::Quit => {
                self.exits.write(AppExit::Success);
            }
        }
    }

    /// Changes the world, and writes down how to take it back.
    fn edit(&mut self, edits: &[Edit]) {
        if self.bridge.coming().is_some() {
            // What is on show is about to go: only hands that let go count.
            edits.iter().for_each(|edit| self.bridge.edit(edit.clone()));
            return;
        }
        let before = self.bridge.wanted.values.clone();
        self.undo.note_hands(edits, &self.shown.snapshot);
        let demo = self.bridge.demo;
        for edit in edits {
            self.bridge.edit(edit.clone());
        }
        let after = &self.bridge.wanted.values;
        self.undo.note(before, after, &self.shown.scene);
        if self.bridge.demo != demo {
            self.undo.note_demo(!demo);
        }
    }

    fn undo(&mut self) {
        match self.undo.undo(&self.shown.snapshot) {
            Some((what, edits)) if edits.is_empty() => self.toasts.say(gone(&what)),
            Some((what, edits)) => {
                edits.into_iter().for_each(|edit| self.bridge.edit(edit));
                self.toasts.say(format!("undone: {what}"));
            }
            None => self.toasts.say("nothing to undo"),
        }
    }

    fn redo(&mut self) {
        match self.undo.redo(&self.shown.snapshot) {
            Some((what, edits)) if edits.is_empty() => self.toasts.say(gone(&what)),
            Some((what, edits)) => {
                edits.into_iter().for_each(|edit| self.bridge.edit(edit));
                self.toasts.say(format!("redone: {what}"));
            }
            None => self.toasts.say("nothing to redo"),
        }
    }

    fn scale_speed(&mut self, factor: f64) {
        let speed = self.bridge.speed * factor;
        self.bridge.set_speed(speed);
    }

    fn open_scene(&mut self, name: &str) {
        match scene::load(name, &self.sets.0) {
            Ok(scene) => self.bridge.load(scene, name.to_owned()),
            Err(why) => self.toasts.warn(why.to_string()),
        }
    }

    fn watch(&mut self, name: &str) {
        let loaded = load_session(name).and_then(|session| Ok((session.scene()?, session)));
        match loaded {
            Ok((scene, session)) => self.bridge.watch(scene, Arc::new(session)),
            Err(why) => self.toasts.warn(why.to_string()),
        }
    }

    fn open_neighbour(&mut self, direction: isize) {
        let names: Vec<&str> = scene::shipped().iter().map(|s| s.name).collect();
        let here = self.bridge.coming().unwrap_or(&self.shown.scene);
        if let Some(name) = neighbour(&names, &here.name, direction) {
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

/// What is said of something that happened to a thing that is no more.
fn gone(what: &str) -> String {
    format!("{what}: that is there no more")
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
