//! Discrete elastic rods [Bergou08; Bergou10]: nodes, edge twists, frames by time-parallel transport.
//!
//! The step is implicit Euler, linearised: at a guess q of the end of the step,
//!
//! A v⁺ = M vₙ + dt (F(q) + K (q − qₙ)),  A = (1 + α dt) M + dt (dt + β) K,
//!
//! with α, β the Rayleigh damping and K the part of the stiffness that is never negative. A is banded. Linearising again
//! at the result converges to the implicit step itself.

mod elasticity;
mod shape;
mod step;
mod strain;
#[cfg(test)]
mod tests;

use std::hash::Hasher;

use nalgebra::{Point3, Vector3};

pub use elasticity::{BAND, Rest, Stiffness};
pub use shape::{Kinematics, State, dof_count};
use step::Workspace;
pub use strain::{Bend, Edge};

use super::super::{Body, Columns, Constraint, NaturalShape, NotFinite, Probe, RodMaterial, Site};

/// A discrete elastic rod.
#[derive(Clone, Debug)]
pub struct DiscreteElasticRod {
    material: RodMaterial,
    rest: Rest,
    state: State,
    /// Lumped mass of each unknown: kg, and kg m² for twists.
    mass: Vec<f64>,
    /// Frames and lengths of the state, for measurements.
    present: Kinematics,
    step: Workspace,
}

impl DiscreteElasticRod {
    /// A rod along `centreline` (at least two nodes, none repeated) moving as a whole at `velocity`.
    pub fn new(
        centreline: &[Point3<f64>],
        radius_m: f64,
        material: RodMaterial,
        natural: NaturalShape,
        velocity: &Vector3<f64>,
    ) -> Self {
        let mut state = State::along(centreline);
        for node in 0..centreline.len() {
            (0..3).for_each(|c| state.v[4 * node + c] = velocity[c]);
        }
        let rest = Rest::new(material.round_section(radius_m), &state, natural);
        let mass = lumped_mass(&rest);
        let mut present = Kinematics::default();
        state.moved(&vec![0.0; mass.len()], 0.0, &mut present);
        Self {
            material,
            rest,
            state,
            mass,
            present,
            step: Workspace::default(),
        }
    }

    /// The accepted state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The unloaded shape.
    pub fn rest(&self) -> &Rest {
        &self.rest
    }
}

fn lumped_mass(rest: &Rest) -> Vec<f64> {
    let edges = rest.length.len();
    (0..dof_count(edges))
        .map(|dof| match dof % 4 {
            3 => rest.section.polar_inertia_kg_m * rest.length[dof / 4],
            _ => rest.section.line_density_kg_m * rest.node_length(dof / 4),
        })
        .collect()
}

fn node_part(v: &[f64], node: usize) -> Vector3<f64> {
    Vector3::new(v[4 * node], v[4 * node + 1], v[4 * node + 2])
}

impl Body for DiscreteElasticRod {
    fn dofs(&self) -> usize {
        self.mass.len()
    }

    fn nodes(&self) -> &[Point3<f64>] {
        &self.state.x
    }

    fn trial_nodes(&self) -> &[Point3<f64>] {
        &self.step.trial.x
    }

    fn velocity(&self) -> &[f64] {
        &self.state.v
    }

    fn node_velocity(&self, v: &[f64], node: usize) -> Vector3<f64> {
        node_part(v, node)
    }

    fn radius_m(&self) -> f64 {
        self.rest.section.radius_m
    }

    fn mass_kg(&self) -> f64 {
        self.rest.section.line_density_kg_m * self.rest.length.iter().sum::<f64>()
    }

    fn stretch_stiffness_n(&self) -> f64 {
        self.rest.section.ea_n
    }

    fn director(&self, element: usize) -> Vector3<f64> {
        self.present.edge[element].m1
    }

    fn begin(&mut self, dt_s: f64, gravity_m_s2: &Vector3<f64>, holds: &[Constraint]) {
        self.step.begin(&self.state, dt_s, gravity_m_s2, holds);
    }

    fn linearise(&mut self) -> Result<(), NotFinite> {
        self.step
            .linearise(&self.material, &self.rest, &self.mass, &self.state)
    }

    fn free_velocity(&self) -> &[f64] {
        &self.step.free
    }

    fn jacobian(&self, site: Site, offset: &Vector3<f64>, out: &mut Vec<Vector3<f64>>) -> usize {
        let Site { element, fraction } = site;
        let edge = &self.present.edge[element];
        // A section turns with its edge: about the tangent t by γ̇, and across it by t × (v₁ − v₀)/l. Its surface moves
        // along, so friction can roll a strand, and a strand carried by a drum turns with the drum.
        let turn = |v: &Vector3<f64>| edge.tangent.cross(v).cross(offset) / edge.length;
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        out.extend(axes.map(|axis| axis * (1.0 - fraction) - turn(&axis)));
        out.push(edge.tangent.cross(offset));
        out.extend(axes.map(|axis| axis * fraction + turn(&axis)));
        4 * element
    }

    fn solve(&self, columns: &mut [Columns], first: usize) {
        self.step.solve(columns, first);
    }

    fn attempt(&mut self, v: &[f64], impulse: &[f64]) -> f64 {
        self.step.attempt(
            &self.material,
            &self.rest,
            &self.mass,
            &self.state,
            v,
            impulse,
        )
    }

    fn check(&self) -> Result<(), NotFinite> {
        let element = |node: usize| node.min(self.state.edges() - 1);
        let bad_node = self
            .step
            .trial
            .x
            .iter()
            .position(|x| !x.iter().all(|c| c.is_finite()));
        if let Some(node) = bad_node {
            return Err(NotFinite {
                what: "a position",
                element: element(node),
            });
        }
        match self.step.velocity.iter().position(|v| !v.is_finite()) {
            Some(dof) => Err(NotFinite {
                what: "a velocity",
                element: element(dof / 4),
            }),
            None => Ok(()),
        }
    }

    fn accept(&mut self) {
        self.state.accept(&self.step.trial);
        self.state.v.copy_from_slice(&self.step.velocity);
        std::mem::swap(&mut self.present, &mut self.step.trial);
    }

    fn hold_force(&self, k: usize) -> Vector3<f64> {
        self.step.hold_force(k)
    }

    fn energies(&self, gravity_m_s2: &Vector3<f64>) -> [f64; 3] {
        let kinetic = self
            .state
            .v
            .iter()
            .zip(&self.mass)
            .map(|(v, m)| 0.5 * m * v * v)
            .sum();
        let weight =
            |(k, x): (usize, &Point3<f64>)| -self.mass[4 * k] * gravity_m_s2.dot(&x.coords);
        [
            kinetic,
            self.rest.energy(&self.present),
            self.state.x.iter().enumerate().map(weight).sum(),
        ]
    }

    fn probe(&self, node: usize) -> Probe {
        let (at, last) = (&self.present, self.state.edges() - 1);
        let (before, after) = (node.saturating_sub(1).min(last), node.min(last));
        let inner = node.clamp(1, last.max(1));
        let (curvature_per_m, twist_rad_m) = match last {
            0 => (0.0, 0.0),
            _ => (
                elasticity::curvature(&self.rest, at, inner),
                at.twist(inner) / self.rest.node_length(inner),
            ),
        };
        Probe {
            director: (at.edge[before].m1 + at.edge[after].m1)
                .try_normalize(1e-6)
                .unwrap_or(at.edge[after].m1),
            tension_n: 0.5 * (self.rest.tension(at, before) + self.rest.tension(at, after)),
            curvature_per_m,
            twist_rad_m,
            velocity_m_s: node_part(&self.state.v, node),
        }
    }

    fn hash(&self, hasher: &mut dyn Hasher) {
        let mut feed = |x: f64| hasher.write_u64(x.to_bits());
        self.state
            .x
            .iter()
            .for_each(|x| x.iter().for_each(|&c| feed(c)));
        self.state
            .reference
            .iter()
            .for_each(|d| d.iter().for_each(|&c| feed(c)));
        [
            &self.state.gamma,
            &self.state.reference_twist,
            &self.state.v,
        ]
        .into_iter()
        .flatten()
        .for_each(|&c| feed(c));
    }
}
