//! Layer 4, scene files: TOML in SI units, y up, turned into a [`WorldSpec`].
//!
//! ```text
//!                text ──parse──► file ──set──► file ──build──► Scene
//!                 ▲    names, types     --set        values
//!   .hair .usda ──┘ import: a scene around the strands or the triangles of a file
//!   .obj  .stl
//! ```
//!
//! Whatever is wrong becomes one sentence with the file, the line, the field, what was found and what is allowed.

mod build;
mod check;
mod file;
mod generate;
mod hold_file;
mod import;
mod load;
mod locate;
mod look;
mod measure;
mod mesh_file;
mod motion_file;
mod obj_text;
mod preset;
mod read_file;
mod set;
mod strand_file;
#[cfg(test)]
mod tests;
mod words;

pub use import::{ENDINGS, opens};
pub use load::load;
pub use look::{StrandLook, Wisp};
pub use measure::{Measure, Quantity, Span};
pub use preset::{PRESETS, Preset, preset_named};

use std::ops::Range;

use crate::world::WorldSpec;

/// A scene ready to run.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its file name without the ending.
    pub name: String,
    /// How to load it again.
    pub origin: Origin,
    /// Its title.
    pub title: String,
    /// What to watch, a sentence or two.
    pub watch: String,
    /// Where to look from.
    pub camera: Camera,
    /// What its strands are drawn as; each as its material suggests when not given.
    pub look: Option<StrandLook>,
    /// How many hairs are drawn for each strand, where strands stand for wisps.
    pub wisp: Option<Wisp>,
    /// How long its story takes, s: what `run` simulates when it is not told.
    pub time_s: f64,
    /// What the run report measures.
    pub measures: Vec<Measure>,
    /// Its strands by the `[[rod]]` that they come from, in order.
    pub groups: Vec<StrandGroup>,
    /// What it is made of.
    pub spec: WorldSpec,
}

/// How a scene was loaded, and can be again: what [`load`] was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Name of a shipped scene, or path of a file: a scene, or what a scene can be made around.
    pub name_or_path: String,
    /// `path=value` changes.
    pub sets: Vec<String>,
}

/// Strands that one `[[rod]]` of the file stands for: they are made alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrandGroup {
    /// The name of the first.
    pub name: String,
    /// Their indices.
    pub rods: Range<usize>,
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
    macro_rules! ship {
        ($($name:literal),*) => {
            &[$(Shipped { name: $name, toml: include_str!(concat!("../../scenes/", $name, ".toml")) }),*]
        };
    }
    ship![
        "rope",
        "knot",
        "drape",
        "incline",
        "wisp",
        "curl",
        "mixed",
        "carousel",
        "tight_knot",
        "plectoneme",
        "rotating_sphere",
        "oscillating_sphere",
        "wavy_hair",
        "three_point_bending",
        "knot_tightening",
        "double_loop",
        "self_stacking",
        "spaghetti_7",
        "spaghetti_31",
        "spaghetti_31_sliding",
        "spaghetti_31_spreading",
        "spaghetti_76",
        "rings"
    ]
}
