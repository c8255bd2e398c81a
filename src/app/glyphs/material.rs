//! The material of glyphs: our own shader, no lights, no shadows.

use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::render::storage::ShaderBuffer;
use bevy::shader::ShaderRef;

use crate::app::shaders;

/// Draws markers from a buffer.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct GlyphMaterial {
    /// The markers.
    #[storage(0, read_only, visibility(all))]
    pub glyphs: Handle<ShaderBuffer>,
    /// What all markers share.
    #[uniform(1, visibility(all))]
    pub look: GlyphLook,
}

/// What all markers share.
#[derive(ShaderType, Clone, Copy, Debug)]
pub struct GlyphLook {
    /// How far towards the eye they are drawn, m.
    pub reveal: f32,
}

impl Material for GlyphMaterial {
    fn vertex_shader() -> ShaderRef {
        shaders::GLYPH.into()
    }

    fn fragment_shader() -> ShaderRef {
        shaders::GLYPH.into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}
