//! Laws of a whole world: friction that holds and slips as it should, strands that do not pass through each other.

use crate::geometry::{Motion, Shape};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::*;
use crate::body::{NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape};
use crate::geometry::Key;

fn rope() -> RodMaterial {
    RodMaterial {
        youngs_modulus_pa: 1e7,
        poisson_ratio: 0.3,
        density_kg_m3: 800.0,
        bending_factor: 1.0,
        mass_damping_per_s: 0.5,
        stiffness_damping_s: 2e-3,
    }
}

fn rod(name: &str, centreline: Vec<Point3<f64>>, radius_m: f64, material: RodMaterial) -> RodSpec {
    RodSpec {
        name: name.into(),
        model: RodModel::DiscreteElastic,
        design: RodDesign {
            centreline,
            closed: false,
            section: SectionShape::Round { radius_m },
            facing: None,
            material,
            natural: NaturalShape::Straight,
            helices: None,
            scheme: Scheme::Implicit,
            fixed: false,
        },
        velocity_m_s: Vector3::zeros(),
        proxies: None,
        surface: SurfaceId(0),
        color: [1.0; 3],
    }
}

fn line(from: [f64; 3], to: [f64; 3], elements: usize) -> Vec<Point3<f64>> {
    let (from, to) = (Point3::from(from), Point3::from(to));
    (0..=elements)
        .map(|k| from + (to - from) * (k as f64 / elements as f64))
        .collect()
}

fn solid(shape: Shape, world_from_body: Isometry3<f64>) -> SolidSpec {
    SolidSpec {
        name: "solid".into(),
        shape,
        world_from_body,
        motion: Motion::default(),
        matter: None,
        restitution: 0.0,
        surface: SurfaceId(1),
        color: [0.5; 3],
    }
}

fn spec(rods: Vec<RodSpec>, solids: Vec<SolidSpec>, mu: f64) -> WorldSpec {
    WorldSpec {
        demo: true,
        rods,
        solids,
        holds: Vec::new(),
        surfaces: vec!["rope".into(), "wood".into()],
        friction: FrictionTable {
            default: mu,
            pairs: Vec::new(),
        },
        settings: Settings::default(),
    }
}

/// A short rope in empty space.
fn short_rope() -> World {
    let nodes = line([0.0, 0.0, 0.0], [0.1, 0.0, 0.0], 4);
    let rope = rod("rope", nodes, 4e-3, rope());
    World::new(spec(vec![rope], Vec::new(), 0.3)).unwrap()
}

/// A stiff piece of rod lying along the fall line of a slope.
fn incline(angle: f64, mu: f64) -> World {
    let tilt = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    let radius = 5e-3;
    let stiff = RodMaterial {
        youngs_modulus_pa: 1e8,
        mass_damping_per_s: 0.0,
        ..rope()
    };
    let nodes = line([-0.05, radius, 0.0], [0.05, radius, 0.0], 10)
        .iter()
        .map(|x| tilt * x)
        .collect();
    let plane = solid(
        Shape::Plane,
        Isometry3::from_parts(Translation3::identity(), tilt),
    );
    let mut spec = spec(vec![rod("stick", nodes, radius, stiff)], vec![plane], mu);
    spec.settings.tolerance = 1e-10;
    spec.settings.dt_s = 1e-3;
    World::new(spec).unwrap()
}

fn run(world: &mut World, time_s: f64) {
    while world.time_s() < time_s - 1e-9 {
        world.step().unwrap();
    }
}

#[test]
fn a_rod_below_the_friction_angle_does_not_creep() {
    let mu = 0.3_f64;
    let mut world = incline(mu.atan() - 0.01, mu);
    run(&mut world, 1.0);
    let before = world.rod_nodes(0).to_vec();
    run(&mut world, 5.0);
    let moved = world
        .rod_nodes(0)
        .iter()
        .zip(&before)
        .map(|(a, b)| (a - b).norm())
        .fold(0.0, f64::max);
    assert!(moved < 1e-9, "crept {moved} m in 4 s");
}

#[test]
fn a_rod_above_the_friction_angle_slides_as_a_block_does() {
    let mu = 0.3_f64;
    for excess in [0.01, 0.2] {
        let angle = mu.atan() + excess;
        let mut world = incline(angle, mu);
        run(&mut world, 0.5);
        let start = world.rod_centre(0);
        run(&mut world, 1.0);
        let middle = world.rod_centre(0);
        run(&mut world, 1.5);
        let end = world.rod_centre(0);
        let measured = ((end - middle).norm() - (middle - start).norm()) / 0.25;
        let expected = 9.81 * (angle.sin() - mu * angle.cos());
        assert!(
            (measured / expected - 1.0).abs() < 0.01,
            "{measured} against {expected}"
        );
    }
}

#[test]
fn a_dragged_rope_end_pulls_with_friction_times_weight() {
    // Dragged along a table at constant speed, a rope pulls back with µ m g.
    let (mu, radius) = (0.4, 4e-3);
    let rope = rod(
        "rope",
        line([0.0, radius, 0.0], [0.3, radius, 0.0], 30),
        radius,
        rope(),
    );
    let mut spec = spec(
        vec![rope],
        vec![solid(Shape::Plane, Isometry3::identity())],
        mu,
    );
    let key = |time_s, x| Key {
        time_s,
        offset_m: Vector3::new(x, 0.0, 0.0),
    };
    spec.holds.push(HoldSpec {
        name: "pull".into(),
        rod: 0,
        at: HoldAt::End,
        kind: HoldKind::Pin,
        motion: Motion {
            keys: vec![key(0.0, 0.0), key(2.0, 0.4)],
            ..Motion::default()
        },
        on: None,
        active_s: (0.0, f64::INFINITY),
        demo: false,
    });
    let mut world = World::new(spec).unwrap();
    run(&mut world, 1.5);
    let weight = 9.81 * world.bodies[0].mass_kg();
    // The pinned node's own friction acts in its pin, not on the rope.
    let expected = mu * weight * (1.0 - 0.5 / 30.0);
    // Drag through the mass damping comes on top.
    let drag = 0.5 * 0.2 * world.bodies[0].mass_kg();
    let pull = world.hold_force(0).x - drag;
    assert!(
        (pull / expected - 1.0).abs() < 0.02,
        "{pull} N against {expected} N"
    );
}

#[test]
fn ropes_do_not_fall_through_each_other() {
    let radius = 4e-3;
    let low = rod(
        "low",
        line([-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], 20),
        radius,
        rope(),
    );
    let high = rod(
        "high",
        line([0.013, 0.05, -0.2], [0.0, 0.05, 0.2], 20),
        radius,
        rope(),
    );
    let mut spec = spec(vec![low, high], Vec::new(), 0.3);
    for at in [HoldAt::Start, HoldAt::End] {
        spec.holds.push(HoldSpec {
            name: "end".into(),
            rod: 0,
            at,
            kind: HoldKind::Pin,
            motion: Motion::default(),
            on: None,
            active_s: (0.0, f64::INFINITY),
            demo: false,
        });
    }
    let mut world = World::new(spec).unwrap();
    let (mut deepest, mut crossings) = (0.0_f64, 0);
    while world.time_s() < 2.0 {
        let report = world.step().unwrap();
        deepest = deepest.max(report.penetration_over_radius);
        crossings += report.crossings;
    }
    assert_eq!(crossings, 0);
    assert!(deepest < 0.1, "overlap of {deepest} radii");
    assert!(
        world.rod_centre(1).y > world.rod_nodes(0)[10].y - 0.2,
        "the upper rope hangs over the lower one"
    );
}

#[test]
fn a_turning_cylinder_carries_a_strand_that_sticks() {
    // A loop of wire rests on a slowly turning drum: with enough friction its top moves with the surface.
    let (drum, radius) = (0.05, 2e-3);
    let arc = |k: usize| {
        let angle = std::f64::consts::FRAC_PI_2 + (k as f64 / 24.0 - 0.5) * 3.0;
        Point3::new(
            (drum + radius) * angle.cos(),
            (drum + radius) * angle.sin(),
            0.0,
        )
    };
    let mut strand = rod("strand", (0..=24).map(arc).collect(), radius, rope());
    strand.design.natural = NaturalShape::AsGiven;
    let axis = UnitQuaternion::rotation_between(&Vector3::y(), &Vector3::z()).unwrap();
    let mut cylinder = solid(
        Shape::Cylinder {
            radius_m: drum,
            half_length_m: 0.1,
        },
        Isometry3::from_parts(Translation3::identity(), axis),
    );
    cylinder.motion.spin_rad_s = Vector3::new(0.0, 0.0, -0.2);
    let mut world = World::new(spec(vec![strand], vec![cylinder], 1.0)).unwrap();
    run(&mut world, 1.0);
    let angle = |world: &World| {
        let x = world.rod_nodes(0)[12];
        x.y.atan2(x.x)
    };
    let before = angle(&world);
    run(&mut world, 2.0);
    let turned = before - angle(&world);
    assert!(
        (turned / 0.2 - 1.0).abs() < 1e-3,
        "turned {turned} rad, the drum 0.2"
    );
}

#[test]
fn a_non_finite_state_is_a_fault_that_names_its_place() {
    let mut world = short_rope();
    world.settings.gravity_m_s2.y = f64::NAN;
    let fault = world.step().unwrap_err();
    assert_eq!(
        (fault.body.as_str(), fault.stage, fault.step),
        ("rope", "free motion", 0)
    );
    assert!(
        world
            .rod_nodes(0)
            .iter()
            .all(|x| x.iter().all(|c| c.is_finite())),
        "the state is left alone"
    );
}

#[test]
fn impossible_edits_are_refused_and_change_nothing() {
    let mut world = short_rope();
    let nowhere = MaterialPoint {
        rod: 0,
        element: 4,
        fraction: 0.5,
    };
    let edits = [
        Edit::SetFriction(-0.1),
        Edit::SetFriction(f64::NAN),
        Edit::SetTimeStep(0.0),
        Edit::SetTolerance(-1.0),
        Edit::SetMaxIterations(0),
        Edit::Pin(nowhere),
        Edit::Pin(MaterialPoint { rod: 7, ..nowhere }),
        Edit::Grab {
            hand: Hand(0),
            point: nowhere,
            target: Point3::origin(),
        },
        Edit::MoveHand {
            hand: Hand(3),
            target: Point3::origin(),
        },
    ];
    let before = world.settings.clone();
    for edit in edits {
        assert!(world.apply(edit.clone()).is_err(), "{edit:?}");
    }
    assert_eq!(
        (&world.settings, world.friction.default, world.holds.len()),
        (&before, 0.3, 0)
    );
}

#[test]
fn a_grabbed_point_follows_the_hand_and_lets_go() {
    let rope = rod(
        "rope",
        line([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 30),
        4e-3,
        rope(),
    );
    let mut spec = spec(vec![rope], Vec::new(), 0.3);
    spec.settings.gravity_m_s2 = Vector3::zeros();
    let mut world = World::new(spec).unwrap();
    let target = Point3::new(0.1, 0.2, 0.05);
    let point = MaterialPoint {
        rod: 0,
        element: 10,
        fraction: 0.25,
    };
    world
        .apply(Edit::Grab {
            hand: Hand(0),
            point,
            target,
        })
        .unwrap();
    run(&mut world, 2.0);
    let nodes = world.rod_nodes(0);
    let held = nodes[10] + (nodes[11] - nodes[10]) * 0.25;
    assert!((held - target).norm() < 2e-3, "{held}");
    world.apply(Edit::Release(Hand(0))).unwrap();
    assert!(world.holds.is_empty());
}

#[test]
fn a_snapshot_tells_how_the_forces_were_found() {
    let mut snapshot = Snapshot::default();
    let mut free = short_rope();
    free.step().unwrap();
    free.snapshot(&mut snapshot);
    assert!(snapshot.convergence.points.is_empty());

    let mut world = incline(0.2, 0.5);
    run(&mut world, 0.02);
    world.snapshot(&mut snapshot);
    let course = &snapshot.convergence;
    assert_eq!(course.solver, world.settings().solver);
    assert_eq!(course.stop, crate::friction::StopReason::Solved);
    assert!(course.error <= course.tolerance);
    let wanted = course.tolerance.log10() as f32;
    assert!(course.points.iter().any(|point| point.log_error <= wanted));
}
