//! Siconos' Gauss-Seidel (`nsgs`), run by a script beside this program: the yardstick by which published times carry over
//! to this machine.
//!
//! Its own tolerance is in other units than ours, so it is asked for more and more digits until our judge is content:
//! the time of that run is its time to tolerance.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::race::Cell;

/// Debian's package of Siconos is for the system's own Python.
const PYTHON: &str = "/usr/bin/python3";
/// Tolerances tried in turn.
const TOLERANCES: [&str; 10] = [
    "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-11", "1e-12",
];

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
    /// 0 when Siconos itself is content.
    info: i64,
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

    /// Solves the problem in a file to `tolerance` by our judge; errors are sentences.
    pub fn solve(&self, file: &Path, tolerance: f64) -> Result<Cell, String> {
        let mut best: Option<Cell> = None;
        for asked in TOLERANCES {
            let line = self.run(file, asked)?;
            let cell = Cell {
                solved: line.rel <= tolerance,
                cpu_ms: line.cpu_ms,
                rel: line.rel,
                iterations: line.iterations,
            };
            if cell.solved {
                return Ok(cell);
            }
            if best.is_none_or(|best| cell.rel < best.rel) {
                best = Some(cell);
            }
            // What it could not reach it will not reach with fewer errors allowed.
            if line.info != 0 {
                break;
            }
        }
        best.ok_or_else(|| "the judge was not asked".into())
    }

    fn run(&self, file: &Path, tolerance: &str) -> Result<Line, String> {
        let output = Command::new(PYTHON)
            .arg(&self.script)
            .arg("siconos")
            .arg(file)
            .args(["--solver", "nsgs", "--tol", tolerance])
            .output()
            .map_err(|error| format!("{PYTHON} cannot be started: {error}"))?;
        // Siconos prints warnings of its own; the answer is the one line that is an object.
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text
            .lines()
            .find_map(|line| serde_json::from_str(&line.replace("Infinity", "1e300")).ok());
        line.ok_or_else(|| {
            let error = String::from_utf8_lossy(&output.stderr);
            let last = error.lines().last().unwrap_or("it printed nothing");
            format!("the judge has no answer on {}: {last}", file.display())
        })
    }
}
