//! A hand that twists: M = GJ θ/L.

use nalgebra::Point3;

use super::*;
use crate::world::{Edit, Hand, MaterialPoint};

const HAND: Hand = Hand(0);

/// A straight rope, clamped at its start, held by a hand at its end.
fn held(model: RodModel) -> World {
    let rope = rope(model, [0.0; 3], [0.4, 0.0, 0.0], 40, 4e-3);
    let mut spec = without_gravity(spec(vec![rope], Vec::new(), 0.3));
    spec.holds.push(clamp_at(HoldAt::Start));
    let mut world = World::new(spec).unwrap();
    let grab = Edit::Grab {
        hand: HAND,
        point: MaterialPoint {
            rod: 0,
            element: 39,
            fraction: 1.0,
        },
        target: Point3::new(0.4, 0.0, 0.0),
    };
    world.apply(grab).unwrap();
    world
}

fn twist(world: &mut World, angle_rad: f64) {
    let edit = Edit::TwistHand {
        hand: HAND,
        angle_rad,
    };
    world.apply(edit).unwrap();
}

/// Where the frame is that the clamp holds, and the one that the hand turns, m.
fn twisted_length(model: RodModel) -> f64 {
    match model {
        // From node to node.
        RodModel::SuperHelix => 0.4,
        // From the middle of the first piece to the middle of the last.
        _ => 0.4 * 39.0 / 40.0,
    }
}

#[test]
fn a_twisted_rod_has_the_twist_and_the_moment_of_the_theory() {
    for model in MODELS_WITH_TWIST {
        for angle in [1.0, -0.5] {
            let mut world = held(model);
            twist(&mut world, angle);
            run(&mut world, 2.0);
            let snapshot = seen(&world);
            let expected = angle / twisted_length(model);
            for (k, point) in snapshot.points.iter().enumerate() {
                let off = f64::from(point.twist) / expected - 1.0;
                assert!(off.abs() < 0.01, "{model:?}, node {k}: {off}");
            }
            let hold = snapshot.holds.iter().find(|hold| hold.hand.is_some());
            let moment = f64::from(hold.unwrap().twist_moment_n_m);
            let rope = rope(model, [0.0; 3], [0.4, 0.0, 0.0], 40, 4e-3);
            let theory = twisting_stiffness(&rope) * expected;
            assert!((moment / theory - 1.0).abs() < 0.01, "{model:?}: {moment}");
        }
    }
}

#[test]
fn a_hand_can_turn_a_free_rod_round_and_round() {
    for model in MODELS_WITH_TWIST {
        let mut world = held(model);
        world.apply(Edit::Unhold(0)).unwrap();
        run(&mut world, 0.1);
        twist(&mut world, 20.0);
        run(&mut world, 2.5);
        let hold = seen(&world).holds[0];
        assert!((hold.twist_rad - 20.0).abs() < 1e-6, "{model:?}");
        // Nothing holds it back: it has turned as far as the hand, and is not twisted.
        assert!(hold.twist_moment_n_m.abs() < 1e-5, "{model:?}: {hold:?}");
        let twists = seen(&world).points.into_iter().map(|p| p.twist.abs());
        assert!(twists.fold(0.0, f32::max) < 0.05, "{model:?}");
    }
}

#[test]
fn the_moment_of_a_hand_is_bounded() {
    for model in MODELS_WITH_TWIST {
        let mut world = held(model);
        twist(&mut world, 300.0);
        let rope = rope(model, [0.0; 3], [0.4, 0.0, 0.0], 40, 4e-3);
        let most = 0.3 * twisting_stiffness(&rope) / 4e-3;
        for _ in 0..300 {
            assert_eq!(world.step().unwrap().crossings, 0, "{model:?}");
            let moment = f64::from(seen(&world).holds[1].twist_moment_n_m);
            assert!(moment.abs() <= most * 1.0001, "{model:?}: {moment} N m");
        }
    }
}

#[test]
fn twisting_is_refused_where_there_is_no_twist() {
    let mut world = held(RodModel::MassSpring);
    let edit = |angle_rad| Edit::TwistHand {
        hand: HAND,
        angle_rad,
    };
    let why = world.apply(edit(1.0)).unwrap_err().to_string();
    assert!(why.contains("mass-spring"), "{why}");
    let mut world = held(RodModel::Corde);
    let before = world.state_hash();
    for angle in [f64::NAN, f64::INFINITY, 1e9] {
        assert!(world.apply(edit(angle)).is_err(), "{angle}");
    }
    let nobody = Edit::TwistHand {
        hand: Hand(7),
        angle_rad: 1.0,
    };
    assert!(world.apply(nobody).is_err());
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_twisting_hand_survives_a_change_of_model() {
    let mut world = held(RodModel::DiscreteElastic);
    twist(&mut world, 1.0);
    run(&mut world, 0.5);
    for model in [
        RodModel::Corde,
        RodModel::SuperHelix,
        RodModel::MassSpring,
        RodModel::DiscreteElastic,
    ] {
        world.apply(Edit::SetModel { rods: None, model }).unwrap();
        run(&mut world, 0.5);
        let snapshot = seen(&world);
        assert!(snapshot.points.iter().all(|p| p.twist.is_finite()));
        let twisted = snapshot.points[20].twist / (1.0 / 0.4);
        match model {
            RodModel::MassSpring | RodModel::DiscreteElastic => {}
            _ => assert!((twisted - 1.0).abs() < 0.1, "{model:?}: {twisted}"),
        }
    }
}
