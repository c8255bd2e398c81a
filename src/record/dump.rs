//! One-step problems of a run as files: `knot-000123-87.dat` is step 123 of the scene `knot`, with 87 contacts, and
//! `knot-000123-87.guess.txt` the impulses that the solver started from, three numbers per contact.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;

use crate::friction::files::siconos;
use crate::world::World;

/// A folder that receives the problems of a run.
#[derive(Clone, Debug)]
pub struct ProblemDump {
    folder: PathBuf,
    scene: String,
    every: u64,
    seen: u64,
    written: u64,
}

impl ProblemDump {
    /// Makes the folder if it is not there. Errors are sentences. Every `every`-th problem will be written, the first
    /// among them.
    pub fn create(folder: &Path, scene: &str, every: u64) -> Result<Self, String> {
        if folder.exists() && !folder.is_dir() {
            return Err(format!(
                "{} is a file, but problems are written into a folder",
                folder.display()
            ));
        }
        fs::create_dir_all(folder)
            .map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            scene: scene.to_owned(),
            every: every.max(1),
            seen: 0,
            written: 0,
        })
    }

    /// Writes the problem of the step that the world has just made, if it is one of those wanted. The world must keep
    /// its guesses.
    pub fn write(&mut self, world: &World) -> Result<(), String> {
        let Some(handed) = world.handed() else {
            return Ok(());
        };
        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.every) {
            return Ok(());
        }
        let name = format!(
            "{}-{:06}-{}.dat",
            self.scene,
            world.steps(),
            handed.problem.len()
        );
        let file = self.folder.join(name);
        put(&file, &siconos::write(handed.problem))?;
        put(&guess_file(&file), &guess_text(handed.guess))?;
        self.written += 1;
        Ok(())
    }

    /// Problems written so far.
    pub fn written(&self) -> u64 {
        self.written
    }
}

fn put(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text)
        .map_err(|error| format!("the file {} cannot be written: {error}", file.display()))
}

fn guess_text(guess: &[Vector3<f64>]) -> String {
    let mut text = String::new();
    for r in guess {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{:e} {:e} {:e}", r.x, r.y, r.z);
    }
    text
}

/// Where the guess for a problem file is: `a.dat` → `a.guess.txt`.
pub fn guess_file(problem: &Path) -> PathBuf {
    problem.with_extension("guess.txt")
}

/// Reads the guess for a problem of `contacts` contacts; none if there is no such file. Errors are sentences.
pub fn read_guess(problem: &Path, contacts: usize) -> Result<Option<Vec<Vector3<f64>>>, String> {
    let file = guess_file(problem);
    if !file.is_file() {
        return Ok(None);
    }
    let refuse = |why: String| Err(format!("{}: {why}", file.display()));
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => return refuse(format!("cannot be read: {error}")),
    };
    let words: Result<Vec<f64>, _> = text.split_ascii_whitespace().map(str::parse).collect();
    match words {
        Ok(numbers) if numbers.len() == 3 * contacts && numbers.iter().all(|x| x.is_finite()) => {
            let impulses = numbers.chunks_exact(3).map(Vector3::from_column_slice);
            Ok(Some(impulses.collect()))
        }
        _ => refuse(format!(
            "a guess for {contacts} contacts has {} finite numbers, which this file has not",
            3 * contacts
        )),
    }
}
