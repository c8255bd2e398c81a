//! Planes with a grid for scale: the scene's half-spaces, or a faint grid below a scene that has none.

use bevy::asset::RenderAssetUsages;
use bevy::light::NotShadowCaster;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;

use super::shaders;
use super::shown::Shown;
use super::solids::OfScene;
use super::theme::Palette;

/// Makes the material of planes known.
pub struct GroundPlugin;

impl Plugin for GroundPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<GroundMaterial>::default());
    }
}

/// A matte plane with a grid, as `Ground` in `shaders/ground.wgsl`.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct GroundMaterial {
    #[uniform(0)]
    color: LinearRgba,
    #[uniform(0)]
    line_color: LinearRgba,
    #[uniform(0)]
    fade: Vec2,
    #[uniform(0)]
    cell: f32,
    #[uniform(0)]
    fill: f32,
}

impl Material for GroundMaterial {
    fn fragment_shader() -> ShaderRef {
        shaders::GROUND.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// One plane to draw.
pub struct Plane {
    place: Transform,
    material: GroundMaterial,
}

/// Distance of the fine grid lines, m: a power of ten, a few dozen of them across the scene.
pub fn cell_m(shown: &Shown) -> f32 {
    10f32.powf((shown.bounds.reach() / 4.0).log10().floor())
}

/// A half-space of the scene. A level one reaches to the horizon, a slope ends sooner, so that its tilt can be seen.
pub fn plane(shown: &Shown, place: Transform, color: [f32; 3], palette: &Palette) -> Plane {
    let reach = shown.bounds.reach() + shown.bounds.centre().distance(place.translation);
    let level = place.up().y > 0.999;
    let fade = if level {
        Vec2::new(1.5, 7.0) * reach
    } else {
        Vec2::new(4.0, 5.5) * reach
    };
    Plane {
        place,
        material: GroundMaterial {
            color: Color::srgb_from_array(color.map(|c| palette.planes * c)).to_linear(),
            line_color: palette.grid.to_linear(),
            fade,
            cell: cell_m(shown),
            fill: 1.0,
        },
    }
}

/// A faint grid below a scene without planes, only for scale.
pub fn floating_grid(shown: &Shown, palette: &Palette) -> Plane {
    let reach = shown.bounds.reach();
    let centre = shown.bounds.centre();
    let below = shown.bounds.low.y - 0.35 * reach;
    Plane {
        place: Transform::from_xyz(centre.x, below, centre.z),
        material: GroundMaterial {
            color: palette.floor.to_linear(),
            line_color: palette.grid.to_linear(),
            fade: Vec2::new(0.8, 4.5) * reach,
            cell: cell_m(shown),
            fill: 0.55,
        },
    }
}

/// Spawns a plane; `mark` tells which solid it is.
pub fn spawn(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    materials: &mut Assets<GroundMaterial>,
    plane: Plane,
    mark: impl Bundle,
) {
    commands.spawn((
        mark,
        OfScene,
        NotShadowCaster,
        Mesh3d(meshes.add(square(plane.material.fade.y))),
        MeshMaterial3d(materials.add(plane.material)),
        plane.place,
    ));
}

/// A square in y = 0 from −half to half, whose uv are its x and z in metres.
fn square(half: f32) -> Mesh {
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
    let corners = corners.map(|(x, z)| (x * half, z * half));
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(
        Mesh::ATTRIBUTE_POSITION,
        corners.map(|(x, z)| [x, 0.0, z]).to_vec(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; 4])
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, corners.map(|(x, z)| [x, z]).to_vec())
    .with_inserted_indices(Indices::U32(vec![0, 1, 2, 0, 2, 3]))
}
