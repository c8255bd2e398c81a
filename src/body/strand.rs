//! Where a strand is and how it moves, in terms that every model understands: how a strand starts, and what is carried
//! over when its model is changed.

use nalgebra::{Point3, Vector3};

use super::RodDesign;
use crate::math::frame::{orthonormalise, parallel_transport, rotate_about, signed_angle};

/// Shape and motion of a strand, piece by piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrandState {
    /// Nodes, m; a closed strand's first is repeated at the end.
    pub nodes: Vec<Point3<f64>>,
    /// First material director of each piece: a unit vector across it.
    pub directors: Vec<Vector3<f64>>,
    /// Velocity of each node, m/s.
    pub velocities: Vec<Vector3<f64>>,
    /// Turn of each piece about its tangent, rad/s.
    pub spins: Vec<f64>,
}

impl StrandState {
    /// A strand along its described centreline, moving as a whole at `velocity`. Its frames have the natural twist, if it
    /// is told, and none else; those of a loop, what closes them.
    pub fn along(design: &RodDesign, velocity: &Vector3<f64>) -> Self {
        let nodes = design.centreline.clone();
        let pieces = design.pieces();
        let tangents: Vec<_> = nodes
            .windows(2)
            .map(|p| (p[1] - p[0]).normalize())
            .collect();
        let facing = design.facing.unwrap_or_else(Vector3::z);
        let mut directors: Vec<Vector3<f64>> = Vec::with_capacity(pieces);
        directors.push(orthonormalise(&facing, &tangents[0]));
        for k in 1..pieces {
            let carried = parallel_transport(&directors[k - 1], &tangents[k - 1], &tangents[k]);
            directors.push(orthonormalise(&carried, &tangents[k]));
        }
        if !design.closed {
            wind(design, &tangents, &mut directors);
        } else {
            // Carried once around, a frame comes back turned: joined, the ends share that turn as an even twist.
            let (last, first) = (&tangents[pieces - 1], &tangents[0]);
            let around = orthonormalise(
                &parallel_transport(&directors[pieces - 1], last, first),
                first,
            );
            let turn = signed_angle(&around, &directors[0], first);
            for (k, director) in directors.iter_mut().enumerate() {
                *director = rotate_about(director, &tangents[k], turn * k as f64 / pieces as f64);
            }
        }
        Self {
            velocities: vec![*velocity; nodes.len()],
            spins: vec![0.0; pieces],
            nodes,
            directors,
        }
    }

    /// Unit tangent of a piece.
    pub fn tangent(&self, piece: usize) -> Vector3<f64> {
        (self.nodes[piece + 1] - self.nodes[piece]).normalize()
    }
}

/// Turns directors about their tangents by the natural twist from the strand's start to the middles of their pieces.
fn wind(design: &RodDesign, tangents: &[Vector3<f64>], directors: &mut [Vector3<f64>]) {
    let lengths = design.lengths();
    let total: f64 = lengths.iter().sum();
    let (mut angle, mut before, mut start) = (0.0, 0.0, 0.0);
    for (k, length) in lengths.iter().enumerate() {
        let middle = start + 0.5 * length;
        let [_, _, twist] = design.natural.mean(before / total, middle / total);
        angle += twist * (middle - before);
        directors[k] = rotate_about(&directors[k], &tangents[k], angle);
        (before, start) = (middle, start + length);
    }
}
