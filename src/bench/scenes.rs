//! Our table I: every scene of [Bertails11, table I] that ships, with the paper's columns and ours beside them.
//!
//! Each row runs a scene as `prusik run` does. Times are of the wall clock, which is what a user waits for; CPU time of all
//! threads stands beside it, which does not grow when others use the machine.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::Serialize;

use super::published::{PublishedScene, TABLE_ONE};
use crate::body::RodModel;
use crate::record::{PhaseFigures, Recorder};
use crate::scene::{load, shipped};
use crate::world::{Edit, World};

/// One scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneRow {
    /// What the paper reports.
    #[serde(flatten)]
    pub published: PublishedScene,
    /// Simulated time, s.
    pub simulated_s: f64,
    /// Steps taken.
    pub steps: u64,
    /// Most contacts of a step, ours.
    pub contacts_max: usize,
    /// Largest ν = 3 n/m, with all m unknowns of the model.
    pub nu_max: f64,
    /// The same with places of nodes alone counted, as the paper does for CORDE.
    pub nu_max_of_places: Option<f64>,
    /// Time per step, ms.
    pub ms_per_step: f64,
    /// CPU time per step, all threads together, ms.
    pub cpu_ms_per_step: f64,
    /// The paper's time over ours.
    pub speed_up: Option<f64>,
    /// Simulated over wall time.
    pub real_time_factor: f64,
    /// Share of steps whose error is above the tolerance, percent.
    pub over_tolerance_percent: f64,
    /// What passed through something.
    pub crossings: u64,
    /// Where the time goes, ms per step.
    pub phases_ms: PhaseFigures,
    /// Why the run ended early, if it did.
    pub fault: Option<String>,
}

/// The rows of the table whose scenes ship, or of those only whose label or scene is among `only`.
pub fn scene_rows(only: &[String]) -> Vec<PublishedScene> {
    let ships = |row: &PublishedScene| shipped().iter().any(|scene| scene.name == row.scene);
    let asked = |row: &PublishedScene| {
        only.is_empty()
            || only
                .iter()
                .any(|name| name == row.label || name == row.scene)
    };
    let rows = TABLE_ONE.into_iter();
    rows.filter(|row| ships(row) && asked(row)).collect()
}

/// Runs one scene, for `most_s` at most if that is given. Errors are sentences.
pub fn measure_scene(row: &PublishedScene, most_s: Option<f64>) -> Result<SceneRow, String> {
    let sets: Vec<String> = row.sets.iter().map(|set| (*set).to_owned()).collect();
    let scene = load(row.scene, &sets).map_err(|why| why.to_string())?;
    let mut world =
        World::new(scene.spec.clone()).map_err(|why| format!("scene {}: {why}", scene.name))?;
    world
        .apply(Edit::PlayDemo(true))
        .map_err(|why| why.to_string())?;
    let time_s = most_s.map_or(scene.time_s, |most| most.min(scene.time_s));
    let steps = (time_s / world.settings().dt_s).round().max(1.0) as u64;
    let mut recorder = Recorder::new(&scene, &world);
    let (mut wall, mut cpu, mut fault) = (Duration::ZERO, Duration::ZERO, None);
    for _ in 0..steps {
        let (clock, cpu_clock) = (Instant::now(), ProcessTime::now());
        let stepped = world.step();
        wall += clock.elapsed();
        cpu += cpu_clock.elapsed();
        if let Err(why) = stepped {
            fault = Some(why.to_string());
            break;
        }
        recorder.observe(&world);
    }
    let run = recorder.finish(&world, wall, fault);
    let per_step = |time: Duration| time.as_secs_f64() * 1e3 / run.steps.max(1) as f64;
    Ok(SceneRow {
        simulated_s: run.simulated_s,
        steps: run.steps,
        contacts_max: run.contacts.max,
        nu_max: run.nu_max,
        nu_max_of_places: nu_of_places(&world, run.contacts.max),
        ms_per_step: per_step(wall),
        cpu_ms_per_step: per_step(cpu),
        speed_up: row.seconds_per_step.map(|s| 1e3 * s / per_step(wall)),
        real_time_factor: run.real_time_factor,
        over_tolerance_percent: 100.0 * run.solver_error.over_tolerance_fraction,
        crossings: run.crossings,
        phases_ms: run.phase_ms_per_step,
        fault: run.fault,
        published: *row,
    })
}

/// ν with three unknowns to a node, if all strands are CORDE's.
fn nu_of_places(world: &World, contacts: usize) -> Option<f64> {
    let corde = (0..world.rods()).all(|rod| world.rod_model(rod) == RodModel::Corde);
    let nodes: usize = (0..world.rods())
        .map(|rod| world.rod_nodes(rod).len())
        .sum();
    (corde && nodes > 0).then(|| contacts as f64 / nodes as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_row_loads_with_its_changes() {
        let rows = scene_rows(&[]);
        assert!(rows.len() >= 4, "the piles ship");
        for row in rows {
            let sets: Vec<String> = row.sets.iter().map(|set| (*set).to_owned()).collect();
            let scene = load(row.scene, &sets).expect("it loads");
            assert_eq!(scene.spec.friction.default, row.mu, "{}", row.label);
            let dt_ms = scene.spec.settings.dt_s * 1e3;
            assert!(
                (dt_ms - row.dt_ms).abs() < 1e-9,
                "{}: {dt_ms} ms",
                row.label
            );
        }
    }

    #[test]
    fn rows_are_chosen_by_name() {
        let of = |name: &str| scene_rows(&[name.to_owned()]);
        assert_eq!(of("spaghetti_7").len(), 1);
        assert!(of("no such scene").is_empty());
    }

    #[test]
    fn a_row_counts_what_the_run_counts() {
        let row = scene_rows(&["spaghetti_7".to_owned()])[0];
        let measured = measure_scene(&row, Some(2e-3)).expect("it runs");
        assert_eq!((measured.steps, measured.crossings), (20, 0));
        assert!(measured.fault.is_none() && measured.ms_per_step > 0.0);
    }
}
