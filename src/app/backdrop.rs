//! The soft gradient behind everything.

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::PrimitiveTopology;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;

use super::{shaders, theme};

/// Draws the backdrop.
pub struct BackdropPlugin;

impl Plugin for BackdropPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<BackdropMaterial>::default())
            .insert_resource(ClearColor(theme::BACKDROP_BOTTOM))
            .add_systems(Startup, spawn_backdrop);
    }
}

#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
struct BackdropMaterial {
    #[uniform(0)]
    top: LinearRgba,
    #[uniform(0)]
    bottom: LinearRgba,
}

impl Material for BackdropMaterial {
    fn vertex_shader() -> ShaderRef {
        shaders::BACKDROP.into()
    }

    fn fragment_shader() -> ShaderRef {
        shaders::BACKDROP.into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

fn spawn_backdrop(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<BackdropMaterial>>,
) {
    // One triangle that covers the whole picture: no seam along a diagonal.
    let corners = vec![[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    commands.spawn((
        Mesh3d(meshes.add(mesh)),
        MeshMaterial3d(materials.add(BackdropMaterial {
            top: theme::BACKDROP_TOP.to_linear(),
            bottom: theme::BACKDROP_BOTTOM.to_linear(),
        })),
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
        Transform::IDENTITY,
    ));
}
