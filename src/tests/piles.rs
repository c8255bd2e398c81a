//! Piles do what friction makes them do: stand still, slide or spread; stay bent or straighten; coil up and stay.
//!
//! Smaller and coarser than the scenes that ship, so that they take seconds; `prusik run` runs those in full.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::record::{Recorder, RunReport};
use crate::scene::load;
use crate::world::World;

/// Runs a scene with these changes.
fn run(scene: &str, sets: &[&str], time_s: f64) -> RunReport {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scene = load(scene, &sets).expect("a scene");
    let mut world = World::new(scene.spec.clone()).expect("a world");
    let mut recorder = Recorder::new(&scene, &world);
    while world.time_s() < time_s - 1e-9 {
        world.step().expect("a step");
        recorder.observe(&world);
    }
    recorder.finish(&world, Duration::ZERO, None)
}

/// What was measured.
fn values(run: &RunReport) -> BTreeMap<&str, f64> {
    let measured = run.measured.iter();
    measured
        .filter_map(|(name, value)| Some((name.as_str(), (*value)?)))
        .collect()
}

/// Eighteen spaghetti of few nodes.
const SMALL_STACK: [&str; 6] = [
    "rod.0.copies.count=6",
    "rod.1.copies.count=6",
    "rod.2.copies.count=6",
    "rods.elements=10",
    "measure.2.from=1.8",
    "measure.3.from=1.8",
];

#[test]
fn with_friction_a_stack_stands_perfectly_still() {
    let run = run("spaghetti_31", &SMALL_STACK, 2.0);
    let values = values(&run);
    assert!(run.contacts.max > 150, "{}", run.contacts.max);
    assert!(values["speed_m_s"] < 1e-6, "{} m/s", values["speed_m_s"]);
    assert!(
        values["drift_m"] < 1e-9,
        "drifts by {} m",
        values["drift_m"]
    );
    assert_eq!(run.crossings, 0);
    assert_eq!(run.solver_error.over_tolerance_fraction, 0.0);
}

#[test]
fn without_friction_between_strands_a_stack_goes_on_sliding_and_is_lower() {
    let [still, sliding] =
        ["spaghetti_31", "spaghetti_31_sliding"].map(|s| run(s, &SMALL_STACK, 2.0));
    let (still, sliding) = (values(&still), values(&sliding));
    assert!(sliding["speed_m_s"] > 1e-4, "{} m/s", sliding["speed_m_s"]);
    let heights = (sliding["pile_height_m"], still["pile_height_m"]);
    assert!(heights.0 < heights.1, "{heights:?} m");
}

#[test]
fn without_any_friction_a_stack_spreads() {
    let run = run("spaghetti_31_spreading", &SMALL_STACK, 2.0);
    let values = values(&run);
    let radii = (values["pile_radius_m_from"], values["pile_radius_m_end"]);
    assert!(radii.1 > 1.1 * radii.0, "{radii:?} m");
    assert_eq!(run.crossings, 0);
}

#[test]
fn bent_strands_stay_bent_with_friction_and_straighten_without() {
    let coarse = ["dt=1e-3", "rods.elements=10"];
    let rough = run("spaghetti_7", &coarse, 2.0);
    let smooth = run(
        "spaghetti_7",
        &[coarse[0], coarse[1], "friction.default=0"],
        2.0,
    );
    assert_eq!((rough.crossings, smooth.crossings), (0, 0));
    let (rough, smooth) = (values(&rough), values(&smooth));
    let (bent, straight) = (rough["straightness_mean"], smooth["straightness_least"]);
    assert!(bent < 0.95, "{bent}");
    assert!(straight > 0.98, "{straight}");
}

#[test]
fn a_rod_let_down_on_the_floor_piles_up_on_itself_and_stays() {
    let run = run(
        "self_stacking",
        &["dt=1e-3", "rods.elements=128", "rods.youngs_modulus=5e4"],
        5.0,
    );
    let values = values(&run);
    assert_eq!(run.crossings, 0);
    // Higher than one rod on another, and all within reach.
    let (height, radius) = (values["pile_height_m"], values["pile_radius_m_end"]);
    assert!(height > 4.0 * 0.006, "{height} m");
    assert!(radius < 0.2, "{radius} m");
    assert!(values["speed_m_s"] < 1e-3, "{} m/s", values["speed_m_s"]);
}

/// The state that a pile comes to on so many threads.
fn hash_of_pile(threads: usize, sets: &[&str], time_s: f64) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads")
        .install(|| run("spaghetti_31", sets, time_s).state_hash)
}

#[test]
fn thread_count_does_not_change_a_pile() {
    assert_eq!(hash_of_pile(1, &[], 0.18), hash_of_pile(2, &[], 0.18));
}

#[test]
fn thread_count_does_not_change_a_pile_of_smooth_curves() {
    let [one, two] = [1, 2].map(|threads| hash_of_pile(threads, &["detector=smooth"], 0.12));
    assert_eq!(one, two);
}
