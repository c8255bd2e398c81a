//! Layer 5, the window: draws snapshots, turns pointer and keys into edits.

mod error;

use std::path::{Path, PathBuf};

pub use error::AppError;

use crate::scene::Scene;

/// What the window opens with.
#[derive(Clone, Debug)]
pub struct AppOptions {
    /// The scene to open.
    pub scene: Scene,
    /// `path=value` changes, applied again to every scene that is picked later.
    pub sets: Vec<String>,
    /// Where to write the state on exit, as JSON.
    pub report: Option<PathBuf>,
    /// Close by itself after so many seconds of wall time.
    pub exit_after_s: Option<f64>,
}

/// What to draw offscreen.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The scene.
    pub scene: Scene,
    /// Simulated time of the picture, s.
    pub time_s: f64,
    /// The PNG file to write.
    pub out: PathBuf,
    /// Width and height, pixels.
    pub size: (u32, u32),
}

/// Opens the window and returns when it is closed.
pub fn run(_options: AppOptions) -> Result<(), AppError> {
    Err(AppError::NoDisplay)
}

/// Steps a scene to a time and draws it into a PNG file, without a display.
pub fn render(_options: RenderOptions) -> Result<(), AppError> {
    Err(AppError::NoDisplay)
}

/// Writes PNG frames and an animated GIF of a scene's demonstration into a folder; returns the GIF.
pub fn showcase(_scene: Scene, _out_dir: &Path) -> Result<PathBuf, AppError> {
    Err(AppError::NoDisplay)
}
