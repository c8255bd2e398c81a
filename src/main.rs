//! The command line: `prusik app | scenes | run | render | showcase`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
