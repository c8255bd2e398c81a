//! Contacts, forces, friction cones, pins and clamps as small markers: one draw for all of them, and one for the cones,
//! which are see-through.
//!
//! As with strands, the mesh is only a template repeated many times (see [`mesh`]); what and where is in a storage
//! buffer (see [`list`]) that is written once per new state.

mod list;
mod material;
mod mesh;

use std::time::Instant;

use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::system::SystemParam;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::render_resource::encase::StorageBuffer;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages, ShaderType};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy_egui::EguiPostUpdateSet;

use super::action::ActionSystems;
use super::colour::fading;
use super::draw_cost::DrawCost;
use super::shown::{Look, Shown};
use super::uploads::Uploads;
use list::{GpuGlyph, write_glyphs};
pub use list::{OPEN_COLOR, SLIDE_COLOR, STICK_COLOR};
use material::{GlyphLook, GlyphMaterial};

/// Draws the contacts and holds of [`Shown`].
pub struct GlyphsPlugin;

impl Plugin for GlyphsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<GlyphMaterial>::default())
            .init_resource::<ForceScale>()
            .init_resource::<DrawCost>()
            .add_systems(Startup, spawn_glyphs)
            // As for strands, see there.
            .add_systems(
                PostUpdate,
                update_glyphs
                    .after(ActionSystems)
                    .before(EguiPostUpdateSet::EndPass),
            );
    }
}

/// The force that the longest arrow shows. It follows growth at once and shrinks slowly.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct ForceScale {
    /// In newtons.
    pub longest_n: f32,
}

/// One of the two entities that draw markers.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Glyphs {
    Solid,
    Cones,
}

impl Glyphs {
    /// Room for so many.
    fn mesh(self, count: usize) -> Mesh {
        match self {
            Glyphs::Solid => mesh::template_mesh(count),
            Glyphs::Cones => mesh::cone_mesh(count),
        }
    }
}

/// How many glyphs the mesh has room for at first; it doubles when they do not fit.
const FIRST_CAPACITY: usize = 256;

/// What was drawn last, and memory to write the next into.
#[derive(Default)]
struct Drawn {
    capacity: usize,
    cone_capacity: usize,
    snapshot_count: u64,
    look: Option<Look>,
    reveal: f32,
    glyphs: Vec<GpuGlyph>,
    bytes: Vec<u8>,
    buffer: Option<Buffer>,
}

fn buffer(device: &RenderDevice, glyphs: usize) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some("glyphs"),
        size: GpuGlyph::min_size().get() * glyphs.max(1) as u64,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn spawn_glyphs(mut commands: Commands, mut gpu: Gpu) {
    let empty = buffer(&gpu.device, 1);
    for kind in [Glyphs::Solid, Glyphs::Cones] {
        let material = GlyphMaterial {
            glyphs: empty.clone(),
            look: GlyphLook { reveal: 0.0 },
            clear: kind == Glyphs::Cones,
        };
        commands.spawn((
            kind,
            Mesh3d(gpu.meshes.add(kind.mesh(1))),
            MeshMaterial3d(gpu.materials.add(material)),
            NoFrustumCulling,
            NotShadowCaster,
            NotShadowReceiver,
            Transform::IDENTITY,
        ));
    }
}

/// What the graphics adapter holds for us.
#[derive(SystemParam)]
struct Gpu<'w> {
    cost: ResMut<'w, DrawCost>,
    device: Res<'w, RenderDevice>,
    queue: Res<'w, RenderQueue>,
    uploads: ResMut<'w, Uploads>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<GlyphMaterial>>,
}

fn update_glyphs(
    shown: Res<Shown>,
    look: Res<Look>,
    time: Res<Time<Real>>,
    mut scale: ResMut<ForceScale>,
    mut drawn: Local<Drawn>,
    mut entities: Query<(&Glyphs, &mut Mesh3d, &MeshMaterial3d<GlyphMaterial>)>,
    mut gpu: Gpu,
) {
    let lost = gpu.device.is_changed();
    if !lost && drawn.snapshot_count == shown.snapshot_count && drawn.look == Some(*look) {
        return;
    }
    let began = Instant::now();
    drawn.snapshot_count = shown.snapshot_count;
    drawn.look = Some(*look);
    let kept = scale.longest_n * fading(time.delta_secs());
    scale.longest_n = list::largest_force_n(&shown.snapshot).max(kept);
    write_glyphs(&mut drawn.glyphs, &shown, &look, scale.longest_n);

    let mut renewed = lost || drawn.buffer.is_none();
    if drawn.glyphs.len() > drawn.capacity || renewed {
        drawn.capacity = drawn.glyphs.len().next_power_of_two().max(FIRST_CAPACITY);
        drawn.buffer = Some(buffer(&gpu.device, drawn.capacity));
        renewed = true;
    }
    let cones = if look.cones { drawn.capacity } else { 1 };
    let reveal = 2.5 * shown.thinnest_radius_m();
    if renewed || cones != drawn.cone_capacity || reveal != drawn.reveal {
        (drawn.cone_capacity, drawn.reveal) = (cones, reveal);
        for (kind, mut mesh, material) in &mut entities {
            let count = match kind {
                Glyphs::Solid => drawn.capacity,
                Glyphs::Cones => cones,
            };
            mesh.0 = gpu.meshes.add(kind.mesh(count));
            // Touching the material makes Bevy bind the buffer anew.
            if let (Some(mut held), Some(buffer)) =
                (gpu.materials.get_mut(&material.0), &drawn.buffer)
            {
                held.look.reveal = reveal;
                held.glyphs = buffer.clone();
            }
        }
    }
    drawn.upload(&gpu.queue, &mut gpu.uploads);
    gpu.cost.glyphs = began.elapsed();
}

impl Drawn {
    /// Hands all markers to the adapter; those left over have no size and are not drawn.
    fn upload(&mut self, queue: &RenderQueue, uploads: &mut Uploads) {
        let capacity = self.capacity;
        self.glyphs.resize(capacity, GpuGlyph::default());
        self.bytes.clear();
        let mut bytes = StorageBuffer::new(&mut self.bytes);
        // Cannot fail: a vector grows as needed.
        let _ = bytes.write(&self.glyphs);
        if let Some(buffer) = &self.buffer
            && let Some(view) = uploads.begin(queue, buffer, self.bytes.len())
        {
            view.copy_from_slice(&self.bytes);
        }
    }
}
