//! The material of strands: Bevy's standard one, with our own vertex, fragment and shadow shaders.

use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, ShaderType};
use bevy::shader::ShaderRef;

use crate::app::colour::ColorMode;
use crate::app::shaders;

/// Bevy's standard material, drawn by our shader.
pub type StrandMaterial = ExtendedMaterial<StandardMaterial, StrandExtension>;

/// What our shader needs besides the standard material. Bindings below 100 belong to the standard material.
///
/// The buffers are the adapter's own, not Bevy's assets: an asset would be copied three times on its way.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct StrandExtension {
    /// The nodes of all strands, see [`super::nodes`].
    #[storage(100, read_only, buffer, visibility(all))]
    pub nodes: Buffer,
    /// One entry per strand, see [`super::table`].
    #[storage(101, read_only, buffer, visibility(all))]
    pub strands: Buffer,
    /// What all strands share.
    #[uniform(102, visibility(all))]
    pub style: StrandStyle,
}

/// Colours of the map that are handed to the shader; it mixes neighbours.
const STOPS: usize = 33;

/// What all strands share, as `Style` in the shader.
#[derive(ShaderType, Clone, Copy, Debug, PartialEq)]
pub struct StrandStyle {
    /// The colour map, from its low to its high end, linear RGB.
    map: [Vec4; STOPS],
    /// 0 draws the strands' own colours (those in a hand by the map about zero), 1 a map from zero up, 2 a map about zero.
    mapping: u32,
    /// Strength of the stripe along the material director, 0 to 1.
    stripe: f32,
}

impl StrandStyle {
    /// For a quantity, with or without the stripe that shows twist.
    pub fn new(mode: ColorMode, stripe: bool) -> Self {
        // In their own colours, strands that a hand holds are tinted by tension.
        let shown = match mode {
            ColorMode::Strand => ColorMode::Tension,
            mode => mode,
        };
        let low = if shown.signed() { -1.0 } else { 0.0 };
        let stop = |k: usize| {
            let value = low + (1.0 - low) * k as f32 / (STOPS - 1) as f32;
            Vec3::from(shown.color(value, 1.0)).extend(1.0)
        };
        Self {
            map: std::array::from_fn(stop),
            mapping: match mode {
                ColorMode::Strand => 0,
                mode if mode.signed() => 2,
                _ => 1,
            },
            stripe: f32::from(u8::from(stripe)),
        }
    }
}

impl MaterialExtension for StrandExtension {
    fn vertex_shader() -> ShaderRef {
        shaders::STRAND.into()
    }

    fn fragment_shader() -> ShaderRef {
        shaders::STRAND.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        // Shadow maps are drawn by the prepass.
        shaders::STRAND.into()
    }
}
