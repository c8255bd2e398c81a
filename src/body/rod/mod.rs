//! Strands: four models, and rails that never move, behind the one trait [`Body`].

pub mod corde;
pub mod discrete_elastic;
#[cfg(test)]
mod laws;
pub mod mass_spring;
pub mod nodal;
mod rail;
pub mod super_helix;

pub use super_helix::HelixElement;

use super::{Body, RodDesign, RodModel, StrandState};

/// A strand of this model that starts like this; a rail, if its design is fixed.
pub fn build(model: RodModel, design: &RodDesign, start: &StrandState) -> Box<dyn Body> {
    if design.fixed {
        return Box::new(rail::Rail::new(design, start));
    }
    match model {
        RodModel::DiscreteElastic => {
            Box::new(discrete_elastic::DiscreteElasticRod::new(design, start))
        }
        RodModel::Corde => Box::new(corde::CordeRod::new(design, start)),
        RodModel::MassSpring => mass_spring::build(design, start),
        RodModel::SuperHelix => Box::new(super_helix::SuperHelix::new(design, start)),
    }
}

/// Takes this share of a velocity; with 0 nothing is left, not even of what is not a number.
fn scale(velocity: &mut [f64], share: f64) {
    for v in velocity {
        *v = if share == 0.0 { 0.0 } else { *v * share };
    }
}
