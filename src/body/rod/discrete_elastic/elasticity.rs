//! Elastic energy of a discrete elastic rod, its forces and its stiffness [Bergou10; Li25].
//!
//! E = Σ_edges ½ EA l (|e|/l − 1)² + Σ_nodes (½ EI |κ − κ⁰|² + ½ GJ (τ − τ⁰)²)/l,
//! l the rest length of the edge, or half that of a node's two edges.

use nalgebra::{Matrix3, Vector3};

use super::shape::{Kinematics, State, dof_count};
use super::strain::{Bend, Gradient, Hessian};
use crate::body::{NaturalShape, Section};
use crate::math::BandedLdl;

/// Half-bandwidth: a node's stencil x_{i-1} γ x_i γ x_{i+1} spans 11 unknowns.
pub const BAND: usize = 10;

/// Which second derivatives go into the stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stiffness {
    /// All: the exact Hessian, indefinite near buckling. What finite differences and stability limits are held against.
    Exact,
    /// Products of first derivatives only, and no softening by compression: never negative.
    Positive,
}

/// The unloaded shape and the stiffness of the section.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Section of the rod.
    pub section: Section,
    /// Rest length of each edge, m.
    pub length: Vec<f64>,
    /// Natural integrated curvature κ⁰ of each node.
    pub kappa: Vec<[f64; 2]>,
    /// Natural integrated twist τ⁰ of each node, rad.
    pub twist: Vec<f64>,
}

impl Rest {
    /// The rest shape of a rod that starts in `state`: its edges are as long as they are there.
    pub fn new(section: Section, state: &State, natural: NaturalShape) -> Self {
        let mut here = Kinematics::default();
        state.moved(&vec![0.0; dof_count(state.edges())], 0.0, &mut here);
        let length: Vec<f64> = here.edge.iter().map(|edge| edge.length).collect();
        let nodes = here.x.len();
        let mut rest = Self {
            section,
            length,
            kappa: vec![[0.0; 2]; nodes],
            twist: vec![0.0; nodes],
        };
        for i in 1..nodes - 1 {
            let l = rest.node_length(i);
            match natural {
                NaturalShape::Straight => {}
                NaturalShape::AsGiven => {
                    rest.kappa[i] = Bend::new(&here.edge[i - 1], &here.edge[i]).kappa;
                    rest.twist[i] = here.twist(i);
                }
                NaturalShape::Helical {
                    curvature_per_m,
                    twist_rad_m,
                } => {
                    // Two edges of a circle's polygon turn by φ = l/R; their integrated curvature is 2 tan(φ/2).
                    rest.kappa[i] = [2.0 * (0.5 * curvature_per_m * l).tan(), 0.0];
                    rest.twist[i] = twist_rad_m * l;
                }
            }
        }
        rest
    }

    /// Length of rod that belongs to node i, m.
    pub fn node_length(&self, i: usize) -> f64 {
        let before = if i > 0 { self.length[i - 1] } else { 0.0 };
        let after = self.length.get(i).copied().unwrap_or(0.0);
        0.5 * (before + after)
    }

    /// Elastic energy, J.
    pub fn energy(&self, at: &Kinematics) -> f64 {
        let Section {
            ea_n,
            ei_n_m2,
            gj_n_m2,
            ..
        } = self.section;
        let stretch = |(edge, l): (&super::strain::Edge, &f64)| {
            0.5 * ea_n * l * (edge.length / l - 1.0).powi(2)
        };
        let mut energy: f64 = at.edge.iter().zip(&self.length).map(stretch).sum();
        for i in 1..at.edge.len() {
            let kappa = Bend::new(&at.edge[i - 1], &at.edge[i]).kappa;
            let bend =
                (kappa[0] - self.kappa[i][0]).powi(2) + (kappa[1] - self.kappa[i][1]).powi(2);
            let twist = (at.twist(i) - self.twist[i]).powi(2);
            energy += 0.5 * (ei_n_m2 * bend + gj_n_m2 * twist) / self.node_length(i);
        }
        energy
    }

    /// Adds the elastic forces −∇E.
    pub fn add_forces(&self, at: &Kinematics, force: &mut [f64]) {
        for (k, (edge, l)) in at.edge.iter().zip(&self.length).enumerate() {
            let pull = edge.tangent * (self.section.ea_n * (edge.length / l - 1.0));
            for c in 0..3 {
                force[4 * k + c] += pull[c];
                force[4 * k + 4 + c] -= pull[c];
            }
        }
        for i in 1..at.edge.len() {
            scatter_gradient(&self.node_gradient(at, i), &mut force[4 * (i - 1)..], -1.0);
        }
    }

    fn node_gradient(&self, at: &Kinematics, i: usize) -> Gradient {
        let (e, f) = (&at.edge[i - 1], &at.edge[i]);
        let bend = Bend::new(e, f);
        let [m1, m2, torque] = self.moments(at, i, &bend);
        let [g1, g2] = bend.gradients(e, f);
        g1 * m1 + g2 * m2 + bend.twist_gradient(e, f) * torque
    }

    /// Bending moments and twisting moment at node i, N m.
    pub fn moments(&self, at: &Kinematics, i: usize, bend: &Bend) -> [f64; 3] {
        let (ei, gj) = (self.section.ei_n_m2, self.section.gj_n_m2);
        let l = self.node_length(i);
        [
            ei * (bend.kappa[0] - self.kappa[i][0]) / l,
            ei * (bend.kappa[1] - self.kappa[i][1]) / l,
            gj * (at.twist(i) - self.twist[i]) / l,
        ]
    }

    /// Adds the stiffness K = ∇²E, the edges taken to be under these `tensions`: with their own, K is exact.
    pub fn add_stiffness(
        &self,
        at: &Kinematics,
        tensions: &[f64],
        which: Stiffness,
        out: &mut BandedLdl<BAND>,
    ) {
        for (k, (edge, l)) in at.edge.iter().zip(&self.length).enumerate() {
            // A tight edge resists turning by T/|e|; a compressed one gives way.
            let mut across = tensions[k] / edge.length.max(1e-3 * l);
            if which == Stiffness::Positive {
                across = across.max(0.0);
            }
            let along = edge.tangent * edge.tangent.transpose() * (self.section.ea_n / l - across);
            add_edge_block(out, 4 * k, &(Matrix3::identity() * across + along));
        }
        for i in 1..at.edge.len() {
            scatter_hessian(&self.node_hessian(at, i, which), out, 4 * (i - 1));
        }
    }

    fn node_hessian(&self, at: &Kinematics, i: usize, which: Stiffness) -> Hessian {
        let (e, f) = (&at.edge[i - 1], &at.edge[i]);
        let bend = Bend::new(e, f);
        let l = self.node_length(i);
        let [g1, g2] = bend.gradients(e, f);
        let gt = bend.twist_gradient(e, f);
        let mut hessian = outer(&g1, self.section.ei_n_m2 / l);
        hessian += outer(&g2, self.section.ei_n_m2 / l);
        hessian += outer(&gt, self.section.gj_n_m2 / l);
        if which == Stiffness::Exact {
            let [m1, m2, torque] = self.moments(at, i, &bend);
            let [h1, h2] = bend.hessians(e, f);
            hessian += h1 * m1 + h2 * m2 + bend.twist_hessian(e, f) * torque;
        }
        hessian
    }

    /// Tensions of all edges, N.
    pub fn tensions(&self, at: &Kinematics, out: &mut Vec<f64>) {
        out.clear();
        out.extend((0..at.edge.len()).map(|k| self.tension(at, k)));
    }

    /// Tension of edge k, N.
    pub fn tension(&self, at: &Kinematics, k: usize) -> f64 {
        self.section.ea_n * (at.edge[k].length / self.length[k] - 1.0)
    }
}

fn outer(g: &Gradient, factor: f64) -> Hessian {
    g * g.transpose() * factor
}

/// From (e, γ_e, f, γ_f) to (x_{i-1}, γ_e, x_i, γ_f, x_{i+1}): e = x_i − x_{i-1}, f = x_{i+1} − x_i.
fn scatter_gradient(g: &Gradient, force: &mut [f64], factor: f64) {
    for c in 0..3 {
        force[c] -= factor * g[c];
        force[4 + c] += factor * (g[c] - g[4 + c]);
        force[8 + c] += factor * g[4 + c];
    }
    force[3] += factor * g[3];
    force[7] += factor * g[7];
}

/// Where component j of (e, γ_e, f, γ_f) acts among the 11 unknowns, and with which sign.
const SCATTER: [[(usize, f64); 2]; 8] = [
    [(0, -1.0), (4, 1.0)],
    [(1, -1.0), (5, 1.0)],
    [(2, -1.0), (6, 1.0)],
    [(3, 1.0), (3, 0.0)],
    [(4, -1.0), (8, 1.0)],
    [(5, -1.0), (9, 1.0)],
    [(6, -1.0), (10, 1.0)],
    [(7, 1.0), (7, 0.0)],
];

fn scatter_hessian(hessian: &Hessian, out: &mut BandedLdl<BAND>, first: usize) {
    let mut full = [[0.0; 11]; 11];
    for (p, row) in SCATTER.iter().enumerate() {
        for (q, column) in SCATTER.iter().enumerate() {
            let value = hessian[(p, q)];
            for &(i, si) in row {
                for &(j, sj) in column {
                    full[i][j] += si * sj * value;
                }
            }
        }
    }
    for (i, row) in full.iter().enumerate() {
        for (j, value) in row.iter().enumerate().take(i + 1) {
            *out.at_mut(first + i, first + j) += value;
        }
    }
}

/// Adds [[B, −B], [−B, B]] on the two nodes of an edge.
fn add_edge_block(out: &mut BandedLdl<BAND>, first: usize, block: &Matrix3<f64>) {
    for i in 0..3 {
        for j in 0..3 {
            if j <= i {
                *out.at_mut(first + i, first + j) += block[(i, j)];
                *out.at_mut(first + 4 + i, first + 4 + j) += block[(i, j)];
            }
            *out.at_mut(first + 4 + i, first + j) -= block[(i, j)];
        }
    }
}

/// Integrated curvature vector at node i as a bending strength, 1/m.
pub fn curvature(rest: &Rest, at: &Kinematics, i: usize) -> f64 {
    let bend = Bend::new(&at.edge[i - 1], &at.edge[i]);
    Vector3::norm(&bend.binormal) / rest.node_length(i)
}
