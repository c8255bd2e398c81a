//! Laws of solids that are free to move: falling, rolling, sliding, standing, rebounding, and bearing strands.

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::overlap::{solid, strand};
use crate::body::RodModel;
use crate::geometry::{Motion, Shape};
use crate::world::{
    Edit, FrictionTable, Hand, RodSpec, Settings, SolidMatter, SolidSpec, World, WorldSpec,
};

const G: f64 = 9.81;

fn free(shape: Shape, place: [f64; 3], velocity: [f64; 3]) -> SolidSpec {
    SolidSpec {
        matter: Some(SolidMatter {
            density_kg_m3: 500.0,
            velocity_m_s: Vector3::from(velocity),
            spin_rad_s: Vector3::zeros(),
        }),
        ..solid(shape, place, Motion::default())
    }
}

fn floor() -> SolidSpec {
    solid(Shape::Plane, [0.0; 3], Motion::default())
}

fn world(rods: Vec<RodSpec>, solids: Vec<SolidSpec>, mu: f64, dt_s: f64) -> World {
    let spec = WorldSpec {
        rods,
        solids,
        holds: Vec::new(),
        surfaces: vec!["any".into(), "other".into()],
        friction: FrictionTable {
            default: mu,
            pairs: Vec::new(),
        },
        settings: Settings {
            dt_s,
            ..Settings::default()
        },
        demo: false,
    };
    World::new(spec).expect("a world")
}

fn run(world: &mut World, seconds: f64) {
    let end = world.time_s() + seconds - 1e-9;
    while world.time_s() < end {
        world.step().expect("a step");
    }
}

fn cube(half: f64) -> Shape {
    Shape::Box {
        half_extents_m: [half; 3],
    }
}

/// A plane tilted by this angle about z, so that x points down it, and a place above it.
fn slope(angle: f64, height: f64) -> (SolidSpec, Isometry3<f64>, Vector3<f64>) {
    let tilt = UnitQuaternion::from_scaled_axis(Vector3::z() * -angle);
    let plane = SolidSpec {
        world_from_body: Isometry3::from_parts(Vector3::zeros().into(), tilt),
        ..floor()
    };
    let above = Isometry3::from_parts((tilt * Vector3::y() * height).into(), tilt);
    (plane, above, tilt * Vector3::x())
}

#[test]
fn a_box_on_a_slope_slides_above_the_angle_of_friction_and_does_not_creep_below_it() {
    let (mu, half) = (0.5_f64, 0.1);
    for (angle, slides) in [(mu.atan() * 0.98, false), (mu.atan() * 1.1, true)] {
        let (plane, above, down) = slope(angle, half);
        let mut body = free(cube(half), [0.0; 3], [0.0; 3]);
        body.world_from_body = above;
        let mut world = world(vec![], vec![plane, body], mu, 5e-3);
        run(&mut world, 1.0);
        let way = (world.solid_pose(1).translation.vector - above.translation.vector).dot(&down);
        if slides {
            let acceleration = G * (angle.sin() - mu * angle.cos());
            // A step moves at the velocity of its end: half a step more.
            let expected = 0.5 * acceleration * 1.005;
            assert!((way / expected - 1.0).abs() < 1e-3, "{way} {expected}");
        } else {
            assert!(way.abs() < 1e-9, "{way}");
        }
    }
}

#[test]
fn a_ball_rolls_down_a_slope_at_five_sevenths_of_sliding_and_slips_where_friction_is_too_little() {
    let (angle, radius) = (0.3_f64, 0.05);
    // It rolls while tan β ≤ 7/2 µ.
    for mu in [0.4, 0.05] {
        let (plane, above, down) = slope(angle, radius);
        let mut ball = free(Shape::Sphere { radius_m: radius }, [0.0; 3], [0.0; 3]);
        ball.world_from_body = above;
        let mut world = world(vec![], vec![plane, ball], mu, 2e-3);
        run(&mut world, 1.0);
        let [velocity, spin] = world.solid_motion(1).expect("free");
        let rolls = angle.tan() <= 3.5 * mu;
        let expected = match rolls {
            true => 5.0 / 7.0 * G * angle.sin(),
            false => G * (angle.sin() - mu * angle.cos()),
        };
        assert!(
            (velocity.dot(&down) / expected - 1.0).abs() < 1e-6,
            "µ {mu}: {velocity}"
        );
        let slip = velocity.norm() - radius * spin.norm();
        assert_eq!(slip.abs() < 1e-6, rolls, "µ {mu}: {slip}");
    }
}

#[test]
fn a_spun_ball_rolls_on_at_two_sevenths_of_its_rim_whatever_the_friction() {
    let (radius, spin) = (0.05, 40.0);
    for mu in [0.1, 0.6] {
        let mut ball = free(
            Shape::Sphere { radius_m: radius },
            [0.0, radius, 0.0],
            [0.0; 3],
        );
        let matter = ball.matter.as_mut().expect("free");
        matter.spin_rad_s = Vector3::new(0.0, 0.0, -spin);
        let mut world = world(vec![], vec![floor(), ball], mu, 2e-3);
        run(&mut world, 2.0);
        let [velocity, _] = world.solid_motion(1).expect("free");
        let expected = 2.0 / 7.0 * spin * radius;
        assert!(
            (velocity.x / expected - 1.0).abs() < 1e-6,
            "µ {mu}: {velocity}"
        );
    }
}

#[test]
fn a_stack_of_boxes_stands_still() {
    let half = 0.05;
    let mut solids = vec![floor()];
    for k in 0..6 {
        let off = 0.01 * f64::from(k % 3 - 1);
        let height = half * f64::from(2 * k + 1);
        solids.push(free(cube(half), [off, height, -off], [0.0; 3]));
    }
    let mut world = world(vec![], solids, 0.4, 5e-3);
    run(&mut world, 1.0);
    let before: Vec<_> = (1..7).map(|k| world.solid_pose(k)).collect();
    run(&mut world, 10.0);
    assert!(
        world.report().max_speed_m_s < 1e-6,
        "{}",
        world.report().max_speed_m_s
    );
    for (k, before) in before.iter().enumerate() {
        let after = world.solid_pose(k + 1);
        let drift = (after.translation.vector - before.translation.vector).norm();
        assert!(
            drift < 1e-7 && after.rotation.angle_to(&before.rotation) < 1e-6,
            "{drift}"
        );
    }
    let weight = 6.0 * 500.0 * (2.0 * half).powi(3) * G;
    assert!((world.solid_force(0).y + weight).abs() < 1e-3 * weight);
}

#[test]
fn every_shape_comes_to_rest_on_the_floor() {
    let mesh = crate::geometry::mesh::bumpy_sphere(0.06, 0.0, 0.0, 1).expect("a gem");
    let shapes = [
        cube(0.05),
        Shape::Capsule {
            radius_m: 0.03,
            half_length_m: 0.06,
        },
        Shape::Cylinder {
            radius_m: 0.05,
            half_length_m: 0.04,
        },
        Shape::Mesh(std::sync::Arc::new(mesh)),
    ];
    for shape in shapes {
        let mut body = free(shape.clone(), [0.0, 0.15, 0.0], [0.1, 0.0, 0.0]);
        body.world_from_body.rotation = UnitQuaternion::from_euler_angles(0.4, 0.2, 0.7);
        let mut world = world(vec![], vec![floor(), body], 0.5, 4e-3);
        run(&mut world, 4.0);
        let report = world.report();
        assert!(report.penetration_over_radius < 0.5, "{shape:?}");
        let rolls = matches!(shape, Shape::Capsule { .. });
        assert!(
            rolls || report.max_speed_m_s < 1e-5,
            "{shape:?} {}",
            report.max_speed_m_s
        );
        let height = world.solid_pose(1).translation.vector.y;
        assert!(height > 0.02 && height < 0.07, "{shape:?} at {height}");
    }
}

#[test]
fn a_ball_rebounds_to_the_square_of_its_restitution() {
    let (radius, drop, restitution) = (0.05, 0.5, 0.7);
    let mut ball = free(
        Shape::Sphere { radius_m: radius },
        [0.0, radius + drop, 0.0],
        [0.0; 3],
    );
    ball.restitution = restitution;
    let mut world = world(vec![], vec![floor(), ball], 0.3, 5e-4);
    let mut highest = 0.0_f64;
    let fall = (2.0 * drop / G).sqrt();
    while world.time_s() < 2.0 * fall {
        world.step().expect("a step");
        if world.time_s() > 1.05 * fall {
            highest = highest.max(world.solid_pose(1).translation.vector.y - radius);
        }
    }
    let expected = drop * restitution * restitution;
    assert!(
        (highest / expected - 1.0).abs() < 0.02,
        "{highest} {expected}"
    );
}

#[test]
fn balls_that_meet_keep_their_momentum() {
    let ball = |x: f64, v: f64| {
        free(
            Shape::Sphere { radius_m: 0.05 },
            [x, 0.0, 0.0],
            [v, 0.0, 0.0],
        )
    };
    let mut elastic = [ball(0.0, 2.0), ball(0.3, -1.0)];
    elastic.iter_mut().for_each(|ball| ball.restitution = 1.0);
    let mut world = world(vec![], elastic.to_vec(), 0.3, 1e-3);
    world
        .apply(Edit::SetGravity(Vector3::zeros()))
        .expect("no gravity");
    run(&mut world, 0.3);
    let [first, second] = [0, 1].map(|k| world.solid_motion(k).expect("free")[0].x);
    // Equal masses swap their velocities.
    assert!(
        (first + 1.0).abs() < 1e-9 && (second - 2.0).abs() < 1e-9,
        "{first} {second}"
    );
}

#[test]
fn a_strand_on_a_ball_weighs_on_the_floor_under_it() {
    let radius = 0.05;
    let box_shape = Shape::Box {
        half_extents_m: [radius, radius, 0.1],
    };
    let body = free(box_shape, [0.0, radius, 0.0], [0.0; 3]);
    let height = 2.0 * radius + 0.011;
    let rope = strand(
        RodModel::DiscreteElastic,
        [-0.04, height, 0.0],
        [0.04, height, 0.0],
    );
    let mut world = world(vec![rope], vec![floor(), body], 0.4, 2e-3);
    run(&mut world, 2.0);
    let rope_kg = {
        let area = std::f64::consts::PI * world.rod_radius_m(0).powi(2);
        area * 0.08
    };
    let box_n = 500.0 * 8.0 * radius * radius * 0.1 * G;
    let floor_n = -world.solid_force(0).y;
    let density = (floor_n - box_n) / (rope_kg * G);
    assert!(
        world.report().max_speed_m_s < 1e-5,
        "{}",
        world.report().max_speed_m_s
    );
    // What is more than the box is the rope, whose density is that of ropes.
    let rope_density = world.values().strands[0].material.density_kg_m3;
    assert!(
        (density / rope_density - 1.0).abs() < 1e-3,
        "{density} {rope_density}"
    );
}

#[test]
fn a_hand_lifts_what_is_free_and_lets_it_fall() {
    let body = free(cube(0.05), [0.0, 0.05, 0.0], [0.0; 3]);
    let mut world = world(vec![], vec![floor(), body], 0.4, 4e-3);
    let grab = Edit::GrabSolid {
        hand: Hand(0),
        solid: 1,
        local: [0.0, 0.0, 0.0].into(),
        target: [0.1, 0.4, 0.0].into(),
    };
    world.apply(grab.clone()).expect("grabbed");
    run(&mut world, 2.0);
    let held = world.solid_pose(1) * nalgebra::Point3::origin();
    // The spring gives by g/ω² under the weight.
    assert!(
        (held - nalgebra::Point3::new(0.1, 0.4 - G / 1600.0, 0.0)).norm() < 1e-3,
        "{held}"
    );
    world.apply(Edit::Release(Hand(0))).expect("released");
    run(&mut world, 1.0);
    assert!(world.solid_pose(1).translation.vector.y < 0.075);
    // What is not free can be led but not pulled.
    let Edit::GrabSolid {
        hand,
        local,
        target,
        ..
    } = grab
    else {
        unreachable!()
    };
    let floor = Edit::GrabSolid {
        hand,
        solid: 0,
        local,
        target,
    };
    assert!(
        world
            .apply(floor)
            .is_err_and(|why| why.to_string().contains("not free"))
    );
}

#[test]
fn a_ball_that_is_spun_while_it_rests_rolls_away() {
    let ball = free(Shape::Sphere { radius_m: 0.05 }, [0.0, 0.05, 0.0], [0.0; 3]);
    let mut world = world(vec![], vec![floor(), ball], 0.4, 2e-3);
    run(&mut world, 0.2);
    let spin = Vector3::new(0.0, 0.0, -30.0);
    let edit = |solid| Edit::SpinSolid { solid, spin };
    world.apply(edit(1)).expect("spun");
    run(&mut world, 1.0);
    let [velocity, _] = world.solid_motion(1).expect("free");
    assert!(
        (velocity.x - 2.0 / 7.0 * 30.0 * 0.05).abs() < 1e-6,
        "{velocity}"
    );
    assert!(
        world
            .apply(edit(0))
            .is_err_and(|why| why.to_string().contains("not free"))
    );
}

#[test]
fn threads_and_checkpoints_do_not_change_a_pile() {
    let pile = || {
        let mut solids = vec![floor()];
        for k in 0..12 {
            let x = 0.03 * f64::from(k % 3) - 0.03;
            let shape = match k % 3 {
                0 => cube(0.03),
                1 => Shape::Sphere { radius_m: 0.035 },
                _ => Shape::Capsule {
                    radius_m: 0.02,
                    half_length_m: 0.03,
                },
            };
            solids.push(free(
                shape,
                [x, 0.05 + 0.07 * f64::from(k), 0.01 * x],
                [0.0; 3],
            ));
        }
        let rope = strand(RodModel::DiscreteElastic, [-0.1, 0.6, 0.0], [0.1, 0.6, 0.0]);
        world(vec![rope], solids, 0.4, 4e-3)
    };
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| {
            let mut world = pile();
            run(&mut world, 0.6);
            world.state_hash()
        })
    };
    assert_eq!(hash(1), hash(2));
    let mut world = pile();
    run(&mut world, 0.3);
    let mut kept = crate::world::Checkpoint::default();
    world.checkpoint(None, &mut kept);
    run(&mut world, 0.3);
    let first = world.state_hash();
    let mut other = pile();
    other.restore(&kept);
    run(&mut other, 0.3);
    assert_eq!(first, other.state_hash());
    assert_eq!(first, hash(1));
}
