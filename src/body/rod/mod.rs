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

/// Straight pieces that stand for a curve leave it by no more than this share of the radius …
pub const SAG_OVER_RADIUS: f64 = 0.1;
/// … unless a piece of the curve would need more than this.
const MOST_CUTS: usize = 64;

/// Into how many straight pieces a piece of a curve is cut that leaves its chord by `sag_m`.
fn cuts(sag_m: f64, radius_m: f64) -> usize {
    // Not-a-number becomes one piece.
    ((sag_m / (SAG_OVER_RADIUS * radius_m)).sqrt().ceil() as usize).clamp(1, MOST_CUTS)
}

/// Takes this share of a velocity; with 0 nothing is left, not even of what is not a number.
fn scale(velocity: &mut [f64], share: f64) {
    for v in velocity {
        *v = if share == 0.0 { 0.0 } else { *v * share };
    }
}
