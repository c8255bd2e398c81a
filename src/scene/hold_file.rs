//! Clamps, pins and pulls as they are written in a scene file.

use serde::Deserialize;

use super::file::RodRef;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HoldFile {
    pub name: Option<String>,
    #[serde(default)]
    pub rod: RodRef,
    /// Whether it holds every copy of that rod as well; these holds are called `name 1`, `name 2` …
    #[serde(default)]
    pub copies: bool,
    pub at: AtFile,
    pub kind: HoldKindFile,
    /// The largest pull of a grab, N.
    pub max_force: Option<f64>,
    /// How it moves, as [`super::motion_file::MotionFile`] has it.
    #[serde(default)]
    pub keys: Vec<[f64; 4]>,
    #[serde(default)]
    pub turns: Vec<[f64; 4]>,
    #[serde(default)]
    pub eased: bool,
    #[serde(default)]
    pub spin: [f64; 3],
    /// Name of a body that carries it along.
    pub on: Option<String>,
    pub active: Option<[f64; 2]>,
    #[serde(default)]
    pub demo: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HoldKindFile {
    Clamp,
    Pin,
    Grab,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"start\", \"end\" or a share of the length, 0 to 1"
)]
pub(super) enum AtFile {
    Share(f64),
    Name(String),
}
