//! What a strand is made of.
//!
//! G = E / (2 (1 + ν)); bending and twisting stiffness are s times those of a solid rod. s is 1 for a solid rod. A rope
//! is a bundle of fibres that slide on each other: it bends and twists far more easily than a solid rod that stretches
//! as little, s ≪ 1.

use serde::{Deserialize, Serialize};

/// What a strand is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RodMaterial {
    /// Young's modulus E, Pa.
    pub youngs_modulus_pa: f64,
    /// Poisson's ratio ν, between −1 and 0.5.
    pub poisson_ratio: f64,
    /// Density ρ, kg/m³.
    pub density_kg_m3: f64,
    /// Bending and twisting stiffness over that of a solid rod, s: above 0, at most 1.
    pub bending_factor: f64,
    /// Rayleigh damping proportional to mass (drag), 1/s.
    pub mass_damping_per_s: f64,
    /// Rayleigh damping proportional to stiffness (internal friction), s.
    pub stiffness_damping_s: f64,
}

impl RodMaterial {
    /// Shear modulus G, Pa.
    pub fn shear_modulus_pa(&self) -> f64 {
        self.youngs_modulus_pa / (2.0 * (1.0 + self.poisson_ratio))
    }
}
