//! Whatever the hands do, strands do not pass through each other.

use nalgebra::Vector3;

use crate::body::RodModel;
use crate::scene::{self, Scene};
use crate::world::{Edit, Hand, MaterialPoint, World};

#[test]
fn violent_random_drags_of_a_knot_break_nothing() {
    for model in RodModel::ALL {
        let set = format!("rods.model={}", model.name());
        let scene = scene::load("knot", &[set]).unwrap();
        drag(&scene, model as u64);
    }
}

fn drag(scene: &Scene, seed: u64) {
    let mut world = World::new(scene.spec.clone()).unwrap();
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
    let mut crossings = 0;
    for _ in 0..20 {
        let element = (next() * elements as f64) as usize;
        let point = MaterialPoint {
            rod: 0,
            element,
            fraction: next(),
        };
        let here = world.rod_nodes(0)[element];
        world
            .apply(Edit::Grab {
                hand: Hand(0),
                point,
                target: here,
            })
            .unwrap();
        let way = Vector3::new(next() - 0.5, next() - 0.5, next() - 0.5) * 2.0;
        for step in 1..=50 {
            // Two metres within a tenth of a second.
            let target = here + way * (step as f64 / 50.0);
            world
                .apply(Edit::MoveHand {
                    hand: Hand(0),
                    target,
                })
                .unwrap();
            crossings += world.step().unwrap().crossings;
        }
        world.apply(Edit::Release(Hand(0))).unwrap();
    }
    let model = world.rod_model(0).name();
    assert_eq!(crossings, 0, "{model}, seed {seed}");
}
