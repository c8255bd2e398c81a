//! Discrete elastic rods [Bergou08; Bergou10]: nodes, edge twists, frames by time-parallel transport.
//!
//! The unknowns of a node are its position and the twist angle γ of the edge after it. The step is that of
//! [`super::nodal`].

mod elasticity;
mod shape;
mod strain;
#[cfg(test)]
mod tests;

use nalgebra::{Point3, UnitQuaternion, Vector3};

pub use elasticity::{BAND, Rest, Stiffness};
pub use shape::{Kinematics, State};
pub use strain::{Bend, Edge};

use super::nodal::{Chain, Nodal, NodalRod};
use crate::body::{RodDesign, StrandState};
use crate::math::RingLdl;
use crate::math::frame::{orthonormalise, parallel_transport, signed_angle};

/// A discrete elastic rod.
pub type DiscreteElasticRod = NodalRod<Rest, BAND>;

impl Nodal<BAND> for Rest {
    const STRIDE: usize = 4;
    const REACH: usize = 2;
    const TURNS_WITH_NODES: bool = true;
    type State = State;
    type Trial = Kinematics;

    fn build(design: &RodDesign, start: &StrandState) -> (Self, State) {
        let chain = Chain::new(design);
        let state = State::new(&chain, start);
        (Rest::new(chain, design), state)
    }

    fn chain(&self) -> &Chain {
        &self.chain
    }

    fn edge_inertia(&self, k: usize, out: &mut [f64]) {
        out[0] = self.chain.section.polar_inertia_kg_m * self.chain.length[k];
    }

    fn edge_velocity(&self, _: &State, _: usize, spin: f64, out: &mut [f64]) {
        out[0] = spin;
    }

    fn spin(&self, _: &Kinematics, _: usize, v: &[f64]) -> f64 {
        v[0]
    }

    fn moved(&self, state: &State, v: &[f64], dt: f64, out: &mut Kinematics) {
        state.moved(&self.chain, v, dt, out);
    }

    fn accept(&self, state: &mut State, trial: &Kinematics) {
        state.accept(trial);
    }

    fn nodes(trial: &Kinematics) -> &[Point3<f64>] {
        &trial.x
    }

    fn edge(&self, at: &Kinematics, k: usize) -> (Vector3<f64>, f64) {
        (at.edge[k].tangent, at.edge[k].length)
    }

    fn director(&self, at: &Kinematics, k: usize) -> Vector3<f64> {
        at.edge[k].m1
    }

    fn prescribe_turn(
        &self,
        state: &State,
        k: usize,
        frame: &UnitQuaternion<f64>,
        dt: f64,
        fixed: &mut Vec<(usize, f64)>,
    ) {
        let (tangent, director) = (frame * Vector3::x(), frame * Vector3::y());
        let carried = parallel_transport(&state.reference[k], &state.tangent[k], &tangent);
        let reference = orthonormalise(&carried, &tangent);
        let wanted = signed_angle(&reference, &director, &tangent);
        // The nearest turn: a clamp that has been wound up many times stays wound.
        let turns = ((state.gamma[k] - wanted) / std::f64::consts::TAU).round();
        let angle = wanted + turns * std::f64::consts::TAU;
        fixed.push((4 * k + 3, (angle - state.gamma[k]) / dt));
    }

    fn edge_jacobian(
        &self,
        at: &Kinematics,
        k: usize,
        offset: &Vector3<f64>,
        out: &mut Vec<Vector3<f64>>,
    ) {
        out.push(at.edge[k].tangent.cross(offset));
    }

    fn energy(&self, at: &Kinematics) -> f64 {
        self.elastic_energy(at)
    }

    fn add_forces(&self, at: &Kinematics, force: &mut [f64]) {
        self.add_elastic_forces(at, force);
    }

    fn add_stiffness(&self, at: &Kinematics, tensions: &[f64], out: &mut RingLdl<BAND>) {
        self.add_elastic_stiffness(at, tensions, Stiffness::Positive, out);
    }

    fn moments(&self, at: &Kinematics, node: usize) -> [f64; 4] {
        let Some(node) = self.chain.nearest_joint(node) else {
            return [0.0; 4];
        };
        let bend = self.bend(at, node);
        let [m1, m2, torque] = self.node_moments(at, node, &bend);
        let l = self.chain.node_length(node);
        [
            m1.hypot(m2),
            torque,
            bend.binormal.norm() / l,
            at.twist(&self.chain, node) / l,
        ]
    }

    fn hash(state: &State, feed: &mut dyn FnMut(f64)) {
        state.x.iter().for_each(|x| x.iter().for_each(|&c| feed(c)));
        let directors = state.reference.iter();
        directors.for_each(|d| d.iter().for_each(|&c| feed(c)));
        state.gamma.iter().for_each(|&c| feed(c));
        state.reference_twist.iter().for_each(|&c| feed(c));
    }

    fn state_bytes(state: &State) -> usize {
        state.bytes()
    }

    fn trial_bytes(trial: &Kinematics) -> usize {
        trial.bytes()
    }
}
