//! Going back and replaying gives the same bits, whatever the model, the detector and the solver.

use nalgebra::{Point3, Vector3};

use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::friction::{HYBRID, SolverKind};
use crate::scene::load;
use crate::world::{Checkpoint, Edit, Hand, MaterialPoint, PhaseTimes, Snapshot, World, WorldSpec};

/// A knot of few pieces, its ends pulled: it slides on itself within the first steps.
fn knot(model: RodModel, detector: DetectorKind, solver: SolverKind) -> WorldSpec {
    let sets = [
        "rods.elements=48".to_owned(),
        format!("rods.model={}", model.name()),
        format!("detector={}", detector.name()),
        format!("solver={}", solver.name()),
    ];
    load("knot", &sets).expect("loads").spec
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step().expect("a step");
    }
}

fn checkpoint(world: &World) -> Checkpoint {
    let mut kept = Checkpoint::default();
    world.checkpoint(None, &mut kept);
    kept
}

/// Everything that is seen of a world, but for what the clock says. As text, so that not-a-number equals itself.
fn seen(world: &World) -> String {
    let mut snapshot = Snapshot::default();
    world.snapshot(&mut snapshot);
    snapshot.report.phases = PhaseTimes::default();
    format!("{snapshot:?}")
}

/// Runs to a checkpoint and on, goes back and on again, in the same world and in another; returns what was not the same.
fn differences(spec: &WorldSpec, before: usize, after: usize) -> Vec<&'static str> {
    let state = |world: &World| (world.state_hash(), seen(world));
    let mut world = World::new(spec.clone()).expect("builds");
    run(&mut world, before);
    let kept = checkpoint(&world);
    let at = state(&world);
    run(&mut world, after);
    let end = state(&world);
    let mut other = World::new(spec.clone()).expect("builds");
    run(&mut other, 3);
    let mut differ = Vec::new();
    for (mut world, places) in [
        (world, ["the checkpoint", "again"]),
        (other, ["elsewhere", "elsewhere, again"]),
    ] {
        world.restore(&kept);
        differ.extend((state(&world) != at).then_some(places[0]));
        run(&mut world, after);
        differ.extend((state(&world) != end).then_some(places[1]));
    }
    differ
}

/// Nothing differs.
const NONE: [&str; 0] = [];

#[test]
fn going_back_and_replaying_gives_the_same_bits_with_every_model_and_detector() {
    for model in RodModel::ALL {
        for detector in DetectorKind::ALL {
            let case = format!("{} with {}", model.name(), detector.name());
            let spec = knot(model, detector, SolverKind::Auto);
            let mut world = World::new(spec.clone()).expect("builds");
            run(&mut world, 40);
            assert!(world.report().contacts > 0, "{case} must touch something");
            assert_eq!(differences(&spec, 40, 25), NONE, "{case}");
        }
    }
}

#[test]
fn going_back_and_replaying_gives_the_same_bits_with_every_kind_of_solver() {
    let solvers = [
        SolverKind::NewtonAc,
        HYBRID,
        SolverKind::ProjectedGradientAccelerated,
        SolverKind::Sap,
    ];
    for solver in solvers {
        let spec = knot(RodModel::DiscreteElastic, DetectorKind::Segments, solver);
        assert_eq!(differences(&spec, 30, 15), NONE, "{}", solver.name());
    }
}

#[test]
fn going_back_and_replaying_gives_the_same_bits_among_scripts_that_are_held_up() {
    for scene in ["carousel", "mixed", "rings"] {
        let spec = load(scene, &[]).expect("loads").spec;
        assert_eq!(differences(&spec, 30, 20), NONE, "{scene}");
    }
}

#[test]
fn going_back_undoes_edits_and_what_is_done_instead_counts() {
    let spec = knot(
        RodModel::DiscreteElastic,
        DetectorKind::Segments,
        SolverKind::Auto,
    );
    let mut world = World::new(spec).expect("builds");
    run(&mut world, 20);
    let (kept, values) = (checkpoint(&world), world.values());
    run(&mut world, 20);
    let untouched = world.state_hash();
    world.restore(&kept);
    let point = MaterialPoint {
        rod: 0,
        element: 20,
        fraction: 0.5,
    };
    let edits = [
        Edit::SetFriction(0.05),
        Edit::SetModel {
            rods: None,
            model: RodModel::MassSpring,
        },
        Edit::SetMaterial {
            rods: 0..1,
            material: crate::body::RodMaterial {
                density_kg_m3: 2000.0,
                ..world.values().strands[0].material
            },
            section: crate::body::SectionShape::Round { radius_m: 4e-3 },
        },
        Edit::SetPairFriction {
            a: crate::world::SurfaceId(0),
            b: crate::world::SurfaceId(0),
            mu: Some(0.6),
        },
        Edit::SetTimeStep(1e-3),
        Edit::SetGravity(Vector3::new(1.0, 0.0, 0.0)),
        Edit::Grab {
            hand: Hand(0),
            point,
            target: Point3::new(0.0, 1.0, 0.0),
        },
        Edit::Pin(MaterialPoint {
            element: 3,
            ..point
        }),
        Edit::PlayDemo(false),
    ];
    for edit in edits {
        world.apply(edit).expect("allowed");
    }
    run(&mut world, 20);
    let forked = world.state_hash();
    assert_ne!(forked, untouched);
    world.restore(&kept);
    assert_eq!(world.values(), values);
    run(&mut world, 20);
    assert_eq!(world.state_hash(), untouched);
}

#[test]
fn a_hold_that_was_freed_comes_back_also_after_going_back_in_time() {
    let spec = load("wisp", &[]).expect("loads").spec;
    let mut world = World::new(spec.clone()).expect("builds");
    let with_holds = |world: &World| {
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        snapshot.holds
    };
    run(&mut world, 5);
    let before = with_holds(&world);
    let roots: Vec<u32> = before.iter().map(|hold| hold.id).collect();
    assert!(!roots.is_empty(), "the scene holds its strands");
    let untouched = world.state_hash();
    for id in &roots {
        world.apply(Edit::Unhold(*id)).expect("allowed");
    }
    assert_ne!(world.state_hash(), untouched, "what can come back counts");
    run(&mut world, 5);
    let kept = checkpoint(&world);
    let bring_back = |world: &mut World| {
        for id in &roots {
            world.apply(Edit::Rehold(*id)).expect("it was freed");
            world.apply(Edit::Rehold(*id)).expect("it is there");
        }
        run(world, 20);
        world.state_hash()
    };
    let end = bring_back(&mut world);
    let again: Vec<u32> = with_holds(&world).iter().map(|hold| hold.id).collect();
    assert_eq!(again, roots, "in their old order");
    world.restore(&kept);
    assert_eq!(bring_back(&mut world), end);
    let mut other = World::new(spec).expect("builds");
    other.restore(&kept);
    assert_eq!(bring_back(&mut other), end, "elsewhere");
    assert!(world.apply(Edit::Rehold(9999)).is_err());
}

#[test]
fn a_checkpoint_says_how_much_memory_it_takes_and_uses_it_again() {
    let spec = knot(
        RodModel::DiscreteElastic,
        DetectorKind::Segments,
        SolverKind::Auto,
    );
    let mut world = World::new(spec).expect("builds");
    let mut kept = checkpoint(&world);
    let first = kept.bytes();
    // Positions and velocities of 49 nodes alone are 49 · 6 · 8 bytes.
    assert!((2_352..1_000_000).contains(&first), "{first} bytes");
    run(&mut world, 30);
    world.checkpoint(None, &mut kept);
    assert_eq!(kept.steps(), 30);
    assert!(kept.bytes() >= first, "contacts have come");
    let end = world.state_hash();
    run(&mut world, 5);
    world.restore(&kept);
    assert_eq!(world.state_hash(), end);
}
