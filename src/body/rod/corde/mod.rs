//! CORDE: nodes, and a quaternion to each edge, held together by stiff springs \[Spillmann07\].
//!
//! The unknowns of a node are its position and the angular velocity ω of the edge after it, in the edge's own axes:
//! q⁺ = q ∘ exp(dt ω) to first order, see [`turn`]. Material axes are x = the paper's d₃, along the strand, y = d₁,
//! z = d₂. The step is that of [`super::nodal`], implicit as in \[Daviet11\] or explicit as in the paper.
//!
//! Left out are the gyroscopic torques ω × I ω, ρ I ω² to a length: they count only for strands that spin nearly as fast
//! as their shortest bending waves ring.

mod elasticity;
mod explicit;
mod rest;
mod shape;
mod strain;
#[cfg(test)]
mod tests;
pub mod turn;

use nalgebra::{Point3, UnitQuaternion, Vector3};

pub use rest::Rest;
pub use shape::{Kinematics, State};
pub use strain::Strain;
use turn::Turn;

use super::nodal::{Chain, Nodal, NodalRod};
use crate::body::{RodDesign, StrandState};
use crate::math::RingLdl;
use crate::math::frame::orthonormalise;

/// Half-bandwidth: an edge joins x_k, ω_k, x_{k+1}, a joint ω_k and ω_{k+1}; either spans 9 unknowns.
pub const BAND: usize = 8;

/// A strand of nodes and quaternions.
pub type CordeRod = NodalRod<Rest, BAND>;

impl Nodal<BAND> for Rest {
    const STRIDE: usize = 6;
    const REACH: usize = 2;
    const TURNS_WITH_NODES: bool = false;
    type State = State;
    type Trial = Kinematics;

    fn build(design: &RodDesign, start: &StrandState) -> (Self, State) {
        (Rest::new(design), State::new(start))
    }

    fn chain(&self) -> &Chain {
        &self.chain
    }

    fn edge_inertia(&self, k: usize, out: &mut [f64]) {
        out.copy_from_slice((self.inertia_kg_m * self.chain.length[k]).as_slice());
    }

    fn edge_velocity(&self, _: &State, _: usize, spin: f64, out: &mut [f64]) {
        out.copy_from_slice(&[spin, 0.0, 0.0]);
    }

    fn spin(&self, _: &Kinematics, _: usize, v: &[f64]) -> f64 {
        v[0]
    }

    fn moved(&self, state: &State, v: &[f64], dt: f64, out: &mut Kinematics) {
        state.moved(&self.chain, v, dt, out);
    }

    fn accept(&self, state: &mut State, trial: &Kinematics) {
        state.accept(&self.chain, trial);
    }

    fn nodes(trial: &Kinematics) -> &[Point3<f64>] {
        &trial.x
    }

    fn edge(&self, at: &Kinematics, k: usize) -> (Vector3<f64>, f64) {
        (at.tangent[k], at.length[k])
    }

    fn director(&self, at: &Kinematics, k: usize) -> Vector3<f64> {
        orthonormalise(&(at.turn[k].q * Vector3::y()), &at.tangent[k])
    }

    fn prescribe_turn(
        &self,
        state: &State,
        k: usize,
        frame: &UnitQuaternion<f64>,
        dt: f64,
        fixed: &mut Vec<(usize, f64)>,
    ) {
        let turn = Turn::towards(&state.q[k], &state.tangent[k], frame) / dt;
        fixed.extend((0..3).map(|c| (6 * k + 3 + c, turn[c])));
    }

    fn edge_jacobian(
        &self,
        at: &Kinematics,
        k: usize,
        offset: &Vector3<f64>,
        out: &mut Vec<Vector3<f64>>,
    ) {
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        out.extend(axes.map(|axis| (at.turn[k].q * axis).cross(offset)));
    }

    fn energy(&self, at: &Kinematics) -> f64 {
        self.elastic_energy(at)
    }

    fn add_forces(&self, at: &Kinematics, force: &mut [f64]) {
        self.add_elastic_forces(at, force);
    }

    fn add_stiffness(&self, at: &Kinematics, tensions: &[f64], out: &mut RingLdl<BAND>) {
        self.add_elastic_stiffness(at, tensions, out);
    }

    fn add_internal_friction(&self, at: &Kinematics, v: &[f64], damping_s: f64, force: &mut [f64]) {
        self.add_friction(at, v, damping_s, force);
    }

    fn explicit_step_s(&self) -> Option<f64> {
        Some(self.largest_explicit_step_s())
    }

    fn moments(&self, at: &Kinematics, node: usize) -> [f64; 4] {
        let Some(node) = self.chain.nearest_joint(node) else {
            return [0.0; 4];
        };
        let strain = self.strain(at, node);
        let moment = self.moment(&strain, node);
        let u = strain.u / self.chain.node_length(node);
        [moment.y.hypot(moment.z), moment.x, u.y.hypot(u.z), u.x]
    }

    fn hash(state: &State, feed: &mut dyn FnMut(f64)) {
        state.x.iter().for_each(|x| x.iter().for_each(|&c| feed(c)));
        let quaternions = state.q.iter();
        quaternions.for_each(|q| q.coords.iter().for_each(|&c| feed(c)));
    }

    fn state_bytes(state: &State) -> usize {
        state.bytes()
    }

    fn trial_bytes(trial: &Kinematics) -> usize {
        trial.bytes()
    }
}
