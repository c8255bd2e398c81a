//! The command line: `prusik app | scenes | run | solve | bench | render | showcase`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
