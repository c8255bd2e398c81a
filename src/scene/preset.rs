//! Materials by name: what `material = "…"` in a scene file stands for.

use crate::body::RodMaterial;

/// A material with the thickness and looks it usually has.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name in scene files; also the name of its surface.
    pub name: &'static str,
    /// Elasticity, density, damping.
    pub material: RodMaterial,
    /// Radius, m.
    pub radius_m: f64,
    /// Colour, each 0 to 1.
    pub color: [f32; 3],
}

/// Every preset.
///
/// A rope is a bundle of fibres that slide on each other: it bends far more easily than a solid rod that stretches as
/// little, and its damping stands for the rubbing fibres. `spaghetti` is cooked.
pub const PRESETS: [Preset; 6] = [
    preset(
        "human_hair",
        [4e9, 0.40, 1300.0, 1.0, 0.5, 1e-4],
        40e-6,
        [0.23, 0.13, 0.07],
    ),
    preset(
        "nylon",
        [2.5e9, 0.39, 1140.0, 1.0, 0.2, 2e-4],
        0.5e-3,
        [0.72, 0.80, 0.86],
    ),
    preset(
        "cotton_rope",
        [3e7, 0.30, 800.0, 0.04, 0.5, 2e-3],
        4e-3,
        [0.80, 0.62, 0.38],
    ),
    preset(
        "steel_wire",
        [2e11, 0.29, 7850.0, 1.0, 0.1, 1e-5],
        0.5e-3,
        [0.60, 0.62, 0.66],
    ),
    preset(
        "spaghetti",
        [1e6, 0.45, 1100.0, 1.0, 0.5, 2e-3],
        1.2e-3,
        [0.93, 0.80, 0.48],
    ),
    preset(
        "rubber",
        [2e6, 0.49, 1100.0, 1.0, 0.2, 1e-3],
        2e-3,
        [0.74, 0.25, 0.22],
    ),
];

/// `numbers` = E (Pa), Poisson's ratio, density (kg/m³), bending factor, mass damping (1/s), stiffness damping (s).
const fn preset(name: &'static str, numbers: [f64; 6], radius_m: f64, color: [f32; 3]) -> Preset {
    let [
        youngs_modulus_pa,
        poisson_ratio,
        density_kg_m3,
        bending_factor,
        mass_damping_per_s,
        stiffness_damping_s,
    ] = numbers;
    let material = RodMaterial {
        youngs_modulus_pa,
        poisson_ratio,
        density_kg_m3,
        bending_factor,
        mass_damping_per_s,
        stiffness_damping_s,
    };
    Preset {
        name,
        material,
        radius_m,
        color,
    }
}

/// The preset with this name.
pub fn preset_named(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
