//! What each command does, and how it ends: 0 for success, 1 for a mistake in a scene or a file, 2 for one on the command
//! line (also: no window in this build), 3 for a run that had to stop, 4 for a claim that does not hold or a replay that
//! differs from its recording.

mod args;
mod bench;
mod bench_convergence;
mod bench_detection;
mod bench_drawing;
mod bench_rods;
mod bench_scenes;
mod progress;
mod replay;
mod run;
mod scenes;
mod solve;
mod table;
mod validate;
mod values;
mod window;

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Task};

/// Why a command failed: a sentence for the user, and the exit code.
#[derive(Debug)]
struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// Something in a scene, a file or the system is not as it must be.
    fn new(sentence: impl ToString) -> Self {
        Self {
            sentence: sentence.to_string(),
            code: 1,
        }
    }

    /// The command line asks for what is not there.
    fn usage(sentence: impl ToString) -> Self {
        Self {
            sentence: sentence.to_string(),
            code: 2,
        }
    }

    /// A claim does not hold.
    fn broken(sentence: impl ToString) -> Self {
        Self {
            sentence: sentence.to_string(),
            code: 4,
        }
    }

    /// The simulation had to stop.
    fn fault(sentence: impl ToString) -> Self {
        Self {
            sentence: sentence.to_string(),
            code: 3,
        }
    }
}

/// Computes with so many threads from here on; with all cores when none are named.
fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else {
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| Failure::new(format!("the threads cannot be started: {error}")))
}

/// Prints a line; a full disk behind stdout is a sentence, where `println!` would panic.
fn print_line(line: impl Display) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{line}")
        .map_err(|error| Failure::new(format!("the output cannot be written: {error}")))
}

/// Prints one JSON object.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(value).map_err(Failure::new)?;
    print_line(json)
}

/// Reads the command line and obeys.
pub fn main() -> ExitCode {
    let args = Args::parse();
    let result = match args.task() {
        Task::App(app) => window::app(app),
        Task::Scenes(scenes) => scenes::list(&scenes),
        Task::Run(run) => run::run(&run),
        Task::Replay(replay) => replay::replay(&replay),
        Task::Solve(solve) => solve::solve(&solve),
        Task::Bench(bench) => bench::bench(&bench),
        Task::Validate(validate) => validate::validate(&validate),
        Task::Render(render) => window::render(render),
        Task::Showcase(showcase) => window::showcase(showcase),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("prusik: {}", failure.sentence);
            ExitCode::from(failure.code)
        }
    }
}
