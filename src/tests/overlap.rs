//! Overlap that is there from the start goes away, and sets nothing in motion.

use nalgebra::{Isometry3, Point3, Vector3};

use crate::body::{NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape};
use crate::geometry::{Motion, Shape};
use crate::world::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SolidSpec, SurfaceId, World,
    WorldSpec,
};

pub(super) const RADIUS_M: f64 = 4e-3;

/// A straight strand from one point to another, in 20 pieces.
pub(super) fn strand(model: RodModel, from: [f64; 3], to: [f64; 3]) -> RodSpec {
    let (a, b) = (Point3::from(from), Point3::from(to));
    let node = |k: i32| a + (b - a) * (f64::from(k) / 20.0);
    RodSpec {
        name: "strand".into(),
        model,
        design: RodDesign {
            centreline: (0..=20).map(node).collect(),
            closed: false,
            section: SectionShape::Round { radius_m: RADIUS_M },
            facing: None,
            material: RodMaterial {
                youngs_modulus_pa: 1e7,
                poisson_ratio: 0.3,
                density_kg_m3: 800.0,
                bending_factor: 1.0,
                mass_damping_per_s: 0.0,
                stiffness_damping_s: 0.0,
            },
            natural: NaturalShape::Straight,
            helices: Some(5),
            scheme: Scheme::Implicit,
            fixed: false,
        },
        velocity_m_s: Vector3::zeros(),
        proxies: None,
        surface: SurfaceId(0),
        color: [1.0; 3],
    }
}

pub(super) fn solid(shape: Shape, place: [f64; 3], motion: Motion) -> SolidSpec {
    SolidSpec {
        name: "solid".into(),
        shape,
        world_from_body: Isometry3::translation(place[0], place[1], place[2]),
        motion,
        matter: None,
        restitution: 0.0,
        surface: SurfaceId(0),
        color: [0.5; 3],
    }
}

pub(super) fn hold(rod: usize, at: HoldAt, kind: HoldKind, motion: Motion) -> HoldSpec {
    HoldSpec {
        name: "hold".into(),
        rod,
        at,
        kind,
        motion,
        on: None,
        active_s: (0.0, f64::INFINITY),
        demo: false,
    }
}

/// Without gravity.
pub(super) fn spec(rods: Vec<RodSpec>, solids: Vec<SolidSpec>) -> WorldSpec {
    WorldSpec {
        demo: true,
        rods,
        solids,
        holds: Vec::new(),
        surfaces: vec!["rope".into()],
        friction: FrictionTable {
            default: 0.3,
            pairs: Vec::new(),
        },
        settings: Settings {
            gravity_m_s2: Vector3::zeros(),
            ..Settings::default()
        },
    }
}

/// The deepest overlap after 100 steps, in radii, and the most energy of motion on the way, J.
fn left_over(spec: WorldSpec) -> (f64, f64) {
    let mut world = World::new(spec).unwrap();
    let (mut overlap, mut most) = (0.0, 0.0_f64);
    for _ in 0..100 {
        let step = world.step().unwrap();
        overlap = step.penetration_over_radius;
        most = most.max(step.energies.kinetic_j);
    }
    (overlap, most)
}

/// Moved apart at 0.12 m/s, as by a fifth of the overlap per step, a strand of 8 g would have 6e-5 J.
const HARDLY_ANY_J: f64 = 6e-11;

#[test]
fn crossed_strands_that_overlap_come_apart_without_motion() {
    for model in RodModel::ALL {
        let apart = 1.7 * RADIUS_M;
        let a = strand(model, [-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
        let b = strand(model, [0.013, apart, -0.1], [0.0, apart, 0.1]);
        let (overlap, energy) = left_over(spec(vec![a, b], Vec::new()));
        assert!(overlap <= 5e-3, "{model:?}: overlap of {overlap} radii");
        assert!(energy < HARDLY_ANY_J, "{model:?}: {energy} J");
    }
}

#[test]
fn a_strand_in_a_ball_or_a_floor_comes_out_without_motion() {
    let ball = Shape::Sphere { radius_m: 0.05 };
    for (shape, centre) in [(ball, -0.05), (Shape::Plane, 0.0)] {
        for model in RodModel::ALL {
            let low = solid(
                shape.clone(),
                [0.01, centre - 0.7 * RADIUS_M, 0.0],
                Motion::default(),
            );
            let a = strand(model, [-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
            let (overlap, energy) = left_over(spec(vec![a], vec![low]));
            assert!(overlap <= 5e-3, "{model:?}: overlap of {overlap} radii");
            assert!(energy < HARDLY_ANY_J, "{model:?}: {energy} J");
        }
    }
}

#[test]
fn what_is_held_stays_where_it_is_when_overlap_is_removed() {
    for model in RodModel::ALL {
        let apart = 1.7 * RADIUS_M;
        let a = strand(model, [-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
        let b = strand(model, [0.013, apart, -0.1], [0.0, apart, 0.1]);
        let mut spec = spec(vec![a, b], Vec::new());
        let still = Motion::default();
        spec.holds = vec![hold(0, HoldAt::Start, HoldKind::Clamp, still)];
        let mut world = World::new(spec).unwrap();
        let before = world.rod_nodes(0)[0];
        for _ in 0..20 {
            world.step().unwrap();
        }
        let moved = (world.rod_nodes(0)[0] - before).norm();
        assert!(moved < 1e-12, "{model:?}: {moved} m");
        assert!(world.report().penetration_over_radius <= 5e-3);
    }
}
