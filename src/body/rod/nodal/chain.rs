//! Lengths, section and numbering of a chain of edges, open or closed.

use crate::body::{NaturalShape, Place, RodDesign, Section, Site};

/// Lengths up to the nodes between pieces of these lengths, m.
pub fn arcs(lengths: &[f64]) -> Vec<f64> {
    let sums = lengths.iter().scan(0.0, |sum, length| {
        *sum += length;
        Some(*sum)
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// Length up to a place, given those up to the nodes, m.
pub fn arc(arcs: &[f64], place: Place) -> f64 {
    let Site { element, fraction } = place.site();
    arcs[element] + (arcs[element + 1] - arcs[element]) * fraction
}

/// A chain of edges.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Section of the rod.
    pub section: Section,
    /// Rest length of each edge, m.
    pub length: Vec<f64>,
    /// Length up to each node, m.
    arcs: Vec<f64>,
    /// Whether the last edge leads back to the first node.
    pub closed: bool,
}

impl Chain {
    /// The chain of a design: its edges are as long as its centreline says.
    pub fn new(design: &RodDesign) -> Self {
        let length = design.lengths();
        Self {
            section: design.section(),
            arcs: arcs(&length),
            length,
            closed: design.closed,
        }
    }

    /// Length up to a place on an edge or on the curve over it, m.
    pub fn arc(&self, place: Place) -> f64 {
        arc(&self.arcs, place)
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.length.len()
    }

    /// Number of nodes, the repeated one of a ring not counted.
    pub fn distinct_nodes(&self) -> usize {
        self.edges() + usize::from(!self.closed)
    }

    /// Number of unknowns: an open chain's last node has no edge after it.
    pub fn dofs(&self, stride: usize) -> usize {
        stride * self.edges() + if self.closed { 0 } else { 3 }
    }

    /// First unknown of a node; the node that closes a ring is its first.
    pub fn unknown(&self, stride: usize, node: usize) -> usize {
        if self.closed && node == self.edges() {
            0
        } else {
            stride * node
        }
    }

    /// Edges before and after a node; at a free end the same.
    pub fn edges_at(&self, node: usize) -> [usize; 2] {
        let edges = self.edges();
        if self.closed {
            [(node + edges - 1) % edges, node % edges]
        } else {
            [node.saturating_sub(1), node.min(edges - 1)]
        }
    }

    /// Nodes at which two edges meet.
    pub fn joints(&self) -> std::ops::Range<usize> {
        if self.closed {
            0..self.edges()
        } else {
            1..self.edges()
        }
    }

    /// The joint whose moments a node shows: a free end has none, and shows its neighbour's, so that colours do not jump.
    pub fn nearest_joint(&self, node: usize) -> Option<usize> {
        let joints = self.joints();
        match (joints.is_empty(), self.closed) {
            (true, _) => None,
            (_, true) => Some(node % joints.end),
            (_, false) => Some(node.clamp(joints.start, joints.end - 1)),
        }
    }

    /// Length of rod that belongs to a node, m.
    pub fn node_length(&self, node: usize) -> f64 {
        let [before, after] = self.edges_at(node);
        let end = !self.closed && (node == 0 || node == self.edges());
        let both = self.length[before] + self.length[after];
        if end { 0.25 * both } else { 0.5 * both }
    }

    /// Natural curvatures and twist of each node, 1/m: the means over its half edges.
    pub fn natural_strains(&self, natural: &NaturalShape) -> Vec<[f64; 3]> {
        let (edges, total) = (self.edges(), self.length.iter().sum::<f64>());
        let mut at = 0.0;
        // Where each edge begins, has its middle, and ends, as shares of the whole length.
        let edge = |l: &f64| {
            let from = at;
            at += l;
            [from, 0.5 * (from + at), at].map(|s| s / total)
        };
        let parts: Vec<[f64; 3]> = self.length.iter().map(edge).collect();
        let last = edges - 1;
        let strain = |node: usize| match node {
            _ if self.closed && node.is_multiple_of(edges) => {
                // The joint of a ring has half of the last edge and half of the first.
                let halves = [
                    natural.mean(parts[last][1], 1.0),
                    natural.mean(0.0, parts[0][1]),
                ];
                let (a, b) = (self.length[last], self.length[0]);
                [0, 1, 2].map(|c| (a * halves[0][c] + b * halves[1][c]) / (a + b))
            }
            0 => natural.mean(0.0, parts[0][1]),
            _ if node > last => natural.mean(parts[last][1], 1.0),
            _ => natural.mean(parts[node - 1][1], parts[node][1]),
        };
        (0..=edges).map(strain).collect()
    }

    /// Tension of an edge of this length, N.
    pub fn tension(&self, k: usize, length: f64) -> f64 {
        self.section.ea_n * (length / self.length[k] - 1.0)
    }
}
