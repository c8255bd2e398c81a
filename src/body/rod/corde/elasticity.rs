//! Elastic energy of a strand of nodes and quaternions, its forces and its stiffness \[Spillmann07\].
//!
//! E = Σ_edges (½ EA l (|e|/l − 1)² + ½ T l |t − d₃(q)|²) + Σ_joints ½ l (u − û)ᵀ diag(GJ, EI₂, EI₁) (u − û),
//!
//! t = e/|e|, T what ties frames to edges; l the rest length of the edge, or half that of a joint's two edges.
//!
//! Within a step t − d₃ depends on how far a frame leaves its edge, ψ_⊥, see [`super::turn`], and its derivatives are
//! taken from there. u changes with the turns dt ω of frames; that it also changes as nodes turn edges by finite angles
//! is left out: these terms vanish with the step, and would widen the matrix from 8 to 14.

use nalgebra::{Matrix3, Vector3};

use super::BAND;
use super::rest::Rest;
use super::shape::Kinematics;
use crate::math::RingLdl;

impl Rest {
    /// Elastic energy, J.
    pub fn elastic_energy(&self, at: &Kinematics) -> f64 {
        let edge = |(k, &l): (usize, &f64)| {
            let stretch = self.chain.section.ea_n * (at.length[k] / l - 1.0).powi(2);
            let astray = at.turn[k].seen - Vector3::x();
            0.5 * l * (stretch + self.tie_n * astray.norm_squared())
        };
        let joint = |i: usize| {
            let strain = self.strain(at, i);
            0.5 * self.moment(&strain, i).dot(&(strain.u - self.u[i]))
        };
        let edges: f64 = self.chain.length.iter().enumerate().map(edge).sum();
        edges + self.chain.joints().map(joint).sum::<f64>()
    }

    /// Adds the elastic forces and torques −∇E.
    pub fn add_elastic_forces(&self, at: &Kinematics, force: &mut [f64]) {
        for (k, &l) in self.chain.length.iter().enumerate() {
            let turn = &at.turn[k];
            // Force and torque are made of the same two small numbers, so that they balance however small these are.
            let torque = Vector3::new(0.0, -turn.seen.z, turn.seen.y) * (self.tie_n * l);
            let pull =
                at.tangent[k] * self.chain.tension(k, at.length[k]) - turn.lever.tr_mul(&torque);
            let [p, q] = [k, k + 1].map(|node| self.chain.unknown(6, node));
            for c in 0..3 {
                force[p + c] += pull[c];
                force[q + c] -= pull[c];
                force[6 * k + 3 + c] += torque[c];
            }
        }
        for i in self.chain.joints() {
            let [e, f] = self.chain.edges_at(i);
            let strain = self.strain(at, i);
            let moment = self.moment(&strain, i);
            let by_turn = strain.jacobian();
            let before = at.turn[e].turning.tr_mul(&(by_turn * moment));
            let after = at.turn[f].turning.tr_mul(&by_turn.tr_mul(&moment));
            for c in 0..3 {
                force[6 * e + 3 + c] += before[c];
                force[6 * f + 3 + c] -= after[c];
            }
        }
    }

    /// Adds a stiffness that is never negative, the edges taken to be under these tensions: products of first
    /// derivatives, and what tight edges resist to turning.
    pub fn add_elastic_stiffness(
        &self,
        at: &Kinematics,
        tensions: &[f64],
        out: &mut RingLdl<BAND>,
    ) {
        for (k, &tension) in tensions.iter().enumerate() {
            self.add_edge_stiffness(at, tension, k, out);
        }
        for i in self.chain.joints() {
            let [e, f] = self.chain.edges_at(i);
            let by_turn = self.strain(at, i).jacobian();
            let stiff = Matrix3::from_diagonal(&(self.stiffness_n_m2 / self.chain.node_length(i)));
            let before = -by_turn.tr_mul(&at.turn[e].turning);
            let after = by_turn * at.turn[f].turning;
            let weighted = stiff * before;
            let [e, f] = [e, f].map(|k| 6 * k + 3);
            add_symmetric(out, e, &before.tr_mul(&weighted));
            add_symmetric(out, f, &after.tr_mul(&(stiff * after)));
            add_block(out, f, e, &after.tr_mul(&weighted));
        }
    }

    fn add_edge_stiffness(&self, at: &Kinematics, tension: f64, k: usize, out: &mut RingLdl<BAND>) {
        let (l, tangent) = (self.chain.length[k], at.tangent[k]);
        let length = at.length[k].max(1e-3 * l);
        // A tight edge resists turning by tension/|e|.
        let turning = (tension / length).max(0.0);
        let along = tangent * tangent.transpose() * (self.chain.section.ea_n / l - turning);
        let coupling = at.turn[k].lever * (self.tie_n * l);
        let block = Matrix3::identity() * turning + along + coupling.tr_mul(&at.turn[k].lever);
        let [p, q] = [k, k + 1].map(|node| self.chain.unknown(6, node));
        add_symmetric(out, p, &block);
        add_symmetric(out, q, &block);
        add_block(out, q, p, &-block);
        let turn = 6 * k + 3;
        add_block(out, turn, p, &-coupling);
        add_block(out, q, turn, &coupling.transpose());
        out.add(turn + 1, turn + 1, self.tie_n * l);
        out.add(turn + 2, turn + 2, self.tie_n * l);
    }
}

/// Adds a symmetric block on the diagonal.
fn add_symmetric(out: &mut RingLdl<BAND>, p: usize, block: &Matrix3<f64>) {
    for i in 0..3 {
        for j in 0..=i {
            out.add(p + i, p + j, block[(i, j)]);
        }
    }
}

/// Adds a block with rows from p and columns from q, and its mirror image.
fn add_block(out: &mut RingLdl<BAND>, p: usize, q: usize, block: &Matrix3<f64>) {
    for i in 0..3 {
        for j in 0..3 {
            out.add(p + i, q + j, block[(i, j)]);
        }
    }
}
