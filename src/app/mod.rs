//! Layer 5, the window: draws snapshots, turns pointer and keys into edits.
//!
//! | plugin | job |
//! |---|---|
//! | `shaders` | our WGSL texts, compiled into the binary |
//! | `uploads` | what goes into the adapter's memory, with the frame it belongs to |
//! | `strands` | round tubes from a storage buffer, one draw |
//! | `glyphs` | contacts, forces, pins, clamps, hands: one draw |
//! | `solids`, `ground` | boxes, spheres, planes with a grid |
//! | `backdrop`, `lights` | the studio: gradient, key light with shadows, fill |
//! | `bridge` | the only one that talks to the solver thread |
//! | `action`, `bindings` | everything a user can ask for; the keys that ask for it |
//! | `camera`, `pointer`, `dragging`, `pinning` | the eye and the hands; `picking` finds what is under them, `grip` and `gizmo` follow |
//! | `highlight` | marks for hands: what is under the pointer, the gizmo |
//! | `wanted`, `undo` | what panels have asked the world to be; how to take it back (`describe` has the words) |
//! | `chosen` | what was clicked, for the inspector |
//! | `panels` | docks with pages, status bar, help, banner, toasts |
//! | `hints`, `preferences` | first steps; what is remembered from one start to the next |
//! | `dropping`, `scaling` | files dropped on the window; the size of letters |
//! | `series` | figures of the last while, for plots |
//! | `screenshot`, `recording`, `report`, `ui_map` | what goes out: pictures, films, the state on exit, where widgets are |
//! | `adapter` | what happens when the graphics adapter goes away |
//!
//! `reel` writes moving pictures into files, `draw_cost` and `drawing_bench` say what drawing costs. `shown` is what is drawn; everything in the upper half reads only that, so that `capture` and `film` draw the
//! same pictures without a window.

mod action;
mod adapter;
mod backdrop;
mod bindings;
mod bridge;
mod camera;
mod capture;
mod chosen;
mod colour;
mod describe;
mod display;
mod dragging;
mod draw_cost;
mod drawing_bench;
mod dropping;
mod error;
mod film;
mod gizmo;
mod glyphs;
mod grip;
mod ground;
mod highlight;
mod hints;
mod lights;
mod outbox;
mod panels;
mod picking;
mod pinning;
mod pointer;
mod preferences;
mod recording;
mod reel;
mod report;
mod scaling;
mod screenshot;
mod series;
mod shaders;
mod shown;
mod solids;
mod strands;
mod theme;
mod toasts;
mod trail;
mod ui_map;
mod undo;
mod units;
mod uploads;
mod wanted;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bevy::app::PluginGroupBuilder;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::{PresentMode, WindowResolution};

pub use colour::ColorMode;
pub use drawing_bench::{DrawingRow, DrawingTable, drawing};
pub use error::AppError;
pub use film::{render, showcase};
pub use preferences::last_scene;
pub use theme::Theme;

use crate::scene::{Camera, Scene, StrandLook};
use bridge::Bridge;
use report::ReportTo;
use shown::{Look, Shown};

/// What the window opens with.
#[derive(Clone, Debug)]
pub struct AppOptions {
    /// The scene to open.
    pub scene: Scene,
    /// The name or path by which it was found.
    pub opened: String,
    /// What to open, and by which name, if that scene cannot be built: one that is only remembered must not bar the start.
    pub otherwise: Option<(String, Scene)>,
    /// Whether a newcomer gets the welcome card: not one who named a scene.
    pub welcome: bool,
    /// `path=value` changes, applied again to every scene that is picked later.
    pub sets: Vec<String>,
    /// Where to write the state on exit, as JSON.
    pub report: Option<PathBuf>,
    /// Close by itself after so many seconds of wall time.
    pub exit_after_s: Option<f64>,
    /// A session to play, of the same scene: the name of a shipped one, or the path of a file.
    pub watch: Option<String>,
}

/// What to draw offscreen.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The scene.
    pub scene: Scene,
    /// When.
    pub span: Span,
    /// The PNG file to write; for a stretch of time a GIF or MP4 file, or a folder for its frames.
    pub out: PathBuf,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Where to look from; where the scene says when not given.
    pub camera: Option<Camera>,
    /// What the colour of strands shows.
    pub color: ColorMode,
    /// What strands are drawn as; as the scene or their material suggests when not given.
    pub strands: Option<StrandLook>,
    /// Whether a stripe shows how strands are twisted.
    pub stripe: bool,
    /// Whether contact points are drawn.
    pub contacts: bool,
    /// Whether contact forces are drawn.
    pub forces: bool,
    /// Whether friction cones are drawn.
    pub cones: bool,
    /// Colours of the backdrop and the ground.
    pub theme: Theme,
}

/// When to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Span {
    /// One picture.
    Moment {
        /// Simulated time, s.
        time_s: f64,
    },
    /// Moving pictures.
    Stretch {
        /// Simulated time of the first, s.
        from_s: f64,
        /// Simulated time of the last, s.
        to_s: f64,
        /// Pictures per simulated second.
        fps: f64,
    },
}

/// Opens the window and returns when it is closed.
pub fn run(mut options: AppOptions) -> Result<(), AppError> {
    display::check_display()?;
    let backends = display::find_backends()?;
    let (bridge, complaint) = start(&mut options)?;
    let failure = Arc::new(Mutex::new(None));
    let lifeline = bridge.lifeline();
    // The window library panics where a display goes away at the wrong moment; that is a sentence, not a crash.
    let build_and_run =
        AssertUnwindSafe(|| build(options, (bridge, complaint), backends, &failure).run());
    let panics = adapter::Panics::watch();
    let exit = catch_unwind(build_and_run);
    // Told before a panic that followed from it.
    if let Some(why) = failure.lock().ok().and_then(|mut why| why.take()) {
        return Err(why);
    }
    // Nobody else knows that it was the adapter when a frame broke off in the middle.
    if let Some(why) = panics.by_adapter() {
        let saved = lifeline.save_session();
        return Err(AppError::AdapterLost { why, saved });
    }
    match exit {
        Ok(AppExit::Success) => Ok(()),
        Ok(AppExit::Error(_)) => Err(AppError::Window),
        Err(panic) => Err(AppError::Stopped {
            why: panic_text(panic.as_ref()),
        }),
    }
}

/// The solver with its first scene; with a word if that is not the one that was open last.
fn start(options: &mut AppOptions) -> Result<(Bridge, Option<String>), AppError> {
    let refused = |scene: &Scene, why: String| AppError::Scene {
        scene: scene.name.clone(),
        why,
    };
    let why = match Bridge::start(&options.scene) {
        Ok(bridge) => return Ok((bridge, None)),
        Err(why) => why.to_string(),
    };
    let Some(otherwise) = options.otherwise.take() else {
        return Err(refused(&options.scene, why));
    };
    let word = format!(
        "{}, which was open last, cannot be opened: {why}",
        options.opened
    );
    (options.opened, options.scene) = otherwise;
    let bridge = Bridge::start(&options.scene);
    let bridge = bridge.map_err(|why| refused(&options.scene, why.to_string()))?;
    Ok((bridge, Some(word)))
}

/// The first line of what a panic said.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let line = text.and_then(|text| text.lines().next());
    line.unwrap_or("it did not say why").to_owned()
}

/// The whole window.
fn build(
    options: AppOptions,
    (bridge, complaint): (Bridge, Option<String>),
    backends: wgpu::Backends,
    failure: &Arc<Mutex<Option<AppError>>>,
) -> App {
    let mut app = App::new();
    app.add_plugins(with_log(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(window()),
                ..default()
            })
            .set(display::render_plugin(backends, false)),
    ))
    .insert_resource(AppSets(options.sets))
    .insert_resource(bridge)
    .insert_resource(Shown::new(options.scene))
    .init_resource::<Look>();
    preferences::install(&mut app, options.opened, options.welcome);
    if let Some(word) = complaint {
        app.world_mut().resource_mut::<toasts::Toasts>().warn(word);
    }
    app.add_plugins((DrawingPlugins, InteractionPlugins));
    if let Some(path) = options.report {
        let failure = failure.clone();
        app.insert_resource(ReportTo { path, failure });
    }
    app.add_plugins(adapter::AdapterPlugin {
        failure: failure.clone(),
    });
    if let Some(session) = options.watch {
        app.add_systems(
            Startup,
            move |mut actions: MessageWriter<action::Action>| {
                actions.write(action::Action::WatchSession(session.clone()));
            },
        );
    }
    if let Some(seconds) = options.exit_after_s {
        app.insert_resource(ExitAfter(seconds))
            .add_systems(Update, exit_after);
    }
    app
}

/// `path=value` changes from the command line.
#[derive(Resource)]
struct AppSets(Vec<String>);

/// Wall seconds after which the window closes.
#[derive(Resource)]
struct ExitAfter(f64);

fn exit_after(time: Res<Time<Real>>, limit: Res<ExitAfter>, mut exits: MessageWriter<AppExit>) {
    if time.elapsed_secs_f64() >= limit.0 {
        exits.write(AppExit::Success);
    }
}

fn window() -> Window {
    Window {
        title: "Prusik".into(),
        resolution: WindowResolution::new(1280, 720),
        present_mode: PresentMode::AutoVsync,
        ..default()
    }
}

/// Only what a user can act on. There is one log for the whole process: a second one would complain about the first.
fn with_log(plugins: PluginGroupBuilder) -> PluginGroupBuilder {
    static LOGGING: AtomicBool = AtomicBool::new(false);
    if LOGGING.swap(true, Ordering::Relaxed) {
        return plugins.disable::<LogPlugin>();
    }
    plugins.set(LogPlugin {
        filter: "error,wgpu_hal=off".into(),
        ..default()
    })
}

/// Everything that draws [`Shown`]: the same in the window and offscreen.
struct DrawingPlugins;

impl PluginGroup for DrawingPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(shaders::ShadersPlugin)
            .add(uploads::UploadsPlugin)
            .add(backdrop::BackdropPlugin)
            .add(lights::LightsPlugin)
            .add(ground::GroundPlugin)
            .add(solids::SolidsPlugin)
            .add(strands::StrandsPlugin)
            .add(glyphs::GlyphsPlugin)
            .add(trail::TrailPlugin)
    }
}

/// Everything that only a window needs.
struct InteractionPlugins;

impl PluginGroup for InteractionPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(panels::PanelsPlugin)
            .add(bridge::BridgePlugin)
            .add(pointer::PointerPlugin)
            .add(camera::CameraPlugin)
            .add(dragging::DraggingPlugin)
            .add(pinning::PinningPlugin)
            .add(highlight::HighlightPlugin)
            .add(dropping::DroppingPlugin)
            .add(hints::HintsPlugin)
            .add(scaling::ScalingPlugin)
            .add(action::ActionPlugin)
            .add(undo::UndoPlugin)
            .add(chosen::ChosenPlugin)
            .add(bindings::BindingsPlugin)
            .add(screenshot::ScreenshotPlugin)
            .add(recording::RecordingPlugin)
            .add(series::SeriesPlugin)
            .add(report::ReportPlugin)
            .add(ui_map::UiMapPlugin)
    }
}
