//! Problems from elsewhere, where they are at hand: real one-step problems that other solvers find hard.

use std::path::PathBuf;

use nalgebra::Vector3;
use prusik::friction::files;
use prusik::friction::{Solver, SolverKind, StopRule};

/// The folder of problems beside the project.
fn problems() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/fc3d");
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|end| end == "dat" || end == "hdf5")
    });
    files.sort();
    files
}

#[test]
fn auto_solves_problems_that_no_single_method_solves() {
    let files = problems();
    if files.is_empty() {
        eprintln!("skipped: there is no folder ../shared/data/fc3d with problem files");
    }
    for file in files {
        let name = file.display();
        // The one that takes many seconds: `prusik solve` reports on it.
        if name.to_string().contains("RockPile") {
            eprintln!("skipped: {name} takes long");
            continue;
        }
        let problem = files::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let stop = StopRule {
            tolerance: 1e-8,
            max_iterations: 10_000,
            ..StopRule::default()
        };
        let mut r = vec![Vector3::zeros(); problem.len()];
        let report = Solver::default().solve(SolverKind::Auto, &problem, &mut r, &stop);
        assert!(report.solved, "{name}: {report:?}");
    }
}
