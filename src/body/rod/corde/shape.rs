//! The state of a strand of nodes and quaternions, and its kinematics at any trial state near it.

use nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use super::turn::Turn;
use crate::body::StrandState;
use crate::body::rod::nodal::{Chain, part};
use crate::math::frame::orthonormalise;

/// An accepted state, without velocities.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Nodes, m; in a ring the first again at the end.
    pub x: Vec<Point3<f64>>,
    /// From each edge's material axes to the world.
    pub q: Vec<UnitQuaternion<f64>>,
    /// Unit tangent of each edge.
    pub tangent: Vec<Vector3<f64>>,
    /// Length of each edge, m.
    length: Vec<f64>,
    /// Sign of each joint's relative quaternion, see [`super::Strain::between`].
    sign: Vec<f64>,
}

/// Frames and lengths of a trial state.
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    /// Nodes, m; in a ring the first again at the end.
    pub x: Vec<Point3<f64>>,
    /// Frame of each edge and how it came about.
    pub turn: Vec<Turn>,
    /// Unit tangent of each edge.
    pub tangent: Vec<Vector3<f64>>,
    /// Length of each edge, m.
    pub length: Vec<f64>,
    /// Sign of each joint's relative quaternion.
    pub sign: Vec<f64>,
}

impl State {
    /// Memory of its lists.
    pub fn bytes(&self) -> usize {
        size_of_val(self.x.as_slice())
            + size_of_val(self.q.as_slice())
            + size_of_val(self.tangent.as_slice())
            + size_of_val(self.length.as_slice())
            + size_of_val(self.sign.as_slice())
    }
}

impl Kinematics {
    /// Memory of its lists.
    pub fn bytes(&self) -> usize {
        size_of_val(self.x.as_slice())
            + size_of_val(self.turn.as_slice())
            + size_of_val(self.tangent.as_slice())
            + size_of_val(self.length.as_slice())
            + size_of_val(self.sign.as_slice())
    }
}

impl State {
    /// The state of a strand: its joints turn by less than half a turn.
    pub fn new(start: &StrandState) -> Self {
        let edges = start.directors.len();
        let tangent: Vec<_> = (0..edges).map(|k| start.tangent(k)).collect();
        let frame = |k: usize| {
            let d1 = orthonormalise(&start.directors[k], &tangent[k]);
            let axes = Matrix3::from_columns(&[tangent[k], d1, tangent[k].cross(&d1)]);
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
        };
        let q: Vec<_> = (0..edges).map(frame).collect();
        // Joint 0 is one only in a ring; what an open strand has there is not used.
        let before = |i: usize| &q[(i + edges - 1) % edges];
        let sign = (0..edges).map(|i| {
            if before(i).coords.dot(&q[i].coords) < 0.0 {
                -1.0
            } else {
                1.0
            }
        });
        Self {
            x: start.nodes.clone(),
            sign: sign.collect(),
            length: start
                .nodes
                .windows(2)
                .map(|p| (p[1] - p[0]).norm())
                .collect(),
            tangent,
            q,
        }
    }

    /// Writes the kinematics of this state moved by `dt` times `v` (ordered as the unknowns).
    pub fn moved(&self, chain: &Chain, v: &[f64], dt: f64, out: &mut Kinematics) {
        let nodes = self.x.iter().take(chain.distinct_nodes()).enumerate();
        out.x.clear();
        out.x.extend(nodes.map(|(i, x)| x + part(v, 6 * i) * dt));
        if chain.closed {
            out.x.push(out.x[0]);
        }
        out.tangent.clear();
        out.length.clear();
        out.turn.clear();
        for (k, ends) in out.x.windows(2).enumerate() {
            let vector = ends[1] - ends[0];
            let length = vector.norm();
            let tangent = if length > 0.0 {
                vector / length
            } else {
                self.tangent[k]
            };
            let change = (part(v, chain.unknown(6, k + 1)) - part(v, 6 * k)) * dt;
            let before = (&self.q[k], &self.tangent[k], self.length[k]);
            let theta = part(v, 6 * k + 3) * dt;
            out.turn
                .push(Turn::new(before, (&change, &tangent), &theta));
            out.tangent.push(tangent);
            out.length.push(length);
        }
        out.sign.clear();
        out.sign.extend_from_slice(&self.sign);
    }

    /// Takes over a trial state of this chain.
    pub fn accept(&mut self, chain: &Chain, trial: &Kinematics) {
        self.x.copy_from_slice(&trial.x);
        self.tangent.copy_from_slice(&trial.tangent);
        // An edge that has shrunk to nothing must not turn its frame infinitely fast when it grows again.
        let lengths = self.length.iter_mut().zip(&trial.length);
        let lengths = lengths.zip(&chain.length);
        lengths.for_each(|((mine, l), rest)| *mine = l.max(1e-3 * rest));
        let frames = self.q.iter_mut().zip(&trial.turn);
        frames.for_each(|(q, turn)| *q = turn.q);
    }
}
