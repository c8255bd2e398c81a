//! What a model with nodes must say of itself.

use std::fmt::Debug;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::Chain;
use crate::body::{RodDesign, StrandState};
use crate::math::RingLdl;

/// A model with nodes. The implementing type holds what is fixed: lengths, stiffness, rest shape.
pub trait Nodal<const BAND: usize>: Clone + Debug + Send + Sync + 'static {
    /// Unknowns of a node and the edge after it.
    const STRIDE: usize;
    /// So many nodes on, unknowns no longer couple.
    const REACH: usize;
    /// Positions, frames and whatever else a state has besides velocities.
    type State: Clone + Debug + Send + Sync + 'static;
    /// Positions, frames and lengths of a trial state.
    type Trial: Clone + Debug + Default + Send + Sync + 'static;

    /// The model and its state, from the description and from where it starts.
    fn build(design: &RodDesign, start: &StrandState) -> (Self, Self::State);
    /// Lengths and section.
    fn chain(&self) -> &Chain;
    /// Lumped inertia of the unknowns of edge k besides positions: kg m².
    fn edge_inertia(&self, k: usize, out: &mut [f64]);
    /// Velocities of the unknowns of edge k besides positions, for a turn about the tangent, rad/s.
    fn edge_velocity(&self, state: &Self::State, k: usize, spin: f64, out: &mut [f64]);
    /// Turn about the tangent, rad/s, for velocities of the unknowns of edge k.
    fn spin(&self, at: &Self::Trial, k: usize, v: &[f64]) -> f64;

    /// Writes the state moved by `dt` times `v`.
    fn moved(&self, state: &Self::State, v: &[f64], dt: f64, out: &mut Self::Trial);
    /// Makes a trial state the state.
    fn accept(&self, state: &mut Self::State, trial: &Self::Trial);
    /// Nodes of a trial state; in a ring the first again at the end.
    fn nodes(trial: &Self::Trial) -> &[Point3<f64>];
    /// Unit tangent and length of an edge.
    fn edge(&self, at: &Self::Trial, k: usize) -> (Vector3<f64>, f64);
    /// First material director of an edge.
    fn director(&self, at: &Self::Trial, k: usize) -> Vector3<f64>;
    /// First material directors of all edges, for another model to take over.
    fn directors(&self, at: &Self::Trial) -> Vec<Vector3<f64>> {
        let edges = 0..self.chain().edges();
        edges.map(|k| self.director(at, k)).collect()
    }
    /// The velocities besides positions that turn edge k to this frame within `dt`: unknown and velocity.
    fn prescribe_turn(
        &self,
        state: &Self::State,
        k: usize,
        frame: &UnitQuaternion<f64>,
        dt: f64,
        fixed: &mut Vec<(usize, f64)>,
    );
    /// Appends how the unknowns of edge k besides positions move its surface at `offset`.
    fn edge_jacobian(
        &self,
        at: &Self::Trial,
        k: usize,
        offset: &Vector3<f64>,
        out: &mut Vec<Vector3<f64>>,
    );
    /// Whether a surface point also turns across the edge with its two nodes; not where edges have frames of their own.
    const TURNS_WITH_NODES: bool;

    /// Elastic energy, J.
    fn energy(&self, at: &Self::Trial) -> f64;
    /// Adds the elastic forces −∇E.
    fn add_forces(&self, at: &Self::Trial, force: &mut [f64]);
    /// Adds a stiffness that is never negative, the edges taken to be under these tensions.
    fn add_stiffness(&self, at: &Self::Trial, tensions: &[f64], out: &mut RingLdl<BAND>);
    /// Adds forces of friction inside the rod that an explicit step needs, where stiffness-proportional damping has no
    /// stiffness to be proportional to.
    fn add_internal_friction(
        &self,
        _at: &Self::Trial,
        _v: &[f64],
        _damping_s: f64,
        _force: &mut [f64],
    ) {
    }
    /// The largest explicit step that is stable, s; none for a model that takes implicit steps only.
    fn explicit_step_s(&self) -> Option<f64> {
        None
    }

    /// Bending moment, twisting moment, curvature and twist at a node.
    fn moments(&self, at: &Self::Trial, node: usize) -> [f64; 4];
    /// Feeds every bit of the state.
    fn hash(state: &Self::State, feed: &mut dyn FnMut(f64));
    /// Memory of the lists in a state.
    fn state_bytes(state: &Self::State) -> usize;
    /// Memory of the lists in a trial state.
    fn trial_bytes(trial: &Self::Trial) -> usize;
}
