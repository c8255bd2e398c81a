//! Strands against triangle meshes: every node that comes near, and the inside of a piece where the mesh is nearer than
//! to its nodes: at the closest pair, and at further ridges that the piece may lie on.

use nalgebra::Point3;

use super::against_solids::{BULGE_OVER_RADIUS, contact, reach};
use super::{Contact, ContactKey};
use crate::geometry::distance::SurfaceDistance;
use crate::geometry::segment::point_at;
use crate::geometry::{SegmentProxy, SolidProxy, TriangleMesh};

/// Places at which a piece that goes through the surface is looked at for where it is deepest.
const PROBES: u32 = 15;

/// Ridges under a piece have contacts of their own from this distance on, in radii: lying on the nearest alone, a piece
/// would rock from one to the other for ever.
const SPACING_OVER_RADIUS: f64 = 0.5;
/// They count if they are hardly farther than the nearest: what is farther may become the nearest first.
const LEVEL_OVER_RADIUS: f64 = 0.02;
/// Stretches of a piece by which its further contacts are told apart from step to step.
const STRETCHES: usize = 32;

/// What is known of the distance of a node.
#[derive(Clone, Copy)]
struct Known {
    body: u32,
    node: u32,
    /// It is not less than this, m.
    least: f64,
    /// The distance itself, where it was looked up.
    surface: Option<SurfaceDistance>,
}

/// Appends the contacts of pieces of strands with one mesh.
pub(super) fn detect(
    segments: &[SegmentProxy],
    solid: &SolidProxy,
    mesh: &TriangleMesh,
    dt_s: f64,
    out: &mut Vec<Contact>,
) {
    // The end of one piece is the start of the next.
    let mut before: Option<Known> = None;
    let mut outside: Option<(u32, u32)> = None;
    for segment in segments {
        let (body, node) = (segment.body, segment.element);
        let ends = segment
            .ends
            .map(|end| solid.world_from_body.inverse_transform_point(&end));
        let reach = segment.radius_m + reach(segment, solid, dt_s);
        if mesh.is_clear_of(&ends, reach, outside == Some((body, node))) {
            before = None;
            outside = Some((body, node + 1));
            continue;
        }
        let look = |k: u32, least: f64| {
            // What is surely out of reach need not be known better.
            let surface = (least <= reach).then(|| mesh.signed_distance(&ends[k as usize]));
            Known {
                body,
                node: node + k,
                least: surface.map_or(least, |surface| surface.distance),
                surface,
            }
        };
        let kept = before.filter(|known| (known.body, known.node) == (body, node));
        let start = match kept {
            Some(known) if known.surface.is_some() => known,
            Some(known) => look(0, known.least),
            None => look(0, f64::NEG_INFINITY),
        };
        // Along a piece the distance shrinks at most by its length.
        let length = (ends[1] - ends[0]).norm();
        let end = look(1, start.least - length);
        before = Some(end);
        let mut offer = |fraction: f64, slot: u32, surface: SurfaceDistance| {
            if surface.distance < reach {
                out.push(contact(segment, solid, fraction, slot, surface, dt_s));
            }
        };
        if let Some(surface) = start.surface {
            offer(0.0, ContactKey::MARK, surface);
        }
        if let Some(surface) = end.surface.filter(|_| segment.last) {
            offer(1.0, ContactKey::FREE_END, surface);
        }
        if 0.5 * (start.least + end.least - length) > reach {
            continue;
        }
        let bulge = BULGE_OVER_RADIUS * segment.radius_m;
        let nearer = (start.least.min(end.least) - bulge).min(reach);
        if let Some((fraction, surface)) = inside(&ends, mesh, nearer) {
            offer(fraction, ContactKey::CLOSEST, surface);
            let spacing = SPACING_OVER_RADIUS * segment.radius_m / length;
            let level = surface.distance + LEVEL_OVER_RADIUS * segment.radius_m;
            let others = mesh.places_along(&ends, level.max(0.0), spacing);
            let mut names = Names::default();
            for other in others
                .fractions()
                .filter(|f| (f - fraction).abs() >= spacing)
            {
                let surface = mesh.signed_distance(&point_at(&ends, other));
                let between = start.least + (end.least - start.least) * other;
                if surface.distance < between - bulge {
                    offer(other, names.next(other), surface);
                }
            }
        }
    }
}

/// Names contacts of a piece beside the closest one, by the stretch of the piece that they are on, and the second and third
/// on one stretch of a long piece by that too.
#[derive(Default)]
struct Names {
    used: [u32; STRETCHES],
}

impl Names {
    /// The name of the next contact at a fraction of the piece.
    fn next(&mut self, fraction: f64) -> u32 {
        let stretch = ((fraction * STRETCHES as f64) as usize).min(STRETCHES - 1);
        let twins = self.used[stretch];
        self.used[stretch] += 1;
        let index = stretch as u32 + STRETCHES as u32 * twins;
        ContactKey::CLOSEST + ContactKey::SLOTS * (1 + index)
    }
}

/// Where the inside of a piece is nearer to the mesh than `limit`. A piece of which an end is inside the mesh has a
/// negative limit: that end pushes it out.
fn inside(
    ends: &[Point3<f64>; 2],
    mesh: &TriangleMesh,
    limit: f64,
) -> Option<(f64, SurfaceDistance)> {
    let found = mesh.closest_to_segment(ends, limit)?;
    if found.distance > 0.0 {
        let surface = SurfaceDistance {
            distance: found.distance,
            normal: found.normal,
        };
        return Some((found.fraction, surface));
    }
    // A ridge stands through the piece. Where it is deepest tells the way out; where it enters does not.
    let probe = |k: u32| {
        let fraction = f64::from(k) / f64::from(PROBES + 1);
        (fraction, mesh.signed_distance(&point_at(ends, fraction)))
    };
    (1..=PROBES)
        .map(probe)
        .min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::{Isometry3, Vector3};
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::mesh::{bumpy_sphere, tests::terrain};
    use crate::geometry::{Along, Sections};
    use crate::geometry::{Shape, Site};

    fn solid(mesh: &Arc<TriangleMesh>) -> SolidProxy {
        SolidProxy {
            solid: 1,
            shape: Shape::Mesh(mesh.clone()),
            world_from_body: Isometry3::new(
                Vector3::new(0.1, 0.2, 0.3),
                Vector3::new(0.4, -0.3, 0.2),
            ),
            linear_m_s: Vector3::zeros(),
            angular_rad_s: Vector3::zeros(),
        }
    }

    fn strand(nodes: &[Point3<f64>], radius_m: f64) -> Vec<SegmentProxy> {
        let last = nodes.len() - 2;
        let piece = |(k, ends): (usize, &[Point3<f64>])| SegmentProxy {
            body: 0,
            element: k as u32,
            last: k == last,
            span: [k as f64, k as f64 + 1.0],
            along: Along {
                from_m: k as f64,
                to_m: k as f64 + 1.0,
                round_m: 0.0,
            },
            ends: [ends[0], ends[1]],
            velocities: [Vector3::zeros(); 2],
            radius_m,
            sections: Sections::Edges,
        };
        nodes.windows(2).enumerate().map(piece).collect()
    }

    fn place_of(contact: &Contact) -> Site {
        contact.a.strand().expect("a strand").place.site()
    }

    fn found(mesh: &Arc<TriangleMesh>, nodes: &[Point3<f64>], radius_m: f64) -> Vec<Contact> {
        let mut out = Vec::new();
        detect(&strand(nodes, radius_m), &solid(mesh), mesh, 1e-3, &mut out);
        out
    }

    #[test]
    fn a_fine_ball_of_triangles_is_touched_as_a_ball_is() {
        let ball = Arc::new(bumpy_sphere(0.5, 0.0, 0.0, 5).expect("a ball"));
        let centre = Point3::new(0.1, 0.2, 0.3);
        let nodes: Vec<Point3<f64>> = (0..9)
            .map(|k| centre + Vector3::new(0.03 * f64::from(k) - 0.1, 0.51, 0.0))
            .collect();
        let contacts = found(&ball, &nodes, 0.02);
        assert!(contacts.len() >= 5);
        for c in &contacts {
            let at = point_at(
                &[nodes[place_of(c).element], nodes[place_of(c).element + 1]],
                place_of(c).fraction,
            );
            let out = at - centre;
            // Its facets are up to 2·10⁻⁴ below the ball and up to 2° oblique.
            assert!((c.gap - (out.norm() - 0.52)).abs() < 4e-4, "{}", c.gap);
            assert!(c.basis.column(0).dot(&out.normalize()) > 0.999);
        }
    }

    #[test]
    fn a_ridge_under_the_middle_of_a_piece_is_felt() {
        // A roof: its ridge runs along x at y = 0.
        let corners = [
            [-1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [-1.0, -1.0, -1.0],
            [1.0, -1.0, -1.0],
            [-1.0, -1.0, 1.0],
            [1.0, -1.0, 1.0],
        ];
        let points = corners.map(Point3::from);
        let roof = TriangleMesh::new(&points, &[[0, 1, 2], [1, 3, 2], [0, 4, 1], [1, 4, 5]]);
        let roof = Arc::new(roof.expect("a roof"));
        let place = solid(&roof).world_from_body;
        let across = |y: f64| {
            [
                place * Point3::new(0.1, y, -0.5),
                place * Point3::new(0.1, y, 0.5),
            ]
        };
        for y in [0.02, 0.005] {
            let contacts = found(&roof, &across(y), 0.01);
            let middle: Vec<&Contact> = contacts
                .iter()
                .filter(|c| c.key.slot == ContactKey::CLOSEST)
                .collect();
            assert_eq!(middle.len(), usize::from(y < 0.01));
            for c in middle {
                assert!(
                    (place_of(c).fraction - 0.5).abs() < 1e-12
                        && (c.gap - (y - 0.01)).abs() < 1e-12
                );
                assert!((c.basis.column(0) - place.rotation * Vector3::y()).norm() < 1e-9);
            }
        }
    }

    #[test]
    fn a_piece_that_lies_on_two_ridges_touches_both() {
        // Two roofs side by side, their ridges along x at z = −0.2 and 0.2, a valley between them.
        let profile = [(0.0, -0.4), (0.2, -0.2), (0.0, 0.0), (0.2, 0.2), (0.0, 0.4)];
        let corner = |x: f64| profile.map(|(y, z)| Point3::new(x, y, z));
        let points: Vec<Point3<f64>> = corner(-1.0).into_iter().chain(corner(1.0)).collect();
        let slopes = (0..4).flat_map(|k| [[k, k + 1, k + 5], [k + 1, k + 6, k + 5]]);
        let roofs =
            Arc::new(TriangleMesh::new(&points, &slopes.collect::<Vec<_>>()).expect("roofs"));
        let place = solid(&roofs).world_from_body;
        let radius = 0.01;
        let across = |tilt: f64| {
            let end = |z: f64| place * Point3::new(0.1, 0.2 + radius + tilt * z, z);
            found(&roofs, &[end(-0.5), end(0.5)], radius)
        };
        let level = across(1e-5);
        assert_eq!(level.len(), 2);
        for (contact, fraction) in level.iter().zip([0.3, 0.7]) {
            assert!((place_of(contact).fraction - fraction).abs() < 1e-3);
            assert!(contact.gap.abs() < 1e-3 * radius);
        }
        assert!(level[0].key != level[1].key);
        // Far from level it lies on one of them.
        assert_eq!(across(0.01).len(), 1);
    }

    #[test]
    fn contacts_of_a_long_piece_have_names_of_their_own() {
        // A comb under a piece of 60 radii: its teeth are 0.9 radii apart.
        let radius = 0.01;
        let teeth: Vec<f64> = (0..12).map(|k| 0.009 * f64::from(k)).collect();
        let tooth = |x: &f64| [(x - 0.004, 0.0), (*x, 0.02), (x + 0.004, 0.0)];
        let mut line = vec![(-0.5, 0.0)];
        line.extend(teeth.iter().flat_map(tooth));
        line.push((0.5, 0.0));
        let comb = Arc::new(terrain(&line, -0.1, 0.2));
        let place = solid(&comb).world_from_body;
        let ends = [-0.25, 0.35].map(|x| place * Point3::new(x, 0.02 + radius, 0.0));
        let contacts = found(&comb, &ends, radius);
        let mut keys: Vec<ContactKey> = contacts.iter().map(|c| c.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), contacts.len());
        assert_eq!(contacts.len(), teeth.len());
    }

    proptest! {
        #[test]
        fn normals_push_out_and_keys_come_once(
            from in prop::array::uniform3(-0.7..0.7_f64), to in prop::array::uniform3(-0.7..0.7_f64),
        ) {
            let bumpy = Arc::new(bumpy_sphere(0.4, 0.1, 6.0, 3).expect("a bumpy ball"));
            let place = solid(&bumpy).world_from_body;
            let (from, to) = (Point3::from(from), Point3::from(to));
            let nodes: Vec<Point3<f64>> = (0..=10).map(|k| place * (from + (to - from) * (0.1 * f64::from(k)))).collect();
            let contacts = found(&bumpy, &nodes, 0.05);
            for pair in contacts.windows(2) {
                prop_assert!(pair[0].key != pair[1].key);
            }
            for c in &contacts {
                let ends = [nodes[place_of(c).element], nodes[place_of(c).element + 1]];
                let centre = place.inverse_transform_point(&point_at(&ends, place_of(c).fraction));
                let normal = place.rotation.inverse() * c.basis.column(0);
                let (here, further) = (bumpy.signed_distance(&centre), bumpy.signed_distance(&(centre + normal * 1e-4)));
                prop_assert!((c.gap + 0.05 - here.distance).abs() < 1e-9);
                // Going along the normal leads away from the surface, but for a crease within that way.
                prop_assert!(further.distance > here.distance + 0.5e-4, "{} {}", here.distance, further.distance);
            }
        }
    }
}
