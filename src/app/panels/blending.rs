//! Half-transparent colours of panels, blended right.
//!
//! egui's colours are sRGB, multiplied by their opacity beforehand. The picture holds light, in which they are blended;
//! bevy_egui turns the product into light as if it were a colour, so all that is half transparent comes out too dark:
//! edges of bright buttons, shadows, faint text. Here its shader learns to turn the colour into light first.

use bevy::prelude::*;
use bevy::shader::Source;
use bevy_egui::render::EGUI_SHADER_HANDLE;

/// What the shader returns.
const DARKENS: &str = "return vec4<f32>(linear_from_gamma_rgb(color_gamma.rgb), color_gamma.a);";
/// What it should return.
const BLENDS: &str = "let opacity = color_gamma.a;
    let straight = min(color_gamma.rgb / max(opacity, 1e-4), vec3<f32>(1.0));
    // Light without opacity, which is added to what is there, stays as it is.
    let added = linear_from_gamma_rgb(color_gamma.rgb);
    let light = select(linear_from_gamma_rgb(straight) * opacity, added, opacity < 1e-4);
    return vec4<f32>(light, opacity);";

/// The shader of the panels, mended; none if it is another than the one we know, and then best left alone.
fn mended(shader: &str) -> Option<String> {
    shader
        .contains(DARKENS)
        .then(|| shader.replace(DARKENS, BLENDS))
}

/// Takes the place of the shader of the panels.
pub fn mend_shader(mut shaders: ResMut<Assets<Shader>>) {
    let Some(shader) = shaders.get(&EGUI_SHADER_HANDLE) else {
        return;
    };
    let Source::Wgsl(text) = &shader.source else {
        return;
    };
    let Some(text) = mended(text) else {
        warn!(
            "the shader of panels is not the one that is known: what is half transparent may be too dark"
        );
        return;
    };
    let path = shader.path.clone();
    // Fails only for a handle of a dropped asset; this is a constant.
    let _ = shaders.insert(&EGUI_SHADER_HANDLE, Shader::from_wgsl(text, path));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_known_shader_is_touched() {
        let known = format!("fn fs_main() {{ {DARKENS} }}");
        let text = mended(&known).expect("known");
        assert!(text.contains("straight") && !text.contains(DARKENS));
        assert_eq!(mended("fn fs_main() {}"), None);
    }
}
