//! What is under the pointer: a pin or clamp, the material point of a strand, or a solid.
//!
//! All three are met by a ray from the eye. Solids hide strands behind them; thin strands and small pins are forgiven a
//! few pixels.

mod solid;
mod strand;

use bevy::prelude::*;
use nalgebra::{Point3, Vector3};

use super::camera::MainCamera;
use super::shown::Shown;
use crate::geometry::Ray;
use crate::world::{HoldSnapshot, Snapshot};

pub use solid::{SolidPick, isometry, pick_solid};
pub use strand::{Pick, pick_strand};

/// How many pixels beside a strand still count.
pub const TOLERANCE_PX: f32 = 7.0;
/// How many pixels beside a pin still count, at least.
const HOLD_TOLERANCE_PX: f32 = 9.0;

/// A ray from the eye, and how wide a pixel is.
#[derive(Clone, Copy, Debug)]
pub struct PickRay {
    /// The eye, m.
    pub origin: Vec3,
    /// Unit direction.
    pub direction: Vec3,
    /// Width of a pixel one metre away from the eye, m.
    pub pixel_m: f32,
}

impl PickRay {
    /// The same in double precision.
    pub fn exact(&self) -> Ray {
        let double = |v: Vec3| Vector3::new(v.x as f64, v.y as f64, v.z as f64);
        Ray {
            origin: Point3::from(double(self.origin)),
            direction: double(self.direction).normalize(),
        }
    }
}

/// Something that can be taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A point of a strand.
    Strand(Pick),
    /// A pin or clamp.
    Hold(HoldSnapshot),
    /// A solid.
    Solid(SolidPick),
}

impl Target {
    /// Whether a hand can take it.
    pub fn can_be_taken(&self) -> bool {
        !matches!(self, Target::Strand(pick) if pick.fixed)
    }

    /// Where it is, m.
    pub fn position(&self) -> Vec3 {
        match self {
            Target::Strand(pick) => pick.position,
            Target::Hold(hold) => hold.position.into(),
            Target::Solid(pick) => pick.position,
        }
    }
}

/// The ray under a place in the window, and the direction in which the eye looks.
pub fn ray_at(at: Vec2, camera: &Camera, place: &GlobalTransform) -> Option<(PickRay, Vec3)> {
    let ray = camera.viewport_to_world(place, at).ok()?;
    let beside = camera.viewport_to_world(place, at + Vec2::Y).ok()?;
    let pixel_m = ray.direction.angle_between(*beside.direction).max(1e-6);
    let ray = PickRay {
        // Bevy starts its rays on the near plane; from the eye depths are distances.
        origin: place.translation(),
        direction: *ray.direction,
        pixel_m,
    };
    Some((ray, *place.forward()))
}

/// Width of a pixel in the middle of the view one metre away, m: what is drawn with it is found with it, wherever it is.
/// Towards the edges pixels are narrower, by a fifth in a corner.
pub fn middle_pixel_m(camera: &Camera, place: &GlobalTransform) -> Option<f32> {
    let middle = 0.5 * camera.logical_viewport_size()?;
    Some(ray_at(middle, camera, place)?.0.pixel_m)
}

/// The camera that draws the scene.
pub type Eye<'w, 's> =
    Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<MainCamera>>;

/// What is under the ray: a pin before the strand that it holds, and what is nearer before what is farther.
pub fn pick(shown: &Shown, ray: &PickRay) -> Option<Target> {
    let snapshot = &shown.snapshot;
    let radius = shown.thinnest_radius_m();
    let solid = pick_solid(shown, ray);
    let hidden_from = solid.map_or(f32::INFINITY, |solid| solid.depth);
    // What touches a solid is not behind it.
    let strand = pick_strand(snapshot, ray).filter(|pick| pick.depth <= hidden_from + 2.0 * radius);
    let wall = strand.map_or(hidden_from, |pick| pick.depth.min(hidden_from));
    let hold = pick_hold(snapshot, ray, radius)
        .filter(|hold| Vec3::from(hold.position).distance(ray.origin) <= wall + 4.0 * radius);
    hold.map(|hold| Target::Hold(*hold))
        .or(strand.map(Target::Strand))
        .or(solid.filter(|solid| solid.movable).map(Target::Solid))
}

/// The pin or clamp under the ray; they are drawn a little larger than the strand.
pub fn pick_hold<'a>(
    snapshot: &'a Snapshot,
    ray: &PickRay,
    radius_m: f32,
) -> Option<&'a HoldSnapshot> {
    let miss = |hold: &HoldSnapshot| {
        let offset = Vec3::from(hold.position) - ray.origin;
        let depth = offset.dot(ray.direction);
        let distance = (offset - depth * ray.direction).length();
        let reach = (2.0 * radius_m).max(HOLD_TOLERANCE_PX * ray.pixel_m * depth);
        (depth > 0.0 && distance <= reach).then_some(distance)
    };
    let fixed = snapshot.holds.iter().filter(|hold| hold.hand.is_none());
    let reached = fixed.filter_map(|hold| Some((miss(hold)?, hold)));
    reached
        .min_by(|(p, _), (q, _)| p.total_cmp(q))
        .map(|(_, hold)| hold)
}

/// Depth along the ray (0 or more) and place on the segment (0 to 1) where the two come closest.
pub fn closest_on_ray_and_segment(ray: &PickRay, a: Vec3, b: Vec3) -> (f32, f32) {
    let (d, e) = (ray.direction, b - a);
    let offset = ray.origin - a;
    let (ee, de) = (e.dot(e), d.dot(e));
    // With d·d = 1 the minimum of |offset + t d − s e|² is at s = (offset·e − (d·offset) d·e) / (e·e − (d·e)²).
    let denominator = ee - de * de;
    let s = if denominator > 1e-6 * ee {
        ((offset.dot(e) - offset.dot(d) * de) / denominator).clamp(0.0, 1.0)
    } else {
        0.5
    };
    let t = (s * de - offset.dot(d)).max(0.0);
    (t, s)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::{HoldKind, MaterialPoint, Outline, StrandPoint, StrandRange};
    use proptest::prelude::*;

    /// Strands along these nodes.
    pub fn world(strands: &[&[[f32; 3]]], radius: f32) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for nodes in strands {
            snapshot.strands.push(StrandRange {
                first: snapshot.points.len() as u32,
                count: nodes.len() as u32,
                color: [1.0; 3],
                model: RodModel::DiscreteElastic,
                closed: false,
                outline: Outline::Round,
                fixed: false,
            });
            snapshot.points.extend(nodes.iter().map(|p| StrandPoint {
                position: *p,
                radius,
                half: [radius; 2],
                ..Default::default()
            }));
        }
        snapshot
    }

    /// A ray from one point to another.
    pub fn ray(origin: [f32; 3], towards: [f32; 3]) -> PickRay {
        let origin = Vec3::from(origin);
        PickRay {
            origin,
            direction: (Vec3::from(towards) - origin).normalize(),
            pixel_m: 1e-3,
        }
    }

    /// A hold at the origin.
    pub fn hold(id: u32, hand: Option<crate::world::Hand>) -> HoldSnapshot {
        HoldSnapshot {
            id,
            rod: 0,
            point: MaterialPoint {
                rod: 0,
                element: 0,
                fraction: 0.0,
            },
            kind: HoldKind::Pin,
            hand,
            described: None,
            led: false,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            target: [0.0; 3],
            force: [0.0; 3],
            twist_rad: 0.0,
            twist_moment_n_m: 0.0,
        }
    }

    #[test]
    fn pins_are_picked_and_hands_are_not() {
        let snapshot = Snapshot {
            holds: vec![hold(7, Some(crate::world::Hand(0))), hold(9, None)],
            ..Default::default()
        };
        let picked = pick_hold(&snapshot, &ray([0.0, 0.0, 1.0], [0.0; 3]), 0.01);
        assert_eq!(picked.map(|hold| hold.id), Some(9));
    }

    proptest! {
        /// The closed form agrees with a walk over the segment in small steps.
        #[test]
        fn closest_points_agree_with_a_walk(
            a in prop::array::uniform3(-1.0f32..1.0),
            b in prop::array::uniform3(-1.0f32..1.0),
            from in prop::array::uniform3(2.0f32..3.0),
        ) {
            let ray = ray(from, [0.0; 3]);
            let (a, b) = (Vec3::from(a), Vec3::from(b));
            let distance_at = |s: f32| {
                let offset = a.lerp(b, s) - ray.origin;
                let t = offset.dot(ray.direction).max(0.0);
                (offset - t * ray.direction).length()
            };
            let walked = (0..=1000).map(|i| distance_at(i as f32 / 1000.0)).fold(f32::MAX, f32::min);
            let (_, s) = closest_on_ray_and_segment(&ray, a, b);
            prop_assert!(distance_at(s) <= walked + 1e-3);
        }
    }
}
