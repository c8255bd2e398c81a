//! Layer 4, friction solvers side by side: on the problems of a packed scene, and on problems from files. Rod models side
//! by side: the time of a step. Contact detection with smooth curves and with straight pieces. Whole scenes beside what is
//! published of them.
//!
//! | file | job |
//! |---|---|
//! | `sample` | one problem with its name and first guess; the problems of a scene's run |
//! | `trial` | one solver on one problem, timed |
//! | `packed` | every solver on a sequence of problems: the columns of [Daviet11, table 2] |
//! | `warm` | the same sequence from nothing and from the guesses of the run |
//! | `race` | every solver on every file: time to tolerance, ratios to `auto` |
//! | `published` | what others report, as tables of facts |
//! | `rods` | every rod model at several sizes: time of a step without contacts |
//! | `detection` | closest points of curves: time against error and against gap |
//! | `scenes` | every scene of [Bertails11, table I]: time of a step beside the paper's |
//! | `convergence` | solvers against ν on the problems of a pile |
//! | `siconos` | Siconos' Gauss-Seidel in the same minute on the same machine, the yardstick for the above |
//!
//! Times are CPU milliseconds. Errors are the judge's `rel` ([`crate::friction::residual`]): a solver that aims at a
//! likeness of Coulomb's law shows as one that does not reach the tolerance, with the error at which it settles.

mod convergence;
pub mod detection;
mod packed;
mod published;
mod race;
mod rods;
mod sample;
mod scenes;
mod siconos;
mod trial;
mod warm;

pub use convergence::{
    CONVERGENCE_SCENE, CONVERGENCE_SOLVERS, ConvergenceRow, ConvergenceTable, spread,
};
pub use packed::{PackedTable, SolverRow, packed};
pub use published::{PaperRow, Peer, PublishedScene, TABLE_ONE, paper_row, peer};
pub use race::{Cell, Race, Ratio, Runner, SpeedUp};
pub use rods::{ROD_SIZES, RodRow, RodTable, rods};
pub use sample::{PACKED_SCENE, Sample, SceneProblems};
pub use scenes::{SceneRow, measure_scene, scene_rows};
pub use siconos::Siconos;
pub use trial::{Trial, trial};
pub use warm::WarmTable;

use crate::friction::{SolverKind, StopRule};

/// Which solvers run, and when each gives up.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The solvers, in the order of the table.
    pub kinds: Vec<SolverKind>,
    /// Tolerance, iterations, work.
    pub stop: StopRule,
}
