//! Our shaders, compiled into the binary so that it runs from any folder.

use std::borrow::Cow;
use std::path::PathBuf;

use bevy::asset::uuid_handle;
use bevy::prelude::*;

/// Tubes: `shaders/strand.wgsl`.
pub const STRAND: Handle<Shader> = uuid_handle!("6d1f9a52-0c1e-4b57-9b0e-6f1f0a8d5c01");
/// Markers and arrows: `shaders/glyph.wgsl`.
pub const GLYPH: Handle<Shader> = uuid_handle!("6d1f9a52-0c1e-4b57-9b0e-6f1f0a8d5c02");
/// Planes with a grid: `shaders/ground.wgsl`.
pub const GROUND: Handle<Shader> = uuid_handle!("6d1f9a52-0c1e-4b57-9b0e-6f1f0a8d5c03");
/// The gradient behind everything: `shaders/backdrop.wgsl`.
pub const BACKDROP: Handle<Shader> = uuid_handle!("6d1f9a52-0c1e-4b57-9b0e-6f1f0a8d5c04");

/// Light on hair, imported by the strands: `shaders/hair.wgsl`.
const HAIR: Handle<Shader> = uuid_handle!("6d1f9a52-0c1e-4b57-9b0e-6f1f0a8d5c05");
/// Soft shadows, imported by the ground: `shaders/soft_shadow.wgsl`.
const SOFT_SHADOW: Handle<Shader> = uuid_handle!("6d1f9a52-0c1e-4b57-9b0e-6f1f0a8d5c06");

/// Set to a folder, its files are used instead: whoever works on a shader sees it without building anew.
const FOLDER: &str = "PRUSIK_SHADERS";

/// The text of a shader: the one in [`FOLDER`] if there is one, else the one compiled in.
fn edited(path: &str, compiled: &'static str) -> Cow<'static, str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    let text = folder.and_then(|folder| std::fs::read_to_string(folder.join(name)).ok());
    text.map_or(Cow::Borrowed(compiled), Cow::Owned)
}

/// Registers the shader texts under the handles above.
pub struct ShadersPlugin;

impl Plugin for ShadersPlugin {
    fn build(&self, app: &mut App) {
        let texts = [
            (
                HAIR,
                include_str!("../../shaders/hair.wgsl"),
                "shaders/hair.wgsl",
            ),
            (
                SOFT_SHADOW,
                include_str!("../../shaders/soft_shadow.wgsl"),
                "shaders/soft_shadow.wgsl",
            ),
            (
                STRAND,
                include_str!("../../shaders/strand.wgsl"),
                "shaders/strand.wgsl",
            ),
            (
                GLYPH,
                include_str!("../../shaders/glyph.wgsl"),
                "shaders/glyph.wgsl",
            ),
            (
                GROUND,
                include_str!("../../shaders/ground.wgsl"),
                "shaders/ground.wgsl",
            ),
            (
                BACKDROP,
                include_str!("../../shaders/backdrop.wgsl"),
                "shaders/backdrop.wgsl",
            ),
        ];
        let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
        for (handle, text, path) in texts {
            // Fails only for a handle of a dropped asset; these are constants.
            let _ = shaders.insert(&handle, Shader::from_wgsl(edited(path, text), path));
        }
    }
}
