//! Layer 4, what a run leaves behind: the run report, the statistics per step, the measurements of the scene, the
//! one-step problems as files.

mod dump;
mod meter;
mod recorder;
mod report;
mod stats;

pub use dump::{ProblemDump, guess_file, read_guess};
pub use recorder::Recorder;
pub use report::{
    ContactFigures, EnergyFigures, ErrorFigures, IterationFigures, PhaseFigures, RunReport,
};
pub use stats::StatsFile;
