//! A damped spring that pulls at a site between two nodes.

use nalgebra::Vector3;

use super::part;
use crate::body::TwistSpring;

/// A damped spring at a site.
#[derive(Clone, Copy, Debug)]
pub struct Spring {
    /// Which hold it is.
    pub hold: usize,
    /// First unknowns of the two nodes, and their weights.
    pub nodes: [(usize, f64); 2],
    /// Where it pulls to, m.
    pub target: Vector3<f64>,
    /// Where its site is in the state.
    pub here: Vector3<f64>,
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
    /// What turns its edge, with the unknown of that turn.
    pub twist: Option<(usize, TwistSpring)>,
}

impl Spring {
    /// What it adds to A: dt (dt k + c).
    pub fn strength(&self, dt: f64) -> f64 {
        dt * (dt * self.stiffness + self.damping)
    }

    /// The site's share of unknowns.
    pub fn gather(&self, v: &[f64]) -> Vector3<f64> {
        let [(p, wp), (q, wq)] = self.nodes;
        part(v, p) * wp + part(v, q) * wq
    }

    /// Adds a vector at the site to the unknowns.
    pub fn spread(&self, pull: &Vector3<f64>, factor: f64, out: &mut [f64]) {
        for (dof, weight) in self.nodes {
            (0..3).for_each(|c| out[dof + c] += factor * weight * pull[c]);
        }
    }

    /// Its force at the end of a step with velocity `v`, N.
    pub fn force(&self, dt: f64, v: &[f64]) -> Vector3<f64> {
        let speed = self.gather(v);
        (self.target - self.here - speed * dt) * self.stiffness - speed * self.damping
    }
}
