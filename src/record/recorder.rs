//! Follows a run step by step and sums it up.

use std::time::Duration;

use super::meter::Meter;
use super::report::{EnergyFigures, KnotFigures, RunReport};
use crate::geometry::knot::KnotNamer;
use crate::scene::Scene;
use crate::world::{Knots, Snapshot, StepReport, World};

/// Figures of a run so far.
pub struct Recorder {
    report: RunReport,
    meters: Vec<Meter>,
    /// Sums over the steps, divided at the end.
    contacts: f64,
    error: f64,
    iterations: f64,
    passes: f64,
    motion_error: f64,
    unsolved: u64,
}

impl Recorder {
    /// Starts with a world that has not been stepped yet.
    pub fn new(scene: &Scene, world: &World) -> Self {
        let settings = world.settings();
        let mut models: Vec<&str> = scene.spec.rods.iter().map(|r| r.model.name()).collect();
        models.sort_unstable();
        models.dedup();
        let report = RunReport {
            scene: scene.name.clone(),
            rod_model: models.join("+"),
            detector: settings.detector.name().into(),
            solver: settings.solver.name().into(),
            dt_s: settings.dt_s,
            dofs: world.dofs(),
            knots: KnotFigures {
                start: knots(world),
                ..KnotFigures::default()
            },
            ..RunReport::default()
        };
        let mut recorder = Self {
            report,
            meters: scene.measures.iter().map(Meter::new).collect(),
            contacts: 0.0,
            error: 0.0,
            iterations: 0.0,
            passes: 0.0,
            motion_error: 0.0,
            unsolved: 0,
        };
        recorder.measure(world);
        recorder
    }

    /// Takes in the step that the world has just made.
    pub fn observe(&mut self, world: &World) {
        self.add(world.report());
        self.measure(world);
    }

    fn measure(&mut self, world: &World) {
        for meter in &mut self.meters {
            meter.observe(world);
        }
    }

    fn add(&mut self, step: &StepReport) {
        let run = &mut self.report;
        run.steps += 1;
        run.substeps += step.substeps as u64;
        run.held_back += step.held_back as u64;
        run.crossings += step.crossings as u64;
        self.contacts += step.contacts as f64;
        self.error += step.solver_error;
        self.iterations += step.iterations as f64;
        self.passes += step.passes as f64;
        self.motion_error += step.motion_error;
        self.unsolved += u64::from(!step.solved);
        run.contacts.max = run.contacts.max.max(step.contacts);
        run.nu_max = run.nu_max.max(step.nu);
        run.solver_error.max = run.solver_error.max.max(step.solver_error);
        run.iterations.max = run.iterations.max.max(step.iterations);
        run.passes.max = run.passes.max.max(step.passes);
        let motion = &mut run.motion_error_over_radius;
        motion.max = motion.max.max(step.motion_error);
        run.penetration_max_over_radius = run
            .penetration_max_over_radius
            .max(step.penetration_over_radius);
        let phases = &mut run.phase_ms_per_step;
        phases.dynamics += step.phases.dynamics_ms;
        phases.detection += step.phases.detection_ms;
        phases.assembly += step.phases.assembly_ms;
        phases.solve += step.phases.solve_ms;
        phases.advance += step.phases.advance_ms;
        phases.check += step.phases.check_ms;
        phases.other += step.phases.other_ms;
        phases.broad += step.phases.broad_ms;
    }

    /// The report of the run, which took `wall` and ended in this world, early if there is a `fault`.
    pub fn finish(mut self, world: &World, wall: Duration, fault: Option<String>) -> RunReport {
        let last = world.report();
        let run = &mut self.report;
        let steps = run.steps.max(1) as f64;
        run.contacts.mean = self.contacts / steps;
        run.solver_error.mean = self.error / steps;
        run.solver_error.over_tolerance_fraction = self.unsolved as f64 / steps;
        run.iterations.mean = self.iterations / steps;
        run.passes.mean = self.passes / steps;
        run.motion_error_over_radius.mean = self.motion_error / steps;
        let phases = &mut run.phase_ms_per_step;
        for phase in [
            &mut phases.dynamics,
            &mut phases.detection,
            &mut phases.assembly,
            &mut phases.solve,
            &mut phases.advance,
            &mut phases.check,
            &mut phases.other,
            &mut phases.broad,
        ] {
            *phase /= steps;
        }
        run.simulated_s = world.time_s();
        run.wall_s = wall.as_secs_f64();
        run.real_time_factor = run.simulated_s / run.wall_s.max(1e-9);
        run.energy_j = EnergyFigures {
            kinetic: last.energies.kinetic_j,
            elastic: last.energies.elastic_j,
            gravity: last.energies.gravity_j,
        };
        run.max_speed_m_s = last.max_speed_m_s;
        run.state_hash = format!("{:016x}", world.state_hash());
        run.measured = self.meters.iter().flat_map(|m| m.read(world)).collect();
        run.fault = fault;
        run.knots.end = knots(world);
        run.knots.summary = [&run.knots.start, &run.knots.end].map(Knots::summary);
        self.report
    }
}

/// The knots of the state that a world is in.
fn knots(world: &World) -> Knots {
    let mut snapshot = Snapshot::default();
    world.snapshot(&mut snapshot);
    Knots::of(&snapshot, &mut KnotNamer::new())
}
