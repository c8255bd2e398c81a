//! The state of a discrete elastic rod, and its kinematics at any trial state near it.
//!
//! ```text
//!   node      0         1         2                n
//!             ●────0────●────1────●── ⋯ ──n-1──────●      edge k joins nodes k and k+1
//!   unknowns  x₀ γ₀     x₁ γ₁     x₂ γ₂ ⋯ γ_{n-1}  xₙ     4k: x_k, 4k+3: γ_k; 4n + 3 in all
//! ```
//!
//! Each edge keeps a reference frame that is carried along in time by parallel transport; γ turns it into the
//! material frame. Trial states are always transported from the frames of the last accepted state, so that the
//! result does not depend on the path of the iteration.

use nalgebra::{Point3, Vector3};

use super::strain::Edge;
use crate::math::frame::{orthonormalise, parallel_transport, rotate_about, signed_angle};

/// Unknowns of a rod with so many edges.
pub fn dof_count(edges: usize) -> usize {
    4 * edges + 3
}

/// An accepted state.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Nodes, m.
    pub x: Vec<Point3<f64>>,
    /// Twist angle of each edge against its reference frame, rad.
    pub gamma: Vec<f64>,
    /// Unit tangent of each edge.
    pub tangent: Vec<Vector3<f64>>,
    /// First reference director of each edge.
    pub reference: Vec<Vector3<f64>>,
    /// Twist of the reference frames at each interior node (0 and the last are unused), rad.
    pub reference_twist: Vec<f64>,
    /// Velocities of the unknowns: m/s and rad/s.
    pub v: Vec<f64>,
}

/// Frames and lengths of a trial state.
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    /// Nodes, m.
    pub x: Vec<Point3<f64>>,
    /// Twist angles, rad.
    pub gamma: Vec<f64>,
    /// Edges with their material frames.
    pub edge: Vec<Edge>,
    /// First reference director of each edge.
    pub reference: Vec<Vector3<f64>>,
    /// Twist of the reference frames at each interior node, rad.
    pub reference_twist: Vec<f64>,
}

impl State {
    /// A rod at rest along these nodes, its frames without twist.
    pub fn along(x: &[Point3<f64>]) -> Self {
        let edges = x.len() - 1;
        let tangent: Vec<_> = x.windows(2).map(|p| (p[1] - p[0]).normalize()).collect();
        let mut reference: Vec<Vector3<f64>> = Vec::with_capacity(edges);
        for k in 0..edges {
            let director = match k {
                0 => orthonormalise(&Vector3::z(), &tangent[0]),
                _ => orthonormalise(
                    &parallel_transport(&reference[k - 1], &tangent[k - 1], &tangent[k]),
                    &tangent[k],
                ),
            };
            reference.push(director);
        }
        Self {
            x: x.to_vec(),
            gamma: vec![0.0; edges],
            tangent,
            reference,
            reference_twist: vec![0.0; edges + 1],
            v: vec![0.0; dof_count(edges)],
        }
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.gamma.len()
    }

    /// Writes the kinematics of this state moved by `scale` times `motion` (ordered as the unknowns).
    pub fn moved(&self, motion: &[f64], scale: f64, out: &mut Kinematics) {
        let edges = self.edges();
        out.x.clear();
        out.x.extend(
            self.x
                .iter()
                .zip(motion.chunks(4))
                .map(|(x, d)| x + Vector3::new(d[0], d[1], d[2]) * scale),
        );
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
        for i in 1..edges {
            out.reference_twist[i] = out.twist_between(i, self.reference_twist[i]);
        }
    }

    /// Takes over a trial state. Velocities are left alone.
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
    /// Reference twist at node i, continued from `previous` so that it may exceed π.
    fn twist_between(&self, i: usize, previous: f64) -> f64 {
        let (te, tf) = (&self.edge[i - 1].tangent, &self.edge[i].tangent);
        let carried = orthonormalise(&parallel_transport(&self.reference[i - 1], te, tf), tf);
        let turned = rotate_about(&carried, tf, previous);
        previous + signed_angle(&turned, &self.reference[i], tf)
    }

    /// Twist τ at interior node i, rad.
    pub fn twist(&self, i: usize) -> f64 {
        self.gamma[i] - self.gamma[i - 1] + self.reference_twist[i]
    }
}
