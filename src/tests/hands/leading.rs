//! Solids, pins and clamps that a hand moves.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

use super::*;
use crate::geometry::Key;
use crate::world::{Edit, Hand, MaterialPoint};

fn point(element: usize, fraction: f64) -> MaterialPoint {
    MaterialPoint {
        rod: 0,
        element,
        fraction,
    }
}

/// A rope on a table.
fn on_a_table(model: RodModel, mu: f64) -> World {
    let rope = rope(model, [-0.1, 4e-3, 0.0], [0.1, 4e-3, 0.0], 20, 4e-3);
    let half_extents_m = [0.3, 0.05, 0.2];
    let table = solid(
        Shape::Box { half_extents_m },
        Isometry3::translation(0.0, -0.05, 0.0),
    );
    World::new(spec(vec![rope], vec![table], mu)).unwrap()
}

#[test]
fn a_moved_solid_carries_a_strand_by_friction() {
    for model in RodModel::ALL {
        let mut world = on_a_table(model, 0.8);
        run(&mut world, 0.3);
        let before = world.rod_centre(0);
        let pose = Isometry3::translation(0.15, 0.03, -0.1);
        world.apply(Edit::MoveSolid { solid: 0, pose }).unwrap();
        run(&mut world, 1.5);
        assert_eq!(world.solid_pose(0), pose);
        let way = world.rod_centre(0) - before;
        // Along the rope friction carries it; across, where it can, it rolls: a table under a cylinder that rolls takes
        // it a third of the way.
        let across = match model {
            RodModel::MassSpring => 1.0,
            _ => 1.0 / 3.0,
        };
        let off = (way - Vector3::new(0.15, 0.08, -0.1 * across)).norm();
        assert!(off < 2e-3, "{model:?}: {off} m off");
    }
}

#[test]
fn without_friction_it_does_not() {
    let mut world = on_a_table(RodModel::DiscreteElastic, 0.0);
    run(&mut world, 0.3);
    let before = world.rod_centre(0);
    let pose = Isometry3::translation(0.1, -0.05, 0.0);
    world.apply(Edit::MoveSolid { solid: 0, pose }).unwrap();
    run(&mut world, 1.0);
    assert!((world.rod_centre(0) - before).norm() < 1e-4);
}

#[test]
fn a_hand_halts_the_script_of_a_solid() {
    let mut spec = spec(Vec::new(), Vec::new(), 0.3);
    let mut ball = solid(Shape::Sphere { radius_m: 0.05 }, Isometry3::identity());
    ball.motion.spin_rad_s = Vector3::new(0.0, 3.0, 0.0);
    spec.solids.push(ball);
    let mut world = World::new(spec).unwrap();
    run(&mut world, 0.5);
    let turned = world.solid_pose(0).rotation.angle();
    assert!((turned - 1.5).abs() < 1e-6);
    let pose = Isometry3::new(Vector3::new(0.2, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0));
    world.apply(Edit::MoveSolid { solid: 0, pose }).unwrap();
    assert!(
        (world.solid_pose(0).rotation.angle() - turned).abs() < 1e-9,
        "it does not leap"
    );
    run(&mut world, 2.0);
    assert_eq!(world.solid_pose(0), pose);
    assert!(seen(&world).solids[0].led);
}

#[test]
fn a_solid_that_is_brought_back_goes_on_with_its_script_where_it_left_it() {
    let mut spec = spec(Vec::new(), Vec::new(), 0.3);
    let mut ball = solid(Shape::Sphere { radius_m: 0.05 }, Isometry3::identity());
    ball.motion.spin_rad_s = Vector3::new(0.0, 1.0, 0.0);
    spec.solids.push(ball);
    let mut world = World::new(spec).unwrap();
    run(&mut world, 0.5);
    let left = world.solid_pose(0);
    let pose = Isometry3::translation(0.2, 0.0, 0.0);
    world.apply(Edit::MoveSolid { solid: 0, pose }).unwrap();
    run(&mut world, 2.0);
    world.apply(Edit::ReturnSolid { solid: 0 }).unwrap();
    let mut before = world.solid_pose(0);
    while seen(&world).solids[0].led {
        assert!(world.time_s() < 10.0, "it never came back");
        before = world.solid_pose(0);
        world.step().unwrap();
    }
    assert!((before.translation.vector - left.translation.vector).norm() < 1e-3);
    let back = world.solid_pose(0).rotation.angle();
    assert!((back - left.rotation.angle()).abs() < 1e-9, "{back}");
    run(&mut world, 0.5);
    let turned = world.solid_pose(0).rotation.angle();
    assert!((turned - back - 0.5).abs() < 1e-2, "{back} to {turned}");
}

#[test]
fn a_clamp_that_is_brought_back_goes_on_with_its_script_where_it_left_it() {
    for model in RodModel::ALL {
        let rope = rope(model, [0.0; 3], [0.2, 0.0, 0.0], 20, 3e-3);
        let mut spec = without_gravity(spec(vec![rope], Vec::new(), 0.3));
        let mut clamp = clamp_at(HoldAt::Start);
        // Along x at 5 cm/s.
        clamp.motion.keys = [0.0, 100.0]
            .map(|time_s| Key {
                time_s,
                offset_m: Vector3::x() * (0.05 * time_s),
            })
            .to_vec();
        spec.holds.push(clamp);
        let mut world = World::new(spec).unwrap();
        let place = |world: &World| f64::from(seen(world).holds[0].position[0]);
        run(&mut world, 0.5);
        let left = place(&world);
        assert!((left - 0.025).abs() < 1e-5, "{model:?}: {left}");
        let pose = Isometry3::translation(left, 0.1, 0.0);
        world.apply(Edit::MoveHold { id: 0, pose }).unwrap();
        run(&mut world, 1.5);
        assert!(seen(&world).holds[0].led);
        world.apply(Edit::ReturnHold { id: 0 }).unwrap();
        while seen(&world).holds[0].led {
            assert!(world.time_s() < 10.0, "{model:?}: it never came back");
            world.step().unwrap();
        }
        let back = place(&world);
        assert!((back - left).abs() < 1e-4, "{model:?}: {left} {back}");
        run(&mut world, 0.5);
        let on = place(&world) - back;
        assert!((on - 0.025).abs() < 1e-3, "{model:?}: {on}");
    }
}

#[test]
fn a_clamp_that_was_freed_comes_back_to_its_place_on_a_solid_that_moves() {
    for model in RodModel::ALL {
        let rope = rope(model, [0.0; 3], [0.2, 0.0, 0.0], 20, 3e-3);
        let at = Isometry3::translation(-0.1, 0.0, 0.0);
        let mut ball = solid(Shape::Sphere { radius_m: 0.02 }, at);
        // Upwards at 20 cm/s.
        ball.motion.keys = [0.0, 100.0]
            .map(|time_s| Key {
                time_s,
                offset_m: Vector3::y() * (0.2 * time_s),
            })
            .to_vec();
        let mut spec = without_gravity(spec(vec![rope], vec![ball], 0.3));
        let mut clamp = clamp_at(HoldAt::Start);
        clamp.on = Some(0);
        spec.holds.push(clamp);
        let mut world = World::new(spec).unwrap();
        let on_it = |world: &World| world.solid_pose(0).inverse() * world.rod_nodes(0)[0];
        run(&mut world, 0.2);
        let before = on_it(&world);
        world.apply(Edit::Unhold(0)).unwrap();
        run(&mut world, 0.5);
        let away = (on_it(&world) - before).norm();
        assert!(away > 0.02, "{model:?}: it lags behind by {away} m only");
        world.apply(Edit::Rehold(0)).unwrap();
        while seen(&world).holds[0].led {
            assert!(world.time_s() < 10.0, "{model:?}: it never came back");
            world.step().unwrap();
        }
        let off = (on_it(&world) - before).norm();
        assert!(off < 1e-5, "{model:?}: {off} m beside its place");
        run(&mut world, 0.3);
        let off = (on_it(&world) - before).norm();
        assert!(off < 1e-5, "{model:?}: {off} m beside its place");
    }
}

#[test]
fn a_moved_clamp_takes_its_place_and_its_direction() {
    for model in RodModel::ALL {
        let rope = rope(model, [0.0; 3], [0.2, 0.0, 0.0], 20, 3e-3);
        let mut spec = without_gravity(spec(vec![rope], Vec::new(), 0.3));
        spec.holds.push(clamp_at(HoldAt::Start));
        let mut world = World::new(spec).unwrap();
        run(&mut world, 0.05);
        let start = seen(&world).holds[0];
        let before = UnitQuaternion::from_quaternion(nalgebra::Quaternion::from(
            start.rotation.map(f64::from),
        ));
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.9, -0.2));
        let pose = Isometry3::from_parts(Translation3::new(0.05, 0.1, -0.02), turn * before);
        world.apply(Edit::MoveHold { id: 0, pose }).unwrap();
        run(&mut world, 3.0);
        let held = seen(&world).holds[0];
        assert!(held.led);
        let place = Vector3::from(held.position.map(f64::from));
        assert!((place - pose.translation.vector).norm() < 1e-5, "{model:?}");
        // The free rope follows: it lies along the clamp again.
        let along = (world.rod_nodes(0)[20] - world.rod_nodes(0)[0]).normalize();
        let wanted = pose.rotation * Vector3::x();
        assert!(
            along.angle(&wanted) < 0.02,
            "{model:?}: {}",
            along.angle(&wanted)
        );
    }
}

#[test]
fn a_pin_is_led_no_harder_than_a_hand_pulls() {
    for model in RodModel::ALL {
        let rope = rope(model, [0.0; 3], [0.2, 0.0, 0.0], 20, 3e-3);
        let mut spec = without_gravity(spec(vec![rope], Vec::new(), 0.3));
        spec.holds.push(clamp_at(HoldAt::Start));
        let mut world = World::new(spec).unwrap();
        world.apply(Edit::Pin(point(19, 1.0))).unwrap();
        world.step().unwrap();
        let pose = Isometry3::translation(10.0, 0.0, 0.0);
        world.apply(Edit::MoveHold { id: 1, pose }).unwrap();
        run(&mut world, 2.0);
        let stretch = (world.rod_nodes(0)[20] - world.rod_nodes(0)[0]).norm() / 0.2;
        // A hand pulls at most with a tenth of EA.
        assert!(stretch < 1.2, "{model:?}: {stretch}");
    }
}

#[test]
fn pins_and_clamps_hold_what_they_took() {
    for model in RodModel::ALL {
        let rope = rope(model, [0.0; 3], [0.2, 0.0, 0.0], 20, 3e-3);
        let mut world = World::new(spec(vec![rope], Vec::new(), 0.3)).unwrap();
        world.apply(Edit::Clamp(point(3, 0.0))).unwrap();
        world.apply(Edit::Pin(point(16, 0.0))).unwrap();
        let before = seen(&world);
        run(&mut world, 1.0);
        let after = seen(&world);
        for (a, b) in before.holds.iter().zip(&after.holds) {
            let moved = (Vector3::from(a.position) - Vector3::from(b.position)).norm();
            assert!(moved < 2e-5, "{model:?}: {moved} m");
        }
        assert_eq!(after.holds[0].kind, HoldKind::Clamp);
        let tilt =
            Vector3::from(after.points[4].position) - Vector3::from(after.points[3].position);
        assert!(tilt.y.abs() < 0.02 * tilt.norm(), "{model:?}: {tilt}");
        world.apply(Edit::Unhold(after.holds[0].id)).unwrap();
        run(&mut world, 0.1);
        assert_eq!(seen(&world).holds.len(), 1);
    }
}

#[test]
fn a_solid_led_into_a_taut_rope_does_not_pass_through_it() {
    for model in RodModel::ALL {
        let rope = rope(model, [-0.15, 0.0, 0.0], [0.15, 0.0, 0.0], 30, 3e-3);
        // So long that the rope cannot slip off it.
        let half_extents_m = [0.02, 0.02, 0.3];
        let bar = solid(
            Shape::Box { half_extents_m },
            Isometry3::translation(0.0, 0.04, 0.0),
        );
        let mut spec = without_gravity(spec(vec![rope], vec![bar], 0.3));
        spec.holds.push(clamp_at(HoldAt::Start));
        spec.holds.push(clamp_at(HoldAt::End));
        let mut world = World::new(spec).unwrap();
        // `run` asserts that nothing crosses; the bar is asked to be far below.
        let pose = Isometry3::translation(0.0, -1.0, 0.0);
        world.apply(Edit::MoveSolid { solid: 0, pose }).unwrap();
        run(&mut world, 0.35);
        let low = world.rod_nodes(0).iter().map(|x| x.y).fold(0.0, f64::min);
        let bar = world.solid_pose(0).translation.y;
        // A super-helix never stretches, and does not give way.
        let gives = model != RodModel::SuperHelix;
        assert!(!gives || low < -0.005, "{model:?}: {low}");
        assert!(bar > low + 0.015, "{model:?}: {bar} against {low}");
    }
}

#[test]
fn impossible_moves_are_refused_and_change_nothing() {
    let mut world = on_a_table(RodModel::DiscreteElastic, 0.3);
    world.apply(Edit::Pin(point(2, 0.0))).unwrap();
    world.step().unwrap();
    let before = world.state_hash();
    let nan = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let infinite = Isometry3::translation(0.0, f64::INFINITY, 0.0);
    let here = Isometry3::identity();
    for edit in [
        Edit::MoveSolid {
            solid: 1,
            pose: here,
        },
        Edit::MoveSolid {
            solid: 0,
            pose: nan,
        },
        Edit::MoveSolid {
            solid: 0,
            pose: infinite,
        },
        Edit::MoveHold { id: 9, pose: here },
        Edit::MoveHold { id: 0, pose: nan },
        Edit::Clamp(point(20, 0.0)),
        Edit::Clamp(point(2, 1.5)),
        Edit::Clamp(point(2, f64::NAN)),
    ] {
        let why = world.apply(edit.clone()).unwrap_err().to_string();
        assert!(!why.is_empty(), "{edit:?}");
    }
    assert_eq!(world.state_hash(), before);
    assert_eq!(seen(&world).holds.len(), 1);
}

#[test]
fn where_a_hand_leads_is_part_of_the_state() {
    let mut world = on_a_table(RodModel::DiscreteElastic, 0.3);
    world.step().unwrap();
    let mut seen = vec![world.state_hash()];
    for x in [0.1, 0.2] {
        let pose = Isometry3::translation(x, 0.0, 0.0);
        world.apply(Edit::MoveSolid { solid: 0, pose }).unwrap();
        seen.push(world.state_hash());
    }
    for x in [0.1, 0.2] {
        let edit = Edit::Grab {
            hand: Hand(1),
            point: point(3, 0.5),
            target: nalgebra::Point3::new(x, 0.0, 0.0),
        };
        world.apply(edit).unwrap();
        seen.push(world.state_hash());
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 5);
}
