//! The state of a chain of springs, and its kinematics at any trial state near it.
//!
//! Directors serve drawing only: each is carried along in time with its edge, without twist, so that the picture does
//! not flicker. A trial state only notes where to carry them from, since most trials are never drawn.

use nalgebra::{Point3, Vector3};

use super::bend::{Bend, Edge};
use crate::body::StrandState;
use crate::body::rod::nodal::{Chain, part};
use crate::math::frame::{orthonormalise, parallel_transport};

/// A director and the unit tangent it is across.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    tangent: Vector3<f64>,
    director: Vector3<f64>,
}

impl Facing {
    /// Carried along to another tangent.
    fn carried(&self, tangent: &Vector3<f64>) -> Self {
        let carried = parallel_transport(&self.director, &self.tangent, tangent);
        Self {
            tangent: *tangent,
            director: orthonormalise(&carried, tangent),
        }
    }
}

/// An accepted state, without velocities.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Nodes, m; in a ring the first again at the end.
    pub x: Vec<Point3<f64>>,
    /// Where each edge faces.
    facing: Vec<Facing>,
}

/// Edges and joints of a trial state.
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    /// Nodes, m; in a ring the first again at the end.
    pub x: Vec<Point3<f64>>,
    /// Edges.
    pub edge: Vec<Edge>,
    /// Bends of the joints, from the first joint on.
    pub bend: Vec<Bend>,
    /// Where each edge faced in the accepted state.
    facing: Vec<Facing>,
}

impl State {
    /// Memory of its lists.
    pub fn bytes(&self) -> usize {
        size_of_val(self.x.as_slice()) + size_of_val(self.facing.as_slice())
    }
}

impl Kinematics {
    /// Memory of its lists.
    pub fn bytes(&self) -> usize {
        size_of_val(self.x.as_slice())
            + size_of_val(self.edge.as_slice())
            + size_of_val(self.bend.as_slice())
            + size_of_val(self.facing.as_slice())
    }
}

impl Kinematics {
    /// First director of an edge.
    pub fn director(&self, k: usize) -> Vector3<f64> {
        self.facing[k].carried(&self.edge[k].tangent).director
    }
}

impl State {
    /// The state of a strand.
    pub fn new(start: &StrandState) -> Self {
        let facing = |k: usize| {
            let tangent = start.tangent(k);
            Facing {
                tangent,
                director: orthonormalise(&start.directors[k], &tangent),
            }
        };
        Self {
            x: start.nodes.clone(),
            facing: (0..start.directors.len()).map(facing).collect(),
        }
    }

    /// Writes the kinematics of this state moved by `scale` times `motion` (ordered as the unknowns).
    pub fn moved(&self, chain: &Chain, motion: &[f64], scale: f64, out: &mut Kinematics) {
        let nodes = self.x.iter().take(chain.distinct_nodes()).enumerate();
        out.x.clear();
        out.x
            .extend(nodes.map(|(i, x)| x + part(motion, 3 * i) * scale));
        if chain.closed {
            out.x.push(out.x[0]);
        }
        out.edge.clear();
        for (ends, facing) in out.x.windows(2).zip(&self.facing) {
            out.edge
                .push(Edge::new(&(ends[1] - ends[0]), &facing.tangent));
        }
        out.bend.clear();
        if chain.closed {
            out.bend
                .extend(out.edge.last().map(|last| Bend::new(last, &out.edge[0])));
        }
        out.bend.extend(
            out.edge
                .windows(2)
                .map(|pair| Bend::new(&pair[0], &pair[1])),
        );
        out.facing.clone_from(&self.facing);
    }

    /// Takes over a trial state.
    pub fn accept(&mut self, trial: &Kinematics) {
        self.x.copy_from_slice(&trial.x);
        for (facing, edge) in self.facing.iter_mut().zip(&trial.edge) {
            *facing = facing.carried(&edge.tangent);
        }
    }

    /// First director of each edge.
    pub fn directors(&self) -> impl Iterator<Item = &Vector3<f64>> {
        self.facing.iter().map(|facing| &facing.director)
    }
}
