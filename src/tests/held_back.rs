//! What cannot go on without passing through something stops; time does not.

use nalgebra::Vector3;

use super::overlap::{RADIUS_M, hold, solid, spec, strand};
use crate::body::RodModel;
use crate::geometry::{Key, Motion, Shape};
use crate::world::{HoldAt, HoldKind, Snapshot, World, WorldSpec};

/// Straight from rest at a time to an offset at a later one.
fn straight(from_s: f64, to_s: f64, offset_m: Vector3<f64>) -> Motion {
    let key = |time_s, offset_m| Key { time_s, offset_m };
    Motion {
        keys: vec![key(from_s, Vector3::zeros()), key(to_s, offset_m)],
        ..Motion::default()
    }
}

/// Takes so many steps; returns the crossings and how often something was held back.
fn run(world: &mut World, steps: usize) -> (usize, usize) {
    let (mut crossings, mut held_back) = (0, 0);
    for _ in 0..steps {
        let step = world.step().unwrap();
        crossings += step.crossings;
        held_back += step.held_back;
    }
    (crossings, held_back)
}

/// A strand on a floor, along x, with its middle at the origin.
fn on_the_floor(model: RodModel) -> WorldSpec {
    let a = strand(model, [-0.1, RADIUS_M, 0.0], [0.1, RADIUS_M, 0.0]);
    let floor = solid(Shape::Plane, [0.0; 3], Motion::default());
    spec(vec![a], vec![floor])
}

#[test]
fn a_press_stops_at_a_strand_on_a_table() {
    for model in RodModel::ALL {
        let mut spec = on_the_floor(model);
        // A plate so wide that nothing slips away, down through the table at 2 m/s.
        let plate = Shape::Box {
            half_extents_m: [0.03, 0.05, 0.1],
        };
        let down = straight(0.0, 0.05, Vector3::new(0.0, -0.1, 0.0));
        spec.solids
            .push(solid(plate, [0.003, 0.05 + 3.0 * RADIUS_M, 0.0], down));
        for at in [HoldAt::Start, HoldAt::End] {
            let still = Motion::default();
            spec.holds.push(hold(0, at, HoldKind::Clamp, still));
        }
        spec.settings.gravity_m_s2 = Vector3::new(0.0, -9.81, 0.0);
        let mut world = World::new(spec).unwrap();
        let (crossings, held_back) = run(&mut world, 12);
        assert_eq!(crossings, 0, "{model:?}");
        assert!(held_back > 0, "{model:?}");
        assert!((world.time_s() - 0.024).abs() < 1e-9, "time goes on");
        let mut seen = Snapshot::default();
        world.snapshot(&mut seen);
        let bottom = f64::from(seen.solids[1].position[1]) - 0.05;
        assert!(bottom > 0.9 * RADIUS_M, "{model:?}: it is at {bottom} m");
    }
}

#[test]
fn a_clamp_led_into_a_block_stops_at_it() {
    for model in RodModel::ALL {
        let a = strand(model, [0.0, 0.0, 0.0], [-0.2, 0.0, 0.0]);
        let block = Shape::Box {
            half_extents_m: [0.02, 0.05, 0.05],
        };
        let block = solid(block, [0.05, 0.0, 0.0], Motion::default());
        let mut spec = spec(vec![a], vec![block]);
        let through = straight(0.0, 0.02, Vector3::new(0.2, 0.0, 0.0));
        spec.holds
            .push(hold(0, HoldAt::Start, HoldKind::Clamp, through));
        let mut world = World::new(spec).unwrap();
        let (crossings, held_back) = run(&mut world, 30);
        assert_eq!(crossings, 0, "{model:?}");
        assert!(held_back > 0, "{model:?}");
        let x = world.rod_nodes(0)[0].x;
        assert!(x < 0.03 - 0.4 * RADIUS_M, "{model:?}: it is at {x} m");
    }
}

#[test]
fn a_strand_led_down_onto_another_at_20_m_s_stays_above() {
    for model in RodModel::ALL {
        let a = strand(model, [-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
        let b = strand(model, [0.0, 0.03, -0.1], [0.0, 0.03, 0.1]);
        let mut spec = spec(vec![a, b], Vec::new());
        // Both are held by both ends: the upper must bend over the lower.
        for at in [HoldAt::Start, HoldAt::End] {
            let still = Motion::default();
            let down = straight(0.0, 0.003, Vector3::new(0.0, -0.06, 0.0));
            spec.holds.push(hold(0, at, HoldKind::Clamp, still));
            spec.holds.push(hold(1, at, HoldKind::Clamp, down));
        }
        let mut world = World::new(spec).unwrap();
        let (crossings, _) = run(&mut world, 30);
        assert_eq!(crossings, 0, "{model:?}");
        let lowest = |rod: usize, node: usize| world.rod_nodes(rod)[node].y;
        assert!(lowest(1, 10) > lowest(0, 10), "{model:?}: still above");
    }
}

#[test]
fn a_script_that_stood_still_goes_on_where_it_was() {
    let model = RodModel::DiscreteElastic;
    let a = strand(model, [0.0, 0.0, 0.0], [-0.2, 0.0, 0.0]);
    // A door in the way that opens later.
    let door = Shape::Box {
        half_extents_m: [0.005, 0.05, 0.05],
    };
    let opens = straight(0.06, 0.1, Vector3::new(0.0, 0.4, 0.0));
    let mut spec = spec(vec![a], vec![solid(door, [0.03, 0.0, 0.0], opens)]);
    let through = straight(0.0, 0.05, Vector3::new(0.1, 0.0, 0.0));
    spec.holds
        .push(hold(0, HoldAt::Start, HoldKind::Pin, through));
    let mut world = World::new(spec).unwrap();
    let (_, held_back) = run(&mut world, 30);
    assert!(held_back > 0 && world.rod_nodes(0)[0].x < 0.025);
    let (crossings, _) = run(&mut world, 120);
    assert_eq!(crossings, 0);
    assert!((world.rod_nodes(0)[0].x - 0.1).abs() < 1e-9);
}
