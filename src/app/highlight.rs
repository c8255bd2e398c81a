//! Marks for hands: a ring about the strand under the pointer, one about a pin, the outline of a solid, and the gizmo of what
//! is selected.

use bevy::gizmos::config::{DefaultGizmoConfigGroup, GizmoConfigGroup, GizmoConfigStore};
use bevy::prelude::*;

use super::dragging::{Dragging, DraggingSystems};
use super::gizmo::{Gizmo, Handle, RING_CORNERS, axis};
use super::picking::{Eye, Target, middle_pixel_m};
use super::shown::Shown;
use crate::geometry::Shape;

/// Arrows and rings along x, y, z, sRGB: Okabe and Ito's vermillion, green and sky blue.
const AXIS_COLORS: [[u8; 3]; 3] = [[230, 80, 20], [0, 175, 125], [70, 165, 240]];
/// What is pointed at, sRGB.
const HOT_COLOR: [u8; 3] = [255, 240, 120];
/// A mark is at least so wide on the screen, pixels.
const LEAST_PX: f32 = 7.0;

/// Draws the marks.
pub struct HighlightPlugin;

impl Plugin for HighlightPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<HandMarks>()
            .add_systems(Startup, set_up)
            .add_systems(Update, (mark_hovered, draw_gizmo).after(DraggingSystems));
    }
}

/// Lines over everything else.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct HandMarks;

fn set_up(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<HandMarks>();
    // Before all else; at −1 rounding puts lines far away a hair before the near plane, and they are cut to dashes.
    config.depth_bias = -0.9;
    config.line.width = 3.0;
    // Nothing else draws with Bevy's own.
    store.config_mut::<DefaultGizmoConfigGroup>().0.enabled = false;
}

fn color([r, g, b]: [u8; 3]) -> Color {
    Color::srgb_u8(r, g, b)
}

fn mark_hovered(
    dragging: Res<Dragging>,
    shown: Res<Shown>,
    camera: Eye,
    mut gizmos: Gizmos<HandMarks>,
) {
    let (Some(hovered), Some(pixel)) = (&dragging.hovered, middle_pixel_m(camera.0, camera.1))
    else {
        return;
    };
    let eye = camera.1.translation();
    let least = |place: Vec3| LEAST_PX * pixel * eye.distance(place);
    match hovered {
        Target::Strand(pick) if pick.fixed => {}
        Target::Strand(pick) => {
            let turn = Quat::from_rotation_arc(Vec3::Z, pick.tangent);
            let radius = (1.35 * pick.radius).max(least(pick.centre));
            gizmos.circle(Isometry3d::new(pick.centre, turn), radius, color(HOT_COLOR));
        }
        Target::Hold(hold) => {
            let place = Vec3::from(hold.position);
            let turn = Quat::from_rotation_arc(Vec3::Z, (eye - place).normalize_or(Vec3::Z));
            let radius = 1.8 * least(place);
            gizmos.circle(Isometry3d::new(place, turn), radius, color(HOT_COLOR));
        }
        Target::Solid(pick) => {
            outline(&mut gizmos, &shown, pick.solid, eye);
            let turn =
                Quat::from_rotation_arc(Vec3::Z, (eye - pick.position).normalize_or(Vec3::Z));
            let at = Isometry3d::new(pick.position, turn);
            gizmos.circle(at, least(pick.position), color(HOT_COLOR));
        }
    }
}

/// The edges of a solid, or of a ball its rim as it is seen. A mesh has too many.
fn outline(gizmos: &mut Gizmos<HandMarks>, shown: &Shown, solid: usize, eye: Vec3) {
    let spec = shown.scene.spec.solids.get(solid);
    let (Some(spec), Some(pose)) = (spec, shown.snapshot.solids.get(solid)) else {
        return;
    };
    let place = Vec3::from(pose.position);
    let at = Isometry3d::new(place, Quat::from_array(pose.rotation));
    let tint = color(HOT_COLOR).with_alpha(0.7);
    match spec.shape {
        Shape::Sphere { radius_m } => {
            let (towards, r) = (eye - place, radius_m as f32);
            // The rim lies a little nearer than the middle, and is a little smaller.
            let sine = (r / towards.length()).min(1.0);
            let rim = place + towards.normalize_or(Vec3::Z) * (r * sine);
            let turn = Quat::from_rotation_arc(Vec3::Z, towards.normalize_or(Vec3::Z));
            let radius = r * (1.0 - sine * sine).sqrt();
            gizmos
                .circle(Isometry3d::new(rim, turn), radius, tint)
                .resolution(64);
        }
        Shape::Box { half_extents_m } => {
            let size = 2.0 * Vec3::from(half_extents_m.map(|half| half as f32));
            gizmos.primitive_3d(&Cuboid::from_size(size), at, tint);
        }
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => {
            let shape = Capsule3d::new(radius_m as f32, 2.0 * half_length_m as f32);
            gizmos.primitive_3d(&shape, at, tint);
        }
        Shape::Cylinder {
            radius_m,
            half_length_m,
        } => {
            let shape = Cylinder::new(radius_m as f32, 2.0 * half_length_m as f32);
            gizmos.primitive_3d(&shape, at, tint);
        }
        Shape::Plane | Shape::Mesh(_) => {}
    }
}

fn draw_gizmo(
    dragging: Res<Dragging>,
    shown: Res<Shown>,
    camera: Eye,
    mut gizmos: Gizmos<HandMarks>,
) {
    let Some(pixel) = middle_pixel_m(camera.0, camera.1) else {
        return;
    };
    let eye = camera.1.translation();
    let thing = dragging.selected;
    let Some(gizmo) = thing.and_then(|thing| Gizmo::of(&shown.snapshot, thing, eye, pixel)) else {
        return;
    };
    let tint = |handle: Handle, index: usize| match dragging.hot == Some(handle) {
        true => color(HOT_COLOR),
        false => color(AXIS_COLORS[index]),
    };
    for index in 0..3 {
        let [foot, tip] = gizmo.arrow(index);
        gizmos
            .arrow(foot, tip, tint(Handle::Arrow(index), index))
            .with_tip_length(0.18 * gizmo.arm_m);
        if gizmo.turns {
            draw_ring(
                &mut gizmos,
                &gizmo,
                index,
                eye,
                tint(Handle::Ring(index), index),
            );
        }
    }
}

/// A ring; the half behind the thing is fainter.
fn draw_ring(gizmos: &mut Gizmos<HandMarks>, gizmo: &Gizmo, index: usize, eye: Vec3, tint: Color) {
    let towards = (eye - gizmo.centre).reject_from(axis(index));
    for corner in 0..RING_CORNERS {
        let [from, to] = [corner, corner + 1].map(|k| gizmo.ring(index, k));
        let front = (from - gizmo.centre).dot(towards) > -0.05 * gizmo.arm_m * towards.length();
        let shade = if front { 1.0 } else { 0.25 };
        gizmos.line(from, to, tint.with_alpha(shade));
    }
}
