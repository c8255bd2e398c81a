//! `prusik bench solvers`: all solvers side by side, on the packed scene or on files.

use std::path::Path;

use prusik::bench::{
    Cell, PackedTable, Plan, Race, Runner, Sample, SceneProblems, Siconos, WarmTable, packed,
};
use prusik::friction::{SolverKind, StopRule, files};
use prusik::record::read_guess;

use super::args::{Bench, BenchArgs, BenchSolversArgs};
use super::bench_convergence::bench_convergence;
use super::bench_detection::bench_detection;
use super::bench_rods::bench_rods;
use super::bench_scenes::bench_scenes;
use super::progress::progress_bar;
use super::table::{Table, short, short_or_dash};
use super::{Failure, print_json, print_line, use_threads};

/// Iterations after which a solver gives up on a problem of the packed scene, unless told.
const PACKED_ITERATIONS: usize = 1000;
/// The same for files: what the published times allow.
const FILE_ITERATIONS: usize = 10_000;
/// Work, in block products of some nanoseconds, after which a solver gives up on a problem of the packed scene …
const PACKED_WORK: f64 = 1e9;
/// … and on one from a file: about half a minute.
const FILE_WORK: f64 = 5e9;

/// Compares what is asked for.
pub(super) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    match &args.what {
        Bench::Scenes(args) => return bench_scenes(args),
        Bench::Convergence(args) => return bench_convergence(args),
        _ => {}
    }
    // Times of one thread are what others publish, and other threads would only blur them.
    use_threads(Some(1))?;
    let args = match &args.what {
        Bench::Solvers(args) => args,
        Bench::Scenes(_) | Bench::Convergence(_) => return Ok(()),
        Bench::Rods(args) => return bench_rods(args),
        Bench::Detection(args) => return bench_detection(args),
        Bench::Drawing(args) => return super::bench_drawing::bench(args),
    };
    if args.files.is_empty() {
        bench_packed(args)
    } else {
        bench_files(args)
    }
}

fn plan(args: &BenchSolversArgs, max_iterations: usize, max_work: f64) -> Plan {
    Plan {
        kinds: if args.solvers.is_empty() {
            SolverKind::ALL.to_vec()
        } else {
            args.solvers.clone()
        },
        stop: StopRule {
            tolerance: args.tol,
            max_iterations: args.max_iterations.unwrap_or(max_iterations),
            max_work,
            ..StopRule::default()
        },
    }
}

fn bench_packed(args: &BenchSolversArgs) -> Result<(), Failure> {
    let plan = plan(args, PACKED_ITERATIONS, PACKED_WORK);
    let problems = SceneProblems::new(&args.scene, args.tol).map_err(Failure::new)?;
    let bar = progress_bar(args.problems as u64, "problems");
    let done = |_: &Sample| bar.inc(1);
    let table = packed(problems.take(args.problems), &plan, done).map_err(Failure::new)?;
    bar.finish_and_clear();
    if args.json {
        return print_json(&table);
    }
    print_packed(&args.scene, &table)
}

fn print_packed(scene: &str, table: &PackedTable) -> Result<(), Failure> {
    print_line(format_args!(
        "{} one-step problems of the scene {scene}: {:.0} contacts on average, {} at most, ν = {} on average;",
        table.problems,
        table.contacts_mean,
        table.contacts_max,
        short_or_dash(table.nu_mean)
    ))?;
    print_line(format_args!(
        "from nothing to rel ≤ {:e}, at most {} iterations. In brackets: [Daviet11, table 2], other problems, a machine of 2011.\n",
        table.tolerance, table.max_iterations
    ))?;
    let mut text = Table::new([
        "solver",
        "% fail-safe",
        "% local failures",
        "% unsolved",
        "iterations",
        "ms",
        "error",
        "problems",
    ]);
    for row in &table.solvers {
        let paper = row.paper.as_ref();
        let beside = |ours: Option<f64>, theirs: Option<f64>| match theirs {
            Some(theirs) => format!("{} [{}]", short_or_dash(ours), short(theirs)),
            None => short_or_dash(ours),
        };
        text.add([
            format!(
                "{}{}",
                row.solver,
                if row.exact { "" } else { " (inexact)" }
            ),
            beside(row.failsafe_percent, paper.and_then(|p| p.failsafe_percent)),
            beside(
                row.local_failures_percent,
                paper.map(|p| p.local_failures_percent),
            ),
            beside(
                Some(row.unsolved_percent),
                paper.map(|p| p.unsolved_percent),
            ),
            beside(Some(row.mean_iterations), paper.map(|p| p.mean_iterations)),
            beside(Some(row.mean_ms), paper.map(|p| p.mean_ms)),
            format!("{:.0e}", row.mean_error),
            row.problems.to_string(),
        ]);
    }
    print_line(text)?;
    print_warm(table.warm_start.as_ref())
}

fn print_warm(table: Option<&WarmTable>) -> Result<(), Failure> {
    let Some(warm) = table else {
        return Ok(());
    };
    print_line(format_args!(
        "auto from nothing against auto from the impulses of the step before, {} problems:",
        warm.problems
    ))?;
    print_line(format_args!(
        "{} iterations against {}, {} % unsolved against {} %; ratio of iterations {}, of work {}, of time {}",
        short(warm.cold_iterations),
        short(warm.warm_iterations),
        short(warm.cold_unsolved_percent),
        short(warm.warm_unsolved_percent),
        short(warm.iterations_ratio),
        short(warm.work_ratio),
        short(warm.time_ratio)
    ))
}

fn bench_files(args: &BenchSolversArgs) -> Result<(), Failure> {
    let mut plan = plan(args, FILE_ITERATIONS, FILE_WORK);
    // Everything is held against it.
    if !plan.kinds.contains(&SolverKind::Auto) {
        plan.kinds.insert(0, SolverKind::Auto);
    }
    let siconos = args.judge.as_deref().map(Siconos::new).transpose();
    let siconos = siconos.map_err(Failure::new)?;
    let bar = progress_bar(args.files.len() as u64, "files");
    let mut race = Race::new(&plan);
    for file in &args.files {
        let sample = read(file)?;
        if let Err(why) = race.add(&sample, file, &plan, siconos.as_ref()) {
            bar.suspend(|| eprintln!("prusik: {why}"));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        return print_json(&race);
    }
    print_race(&race, &plan)
}

fn read(file: &Path) -> Result<Sample, Failure> {
    let problem =
        files::read(file).map_err(|why| Failure::new(format!("{}: {why}", file.display())))?;
    Ok(Sample {
        name: file
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        guess: read_guess(file, problem.len()).map_err(Failure::new)?,
        problem,
        nu: None,
    })
}

fn print_race(race: &Race, plan: &Plan) -> Result<(), Failure> {
    print_line(format_args!(
        "CPU ms from nothing to rel ≤ {:e}, at most {} iterations; F = not reached, with the best rel.\n",
        race.tolerance, race.max_iterations
    ))?;
    let published = race.problems.iter().any(|row| row.published.is_some());
    let yardstick = race.problems.iter().any(|row| row.nsgs_here.is_some());
    let mut heading = vec!["problem", "n"];
    heading.extend(plan.kinds.iter().map(|kind| kind.name()));
    heading.extend(yardstick.then_some("nsgs here"));
    if published {
        heading.extend(["nsgs there", "so-bogus GS there", "best there"]);
    }
    heading.extend(race.speed_up.as_ref().map(|_| "speed-up of auto"));
    let mut text = Table::new(heading);
    for row in &race.problems {
        text.add(race_row(race, row, plan, published, yardstick));
    }
    let ratio = |kind: &SolverKind| race.ratio_to_auto.get(kind.name());
    let mean = |kind| short_or_dash(ratio(kind).map(|ratio| ratio.geometric_mean));
    let count = |kind| ratio(kind).map_or_else(|| "0".into(), |ratio| ratio.problems.to_string());
    let mut last = vec!["time over that of auto".to_owned(), String::new()];
    last.extend(plan.kinds.iter().map(mean));
    text.add(last);
    let mut last = vec!["of so many problems".to_owned(), String::new()];
    last.extend(plan.kinds.iter().map(count));
    text.add(last);
    print_line(text)?;
    if let Some(speed_up) = &race.speed_up {
        print_line(format_args!(
            "Siconos takes {} times its published times here; auto is {} times as fast as the best published, scaled by that ({} problems)",
            short(speed_up.machine.geometric_mean),
            short(speed_up.all.geometric_mean),
            speed_up.all.problems
        ))?;
    }
    print_warm(race.warm_start.as_ref())
}

fn race_row(
    race: &Race,
    row: &Runner,
    plan: &Plan,
    published: bool,
    yardstick: bool,
) -> Vec<String> {
    let mut entries = vec![row.problem.clone(), row.n.to_string()];
    let cells = plan.kinds.iter().map(|kind| row.solvers.get(kind.name()));
    entries.extend(cells.map(|cell| show(cell.copied())));
    if yardstick {
        entries.push(show(row.nsgs_here));
    }
    if published {
        let of = |time: Option<f64>| time.map_or_else(|| "F".into(), short);
        match row.published {
            Some(peer) => entries.extend([peer.nsgs_ms, peer.so_bogus_gs_ms, peer.best_ms].map(of)),
            None => entries.extend(["–", "–", "–"].map(String::from)),
        }
    }
    if let Some(speed_up) = &race.speed_up {
        entries.push(short_or_dash(
            speed_up.by_problem.get(&row.problem).copied(),
        ));
    }
    entries
}

fn show(cell: Option<Cell>) -> String {
    match cell {
        None => "–".into(),
        Some(cell) if cell.solved => short(cell.cpu_ms),
        Some(cell) => format!("F {:.0e}", cell.rel),
    }
}
