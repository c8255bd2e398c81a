//! Large steps stay honest: stiff rods, whipping roots, 10 ms.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::geometry::{Key, Motion, Shape};
use crate::world::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SolidSpec, SurfaceId, World,
    WorldSpec,
};

const LENGTH: f64 = 0.3;

/// A steel wire clamped at a root that is thrown to and fro, 8 cm each way within 40 ms: 2 m/s, turned around at once.
fn whip(model: RodModel, dt_s: f64, youngs_modulus_pa: f64, solids: Vec<SolidSpec>) -> World {
    let mut wire = design(line(LENGTH, 40), 5e-4);
    wire.material.youngs_modulus_pa = youngs_modulus_pa;
    wire.material.density_kg_m3 = 7850.0;
    wire.helices = Some(10);
    let corner = |k: u32| Key {
        time_s: 0.04 * f64::from(k),
        offset_m: Vector3::new(0.0, 0.0, if k % 2 == 1 { 0.08 } else { 0.0 }),
    };
    World::new(WorldSpec {
        rods: vec![RodSpec {
            name: "wire".into(),
            model,
            design: wire,
            velocity_m_s: Vector3::zeros(),
            proxies: None,
            surface: SurfaceId(0),
            color: [1.0; 3],
        }],
        solids,
        holds: vec![HoldSpec {
            name: "root".into(),
            rod: 0,
            at: HoldAt::Start,
            kind: HoldKind::Clamp,
            motion: Motion {
                keys: (0..26).map(corner).collect(),
                ..Motion::default()
            },
            on: None,
            active_s: (0.0, f64::INFINITY),
            demo: false,
        }],
        surfaces: vec!["steel".into()],
        friction: FrictionTable::default(),
        settings: Settings {
            dt_s,
            ..Settings::default()
        },
        demo: false,
    })
    .unwrap()
}

#[test]
fn a_whipped_wire_meets_its_equation_of_motion_at_ten_milliseconds() {
    for model in RodModel::ALL {
        // Stiff as steel, a hundred times softer, and as limp as a chain, whose steps are divided.
        for (youngs_modulus_pa, most) in [(2e11, 12), (2e9, 12), (2e7, 60)] {
            let mut world = whip(model, 0.01, youngs_modulus_pa, Vec::new());
            let mut passes = 0;
            for _ in 0..200 {
                let report = world.step().unwrap();
                passes += report.passes;
                assert!(
                    report.motion_error <= 0.05,
                    "{}, E = {youngs_modulus_pa}: off by {} radii after {} passes",
                    model.name(),
                    report.motion_error,
                    report.passes
                );
            }
            let nodes = world.rod_nodes(0);
            let reach = nodes
                .iter()
                .map(|x| (x - nodes[0]).norm())
                .fold(0.0, f64::max);
            assert!(reach < 1.02 * LENGTH, "{}: {reach} m", model.name());
            assert!(passes < 200 * most, "{}: {passes} passes", model.name());
        }
    }
}

/// A post across the wire's way, fixed.
fn post(at: Vector3<f64>, radius_m: f64) -> SolidSpec {
    SolidSpec {
        name: "post".into(),
        shape: Shape::Capsule {
            radius_m,
            half_length_m: 0.5,
        },
        world_from_body: Isometry3::translation(at.x, at.y, at.z),
        motion: Motion::default(),
        matter: None,
        restitution: 0.0,
        surface: SurfaceId(0),
        color: [1.0; 3],
    }
}

#[test]
fn a_wire_that_lashes_a_post_meets_its_equation_of_motion_at_ten_milliseconds() {
    let (axis, radius, steps) = (Vector3::new(0.18, 0.0, 0.06), 0.02, 200);
    for model in RodModel::ALL {
        let name = model.name();
        let mut world = whip(model, 0.01, 2e10, vec![post(axis, radius)]);
        let (mut passes, mut touching, mut deepest) = (0, 0, 0.0_f64);
        for step in 0..steps {
            let report = world.step().unwrap();
            passes += report.passes;
            touching += usize::from(report.penetration_over_radius > 0.0);
            deepest = deepest.max(report.penetration_over_radius);
            assert!(
                report.motion_error <= 0.05,
                "{name}, step {step}: off by {} radii after {} passes",
                report.motion_error,
                report.passes
            );
            assert!(report.solved, "{name}, step {step}");
            assert_eq!(report.crossings, 0, "{name}, step {step}");
            // On its own side of the post, where it started.
            let behind = world
                .rod_nodes(0)
                .iter()
                .any(|x| (x.x - axis.x).abs() < 0.5 * radius && x.z > axis.z);
            assert!(!behind, "{name}, step {step}: went through the post");
        }
        println!("{name}: {passes} passes, {touching} steps in touch, {deepest:.2} radii deep");
        // It hits the post again and again, and its centreline stays out of it.
        assert!(touching > 10, "{name}: {touching} steps in touch");
        assert!(deepest < 1.0, "{name}: {deepest} radii deep");
        assert!(passes > steps, "{name}: one pass a step");
    }
}
