//! Siconos' Gauss-Seidel (`nsgs`), run by a script beside this program: the yardstick by which published times carry over
//! to this machine.
//!
//! It stops by its own error, which mixes units, at the number that is asked of us, as in the published runs; whether it
//! has solved the problem is for our judge to say. Siconos is not always built to read FCLIB's files, so problems in
//! other formats are handed over in its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::Sample;
use super::race::Cell;
use crate::friction::files::siconos::write;

/// Debian's package of Siconos is for the system's own Python.
const PYTHON: &str = "/usr/bin/python3";

/// The script `fc3d_judge.py`.
#[derive(Clone, Debug)]
pub struct Siconos {
    script: PathBuf,
}

/// The line that it prints.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Line {
    cpu_ms: f64,
    iterations: usize,
    rel: f64,
}

impl Siconos {
    /// Takes the path of the script, or says in a sentence that it is not there.
    pub fn new(script: &Path) -> Result<Self, String> {
        if script.is_file() {
            Ok(Self {
                script: script.to_owned(),
            })
        } else {
            Err(format!("there is no judge {}", script.display()))
        }
    }

    /// Solves a problem that came from `file`; errors are sentences.
    pub fn solve(&self, sample: &Sample, file: &Path, tolerance: f64) -> Result<Cell, String> {
        let line = if file.extension().is_some_and(|end| end == "dat") {
            self.run(file, tolerance)?
        } else {
            let copy =
                std::env::temp_dir().join(format!("prusik-bench-{}.dat", std::process::id()));
            std::fs::write(&copy, write(&sample.problem))
                .map_err(|error| format!("{} cannot be written: {error}", copy.display()))?;
            let line = self.run(&copy, tolerance);
            // It is only a copy in a folder that is emptied anyway.
            let _ = std::fs::remove_file(&copy);
            line?
        };
        Ok(Cell {
            solved: line.rel <= tolerance,
            cpu_ms: line.cpu_ms,
            rel: line.rel,
            iterations: line.iterations,
        })
    }

    fn run(&self, file: &Path, tolerance: f64) -> Result<Line, String> {
        let output = Command::new(PYTHON)
            .arg(&self.script)
            .arg("siconos")
            .arg(file)
            .args(["--solver", "nsgs", "--tol", &format!("{tolerance:e}")])
            .output()
            .map_err(|error| format!("{PYTHON} cannot be started: {error}"))?;
        // Siconos prints warnings of its own; the answer is the one line that is an object. Python writes what is not
        // finite in ways that JSON does not know.
        let text = String::from_utf8_lossy(&output.stdout);
        let finite = |line: &str| line.replace("Infinity", "1e300").replace("NaN", "1e300");
        let line = text
            .lines()
            .find_map(|line| serde_json::from_str(&finite(line)).ok());
        line.ok_or_else(|| {
            let error = String::from_utf8_lossy(&output.stderr);
            let last = error.lines().rfind(|line| !line.trim().is_empty());
            let last = last.unwrap_or("it printed nothing").trim();
            format!("the judge has no answer on {}: {last}", file.display())
        })
    }
}
