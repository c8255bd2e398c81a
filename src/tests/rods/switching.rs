//! Changing the model of a running world.

use super::*;
use crate::scene;
use crate::world::{Edit, World};

#[test]
fn the_knot_stays_a_knot_as_its_model_is_changed_again_and_again() {
    let scene = scene::load("knot", &[]).unwrap();
    let mut world = World::new(scene.spec).unwrap();
    let length = 0.8;
    // Every model follows every other once.
    let order = [0, 1, 2, 3, 2, 1, 0, 2, 0, 3, 1, 3, 0];
    for which in order {
        for _ in 0..60 {
            world.step().unwrap();
            assert_eq!(world.report().crossings, 0);
        }
        let model = RodModel::ALL[which];
        let before = world.rod_nodes(0).to_vec();
        let edit = Edit::SetModel { rods: None, model };
        world.apply(edit).unwrap();
        assert_eq!(world.rod_model(0), model);
        let pairs = world.rod_nodes(0).iter().zip(&before);
        let off = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 0.02 * length, "{}: moved by {off} m", model.name());
    }
}

#[test]
fn a_model_that_cannot_be_a_loop_is_refused_and_nothing_changes() {
    let node = |k: usize| {
        let angle = std::f64::consts::TAU * (k % 12) as f64 / 12.0;
        Point3::new(angle.cos(), 0.0, angle.sin())
    };
    let mut ring = design((0..=12).map(node).collect(), 0.01);
    ring.closed = true;
    let mut spec = scene::load("knot", &[]).unwrap().spec;
    spec.holds.clear();
    spec.rods[0].design = ring;
    let mut world = World::new(spec).unwrap();
    let edit = |model| Edit::SetModel {
        rods: Some(0..1),
        model,
    };
    let refused = world.apply(edit(RodModel::SuperHelix)).unwrap_err();
    assert!(refused.0.contains("loop"), "{refused}");
    assert_eq!(world.rod_model(0), RodModel::DiscreteElastic);
    world.apply(edit(RodModel::MassSpring)).unwrap();
    world.step().unwrap();
}

#[test]
fn a_scripted_pull_goes_on_when_the_model_is_changed() {
    let scene = scene::load("knot", &[]).unwrap();
    let mut world = World::new(scene.spec).unwrap();
    // The pull is at its strongest from 7 s on.
    while world.time_s() < 7.5 {
        world.step().unwrap();
    }
    for model in [RodModel::MassSpring, RodModel::Corde, RodModel::SuperHelix] {
        let before = world.rod_nodes(0).to_vec();
        world.apply(Edit::SetModel { rods: None, model }).unwrap();
        let moved = (0..91).map(|k| (world.rod_nodes(0)[k] - before[k]).norm());
        let moved = moved.fold(0.0, f64::max);
        assert!(moved < 2e-3, "{}: moved by {moved} m", model.name());
        for _ in 0..100 {
            world.step().unwrap();
        }
        let pull = world.hold_force(1).norm();
        assert!(
            (pull / 80.0 - 1.0).abs() < 0.01,
            "{}: {pull} N",
            model.name()
        );
        assert_eq!(world.report().crossings, 0);
    }
}

#[test]
fn a_curl_at_rest_is_at_rest_in_every_other_model() {
    // A helix of curvature 40 and torsion 15 per metre.
    let (curvature, torsion) = (40.0_f64, 15.0_f64);
    let square = curvature * curvature + torsion * torsion;
    let (radius, rise, pieces) = (curvature / square, torsion / square, 120);
    let node = |k: usize| {
        let angle = 0.2 * k as f64 / pieces as f64 * square.sqrt();
        Point3::new(radius * angle.cos(), radius * angle.sin(), rise * angle)
    };
    let mut curl = design((0..=pieces).map(node).collect(), 1e-3);
    curl.natural = NaturalShape::helical(curvature, torsion);
    curl.facing = Some(-nalgebra::Vector3::x());
    curl.helices = Some(30);
    curl.material.mass_damping_per_s = 5.0;
    let straightened = 0.5 * curl.section().ei_n_m2[0] * curvature * curvature * 0.2;
    for from in RodModel::ALL {
        let mut body = at_rest(from, &curl);
        settle(body.as_mut(), &nalgebra::Vector3::zeros(), &[]);
        for to in RodModel::ALL {
            let other = rod::build(to, &curl, &body.strand());
            let share = energy(other.as_ref()) / straightened;
            assert!(share < 0.01, "{} to {}: {share}", from.name(), to.name());
        }
    }
}
