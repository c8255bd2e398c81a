//! Equilibria known from elsewhere.

use super::*;

/// (Γ, H/L, W/L) of a horizontal cantilever under its own weight, Γ = ρ S g L³/EI.
const ELASTICA: [(f64, f64, f64); 3] = [
    (1.0, 0.123471, 0.991246),
    (10.0, 0.700200, 0.656354),
    (50.0, 0.907917, 0.245015),
];

/// Where the tip of a cantilever comes to rest, over its length: drop and reach.
fn cantilever(gamma: f64, helices: usize) -> (f64, f64) {
    let length = 0.5;
    let mut design = straight(length, 4 * helices, helices);
    let section = design.section();
    let wanted = section.line_density_kg_m * 9.81 * length.powi(3) / gamma;
    design.material.youngs_modulus_pa *= wanted / section.ei_n_m2[0];
    design.material.mass_damping_per_s = 8.0;
    let mut rod = rod(&design);
    let holds = [clamp_root(&rod)];
    settle(&mut rod, &GRAVITY, &holds, 0.02, 1e-7);
    let tip = rod.nodes()[4 * helices];
    (-tip.y / length, tip.x / length)
}

#[test]
fn cantilever_hangs_as_the_elastica_at_any_number_of_elements() {
    let mut worst = 0.0_f64;
    for (gamma, drop, reach) in ELASTICA {
        for helices in [5, 10, 20, 40] {
            let (h, w) = cantilever(gamma, helices);
            println!(
                "Γ {gamma} N {helices}: H {:+.3e} W {:+.3e}",
                h / drop - 1.0,
                w / reach - 1.0
            );
            // N arcs of constant curvature are too stiff by 1/(3 N²) under a small even load, and by more where a large
            // one bends them close to the clamp.
            let tolerance = if helices == 5 { 0.025 } else { 0.01 };
            worst = worst.max(((h / drop - 1.0).abs().max((w / reach - 1.0).abs())) / tolerance);
        }
    }
    assert!(worst < 1.0, "{worst}");
}

#[test]
fn a_hanging_helix_lengthens_as_a_spring() {
    // A helix of radius R and pitch 2π b has κ = R/(R² + b²), τ = b/(R² + b²). Under an axial force P the energy
    // ½ EI δκ² + ½ GJ δτ² per length gives, to first order, moments EI δκ = −P R sin α and GJ δτ = P R cos α with
    // tan α = b/R; the axis lengthens by ∫ (R cos α δτ − R sin α δκ) ds.
    let (radius, pitch, turns, pieces) = (0.02, 0.03, 8.0, 400);
    let mut design = curl(radius, pitch, turns, pieces, 100);
    design.section = SectionShape::Round { radius_m: 1e-3 };
    design.material.youngs_modulus_pa = 2e9;
    design.material.mass_damping_per_s = 20.0;
    let section = design.section();
    let mut rod = rod(&design);
    let length = rod.length_m();
    let before = rod.nodes()[0].y - rod.nodes()[pieces].y;
    // The clamp fixes the frame at the root, so the end turns lean; a long helix makes that small.
    let holds = [clamp_root(&rod)];
    settle(&mut rod, &GRAVITY, &holds, 0.02, 1e-7);
    let longer = rod.nodes()[0].y - rod.nodes()[pieces].y - before;
    let rise = pitch / std::f64::consts::TAU;
    let slope = rise.atan2(radius);
    let per_force = radius
        * radius
        * (slope.cos().powi(2) / section.gj_n_m2 + slope.sin().powi(2) / section.ei_n_m2[0]);
    // The force is the weight below: on average half of it.
    let expected = 0.5 * section.line_density_kg_m * 9.81 * length * length * per_force;
    println!(
        "helix: {longer:.4e} m, theory {expected:.4e} m, {:+.2} %",
        (longer / expected - 1.0) * 100.0
    );
    assert!((longer / expected - 1.0).abs() < 0.05);
}

#[test]
fn a_natural_helix_without_gravity_keeps_its_shape() {
    let mut rod = rod(&curl(0.02, 0.03, 4.0, 160, 40));
    let holds = [clamp_root(&rod)];
    let start = rod.nodes().to_vec();
    for _ in 0..100 {
        step(&mut rod, 0.01, &Vector3::zeros(), &holds);
    }
    let worst = start
        .iter()
        .zip(rod.nodes())
        .map(|(a, b)| (b - a).norm())
        .fold(0.0, f64::max);
    assert!(worst < 1e-12, "{worst}");
}

#[test]
fn curvatures_given_as_numbers_make_the_same_helix() {
    // κ towards the first director and twist τ: a helix with R = κ/(κ² + τ²) and pitch 2π τ/(κ² + τ²).
    let (curvature, twist) = (20.0, 7.0);
    let mut design = straight(0.5, 80, 20);
    design.natural = NaturalShape::helical(curvature, twist);
    design.facing = Some(Vector3::y());
    design.material.mass_damping_per_s = 30.0;
    let mut rod = rod(&design);
    let holds = [clamp_root(&rod)];
    settle(&mut rod, &Vector3::zeros(), &holds, 0.02, 1e-8);
    // It first bends towards d1 = +y, and its binormal starts as +z.
    let at = rod.at(0.01);
    assert!((at.curvature.norm() - curvature).abs() < 1e-4);
    assert!(rod.at(0.0).curvature.y > 0.999 * curvature);
    let square = curvature * curvature + twist * twist;
    // The Darboux vector τ t + κ b is the axis.
    let axis = Vector3::new(twist, 0.0, curvature) / square.sqrt();
    let along = (rod.nodes()[80] - rod.nodes()[0]).dot(&axis);
    // Along the axis it advances τ/√(κ² + τ²) per length.
    assert!(
        (along - 0.5 * twist / square.sqrt()).abs() < 1e-6,
        "{along}"
    );
    let probe = rod.probe(40);
    assert!(
        (probe.curvature_per_m - curvature).abs() < 1e-4
            && (probe.twist_rad_m - twist).abs() < 1e-4
    );
}

#[test]
fn a_flat_rod_bends_by_the_moment_of_its_section() {
    // A small load: deflections are as 1/EI, and the ellipse has I₁/I₂ = (a/b)².
    let drop = |facing: Vector3<f64>| {
        let mut design = straight(0.2, 20, 10);
        design.section = SectionShape::Ellipse {
            half_m: [4e-3, 2e-3],
        };
        design.material.youngs_modulus_pa = 1e9;
        design.material.mass_damping_per_s = 100.0;
        design.facing = Some(facing);
        let mut rod = rod(&design);
        let holds = [clamp_root(&rod)];
        settle(&mut rod, &GRAVITY, &holds, 0.02, 1e-9);
        let section = rod.section();
        let stiff = if facing.y != 0.0 {
            section.ei_n_m2[0]
        } else {
            section.ei_n_m2[1]
        };
        let expected = section.line_density_kg_m * 9.81 * 0.2_f64.powi(4) / (8.0 * stiff);
        assert!(
            (-rod.nodes()[20].y / expected - 1.0).abs() < 0.01,
            "{} {expected}",
            rod.nodes()[20].y
        );
        -rod.nodes()[20].y
    };
    let ratio = drop(Vector3::z()) / drop(Vector3::y());
    assert!((ratio - 4.0).abs() < 0.01, "{ratio}");
}
