//! Contacts, forces, pins and clamps as small markers: one mesh, one material, one draw for all of them.
//!
//! As with strands, the mesh is only a template repeated many times (see [`mesh`]); what and where is in a storage
//! buffer (see [`list`]) that is written once per new state.

mod list;
mod material;
mod mesh;

use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::system::SystemParam;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::storage::ShaderBuffer;

use super::colour::fading;
use super::shown::{Look, Shown};
use list::{GpuGlyph, glyphs_of};
pub use list::{SLIDE_COLOR, STICK_COLOR};
use material::{GlyphLook, GlyphMaterial};

/// Draws the contacts and holds of [`Shown`].
pub struct GlyphsPlugin;

impl Plugin for GlyphsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<GlyphMaterial>::default())
            .init_resource::<ForceScale>()
            .add_systems(Startup, spawn_glyphs)
            .add_systems(PostUpdate, update_glyphs);
    }
}

/// The force that the longest arrow shows. It follows growth at once and shrinks slowly.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct ForceScale {
    /// In newtons.
    pub longest_n: f32,
}

#[derive(Component)]
struct Glyphs;

/// How many glyphs the mesh has room for at first; it doubles when they do not fit.
const FIRST_CAPACITY: usize = 256;

#[derive(Default)]
struct Drawn {
    capacity: usize,
    snapshot_count: u64,
    look: Option<Look>,
}

fn spawn_glyphs(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut buffers: ResMut<Assets<ShaderBuffer>>,
    mut materials: ResMut<Assets<GlyphMaterial>>,
) {
    let empty = vec![GpuGlyph::default(); 1];
    let material = GlyphMaterial {
        glyphs: buffers.add(ShaderBuffer::from(empty)),
        look: GlyphLook { reveal: 0.0 },
    };
    commands.spawn((
        Glyphs,
        Mesh3d(meshes.add(mesh::template_mesh(1))),
        MeshMaterial3d(materials.add(material)),
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
        Transform::IDENTITY,
    ));
}

/// What the graphics adapter holds for us.
#[derive(SystemParam)]
struct Gpu<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<GlyphMaterial>>,
    buffers: ResMut<'w, Assets<ShaderBuffer>>,
}

fn update_glyphs(
    shown: Res<Shown>,
    look: Res<Look>,
    time: Res<Time<Real>>,
    mut scale: ResMut<ForceScale>,
    mut drawn: Local<Drawn>,
    entity: Single<(&mut Mesh3d, &MeshMaterial3d<GlyphMaterial>), With<Glyphs>>,
    mut gpu: Gpu,
) {
    if drawn.snapshot_count == shown.snapshot_count && drawn.look == Some(*look) {
        return;
    }
    drawn.snapshot_count = shown.snapshot_count;
    drawn.look = Some(*look);
    let (mut mesh, material) = entity.into_inner();
    let kept = scale.longest_n * fading(time.delta_secs());
    scale.longest_n = list::largest_force_n(&shown.snapshot).max(kept);
    let mut glyphs = glyphs_of(&shown, &look, scale.longest_n);

    let resized = glyphs.len() > drawn.capacity;
    if resized {
        drawn.capacity = glyphs.len().next_power_of_two().max(FIRST_CAPACITY);
        mesh.0 = gpu.meshes.add(mesh::template_mesh(drawn.capacity));
    }
    glyphs.resize(drawn.capacity.max(1), GpuGlyph::default());
    let reveal = 2.5 * shown.thinnest_radius_m();
    let stale = gpu
        .materials
        .get(&material.0)
        .is_some_and(|m| m.look.reveal != reveal);
    // Touching the material makes Bevy bind the buffer anew, needed only when its size changed.
    if (resized || stale)
        && let Some(mut material) = gpu.materials.get_mut(&material.0)
    {
        material.look.reveal = reveal;
    }
    let handle = gpu.materials.get(&material.0).map(|m| m.glyphs.clone());
    if let Some(mut buffer) = handle.and_then(|handle| gpu.buffers.get_mut(&handle)) {
        buffer.set_data(glyphs);
    }
}
