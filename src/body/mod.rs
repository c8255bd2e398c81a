//! Layer 2a, things that move.

mod material;

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
