//! Layer 2c, the one-step problem: u = W r + b with Coulomb's law at every contact.
//!
//! Four small things that combine: a [`law`] (what must vanish), a [`local`] solver (one contact), a global
//! [`solver`] (all contacts), and the [`residual`] that judges them all. Problems also come from [`files`], and from the
//! [`primal`] form that still has the bodies in it. Nothing here knows of strands or time.

pub mod cone;
pub mod files;
pub mod goldstein_price;
mod kind;
pub mod law;
pub mod local;
pub mod primal;
mod problem;
pub mod residual;
pub mod solver;

pub use kind::{Family, HYBRID, SolverKind};
pub use primal::Primal;
pub use problem::Problem;
pub use solver::{Solver, SolverReport, StopReason, StopRule};
pub use solver::{Stage, TracePoint};
