//! Strands against solids: every node that comes near, and the inside of a piece where it bulges into the solid
//! between its nodes. Where it does so by little, the node's own contact moves there: at the node the normal would be
//! tilted, by 13° on a bar as thin as the strand.

use rayon::prelude::*;

use super::on_solid::OnStrand;
use super::{Contact, ContactKey, MARGIN_OVER_RADIUS, against_mesh};
use crate::geometry::distance::{SurfaceDistance, to_surface};
use crate::geometry::segment::point_at;
use crate::geometry::{ProxySet, SegmentProxy, Shape, SolidProxy};

/// The inside of a piece gets a contact of its own when it is closer than both ends by this share of the radius.
pub(super) const BULGE_OVER_RADIUS: f64 = 0.05;
/// The inside of a piece is closer than its ends when it is so by this share of the radius; the rest is rounding.
const CLOSER_OVER_RADIUS: f64 = 1e-9;

/// Pieces that one task holds against a mesh.
const TASK: usize = 64;

/// Appends the contacts of all strands with all solids, in any order; `lanes` are lists for the tasks.
pub(super) fn detect(
    proxies: &ProxySet,
    dt_s: f64,
    lanes: &mut Vec<Vec<Contact>>,
    out: &mut Vec<Contact>,
) {
    for solid in &proxies.solids {
        if let Shape::Mesh(mesh) = &solid.shape {
            let tasks = proxies.segments.par_chunks(TASK);
            lanes.resize_with(tasks.len().max(lanes.len()), Vec::new);
            tasks.zip(&mut *lanes).for_each(|(segments, lane)| {
                lane.clear();
                against_mesh::detect(segments, solid, mesh, dt_s, lane);
            });
            let used = proxies.segments.len().div_ceil(TASK);
            lanes[..used]
                .iter()
                .for_each(|lane| out.extend_from_slice(lane));
            continue;
        }
        for segment in &proxies.segments {
            let reach = reach(segment, solid, dt_s);
            let contact = |fraction, slot| {
                let surface = surface_at(segment, solid, fraction);
                contact(segment, solid, fraction, slot, surface, dt_s)
            };
            let gaps = [0.0, 1.0].map(|fraction| gap_at(segment, solid, fraction));
            let bulge = bulge(segment, solid, gaps, reach);
            let (start, inside) = match bulge {
                Some(bulge) if bulge.is_clear => (None, Some(bulge.fraction)),
                Some(bulge) => (Some(bulge.fraction), None),
                None => (None, None),
            };
            // A bulge near the end is that of the start, however far away that is: the end has its own contact.
            if let Some(fraction) = start.or((gaps[0] < reach).then_some(0.0)) {
                out.push(contact(fraction, ContactKey::MARK));
            }
            if segment.last && gaps[1] < reach {
                out.push(contact(1.0, ContactKey::FREE_END));
            }
            if let Some(fraction) = inside {
                out.push(contact(fraction, ContactKey::CLOSEST));
            }
        }
    }
}

/// How far away a contact is kept, m.
pub(super) fn reach(segment: &SegmentProxy, solid: &SolidProxy, dt_s: f64) -> f64 {
    let speed = |k: usize| (segment.velocities[k] - solid.velocity_at(&segment.ends[k])).norm();
    MARGIN_OVER_RADIUS * segment.radius_m + dt_s * speed(0).max(speed(1))
}

/// Distance of the centreline, in the solid's frame.
fn surface_at(segment: &SegmentProxy, solid: &SolidProxy, fraction: f64) -> SurfaceDistance {
    let centre = point_at(&segment.ends, fraction);
    let local = solid.world_from_body.inverse_transform_point(&centre);
    to_surface(&solid.shape, &local)
}

fn gap_at(segment: &SegmentProxy, solid: &SolidProxy, fraction: f64) -> f64 {
    surface_at(segment, solid, fraction).distance - segment.radius_m
}

/// The closest place inside a piece.
#[derive(Clone, Copy, Debug)]
struct Bulge {
    fraction: f64,
    /// Whether it is so much closer than the ends that it needs a contact of its own.
    is_clear: bool,
}

/// Where the inside of a piece is closest, if it is closer than its ends and within reach. The distance to a convex
/// solid is convex along the piece, so a golden-section search finds its only minimum.
fn bulge(segment: &SegmentProxy, solid: &SolidProxy, gaps: [f64; 2], reach: f64) -> Option<Bulge> {
    let length = (segment.ends[1] - segment.ends[0]).norm();
    // Nothing on the piece can be closer than the ends allow.
    if matches!(solid.shape, Shape::Plane) || 0.5 * (gaps[0] + gaps[1] - length) > reach {
        return None;
    }
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut p, mut q) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_p, mut at_q) = (gap_at(segment, solid, p), gap_at(segment, solid, q));
    for _ in 0..40 {
        if at_p < at_q {
            (high, q, at_q) = (q, p, at_p);
            p = high - GOLDEN * (high - low);
            at_p = gap_at(segment, solid, p);
        } else {
            (low, p, at_p) = (p, q, at_q);
            q = low + GOLDEN * (high - low);
            at_q = gap_at(segment, solid, q);
        }
    }
    let (fraction, gap) = if at_p < at_q { (p, at_p) } else { (q, at_q) };
    let closer = (gaps[0].min(gaps[1]) - gap) / segment.radius_m;
    (closer > CLOSER_OVER_RADIUS && gap < reach).then_some(Bulge {
        fraction,
        is_clear: closer > BULGE_OVER_RADIUS,
    })
}

/// The contact at a place of a piece; `surface` is the distance of the centreline there, in the solid's frame.
pub(super) fn contact(
    segment: &SegmentProxy,
    solid: &SolidProxy,
    fraction: f64,
    slot: u32,
    surface: SurfaceDistance,
    dt_s: f64,
) -> Contact {
    let near = SurfaceDistance {
        normal: solid.world_from_body * surface.normal,
        ..surface
    };
    let place = OnStrand {
        body: segment.body,
        element: segment.element,
        place: segment.place(fraction),
        centre: point_at(&segment.ends, fraction),
        along: segment.ends[1] - segment.ends[0],
        radius_m: segment.radius_m,
        sections: segment.sections,
    };
    place.contact(solid, &near, slot, dt_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Side, SolidSide};
    use crate::geometry::{Along, Sections};
    use nalgebra::{Isometry3, Point3, Vector3};

    fn solid(shape: Shape) -> SolidProxy {
        SolidProxy {
            solid: 3,
            shape,
            world_from_body: Isometry3::identity(),
            linear_m_s: Vector3::zeros(),
            angular_rad_s: Vector3::new(0.0, 2.0, 0.0),
        }
    }

    fn piece(a: [f64; 3], b: [f64; 3]) -> SegmentProxy {
        SegmentProxy {
            body: 0,
            element: 5,
            last: true,
            span: [5.0, 6.0],
            along: Along {
                from_m: 0.0,
                to_m: 1.0,
                round_m: 0.0,
            },
            ends: [Point3::from(a), Point3::from(b)],
            velocities: [Vector3::zeros(); 2],
            radius_m: 0.01,
            sections: Sections::Edges,
        }
    }

    fn found(shape: Shape, segment: SegmentProxy) -> Vec<Contact> {
        let mut out = Vec::new();
        detect(
            &ProxySet {
                segments: vec![segment],
                solids: vec![solid(shape)],
                ..ProxySet::default()
            },
            1e-3,
            &mut Vec::new(),
            &mut out,
        );
        out
    }

    #[test]
    fn a_piece_on_a_plane_rests_on_both_nodes() {
        let contacts = found(Shape::Plane, piece([0.0, 0.01, 0.0], [0.1, 0.01, 0.0]));
        assert_eq!(contacts.len(), 2);
        assert!(
            contacts
                .iter()
                .all(|c| c.gap.abs() < 1e-15 && c.basis.column(0) == Vector3::y())
        );
    }

    #[test]
    fn a_piece_across_each_round_or_edged_solid_touches_inside() {
        let shapes = [
            (Shape::Sphere { radius_m: 0.1 }, 0.1),
            (
                Shape::Capsule {
                    radius_m: 0.1,
                    half_length_m: 0.2,
                },
                0.3,
            ),
            (
                Shape::Box {
                    half_extents_m: [0.05, 0.2, 0.05],
                },
                0.2,
            ),
            (
                Shape::Cylinder {
                    radius_m: 0.05,
                    half_length_m: 0.2,
                },
                0.2,
            ),
        ];
        for (shape, top) in shapes {
            let contacts = found(
                shape.clone(),
                piece([-1.0, top + 0.005, 0.01], [1.0, top + 0.005, 0.01]),
            );
            // A flat top has no clear minimum inside: its edges are as close. The round ones have one.
            if let Some(c) = contacts.first() {
                assert!(c.gap < 0.0 && c.gap > -0.0061, "{shape:?} {}", c.gap);
                assert!(c.basis.column(0).y > 0.9, "{shape:?}");
            } else {
                panic!("{shape:?} is not touched");
            }
        }
    }

    #[test]
    fn a_node_beside_a_thin_bar_does_not_tilt_the_normal() {
        let bar = Shape::Capsule {
            radius_m: 0.01,
            half_length_m: 0.2,
        };
        // The bar stands along y; the piece passes it along z, and touches it beside its nodes.
        for beside in [0.0, 1e-4, 1e-3, 3e-3, 5e-3, 0.01, 0.025, 0.045, 0.049] {
            let ends = [-beside, 0.05 - beside].map(|z| [0.02, 0.0, z]);
            let contacts = found(bar.clone(), piece(ends[0], ends[1]));
            let touching: Vec<_> = contacts.iter().filter(|c| c.gap < 1e-6).collect();
            assert_eq!(touching.len(), 1, "{beside}");
            let normal = touching[0].basis.column(0);
            assert!((normal.x - 1.0).abs() < 1e-9, "{beside}: {normal}");
            assert!(touching[0].gap.abs() < 1e-12, "{beside}");
        }
    }

    #[test]
    fn the_contact_knows_how_fast_the_solid_moves_there() {
        let contacts = found(
            Shape::Sphere { radius_m: 0.1 },
            piece([0.11, 0.0, -0.5], [0.11, 0.0, 0.5]),
        );
        let Side::Solid(SolidSide {
            velocity, solid: 3, ..
        }) = contacts[0].b
        else {
            panic!("not the solid")
        };
        // In a step of 1 ms the way around is bent by ω² dt/2 times the radius.
        let error = (velocity - Vector3::new(0.0, 0.0, -0.2)).norm();
        assert!(error < 0.5 * 4.0 * 1e-3 * 0.11 + 1e-7, "{velocity}");
    }
}
