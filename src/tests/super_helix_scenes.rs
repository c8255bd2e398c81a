//! What must be seen in the scenes of super-helices: a knot without friction, a plectoneme, strands on turning balls, hair.

use std::time::Duration;

use nalgebra::Point3;

use crate::math::root;
use crate::record::{Recorder, RunReport};
use crate::scene::load;
use crate::validation::{Plan, Protocol};
use crate::world::World;

/// Runs a shipped scene to its end, or for so long.
fn run(name: &str, sets: &[String], seconds: Option<f64>) -> RunReport {
    let scene = load(name, sets).expect("a good scene");
    let seconds = seconds.unwrap_or(scene.time_s);
    let mut world = World::new(scene.spec.clone()).expect("a good world");
    let mut recorder = Recorder::new(&scene, &world);
    while world.time_s() < seconds - 1e-9 {
        world.step().expect("a step");
        recorder.observe(&world);
    }
    recorder.finish(&world, Duration::ZERO, None)
}

fn sets<const N: usize>(sets: [&str; N]) -> Vec<String> {
    sets.map(str::to_owned).to_vec()
}

fn measured(report: &RunReport, name: &str) -> f64 {
    report.measured[name].expect("a run long enough to tell")
}

#[test]
fn a_knot_without_friction_closes_and_is_of_the_published_size() {
    let report = run("tight_knot", &[], None);
    assert_eq!(report.knots.summary, ["trefoil (3_1)", "trefoil (3_1)"]);
    assert_eq!((report.crossings, report.held_back), (0, 0));
    assert!(report.solver_error.over_tolerance_fraction < 0.01);
    assert!(measured(&report, "pull_n_mean") > 7.5);
    // [Bertails11, table I] has 8 contacts and ν = 0.4 at most.
    assert!(
        (6..=12).contains(&report.contacts.max),
        "{:?}",
        report.contacts
    );
    assert!((0.27..=0.6).contains(&report.nu_max), "{}", report.nu_max);
}

#[test]
fn a_knot_never_passes_through_itself_however_hard_it_is_pulled() {
    let hard = sets([
        "hold.1.max_force=400",
        "hold.1.keys=[[0.2,0,0,0],[0.7,0,-0.6,0]]",
    ]);
    let report = run("tight_knot", &hard, Some(2.0));
    assert!(measured_force(&hard) > 100.0);
    assert_eq!(report.crossings, 0);
    assert_eq!(report.knots.summary[1], "trefoil (3_1)");
}

/// Pull on the knot after 1.5 s, N.
fn measured_force(sets: &[String]) -> f64 {
    let scene = load("tight_knot", sets).expect("a good scene");
    let mut world = World::new(scene.spec).expect("a good world");
    while world.time_s() < 1.5 {
        world.step().expect("a step");
    }
    world.hold_force(1).norm()
}

#[test]
fn friction_holds_a_knot_that_slides_without_it() {
    let [slippery, rough] = ["friction.default=0", "friction.default=0.3"]
        .map(|set| run("tight_knot", &sets([set]), None));
    // The same pull draws more of the strand out of the knot where it slides.
    let [slid, held] = [&slippery, &rough].map(|report| measured(report, "end_distance_m"));
    assert!(
        slid > held + 0.015,
        "{slid} m without friction, {held} m with it"
    );
    assert!(rough.max_speed_m_s < 1e-4, "{} m/s", rough.max_speed_m_s);
    assert_eq!(rough.crossings, 0);
}

/// A rod between two clamps, twisted by Φ, buckles by itself when its moment M = GJ Φ/L satisfies tan(x) = x, x = ML/2EI:
/// x = 4.4934, so that Φ = 8.9868 EI/GJ (Greenhill's problem with clamped ends). With a breath of slack it is bent from
/// the start; then the force between the clamps is Euler's thrust 4π² EI/L² without twist, falls as it is twisted, and is
/// zero at Φ: from there on the clamps must pull.
#[test]
fn a_twisted_strand_buckles_where_a_slender_rod_must() {
    let scene = load("plectoneme", &[]).expect("a good scene");
    let section = scene.spec.rods[0].design.section();
    let (ei, gj) = (section.ei_n_m2[0], section.gj_n_m2);
    let x = root::between(4.0, 4.7, |x: f64| x.cos() * x - x.sin());
    let expected_rad = 2.0 * x * ei / gj;
    let motion = scene.spec.holds[1].motion.clone();
    let mut world = World::new(scene.spec).expect("a good world");
    let mut thrust = Vec::new();
    while world.time_s() < 8.0 {
        world.step().expect("a step");
        let start = motion.turns[0].time_s;
        let full = motion.turns[1].turn_rad.x / (motion.turns[1].time_s - start);
        thrust.push((full * (world.time_s() - start), -world.hold_force(1).x));
    }
    let first = thrust
        .iter()
        .find(|(turn, _)| *turn > 0.0)
        .expect("a turn")
        .1;
    let euler = 4.0 * std::f64::consts::PI.powi(2) * ei / 0.3_f64.powi(2);
    assert!(
        (first / euler - 1.0).abs() < 0.02,
        "{first} N, not {euler} N"
    );
    let buckled = thrust
        .iter()
        .find(|(turn, force)| *turn > 1.0 && *force < 0.0);
    let turn = buckled.expect("it buckles").0;
    let off = turn / expected_rad - 1.0;
    assert!(off.abs() < 0.02, "at {turn} rad, not at {expected_rad} rad");
}

#[test]
fn a_twisted_strand_wraps_around_itself() {
    let report = run("plectoneme", &[], None);
    assert_eq!((report.crossings, report.held_back), (0, 0));
    assert!(report.solver_error.over_tolerance_fraction < 0.01);
    // [Bertails11, table I] has 18 contacts and ν = 0.9 at most.
    assert!(
        (12..=27).contains(&report.contacts.max),
        "{:?}",
        report.contacts
    );
    assert!((0.6..=1.35).contains(&report.nu_max), "{}", report.nu_max);
    assert!(report.max_speed_m_s < 1e-2);
}

/// A limp strand from angle a to b of a ball of radius R (measured from its top) is about to slip everywhere when its
/// tension T obeys T' = µ n R − w R sin φ with n = w cos φ + T/R and T = 0 at both ends. With µ = tan β its solution is
/// T = w R cos(φ − 2β) + C e^(µφ), so that cos(a − 2β) e^(−µa) = cos(b − 2β) e^(−µb).
fn least_friction(a: f64, b: f64) -> f64 {
    let side = |mu: f64, phi: f64| (phi - 2.0 * mu.atan()).cos() * (-mu * phi).exp();
    root::between(0.1, 2.0, |mu| side(mu, a) - side(mu, b))
}

#[test]
fn a_strand_rides_on_a_turning_ball_exactly_where_friction_can_hold_it() {
    let [lean, half] = [35.0_f64, 30.0].map(f64::to_radians);
    let least = least_friction(lean - half, lean + half);
    assert!((least - 0.618).abs() < 1e-3);
    let creep = |mu: f64| {
        let report = run(
            "rotating_sphere",
            &[format!("friction.default={mu}")],
            Some(5.0),
        );
        assert_eq!(report.crossings, 0);
        assert!(report.solver_error.over_tolerance_fraction < 0.01);
        measured(&report, "creep_m")
    };
    let (carried, lost) = (creep(1.06 * least), creep(0.94 * least));
    assert!(carried < 2e-5, "creeps by {carried} m");
    assert!(lost > 0.1, "holds on: {lost} m");
}

#[test]
fn solvers_of_coulombs_law_agree_on_one_orbit_and_others_do_not() {
    let plan = Plan {
        quick: true,
        seeds: None,
        first_seed: 0,
        only: None,
        seconds: None,
        out: None,
        watch: &|_, _, _| {},
    };
    let protocol = Protocol::named("oscillating_sphere").expect("a protocol");
    let page = protocol.run(&plan).expect("it runs");
    let failed: Vec<_> = page.checks.iter().filter(|check| !check.passed).collect();
    assert!(page.passed, "{failed:?}");
    assert!(page.checks.len() >= 6);
}

#[test]
fn roots_follow_the_head_and_nothing_passes_through_it() {
    let mut scene = load("wavy_hair", &[]).expect("a good scene");
    // Straight into the turn of the head.
    let motion = &mut scene.spec.solids[0].motion;
    motion
        .turns
        .iter_mut()
        .for_each(|key| key.time_s = (key.time_s - 1.9).max(0.0));
    let mut world = World::new(scene.spec).expect("a good world");
    let root = |world: &World, rod: usize| -> Point3<f64> {
        world.solid_pose(0).inverse() * world.rod_nodes(rod)[0]
    };
    let before: Vec<Point3<f64>> = (0..world.rods()).map(|rod| root(&world, rod)).collect();
    let (mut crossings, mut contacts) = (0, 0);
    while world.time_s() < 1.0 {
        let report = world.step().expect("a step");
        crossings += report.crossings;
        contacts = contacts.max(report.contacts);
    }
    assert!(world.solid_pose(0).rotation.angle() > 0.3);
    for (rod, before) in before.iter().enumerate() {
        let slipped = (root(&world, rod) - before).norm();
        assert!(
            slipped < 1e-9,
            "root {rod} is {slipped} m off its place on the head"
        );
    }
    assert_eq!(crossings, 0);
    // [Bertails11, table I] has 380 contacts at most.
    assert!((254..=570).contains(&contacts), "{contacts} contacts");
}

#[test]
fn hair_comes_to_complete_rest_on_the_shoulders_with_friction_and_not_without() {
    let last = 0.5;
    let [held, free] = [0.3, 0.0].map(|mu| {
        let sets = [
            format!("friction.default={mu}"),
            format!("friction.pairs.0.mu={mu}"),
        ];
        let mut scene = load("wavy_hair", &sets).expect("a good scene");
        // One turn of the head and back, at once.
        scene.spec.solids[0].motion.turns.truncate(4);
        let turns = scene.spec.solids[0].motion.turns.iter_mut();
        turns.for_each(|key| key.time_s -= 2.0);
        let mut world = World::new(scene.spec).expect("a good world");
        let mut fastest = 0.0_f64;
        while world.time_s() < 8.5 {
            let report = world.step().expect("a step");
            assert_eq!(report.crossings, 0);
            if world.time_s() > 8.5 - last {
                fastest = fastest.max(world.report().max_speed_m_s);
            }
        }
        fastest
    });
    assert!(held < 1e-6, "{held} m/s with friction");
    assert!(free > 1e-3, "{free} m/s without");
}
