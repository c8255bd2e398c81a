//! The gizmo of a clamp, pin or solid that was clicked: three arrows to move it along the axes, and three rings to turn
//! it about them.
//!
//! Bevy's own moves an entity's transform in one mode at a time and knows nothing of panels; ours asks the solver to
//! move the thing, which it does at its own speed.

use bevy::prelude::*;
use nalgebra::Isometry3;

use super::picking::{PickRay, closest_on_ray_and_segment, isometry};
use crate::world::{Edit, HoldKind, Snapshot};

/// Length of an arrow, pixels.
const ARM_PX: f32 = 95.0;
/// Where an arrow begins, as a share of its length: the middle is the thing itself.
const ARM_FROM: f32 = 0.3;
/// Radius of a ring, as a share of an arrow.
const RING: f32 = 0.78;
/// How many pixels beside a handle still count.
const REACH_PX: f32 = 8.0;
/// Corners of a ring.
pub const RING_CORNERS: usize = 48;
/// Rings are turned in their own plane, unless the eye looks along it.
const FACING: f32 = 0.2;

/// Something that a gizmo moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// The solid with this index.
    Solid(usize),
    /// The hold with this number.
    Hold(u32),
}

/// A part of the gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// The arrow along an axis.
    Arrow(usize),
    /// The ring about an axis.
    Ring(usize),
}

/// A gizmo as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gizmo {
    /// Where it is, m.
    pub centre: Vec3,
    /// Length of an arrow, m.
    pub arm_m: f32,
    /// Whether there are rings: a pin does not turn.
    pub turns: bool,
}

/// The axis with this number.
pub fn axis(index: usize) -> Vec3 {
    Vec3::AXES[index % 3]
}

/// Where a thing is and how it stands; none if it is gone.
pub fn pose_of(snapshot: &Snapshot, thing: Thing) -> Option<Isometry3<f64>> {
    match thing {
        Thing::Solid(index) => {
            let pose = snapshot.solids.get(index)?;
            Some(isometry(pose.position, pose.rotation))
        }
        Thing::Hold(id) => {
            let hold = snapshot.holds.iter().find(|hold| hold.id == id)?;
            Some(isometry(hold.position, hold.rotation))
        }
    }
}

/// What moves a thing to a pose.
pub fn edit_to(thing: Thing, pose: Isometry3<f64>) -> Edit {
    match thing {
        Thing::Solid(solid) => Edit::MoveSolid { solid, pose },
        Thing::Hold(id) => Edit::MoveHold { id, pose },
    }
}

impl Gizmo {
    /// The gizmo of a thing, always as large on the screen; `pixel_m` is the width of a pixel one metre away.
    pub fn of(snapshot: &Snapshot, thing: Thing, eye: Vec3, pixel_m: f32) -> Option<Self> {
        let centre = pose_of(snapshot, thing)?.translation.vector;
        let centre = Vec3::new(centre.x as f32, centre.y as f32, centre.z as f32);
        let pinned = |id: u32| {
            let hold = snapshot.holds.iter().find(|hold| hold.id == id);
            hold.is_some_and(|hold| hold.kind != HoldKind::Clamp)
        };
        Some(Self {
            centre,
            arm_m: ARM_PX * pixel_m * eye.distance(centre),
            turns: !matches!(thing, Thing::Hold(id) if pinned(id)),
        })
    }

    /// Foot and tip of an arrow, m.
    pub fn arrow(&self, index: usize) -> [Vec3; 2] {
        [ARM_FROM, 1.0].map(|share| self.centre + axis(index) * (share * self.arm_m))
    }

    /// A corner of a ring, m.
    pub fn ring(&self, index: usize, corner: usize) -> Vec3 {
        let angle = std::f32::consts::TAU * corner as f32 / RING_CORNERS as f32;
        let (u, v) = (axis(index + 1), axis(index + 2));
        self.centre + (u * angle.cos() + v * angle.sin()) * (RING * self.arm_m)
    }

    /// The handle under a ray.
    pub fn pick(&self, ray: &PickRay) -> Option<Handle> {
        let miss = |[a, b]: [Vec3; 2]| {
            let (depth, s) = closest_on_ray_and_segment(ray, a, b);
            let apart = (ray.origin + depth * ray.direction).distance(a.lerp(b, s));
            apart / (ray.pixel_m * depth.max(1e-6))
        };
        let around = |index: usize| {
            let sides = (0..RING_CORNERS).map(|k| [k, k + 1].map(|k| self.ring(index, k)));
            sides.map(miss).fold(f32::INFINITY, f32::min)
        };
        let arrows = (0..3).map(|k| (Handle::Arrow(k), miss(self.arrow(k))));
        let rings = (0..3)
            .filter(|_| self.turns)
            .map(|k| (Handle::Ring(k), around(k)));
        let all = arrows.chain(rings).filter(|(_, px)| *px <= REACH_PX);
        all.min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(handle, _)| handle)
    }
}

/// A handle that is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandleDrag {
    /// What is moved.
    pub thing: Thing,
    /// By which handle.
    pub handle: Handle,
    centre: Vec3,
    start: Isometry3<f64>,
    /// Where on the handle the pointer was: metres along the arrow, radians around the ring.
    last: f32,
    /// By how much it has moved since.
    moved: f32,
    /// From a place on the ring, how far along it a radian is, for rings seen from the side.
    tangent: Vec3,
    grip: Vec3,
}

impl HandleDrag {
    /// Takes a handle.
    pub fn new(
        thing: Thing,
        handle: Handle,
        gizmo: &Gizmo,
        start: Isometry3<f64>,
        ray: &PickRay,
    ) -> Self {
        let mut drag = Self {
            thing,
            handle,
            centre: gizmo.centre,
            start,
            last: 0.0,
            moved: 0.0,
            tangent: Vec3::ZERO,
            grip: gizmo.centre,
        };
        if let Handle::Ring(index) = handle {
            let nearest = (0..RING_CORNERS).min_by(|&i, &j| {
                let miss = |k| (gizmo.ring(index, k) - ray.origin).reject_from(ray.direction);
                let depth = |k: usize| gizmo.ring(index, k).distance_squared(ray.origin);
                let score = |k| miss(k).length_squared() + 1e-6 * depth(k);
                score(i).total_cmp(&score(j))
            });
            drag.grip = gizmo.ring(index, nearest.unwrap_or(0));
            drag.tangent = axis(index).cross(drag.grip - gizmo.centre);
        }
        drag.last = drag.place(ray).unwrap_or(0.0);
        drag
    }

    /// Where on the handle a ray is.
    fn place(&self, ray: &PickRay) -> Option<f32> {
        match self.handle {
            Handle::Arrow(index) => {
                let far = 1e3 * axis(index);
                let line = [self.centre - far, self.centre + far];
                let (_, s) = closest_on_ray_and_segment(ray, line[0], line[1]);
                let along = (2.0 * s - 1.0) * 1e3;
                // Along the arrow itself there is no telling.
                (axis(index).cross(ray.direction).length() > 0.05).then_some(along)
            }
            Handle::Ring(index) if ray.direction.dot(axis(index)).abs() > FACING => {
                let rate = ray.direction.dot(axis(index));
                let depth = (self.centre - ray.origin).dot(axis(index)) / rate;
                let at = ray.origin + depth * ray.direction - self.centre;
                let (u, v) = (axis(index + 1), axis(index + 2));
                (depth > 0.0).then(|| at.dot(v).atan2(at.dot(u)))
            }
            Handle::Ring(_) => {
                let depth = (self.grip - ray.origin).dot(ray.direction);
                let way = ray.origin + depth * ray.direction - self.grip;
                Some(way.dot(self.tangent) / self.tangent.length_squared().max(1e-12))
            }
        }
    }

    /// Follows the ray; the pose that is asked for.
    pub fn follow(&mut self, ray: &PickRay) -> Isometry3<f64> {
        if let Some(now) = self.place(ray) {
            let mut change = now - self.last;
            if matches!(self.handle, Handle::Ring(_)) {
                // The short way around.
                let around = std::f32::consts::TAU;
                change -= around * (change / around).round();
            }
            self.last = now;
            self.moved += change;
        }
        let mut pose = self.start;
        match self.handle {
            Handle::Arrow(index) => pose.translation.vector[index] += f64::from(self.moved),
            Handle::Ring(index) => {
                let mut turn = nalgebra::Vector3::zeros();
                turn[index] = f64::from(self.moved);
                pose.rotation =
                    nalgebra::UnitQuaternion::from_scaled_axis(turn) * self.start.rotation;
            }
        }
        pose
    }
}

#[cfg(test)]
mod tests {
    use super::super::picking::tests::ray;
    use super::*;

    fn gizmo() -> Gizmo {
        Gizmo {
            centre: Vec3::new(0.1, 0.2, 0.0),
            arm_m: 0.1,
            turns: true,
        }
    }

    fn towards(place: Vec3) -> PickRay {
        ray([0.7, 0.9, 1.5], place.into())
    }

    fn start() -> Isometry3<f64> {
        Isometry3::translation(0.1, 0.2, 0.0)
    }

    #[test]
    fn every_handle_can_be_picked() {
        let gizmo = gizmo();
        for index in 0..3 {
            let [foot, tip] = gizmo.arrow(index);
            let picked = gizmo.pick(&towards(foot.lerp(tip, 0.9)));
            assert_eq!(picked, Some(Handle::Arrow(index)));
            let picked = gizmo.pick(&towards(gizmo.ring(index, 5)));
            assert_eq!(picked, Some(Handle::Ring(index)));
        }
        assert_eq!(gizmo.pick(&towards(Vec3::splat(0.6))), None);
        let pin = Gizmo {
            turns: false,
            ..gizmo
        };
        assert_eq!(pin.pick(&towards(pin.ring(0, 5))), None);
    }

    #[test]
    fn an_arrow_moves_along_its_axis_only_and_under_the_pointer() {
        for index in 0..3 {
            let (gizmo, thing) = (gizmo(), Thing::Solid(0));
            let [_, tip] = gizmo.arrow(index);
            let handle = Handle::Arrow(index);
            let mut drag = HandleDrag::new(thing, handle, &gizmo, start(), &towards(tip));
            let pose = drag.follow(&towards(tip + 0.05 * axis(index)));
            let mut expected = start().translation.vector;
            expected[index] += 0.05;
            assert!(
                (pose.translation.vector - expected).norm() < 2e-4,
                "{index}"
            );
        }
    }

    #[test]
    fn a_ring_turns_about_its_axis_by_the_angle_of_the_pointer() {
        for index in 0..3 {
            let (gizmo, thing) = (gizmo(), Thing::Solid(0));
            let from = towards(gizmo.ring(index, 2));
            let handle = Handle::Ring(index);
            let mut drag = HandleDrag::new(thing, handle, &gizmo, start(), &from);
            // Once around and a bit, a corner at a time.
            let mut pose = start();
            for corner in 3..=RING_CORNERS + 8 {
                pose = drag.follow(&towards(gizmo.ring(index, corner)));
            }
            let corner = std::f32::consts::TAU / RING_CORNERS as f32;
            let wanted = 6.0 * corner;
            let turned = pose.rotation.scaled_axis();
            assert!((turned[index] as f32 - wanted).abs() < 1e-3, "{turned}");
            assert_eq!(pose.translation, start().translation);
        }
    }

    #[test]
    fn a_ring_seen_from_its_side_turns_too() {
        let gizmo = Gizmo {
            centre: Vec3::ZERO,
            ..gizmo()
        };
        // The ring about y, seen along −z: its nearest point is at +z, and moves along x as it turns.
        let eye = [0.0, 0.0, 2.0];
        let front = Vec3::new(0.0, 0.0, RING * 0.1);
        let at = |place: Vec3| ray(eye, place.into());
        let identity = Isometry3::identity();
        let mut drag = HandleDrag::new(
            Thing::Solid(0),
            Handle::Ring(1),
            &gizmo,
            identity,
            &at(front),
        );
        let pose = drag.follow(&at(front + Vec3::X * 0.01));
        let turned = pose.rotation.scaled_axis().y as f32;
        assert!((turned - 0.01 / (RING * 0.1)).abs() < 0.01, "{turned}");
    }
}
