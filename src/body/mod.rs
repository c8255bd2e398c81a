//! Layer 2a, things that move: strands and what they are made of.
//!
//! A [`Body`] takes one implicit time step in a conversation with the world:
//!
//! ```text
//!   begin      dt, gravity, what holds it
//!   linearise  A = M + dt C + dt² K, factored; the free velocity A⁻¹ f
//!   jacobian   how a surface point moves with the unknowns          ┐ the world builds
//!   solve      A⁻¹ applied to columns of Hᵀ                         ┘ W = H A⁻¹ Hᵀ
//!   attempt    a velocity: the trial state, and how far it is from equilibrium
//!   accept     the trial state becomes the state
//! ```
//!
//! Nothing before `accept` changes the state, so a step can be given up at any point.

mod material;
pub mod rod;

use std::hash::Hasher;

use nalgebra::{Point3, Vector3};

pub use material::{RodMaterial, Section};

/// Mechanical models of a strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RodModel {
    /// Discrete elastic rods: nodes and edge twists, see [`rod::discrete_elastic`].
    DiscreteElastic,
}

impl RodModel {
    /// Every model, for lists and panels.
    pub const ALL: [RodModel; 1] = [RodModel::DiscreteElastic];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            RodModel::DiscreteElastic => "discrete_elastic",
        }
    }

    /// The model with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// The shape a strand takes without load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NaturalShape {
    /// Straight and untwisted.
    Straight,
    /// As its centreline is given.
    AsGiven,
    /// Uniformly curved and twisted: a circle, or a helix when both are set.
    Helical {
        /// Curvature, 1/m.
        curvature_per_m: f64,
        /// Twist, rad/m.
        twist_rad_m: f64,
    },
}

/// Columns that are solved together: enough to fill vector registers, few enough to stay in them.
pub const COLUMNS: usize = 12;
/// One row of so many columns.
pub type Columns = [f64; COLUMNS];

/// A place along a body: which element, and how far along it (0 to 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// Index of the element.
    pub element: usize,
    /// 0 at its first node, 1 at its second.
    pub fraction: f64,
}

/// What holds a body during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constraint {
    /// A node is at `target` at the end of the step.
    Node {
        /// Index of the node.
        node: usize,
        /// Where it is to be, m.
        target: Point3<f64>,
    },
    /// An element has this pose at the end of the step.
    Frame {
        /// Index of the element.
        element: usize,
        /// Where its two nodes are to be, m.
        targets: [Point3<f64>; 2],
        /// Where its first material director is to point.
        director: Vector3<f64>,
    },
    /// A damped spring pulls a site; both act at the end of the step.
    Spring {
        /// The held place.
        site: Site,
        /// Where it is pulled to, m.
        target: Point3<f64>,
        /// N/m.
        stiffness_n_m: f64,
        /// N s/m.
        damping_n_s_m: f64,
    },
}

/// Something is not a finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite {
    /// What.
    pub what: &'static str,
    /// In which element.
    pub element: usize,
}

/// What can be measured at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Probe {
    /// First material director.
    pub director: Vector3<f64>,
    /// Tension, N.
    pub tension_n: f64,
    /// Curvature, 1/m.
    pub curvature_per_m: f64,
    /// Twist, rad/m.
    pub twist_rad_m: f64,
    /// Velocity, m/s.
    pub velocity_m_s: Vector3<f64>,
}

/// A strand, whatever its model.
pub trait Body: Send + Sync {
    /// Degrees of freedom.
    fn dofs(&self) -> usize;
    /// Its nodes, m.
    fn nodes(&self) -> &[Point3<f64>];
    /// Its nodes in the trial state, m.
    fn trial_nodes(&self) -> &[Point3<f64>];
    /// Velocities of the unknowns.
    fn velocity(&self) -> &[f64];
    /// Velocity of a node for given velocities of the unknowns, m/s.
    fn node_velocity(&self, v: &[f64], node: usize) -> Vector3<f64>;
    /// Radius, m.
    fn radius_m(&self) -> f64;
    /// Mass, kg.
    fn mass_kg(&self) -> f64;
    /// Stretching stiffness EA, N: the scale of the forces it can bear.
    fn stretch_stiffness_n(&self) -> f64;
    /// First material director of an element.
    fn director(&self, element: usize) -> Vector3<f64>;

    /// Starts a step of `dt_s` under gravity and these holds.
    fn begin(&mut self, dt_s: f64, gravity_m_s2: &Vector3<f64>, holds: &[Constraint]);
    /// Linearises the step about the last attempt (or the state), factors A, finds the free velocity.
    fn linearise(&mut self) -> Result<(), NotFinite>;
    /// The velocity at the end of the step without contacts.
    fn free_velocity(&self) -> &[f64];
    /// Appends, for each of the unknowns from the returned one on, the velocity of the surface point at `offset` from
    /// the centreline.
    fn jacobian(&self, site: Site, offset: &Vector3<f64>, out: &mut Vec<Vector3<f64>>) -> usize;
    /// Applies A⁻¹ to columns, one row per unknown; rows before `first` are zero. Held unknowns stay at rest.
    fn solve(&self, columns: &mut [Columns], first: usize);
    /// Tries a velocity under these contact impulses on the unknowns; returns how far the trial state is from
    /// fulfilling the equation of motion, as a distance, m.
    fn attempt(&mut self, v: &[f64], impulse: &[f64]) -> f64;
    /// The first thing in the trial state that is not finite.
    fn check(&self) -> Result<(), NotFinite>;
    /// Makes the trial state the state.
    fn accept(&mut self);
    /// Force of hold `k` of [`Self::begin`] in the trial state, N.
    fn hold_force(&self, k: usize) -> Vector3<f64>;

    /// Kinetic, elastic and gravitational energy, J.
    fn energies(&self, gravity_m_s2: &Vector3<f64>) -> [f64; 3];
    /// Measurements at a node.
    fn probe(&self, node: usize) -> Probe;
    /// Feeds every bit of the state.
    fn hash(&self, hasher: &mut dyn Hasher);
}
