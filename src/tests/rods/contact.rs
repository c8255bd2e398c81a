//! Strands of different models touch each other, with friction.

use nalgebra::{Point3, Vector3};

use super::*;
use crate::contact::DetectorKind;
use crate::world::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SurfaceId, World, WorldSpec,
};

/// A limp strand hung over a stiff, clamped one, three fifths of it on one side.
fn hung_over(lower: RodModel, upper: RodModel, mu: f64, detector: DetectorKind) -> World {
    let bar = |x: f64| Point3::new(x, 0.0, 0.0);
    let mut stiff = design(
        (0..=20).map(|k| bar(0.01 * f64::from(k) - 0.1)).collect(),
        5e-3,
    );
    stiff.material.youngs_modulus_pa = 1e10;
    stiff.material.mass_damping_per_s = 5.0;
    stiff.helices = Some(5);
    // An arch over the bar with two straight legs.
    let (clear, pieces) = (7.2e-3, 60);
    let over = |s: f64| {
        let half = 0.5 * std::f64::consts::PI * clear;
        let s = s - 0.24;
        if s.abs() < half {
            let angle = s / clear;
            Point3::new(0.0, clear * angle.cos(), clear * angle.sin())
        } else {
            Point3::new(0.0, half - s.abs(), clear * s.signum())
        }
    };
    let mut limp = design(
        (0..=pieces)
            .map(|k| over(0.4 * k as f64 / pieces as f64))
            .collect(),
        2e-3,
    );
    limp.material.youngs_modulus_pa = 2e5;
    limp.material.mass_damping_per_s = 5.0;
    limp.helices = Some(20);
    let rod = |name: &str, model, design| RodSpec {
        name: name.into(),
        model,
        design,
        velocity_m_s: Vector3::zeros(),
        proxies: None,
        surface: SurfaceId(0),
        color: [1.0; 3],
    };
    let hold = |at| HoldSpec {
        name: "clamp".into(),
        rod: 0,
        at,
        kind: HoldKind::Clamp,
        motion: Default::default(),
        on: None,
        active_s: (0.0, f64::INFINITY),
        demo: false,
    };
    World::new(WorldSpec {
        rods: vec![rod("bar", lower, stiff), rod("strand", upper, limp)],
        solids: Vec::new(),
        holds: vec![hold(HoldAt::Start), hold(HoldAt::End)],
        surfaces: vec!["rubber".into()],
        friction: FrictionTable {
            default: mu,
            pairs: Vec::new(),
        },
        settings: Settings {
            detector,
            ..Settings::default()
        },
        demo: false,
    })
    .unwrap()
}

/// How far the strand sinks in the end with much friction and with little, m, and how many crossings there were.
fn sunk(lower: RodModel, upper: RodModel, detector: DetectorKind) -> ([f64; 2], usize) {
    let mut crossings = 0;
    // The sides weigh as 3 to 2: held while e^{µπ} > 1.5, that is µ > 0.13.
    let sunk = [0.4, 0.02].map(|mu| {
        let mut world = hung_over(lower, upper, mu, detector);
        let mut steps = |count: usize| {
            for _ in 0..count {
                crossings += world.step().unwrap().crossings;
            }
            world.rod_nodes(1)[0].y
        };
        steps(900) - steps(200)
    });
    (sunk, crossings)
}

#[test]
fn friction_between_any_two_models_holds_what_the_capstan_says() {
    for lower in RodModel::ALL {
        for upper in RodModel::ALL {
            let names = (lower.name(), upper.name());
            let ([held, slipped], crossings) = sunk(lower, upper, DetectorKind::Segments);
            assert!(held.abs() < 1e-5, "{names:?}: sank by {held} m");
            assert!(slipped > 5e-3, "{names:?}: slipped by {slipped} m only");
            assert_eq!(crossings, 0, "{names:?}");
        }
    }
}

#[test]
fn friction_on_smooth_curves_holds_what_the_capstan_says() {
    for (k, upper) in RodModel::ALL.into_iter().enumerate() {
        let lower = RodModel::ALL[(k + 1) % 4];
        let names = (lower.name(), upper.name());
        let ([held, slipped], crossings) = sunk(lower, upper, DetectorKind::Smooth);
        assert!(held.abs() < 1e-5, "{names:?}: sank by {held} m");
        assert!(slipped > 5e-3, "{names:?}: slipped by {slipped} m only");
        assert_eq!(crossings, 0, "{names:?}");
    }
}
