//! Layer 4, what a run leaves behind: the run report, the statistics per step, the measurements of the scene.

mod meter;
mod recorder;
mod report;
mod stats;

pub use recorder::Recorder;
pub use report::{
    ContactFigures, EnergyFigures, ErrorFigures, IterationFigures, PhaseFigures, RunReport,
};
pub use stats::StatsFile;
