//! Scripted motion as it is written in a scene file.

use serde::Deserialize;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MotionFile {
    /// `[t, x, y, z]`: seconds, then metres from the start.
    #[serde(default)]
    pub keys: Vec<[f64; 4]>,
    /// `[t, x, y, z]`: seconds, then the turn from the start, axis times angle, degrees.
    #[serde(default)]
    pub turns: Vec<[f64; 4]>,
    /// Whether it sets out and arrives gently at every key.
    #[serde(default)]
    pub eased: bool,
    /// Axis times rate, rad/s.
    #[serde(default)]
    pub spin: [f64; 3],
    /// To and fro.
    pub swing: Option<SwingFile>,
}

/// A turn of `deg` degrees about `axis` and back, to the other side and back, in `period` seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SwingFile {
    pub axis: [f64; 3],
    pub deg: f64,
    pub period: f64,
}
