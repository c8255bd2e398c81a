//! A thousand random edits of every kind while a world runs: it neither panics nor diverges nor gets stuck.

use nalgebra::{Isometry3, Point3, Vector3};

use super::*;
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::world::{Edit, Hand, MaterialPoint};

/// Scattered numbers from 0 to 1: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.next() * count as f64) as usize).min(count - 1)
    }

    fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| (2.0 * self.next() - 1.0) * size)
    }

    /// A number of the range; now and then something impossible.
    fn number(&mut self, low: f64, high: f64) -> f64 {
        match self.below(40) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1.0,
            3 => 0.0,
            _ => low + (high - low) * self.next(),
        }
    }

    fn pose(&mut self) -> Isometry3<f64> {
        let mut pose = Isometry3::new(self.vector(0.15), self.vector(2.0));
        pose.translation.vector.y += 0.1;
        if self.below(40) == 0 {
            pose.translation.vector.x = f64::NAN;
        }
        pose
    }

    fn point(&mut self) -> MaterialPoint {
        // One strand and a few elements more than there are.
        MaterialPoint {
            rod: self.below(3),
            element: self.below(17),
            fraction: self.number(0.0, 1.0),
        }
    }

    fn hand(&mut self) -> Hand {
        Hand(self.below(3) as u32)
    }

    fn target(&mut self) -> Point3<f64> {
        Point3::from(self.vector(0.4)) + Vector3::y() * 0.2
    }

    fn edit(&mut self) -> Edit {
        match self.below(24) {
            0..4 => Edit::Grab {
                hand: self.hand(),
                point: self.point(),
                target: self.target(),
            },
            4..8 => Edit::MoveHand {
                hand: self.hand(),
                target: self.target(),
            },
            8..10 => Edit::TwistHand {
                hand: self.hand(),
                angle_rad: self.number(-10.0, 10.0),
            },
            10 => Edit::Release(self.hand()),
            11 => Edit::Pin(self.point()),
            12 => Edit::Clamp(self.point()),
            13 => Edit::MoveHold {
                id: self.below(30) as u32,
                pose: self.pose(),
            },
            14 => Edit::MoveSolid {
                solid: 1 + self.below(3),
                pose: self.pose(),
            },
            // As many go as come.
            15..18 => Edit::Unhold(self.below(30) as u32),
            18 => Edit::Rehold(self.below(30) as u32),
            _ => self.setting(),
        }
    }

    fn setting(&mut self) -> Edit {
        match self.below(9) {
            0 => Edit::SetFriction(self.number(0.0, 1.0)),
            1 => Edit::SetTimeStep(self.number(5e-4, 5e-3)),
            2 => Edit::SetGravity(self.vector(10.0)),
            3 => Edit::SetDetector(DetectorKind::ALL[self.below(DetectorKind::ALL.len())]),
            4 => Edit::SetSolver(SolverKind::ALL[self.below(SolverKind::ALL.len())]),
            5 => Edit::SetTolerance(self.number(1e-8, 1e-3)),
            6 => Edit::SetMaxIterations(self.below(400)),
            7 => Edit::SetSolverBudget(self.number(1.0, 10.0)),
            _ => Edit::SetModel {
                rods: [None, Some(0..1), Some(1..2)][self.below(3)].clone(),
                model: RodModel::ALL[self.below(4)],
            },
        }
    }
}

/// Length of their pieces, m.
const PIECE_M: f64 = 0.02;

/// Two ropes above the ground, a ball and a box.
fn playground() -> World {
    let model = RodModel::DiscreteElastic;
    let low = rope(model, [-0.15, 0.02, 0.0], [0.15, 0.02, 0.0], 15, 4e-3);
    let mut high = rope(model, [0.0, 0.05, -0.15], [0.02, 0.05, 0.15], 15, 4e-3);
    high.design.helices = Some(5);
    let solids = vec![
        solid(Shape::Plane, Isometry3::identity()),
        solid(
            Shape::Sphere { radius_m: 0.02 },
            Isometry3::translation(0.2, 0.05, 0.0),
        ),
        solid(
            Shape::Box {
                half_extents_m: [0.02, 0.03, 0.02],
            },
            Isometry3::translation(-0.2, 0.05, 0.0),
        ),
    ];
    World::new(spec(vec![low, high], solids, 0.3)).unwrap()
}

#[test]
fn a_thousand_random_edits_break_nothing() {
    random_edits(0x9e37_79b9_7f4a_7c15, 1000);
}

/// In these a strand that found no motion once flung the other at 3300 m/s.
#[test]
fn other_random_edits_break_nothing_either() {
    random_edits(0x9e37_79b9_7f4a_7c15 ^ 555, 500);
}

fn random_edits(seed: u64, edits: usize) {
    let mut world = playground();
    let mut random = Random(seed);
    // Speed of sound, m/s: what was stretched e times its length flies apart at about e times that.
    let sound = (1e7_f64 / 800.0).sqrt();
    let (mut refused, mut stretched) = (0, 0.0_f64);
    for count in 0..edits {
        let edit = random.edit();
        if let Err(why) = world.apply(edit.clone()) {
            assert!(!why.to_string().is_empty(), "{edit:?} is refused silently");
            refused += 1;
        }
        let before = world.time_s();
        let pieces = (0..2).flat_map(|rod| world.rod_nodes(rod).windows(2));
        let lengths = pieces.map(|p| (p[1] - p[0]).norm());
        stretched = lengths.fold(stretched, |most, l| most.max(l / PIECE_M - 1.0));
        let report = world.step();
        let report = report.unwrap_or_else(|fault| panic!("after edit {count}, {edit:?}: {fault}"));
        assert_eq!(report.crossings, 0, "after edit {count}, {edit:?}");
        let speed = report.max_speed_m_s;
        assert!(
            speed < 100.0 + sound * stretched,
            "{speed} m/s after {edit:?}, stretched by {stretched}"
        );
        assert!(world.time_s() > before, "time stands still after {edit:?}");
        for rod in 0..2 {
            let finite = |x: &Point3<f64>| x.iter().all(|c| c.is_finite());
            assert!(world.rod_nodes(rod).iter().all(finite), "{edit:?}");
        }
    }
    let usual = edits / 20..edits * 7 / 10;
    assert!(usual.contains(&refused), "{refused} edits refused");
    is_not_stuck(&mut world);
}

/// Let go of and left alone, the strands still follow a hand.
fn is_not_stuck(world: &mut World) {
    for hold in seen(world).holds {
        world.apply(Edit::Unhold(hold.id)).unwrap();
    }
    for edit in [
        Edit::SetGravity(Vector3::new(0.0, -9.81, 0.0)),
        Edit::SetTimeStep(2e-3),
        Edit::SetSolver(SolverKind::Auto),
        Edit::SetTolerance(1e-6),
        Edit::SetMaxIterations(500),
        Edit::SetSolverBudget(f64::INFINITY),
    ] {
        world.apply(edit).unwrap();
    }
    run(world, 0.3);
    for rod in 0..2 {
        let target = world.rod_nodes(rod)[7] + Vector3::new(0.0, 0.1, 0.0);
        let point = MaterialPoint {
            rod,
            element: 7,
            fraction: 0.0,
        };
        let hand = Hand(rod as u32);
        world
            .apply(Edit::Grab {
                hand,
                point,
                target,
            })
            .unwrap();
        run(world, 0.6);
        let off = (world.rod_nodes(rod)[7] - target).norm();
        assert!(off < 0.03, "strand {rod} is {off} m from the hand");
    }
}
