//! What an explicit step needs: friction inside the strand, and how large the step may be.
//!
//! Friction is that of [Spillmann07, sec. 4.3]: relative velocities along edges and relative turns of neighbours. Its
//! strength is β times the stiffness each of them meets, so β means what it means to an implicit step. What ties frames
//! to edges is not damped: the paper does not, and it would set the step.

use nalgebra::Vector3;

use super::rest::Rest;
use super::shape::Kinematics;
use crate::body::rod::nodal::part;

/// Share of the stability limit that is used: the limit is estimated for small motions about the rest shape.
const SAFETY: f64 = 0.7;

impl Rest {
    /// Adds −β (EA/l) t tᵀ (v_{k+1} − v_k) along edges and −β GᵀK U̇/l at joints.
    pub fn add_friction(&self, at: &Kinematics, v: &[f64], damping_s: f64, force: &mut [f64]) {
        for (k, &l) in self.chain.length.iter().enumerate() {
            let [p, q] = [k, k + 1].map(|node| self.chain.unknown(6, node));
            let t = &at.tangent[k];
            let faster = t.dot(&(part(v, q) - part(v, p)));
            let pull = t * (damping_s * self.chain.section.ea_n / l * faster);
            for c in 0..3 {
                force[p + c] += pull[c];
                force[q + c] -= pull[c];
            }
        }
        for i in self.chain.joints() {
            let [e, f] = self.chain.edges_at(i).map(|k| 6 * k + 3);
            let by_turn = self.strain(at, i).jacobian();
            let rate: Vector3<f64> = by_turn * part(v, f) - by_turn.tr_mul(&part(v, e));
            let moment =
                self.stiffness_n_m2.component_mul(&rate) * (damping_s / self.chain.node_length(i));
            let (before, after) = (by_turn * moment, by_turn.tr_mul(&moment));
            for c in 0..3 {
                force[e + c] += before[c];
                force[f + c] -= after[c];
            }
        }
    }

    /// The largest explicit step that is stable, s.
    ///
    /// A mode of frequency ω damped by β ω² stays bounded while (dt ω)² + 2 β dt ω² < 4. The fastest modes are those in
    /// which neighbours move oppositely: of nodes along the strand, of frames about and across it. The latter also pull
    /// against their edges, and are not damped in that.
    pub fn largest_explicit_step_s(&self) -> f64 {
        let shortest = self
            .chain
            .length
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min);
        let (l2, section) = (shortest * shortest, &self.chain.section);
        let per_line = 4.0 / (section.line_density_kg_m * l2);
        let stretching = per_line * section.ea_n;
        let turning = |c: usize| 4.0 * self.stiffness_n_m2[c] / (self.inertia_kg_m[c] * l2);
        let tie = |c: usize| self.tie_n * (per_line + 1.0 / self.inertia_kg_m[c]);
        let step = |damped: f64, free: f64| {
            // 4 = (damped + free) dt² + 2 β damped dt, solved without cancellation.
            let (sum, drag) = (damped + free, self.damping_s * damped);
            4.0 / (drag + (drag * drag + 4.0 * sum).sqrt())
        };
        let across = [1, 2].map(|c| step(turning(c), tie(c)));
        SAFETY
            * step(stretching, 0.0)
                .min(step(turning(0), 0.0))
                .min(across[0])
                .min(across[1])
    }
}
