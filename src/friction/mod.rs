//! Layer 2c, the one-step problem: u = W r + b with Coulomb's law at every contact.
//!
//! Four small things that combine: a [`law`] (what must vanish), a [`local`] solver (one contact), a global
//! [`solver`] (all contacts), and the [`residual`] that judges them all. Problems also come from [`files`], and from the
//! [`primal`] form that still has the bodies in it. Nothing here knows of strands or time.

pub mod cone;
pub mod files;
pub mod law;
pub mod local;
pub mod primal;
mod problem;
pub mod residual;
pub mod solver;

pub use primal::Primal;
pub use problem::Problem;
pub use solver::{Solver, SolverReport, StopRule};

/// The friction solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverKind {
    /// Accelerated sweeps, then Newton's method on the smoothed law for what they leave unsolved.
    Auto,
    /// Anderson-accelerated Gauss-Seidel; each contact by the enumerative solver, with Newton as fail-safe.
    GsAnderson,
    /// Gauss-Seidel; each contact by Fischer-Burmeister Newton with the enumerative solver as fail-safe.
    GsHybrid,
    /// Gauss-Seidel; each contact by Fischer-Burmeister Newton alone.
    GsFb,
    /// Gauss-Seidel; each contact by the enumerative (quartic) solver alone.
    GsEnum,
}

impl SolverKind {
    /// Every solver, for lists and panels.
    pub const ALL: [SolverKind; 5] = [
        SolverKind::Auto,
        SolverKind::GsAnderson,
        SolverKind::GsHybrid,
        SolverKind::GsFb,
        SolverKind::GsEnum,
    ];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Auto => "auto",
            SolverKind::GsAnderson => "gs-anderson",
            SolverKind::GsHybrid => "gs-hybrid",
            SolverKind::GsFb => "gs-fb",
            SolverKind::GsEnum => "gs-enum",
        }
    }

    /// One line for the panel.
    pub fn summary(self) -> &'static str {
        match self {
            SolverKind::Auto => {
                "Accelerated sweeps, then a smoothed Newton method where they stall"
            }
            SolverKind::GsAnderson => "Gauss-Seidel, accelerated; exact quartic at every contact",
            SolverKind::GsHybrid => {
                "Gauss-Seidel, Fischer-Burmeister Newton with the exact fail-safe"
            }
            SolverKind::GsFb => "Gauss-Seidel, Fischer-Burmeister Newton alone",
            SolverKind::GsEnum => "Gauss-Seidel, exact quartic at every contact",
        }
    }

    /// The solver with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
