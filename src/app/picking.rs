//! What is under the pointer: the material point of a strand that a ray hits, or a pin.
//!
//! A strand is a chain of round pieces. The ray p + t d and the axis a + s (b − a) come closest at (t, s); the ray hits
//! when their distance there is at most the radius; a flat strand counts as round across its wider side. Thin strands
//! are hard to hit, so a few pixels are forgiven.

use bevy::prelude::*;

use super::camera::MainCamera;
use crate::world::{HoldSnapshot, MaterialPoint, Snapshot, StrandPoint};

/// How many pixels beside a strand still count.
pub const TOLERANCE_PX: f32 = 7.0;

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

/// A hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Which material point.
    pub point: MaterialPoint,
    /// Where it is on the centreline, m.
    pub position: Vec3,
    /// How far along the ray, m.
    pub depth: f32,
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

/// The camera that draws the scene.
pub type Eye<'w, 's> =
    Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<MainCamera>>;

/// Half the wider side of a strand, m.
fn thickness(point: &StrandPoint) -> f32 {
    point.half[0].max(point.half[1])
}

/// The frontmost strand that the ray hits; failing that, the one that it misses by the fewest pixels.
pub fn pick_strand(snapshot: &Snapshot, ray: &PickRay) -> Option<Pick> {
    let mut hit: Option<Pick> = None;
    let mut near: Option<(f32, Pick)> = None;
    for (rod, strand) in snapshot.strands.iter().enumerate() {
        let first = strand.first as usize;
        let nodes = &snapshot.points[first..first + strand.count as usize];
        for (element, pair) in nodes.windows(2).enumerate() {
            let (a, b) = (Vec3::from(pair[0].position), Vec3::from(pair[1].position));
            let (depth, fraction) = closest_on_ray_and_segment(ray, a, b);
            let position = a.lerp(b, fraction);
            let distance = (ray.origin + depth * ray.direction).distance(position);
            let radius =
                thickness(&pair[0]) + fraction * (thickness(&pair[1]) - thickness(&pair[0]));
            if depth <= 0.0 || !distance.is_finite() {
                continue;
            }
            let pick = Pick {
                point: MaterialPoint {
                    rod,
                    element,
                    fraction: fraction as f64,
                },
                position,
                depth,
            };
            let miss_px = (distance - radius) / (ray.pixel_m * depth);
            if miss_px <= 0.0 {
                if hit.is_none_or(|other| depth < other.depth) {
                    hit = Some(pick);
                }
            } else if miss_px <= TOLERANCE_PX && near.is_none_or(|(other, _)| miss_px < other) {
                near = Some((miss_px, pick));
            }
        }
    }
    hit.or(near.map(|(_, pick)| pick))
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
        let reach = (2.0 * radius_m).max(TOLERANCE_PX * ray.pixel_m * depth);
        (depth > 0.0 && distance <= reach).then_some(distance)
    };
    let fixed = snapshot.holds.iter().filter(|hold| hold.hand.is_none());
    let reached = fixed.filter_map(|hold| Some((miss(hold)?, hold)));
    reached
        .min_by(|(p, _), (q, _)| p.total_cmp(q))
        .map(|(_, hold)| hold)
}

/// Depth along the ray (0 or more) and place on the segment (0 to 1) where the two come closest.
fn closest_on_ray_and_segment(ray: &PickRay, a: Vec3, b: Vec3) -> (f32, f32) {
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
mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::{HoldKind, Outline, StrandRange};
    use proptest::prelude::*;

    fn world(strands: &[&[[f32; 3]]], radius: f32) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for nodes in strands {
            snapshot.strands.push(StrandRange {
                first: snapshot.points.len() as u32,
                count: nodes.len() as u32,
                color: [1.0; 3],
                model: RodModel::DiscreteElastic,
                closed: false,
                outline: Outline::Round,
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

    fn ray(origin: [f32; 3], towards: [f32; 3]) -> PickRay {
        let origin = Vec3::from(origin);
        PickRay {
            origin,
            direction: (Vec3::from(towards) - origin).normalize(),
            pixel_m: 1e-3,
        }
    }

    #[test]
    fn names_strand_element_and_fraction() {
        let row = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
        let far = [[0.0, 5.0, 0.0], [1.0, 5.0, 0.0]];
        let pick = pick_strand(
            &world(&[&far, &row], 0.01),
            &ray([1.25, 0.0, 3.0], [1.25, 0.0, 0.0]),
        );
        let point = pick.expect("the ray goes through the axis").point;
        assert_eq!((point.rod, point.element), (1, 1));
        assert!((point.fraction - 0.25).abs() < 1e-6);
    }

    #[test]
    fn the_strand_in_front_wins() {
        let front = [[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
        let back = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let pick = pick_strand(
            &world(&[&back, &front], 0.01),
            &ray([0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
        );
        assert_eq!(pick.map(|p| p.point.rod), Some(1));
    }

    #[test]
    fn a_hit_behind_wins_over_a_near_miss_in_front() {
        let beside = [[-1.0, 0.012, 1.0], [1.0, 0.012, 1.0]];
        let behind = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let pick = pick_strand(
            &world(&[&beside, &behind], 0.01),
            &ray([0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
        );
        assert_eq!(pick.map(|p| p.point.rod), Some(1));
    }

    #[test]
    fn forgives_a_few_pixels_and_no_more() {
        let row = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let at = |y: f32| pick_strand(&world(&[&row], 0.001), &ray([0.0, y, 1.0], [0.0, y, 0.0]));
        assert!(at(0.001 + 0.9e-3 * TOLERANCE_PX).is_some());
        assert!(at(0.001 + 1.1e-3 * TOLERANCE_PX).is_none());
    }

    #[test]
    fn nothing_behind_the_eye_is_picked() {
        let row = [[-1.0, 0.0, 5.0], [1.0, 0.0, 5.0]];
        let pick = pick_strand(
            &world(&[&row], 0.01),
            &ray([0.0, 0.0, 1.0], [0.0, 0.0, 0.0]),
        );
        assert_eq!(pick, None);
    }

    #[test]
    fn pins_are_picked_and_hands_are_not() {
        let hold = |id, hand| HoldSnapshot {
            id,
            rod: 0,
            kind: HoldKind::Pin,
            hand,
            position: [0.0; 3],
            target: [0.0; 3],
            force: [0.0; 3],
        };
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
