//! `prusik run`: simulate without a window, then report.

use std::time::Instant;

use prusik::record::{ProblemDump, Recorder, RunReport, StatsFile};
use prusik::scene::{Scene, load};
use prusik::world::{Edit, World};

use super::args::RunArgs;
use super::progress::progress_bar;
use super::{Failure, print_line, use_threads};

/// Steps between two looks at the progress bar; it limits its own drawing, this limits the asking.
const BAR_EVERY: u64 = 16;

/// Runs a scene and prints its report.
pub(super) fn run(args: &RunArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let scene = load(&args.scene, &args.changes.sets).map_err(Failure::new)?;
    let mut world = World::new(scene.spec.clone())
        .map_err(|why| Failure::new(format!("scene {}: {why}", scene.name)))?;
    world.apply(Edit::PlayDemo(true)).map_err(Failure::new)?;
    let steps = steps(args, &scene, world.settings().dt_s)?;
    let mut files = Files::create(args, &scene, &mut world)?;
    let mut report = simulate(&scene, &mut world, steps, &mut files)?;
    report.problems_dumped = files.finish()?;
    if args.json {
        let json = serde_json::to_string_pretty(&report).map_err(Failure::new)?;
        print_line(json)?;
    } else {
        print_line(table(&report))?;
    }
    report
        .fault
        .map_or(Ok(()), |fault| Err(Failure::fault(fault)))
}

/// What is written while the run goes on.
struct Files {
    stats: Option<StatsFile>,
    dump: Option<ProblemDump>,
}

impl Files {
    fn create(args: &RunArgs, scene: &Scene, world: &mut World) -> Result<Self, Failure> {
        let stats = args.stats.as_deref().map(StatsFile::create).transpose();
        let folder = args.dump_problems.as_deref();
        let dump = folder.map(|folder| ProblemDump::create(folder, &scene.name, args.dump_every));
        let dump = dump.transpose().map_err(Failure::new)?;
        if dump.is_some() {
            world.keep_guesses();
        }
        Ok(Self {
            stats: stats.map_err(Failure::new)?,
            dump,
        })
    }

    fn write(&mut self, world: &World) -> Result<(), Failure> {
        if let Some(stats) = &mut self.stats {
            stats.write(world).map_err(Failure::new)?;
        }
        if let Some(dump) = &mut self.dump {
            dump.write(world).map_err(Failure::new)?;
        }
        Ok(())
    }

    /// Makes sure that everything is on disk; returns how many problems are, if they were asked for.
    fn finish(self) -> Result<Option<u64>, Failure> {
        if let Some(stats) = self.stats {
            stats.finish().map_err(Failure::new)?;
        }
        Ok(self.dump.map(|dump| dump.written()))
    }
}

fn steps(args: &RunArgs, scene: &Scene, dt_s: f64) -> Result<u64, Failure> {
    if let Some(steps) = args.steps {
        return Ok(steps);
    }
    let steps = (args.time.unwrap_or(scene.time_s) / dt_s).round().max(1.0);
    // 2⁵³: beyond, a step would no longer change the count.
    if steps < 9e15 {
        Ok(steps as u64)
    } else {
        Err(Failure::usage(format!(
            "--time asks for {steps:e} steps of {dt_s} s, more than can be counted"
        )))
    }
}

/// Steps the world; stops early at a fault, which the report then names.
fn simulate(
    scene: &Scene,
    world: &mut World,
    steps: u64,
    files: &mut Files,
) -> Result<RunReport, Failure> {
    let bar = progress_bar(steps, "steps");
    let mut recorder = Recorder::new(scene, world);
    let start = Instant::now();
    let mut fault = None;
    for step in 0..steps {
        if let Err(error) = world.step() {
            fault = Some(error.to_string());
            break;
        }
        recorder.observe(world);
        files.write(world)?;
        if step % BAR_EVERY == 0 {
            bar.set_position(step);
        }
    }
    bar.finish_and_clear();
    Ok(recorder.finish(world, start.elapsed(), fault))
}

/// The report as lines of text.
fn table(r: &RunReport) -> String {
    let mut lines = Vec::new();
    lines.push(format!(
        "scene            {}, {} with {} and {}",
        r.scene, r.rod_model, r.solver, r.detector
    ));
    lines.push(format!(
        "time             {:.6} s in {} steps of {} s; {:.2} s on the clock, {:.2} × real time",
        r.simulated_s, r.steps, r.dt_s, r.wall_s, r.real_time_factor
    ));
    lines.push(format!(
        "unknowns         {} degrees of freedom, ν at most {:.3}",
        r.dofs, r.nu_max
    ));
    lines.push(format!(
        "contacts         {:.1} on average, {} at most",
        r.contacts.mean, r.contacts.max
    ));
    lines.push(format!(
        "solver error     {:.1e} on average, {:.1e} at most, above tolerance in {:.2} % of steps",
        r.solver_error.mean,
        r.solver_error.max,
        100.0 * r.solver_error.over_tolerance_fraction
    ));
    lines.push(format!(
        "iterations       {:.1} on average, {} at most",
        r.iterations.mean, r.iterations.max
    ));
    let p = &r.phase_ms_per_step;
    lines.push(format!(
        "ms per step      dynamics {:.3}, detection {:.3}, assembly {:.3}, solve {:.3}, advance {:.3}, check {:.3}, other {:.3}; of these boxes {:.3}",
        p.dynamics, p.detection, p.assembly, p.solve, p.advance, p.check, p.other, p.broad
    ));
    lines.push(format!(
        "contact quality  overlap at most {:.4} of a radius, {} crossings, {} extra steps, {} held back",
        r.penetration_max_over_radius, r.crossings, r.substeps, r.held_back
    ));
    lines.push(format!(
        "at the end       {:.3e} J kinetic, {:.3e} J elastic, {:.3e} J gravity, fastest {:.3e} m/s",
        r.energy_j.kinetic, r.energy_j.elastic, r.energy_j.gravity, r.max_speed_m_s
    ));
    let [start, end] = &r.knots.summary;
    lines.push(if start == end {
        format!("knots            {end}")
    } else {
        format!("knots            {start} → {end}")
    });
    lines.push(format!("state            {}", r.state_hash));
    if let Some(count) = r.problems_dumped {
        lines.push(format!("problems         {count} written"));
    }
    for (name, value) in &r.measured {
        match value {
            Some(value) => lines.push(format!("{name:<28} {value:.6e}")),
            None => lines.push(format!("{name:<28} (the run was too short to tell)")),
        }
    }
    lines.join("\n")
}
