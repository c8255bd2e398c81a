//! The state of a discrete elastic rod, and its kinematics at any trial state near it.
//!
//! Each edge keeps a reference frame that is carried along in time by parallel transport; γ turns it into the
//! material frame. Trial states are always transported from the frames of the last accepted state, so that the
//! result does not depend on the path of the iteration.

use nalgebra::{Point3, Vector3};

use super::strain::Edge;
use crate::body::StrandState;
use crate::body::rod::nodal::Chain;
use crate::math::frame::{orthonormalise, parallel_transport, rotate_about, signed_angle};

/// An accepted state, without velocities.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Nodes, m; in a ring the first again at the end.
    pub x: Vec<Point3<f64>>,
    /// Twist angle of each edge against its reference frame, rad.
    pub gamma: Vec<f64>,
    /// Unit tangent of each edge.
    pub tangent: Vec<Vector3<f64>>,
    /// First reference director of each edge.
    pub reference: Vec<Vector3<f64>>,
    /// Twist of the reference frames at each joint (at free ends it is unused), rad.
    pub reference_twist: Vec<f64>,
}

/// Frames and lengths of a trial state.
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    /// Nodes, m; in a ring the first again at the end.
    pub x: Vec<Point3<f64>>,
    /// Twist angles, rad.
    pub gamma: Vec<f64>,
    /// Edges with their material frames.
    pub edge: Vec<Edge>,
    /// First reference director of each edge.
    pub reference: Vec<Vector3<f64>>,
    /// Twist of the reference frames at each joint, rad.
    pub reference_twist: Vec<f64>,
}

impl State {
    /// Memory of its lists.
    pub fn bytes(&self) -> usize {
        size_of_val(self.x.as_slice())
            + size_of_val(self.gamma.as_slice())
            + size_of_val(self.tangent.as_slice())
            + size_of_val(self.reference.as_slice())
            + size_of_val(self.reference_twist.as_slice())
    }
}

impl Kinematics {
    /// Memory of its lists.
    pub fn bytes(&self) -> usize {
        size_of_val(self.x.as_slice())
            + size_of_val(self.gamma.as_slice())
            + size_of_val(self.edge.as_slice())
            + size_of_val(self.reference.as_slice())
            + size_of_val(self.reference_twist.as_slice())
    }
}

impl State {
    /// The state of a strand: its material frames are the first reference frames.
    pub fn new(chain: &Chain, start: &StrandState) -> Self {
        let edges = chain.edges();
        let tangent: Vec<_> = (0..edges).map(|k| start.tangent(k)).collect();
        let reference = (0..edges)
            .map(|k| orthonormalise(&start.directors[k], &tangent[k]))
            .collect();
        let mut state = Self {
            x: start.nodes.clone(),
            gamma: vec![0.0; edges],
            tangent,
            reference,
            reference_twist: vec![0.0; edges + 1],
        };
        let mut here = Kinematics::default();
        state.moved(chain, &vec![0.0; chain.dofs(4)], 0.0, &mut here);
        state.reference_twist.copy_from_slice(&here.reference_twist);
        state
    }

    /// Writes the kinematics of this state moved by `scale` times `motion` (ordered as the unknowns).
    pub fn moved(&self, chain: &Chain, motion: &[f64], scale: f64, out: &mut Kinematics) {
        let edges = chain.edges();
        out.x.clear();
        out.x.extend(
            self.x
                .iter()
                .zip(motion.chunks(4))
                .map(|(x, d)| x + Vector3::new(d[0], d[1], d[2]) * scale),
        );
        if chain.closed {
            out.x.push(out.x[0]);
        }
        out.gamma.clear();
        out.gamma
            .extend((0..edges).map(|k| self.gamma[k] + scale * motion[4 * k + 3]));
        out.edge.clear();
        out.reference.clear();
        for k in 0..edges {
            let vector = out.x[k + 1] - out.x[k];
            let length = vector.norm();
            let tangent = if length > 0.0 {
                vector / length
            } else {
                self.tangent[k]
            };
            let carried = parallel_transport(&self.reference[k], &self.tangent[k], &tangent);
            let reference = orthonormalise(&carried, &tangent);
            let m1 = rotate_about(&reference, &tangent, out.gamma[k]);
            out.reference.push(reference);
            out.edge.push(Edge {
                length,
                tangent,
                m1,
                m2: tangent.cross(&m1),
            });
        }
        out.reference_twist.clear();
        out.reference_twist.resize(edges + 1, 0.0);
        for i in chain.joints() {
            out.reference_twist[i] = out.twist_between(chain.edges_at(i), self.reference_twist[i]);
        }
    }

    /// Takes over a trial state.
    pub fn accept(&mut self, trial: &Kinematics) {
        self.x.copy_from_slice(&trial.x);
        self.gamma.copy_from_slice(&trial.gamma);
        self.reference.copy_from_slice(&trial.reference);
        self.reference_twist.copy_from_slice(&trial.reference_twist);
        self.tangent
            .iter_mut()
            .zip(&trial.edge)
            .for_each(|(t, edge)| *t = edge.tangent);
    }
}

impl Kinematics {
    /// Reference twist between two edges, continued from `previous` so that it may exceed π.
    fn twist_between(&self, [e, f]: [usize; 2], previous: f64) -> f64 {
        let (te, tf) = (&self.edge[e].tangent, &self.edge[f].tangent);
        let carried = orthonormalise(&parallel_transport(&self.reference[e], te, tf), tf);
        let turned = rotate_about(&carried, tf, previous);
        previous + signed_angle(&turned, &self.reference[f], tf)
    }

    /// Twist τ at joint i, rad.
    pub fn twist(&self, chain: &Chain, i: usize) -> f64 {
        let [e, f] = chain.edges_at(i);
        self.gamma[f] - self.gamma[e] + self.reference_twist[i]
    }
}
