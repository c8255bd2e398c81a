//! The solid under a ray.

use bevy::prelude::*;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};

use super::PickRay;
use crate::app::shown::Shown;
use crate::geometry::Shape;
use crate::world::SolidPose;

/// A solid under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidPick {
    /// Its index in the scene.
    pub solid: usize,
    /// The place of its surface that is hit, m.
    pub position: Vec3,
    /// How far along the ray, m.
    pub depth: f32,
    /// Whether a hand may take it: the ground only hides what is behind it.
    pub movable: bool,
}

/// The frontmost solid that the ray hits.
pub fn pick_solid(shown: &Shown, ray: &PickRay) -> Option<SolidPick> {
    let exact = ray.exact();
    let solids = shown.scene.spec.solids.iter().zip(&shown.snapshot.solids);
    let hits = solids.enumerate().filter_map(|(index, (solid, pose))| {
        let depth = exact.enters(&solid.shape, &isometry_of(pose))? as f32;
        Some(SolidPick {
            solid: index,
            position: ray.origin + depth * ray.direction,
            depth,
            movable: solid.shape != Shape::Plane,
        })
    });
    hits.min_by(|a, b| a.depth.total_cmp(&b.depth))
}

/// The pose of a solid in double precision.
pub fn isometry_of(pose: &SolidPose) -> Isometry3<f64> {
    isometry(pose.position, pose.rotation)
}

/// A pose from its parts.
pub fn isometry(position: [f32; 3], rotation: [f32; 4]) -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::from(Vector3::from(position.map(f64::from))),
        UnitQuaternion::from_quaternion(Quaternion::from(rotation.map(f64::from))),
    )
}
