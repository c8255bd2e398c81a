//! Laws of hands: what they hold, twist, lead and fix, in every rod model.

mod leading;
mod random_edits;
mod twisting;

use nalgebra::{Isometry3, Point3, Vector3};

use crate::body::{
    NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape, StrandState, rod,
};
use crate::geometry::{Motion, Shape};
use crate::world::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, Snapshot, SolidSpec, SurfaceId,
    World, WorldSpec,
};

const MODELS_WITH_TWIST: [RodModel; 3] = [
    RodModel::DiscreteElastic,
    RodModel::Corde,
    RodModel::SuperHelix,
];

fn rope(model: RodModel, from: [f64; 3], to: [f64; 3], pieces: usize, radius_m: f64) -> RodSpec {
    let (from, to) = (Point3::from(from), Point3::from(to));
    let node = |k: usize| from + (to - from) * (k as f64 / pieces as f64);
    RodSpec {
        name: "rope".into(),
        model,
        design: RodDesign {
            centreline: (0..=pieces).map(node).collect(),
            closed: false,
            section: SectionShape::Round { radius_m },
            facing: None,
            material: RodMaterial {
                youngs_modulus_pa: 1e7,
                poisson_ratio: 0.3,
                density_kg_m3: 800.0,
                bending_factor: 1.0,
                mass_damping_per_s: 2.0,
                stiffness_damping_s: 2e-3,
            },
            natural: NaturalShape::Straight,
            helices: None,
            scheme: Scheme::Implicit,
            fixed: false,
        },
        velocity_m_s: Vector3::zeros(),
        proxies: None,
        surface: SurfaceId(0),
        color: [1.0; 3],
    }
}

fn solid(shape: Shape, world_from_body: Isometry3<f64>) -> SolidSpec {
    SolidSpec {
        name: "solid".into(),
        shape,
        world_from_body,
        motion: Motion::default(),
        matter: None,
        restitution: 0.0,
        surface: SurfaceId(1),
        color: [0.5; 3],
    }
}

fn clamp_at(at: HoldAt) -> HoldSpec {
    HoldSpec {
        name: "clamp".into(),
        rod: 0,
        at,
        kind: HoldKind::Clamp,
        motion: Motion::default(),
        on: None,
        active_s: (0.0, f64::INFINITY),
        demo: false,
    }
}

fn spec(rods: Vec<RodSpec>, solids: Vec<SolidSpec>, mu: f64) -> WorldSpec {
    WorldSpec {
        rods,
        solids,
        holds: Vec::new(),
        surfaces: vec!["rope".into(), "wood".into()],
        friction: FrictionTable {
            default: mu,
            pairs: Vec::new(),
        },
        settings: Settings::default(),
        demo: true,
    }
}

fn without_gravity(mut spec: WorldSpec) -> WorldSpec {
    spec.settings.gravity_m_s2 = Vector3::zeros();
    spec
}

fn run(world: &mut World, seconds: f64) {
    let end = world.time_s() + seconds;
    while world.time_s() < end - 1e-9 {
        let report = world.step().unwrap();
        assert_eq!(report.crossings, 0);
    }
}

fn seen(world: &World) -> Snapshot {
    let mut snapshot = Snapshot::default();
    world.snapshot(&mut snapshot);
    snapshot
}

/// GJ of a rope, N m².
fn twisting_stiffness(rope: &RodSpec) -> f64 {
    let start = StrandState::along(&rope.design, &Vector3::zeros());
    let body = rod::build(rope.model, &rope.design, &start);
    body.section().gj_n_m2
}
