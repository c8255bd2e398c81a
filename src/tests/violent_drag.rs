//! Whatever hands and needles do, nothing passes through anything.

use nalgebra::Vector3;

use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::scene;
use crate::validation::violent_drag::{DragOptions, violent_drag};
use crate::world::{Edit, Hand, MaterialPoint, World};

#[test]
fn a_knot_dragged_violently_by_its_end_stays_a_knot() {
    let (seeds, detectors) = ([1, 10, 3, 7, 2, 5, 9, 0], DetectorKind::ALL);
    let cases = detectors
        .into_iter()
        .flat_map(|detector| RodModel::ALL.map(|model| (model, detector)));
    for ((model, detector), seed) in cases.zip(seeds) {
        let options = DragOptions {
            detector,
            ..DragOptions::for_seed(model, seed, 0.5, false)
        };
        let result = violent_drag(&options).unwrap();
        assert!(result.finite && result.knot_kept, "{options:?} {result:?}");
        // Passes in between are solved less exactly; one of them was once taken for the last.
        assert!(
            result.solved_error_over_tolerance <= 1.0,
            "{options:?} {result:?}"
        );
        assert_eq!(result.crossings, 0, "{options:?} {result:?}");
    }
}

#[test]
fn fast_thin_needles_do_not_pass_through_a_strand() {
    for model in RodModel::ALL {
        for (seed, detector) in [4, 7, 8, 3].into_iter().zip([
            DetectorKind::Segments,
            DetectorKind::Segments,
            DetectorKind::Segments,
            DetectorKind::Smooth,
        ]) {
            let options = DragOptions {
                detector,
                ..DragOptions::for_seed(model, seed, 0.6, true)
            };
            let result = violent_drag(&options).unwrap();
            assert!(result.finite, "{options:?} {result:?}");
            assert_eq!(result.crossings, 0, "{options:?} {result:?}");
            if detector == DetectorKind::Segments {
                let reported = result.worst_overlap_over_radius;
                let seen = result.witnessed_overlap_over_radius;
                assert!(reported.max(seen) <= 0.5 + 1e-9, "{options:?} {result:?}");
            }
        }
    }
}

/// A helix that lay beside a needle rocked on its one contact, or had none on the needle's far side; sunk in by half a
/// radius it could move in no way, and froze for good.
#[test]
fn a_smooth_strand_among_needles_does_not_freeze() {
    for seed in [2, 3, 4] {
        let options = DragOptions {
            detector: DetectorKind::Smooth,
            ..DragOptions::for_seed(RodModel::SuperHelix, seed, 1.5, true)
        };
        let result = violent_drag(&options).unwrap();
        assert_eq!(result.crossings, 0, "{options:?} {result:?}");
        // Frozen, every one of 64 pieces of every step is held back.
        assert!(
            result.held_back < 2 * result.steps,
            "{options:?} {result:?}"
        );
    }
}

#[test]
fn violent_random_drags_of_a_knot_break_nothing() {
    for model in RodModel::ALL {
        let set = format!("rods.model={}", model.name());
        let scene = scene::load("knot", &[set]).unwrap();
        let mut world = World::new(scene.spec).unwrap();
        let crossings = drag(&mut world, model as u64);
        assert_eq!(crossings, 0, "{}", model.name());
    }
}

/// Pulls at one random place after the other; returns the crossings.
fn drag(world: &mut World, seed: u64) -> usize {
    world.apply(Edit::PlayDemo(false)).unwrap();
    let elements = world.rod_nodes(0).len() - 1;
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        // xorshift: any stream of scattered numbers will do.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let hand = Hand(0);
    let mut crossings = 0;
    for _ in 0..10 {
        let element = (next() * elements as f64) as usize;
        let point = MaterialPoint {
            rod: 0,
            element,
            fraction: next(),
        };
        let target = world.rod_nodes(0)[element];
        let way = Vector3::new(next() - 0.5, next() - 0.5, next() - 0.5) * 2.0;
        let grab = Edit::Grab {
            hand,
            point,
            target,
        };
        world.apply(grab).unwrap();
        for step in 1..=50 {
            // Two metres within a tenth of a second.
            let target = target + way * (step as f64 / 50.0);
            world.apply(Edit::MoveHand { hand, target }).unwrap();
            crossings += world.step().unwrap().crossings;
        }
        world.apply(Edit::Release(hand)).unwrap();
    }
    crossings
}
