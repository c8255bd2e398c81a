//! Problems from elsewhere, where they are at hand: real one-step problems that other solvers find hard.

use std::path::PathBuf;

use nalgebra::Vector3;
use prusik::friction::files;
use prusik::friction::{Problem, Solver, SolverKind, SolverReport, StopRule};
use prusik::math::BlockMatrix;

/// The problems beside the project, by name.
fn problems() -> Vec<(String, Problem)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/fc3d");
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("skipped: there is no folder ../shared/data/fc3d with problem files");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|end| end == "dat" || end == "hdf5")
    });
    files.sort();
    let read = |file: &PathBuf| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let problem = files::read(file).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, problem)
    };
    files.iter().map(read).collect()
}

fn solve(problem: &Problem) -> SolverReport {
    let mut r = vec![Vector3::zeros(); problem.len()];
    Solver::default().solve(SolverKind::Auto, problem, &mut r, &StopRule::default())
}

/// The problem of the contacts `which`, some maybe twice, with W times `factor`.
fn variant(problem: &Problem, which: &[usize], factor: f64) -> Problem {
    let mut w = BlockMatrix::default();
    for &i in which {
        let block = |j: usize| problem.w.get(i, j).unwrap_or_default() * factor;
        w.push_filled_row((0..).zip(which.iter().map(|&j| block(j))));
    }
    Problem {
        w,
        b: which.iter().map(|&i| problem.b[i]).collect(),
        mu: which.iter().map(|&i| problem.mu[i]).collect(),
    }
}

/// A shuffled list, the same every time.
fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        state >> 33
    };
    let mut keyed: Vec<(u64, usize)> = (0..n).map(|i| (next(), i)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, i)| i).collect()
}

#[test]
fn auto_solves_problems_that_no_single_method_solves() {
    for (name, problem) in problems() {
        let report = solve(&problem);
        assert!(report.solved, "{name}: {report:?}");
    }
}

#[test]
fn auto_solves_them_in_any_order_and_any_units() {
    for (name, problem) in problems() {
        let n = problem.len();
        let natural: Vec<usize> = (0..n).collect();
        let twice: Vec<usize> = (0..2 * n).map(|i| i / 2).collect();
        let frictionless = Problem {
            mu: vec![0.0; n],
            ..problem.clone()
        };
        let variants = [
            ("shuffled", variant(&problem, &shuffled(n, 1), 1.0)),
            ("shuffled again", variant(&problem, &shuffled(n, 2), 1.0)),
            ("W × 1e6", variant(&problem, &natural, 1e6)),
            ("W × 1e-6", variant(&problem, &natural, 1e-6)),
            ("every contact twice", variant(&problem, &twice, 1.0)),
            ("µ = 0", frictionless),
        ];
        let worst = if name.contains("RockPile") {
            1e-6
        } else {
            1e-8
        };
        for (what, problem) in variants {
            let report = solve(&problem);
            assert!(report.error <= worst, "{name}, {what}: {report:?}");
        }
    }
}
