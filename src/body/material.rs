//! Elasticity of a rod with a round section, and the stiffnesses that follow.
//!
//! EA = E π r²,  EI = s E π r⁴/4,  GJ = s G π r⁴/2,  G = E / (2 (1 + ν)),  mass per length ρ π r².
//!
//! s is 1 for a solid rod. A rope is a bundle of fibres that slide on each other: it bends and twists far more easily
//! than a solid rod that stretches as little, s ≪ 1.

use std::f64::consts::PI;

/// What a strand is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Stiffness and inertia of a round section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Radius r, m.
    pub radius_m: f64,
    /// Stretching stiffness EA, N.
    pub ea_n: f64,
    /// Bending stiffness EI, N m².
    pub ei_n_m2: f64,
    /// Twisting stiffness GJ, N m².
    pub gj_n_m2: f64,
    /// Mass per length, kg/m.
    pub line_density_kg_m: f64,
    /// Moment of inertia about the axis, per length, kg m.
    pub polar_inertia_kg_m: f64,
}

impl RodMaterial {
    /// Shear modulus G, Pa.
    pub fn shear_modulus_pa(&self) -> f64 {
        self.youngs_modulus_pa / (2.0 * (1.0 + self.poisson_ratio))
    }

    /// Stiffness and inertia of a round rod of this material.
    pub fn round_section(&self, radius_m: f64) -> Section {
        let area = PI * radius_m.powi(2);
        let second_moment = 0.25 * PI * radius_m.powi(4);
        Section {
            radius_m,
            ea_n: self.youngs_modulus_pa * area,
            ei_n_m2: self.bending_factor * self.youngs_modulus_pa * second_moment,
            gj_n_m2: self.bending_factor * self.shear_modulus_pa() * 2.0 * second_moment,
            line_density_kg_m: self.density_kg_m3 * area,
            polar_inertia_kg_m: self.density_kg_m3 * 2.0 * second_moment,
        }
    }
}
