//! Elastic energy of a chain of springs, its forces and its stiffness.
//!
//! E = Σ_edges ½ EA l (|e|/l − 1)² + Σ_joints ½ EI (1 + η²) (s − s⁰)²/l
//!   + Σ_curls ½ (GJ/l) |b₂/κ₂⁰ − Rot(t, θ⁰) b₁/κ₁⁰|²,
//!
//! s = √(|b|² + (η κ⁰)²), s⁰ = √(1 + η²) κ⁰; l the rest length of the edge, or half that of a joint's two edges.
//!
//! Where the rest is straight, s = |b| and the bending energy is ½ EI |b|²/l. Where it is curved, |b| − κ⁰ itself would
//! have a cusp at b = 0, at which no direction is told apart from another; s rounds it off over a share η of κ⁰. The
//! smallest energy stays at |b| = κ⁰, and the factor 1 + η² keeps the stiffness EI there.
//!
//! A curl compares the bends at the ends of an edge, both of which are across it. For a helix, where |b| = κ⁰, it is
//! ½ (GJ/l) (θ − θ⁰)²; it is smooth everywhere, in a straightened strand too.

use nalgebra::{Matrix3, Vector3};

use super::bend::{Bend, Edge};
use super::rest::{Curl, Rest};
use super::shape::Kinematics;
use crate::body::rod::nodal::{Chain, add_edge_block};
use crate::math::RingLdl;

/// η: over which share of the natural bend the cusp at b = 0 is rounded off.
const ROUNDING: f64 = 0.1;
/// 1 + η².
const MAKES_UP: f64 = 1.0 + ROUNDING * ROUNDING;

/// A curl in its present state.
struct Turned {
    edges: [Edge; 3],
    bends: [Bend; 2],
    /// b₂/κ₂⁰ − Rot(t, θ⁰) b₁/κ₁⁰.
    residual: Vector3<f64>,
}

impl<const BAND: usize> Rest<BAND> {
    /// Elastic energy, J.
    pub fn elastic_energy(&self, at: &Kinematics) -> f64 {
        let ea = self.chain.section.ea_n;
        let stretch = |(edge, l): (&Edge, &f64)| 0.5 * ea * l * (edge.length / l - 1.0).powi(2);
        let stretching: f64 = at.edge.iter().zip(&self.chain.length).map(stretch).sum();
        let bend = |i| {
            let [s, rest] = self.rounded(self.bend(at, i), i);
            0.5 * self.bending_stiffness(i) * (s - rest).powi(2)
        };
        let bending: f64 = self.chain.joints().map(bend).sum();
        let curl =
            |curl: &Curl| 0.5 * curl.stiffness * Turned::new(curl, at).residual.norm_squared();
        stretching + bending + self.curls.iter().map(curl).sum::<f64>()
    }

    /// Adds the elastic forces −∇E.
    pub fn add_elastic_forces(&self, at: &Kinematics, force: &mut [f64]) {
        for (k, edge) in at.edge.iter().enumerate() {
            let pull = edge.tangent * self.chain.tension(k, edge.length);
            push_edge(&self.chain, k, &pull, force);
        }
        for i in self.chain.joints() {
            let [e, f] = self.chain.edges_at(i);
            let bend = self.bend(at, i);
            let moment = self.bending_moment(bend, i);
            let [by_e, by_f] = bend.pull_back(&at.edge[e], &at.edge[f], &moment);
            push_edge(&self.chain, e, &by_e, force);
            push_edge(&self.chain, f, &by_f, force);
        }
        for curl in &self.curls {
            let gradient = Turned::new(curl, at).gradient(curl);
            for (k, by_edge) in curl.edges.iter().zip(&gradient) {
                push_edge(&self.chain, *k, by_edge, force);
            }
        }
    }

    /// Adds a stiffness that is never negative, the edges taken to be under these tensions: products of first
    /// derivatives, and what bends beyond their natural size and tight edges resist to turning.
    pub fn add_elastic_stiffness(
        &self,
        at: &Kinematics,
        tensions: &[f64],
        out: &mut RingLdl<BAND>,
    ) {
        // Each edge's own stiffness goes in with that of the joint at its start; an open strand's first has none.
        if !self.chain.closed {
            add_edge_block(out, [0, 3], &self.stretching(at, tensions[0], 0));
        }
        for i in self.chain.joints() {
            let [e, f] = self.chain.edges_at(i);
            let nodes = [e, f, f + 1].map(|node| self.chain.unknown(3, node));
            let bend = self.bend(at, i);
            let [by_e, by_f] = bend.jacobians(&at.edge[e], &at.edge[f]);
            let weighted = self.weigh(bend, i, [by_e, by_f]);
            let ee = by_e.tr_mul(&weighted[0]);
            let fe = by_f.tr_mul(&weighted[0]);
            let ff = by_f.tr_mul(&weighted[1]) + self.stretching(at, tensions[f], f);
            add_joint_blocks(out, nodes, &ee, &fe, &ff);
        }
        for curl in &self.curls {
            let [e, f, g] = curl.edges;
            let nodes = [e, f, g, g + 1].map(|node| self.chain.unknown(3, node));
            let [by_e, by_f, by_g] = Turned::new(curl, at).jacobians(curl);
            let by_node = [-by_e, by_e - by_f, by_f - by_g, by_g];
            add_products(out, &nodes, &by_node, &by_node.map(|j| j * curl.stiffness));
        }
    }

    /// EI (1 + η²)/l of a joint; without η where it is naturally straight.
    #[inline]
    fn bending_stiffness(&self, i: usize) -> f64 {
        if self.kappa[i] == 0.0 {
            self.bending[i]
        } else {
            self.bending[i] * MAKES_UP
        }
    }

    /// Stiffness of an edge against stretching and, when it is tight, against turning.
    #[inline]
    fn stretching(&self, at: &Kinematics, tension: f64, k: usize) -> Matrix3<f64> {
        let (edge, l) = (&at.edge[k], self.chain.length[k]);
        let across = (tension / edge.length.max(1e-3 * l)).max(0.0);
        let along = edge.tangent * (self.chain.section.ea_n / l - across);
        let mut block = along * edge.tangent.transpose();
        (0..3).for_each(|c| block[(c, c)] += across);
        block
    }

    /// Derivatives of b times the stiffness of a joint: against bending more it is EI/l, against turning a bend that is
    /// larger than its natural one the moment over s; a smaller one would give way.
    #[inline]
    fn weigh(&self, bend: &Bend, i: usize, by_edge: [Matrix3<f64>; 2]) -> [Matrix3<f64>; 2] {
        let stiffness = self.bending_stiffness(i);
        if self.kappa[i] == 0.0 {
            return by_edge.map(|j| j * stiffness);
        }
        let [s, rest] = self.rounded(bend, i);
        let turning = (stiffness * (1.0 - rest / s)).max(0.0);
        let b = bend.binormal / s;
        by_edge.map(|j| j * turning + b * (b.tr_mul(&j) * (stiffness - turning)))
    }

    /// s and s⁰ of a joint.
    fn rounded(&self, bend: &Bend, i: usize) -> [f64; 2] {
        let kappa = self.kappa[i];
        let s = (bend.binormal.norm_squared() + (ROUNDING * kappa).powi(2)).sqrt();
        [s, MAKES_UP.sqrt() * kappa]
    }

    /// ∂E/∂b of a joint, N m.
    pub fn bending_moment(&self, bend: &Bend, i: usize) -> Vector3<f64> {
        let stiffness = self.bending_stiffness(i);
        if self.kappa[i] == 0.0 {
            return bend.binormal * stiffness;
        }
        let [s, rest] = self.rounded(bend, i);
        bend.binormal * (stiffness * (1.0 - rest / s))
    }
}

impl Turned {
    fn new(curl: &Curl, at: &Kinematics) -> Self {
        let edges = curl.edges.map(|k| at.edge[k]);
        let bends = [
            Bend::new(&edges[0], &edges[1]),
            Bend::new(&edges[1], &edges[2]),
        ];
        let [one, two] = [0, 1].map(|c| bends[c].binormal * curl.per_bend[c]);
        let [cos, sin] = curl.turn;
        Self {
            residual: two - one * cos - edges[1].tangent.cross(&one) * sin,
            edges,
            bends,
        }
    }

    /// ∂E by the three edges.
    fn gradient(&self, curl: &Curl) -> [Vector3<f64>; 3] {
        let ([e, f, g], [cos, sin]) = (&self.edges, curl.turn);
        let m = self.residual * curl.stiffness;
        let t = &f.tangent;
        let turned_back = (t.cross(&m) * sin - m * cos) * curl.per_bend[0];
        let [by_e, one] = self.bends[0].pull_back(e, f, &turned_back);
        let [two, by_g] = self.bends[1].pull_back(f, g, &(m * curl.per_bend[1]));
        // The axis of the turn follows its edge.
        let axis = self.bends[0].binormal.cross(&m) * (-sin * curl.per_bend[0] * f.per_length);
        [by_e, one + two + axis - t * t.dot(&axis), by_g]
    }

    /// Derivatives of the residual by the three edges.
    fn jacobians(&self, curl: &Curl) -> [Matrix3<f64>; 3] {
        let ([e, f, g], [cos, sin]) = (&self.edges, curl.turn);
        let t = &f.tangent;
        let turn = (Matrix3::identity() * cos + t.cross_matrix() * sin) * -curl.per_bend[0];
        let [by_e, one] = self.bends[0].jacobians(e, f).map(|j| turn * j);
        let [two, by_g] = self.bends[1].jacobians(f, g).map(|j| j * curl.per_bend[1]);
        let b = &self.bends[0].binormal;
        let axis = (b.cross_matrix() - b.cross(t) * t.transpose())
            * (sin * curl.per_bend[0] * f.per_length);
        [by_e, one + two + axis, by_g]
    }
}

/// Adds −∇E for ∂E/∂e of edge k.
#[inline]
fn push_edge(chain: &Chain, k: usize, by_edge: &Vector3<f64>, force: &mut [f64]) {
    let [p, q] = [k, k + 1].map(|node| chain.unknown(3, node));
    for c in 0..3 {
        force[p + c] += by_edge[c];
        force[q + c] -= by_edge[c];
    }
}

/// Adds Jᵀ S J for derivatives J by nodes whose first unknowns are given, and S J.
#[inline]
fn add_products<const N: usize, const BAND: usize>(
    out: &mut RingLdl<BAND>,
    nodes: &[usize; N],
    by_node: &[Matrix3<f64>; N],
    weighted: &[Matrix3<f64>; N],
) {
    for p in 0..N {
        for q in 0..=p {
            let block = by_node[p].tr_mul(&weighted[q]);
            for i in 0..3 {
                for j in 0..if p == q { i + 1 } else { 3 } {
                    out.add(nodes[p] + i, nodes[q] + j, block[(i, j)]);
                }
            }
        }
    }
}

/// Adds the stiffness of a joint, given by its edges, on its three nodes.
#[inline]
fn add_joint_blocks<const BAND: usize>(
    out: &mut RingLdl<BAND>,
    [a, b, c]: [usize; 3],
    ee: &Matrix3<f64>,
    fe: &Matrix3<f64>,
    ff: &Matrix3<f64>,
) {
    for i in 0..3 {
        for j in 0..3 {
            let (x, y, z) = (ee[(i, j)], fe[(i, j)], ff[(i, j)]);
            if j <= i {
                out.add(a + i, a + j, x);
                out.add(b + i, b + j, x - y - fe[(j, i)] + z);
                out.add(c + i, c + j, z);
            }
            out.add(b + i, a + j, y - x);
            out.add(c + i, a + j, -y);
            out.add(c + i, b + j, y - z);
        }
    }
}
