//! The soft gradient behind everything.

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::PrimitiveTopology;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;

use super::shaders;
use super::theme::Theme;

/// Draws the backdrop.
pub struct BackdropPlugin;

impl Plugin for BackdropPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<BackdropMaterial>::default())
            .add_systems(Startup, spawn_backdrop)
            .add_systems(Update, follow_theme.run_if(resource_changed::<Theme>));
        if !app.world().contains_resource::<Theme>() {
            // Pictures made without a window.
            app.insert_resource(Theme::Light);
        }
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
    theme: Res<Theme>,
) {
    let palette = theme.palette();
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
            top: palette.backdrop_top.to_linear(),
            bottom: palette.backdrop_bottom.to_linear(),
        })),
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
        Transform::IDENTITY,
    ));
}

fn follow_theme(
    theme: Res<Theme>,
    mut clear: ResMut<ClearColor>,
    mut materials: ResMut<Assets<BackdropMaterial>>,
) {
    let palette = theme.palette();
    clear.0 = palette.backdrop_bottom;
    for (_, material) in materials.iter_mut() {
        material.top = palette.backdrop_top.to_linear();
        material.bottom = palette.backdrop_bottom.to_linear();
    }
}
