//! What lies over the picture. Panels read the newest state and emit [`Action`]s; they change nothing themselves.
//!
//! | file | job |
//! |---|---|
//! | [`dock`] | where panels are: docks on both sides with pages, a new page is a line there; [`tabs`] picks one |
//! | [`control`] | the left dock's head; pages for the scene and for what is shown |
//! | [`material`] | what groups of strands are made of, and what follows from it |
//! | [`friction`] | µ by default and for pairs of surfaces |
//! | [`model`], [`detector`], [`gravity`] | the choice of the rod model, of how contacts are found; gravity |
//! | [`solver`] | the choice of the friction solver and what is asked of it |
//! | [`attachments`] | clamps, pins, hands, scripts: where they hold, with what force |
//! | [`inspector`] | what is known of the strand or solid that was clicked; [`mark`] marks it |
//! | [`changes`] | undo, redo, back to the scene's values |
//! | [`rows`] | names, values, units, and the way back, in columns |
//! | [`choices`] | lists of such choices: a name and a sentence each |
//! | [`convergence`] | the error of the last solve against the iteration |
//! | [`statistics`] | figures of the last step |
//! | [`show`] | the choice of what is drawn and how |
//! | [`plots`] | courses over time; probes along strands and on bodies |
//! | [`legend`] | colour bar with range and unit; keys to stick and slide |
//! | [`corner`] | in the corners of the scene: key, size of the grid, the film being made |
//! | [`status`] | the bar at the bottom: times, contacts, residual, frames per second |
//! | [`timeline`] | the strip above it: the past under a slider |
//! | [`pull`] | over the scene: arrow and newtons at every hand |
//! | [`overlay`] | over the scene: banner of a fault, toasts |
//! | [`picker`] | the list of scenes, with search |
//! | [`welcome`], [`hint_card`], [`help`] | the card of the first start, the hint of the moment, the list of keys |
//! | [`emblem`] | the knot on the welcome card |
//! | [`blending`] | what is half transparent, blended right |

mod attachments;
mod blending;
mod changes;
mod choices;
mod control;
mod convergence;
mod corner;
mod detector;
mod dock;
mod emblem;
mod friction;
mod gravity;
mod help;
mod hint_card;
mod inspector;
mod legend;
mod mark;
mod material;
mod model;
mod overlay;
mod picker;
mod plots;
mod pull;
mod rows;
mod show;
mod solver;
mod statistics;
mod status;
mod tabs;
mod timeline;
mod welcome;

pub use dock::has as has_page;
pub use tabs::Tab;

use std::collections::BTreeMap;

use bevy::asset::AssetEventSystems;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass, egui};

use super::action::{Action, PanelState};
use super::bridge::Bridge;
use super::camera::MainCamera;
use super::chosen::Chosen;
use super::colour::{ColorMode, ColorRange, pulled_strands};
use super::dragging::Dragging;
use super::dropping::Hovering;
use super::glyphs::ForceScale;
use super::hints::HintsDone;
use super::preferences::Scale;
use super::recording::Recording;
use super::series::Series;
use super::shown::{Look, Shown};
use super::theme::{self, Theme};
use super::toasts::Toasts;
use super::undo::UndoLog;
use crate::scene;

/// Draws the panels.
pub struct PanelsPlugin;

impl Plugin for PanelsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(EguiPlugin::default())
            .init_resource::<UiArea>()
            .init_resource::<Toasts>()
            .insert_resource(SceneList::of_shipped())
            .init_resource::<FrameRate>()
            .add_systems(Startup, blending::mend_shader)
            .add_systems(Update, measure_frame_rate)
            // New letters reach the adapter with the text that uses them: a change of a picture that comes after the
            // round of such changes waits for the next frame.
            .configure_sets(
                PostUpdate,
                EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
            )
            .add_systems(EguiPrimaryContextPass, show_panels);
    }
}

/// Where panels are, so that the pointer on them does not reach the scene.
#[derive(Resource, Debug)]
pub struct UiArea {
    rects: Vec<egui::Rect>,
    /// A widget is being dragged.
    pub in_use: bool,
    /// A text field has the focus: keys are text, not shortcuts.
    pub typing: bool,
    /// A card lies over everything: the next key only sends it away.
    pub covered: bool,
    /// Width of the left dock, points; zero while it is hidden.
    pub left_points: f32,
    /// Width of the right dock, points, if it is open.
    pub right_points: Option<f32>,
    /// What the docks leave to the scene, points.
    pub free: egui::Rect,
    /// Widgets by name, for tests that drive the window.
    pub widgets: Widgets,
}

/// Where named widgets are, points.
pub type Widgets = BTreeMap<&'static str, egui::Rect>;

impl Default for UiArea {
    fn default() -> Self {
        Self {
            rects: Vec::new(),
            in_use: false,
            typing: false,
            covered: false,
            left_points: 0.0,
            right_points: None,
            free: egui::Rect::NOTHING,
            widgets: Widgets::new(),
        }
    }
}

impl UiArea {
    /// Keeps the pointer in this place from the scene.
    fn take(&mut self, rect: egui::Rect) {
        self.rects.push(rect);
    }

    /// Puts a panel over a place.
    #[cfg(test)]
    pub fn cover_for_test(&mut self, at: Vec2) {
        let centre = egui::pos2(at.x, at.y);
        self.take(egui::Rect::from_center_size(centre, egui::vec2(8.0, 8.0)));
    }

    /// Whether a place in the window belongs to a panel.
    pub fn blocks(&self, at: Vec2) -> bool {
        let at = egui::pos2(at.x, at.y);
        self.rects.iter().any(|rect| rect.contains(at))
    }
}

/// Name, title and sentence of every scene that ships.
#[derive(Resource)]
pub struct SceneList(Vec<SceneEntry>);

/// One scene of the picker.
pub struct SceneEntry {
    name: &'static str,
    title: String,
    watch: String,
}

impl SceneList {
    fn of_shipped() -> Self {
        let entry = |shipped: &scene::Shipped| {
            // A shipped scene that does not load is caught by a test; here its name will do.
            let scene = scene::load(shipped.name, &[]).ok();
            let (title, watch) = scene.map_or_else(Default::default, |s| (s.title, s.watch));
            SceneEntry {
                name: shipped.name,
                title,
                watch,
            }
        };
        Self(scene::shipped().iter().map(entry).collect())
    }
}

/// Frames per second, smoothed.
#[derive(Resource, Default)]
pub struct FrameRate(f32);

fn measure_frame_rate(time: Res<Time<Real>>, mut rate: ResMut<FrameRate>) {
    let seconds = time.delta_secs();
    if seconds > 0.0 {
        // A time constant of about half a second: readable, yet a stall shows.
        let weight = (seconds / 0.5).min(1.0);
        rate.0 += weight * (1.0 / seconds - rate.0);
    }
}

/// Everything that panels read.
#[derive(SystemParam)]
pub struct View<'w> {
    shown: Res<'w, Shown>,
    bridge: Res<'w, Bridge>,
    look: Res<'w, Look>,
    range: Res<'w, ColorRange>,
    forces: Res<'w, ForceScale>,
    scenes: Res<'w, SceneList>,
    frame_rate: Res<'w, FrameRate>,
    dragging: Res<'w, Dragging>,
    panels: Res<'w, PanelState>,
    theme: Res<'w, Theme>,
    undo: Res<'w, UndoLog>,
    chosen: Res<'w, Chosen>,
    hints: Res<'w, HintsDone>,
    scale: Res<'w, Scale>,
    hovering: Res<'w, Hovering>,
    series: Res<'w, Series>,
    recording: Res<'w, Recording>,
}

impl View<'_> {
    fn running(&self) -> bool {
        self.bridge.playing && self.bridge.fault.is_none()
    }

    /// The largest tension of the strands that are coloured by it because a hand holds them.
    fn tinted_limit(&self) -> Option<f32> {
        let plain = self.look.color_mode == ColorMode::Strand;
        // The range of a pull that is over fades for ever; a led pin colours nothing.
        let pulled = !pulled_strands(&self.shown.snapshot).is_empty();
        (plain && pulled && self.range.limit() > 0.0).then(|| self.range.limit())
    }
}

/// What panels were last made to look like.
#[derive(Default)]
struct Dressed {
    theme: Option<Theme>,
    pixels_per_point: f32,
}

impl Dressed {
    fn follow(&mut self, ctx: &egui::Context, theme: Theme) {
        if self.theme != Some(theme) {
            theme::apply(ctx, theme);
            self.theme = Some(theme);
        }
        if self.pixels_per_point != ctx.pixels_per_point() {
            theme::warm_up_letters(ctx);
            self.pixels_per_point = ctx.pixels_per_point();
        }
    }
}

/// In a window smaller than this docks would leave nothing of the scene, points: there it stands alone.
const LEAST_ROOM: egui::Vec2 = egui::vec2(560.0, 300.0);

fn show_panels(
    mut contexts: EguiContexts,
    view: View,
    mut toasts: ResMut<Toasts>,
    mut area: ResMut<UiArea>,
    mut actions: MessageWriter<Action>,
    camera: Query<(&Camera, &GlobalTransform), With<MainCamera>>,
    mut dressed: Local<Dressed>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    dressed.follow(ctx, *view.theme);
    let mut asked = Vec::new();
    area.rects.clear();
    let hint = area.widgets.get("hint").copied();
    area.widgets.clear();
    area.left_points = 0.0;
    area.right_points = None;
    area.free = ctx.viewport_rect();
    let room = area.free.size();
    if view.panels.panels && room.x >= LEAST_ROOM.x && room.y >= LEAST_ROOM.y {
        show_docks(ctx, &view, &mut area, &mut asked);
    }
    if let Ok((camera, place)) = camera.single() {
        mark::mark_ui(ctx, &view, area.free, camera, place);
        // Words keep off the hint of the last frame; this one's is not there yet.
        let free = pull::clear_of(area.free, hint);
        pull::pull_ui(ctx, &view, free, camera, place);
    }
    let free = area.free;
    let banner = overlay::fault_ui(ctx, &view, free, &mut asked, &mut area.widgets);
    area.rects.extend(banner);
    overlay::watch_ui(ctx, &view, free);
    let key = corner::key_ui(ctx, &view, free);
    corner::film_ui(ctx, &view, free);
    show_cards(ctx, &view, key, &mut area, &mut asked);
    let hint = area.widgets.get("hint").copied();
    overlay::toasts_ui(ctx, free, hint, &mut toasts);
    note_input(ctx, &mut area);
    set_cursor(ctx, &view, &area);
    actions.write_batch(asked);
    Ok(())
}

fn show_docks(ctx: &egui::Context, view: &View, area: &mut UiArea, asked: &mut Vec<Action>) {
    let mut root = egui::Ui::new(
        ctx.clone(),
        "root".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(ctx.viewport_rect()),
    );
    dock::dock_ui(&mut root, view, area, asked);
}

/// What lies over the scene for a while: hints, the list of scenes, the list of keys, the welcome card.
fn show_cards(
    ctx: &egui::Context,
    view: &View,
    key: egui::Rect,
    area: &mut UiArea,
    asked: &mut Vec<Action>,
) {
    let free = area.free;
    let panels = &view.panels;
    let mut taken = Vec::new();
    let widgets = &mut area.widgets;
    if !(panels.welcome || panels.help) {
        taken.extend(hint_card::hint_ui(ctx, view, (free, key), asked, widgets));
    }
    if panels.picker {
        taken.push(picker::picker_ui(ctx, view, free, asked, widgets));
    }
    if panels.help {
        taken.extend(help::help_ui(ctx, free, asked, widgets));
    }
    if panels.welcome {
        taken.push(welcome::welcome_ui(ctx, view, free, asked, widgets));
    }
    if view.hovering.0 {
        overlay::drop_ui(ctx, free);
    }
    area.covered = panels.welcome;
    area.rects.extend(taken);
}

/// Remembers what egui wants for itself.
fn note_input(ctx: &egui::Context, area: &mut UiArea) {
    area.rects.extend(popups(ctx));
    area.in_use = ctx.egui_is_using_pointer();
    area.typing = ctx.text_edit_focused();
    if !area.typing {
        // A focused button would take Space, which runs and pauses.
        let focused = ctx.memory(|memory| memory.focused());
        if let Some(id) = focused {
            ctx.memory_mut(|memory| memory.surrender_focus(id));
        }
    }
}

/// Where lists and windows are open. Their places, not whether the pointer is on one: when frames are slow the pointer
/// moves onto a list and turns the wheel within one, and the camera must not take that for itself.
fn popups(ctx: &egui::Context) -> Vec<egui::Rect> {
    let above = |layer: &egui::LayerId| {
        matches!(layer.order, egui::Order::Foreground | egui::Order::Middle)
    };
    ctx.memory(|memory| {
        let layers = memory.areas().visible_layer_ids().into_iter();
        let rects = layers.filter(above).map(|layer| memory.area_rect(layer.id));
        rects.flatten().collect()
    })
}

/// An open hand over a strand, a closed one around it.
fn set_cursor(ctx: &egui::Context, view: &View, area: &UiArea) {
    let hovered = view.dragging.hovered;
    let takes = hovered.is_some_and(|target| target.can_be_taken()) || view.dragging.hot.is_some();
    if view.dragging.holds() {
        ctx.set_cursor_icon(egui::CursorIcon::Grabbing);
    } else if takes && !area.in_use {
        ctx.set_cursor_icon(egui::CursorIcon::Grab);
    }
}
