//! The record of a solve: the true error against the iteration.

/// What part of a solver an error was measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The first guess.
    #[default]
    Start,
    /// Gauss-Seidel sweeps.
    Sweeps,
    /// Newton steps on all contacts.
    Newton,
    /// Newton steps around a proximal point.
    Polish,
    /// Projected gradient steps.
    Gradient,
}

impl Stage {
    /// A word for legends.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Start => "start",
            Stage::Sweeps => "sweeps",
            Stage::Newton => "Newton",
            Stage::Polish => "polish",
            Stage::Gradient => "gradient",
        }
    }
}

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracePoint {
    /// Iterations taken until then.
    pub iteration: u32,
    /// Error of the iterate (not of the best one).
    pub error: f64,
    /// Where it was measured.
    pub stage: Stage,
}
