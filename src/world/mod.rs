//! Layer 3, time: a world of strands and solids, advanced step by step.

mod edit;
mod report;
mod snapshot;
mod spec;

pub use edit::{Edit, Hand, MaterialPoint};
pub use report::{Energies, PhaseTimes, StepReport};
pub use snapshot::{
    ContactSnapshot, ContactState, HoldSnapshot, Snapshot, SolidPose, StrandPoint, StrandRange,
};
pub use spec::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SolidSpec, SurfaceId, WorldSpec,
};

use nalgebra::{Point3, Vector3};

/// Why a world cannot be built or an edit cannot be applied: a sentence for the user.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

/// Why a step stopped: the state is that of before the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("step {step} stopped in {stage}: {what} is not finite in {body}, element {element}")]
pub struct Fault {
    /// The stage of the step.
    pub stage: &'static str,
    /// The quantity.
    pub what: &'static str,
    /// Name of the strand.
    pub body: String,
    /// Index of the element.
    pub element: usize,
    /// Steps taken before.
    pub step: u64,
}

/// Strands and solids at one instant. PLACEHOLDER: nothing moves yet.
pub struct World {
    spec: WorldSpec,
    report: StepReport,
    steps: u64,
    time_s: f64,
}

impl World {
    /// Builds a world, or says in a sentence what is wrong with its description.
    pub fn new(spec: WorldSpec) -> Result<Self, SpecError> {
        Ok(Self {
            spec,
            report: StepReport::default(),
            steps: 0,
            time_s: 0.0,
        })
    }
    /// Advances by one time step.
    pub fn step(&mut self) -> Result<&StepReport, Fault> {
        self.steps += 1;
        self.time_s += self.spec.settings.dt_s;
        Ok(&self.report)
    }
    /// Applies an edit, or says in a sentence why not (the world is unchanged then).
    pub fn apply(&mut self, _edit: Edit) -> Result<(), SpecError> {
        Ok(())
    }
    /// Writes the present state into `out`, reusing its buffers; leaves `generation` alone.
    pub fn snapshot(&self, out: &mut Snapshot) {
        out.step = self.steps;
        out.time_s = self.time_s;
    }
    /// Simulated time, s.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }
    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Figures of the last step.
    pub fn report(&self) -> &StepReport {
        &self.report
    }
    /// Degrees of freedom of all strands, held ones included.
    pub fn dofs(&self) -> usize {
        0
    }
    /// A hash of all positions, velocities, frames, warm starts: equal exactly when two runs agree bit by bit.
    pub fn state_hash(&self) -> u64 {
        0
    }
    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.spec.settings
    }
    /// Nodes of a strand, m.
    pub fn rod_nodes(&self, rod: usize) -> &[Point3<f64>] {
        &self.spec.rods[rod].centreline
    }
    /// Centre of mass of a strand, m.
    pub fn rod_centre(&self, _rod: usize) -> Point3<f64> {
        Point3::origin()
    }
    /// Force of the `hold`-th hold of the scene on its strand in the last step, N; zero when it does not act.
    pub fn hold_force(&self, _hold: usize) -> Vector3<f64> {
        Vector3::zeros()
    }
}
