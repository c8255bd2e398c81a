//! Strands as tubes: one mesh, one material, one draw for all of them.
//!
//! The mesh holds no positions, only which node, where along its edge, and at which angle (see [`mesh`]); the nodes
//! are in a storage buffer (see [`buffer`]) that is written once per new state; the vertex shader does the rest.

mod buffer;
mod material;
mod mesh;

use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::system::SystemParam;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::storage::ShaderBuffer;

use super::colour::ColorRange;
use super::shown::{Look, Shown};
use buffer::pack_points;
use material::{StrandExtension, StrandMaterial, StrandStyle};

/// Draws the strands of [`Shown`].
pub struct StrandsPlugin;

impl Plugin for StrandsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<StrandMaterial>::default())
            .init_resource::<ColorRange>()
            .add_systems(Startup, spawn_strands)
            .add_systems(PostUpdate, update_strands);
    }
}

/// The one entity that draws all strands.
#[derive(Component)]
struct Strands;

/// What the mesh and the buffer were last made from.
#[derive(Default)]
struct Drawn {
    /// Nodes of each strand, and whether it is a loop.
    counts: Vec<(u32, bool)>,
    snapshot_count: u64,
    look: Option<Look>,
}

fn spawn_strands(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut buffers: ResMut<Assets<ShaderBuffer>>,
    mut materials: ResMut<Assets<StrandMaterial>>,
) {
    let points = buffers.add(ShaderBuffer::from(pack_points(
        &Default::default(),
        Default::default(),
        0.0,
    )));
    let material = StrandMaterial {
        base: StandardMaterial {
            perceptual_roughness: 0.55,
            reflectance: 0.35,
            ..default()
        },
        extension: StrandExtension {
            points,
            style: StrandStyle {
                ply: 1.0,
                stripe: 1.0,
            },
        },
    };
    commands.spawn((
        Strands,
        Mesh3d(meshes.add(mesh::tube_mesh(&[]))),
        MeshMaterial3d(materials.add(material)),
        // The mesh does not know where its tubes are; only the shader does.
        NoFrustumCulling,
        Transform::IDENTITY,
    ));
}

/// What the graphics adapter holds for us.
#[derive(SystemParam)]
struct Gpu<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StrandMaterial>>,
    buffers: ResMut<'w, Assets<ShaderBuffer>>,
}

fn update_strands(
    shown: Res<Shown>,
    look: Res<Look>,
    time: Res<Time<Real>>,
    mut range: ResMut<ColorRange>,
    mut drawn: Local<Drawn>,
    strands: Single<(&mut Mesh3d, &MeshMaterial3d<StrandMaterial>), With<Strands>>,
    mut gpu: Gpu,
) {
    if drawn.snapshot_count == shown.snapshot_count && drawn.look == Some(*look) {
        return;
    }
    drawn.snapshot_count = shown.snapshot_count;
    drawn.look = Some(*look);
    let (mut mesh, material) = strands.into_inner();
    let snapshot = &shown.snapshot;
    range.follow(look.color_mode, snapshot, time.delta_secs());

    let strands = snapshot.strands.iter();
    let counts = strands.map(|strand| (strand.count, strand.closed));
    let resized = !counts.clone().eq(drawn.counts.iter().copied());
    if resized {
        drawn.counts = counts.collect();
        mesh.0 = gpu.meshes.add(mesh::tube_mesh(&snapshot.strands));
    }
    // Writing to the material makes Bevy bind the buffer anew, needed only when its size changed. A look through
    // `get_mut` alone would not count as writing.
    let points = if resized {
        gpu.materials
            .get_mut(&material.0)
            .map(|m| m.into_inner().extension.points.clone())
    } else {
        gpu.materials
            .get(&material.0)
            .map(|m| m.extension.points.clone())
    };
    if let Some(mut buffer) = points.and_then(|points| gpu.buffers.get_mut(&points)) {
        buffer.set_data(pack_points(snapshot, look.color_mode, range.limit()));
    }
}
