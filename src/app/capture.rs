//! Pictures without a window: one Bevy app that draws states into an image, read back and saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy::app::PluginsState;
use bevy::asset::RenderAssetUsages;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use wgpu::Backends;

use super::camera::camera_bundle;
use super::display::render_plugin;
use super::draw_cost::DrawCost;
use super::shown::{Look, Shown};
use super::theme::Theme;
use super::{AppError, DrawingPlugins, with_log};
use crate::scene::Scene;
use crate::world::Snapshot;

/// Longer than the slowest software renderer takes for a picture.
const PATIENCE: Duration = Duration::from_secs(120);
/// Frames until meshes, materials and pipelines are all on the adapter.
const WARM_UP: usize = 4;

/// Draws states of one scene into pictures of one size.
pub struct Studio {
    app: App,
    target: Handle<Image>,
    warm: bool,
}

/// The picture that came back.
#[derive(Resource, Default)]
struct Developed(Option<Image>);

impl Studio {
    /// Sets up for a scene, on drivers that are known to work.
    pub fn new(backends: Backends, scene: Scene, (width, height): (u32, u32), look: Look) -> Self {
        let mut app = App::new();
        app.add_plugins(with_log(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: None,
                    exit_condition: ExitCondition::DontExit,
                    ..default()
                })
                // A picture must not lack what is still being compiled.
                .set(render_plugin(backends, true))
                .disable::<WinitPlugin>()
                .disable::<PipelinedRenderingPlugin>(),
        ));
        let camera = camera_bundle(&scene.camera);
        app.insert_resource(Shown::new(scene))
            .insert_resource(look)
            .init_resource::<Developed>()
            .add_plugins(DrawingPlugins);
        while app.plugins_state() == PluginsState::Adding {
            bevy::tasks::tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();

        let mut image = Image::new_uninit(
            Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            TextureDimension::D2,
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::RENDER_WORLD,
        );
        image.texture_descriptor.usage |= TextureUsages::RENDER_ATTACHMENT;
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let render_target = RenderTarget::Image(target.clone().into());
        app.world_mut().spawn((camera, render_target));
        Self {
            app,
            target,
            warm: false,
        }
    }

    /// With the colours of a theme; of the light one when not asked.
    pub fn in_theme(mut self, theme: Theme) -> Self {
        self.app.insert_resource(theme);
        self
    }

    /// The name of the graphics adapter, and whether it is the processor itself.
    pub fn adapter(&self) -> (String, bool) {
        let info = self.app.world().get_resource::<RenderAdapterInfo>();
        info.map_or_else(Default::default, |info| {
            (info.name.clone(), info.device_type == wgpu::DeviceType::Cpu)
        })
    }

    /// Draws one state without reading the picture back, and waits until it is drawn; says what it cost us.
    pub fn show(&mut self, snapshot: &Snapshot) -> Result<DrawCost, AppError> {
        self.put(snapshot);
        self.app.update();
        let world = self.app.world();
        let device = world.resource::<RenderDevice>();
        let drawn = device.poll(wgpu::PollType::Wait {
            submission_index: None,
            timeout: Some(PATIENCE),
        });
        drawn.map_err(|_| AppError::NoPicture {
            seconds: PATIENCE.as_secs(),
        })?;
        Ok(*world.resource::<DrawCost>())
    }

    fn put(&mut self, snapshot: &Snapshot) {
        let mut shown = self.app.world_mut().resource_mut::<Shown>();
        shown.snapshot.clone_from(snapshot);
        shown.snapshot_count += 1;
    }

    /// Draws one state.
    pub fn draw(&mut self, snapshot: &Snapshot) -> Result<Image, AppError> {
        self.put(snapshot);
        if !self.warm {
            (0..WARM_UP).for_each(|_| self.app.update());
            self.warm = true;
        }
        let develop = |captured: On<ScreenshotCaptured>, mut developed: ResMut<Developed>| {
            developed.0 = Some(captured.image.clone());
        };
        self.app
            .world_mut()
            .spawn(Screenshot::image(self.target.clone()))
            .observe(develop);
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            self.app.update();
            let mut developed = self.app.world_mut().resource_mut::<Developed>();
            if let Some(image) = developed.0.take() {
                return Ok(image);
            }
        }
        Err(AppError::NoPicture {
            seconds: PATIENCE.as_secs(),
        })
    }
}

/// Saves a picture as PNG.
pub fn save_png(picture: &Image, path: &Path) -> Result<(), AppError> {
    let failed = |why: String| AppError::Write {
        path: PathBuf::from(path),
        why,
    };
    let picture = picture.clone().try_into_dynamic();
    let picture = picture.map_err(|why| failed(why.to_string()))?;
    picture
        .to_rgb8()
        .save_with_format(path, image::ImageFormat::Png)
        .map_err(|why| failed(why.to_string()))
}
