//! The mesh of all tubes: which node, where along its edge, which angle. It changes only with the number of nodes.
//!
//! ```text
//!   start cap      edge 0                edge 1         end cap
//!   -1 … -¼  |  0  ¼  ½  ¾  |  0  ¼  ½  ¾  |  1  |  1¼ … 2      place along the edge
//! ```
//!
//! A loop has no caps: its last ring lies on its first.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use crate::world::StrandRange;

/// Sides of a tube. Sixteen look round up to a hand's width on screen.
const SIDES: u32 = 16;
/// Rings per edge.
const RINGS: u32 = 4;
/// Rings of a cap, its pole included.
const CAP_RINGS: u32 = 4;

/// The tubes of all strands. Never empty, because an empty mesh is an error to Bevy.
pub fn tube_mesh(strands: &[StrandRange]) -> Mesh {
    let mut keys: Vec<[f32; 3]> = Vec::new();
    let mut indices: Vec<u32> = Vec::new();
    for strand in strands.iter().filter(|strand| strand.count >= 2) {
        add_tube(&mut keys, &mut indices, strand);
    }
    if keys.is_empty() {
        keys = vec![[0.0; 3]; 3];
        indices = vec![0, 1, 2];
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, keys)
    .with_inserted_indices(Indices::U32(indices))
}

/// The rings of one strand from pole to pole: node of the edge, place along it.
fn rings(strand: &StrandRange) -> impl Iterator<Item = (u32, f32)> {
    let edges = strand.first..strand.first + strand.count - 1;
    let (start, end) = (edges.start, edges.end - 1);
    let cap_rings = if strand.closed { 0 } else { CAP_RINGS };
    let cap = |ring: u32| ring as f32 / CAP_RINGS as f32;
    let start_cap = (1..=cap_rings).rev().map(move |k| (start, -cap(k)));
    let body = edges.flat_map(|edge| (0..RINGS).map(move |k| (edge, k as f32 / RINGS as f32)));
    let end_cap = (0..=cap_rings).map(move |k| (end, 1.0 + cap(k)));
    start_cap.chain(body).chain(end_cap)
}

fn add_tube(keys: &mut Vec<[f32; 3]>, indices: &mut Vec<u32>, strand: &StrandRange) {
    let first = keys.len() as u32;
    for (node, place) in rings(strand) {
        for side in 0..SIDES {
            let angle = std::f32::consts::TAU * side as f32 / SIDES as f32;
            keys.push([node as f32, place, angle]);
        }
    }
    let ring_count = (keys.len() as u32 - first) / SIDES;
    for ring in 0..ring_count - 1 {
        for side in 0..SIDES {
            // Seen from outside: along the ring, then along the strand, is anticlockwise.
            let a = first + ring * SIDES + side;
            let b = first + ring * SIDES + (side + 1) % SIDES;
            indices.extend([a, b, a + SIDES, b, b + SIDES, a + SIDES]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::Outline;

    fn strand(first: u32, count: u32) -> StrandRange {
        StrandRange {
            first,
            count,
            color: [0.0; 3],
            model: RodModel::DiscreteElastic,
            closed: false,
            outline: Outline::Round,
        }
    }

    #[test]
    fn rings_run_from_pole_to_pole() {
        let places: Vec<(u32, f32)> = rings(&strand(5, 3)).collect();
        assert_eq!(places.first(), Some(&(5, -1.0)));
        assert_eq!(places.last(), Some(&(6, 2.0)));
        let along: Vec<f32> = places
            .iter()
            .map(|(node, place)| *node as f32 + place)
            .collect();
        assert!(along.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_loop_has_no_caps_and_ends_where_it_begins() {
        let ring = StrandRange {
            closed: true,
            ..strand(5, 4)
        };
        let places: Vec<(u32, f32)> = rings(&ring).collect();
        assert_eq!(places.first(), Some(&(5, 0.0)));
        assert_eq!(places.last(), Some(&(7, 1.0)));
        assert_eq!(places.len(), 3 * RINGS as usize + 1);
    }

    #[test]
    fn tubes_never_share_vertices_and_are_closed_around() {
        let mesh = tube_mesh(&[strand(0, 2), strand(2, 4)]);
        let rings_of = |nodes: usize| (nodes - 1) * RINGS as usize + 1 + 2 * CAP_RINGS as usize;
        let vertices = (rings_of(2) + rings_of(4)) * SIDES as usize;
        assert_eq!(mesh.count_vertices(), vertices);
        let quads = (rings_of(2) - 1 + rings_of(4) - 1) * SIDES as usize;
        assert_eq!(mesh.indices().map(Indices::len), Some(6 * quads));
    }

    #[test]
    fn nothing_to_draw_is_still_a_mesh() {
        assert_eq!(tube_mesh(&[]).count_vertices(), 3);
        assert_eq!(tube_mesh(&[strand(0, 1)]).count_vertices(), 3);
    }
}
