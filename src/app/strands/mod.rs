//! Strands as tubes: one mesh, one material, one draw for all of them.
//!
//! | file | what it holds | written |
//! |---|---|---|
//! | [`mesh`] | which node, where along its edge, at which angle | when the number of nodes changes |
//! | [`table`] | one entry per strand: colour, section, look | when one of them changes |
//! | [`nodes`] | where the nodes are | for every state |
//! | [`material`] | the shader and what it binds | when the buffers change size, or the colours their meaning |

mod material;
mod mesh;
mod nodes;
mod table;

use std::time::Instant;

use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::system::SystemParam;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::render_resource::encase::StorageBuffer;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy_egui::EguiPostUpdateSet;

use super::action::ActionSystems;
use super::colour::{ColorMode, ColorRange, largest_pull};
use super::draw_cost::DrawCost;
use super::shown::{Look, Shown};
use super::uploads::Uploads;
use crate::world::Snapshot;
use material::{StrandExtension, StrandMaterial, StrandStyle};
use nodes::{NODE_BYTES, TAIL_BYTES};
use table::{GpuStrand, write_table};

/// Draws the strands of [`Shown`].
pub struct StrandsPlugin;

impl Plugin for StrandsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<StrandMaterial>::default())
            .init_resource::<ColorRange>()
            .init_resource::<DrawCost>()
            .add_systems(Startup, spawn_strands)
            // Another quantity has another range, in the key and on the strands in the same frame.
            .add_systems(
                PostUpdate,
                update_strands
                    .after(ActionSystems)
                    .before(EguiPostUpdateSet::EndPass),
            );
    }
}

/// The one entity that draws all strands.
#[derive(Component)]
struct Strands;

/// What the mesh and the buffers were last made from.
#[derive(Default)]
struct Drawn {
    /// Nodes of each strand, and whether it is a loop.
    counts: Vec<(u32, bool)>,
    /// Hairs of each strand.
    hairs: usize,
    lengths_m: Vec<f32>,
    table: Vec<GpuStrand>,
    next_table: Vec<GpuStrand>,
    scene_count: u64,
    snapshot_count: u64,
    look: Option<Look>,
}

/// What the graphics adapter holds for us.
#[derive(SystemParam)]
struct Gpu<'w> {
    cost: ResMut<'w, DrawCost>,
    device: Res<'w, RenderDevice>,
    queue: Res<'w, RenderQueue>,
    uploads: ResMut<'w, Uploads>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StrandMaterial>>,
}

impl Gpu<'_> {
    /// A buffer that shaders read and we write.
    fn buffer(&self, label: &'static str, bytes: usize) -> Buffer {
        self.device.create_buffer(&BufferDescriptor {
            label: Some(label),
            size: bytes as u64,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    /// At least two nodes, because a buffer may not be empty and an edge has two ends; at least one strand.
    fn buffers(&self, nodes: usize, strands: usize) -> [Buffer; 2] {
        let strand = GpuStrand::default();
        let entry = table_bytes(&vec![strand; strands.max(1)]).len();
        [
            self.buffer("nodes of strands", NODE_BYTES * nodes.max(2) + TAIL_BYTES),
            self.buffer("strands", entry),
        ]
    }

    /// Packs the nodes straight into memory that the adapter copies from: they are touched once. `limit` is told the largest
    /// size of what is shown, and says where the colour range ends.
    fn upload_nodes(
        &mut self,
        buffer: &Buffer,
        snapshot: &Snapshot,
        mode: ColorMode,
        limit: impl FnOnce(f32) -> f32,
    ) {
        let bytes = NODE_BYTES * snapshot.points.len() + TAIL_BYTES;
        let Some(view) = self.uploads.begin(&self.queue, buffer, bytes) else {
            return;
        };
        let (nodes, mut tail) = view.slice(..).into_chunks::<NODE_BYTES>();
        let mut places = nodes.into_iter();
        let largest = nodes::pack(&snapshot.points, mode, |node| {
            if let Some(place) = places.next() {
                place.write(node);
            }
        });
        tail.copy_from_slice(&nodes::tail(limit(largest)));
    }

    fn upload_table(&mut self, buffer: &Buffer, table: &[GpuStrand]) {
        let bytes = table_bytes(table);
        if let Some(view) = self.uploads.begin(&self.queue, buffer, bytes.len()) {
            view.copy_from_slice(&bytes);
        }
    }
}

fn table_bytes(table: &[GpuStrand]) -> Vec<u8> {
    let mut bytes = StorageBuffer::new(Vec::new());
    // Cannot fail: a vector grows as needed.
    let _ = bytes.write(&table);
    bytes.into_inner()
}

fn spawn_strands(mut commands: Commands, mut gpu: Gpu) {
    let [nodes, strands] = gpu.buffers(0, 0);
    let material = StrandMaterial {
        base: StandardMaterial {
            perceptual_roughness: 0.55,
            reflectance: 0.35,
            ..default()
        },
        extension: StrandExtension {
            nodes,
            strands,
            style: StrandStyle::new(Look::default().color_mode, true),
        },
    };
    let (mesh, _) = mesh::tube_mesh(&Snapshot::default(), 1);
    commands.spawn((
        Strands,
        Mesh3d(gpu.meshes.add(mesh)),
        MeshMaterial3d(gpu.materials.add(material)),
        // The mesh does not know where its tubes are; only the shader does.
        NoFrustumCulling,
        Transform::IDENTITY,
    ));
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
    let lost = gpu.device.is_changed();
    if !lost && drawn.snapshot_count == shown.snapshot_count && drawn.look == Some(*look) {
        return;
    }
    let began = Instant::now();
    drawn.snapshot_count = shown.snapshot_count;
    drawn.look = Some(*look);
    let (mut mesh, material) = strands.into_inner();
    let snapshot = &shown.snapshot;
    let resized = lost | drawn.remesh(&shown, &look, &mut mesh, &mut gpu);
    let Drawn {
        table,
        next_table,
        lengths_m,
        ..
    } = &mut *drawn;
    write_table(next_table, &shown, lengths_m, &look);
    renew_material(&material.0, snapshot, &look, resized, &mut gpu);
    let Some(held) = gpu.materials.get(&material.0) else {
        return;
    };
    let [nodes, strands] = [&held.extension.nodes, &held.extension.strands].map(Buffer::clone);
    if resized || table != next_table {
        gpu.upload_table(&strands, next_table);
        std::mem::swap(table, next_table);
    }
    gpu.upload_nodes(&nodes, snapshot, look.color_mode, |largest| {
        let largest = match look.color_mode {
            // Only strands in a hand are coloured by a number.
            ColorMode::Strand => largest_pull(snapshot),
            _ => largest,
        };
        range.follow(look.color_mode, largest, time.delta_secs());
        range.limit()
    });
    gpu.cost.strands = began.elapsed();
}

impl Drawn {
    /// Makes the mesh anew if strands came, went or changed their number of nodes; says whether they did.
    fn remesh(&mut self, shown: &Shown, look: &Look, mesh: &mut Mesh3d, gpu: &mut Gpu) -> bool {
        let strands = shown.snapshot.strands.iter();
        let counts = strands.map(|strand| (strand.count, strand.closed));
        let same = counts.clone().eq(self.counts.iter().copied());
        let hairs = table::hairs(&shown.scene, look);
        if same && self.scene_count == shown.scene_count && self.hairs == hairs {
            return false;
        }
        self.hairs = hairs;
        self.scene_count = shown.scene_count;
        self.counts.clear();
        self.counts.extend(counts);
        let (tubes, lengths_m) = mesh::tube_mesh(&shown.snapshot, hairs);
        mesh.0 = gpu.meshes.add(tubes);
        self.lengths_m = lengths_m;
        true
    }
}

/// Writing to the material makes Bevy bind anew, so it is done only when buffers or the meaning of colours changed.
fn renew_material(
    material: &Handle<StrandMaterial>,
    snapshot: &Snapshot,
    look: &Look,
    resized: bool,
    gpu: &mut Gpu,
) {
    let style = StrandStyle::new(look.color_mode, look.stripe);
    let held = gpu.materials.get(material);
    let restyled = held.is_some_and(|m| m.extension.style != style);
    if !resized && !restyled {
        return;
    }
    let buffers = resized.then(|| gpu.buffers(snapshot.points.len(), snapshot.strands.len()));
    let Some(mut material) = gpu.materials.get_mut(material) else {
        return;
    };
    material.extension.style = style;
    if let Some([nodes, strands]) = buffers {
        material.extension.nodes = nodes;
        material.extension.strands = strands;
    }
}
