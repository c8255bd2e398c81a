//! `prusik solve`: problems from files, one solver, the judge's word on the result.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use nalgebra::Vector3;
use prusik::friction::files;
use prusik::friction::residual::{
    alart_curnier_norm, fischer_burmeister_norm, relative_error, velocity_scale,
};
use prusik::friction::solver::TracePoint;
use prusik::friction::{Problem, Solver, SolverReport, StopRule};
use serde::Serialize;

use super::args::SolveArgs;
use super::{Failure, print_line, use_threads};

/// Solves of one problem whose median time is reported.
const RUNS: usize = 3;

/// What is printed of one problem.
#[derive(Debug, Serialize)]
struct Row {
    problem: String,
    n: usize,
    solver: &'static str,
    status: &'static str,
    iterations: usize,
    work: f64,
    cpu_ms: f64,
    wall_ms: f64,
    rel: f64,
    ac: f64,
    fb: f64,
}

/// Solves every file in turn.
pub fn solve(args: &SolveArgs) -> Result<(), Failure> {
    if (args.out.is_some() || args.trace.is_some()) && args.files.len() > 1 {
        return Err(Failure::usage(
            "--out and --trace are about one problem, but there are several files",
        ));
    }
    for out in args.out.iter().chain(&args.trace) {
        check_folder(out)?;
    }
    use_threads(args.threads)?;
    let mut rows = Vec::new();
    for file in &args.files {
        let problem =
            files::read(file).map_err(|why| Failure::new(format!("{}: {why}", file.display())))?;
        let (row, r, trace) = solve_one(file, &problem, args);
        if let Some(out) = &args.out {
            write_impulses(out, &r)?;
        }
        if let Some(out) = &args.trace {
            write_trace(out, &trace)?;
        }
        if !args.json {
            print_line(format_args!(
                "{}: {} contacts, {} {} with error {:.2e} after {} iterations, {:.3} ms",
                row.problem, row.n, row.solver, row.status, row.rel, row.iterations, row.cpu_ms
            ))?;
        }
        rows.push(row);
    }
    if args.json {
        let value = match rows.as_slice() {
            [row] => serde_json::to_value(row),
            rows => serde_json::to_value(serde_json::json!({ "problems": rows })),
        };
        print_line(format_args!("{:#}", value.map_err(Failure::new)?))?;
    }
    Ok(())
}

fn solve_one(
    file: &Path,
    problem: &Problem,
    args: &SolveArgs,
) -> (Row, Vec<Vector3<f64>>, Vec<TracePoint>) {
    let stop = StopRule {
        tolerance: args.tol,
        max_iterations: args.max_iterations,
        ..StopRule::default()
    };
    let mut r = Vec::new();
    let (mut cpu, mut wall) = (Vec::new(), Vec::new());
    let mut report = SolverReport::default();
    let mut solver = Solver::default();
    for _ in 0..RUNS {
        // Anew each time: memory that is warm would flatter.
        solver = Solver::default();
        let (wall_start, cpu_start) = (Instant::now(), ProcessTime::now());
        r = vec![Vector3::zeros(); problem.len()];
        report = solver.solve(args.solver, problem, &mut r, &stop);
        cpu.push(cpu_start.elapsed().as_secs_f64() * 1e3);
        wall.push(wall_start.elapsed().as_secs_f64() * 1e3);
        // Nobody waits three times for what takes long.
        if wall[wall.len() - 1] > 5e3 {
            break;
        }
    }
    let mut u = Vec::new();
    problem.velocities(&r, &mut u);
    let row = Row {
        problem: file
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        n: problem.len(),
        solver: args.solver.name(),
        status: report.stop.name(),
        iterations: report.iterations,
        work: report.work,
        cpu_ms: median(&mut cpu),
        wall_ms: median(&mut wall),
        rel: relative_error(problem, &r, &u, velocity_scale(problem, f64::MIN_POSITIVE)),
        ac: alart_curnier_norm(problem, &r, &u),
        fb: fischer_burmeister_norm(problem, &r, &u),
    };
    (row, r, solver.trace().to_vec())
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Says that the folder of a file is not there before the work is done, not after.
fn check_folder(out: &Path) -> Result<(), Failure> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::new(format!(
            "{}: there is no folder {}",
            out.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

fn write_impulses(out: &Path, r: &[Vector3<f64>]) -> Result<(), Failure> {
    let mut text = String::new();
    for r in r {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{:e}\n{:e}\n{:e}", r.x, r.y, r.z);
    }
    write(out, &text)
}

fn write_trace(out: &Path, trace: &[TracePoint]) -> Result<(), Failure> {
    let mut text = String::from("iteration,error,stage\n");
    for point in trace {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{},{:e},{}",
            point.iteration,
            point.error,
            point.stage.name()
        );
    }
    write(out, &text)
}

fn write(out: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(out, text)
        .map_err(|error| Failure::new(format!("{}: cannot be written: {error}", out.display())))
}
