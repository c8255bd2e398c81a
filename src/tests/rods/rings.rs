//! Closed loops.

use std::f64::consts::TAU;

use nalgebra::{Point3, Vector3};

use super::*;

const LOOPS: [RodModel; 3] = [
    RodModel::DiscreteElastic,
    RodModel::Corde,
    RodModel::MassSpring,
];

/// A ring about the vertical, out of its plane by `wave` in two waves.
fn ring(radius: f64, pieces: usize, wave: f64) -> RodDesign {
    let node = |k: usize| {
        let angle = TAU * (k % pieces) as f64 / pieces as f64;
        Point3::new(
            radius * angle.cos(),
            wave * (2.0 * angle).sin(),
            radius * angle.sin(),
        )
    };
    let mut design = design((0..=pieces).map(node).collect(), 2e-3);
    design.closed = true;
    design
}

#[test]
fn a_ring_stays_round_and_falls_as_a_stone() {
    for model in LOOPS {
        let mut body = at_rest(model, &ring(0.05, 30, 0.0));
        assert_eq!(body.nodes().len(), 31);
        for _ in 0..100 {
            advance(body.as_mut(), 2e-3, &GRAVITY, &[]);
        }
        let fallen = GRAVITY * (0.5 * 4e-6 * 100.0 * 101.0);
        assert!(
            (centre(body.as_ref()) - fallen).norm() < 1e-10,
            "{}",
            model.name()
        );
        assert_eq!(body.nodes()[0], body.nodes()[30]);
        let radii: Vec<f64> = body
            .nodes()
            .iter()
            .map(|x| (x.coords - centre(body.as_ref())).norm())
            .collect();
        let spread = radii
            .iter()
            .fold(0.0_f64, |s, r| s.max((r / radii[0] - 1.0).abs()));
        assert!(spread < 1e-9, "{}: {spread}", model.name());
    }
}

#[test]
fn a_ring_may_be_pinned_at_its_joint() {
    for model in LOOPS {
        let mut design = ring(0.05, 24, 0.0);
        design.material.mass_damping_per_s = 4.0;
        let mut body = at_rest(model, &design);
        let pin = Constraint::Node {
            node: 24,
            target: body.nodes()[0],
        };
        settle(body.as_mut(), &GRAVITY, &[pin]);
        let weight = body.mass_kg() * 9.81;
        assert!(
            (body.hold_force(0).y / weight - 1.0).abs() < 1e-3,
            "{}",
            model.name()
        );
        // It hangs: the far side is below the pin.
        assert!(body.nodes()[12].y < -0.05, "{}", model.name());
        assert!(
            body.nodes()[0]
                .coords
                .metric_distance(&Vector3::new(0.05, 0.0, 0.0))
                < 1e-9
        );
    }
}

/// Whether a ring with so much twist inside stays flat.
fn stays_flat(twist: f64) -> bool {
    let wave = 2e-5;
    let mut design = ring(0.05, 60, wave);
    let length: f64 = design.lengths().iter().sum();
    design.natural = NaturalShape::Curved {
        curvature_per_m: vec![[0.0; 2]],
        twist_rad_m: vec![twist / length],
    };
    design.material.mass_damping_per_s = 20.0;
    let mut body = at_rest(RodModel::DiscreteElastic, &design);
    let waves = |body: &dyn Body| {
        let heights: Vec<f64> = body.nodes().iter().map(|x| x.y).collect();
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        heights.iter().map(|y| (y - mean).abs()).fold(0.0, f64::max)
    };
    for _ in 0..4000 {
        advance(body.as_mut(), 5e-3, &Vector3::zeros(), &[]);
        if waves(body.as_ref()) > 20.0 * wave {
            return false;
        }
    }
    waves(body.as_ref()) < wave
}

#[test]
fn a_twisted_ring_buckles_where_michell_says() {
    // Θ = 2π √3 EI/GJ, and EI/GJ = 1 + ν.
    let critical = TAU * 3.0_f64.sqrt() * 1.3;
    assert!(stays_flat(0.95 * critical));
    assert!(!stays_flat(1.05 * critical));
}
