//! Figures of one step: what the solver did, where the time went, how good the result is.

/// Milliseconds spent in each phase of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes {
    /// Forces, factorisation, free motion.
    pub dynamics_ms: f64,
    /// Broad and narrow phase.
    pub detection_ms: f64,
    /// W and b.
    pub assembly_ms: f64,
    /// The friction solver.
    pub solve_ms: f64,
    /// New velocities, positions and frames.
    pub advance_ms: f64,
    /// The check that nothing passes through anything, and moving apart what overlaps.
    pub check_ms: f64,
    /// Edits, guard, report.
    pub other_ms: f64,
    /// Of detection and check: which boxes overlap.
    pub broad_ms: f64,
}

impl PhaseTimes {
    /// The whole step, ms.
    pub fn total_ms(&self) -> f64 {
        self.dynamics_ms
            + self.detection_ms
            + self.assembly_ms
            + self.solve_ms
            + self.advance_ms
            + self.check_ms
            + self.other_ms
    }
}

/// Energies, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Kinetic.
    pub kinetic_j: f64,
    /// Stretching, bending and twisting.
    pub elastic_j: f64,
    /// Potential in gravity, zero at the origin.
    pub gravity_j: f64,
}

/// Figures of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Contacts in the one-step problem.
    pub contacts: usize,
    /// ν = 3 n / m: contact unknowns over degrees of freedom.
    pub nu: f64,
    /// Error of the accepted solution (`rel` of [`crate::friction::residual`]).
    pub solver_error: f64,
    /// Whether that is within the tolerance.
    pub solved: bool,
    /// Solver iterations, all passes together.
    pub iterations: usize,
    /// How often the step was linearised.
    pub passes: usize,
    /// How far the accepted motion is off its equation, in radii of the strand: what another pass would change.
    pub motion_error: f64,
    /// Extra steps of a divided step; 0 for one that went through whole.
    pub substeps: usize,
    /// Pieces of the step in which strands were held back or scripts stood still, since even the smallest piece would
    /// have led strands through something, too deep into it, or by leaps.
    pub held_back: usize,
    /// Deepest overlap over the smaller radius of the two bodies.
    pub penetration_over_radius: f64,
    /// Pairs of strand pieces that passed through each other in this step, and pieces that passed through a solid.
    pub crossings: usize,
    /// Fastest node, m/s.
    pub max_speed_m_s: f64,
    /// Energies at the end of the step.
    pub energies: Energies,
    /// Where the time went.
    pub phases: PhaseTimes,
}
