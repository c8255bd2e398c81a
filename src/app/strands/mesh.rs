//! The mesh of all tubes: which node, where along its edge, which angle. It changes only with the number of nodes.
//!
//! ```text
//!   start cap      edge 0                edge 1         end cap
//!   -1 … -¼  |  0  ¼  ½  ¾  |  0  ¼  ½  ¾  |  1  |  1¼ … 2      place along the edge
//! ```
//!
//! A strand that stands for a wisp has a tube for each of its hairs; the angles of hair n begin at 2π n, which is how the
//! shader knows it.
//!
//! A loop has no caps: its last ring lies on its first. The more nodes there are, the fewer corners each gets: nobody
//! counts the sides of one hair among two thousand, but the adapter would have to draw them.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use crate::world::{Snapshot, StrandRange};

/// How finely tubes are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Sides of a tube. Sixteen look round up to a hand's width on screen.
    sides: u32,
    /// Rings per edge.
    rings: u32,
    /// Rings of a cap, its pole included.
    cap_rings: u32,
}

impl Detail {
    /// Of one hair among many: thinner than a pixel, but its bends show.
    const OF_HAIR: Self = Self {
        sides: 3,
        rings: 4,
        cap_rings: 1,
    };

    /// As fine as about a million corners allow.
    pub fn for_nodes(nodes: usize) -> Self {
        let [sides, rings, cap_rings] = match nodes {
            0..16_000 => [16, 4, 4],
            16_000..50_000 => [10, 2, 2],
            50_000..120_000 => [7, 1, 1],
            _ => [5, 1, 1],
        };
        Self {
            sides,
            rings,
            cap_rings,
        }
    }
}

/// Corners of the mesh as they are made.
#[derive(Default)]
struct Corners {
    /// Node, place along the edge that starts there, angle.
    keys: Vec<[f32; 3]>,
    /// Strand, arc length from its start.
    places: Vec<[f32; 2]>,
    triangles: Vec<u32>,
}

/// The tubes of all strands, `hairs` for each, and the length of each, m. Never empty, because an empty mesh is an error
/// to Bevy.
pub fn tube_mesh(snapshot: &Snapshot, hairs: usize) -> (Mesh, Vec<f32>) {
    let detail = match hairs {
        0 | 1 => Detail::for_nodes(snapshot.points.len()),
        _ => Detail::OF_HAIR,
    };
    let mut corners = Corners::default();
    let mut lengths = Vec::with_capacity(snapshot.strands.len());
    let mut arcs = Vec::new();
    for (index, strand) in snapshot.strands.iter().enumerate() {
        write_arcs(&mut arcs, snapshot, strand);
        lengths.push(arcs.last().copied().unwrap_or(0.0));
        if strand.count >= 2 {
            for hair in 0..hairs.max(1) {
                corners.add_tube(strand, index, hair, &arcs, detail);
            }
        }
    }
    if corners.keys.is_empty() {
        corners.keys = vec![[0.0; 3]; 3];
        corners.places = vec![[0.0; 2]; 3];
        corners.triangles = vec![0, 1, 2];
    }
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners.keys)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, corners.places)
    .with_inserted_indices(Indices::U32(corners.triangles));
    (mesh, lengths)
}

/// Distance of each node from the start along the strand, as it lies now.
fn write_arcs(arcs: &mut Vec<f32>, snapshot: &Snapshot, strand: &StrandRange) {
    let first = strand.first as usize;
    let points = &snapshot.points[first..first + strand.count as usize];
    let mut arc = 0.0;
    let mut previous = points.first().map(|point| Vec3::from(point.position));
    arcs.clear();
    arcs.extend(points.iter().map(|point| {
        let position = Vec3::from(point.position);
        arc += previous.map_or(0.0, |p| p.distance(position));
        previous = Some(position);
        arc
    }));
}

/// The rings of one strand from pole to pole: node of the edge, place along it.
fn rings(strand: &StrandRange, detail: Detail) -> impl Iterator<Item = (u32, f32)> + use<> {
    let edges = strand.first..strand.first + strand.count - 1;
    let (start, end) = (edges.start, edges.end - 1);
    let cap_rings = if strand.closed { 0 } else { detail.cap_rings };
    let cap = move |ring: u32| ring as f32 / detail.cap_rings as f32;
    let start_cap = (1..=cap_rings).rev().map(move |k| (start, -cap(k)));
    let place = move |k: u32| k as f32 / detail.rings as f32;
    let body = edges.flat_map(move |edge| (0..detail.rings).map(move |k| (edge, place(k))));
    let end_cap = (0..=cap_rings).map(move |k| (end, 1.0 + cap(k)));
    start_cap.chain(body).chain(end_cap)
}

impl Corners {
    fn add_tube(
        &mut self,
        strand: &StrandRange,
        index: usize,
        hair: usize,
        arcs: &[f32],
        detail: Detail,
    ) {
        let sides = detail.sides;
        let first = self.keys.len() as u32;
        for (node, place) in rings(strand, detail) {
            let edge = (node - strand.first) as usize;
            let share = place.clamp(0.0, 1.0);
            let arc = arcs[edge] * (1.0 - share) + arcs[edge + 1] * share;
            for side in 0..sides {
                let turns = hair as f32 + side as f32 / sides as f32;
                let angle = std::f32::consts::TAU * turns;
                self.keys.push([node as f32, place, angle]);
                self.places.push([index as f32, arc]);
            }
        }
        let ring_count = (self.keys.len() as u32 - first) / sides;
        for ring in 0..ring_count - 1 {
            for side in 0..sides {
                // Seen from outside: along the ring, then along the strand, is anticlockwise.
                let a = first + ring * sides + side;
                let b = first + ring * sides + (side + 1) % sides;
                self.triangles
                    .extend([a, b, a + sides, b, b + sides, a + sides]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::{Outline, StrandPoint};

    const FINE: Detail = Detail {
        sides: 16,
        rings: 4,
        cap_rings: 4,
    };

    fn strand(first: u32, count: u32) -> StrandRange {
        StrandRange {
            first,
            count,
            color: [0.0; 3],
            model: RodModel::DiscreteElastic,
            closed: false,
            outline: Outline::Round,
            fixed: false,
        }
    }

    /// Nodes a metre apart.
    fn snapshot(strands: Vec<StrandRange>) -> Snapshot {
        let nodes = strands.iter().map(|strand| strand.count).sum::<u32>();
        let node = |k: u32| StrandPoint {
            position: [k as f32, 0.0, 0.0],
            ..Default::default()
        };
        Snapshot {
            points: (0..nodes).map(node).collect(),
            strands,
            ..Default::default()
        }
    }

    #[test]
    fn rings_run_from_pole_to_pole() {
        let places: Vec<(u32, f32)> = rings(&strand(5, 3), FINE).collect();
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
        let places: Vec<(u32, f32)> = rings(&ring, FINE).collect();
        assert_eq!(places.first(), Some(&(5, 0.0)));
        assert_eq!(places.last(), Some(&(7, 1.0)));
        assert_eq!(places.len(), 3 * FINE.rings as usize + 1);
    }

    #[test]
    fn tubes_never_share_vertices_and_are_closed_around() {
        let (mesh, lengths) = tube_mesh(&snapshot(vec![strand(0, 2), strand(2, 4)]), 1);
        let rings_of =
            |nodes: usize| (nodes - 1) * FINE.rings as usize + 1 + 2 * FINE.cap_rings as usize;
        let sides = FINE.sides as usize;
        assert_eq!(mesh.count_vertices(), (rings_of(2) + rings_of(4)) * sides);
        let quads = (rings_of(2) - 1 + rings_of(4) - 1) * sides;
        assert_eq!(mesh.indices().map(Indices::len), Some(6 * quads));
        assert_eq!(lengths, [1.0, 3.0]);
    }

    #[test]
    fn two_thousand_strands_stay_within_a_million_corners_or_so() {
        for nodes in [1_usize, 15_999, 16_000, 50_000, 120_000, 200_000] {
            let detail = Detail::for_nodes(nodes);
            let corners = nodes * (detail.sides * detail.rings) as usize;
            assert!(corners < 1_100_000, "{nodes} nodes: {corners}");
            assert!(detail.sides >= 5 && detail.cap_rings >= 1);
        }
    }

    #[test]
    fn nothing_to_draw_is_still_a_mesh() {
        assert_eq!(tube_mesh(&Snapshot::default(), 1).0.count_vertices(), 3);
        let dot = snapshot(vec![strand(0, 1)]);
        assert_eq!(tube_mesh(&dot, 1).0.count_vertices(), 3);
    }
}
