//! The material of strands: Bevy's standard one, with our own vertex, fragment and shadow shaders.

use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::render::storage::ShaderBuffer;
use bevy::shader::ShaderRef;

use crate::app::shaders;

/// Bevy's standard material, drawn by our shader.
pub type StrandMaterial = ExtendedMaterial<StandardMaterial, StrandExtension>;

/// What our shader needs besides the standard material. Bindings below 100 belong to the standard material.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct StrandExtension {
    /// The nodes of all strands.
    #[storage(100, read_only, visibility(all))]
    pub points: Handle<ShaderBuffer>,
    /// How much of the rope's texture is drawn.
    #[uniform(101, visibility(all))]
    pub style: StrandStyle,
}

/// How much of the rope's texture is drawn, each 0 to 1.
#[derive(ShaderType, Clone, Copy, Debug)]
pub struct StrandStyle {
    /// Relief of the plies.
    pub ply: f32,
    /// The stripe along the material director.
    pub stripe: f32,
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
