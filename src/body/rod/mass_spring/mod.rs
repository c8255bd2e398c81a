//! Nodes joined by springs: a chain without material frames [Bertails11, the mass-spring strands compared there].
//!
//! The unknowns are positions alone. Edges resist stretching, joints resist bending, and where the natural shape is
//! curved an edge resists turning the bends at its two ends against each other, which gives a curl its sense of
//! rotation, see [`elasticity`]. Such a strand has no twist: its directors are for drawing. The step is that of
//! [`super::nodal`].

mod bend;
pub mod elasticity;
mod handing_over;
mod rest;
mod shape;
#[cfg(test)]
mod tests;

use nalgebra::{Point3, UnitQuaternion, Vector3};

pub use bend::{Bend, Edge};
pub use rest::{Curl, Rest};
pub use shape::{Kinematics, State};

use super::nodal::{Chain, Nodal, NodalRod};
use crate::body::{Body, RodDesign, StrandState};
use crate::math::RingLdl;
use crate::math::frame::parallel_transport;

/// Half-bandwidth with bending alone, which joins three nodes.
pub const BENDS: usize = 8;
/// Half-bandwidth with curls, which join four.
pub const CURLS: usize = 11;

/// A chain of springs that is naturally straight, or curved in a way that has no sense of rotation.
pub type PlainRod = NodalRod<Rest<BENDS>, BENDS>;
/// A chain of springs with a natural curl.
pub type CurlyRod = NodalRod<Rest<CURLS>, CURLS>;

/// A mass-spring strand of this design that starts like this: the narrower matrix if it has no curls.
pub fn build(design: &RodDesign, start: &StrandState) -> Box<dyn Body> {
    let plain = Rest::<BENDS>::new(design).curls.is_empty();
    if plain {
        Box::new(PlainRod::new(design, start))
    } else {
        Box::new(CurlyRod::new(design, start))
    }
}

impl<const BAND: usize> Nodal<BAND> for Rest<BAND> {
    const STRIDE: usize = 3;
    const REACH: usize = BAND / 3;
    const TURNS_WITH_NODES: bool = true;
    type State = State;
    type Trial = Kinematics;

    fn build(design: &RodDesign, start: &StrandState) -> (Self, State) {
        (Rest::new(design), State::new(start))
    }

    fn chain(&self) -> &Chain {
        &self.chain
    }

    fn edge_inertia(&self, _: usize, _: &mut [f64]) {}

    fn edge_velocity(&self, _: &State, _: usize, _: f64, _: &mut [f64]) {}

    fn spin(&self, _: &Kinematics, _: usize, _: &[f64]) -> f64 {
        0.0
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
        at.director(k)
    }

    fn directors(&self, at: &Kinematics) -> Vec<Vector3<f64>> {
        self.frames(at, &self.director(at, 0))
    }

    /// A section has no turn of its own that could be prescribed. But a curl would swing about a held edge: the next
    /// edge is held as well, taken along by the smallest rotation, so that the bend between them stays where it points. A
    /// clamp that turns about its own edge does not turn the strand.
    fn prescribe_turn(
        &self,
        state: &State,
        k: usize,
        frame: &UnitQuaternion<f64>,
        dt: f64,
        fixed: &mut Vec<(usize, f64)>,
    ) {
        if self.curls.is_empty() || self.chain.edges() < 2 {
            return;
        }
        let last = k + 1 == self.chain.edges() && !self.chain.closed;
        let (pivot, end) = if last { (k, k - 1) } else { (k + 1, k + 2) };
        let at = |node: usize| {
            let node = if self.chain.closed {
                node % self.chain.edges()
            } else {
                node
            };
            (state.x[node], self.chain.unknown(3, node))
        };
        let ((from, first), (to, second)) = (at(pivot), at(end));
        let tangent = (state.x[k + 1] - state.x[k]).normalize();
        let turned = parallel_transport(&(to - from), &tangent, &(frame * Vector3::x()));
        let way = (turned - (to - from)) / dt;
        for c in 0..3 {
            let carried = fixed.iter().find(|(dof, _)| *dof == first + c);
            let v = carried.map_or(0.0, |(_, v)| *v);
            fixed.push((second + c, v + way[c]));
        }
    }

    fn edge_jacobian(&self, _: &Kinematics, _: usize, _: &Vector3<f64>, _: &mut Vec<Vector3<f64>>) {
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

    fn moments(&self, at: &Kinematics, node: usize) -> [f64; 4] {
        let Some(node) = self.chain.nearest_joint(node) else {
            return [0.0; 4];
        };
        let bend = self.bend(at, node);
        let curvature = bend.binormal.norm() / self.chain.node_length(node);
        [self.bending_moment(bend, node).norm(), 0.0, curvature, 0.0]
    }

    fn hash(state: &State, feed: &mut dyn FnMut(f64)) {
        state.x.iter().for_each(|x| x.iter().for_each(|&c| feed(c)));
        state
            .directors()
            .for_each(|d| d.iter().for_each(|&c| feed(c)));
    }

    fn state_bytes(state: &State) -> usize {
        state.bytes()
    }

    fn trial_bytes(trial: &Kinematics) -> usize {
        trial.bytes()
    }
}
