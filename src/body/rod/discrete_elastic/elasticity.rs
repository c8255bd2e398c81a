//! Elastic energy of a discrete elastic rod, its forces and its stiffness [Bergou10; Li25].
//!
//! E = Σ_edges ½ EA l (|e|/l − 1)² + Σ_nodes (½ EI₁ (κ₁ − κ₁⁰)² + ½ EI₂ (κ₂ − κ₂⁰)² + ½ GJ (τ − τ⁰)²)/l,
//! l the rest length of the edge, or half that of a node's two edges.

use nalgebra::Matrix3;

use super::shape::{Kinematics, State};
use super::strain::{Bend, Gradient, Hessian};
use crate::body::rod::nodal::{Chain, add_edge_block};
use crate::body::{NaturalShape, RodDesign, StrandState};
use crate::math::RingLdl;

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
    /// Lengths and section.
    pub chain: Chain,
    /// Natural integrated curvature κ⁰ of each joint.
    pub kappa: Vec<[f64; 2]>,
    /// Natural integrated twist τ⁰ of each joint, rad.
    pub twist: Vec<f64>,
}

impl Rest {
    /// The rest shape of a design.
    pub fn new(chain: Chain, design: &RodDesign) -> Self {
        let nodes = chain.edges() + 1;
        let mut rest = Self {
            kappa: vec![[0.0; 2]; nodes],
            twist: vec![0.0; nodes],
            chain,
        };
        match design.natural {
            NaturalShape::Straight => {}
            NaturalShape::AsGiven => rest.rest_as_given(design),
            NaturalShape::Curved { .. } => {
                let strains = rest.chain.natural_strains(&design.natural);
                for i in rest.chain.joints() {
                    let l = rest.chain.node_length(i);
                    let [k1, k2, twist] = strains[i];
                    // Two edges of a circle's polygon turn by φ = l/R; their integrated curvature is 2 tan(φ/2).
                    let angle = k1.hypot(k2) * l;
                    let longer = if angle > 0.0 {
                        2.0 * (0.5 * angle).tan() / angle
                    } else {
                        1.0
                    };
                    rest.kappa[i] = [k1, k2].map(|k| k * l * longer);
                    rest.twist[i] = twist * l;
                }
            }
        }
        rest
    }

    fn rest_as_given(&mut self, design: &RodDesign) {
        let start = StrandState::along(design, &nalgebra::Vector3::zeros());
        let mut here = Kinematics::default();
        let still = vec![0.0; self.chain.dofs(4)];
        State::new(&self.chain, &start).moved(&self.chain, &still, 0.0, &mut here);
        for i in self.chain.joints() {
            self.kappa[i] = self.bend(&here, i).kappa;
            self.twist[i] = here.twist(&self.chain, i);
        }
    }

    /// The two edges at a joint.
    fn pair<'a>(&self, at: &'a Kinematics, i: usize) -> [&'a super::Edge; 2] {
        self.chain.edges_at(i).map(|k| &at.edge[k])
    }

    /// Bending at a joint.
    pub fn bend(&self, at: &Kinematics, i: usize) -> Bend {
        let [e, f] = self.pair(at, i);
        Bend::new(e, f)
    }

    /// Elastic energy, J.
    pub fn elastic_energy(&self, at: &Kinematics) -> f64 {
        let section = &self.chain.section;
        let stretch = |(edge, l): (&super::Edge, &f64)| {
            0.5 * section.ea_n * l * (edge.length / l - 1.0).powi(2)
        };
        let mut energy: f64 = at.edge.iter().zip(&self.chain.length).map(stretch).sum();
        for i in self.chain.joints() {
            let kappa = self.bend(at, i).kappa;
            let bend: f64 = (0..2)
                .map(|c| section.ei_n_m2[c] * (kappa[c] - self.kappa[i][c]).powi(2))
                .sum();
            let twist = section.gj_n_m2 * (at.twist(&self.chain, i) - self.twist[i]).powi(2);
            energy += 0.5 * (bend + twist) / self.chain.node_length(i);
        }
        energy
    }

    /// Adds the elastic forces −∇E.
    pub fn add_elastic_forces(&self, at: &Kinematics, force: &mut [f64]) {
        for (k, edge) in at.edge.iter().enumerate() {
            let pull = edge.tangent * self.tension(at, k);
            let [p, q] = [k, k + 1].map(|node| self.chain.unknown(4, node));
            for c in 0..3 {
                force[p + c] += pull[c];
                force[q + c] -= pull[c];
            }
        }
        for i in self.chain.joints() {
            let gradient = by_unknowns(&self.node_gradient(at, i));
            for (place, slope) in self.places(i).into_iter().zip(gradient) {
                force[place] -= slope;
            }
        }
    }

    fn node_gradient(&self, at: &Kinematics, i: usize) -> Gradient {
        let [e, f] = self.pair(at, i);
        let bend = Bend::new(e, f);
        let [m1, m2, torque] = self.node_moments(at, i, &bend);
        let [g1, g2] = bend.gradients(e, f);
        g1 * m1 + g2 * m2 + bend.twist_gradient(e, f) * torque
    }

    /// Bending moments and twisting moment at joint i, N m.
    pub fn node_moments(&self, at: &Kinematics, i: usize, bend: &Bend) -> [f64; 3] {
        let section = &self.chain.section;
        let l = self.chain.node_length(i);
        [
            section.ei_n_m2[0] * (bend.kappa[0] - self.kappa[i][0]) / l,
            section.ei_n_m2[1] * (bend.kappa[1] - self.kappa[i][1]) / l,
            section.gj_n_m2 * (at.twist(&self.chain, i) - self.twist[i]) / l,
        ]
    }

    /// Adds the stiffness K = ∇²E, the edges taken to be under these `tensions`: with their own, K is exact.
    pub fn add_elastic_stiffness(
        &self,
        at: &Kinematics,
        tensions: &[f64],
        which: Stiffness,
        out: &mut RingLdl<BAND>,
    ) {
        for (k, (edge, l)) in at.edge.iter().zip(&self.chain.length).enumerate() {
            // A tight edge resists turning by T/|e|; a compressed one gives way.
            let mut across = tensions[k] / edge.length.max(1e-3 * l);
            if which == Stiffness::Positive {
                across = across.max(0.0);
            }
            let stiff = self.chain.section.ea_n / l - across;
            let along = edge.tangent * edge.tangent.transpose() * stiff;
            let nodes = [k, k + 1].map(|node| self.chain.unknown(4, node));
            add_edge_block(out, nodes, &(Matrix3::identity() * across + along));
        }
        for i in self.chain.joints() {
            let mut block = self.products(at, i);
            if which == Stiffness::Exact {
                self.add_curvature_of_strains(at, i, &mut block);
            }
            out.add_block(&self.places(i), &block);
        }
    }

    /// Σ stiffness × (∇strain)(∇strain)ᵀ over the two curvatures and the twist of a joint; lower part.
    fn products(&self, at: &Kinematics, i: usize) -> [[f64; 11]; 11] {
        let [e, f] = self.pair(at, i);
        let bend = Bend::new(e, f);
        let (section, l) = (&self.chain.section, self.chain.node_length(i));
        let [g1, g2] = bend.gradients(e, f);
        let strains = [
            (g1, section.ei_n_m2[0] / l),
            (g2, section.ei_n_m2[1] / l),
            (bend.twist_gradient(e, f), section.gj_n_m2 / l),
        ];
        let mut block = [[0.0; 11]; 11];
        for (gradient, stiffness) in strains {
            // The lower part alone.
            let g = by_unknowns(&gradient);
            for (i, row) in block.iter_mut().enumerate() {
                let factor = stiffness * g[i];
                for (value, b) in row[..=i].iter_mut().zip(g) {
                    *value += factor * b;
                }
            }
        }
        block
    }

    /// Adds Σ moment × ∇²strain.
    fn add_curvature_of_strains(&self, at: &Kinematics, i: usize, block: &mut [[f64; 11]; 11]) {
        let [e, f] = self.pair(at, i);
        let bend = Bend::new(e, f);
        let [m1, m2, torque] = self.node_moments(at, i, &bend);
        let [h1, h2] = bend.hessians(e, f);
        let hessian: Hessian = h1 * m1 + h2 * m2 + bend.twist_hessian(e, f) * torque;
        for (p, row) in SCATTER.iter().enumerate() {
            for (q, column) in SCATTER.iter().enumerate() {
                for &(i, si) in row {
                    for &(j, sj) in column {
                        block[i][j] += si * sj * hessian[(p, q)];
                    }
                }
            }
        }
    }

    /// Tension of edge k, N.
    pub fn tension(&self, at: &Kinematics, k: usize) -> f64 {
        self.chain.tension(k, at.edge[k].length)
    }

    /// Unknowns of the stencil x_{i-1} γ_e x_i γ_f x_{i+1} of a joint.
    fn places(&self, i: usize) -> [usize; 11] {
        let [e, f] = self.chain.edges_at(i);
        let [a, b, c] = [e, f, f + 1].map(|node| self.chain.unknown(4, node));
        [
            a,
            a + 1,
            a + 2,
            4 * e + 3,
            b,
            b + 1,
            b + 2,
            4 * f + 3,
            c,
            c + 1,
            c + 2,
        ]
    }
}

/// Where component j of (e, γ_e, f, γ_f) acts among the 11 unknowns of the stencil, and with which sign:
/// e = x_i − x_{i-1}, f = x_{i+1} − x_i.
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

/// A derivative by (e, γ_e, f, γ_f) as one by the 11 unknowns of the stencil.
fn by_unknowns(g: &Gradient) -> [f64; 11] {
    [
        -g[0],
        -g[1],
        -g[2],
        g[3],
        g[0] - g[4],
        g[1] - g[5],
        g[2] - g[6],
        g[7],
        g[4],
        g[5],
        g[6],
    ]
}
