//! Whatever panels ask for while a world runs, it goes on: no panic, nothing that is not a number, nothing stuck; and
//! what a panel shows is what the world has.

use nalgebra::Vector3;

use crate::body::{RodMaterial, RodModel, SectionShape};
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::scene;
use crate::world::{Edit, Hand, MaterialPoint, SurfaceId, Values, World};

/// A stream of scattered numbers.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        // xorshift: any stream will do.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.share() * count as f64) as usize).min(count - 1)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Even in the logarithm, as a slider's.
    fn spread(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }
}

/// An edit as a panel could make it: any value within the limits of its widget.
fn panel_edit(dice: &mut Dice, world: &World) -> Edit {
    match dice.below(13) {
        0 => Edit::SetFriction(dice.between(0.0, 2.0)),
        1 => Edit::SetPairFriction {
            a: SurfaceId(dice.below(2) as u16),
            b: SurfaceId(dice.below(2) as u16),
            mu: (dice.share() < 0.7).then(|| dice.between(0.0, 2.0)),
        },
        2 => Edit::SetTimeStep(dice.spread(1e-6, 0.05)),
        3 => Edit::SetGravity(Vector3::from_fn(|_, _| dice.between(-20.0, 20.0))),
        4 => Edit::SetDetector(DetectorKind::ALL[dice.below(DetectorKind::ALL.len())]),
        5 => Edit::SetSolver(SolverKind::ALL[dice.below(SolverKind::ALL.len())]),
        6 => Edit::SetTolerance(dice.spread(1e-12, 1e-2)),
        7 => Edit::SetMaxIterations(dice.spread(1.0, 500.0) as usize + 1),
        8 => Edit::SetSolverBudget(dice.spread(0.1, 100.0)),
        9 => Edit::SetMaxPasses(1 + dice.below(30)),
        10 => Edit::SetModel {
            rods: None,
            model: RodModel::ALL[dice.below(4)],
        },
        _ => Edit::SetMaterial {
            rods: 0..world.rods(),
            material: RodMaterial {
                youngs_modulus_pa: dice.spread(1e3, 1e12),
                poisson_ratio: dice.between(-0.9, 0.5),
                density_kg_m3: dice.spread(10.0, 3e4),
                bending_factor: dice.spread(1e-3, 1.0),
                mass_damping_per_s: dice.between(0.0, 50.0),
                stiffness_damping_s: dice.spread(1e-6, 0.1),
            },
            section: SectionShape::Round {
                radius_m: dice.spread(1e-3, 1e-2),
            },
        },
    }
}

/// What a hand does now and then.
fn hand_edit(dice: &mut Dice, world: &World) -> Edit {
    let rod = dice.below(world.rods());
    let nodes = world.rod_nodes(rod);
    let point = MaterialPoint {
        rod,
        element: dice.below(nodes.len() - 1),
        fraction: dice.share(),
    };
    let away = Vector3::from_fn(|_, _| dice.between(-0.1, 0.1));
    match dice.below(4) {
        0 => Edit::Release(Hand(0)),
        1 => Edit::Pin(point),
        2 => Edit::Unhold(dice.below(40) as u32),
        _ => Edit::Grab {
            hand: Hand(0),
            point,
            target: nodes[point.element] + away,
        },
    }
}

/// Edits and steps in turn, the values a panel would show follow along; returns the steps taken.
fn survive(scene: &str, edits: usize, seed: u64) -> u64 {
    let spec = scene::load(scene, &[]).unwrap().spec;
    let mut shown = Values::of(&spec);
    let mut world = World::new(spec).unwrap();
    let mut dice = Dice(seed);
    for round in 0..edits {
        let edit = match dice.below(4) {
            0 => hand_edit(&mut dice, &world),
            _ => panel_edit(&mut dice, &world),
        };
        let told = format!("{scene}, {seed}, {round}: {edit:?}");
        let before = world.state_hash();
        match world.apply(edit.clone()) {
            Ok(()) => {
                shown.apply(&edit);
            }
            Err(_) => assert_eq!(world.state_hash(), before, "{told}"),
        }
        assert_eq!(world.values(), shown, "{told}");
        let time_s = world.time_s();
        world.step().unwrap_or_else(|why| panic!("{told}: {why}"));
        assert!(world.time_s() > time_s, "{told}");
        for rod in 0..world.rods() {
            let mut coordinates = world.rod_nodes(rod).iter().flat_map(|x| x.iter());
            assert!(coordinates.all(|c| c.is_finite()), "{told}");
        }
    }
    world.steps()
}

#[test]
fn a_thousand_random_edits_of_panels_and_hands_break_nothing() {
    for (scene, edits) in [("knot", 400), ("drape", 300), ("mixed", 200), ("curl", 100)] {
        let steps = survive(scene, edits, 0x9e37_79b9_7f4a_7c15);
        assert_eq!(steps, edits as u64, "{scene}");
    }
}

#[test]
fn edits_to_any_values_lead_there_exactly_and_back() {
    let spec = scene::load("wisp", &[]).unwrap().spec;
    let start = Values::of(&spec);
    let mut world = World::new(spec).unwrap();
    let mut dice = Dice(7);
    for _ in 0..40 {
        for _ in 0..8 {
            // A refused edit changes nothing, here as anywhere.
            let _ = world.apply(panel_edit(&mut dice, &world));
        }
        let there = world.values();
        for edit in there.edits_to(&start) {
            world.apply(edit).unwrap();
        }
        assert_eq!(world.values(), start);
        for edit in start.edits_to(&there) {
            world.apply(edit).unwrap();
        }
        assert_eq!(world.values(), there);
    }
}
