//! Layer 4, what a run leaves behind: the run report, the statistics per step, the measurements of the scene, the
//! one-step problems as files; tables and plots.

mod dump;
mod meter;
mod pile;
pub mod plot;
mod recorder;
mod report;
mod series;
mod stats;

pub use dump::{ProblemDump, guess_file, read_guess};
pub use recorder::Recorder;
pub use report::{
    ContactFigures, EnergyFigures, ErrorFigures, IterationFigures, KnotFigures, PhaseFigures,
    RunReport,
};
pub use series::Series;
pub use stats::StatsFile;
