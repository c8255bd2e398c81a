//! The material of glyphs: our own shader, no lights, no shadows.

use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Buffer, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;

use crate::app::shaders;

/// Draws markers from a buffer.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct GlyphMaterial {
    /// The markers.
    #[storage(0, read_only, buffer, visibility(all))]
    pub glyphs: Buffer,
    /// What all markers share.
    #[uniform(1, visibility(all))]
    pub look: GlyphLook,
    /// Whether what lies behind shines through: for friction cones.
    pub clear: bool,
}

/// What all markers share, as `Look` in the shader.
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

    fn alpha_mode(&self) -> AlphaMode {
        if self.clear {
            AlphaMode::Blend
        } else {
            AlphaMode::Opaque
        }
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // One looks into cones from above.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}
