//! What lies over the picture. Panels read the newest state and emit [`Action`]s; they change nothing themselves.
//!
//! | file | job |
//! |---|---|
//! | [`control`] | the panel on the left: scene, transport, friction, what to show |
//! | [`model`] | in it: the choice of the rod model |
//! | [`solver`] | in it: the choice of the friction solver and what is asked of it |
//! | [`choices`] | lists of such choices: a name and a sentence each |
//! | [`convergence`] | in it: the error of the last solve against the iteration |
//! | [`legend`] | colour bar with range and unit; keys to stick and slide |
//! | [`status`] | the bar at the bottom: times, contacts, residual, frames per second |
//! | [`overlay`] | over the scene: newtons at the hand, banner of a fault, toasts |
//! | [`help`] | the list of keys |

mod choices;
mod control;
mod convergence;
mod detector;
mod help;
mod legend;
mod model;
mod overlay;
mod solver;
mod status;

use std::collections::BTreeMap;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};

use super::action::{Action, PanelState};
use super::bridge::Bridge;
use super::camera::MainCamera;
use super::colour::ColorRange;
use super::dragging::Dragging;
use super::glyphs::ForceScale;
use super::shown::{Look, Shown};
use super::theme;
use super::toasts::Toasts;
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
            .add_systems(Update, measure_frame_rate)
            .add_systems(EguiPrimaryContextPass, show_panels);
    }
}

/// Where panels are, so that the pointer on them does not reach the scene.
#[derive(Resource, Default, Debug)]
pub struct UiArea {
    rects: Vec<egui::Rect>,
    /// A widget is being dragged.
    pub in_use: bool,
    /// A text field has the focus: keys are text, not shortcuts.
    pub typing: bool,
    /// Width that the control panel takes from the left, points.
    pub left_points: f32,
    /// Widgets by name, for tests that drive the window.
    pub widgets: Widgets,
}

/// Where named widgets are, points.
pub type Widgets = BTreeMap<&'static str, egui::Rect>;

impl UiArea {
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
}

impl SceneList {
    fn of_shipped() -> Self {
        let entry = |shipped: &scene::Shipped| SceneEntry {
            name: shipped.name,
            // A shipped scene that does not load is caught by a test; here its name will do.
            title: scene::load(shipped.name, &[]).map_or_else(|_| String::new(), |s| s.title),
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
}

impl View<'_> {
    fn running(&self) -> bool {
        self.bridge.playing && self.bridge.fault.is_none()
    }
}

fn show_panels(
    mut contexts: EguiContexts,
    view: View,
    mut toasts: ResMut<Toasts>,
    mut area: ResMut<UiArea>,
    mut actions: MessageWriter<Action>,
    camera: Query<(&Camera, &GlobalTransform), With<MainCamera>>,
    mut themed: Local<bool>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if !*themed {
        theme::apply(ctx);
        theme::warm_up_figures(ctx);
        *themed = true;
    }
    let mut asked = Vec::new();
    area.rects.clear();
    area.widgets.clear();
    area.left_points = 0.0;
    if view.panels.panels {
        show_fixed_panels(ctx, &view, &mut area, &mut asked);
    }
    if let Ok((camera, place)) = camera.single() {
        overlay::pull_ui(ctx, &view, camera, place);
    }
    let left = area.left_points;
    area.rects
        .extend(overlay::fault_ui(ctx, &view, left, &mut asked));
    overlay::toasts_ui(ctx, &mut toasts);
    if view.panels.help {
        area.rects.extend(help::help_ui(ctx, &mut asked));
    }
    note_input(ctx, &mut area);
    set_cursor(ctx, &view, &area);
    actions.write_batch(asked);
    Ok(())
}

fn show_fixed_panels(ctx: &egui::Context, view: &View, area: &mut UiArea, asked: &mut Vec<Action>) {
    let mut root = egui::Ui::new(
        ctx.clone(),
        "root".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(ctx.viewport_rect()),
    );
    let frame = egui::Frame::new()
        .fill(theme::PANEL)
        .inner_margin(egui::Margin::symmetric(12, 5));
    let bar = egui::Panel::bottom("status")
        .frame(frame)
        .exact_size(theme::STATUS_HEIGHT)
        .resizable(false)
        .show(&mut root, |ui| status::status_ui(ui, view));
    let frame = egui::Frame::new()
        .fill(theme::PANEL)
        .inner_margin(egui::Margin::symmetric(14, 10));
    let panel = egui::Panel::left("control")
        .frame(frame)
        .exact_size(theme::PANEL_WIDTH)
        .resizable(false)
        .show(&mut root, |ui| {
            control::control_ui(ui, view, asked, &mut area.widgets);
        });
    area.left_points = panel.response.rect.width();
    area.rects.extend([bar.response.rect, panel.response.rect]);
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
    if view.dragging.holds() {
        ctx.set_cursor_icon(egui::CursorIcon::Grabbing);
    } else if view.dragging.hovered.is_some() && !area.in_use {
        ctx.set_cursor_icon(egui::CursorIcon::Grab);
    }
}
