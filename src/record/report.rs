//! The run report: the figures of a whole run, on which all measurements build. Field names are its JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::world::Knots;

/// Figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunReport {
    /// Name of the scene.
    pub scene: String,
    /// Model of the strands; several are joined by `+`.
    pub rod_model: String,
    /// Contact detector.
    pub detector: String,
    /// Friction solver.
    pub solver: String,
    /// Time step, s.
    pub dt_s: f64,
    /// Steps taken.
    pub steps: u64,
    /// Extra steps of divided steps.
    pub substeps: u64,
    /// Pieces of steps in which strands were held back or scripts stood still, lest something pass through something.
    pub held_back: u64,
    /// Simulated time, s.
    pub simulated_s: f64,
    /// Time that passed on the wall clock, s.
    pub wall_s: f64,
    /// Simulated over wall time.
    pub real_time_factor: f64,
    /// Degrees of freedom.
    pub dofs: usize,
    /// Contacts per step.
    pub contacts: ContactFigures,
    /// Largest ν = 3 n / m.
    pub nu_max: f64,
    /// Error of the accepted solutions.
    pub solver_error: ErrorFigures,
    /// Solver iterations per step.
    pub iterations: IterationFigures,
    /// Linearisations of the motion per step.
    pub passes: IterationFigures,
    /// How far the accepted motions are off their equations, in radii of the strand.
    pub motion_error_over_radius: MotionFigures,
    /// Where the time went, mean per step.
    pub phase_ms_per_step: PhaseFigures,
    /// Deepest overlap, over the smaller radius.
    pub penetration_max_over_radius: f64,
    /// Pairs of strand pieces that passed through each other, and pieces that passed through a solid.
    pub crossings: u64,
    /// Energies at the end.
    pub energy_j: EnergyFigures,
    /// Fastest node at the end, m/s.
    pub max_speed_m_s: f64,
    /// Equal exactly when two runs ended in the same state, bit by bit; 16 hexadecimal digits.
    pub state_hash: String,
    /// The knots at the start and at the end.
    pub knots: KnotFigures,
    /// What the scene asks for; `null` where the run was too short to tell.
    pub measured: BTreeMap<String, Option<f64>>,
    /// One-step problems written to files, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems_dumped: Option<u64>,
    /// Why the run stopped early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Which knots the strands make.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KnotFigures {
    /// In a few words, at the start and at the end.
    pub summary: [String; 2],
    /// At the start.
    pub start: Knots,
    /// At the end.
    pub end: Knots,
}

/// Contacts per step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ContactFigures {
    /// Mean over the steps.
    pub mean: f64,
    /// Largest.
    pub max: usize,
}

/// Error of the accepted solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ErrorFigures {
    /// Mean over the steps.
    pub mean: f64,
    /// Largest.
    pub max: f64,
    /// Share of the steps whose error is above the tolerance.
    pub over_tolerance_fraction: f64,
}

/// How well steps fulfil the equation of motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MotionFigures {
    /// Mean over the steps.
    pub mean: f64,
    /// Largest.
    pub max: f64,
}

/// Iterations per step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct IterationFigures {
    /// Mean over the steps.
    pub mean: f64,
    /// Largest.
    pub max: usize,
}

/// Milliseconds per step, by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PhaseFigures {
    /// Forces, factorisation, free motion.
    pub dynamics: f64,
    /// Broad and narrow phase.
    pub detection: f64,
    /// W and b.
    pub assembly: f64,
    /// The friction solver.
    pub solve: f64,
    /// New velocities, positions and frames.
    pub advance: f64,
    /// The check that nothing passes through anything, and moving apart what overlaps.
    pub check: f64,
    /// Edits, guard, report.
    pub other: f64,
    /// Of detection and check: which boxes overlap.
    pub broad: f64,
}

/// Energies, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EnergyFigures {
    /// Kinetic.
    pub kinetic: f64,
    /// Stretching, bending and twisting.
    pub elastic: f64,
    /// Potential in gravity.
    pub gravity: f64,
}
