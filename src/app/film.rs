//! Pictures of a scene over time, made from a world stepped right here: `render` and `showcase`.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use bevy::prelude::Image;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame};

use super::capture::{Studio, save_png};
use super::{AppError, RenderOptions, display};
use crate::scene::Scene;
use crate::world::{Snapshot, World};

/// Frames of a showcase.
const FRAMES: u32 = 48;
/// Size of a showcase, pixels.
const SHOWCASE_SIZE: (u32, u32) = (640, 360);

/// Steps a scene to a time and draws it into a PNG file, without a display.
pub fn render(options: RenderOptions) -> Result<(), AppError> {
    let backends = display::find_backends()?;
    let mut film = Film::new(&options.scene)?;
    film.run_to(options.time_s)?;
    let picture = Studio::new(backends, options.scene, options.size).draw(&film.snapshot)?;
    save_png(&picture, &options.out)
}

/// Writes PNG frames and an animated GIF of a scene's demonstration into a folder; returns the GIF.
pub fn showcase(scene: Scene, out_dir: &Path) -> Result<PathBuf, AppError> {
    let backends = display::find_backends()?;
    let failed = |path: &Path, why: String| AppError::Write {
        path: path.into(),
        why,
    };
    std::fs::create_dir_all(out_dir).map_err(|why| failed(out_dir, why.to_string()))?;
    let gif_path = out_dir.join(format!("{}.gif", scene.name));
    let file = File::create(&gif_path).map_err(|why| failed(&gif_path, why.to_string()))?;
    // Speed 10 of 30: fast, and the few colours of our pictures survive it.
    let mut gif = GifEncoder::new_with_speed(BufWriter::new(file), 10);
    let not_gif = |why: image::ImageError| failed(&gif_path, why.to_string());
    gif.set_repeat(Repeat::Infinite).map_err(not_gif)?;

    let period_s = demonstration_s(&scene) / FRAMES as f64;
    let mut film = Film::new(&scene)?;
    let mut studio = Studio::new(backends, scene, SHOWCASE_SIZE);
    for frame in 0..FRAMES {
        film.run_to(frame as f64 * period_s)?;
        let picture = studio.draw(&film.snapshot)?;
        save_png(&picture, &out_dir.join(format!("frame-{frame:03}.png")))?;
        gif.encode_frame(gif_frame(picture, period_s).map_err(|why| failed(&gif_path, why))?)
            .map_err(not_gif)?;
    }
    Ok(gif_path)
}

fn gif_frame(picture: Image, period_s: f64) -> Result<Frame, String> {
    let picture = picture.try_into_dynamic().map_err(|why| why.to_string())?;
    // At real time, but never so slow that it stutters.
    let delay_ms = (1e3 * period_s).clamp(20.0, 80.0) as u32;
    let delay = Delay::from_numer_denom_ms(delay_ms, 1);
    Ok(Frame::from_parts(picture.to_rgba8(), 0, 0, delay))
}

/// How long the scripted hands and solids of a scene move, s; at least two seconds, at most eight.
fn demonstration_s(scene: &Scene) -> f64 {
    let holds = scene.spec.holds.iter().map(|hold| &hold.motion);
    let solids = scene.spec.solids.iter().map(|solid| &solid.motion);
    let last_keys = holds.chain(solids).filter_map(|motion| motion.keys.last());
    let last = last_keys.map(|key| key.time_s).fold(0.0, f64::max);
    (last + 0.5).clamp(2.0, 8.0)
}

/// A world and its newest state.
struct Film {
    scene: String,
    world: World,
    snapshot: Snapshot,
}

impl Film {
    fn new(scene: &Scene) -> Result<Self, AppError> {
        let world = World::new(scene.spec.clone()).map_err(|why| AppError::Scene {
            scene: scene.name.clone(),
            why: why.to_string(),
        })?;
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        Ok(Self {
            scene: scene.name.clone(),
            world,
            snapshot,
        })
    }

    fn run_to(&mut self, time_s: f64) -> Result<(), AppError> {
        // Half a step of slack: sums of dt do not hit a time exactly.
        let slack = 0.5 * self.world.settings().dt_s;
        while self.world.time_s() + slack < time_s {
            self.world.step().map_err(|why| AppError::Scene {
                scene: self.scene.clone(),
                why: why.to_string(),
            })?;
        }
        self.world.snapshot(&mut self.snapshot);
        Ok(())
    }
}
