//! `prusik bench convergence`: iterations, time and final error against ν, on the problems of a pile.

use prusik::bench::{CONVERGENCE_SOLVERS, ConvergenceTable, SceneProblems, spread};
use prusik::friction::StopRule;

use super::args::BenchConvergenceArgs;
use super::progress::progress_bar;
use super::table::{Table, short};
use super::{Failure, print_json, print_line, use_threads};

/// Free velocities below this, m/s, do not make errors relative to themselves: as in a run.
const VELOCITY_FLOOR: f64 = 1e-7;

/// Solves problems of the scene by each solver, prints, and writes table and plot if a folder is named.
pub(super) fn bench_convergence(args: &BenchConvergenceArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let kinds = match args.solvers.as_slice() {
        [] => CONVERGENCE_SOLVERS.to_vec(),
        named => named.to_vec(),
    };
    let stop = StopRule {
        tolerance: args.tol,
        max_iterations: args.max_iterations,
        velocity_floor: VELOCITY_FLOOR,
        max_work: args.max_work,
    };
    let problems = SceneProblems::new(&args.scene, args.tol).map_err(Failure::new)?;
    let problems = problems.until(args.seconds);
    let bar = progress_bar(args.problems as u64, "problems");
    let mut table = ConvergenceTable::new(&args.scene, &stop);
    for sample in spread(problems, args.problems) {
        table.add(&sample.map_err(Failure::fault)?, &kinds, &stop);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            Failure::new(format!("the folder {folder} cannot be made: {error}"))
        })?;
        let csv = table.series(&kinds).write(&folder.join("convergence.csv"));
        csv.map_err(Failure::new)?;
        let svg = table.plot(&kinds).write(&folder.join("convergence.svg"));
        svg.map_err(Failure::new)?;
    }
    if args.json {
        return print_json(&table);
    }
    print(&table)
}

fn print(table: &ConvergenceTable) -> Result<(), Failure> {
    print_line(format_args!(
        "Problems of {}, from the impulses of the step before to rel ≤ {:e}, at most {} iterations or {:e} block products;",
        table.scene, table.tolerance, table.max_iterations, table.max_work
    ))?;
    print_line("½|f|² is the measure of [Bertails11], whose tolerance is 1e-5.\n")?;
    let mut text = Table::new([
        "problem",
        "n",
        "ν",
        "solver",
        "iterations",
        "ms",
        "rel",
        "½|f|²",
        "end",
    ]);
    for row in &table.rows {
        text.add([
            row.problem.clone(),
            row.contacts.to_string(),
            short(row.nu),
            row.solver.to_owned(),
            row.iterations.to_string(),
            short(row.cpu_ms),
            format!("{:.0e}", row.error),
            format!("{:.0e}", row.half_square),
            row.stop.to_owned(),
        ]);
    }
    print_line(text)
}
