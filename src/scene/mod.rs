//! Layer 4, scene files. PLACEHOLDER.

use crate::world::{SpecError, WorldSpec};

/// A scene ready to run.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its file name without the ending.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What to watch, a sentence or two.
    pub watch: String,
    /// Where to look from.
    pub camera: Camera,
    /// What it is made of.
    pub spec: WorldSpec,
}

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the eye, m.
    pub eye_m: [f64; 3],
    /// The point in the middle of the picture, m.
    pub target_m: [f64; 3],
    /// Vertical field of view, degrees.
    pub fov_deg: f64,
}

/// A scene that ships with Prusik.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub toml: &'static str,
}

/// The scenes that ship with Prusik, in the order in which the picker shows them; the first opens with the app.
pub fn shipped() -> &'static [Shipped] {
    &[]
}

/// Loads a scene: the name of a shipped one, or the path of a file; `sets` are `path=value` changes.
pub fn load(_name_or_path: &str, _sets: &[String]) -> Result<Scene, SpecError> {
    Err(SpecError("placeholder".into()))
}
