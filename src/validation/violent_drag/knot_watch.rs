//! Watches the knot in a strand whose ends are held.
//!
//! Each end is led on straight to the far outside, and there the two are joined. The strand is free to go around its own
//! ends, which may tie or untie it; in any other step the knot must stay what it is.

use nalgebra::{Point3, Vector3};

use crate::geometry::knot::{closed_far_outside, determinant};
use crate::geometry::segment::{MovingSegment, pass_through};

/// The ends are led on as far as this many lengths when the strand is looked for on the way.
const REACH: f64 = 3.0;

/// What is known of the knot.
pub(super) struct KnotWatch {
    nodes: Vec<Point3<f64>>,
    length_m: f64,
    determinant: u64,
    unexplained: u64,
    around_ends: u64,
}

/// Where the first end goes on, and the last.
fn directions() -> [Vector3<f64>; 2] {
    [Vector3::new(0.1, 1.0, 0.05), Vector3::new(0.05, -1.0, -0.1)]
}

impl KnotWatch {
    /// Starts with a strand.
    pub fn new(nodes: &[Point3<f64>]) -> Self {
        Self {
            nodes: nodes.to_vec(),
            length_m: nodes.windows(2).map(|p| (p[1] - p[0]).norm()).sum(),
            determinant: determinant(&closed_far_outside(nodes, directions())),
            unexplained: 0,
            around_ends: 0,
        }
    }

    /// Takes in where the strand is after a step.
    pub fn observe(&mut self, nodes: &[Point3<f64>]) {
        let now = determinant(&closed_far_outside(nodes, directions()));
        if now != self.determinant {
            if self.goes_around_an_end(nodes) {
                self.around_ends += 1;
            } else {
                self.unexplained += 1;
            }
        }
        self.determinant = now;
        self.nodes.clear();
        self.nodes.extend_from_slice(nodes);
    }

    /// Whether a piece passes through what an end is led on by.
    fn goes_around_an_end(&self, nodes: &[Point3<f64>]) -> bool {
        let last = nodes.len() - 1;
        [0, last].into_iter().zip(directions()).any(|(end, way)| {
            let way = way * (REACH * self.length_m);
            let led_on = |x: &Point3<f64>| [*x, x + way];
            let end_moves = MovingSegment {
                from: led_on(&self.nodes[end]),
                to: led_on(&nodes[end]),
            };
            let passes = |k: usize| {
                let piece = MovingSegment {
                    from: [self.nodes[k], self.nodes[k + 1]],
                    to: [nodes[k], nodes[k + 1]],
                };
                pass_through(&piece, &end_moves)
            };
            // The end piece itself hangs on.
            (0..last).filter(|&k| k != end && k + 1 != end).any(passes)
        })
    }

    /// The determinant now.
    pub fn determinant(&self) -> u64 {
        self.determinant
    }

    /// Steps in which it changed although the strand went around no end.
    pub fn unexplained(&self) -> u64 {
        self.unexplained
    }

    /// Steps in which it changed as the strand went around an end.
    pub fn around_ends(&self) -> u64 {
        self.around_ends
    }
}
