//! The super-helix nearest to a strand that is given by nodes and directors.
//!
//! Nodes stand for points of a smooth curve, so the arc between two of them is longer than the chord: by
//! (θ/2)/sin(θ/2) where the curve turns by θ. Then Σ |x(sⱼ) − nodeⱼ|² + w Σ φⱼ² is made smallest, φ being the angle
//! between the first directors; its weight w is small, as nodes are to be met and twist is to follow.

use nalgebra::{Matrix3, Vector3};

use super::balance::{Load, gather};
use super::chain::{Chain, Layout, Pose};
use super::element::{rotation, rotation_vector};
use super::mass::{Weight, assemble};
use crate::body::StrandState;
use crate::math::DenseLdl;
use crate::math::frame::{orthonormalise, signed_angle};

/// An angle of one radian counts as much as this share of a piece's length.
const ANGLE_SHARE: f64 = 0.02;
/// Attempts of the least-squares iteration.
const MAX_ATTEMPTS: usize = 60;

/// Arc lengths of the nodes of a polyline on a smooth curve, m.
pub fn arcs(nodes: &[nalgebra::Point3<f64>]) -> Vec<f64> {
    let edges: Vec<Vector3<f64>> = nodes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let angles: Vec<f64> = edges
        .windows(2)
        .map(|pair| pair[0].angle(&pair[1]))
        .collect();
    let mut arcs = vec![0.0];
    for (k, edge) in edges.iter().enumerate() {
        let before = k.checked_sub(1).map(|k| angles[k]);
        let after = angles.get(k).copied();
        let turn = match (before, after) {
            (Some(a), Some(b)) => 0.5 * (a + b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => 0.0,
        };
        let half = 0.5 * turn;
        let stretch = if half < 1e-4 {
            1.0 + half * half / 6.0
        } else {
            half / half.sin()
        };
        arcs.push(arcs[k] + edge.norm() * stretch);
    }
    arcs
}

/// The pose nearest to a strand, with the largest distance of a node, m.
pub fn fit(layout: &Layout, strand: &StrandState) -> (Pose, f64) {
    let mut best = Chain {
        pose: first_guess(layout, strand),
        ..Chain::default()
    };
    best.evaluate(layout, &Vector3::zeros());
    let directors = node_directors(strand);
    let goal = Goal {
        layout,
        strand,
        directors: &directors,
        weight: (ANGLE_SHARE * layout.arcs[layout.arcs.len() - 1] / strand.directors.len() as f64)
            .powi(2),
    };
    let mut cost = goal.cost(&best);
    let (mut loads, mut weights) = (Vec::new(), Vec::new());
    let mut gradient = vec![0.0; layout.dofs()];
    let (mut normal, mut trial) = (DenseLdl::default(), Chain::default());
    // Levenberg and Marquardt: the damping falls while attempts succeed.
    let mut damping = 1e-4;
    for _ in 0..MAX_ATTEMPTS {
        goal.loads(&best, &mut loads, &mut weights);
        gather(layout, &best, &loads, &[], &mut gradient);
        assemble(layout, &best, &weights, &mut normal);
        for dof in 0..layout.dofs() {
            normal.row_mut(dof)[dof] *= 1.0 + damping;
        }
        if normal.factor().is_err() {
            break;
        }
        gradient.iter_mut().for_each(|g| *g = -*g);
        normal.solve_one(&mut gradient);
        best.pose.moved(&gradient, 1.0, &mut trial.pose);
        trial.evaluate(layout, &Vector3::zeros());
        let next = goal.cost(&trial);
        if next < cost {
            std::mem::swap(&mut best, &mut trial);
            let gain = (cost - next) / cost;
            cost = next;
            damping = (damping * 0.1).max(1e-12);
            if gain < 1e-6 {
                break;
            }
        } else if damping > 1e3 {
            break;
        } else {
            damping *= 10.0;
        }
    }
    let worst = goal.worst(&best);
    (best.pose, worst)
}

/// What is made smallest.
struct Goal<'a> {
    layout: &'a Layout,
    strand: &'a StrandState,
    directors: &'a [Vector3<f64>],
    weight: f64,
}

impl Goal<'_> {
    /// Displacement of a node from where it should be, and angle of its director.
    fn off(&self, chain: &Chain, node: usize) -> (Vector3<f64>, f64) {
        let spot = &chain.spots[self.layout.nodes[node]];
        let tangent = spot.frame.column(0).into();
        let wanted = orthonormalise(&self.directors[node], &tangent);
        let angle = signed_angle(&wanted, &spot.frame.column(1).into(), &tangent);
        (
            chain.pose.root + spot.x - self.strand.nodes[node].coords,
            angle,
        )
    }

    fn cost(&self, chain: &Chain) -> f64 {
        let part = |node| {
            let (x, angle) = self.off(chain, node);
            x.norm_squared() + self.weight * angle * angle
        };
        (0..self.layout.nodes.len()).map(part).sum()
    }

    fn worst(&self, chain: &Chain) -> f64 {
        (0..self.layout.nodes.len())
            .map(|node| self.off(chain, node).0.norm())
            .fold(0.0, f64::max)
    }

    /// Gradient by the stations, and the weights of JᵀJ.
    fn loads(&self, chain: &Chain, loads: &mut Vec<Load>, weights: &mut Vec<Weight>) {
        let count = self.layout.stations.len();
        loads.clear();
        loads.resize(count, Load::default());
        weights.clear();
        weights.resize(count, Weight::default());
        for (node, &station) in self.layout.nodes.iter().enumerate() {
            let (force, angle) = self.off(chain, node);
            let tangent: Vector3<f64> = chain.spots[station].frame.column(0).into();
            loads[station] = Load {
                force,
                moment: tangent * (self.weight * angle),
            };
            weights[station] = Weight {
                mass: 1.0,
                turn: tangent * tangent.transpose() * self.weight,
            };
        }
    }
}

/// Frame of a piece: its direction and its directors.
fn piece_frame(strand: &StrandState, piece: usize) -> Matrix3<f64> {
    let tangent = strand.tangent(piece);
    let first = orthonormalise(&strand.directors[piece], &tangent);
    Matrix3::from_columns(&[tangent, first, tangent.cross(&first)])
}

/// First directors at the nodes, half-way between those of the pieces.
fn node_directors(strand: &StrandState) -> Vec<Vector3<f64>> {
    let last = strand.directors.len() - 1;
    // Past the first and the last piece the turn of their neighbours goes on.
    let at = |node: usize| {
        let (piece, neighbour, share) = match node {
            _ if last == 0 => return strand.directors[0],
            0 => (0, 1, -0.5),
            node if node > last => (last, last - 1, -0.5),
            node => (node - 1, node, 0.5),
        };
        let (frame, other) = (piece_frame(strand, piece), piece_frame(strand, neighbour));
        let turn = rotation_vector(&(other * frame.transpose()));
        (rotation(&(turn * share)) * frame).column(1).into_owned()
    };
    (0..=last + 1).map(at).collect()
}

/// Mean curvatures from piece to piece, averaged over each element, from the first piece's frame on.
fn first_guess(layout: &Layout, strand: &StrandState) -> Pose {
    let pieces = strand.directors.len();
    let middle = |piece: usize| 0.5 * (layout.arcs[piece] + layout.arcs[piece + 1]);
    let bends: Vec<Vector3<f64>> = (1..pieces)
        .map(|p| {
            let turn = piece_frame(strand, p - 1).transpose() * piece_frame(strand, p);
            rotation_vector(&turn) / (middle(p) - middle(p - 1))
        })
        .collect();
    let total = layout.arcs[pieces];
    // Bend b reaches from the middle of piece b to that of the next; the first and the last, to the ends.
    let from = |b: usize| if b == 0 { 0.0 } else { middle(b) };
    let to = |b: usize| {
        if b + 1 == bends.len() {
            total
        } else {
            middle(b + 1)
        }
    };
    let mean = |element: usize| {
        let (low, high) = (
            element as f64 * layout.length,
            (element + 1) as f64 * layout.length,
        );
        let share = |b: usize| (high.min(to(b)) - low.max(from(b))).max(0.0) / layout.length;
        (0..bends.len()).map(|b| bends[b] * share(b)).sum()
    };
    let back = bends
        .first()
        .map_or_else(Vector3::zeros, |bend| -bend * middle(0));
    Pose {
        root: strand.nodes[0].coords,
        frame: piece_frame(strand, 0) * rotation(&back),
        k: (0..layout.elements).map(mean).collect(),
    }
}
