//! Pictures of a scene over time, made from a world stepped right here: `render` and `showcase`, which shows a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy::prelude::Image;
use image::RgbaImage;

use super::capture::{Studio, save_png};
use super::reel::Reel;
use super::shown::Look;
use super::{AppError, RenderOptions, Span, display};
use crate::scene::Scene;
use crate::session::{Replay, Session};
use crate::world::{Passed, Snapshot, World};

/// Frames of a showcase.
const FRAMES: u32 = 48;
/// Size of a showcase, pixels.
const SHOWCASE_SIZE: (u32, u32) = (640, 360);

/// Steps a scene and draws it into a picture or into moving ones, without a display. `drawn` hears of every frame: which,
/// and of how many.
pub fn render(options: RenderOptions, mut drawn: impl FnMut(usize, usize)) -> Result<(), AppError> {
    let backends = display::find_backends()?;
    let mut scene = options.scene;
    if let Some(camera) = options.camera {
        scene.camera = camera;
    }
    let mut film = Film::new(&scene)?;
    let look = Look {
        color_mode: options.color,
        contacts: options.contacts,
        forces: options.forces,
        cones: options.cones,
        strands: options.strands,
        stripe: options.stripe,
    };
    let mut studio = Studio::new(backends, scene, options.size, look).in_theme(options.theme);
    match options.span {
        Span::Moment { time_s } => {
            film.run_to(time_s)?;
            save_png(&studio.draw(&film.snapshot)?, &options.out)
        }
        Span::Stretch { from_s, to_s, fps } => {
            // Opened first: a folder that may not be written to is told before minutes are spent.
            let mut reel = Reel::open(&options.out, options.size, fps)?;
            let frames = frame_count(from_s, to_s, fps);
            for frame in 0..frames {
                film.run_to(from_s + frame as f64 / fps)?;
                let picture = rgba(studio.draw(&film.snapshot)?, &options.out)?;
                reel.add(&picture, fps.recip())?;
                drawn(frame + 1, frames);
            }
            reel.finish().map(drop)
        }
    }
}

/// Frames from one time to another, both shown.
fn frame_count(from_s: f64, to_s: f64, fps: f64) -> usize {
    // A hair's breadth of slack: 0.1 · 30 is not quite 3.
    ((to_s - from_s) * fps + 1e-6).floor().max(0.0) as usize + 1
}

/// Writes PNG frames and an animated GIF of what was done in a session into a folder; returns the GIF.
pub fn showcase(session: Session, out_dir: &Path) -> Result<PathBuf, AppError> {
    let backends = display::find_backends()?;
    std::fs::create_dir_all(out_dir).map_err(|why| AppError::Write {
        path: out_dir.into(),
        why: why.to_string(),
    })?;
    let scene = session.scene().map_err(|why| AppError::Scene {
        scene: session.head.scene.clone(),
        why: why.to_string(),
    })?;
    let gif_path = out_dir.join(format!("{}.gif", scene.name));
    let mut film = Film::watching(&scene, session)?;
    let period_s = film.session_s() / f64::from(FRAMES - 1);
    let mut gif = Reel::open(&gif_path, SHOWCASE_SIZE, period_s.recip())?;
    let mut studio = Studio::new(backends, scene, SHOWCASE_SIZE, Look::default());
    for frame in 0..FRAMES {
        film.run_to(f64::from(frame) * period_s)?;
        let picture = studio.draw(&film.snapshot)?;
        save_png(&picture, &out_dir.join(format!("frame-{frame:03}.png")))?;
        // At real time, but never so slow that it stutters.
        gif.add(&rgba(picture, &gif_path)?, period_s.clamp(0.02, 0.08))?;
    }
    gif.finish()
}

fn rgba(picture: Image, path: &Path) -> Result<RgbaImage, AppError> {
    let picture = picture.try_into_dynamic().map_err(|why| AppError::Write {
        path: path.into(),
        why: why.to_string(),
    })?;
    Ok(picture.into_rgba8())
}

/// A world and its newest state.
struct Film {
    scene: String,
    world: World,
    snapshot: Snapshot,
    /// What was passed since the last picture.
    passed: Vec<Passed>,
    /// What is done to it, if it is not left alone.
    session: Option<Replay>,
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
            passed: Vec::new(),
            session: None,
        })
    }

    /// A world to which is done what was done in a session.
    fn watching(scene: &Scene, session: Session) -> Result<Self, AppError> {
        let other_scene = !session.is_of(scene);
        let replay = Replay::new(Arc::new(session), other_scene);
        Ok(Self {
            session: Some(replay),
            ..Self::new(scene)?
        })
    }

    /// How long the session lasts, s.
    fn session_s(&self) -> f64 {
        let steps = self.session.as_ref().map(|s| s.session().last_step());
        steps.unwrap_or(0) as f64 * self.world.settings().dt_s
    }

    fn run_to(&mut self, time_s: f64) -> Result<(), AppError> {
        // Half a step of slack: sums of dt do not hit a time exactly.
        let slack = 0.5 * self.world.settings().dt_s;
        self.passed.clear();
        while self.world.time_s() + slack < time_s {
            if let Some(session) = &mut self.session {
                session.catch_up(&mut self.world);
            }
            self.world.step().map_err(|why| AppError::Scene {
                scene: self.scene.clone(),
                why: why.to_string(),
            })?;
            self.passed.push(self.world.passed());
        }
        self.world.snapshot(&mut self.snapshot);
        if !self.passed.is_empty() {
            self.snapshot.passed.clone_from(&self.passed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Knots;

    #[test]
    fn a_stretch_of_time_shows_its_first_and_its_last_moment() {
        assert_eq!(frame_count(0.0, 1.0, 25.0), 26);
        assert_eq!(frame_count(0.0, 0.1, 30.0), 4);
        assert_eq!(frame_count(2.0, 2.0, 30.0), 1);
        assert_eq!(frame_count(0.0, 0.05, 10.0), 1);
    }

    #[test]
    fn the_showcase_ties_a_knot() {
        let session = crate::session::load_session("overhand").expect("ships");
        let scene = session.scene().expect("ships");
        let mut film = Film::watching(&scene, session).expect("ships");
        let mut namer = crate::world::KnotNamer::new();
        let mut knot = |film: &Film| Knots::of(&film.snapshot, &mut namer).summary();
        assert_eq!(knot(&film), "unknot");
        film.run_to(film.session_s()).expect("runs");
        assert_eq!(knot(&film), "trefoil (3_1)");
    }
}
