//! Solids as Bevy meshes, moved by the snapshot. Planes are drawn by [`super::ground`].

use bevy::asset::RenderAssetUsages;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use nalgebra::{Point3, Vector3};

use super::ground::{self, GroundMaterial};
use super::shown::Shown;
use super::theme::Theme;
use crate::geometry::Shape;
use crate::world::{SolidPose, SolidSpec};

/// A mesh looks smooth where its triangles are within about twice this of each other, and edged elsewhere.
const CREASE_RAD: f64 = 0.45;

/// Draws the solids of [`Shown`].
pub struct SolidsPlugin;

impl Plugin for SolidsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, (respawn_solids, move_solids).chain());
    }
}

/// Drawn for the scene's solid with this index.
#[derive(Component)]
struct Solid(usize);

/// Belongs to the present scene, goes with it.
#[derive(Component)]
pub struct OfScene;

fn respawn_solids(
    mut commands: Commands,
    (shown, theme): (Res<Shown>, Res<Theme>),
    mut drawn: Local<Option<(u64, Theme)>>,
    old: Query<Entity, With<OfScene>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut grounds: ResMut<Assets<GroundMaterial>>,
) {
    let wanted = Some((shown.scene_count, *theme));
    if *drawn == wanted {
        return;
    }
    *drawn = wanted;
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let solids = &shown.scene.spec.solids;
    for (index, solid) in solids.iter().enumerate() {
        let place = start_transform(solid);
        let Some(mesh) = mesh_of(&solid.shape) else {
            let look = ground::plane(&shown, place, solid.color, theme.palette());
            ground::spawn(&mut commands, &mut meshes, &mut grounds, look, Solid(index));
            continue;
        };
        commands.spawn((
            Solid(index),
            OfScene,
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(materials.add(StandardMaterial {
                base_color: Color::srgb_from_array(solid.color),
                perceptual_roughness: 0.6,
                reflectance: 0.35,
                ..default()
            })),
            place,
        ));
    }
    if !solids.iter().any(|solid| solid.shape == Shape::Plane) {
        let look = ground::floating_grid(&shown, theme.palette());
        ground::spawn(&mut commands, &mut meshes, &mut grounds, look, ());
    }
}

fn move_solids(shown: Res<Shown>, mut solids: Query<(&Solid, &mut Transform)>) {
    for (solid, mut transform) in &mut solids {
        if let Some(pose) = shown.snapshot.solids.get(solid.0) {
            let moved = transform_of(pose);
            if *transform != moved {
                *transform = moved;
            }
        }
    }
}

fn transform_of(pose: &SolidPose) -> Transform {
    Transform {
        translation: pose.position.into(),
        rotation: Quat::from_array(pose.rotation),
        scale: Vec3::ONE,
    }
}

fn start_transform(solid: &SolidSpec) -> Transform {
    let place = &solid.world_from_body;
    let position = place.translation.vector.map(|x| x as f32);
    let rotation = place.rotation.coords.map(|x| x as f32);
    transform_of(&SolidPose {
        position: position.into(),
        rotation: rotation.into(),
        led: false,
        free: false,
        speed: 0.0,
        spin: [0.0; 3],
    })
}

/// The mesh of a finite shape; none for a plane.
fn mesh_of(shape: &Shape) -> Option<Mesh> {
    let mesh = match *shape {
        Shape::Plane => return None,
        Shape::Sphere { radius_m } => Sphere::new(radius_m as f32).mesh().uv(64, 36),
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => Capsule3d::new(radius_m as f32, 2.0 * half_length_m as f32)
            .mesh()
            .longitudes(48)
            .latitudes(24)
            .build(),
        Shape::Box {
            half_extents_m: [x, y, z],
        } => Cuboid::new(2.0 * x as f32, 2.0 * y as f32, 2.0 * z as f32).into(),
        Shape::Cylinder {
            radius_m,
            half_length_m,
        } => Cylinder::new(radius_m as f32, 2.0 * half_length_m as f32)
            .mesh()
            .resolution(64)
            .build(),
        Shape::Mesh(ref mesh) => of_corners(mesh.drawn(CREASE_RAD)),
    };
    Some(mesh)
}

/// Triangles from their corners and normals.
fn of_corners(corners: impl Iterator<Item = (Point3<f64>, Vector3<f64>)>) -> Mesh {
    let single = |x: Vector3<f64>| <[f32; 3]>::from(x.map(|x| x as f32));
    let (places, normals): (Vec<[f32; 3]>, Vec<[f32; 3]>) = corners
        .map(|(place, normal)| (single(place.coords), single(normal)))
        .unzip();
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
}
