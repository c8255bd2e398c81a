//! A strand that sticks to a turning mesh moves with it exactly; one that cannot hold on slips off.

use nalgebra::Point3;

use crate::body::RodModel;
use crate::scene::load;
use crate::world::World;

/// Runs the scene of the bumpy ball, and returns how far any node moved on the ball in the last second, m, and how
/// often anything went through anything.
fn creep_m(sets: &[&str], time_s: f64) -> (f64, usize) {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scene = load("carousel", &sets).expect("a scene");
    let mut world = World::new(scene.spec).expect("a world");
    let seen = |world: &World| -> Vec<Point3<f64>> {
        let from_ball = world.solid_pose(0).inverse();
        let nodes = world.rod_nodes(0).iter();
        nodes.map(|node| from_ball * node).collect()
    };
    let mut crossings = 0;
    let mut run_to = |world: &mut World, time_s: f64| {
        while world.time_s() < time_s - 1e-9 {
            crossings += world.step().expect("a step").crossings;
        }
    };
    run_to(&mut world, time_s - 1.0);
    let before = seen(&world);
    run_to(&mut world, time_s);
    let moved = before.iter().zip(seen(&world)).map(|(a, b)| (b - a).norm());
    (moved.fold(0.0, f64::max), crossings)
}

#[test]
fn a_strand_that_sticks_rides_on_a_turning_mesh_without_creep() {
    for model in RodModel::ALL.map(RodModel::name) {
        let (creep, crossings) = creep_m(&[&format!("rods.model={model}")], 5.0);
        assert!(creep < 1e-7, "{model} creeps by {creep} m");
        assert_eq!(crossings, 0, "{model}");
    }
}

#[test]
fn a_smooth_strand_rides_on_a_turning_mesh_without_creep() {
    for model in ["discrete_elastic", "super_helix"] {
        let sets = [&format!("rods.model={model}"), "detector=smooth"];
        let (creep, crossings) = creep_m(&sets, 5.0);
        assert!(creep < 1e-7, "{model} creeps by {creep} m");
        assert_eq!(crossings, 0, "{model}");
    }
}

#[test]
fn a_strand_without_enough_friction_slips_off_the_mesh() {
    let (creep, crossings) = creep_m(&["friction.default=0.05"], 2.0);
    assert!(creep > 0.01, "{creep}");
    assert_eq!(crossings, 0);
}
