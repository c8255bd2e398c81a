//! The material point of a strand under a ray.
//!
//! A strand is drawn as a tube about the spline through its nodes, in chords; those are what the ray is held against,
//! round or flat, so that what is picked is what is seen.

use bevy::prelude::*;
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::{PickRay, TOLERANCE_PX, closest_on_ray_and_segment};
use crate::geometry::{Ray, Shape};
use crate::world::{MaterialPoint, Outline, Snapshot, StrandPoint, StrandRange};

/// Chords of an edge, as many as are drawn.
const CHORDS: usize = 4;

/// A point of a strand under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Which material point.
    pub point: MaterialPoint,
    /// Where the solver has it, m: on the straight piece between two nodes.
    pub position: Vec3,
    /// Where it is drawn, m: on the spline.
    pub centre: Vec3,
    /// Unit tangent there.
    pub tangent: Vec3,
    /// Half the wider side of the strand there, m.
    pub radius: f32,
    /// How far along the ray, m.
    pub depth: f32,
    /// Whether it is a rail: it hides what is behind it and can be looked at, but no hand can take it.
    pub fixed: bool,
}

/// The frontmost strand that the ray hits; failing that, the one that it misses by the fewest pixels. Rails only where they
/// are hit, and nothing before them is.
pub fn pick_strand(snapshot: &Snapshot, ray: &PickRay) -> Option<Pick> {
    let exact = ray.exact();
    let mut found = Found::default();
    for (rod, strand) in snapshot.strands.iter().enumerate() {
        let first = strand.first as usize;
        let nodes = &snapshot.points[first..first + strand.count as usize];
        for element in 0..nodes.len().saturating_sub(1) {
            if !may_meet(ray, nodes, strand, element) {
                continue;
            }
            let edge = Edge {
                strand,
                nodes,
                rod,
                element,
            };
            edge.offer(ray, &exact, &mut found);
        }
    }
    found.best()
}

#[derive(Default)]
struct Found {
    hit: Option<Pick>,
    near: Option<(f32, Pick)>,
    /// The frontmost rail that was hit.
    rail: Option<Pick>,
}

impl Found {
    /// A strand that was hit or nearly so, unless a rail hides it.
    fn best(self) -> Option<Pick> {
        let strand = self.hit.or(self.near.map(|(_, pick)| pick));
        let in_front = |pick: &Pick| self.rail.is_none_or(|rail| pick.depth <= rail.depth);
        strand.filter(in_front).or(self.rail)
    }

    fn hit(&mut self, pick: Pick) {
        let front = if pick.fixed {
            &mut self.rail
        } else {
            &mut self.hit
        };
        if front.is_none_or(|other| pick.depth < other.depth) {
            *front = Some(pick);
        }
    }

    fn near(&mut self, miss_px: f32, pick: Pick) {
        if self.near.is_none_or(|(other, _)| miss_px < other) {
            self.near = Some((miss_px, pick));
        }
    }
}

/// Half the wider side of a strand, m.
fn thickness(point: &StrandPoint) -> f32 {
    point.half[0].max(point.half[1])
}

/// Quickly: whether an edge may be within the tolerance. A ball about its middle holds it with the bulge of its spline.
fn may_meet(ray: &PickRay, nodes: &[StrandPoint], strand: &StrandRange, element: usize) -> bool {
    let [before, a, b, after] = around(nodes, strand, element);
    let offset = 0.5 * (a + b) - ray.origin;
    let depth = offset.dot(ray.direction);
    // A spline stays within the hull of its Bézier points, which are a sixth of these beyond the nodes.
    let bulge = (b - before).length().max((after - a).length()) / 6.0;
    let radius = thickness(&nodes[element]).max(thickness(&nodes[element + 1]));
    let reach = 0.5 * (b - a).length() + bulge + radius;
    let far = (depth + reach).max(0.0);
    let tolerance = TOLERANCE_PX * ray.pixel_m * far;
    far > 0.0 && offset.length_squared() - depth * depth <= (reach + tolerance).powi(2)
}

/// The node before an edge, its two, and the one after, as the shader has them: beyond an open end it goes on straight.
fn around(nodes: &[StrandPoint], strand: &StrandRange, element: usize) -> [Vec3; 4] {
    let at = |k: usize| Vec3::from(nodes[k].position);
    let (a, b, last) = (at(element), at(element + 1), nodes.len() - 1);
    let before = match (element, strand.closed) {
        (0, false) => 2.0 * a - b,
        (0, true) => at(last - 1),
        _ => at(element - 1),
    };
    let after = match (element + 1 == last, strand.closed) {
        (true, false) => 2.0 * b - a,
        (true, true) => at(1),
        _ => at(element + 2),
    };
    [before, a, b, after]
}

/// Catmull-Rom through the middle two, as in `shaders/strand.wgsl`.
fn spline([a, b, c, d]: [Vec3; 4], t: f32) -> Vec3 {
    let linear = c - a;
    let square = 2.0 * a - 5.0 * b + 4.0 * c - d;
    let cube = 3.0 * (b - c) + d - a;
    b + 0.5 * t * (linear + t * (square + t * cube))
}

/// An edge of a strand.
struct Edge<'a> {
    strand: &'a StrandRange,
    nodes: &'a [StrandPoint],
    rod: usize,
    element: usize,
}

impl Edge<'_> {
    fn ends(&self) -> [&StrandPoint; 2] {
        [&self.nodes[self.element], &self.nodes[self.element + 1]]
    }

    /// Holds the ray against the chords of the edge.
    fn offer(&self, ray: &PickRay, exact: &Ray, found: &mut Found) {
        let curve = around(self.nodes, self.strand, self.element);
        let [start, end] = self.ends().map(thickness);
        let mut from = curve[1];
        for k in 0..CHORDS {
            let share = |s: f32| (k as f32 + s) / CHORDS as f32;
            let to = spline(curve, share(1.0));
            let (depth, s) = closest_on_ray_and_segment(ray, from, to);
            let near = from.lerp(to, s);
            let radius = start + share(s) * (end - start);
            let apart = (ray.origin + depth * ray.direction).distance(near) - radius;
            let miss_px = apart / (ray.pixel_m * depth.max(1e-6));
            if miss_px <= 0.0
                && let Some((t, s)) = self.meets(exact, [from, to], share(0.5), radius)
            {
                found.hit(self.pick(share(s as f32), [from, to], radius, t as f32));
            } else if miss_px <= TOLERANCE_PX
                && depth > 0.0
                && apart.is_finite()
                && !self.strand.fixed
            {
                found.near(
                    miss_px.max(0.0),
                    self.pick(share(s), [from, to], radius, depth),
                );
            }
            from = to;
        }
    }

    /// Where the ray enters a chord of this section, and how far along it.
    fn meets(&self, ray: &Ray, chord: [Vec3; 2], middle: f32, radius: f32) -> Option<(f64, f64)> {
        let ends = chord.map(point);
        let round = || ray.enters_tube(&ends, f64::from(radius));
        if self.strand.outline == Outline::Round {
            return round();
        }
        let [a, b] = self.ends();
        let director = Vec3::from(a.director).lerp(b.director.into(), middle);
        let half = [0, 1].map(|c| f64::from(a.half[c] + middle * (b.half[c] - a.half[c])));
        let pose = frame(&ends, director)?;
        let length = (ends[1] - ends[0]).norm();
        let local = Ray {
            origin: pose.inverse_transform_point(&ray.origin),
            direction: pose.inverse_transform_vector(&ray.direction),
        };
        let t = match self.strand.outline {
            Outline::Rectangle => local.enters(
                &Shape::Box {
                    half_extents_m: [half[0], 0.5 * length, half[1]],
                },
                &Isometry3::identity(),
            )?,
            _ => enters_ellipse(&local, half, length)?,
        };
        Some((t, (local.at(t).y / length + 0.5).clamp(0.0, 1.0)))
    }

    fn pick(&self, share: f32, chord: [Vec3; 2], radius: f32, depth: f32) -> Pick {
        let curve = around(self.nodes, self.strand, self.element);
        Pick {
            point: MaterialPoint {
                rod: self.rod,
                element: self.element,
                fraction: f64::from(share.clamp(0.0, 1.0)),
            },
            position: curve[1].lerp(curve[2], share),
            centre: spline(curve, share),
            tangent: (chord[1] - chord[0]).normalize_or(Vec3::X),
            radius,
            depth,
            fixed: self.strand.fixed,
        }
    }
}

fn point(v: Vec3) -> Point3<f64> {
    Point3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

/// The frame of a chord: y along it, x along the director, its middle the origin.
fn frame(ends: &[Point3<f64>; 2], director: Vec3) -> Option<Isometry3<f64>> {
    let y = (ends[1] - ends[0]).try_normalize(1e-12)?;
    let x = point(director).coords;
    let x = (x - y * y.dot(&x)).try_normalize(1e-6)?;
    let axes = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, x.cross(&y)]));
    let middle = nalgebra::center(&ends[0], &ends[1]);
    Some(Isometry3::from_parts(
        Translation3::from(middle.coords),
        UnitQuaternion::from_rotation_matrix(&axes),
    ))
}

/// Where a ray enters a cylinder along y whose section is an ellipse: in units in which that is a circle.
fn enters_ellipse(ray: &Ray, half: [f64; 2], length: f64) -> Option<f64> {
    let scale = Vector3::new(1.0 / half[0], 1.0, 1.0 / half[1]);
    let direction = ray.direction.component_mul(&scale);
    let scaled = Ray {
        origin: Point3::from(ray.origin.coords.component_mul(&scale)),
        direction: direction.normalize(),
    };
    let tin = Shape::Cylinder {
        radius_m: 1.0,
        half_length_m: 0.5 * length,
    };
    let t = scaled.enters(&tin, &Isometry3::identity())?;
    Some(t / direction.norm())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ray, world};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_strand_element_and_fraction() {
        let row = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
        let far = [[0.0, 5.0, 0.0], [1.0, 5.0, 0.0]];
        let pick = pick_strand(
            &world(&[&far, &row], 0.01),
            &ray([1.25, 0.0, 3.0], [1.25, 0.0, 0.0]),
        );
        let pick = pick.expect("the ray goes through the axis");
        assert_eq!((pick.point.rod, pick.point.element), (1, 1));
        assert!((pick.point.fraction - 0.25).abs() < 1e-6);
        // What is hit is the surface, in front of the axis.
        assert!((pick.depth - 2.99).abs() < 1e-5, "{}", pick.depth);
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
    fn what_is_in_front_at_the_pixel_wins_even_if_its_axis_is_behind() {
        // A thick strand's surface is nearer than a thin one's, its axis farther.
        let mut snapshot = world(
            &[
                &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
                &[[-1.0, 0.0, 0.3], [1.0, 0.0, 0.3]],
            ],
            0.5,
        );
        snapshot.points[2..]
            .iter_mut()
            .for_each(|p| p.half = [0.01; 2]);
        let pick = pick_strand(&snapshot, &ray([0.0, 0.0, 3.0], [0.0; 3]));
        assert_eq!(pick.map(|p| p.point.rod), Some(0));
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
    fn a_rail_hides_what_is_behind_it_and_only_where_it_is() {
        let rail = [[-1.0, 0.0, 0.5], [1.0, 0.0, 0.5]];
        let strand = |z: f32, y: f32| [[-1.0, y, z], [1.0, y, z]];
        let picked = |z: f32, y: f32, at: f32| {
            let mut snapshot = world(&[&rail, &strand(z, y)], 0.01);
            snapshot.strands[0].fixed = true;
            let pick = pick_strand(&snapshot, &ray([0.0, at, 3.0], [0.0, at, 0.0]));
            pick.map(|pick| (pick.point.rod, pick.fixed))
        };
        assert_eq!(picked(0.0, 0.0, 0.0), Some((0, true)), "behind the rail");
        assert_eq!(picked(1.0, 0.0, 0.0), Some((1, false)), "in front of it");
        // Missed by a hair, and in front.
        assert_eq!(picked(1.0, 0.015, 0.0), Some((1, false)));
        // A rail is not forgiven a miss.
        assert_eq!(picked(0.0, 1.0, 0.012), None);
    }

    #[test]
    fn forgives_a_few_pixels_and_no_more_near_and_far() {
        let row = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        for far in [0.03, 1.0, 60.0] {
            let at = |miss: f32| {
                // Straight ahead, so that the distance at which it passes is known.
                let y = 0.001 + miss * TOLERANCE_PX * 1e-3 * far;
                pick_strand(&world(&[&row], 0.001), &ray([0.0, y, far], [0.0, y, 0.0]))
            };
            assert!(at(0.9).is_some(), "{far} m away");
            assert!(at(1.1).is_none(), "{far} m away");
        }
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
    fn a_ribbon_is_missed_over_its_edge_and_hit_on_its_side() {
        let mut snapshot = world(&[&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]], 0.0);
        for outline in [Outline::Ellipse, Outline::Rectangle] {
            snapshot.strands[0].outline = outline;
            for p in &mut snapshot.points {
                (p.half, p.director) = ([0.1, 0.01], [0.0, 1.0, 0.0]);
            }
            let depth = |from: [f32; 3], to| pick_strand(&snapshot, &ray(from, to)).unwrap().depth;
            // Along z it is 0.02 thick, along y 0.2.
            let flat = depth([0.1, 0.0, 1.0], [0.1, 0.0, 0.0]);
            let high = depth([0.1, 1.0, 0.0], [0.1, 0.0, 0.0]);
            assert!((flat - 0.99).abs() < 1e-5, "{outline:?}: {flat}");
            assert!((high - 0.9).abs() < 1e-5, "{outline:?}: {high}");
        }
    }

    proptest! {
        /// Against a slow twin: the nearest of many points of the drawn curve to the ray.
        #[test]
        fn a_bent_strand_is_hit_on_its_curve(aim in 0.02..2.98_f32, side in -0.9..0.9_f32) {
            let nodes = [[0.0, 0.0, 0.0], [1.0, 0.4, 0.0], [2.0, -0.3, 0.2], [3.0, 0.0, 0.0]];
            let radius = 0.02;
            let snapshot = world(&[&nodes], radius);
            let strand = &snapshot.strands[0];
            let centre = |along: f32| {
                let element = (along as usize).min(2);
                spline(around(&snapshot.points, strand, element), along - element as f32)
            };
            let target = centre(aim) + Vec3::Y * side * radius;
            let eye = Vec3::new(1.5, 0.3, 4.0);
            let ray = ray(eye.into(), target.into());
            let pick = pick_strand(&snapshot, &ray).expect("aimed within the radius");
            let miss = |along: f32| {
                let offset = centre(along) - ray.origin;
                offset.reject_from(ray.direction).length()
            };
            let along = pick.point.element as f32 + pick.point.fraction as f32;
            prop_assert!(miss(along) <= radius * 1.1, "{} {}", miss(along), aim);
            prop_assert!((along - aim).abs() < 0.1, "{along} {aim}");
            prop_assert!(pick.centre.distance(centre(along)) < 1e-4);
        }
    }
}
