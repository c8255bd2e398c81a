//! Sections of a rod: round, elliptical, rectangular; area, second moments, torsion constant.
//!
//! ```text
//!            d2
//!            │
//!        ┌───┼───┐ b        half sizes: a along the first director d1, b along the second d2
//!    ────┼───┼───┼──── d1   I₁ = ∫ y₁² dA resists bending towards d1, I₂ = ∫ y₂² dA towards d2
//!        └───┼───┘
//!            a
//! ```
//!
//! | | area | I₁ | I₂ | torsion constant J |
//! |---|---|---|---|---|
//! | ellipse | π a b | π a³ b/4 | π a b³/4 | π a³ b³/(a² + b²) |
//! | rectangle | 4 a b | 4 a³ b/3 | 4 a b³/3 | 16 a b³ (1/3 − (64/π⁵) (b/a) Σ tanh(n π a/2b)/n⁵), n odd, a ≥ b |
//!
//! J is the polar moment I₁ + I₂ for a round section only \[Timoshenko51\].

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::RodMaterial;

/// Outline of a section.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionShape {
    /// A disk.
    Round {
        /// Radius, m.
        radius_m: f64,
    },
    /// An ellipse.
    Ellipse {
        /// Half axes along the first and the second director, m.
        half_m: [f64; 2],
    },
    /// A rectangle.
    Rectangle {
        /// Half sides along the first and the second director, m.
        half_m: [f64; 2],
    },
}

impl SectionShape {
    /// Half sizes along the two directors, m.
    pub fn half_m(self) -> [f64; 2] {
        match self {
            SectionShape::Round { radius_m } => [radius_m; 2],
            SectionShape::Ellipse { half_m } | SectionShape::Rectangle { half_m } => half_m,
        }
    }

    /// What contact sees: a round strand as thick as this one is across its thinner side, m.
    pub fn contact_radius_m(self) -> f64 {
        let [a, b] = self.half_m();
        a.min(b)
    }

    /// Area, I₁, I₂ and J.
    fn moments(self) -> [f64; 4] {
        let [a, b] = self.half_m();
        match self {
            SectionShape::Round { .. } | SectionShape::Ellipse { .. } => [
                PI * a * b,
                0.25 * PI * a.powi(3) * b,
                0.25 * PI * a * b.powi(3),
                PI * (a * b).powi(3) / (a * a + b * b),
            ],
            SectionShape::Rectangle { .. } => {
                let (long, short) = (a.max(b), a.min(b));
                let series: f64 = [1.0_f64, 3.0, 5.0, 7.0, 9.0]
                    .iter()
                    .map(|n| (n * PI * long / (2.0 * short)).tanh() / n.powi(5))
                    .sum();
                let share = 1.0 / 3.0 - 64.0 / PI.powi(5) * (short / long) * series;
                [
                    4.0 * a * b,
                    4.0 / 3.0 * a.powi(3) * b,
                    4.0 / 3.0 * a * b.powi(3),
                    16.0 * long * short.powi(3) * share,
                ]
            }
        }
    }
}

/// Stiffness and inertia of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Radius that contact sees, m.
    pub radius_m: f64,
    /// Half sizes along the directors, m.
    pub half_m: [f64; 2],
    /// Stretching stiffness EA, N.
    pub ea_n: f64,
    /// Stiffness EI against bending towards the first and towards the second director, N m².
    pub ei_n_m2: [f64; 2],
    /// Twisting stiffness GJ, N m².
    pub gj_n_m2: f64,
    /// Mass per length, kg/m.
    pub line_density_kg_m: f64,
    /// Moment of inertia about the axis, per length, kg m.
    pub polar_inertia_kg_m: f64,
}

impl Section {
    /// The section of a rod of this material.
    pub fn new(shape: SectionShape, material: &RodMaterial) -> Self {
        let [area, i1, i2, torsion] = shape.moments();
        let s = material.bending_factor;
        Self {
            radius_m: shape.contact_radius_m(),
            half_m: shape.half_m(),
            ea_n: material.youngs_modulus_pa * area,
            ei_n_m2: [i1, i2].map(|i| s * material.youngs_modulus_pa * i),
            gj_n_m2: s * material.shear_modulus_pa() * torsion,
            line_density_kg_m: material.density_kg_m3 * area,
            polar_inertia_kg_m: material.density_kg_m3 * (i1 + i2),
        }
    }

    /// Bending stiffness where no direction is told apart, N m²: the mean of both.
    pub fn mean_ei_n_m2(&self) -> f64 {
        0.5 * (self.ei_n_m2[0] + self.ei_n_m2[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipse_of_equal_axes_is_round() {
        let round = SectionShape::Round { radius_m: 2e-3 }.moments();
        let ellipse = SectionShape::Ellipse { half_m: [2e-3; 2] }.moments();
        assert_eq!(round, ellipse);
        // J = I₁ + I₂ for a disk.
        assert!((round[3] / (round[1] + round[2]) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn rectangles_twist_as_tables_say() {
        // J = k (2a)(2b)³ \[Timoshenko51\]: k = 0.1406 for a square, 0.229 for 2 : 1, 0.312 for 10 : 1, 1/3 for a strip.
        for (ratio, k) in [(1.0, 0.1406), (2.0, 0.229), (10.0, 0.312), (1e4, 0.3333)] {
            for half_m in [[ratio, 1.0], [1.0, ratio]] {
                let j = SectionShape::Rectangle { half_m }.moments()[3];
                assert!((j / (16.0 * ratio) - k).abs() < 6e-4, "{ratio}: {j}");
            }
        }
    }

    #[test]
    fn a_flat_section_bends_easily_across_its_thin_side() {
        let moments = SectionShape::Rectangle {
            half_m: [1e-2, 1e-3],
        }
        .moments();
        assert!((moments[1] / moments[2] - 100.0).abs() < 1e-9);
    }
}
