//! Global iterations over all contacts.

pub mod anderson;
pub mod gauss_seidel;
pub mod smoothed_newton;

pub use gauss_seidel::GaussSeidel;

/// When a solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRule {
    /// Error (`rel` of [`super::residual`]) that counts as solved.
    pub tolerance: f64,
    /// Iterations after which it gives up.
    pub max_iterations: usize,
    /// Free velocities below this, m/s, count as this when the error is made relative: without it a world at
    /// complete rest would be asked for digits below rounding.
    pub velocity_floor: f64,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverReport {
    /// The error of the returned impulses.
    pub error: f64,
    /// Whether that is within the tolerance.
    pub solved: bool,
    /// Iterations taken.
    pub iterations: usize,
    /// Local problems that the first local solver left to the fail-safe.
    pub failsafe_calls: usize,
    /// Local problems that no local solver solved.
    pub local_failures: usize,
}
