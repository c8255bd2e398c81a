//! Layer 3, time: a world of strands and solids, advanced step by step.

mod build;
mod check_rod;
mod checkpoint;
mod convergence;
mod division;
mod drift;
mod edit;
mod fingerprint;
mod guard;
mod handed;
mod handling;
mod hold;
mod knots;
mod led;
mod matter;
mod movers;
mod one_step;
mod passed;
mod proxies;
mod report;
mod separate;
mod share;
mod size;
mod snapshot;
mod solid;
mod spec;
mod step;
#[cfg(test)]
mod tests;
mod twist;
mod values;
mod view;
mod warm_start;

use std::sync::Arc;

use nalgebra::{Isometry3, Point3, Vector3};

use crate::body::{Body, Constraint, HelixElement, RodDesign, RodModel};
use crate::contact::passing::PassingCheck;
use crate::contact::{Contact, Detection, Side};
use crate::friction::Solver;
use crate::geometry::{Along, ProxySet};
use checkpoint::Outcome;
use division::Division;
use guard::Involved;
use hold::{Hold, Parked};
use movers::Movers;
use one_step::OneStep;
use separate::Separation;
use solid::{Pull, Solid};
use warm_start::WarmStart;

pub use check_rod::{FEWEST_IN_A_LOOP, MOST_HELICES, MOST_PIECES, check_model};
pub use checkpoint::Checkpoint;
pub use convergence::{Convergence, ConvergencePoint};
pub use edit::{Edit, Hand, MaterialPoint};
pub use handed::Handed;
pub use knots::{KnotNamer, Knots, Link, StrandKnot};
pub use passed::{FOLLOWED, Passed};
pub use report::{Energies, PhaseTimes, StepReport};
pub use size::Size;
pub use snapshot::{
    ContactSnapshot, ContactState, HoldSnapshot, Outline, PullSnapshot, Snapshot, SolidPose,
    StrandPoint, StrandRange, Touched,
};
pub use spec::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SolidMatter, SolidSpec,
    SurfaceId, WorldSpec,
};
pub use values::{StrandValues, Values};

/// Why a world cannot be built or an edit cannot be applied: a sentence for the user.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

/// Why a step stopped: the state is the last one accepted, that of before the step or of a piece of it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "step {step} stopped in the stage \"{stage}\": {what} of {body}, element {element}, is not a finite number; \
     try a smaller time step or softer settings"
)]
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

/// What is known of a strand besides its mechanics.
#[derive(Clone, Debug, PartialEq)]
struct Label {
    name: String,
    model: RodModel,
    design: RodDesign,
    proxies: Option<usize>,
    surface: SurfaceId,
    color: [f32; 3],
}

impl Label {
    /// What can be set of the strand.
    fn values(&self) -> StrandValues {
        StrandValues::new(self.model, &self.design)
    }
}

/// Strands and solids at one instant, and the memory to take steps without asking for more.
pub struct World {
    bodies: Vec<Box<dyn Body>>,
    labels: Vec<Label>,
    solids: Vec<Solid>,
    /// In the order of their numbers.
    holds: Vec<Hold>,
    /// Holds that were removed and can be brought back, oldest first.
    parked: Vec<Parked>,
    /// Hands at free solids.
    pulls: Vec<Pull>,
    friction: FrictionTable,
    /// Number of surfaces that friction can speak of.
    surfaces: usize,
    /// What strands are made of, as snapshots share it.
    strands: Arc<Vec<StrandValues>>,
    settings: Settings,
    demo: bool,
    next_hold: u32,
    steps: u64,
    time_s: f64,
    // What a step works with.
    constraints: Vec<Constraint>,
    proxies: ProxySet,
    detector: Detection,
    contacts: Vec<Contact>,
    one_step: OneStep,
    solver: Solver,
    impulses: Vec<Vector3<f64>>,
    warm: WarmStart,
    /// First guess of the last attempt, where [`World::keep_guesses`] asked for it.
    guess: Option<Vec<Vector3<f64>>>,
    passing: PassingCheck,
    /// Points along a strand before and after the step.
    traces: [Vec<Point3<f64>>; 2],
    /// Where pieces of the line that is judged lie along their strand.
    alongs: Vec<Along>,
    /// How far each strand's trial is off its equation of motion, in radii.
    off: Vec<f64>,
    involved: Involved,
    /// For how many steps scripts have stood still.
    jammed: u32,
    division: Division,
    separation: Separation,
    /// Size of the step that is tried, s.
    taking_s: f64,
    /// Size of the last accepted step, s: impulses over it are forces.
    taken_s: f64,
    report: StepReport,
    convergence: Convergence,
    /// How contacts moved in the last step, where that was another world's.
    restored: Option<Outcome>,
}

impl World {
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

    /// Degrees of freedom of all strands and free solids, held ones included.
    pub fn dofs(&self) -> usize {
        let movers = self.movers();
        (0..movers.len()).map(|k| movers.get(k).dofs()).sum()
    }

    /// All that moves by the laws of mechanics.
    fn movers(&self) -> Movers<'_> {
        Movers {
            strands: &self.bodies,
            solids: &self.solids,
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Everything that can be set, as it is now.
    pub fn values(&self) -> Values {
        Values {
            settings: self.settings.clone(),
            friction: self.friction.clone(),
            strands: self.strands.clone(),
        }
    }

    /// Nodes of a strand, m.
    pub fn rod_nodes(&self, rod: usize) -> &[Point3<f64>] {
        self.bodies[rod].nodes()
    }

    /// Middle of a strand's mass, m: its nodes weighed by the length that belongs to them.
    pub fn rod_centre(&self, rod: usize) -> Point3<f64> {
        let (mut sum, mut length) = (Vector3::zeros(), 0.0);
        for pair in self.rod_nodes(rod).windows(2) {
            let l = (pair[1] - pair[0]).norm();
            sum += (pair[0].coords + pair[1].coords) * (0.5 * l);
            length += l;
        }
        Point3::from(sum / length)
    }

    /// Pose of a solid now.
    pub fn solid_pose(&self, solid: usize) -> Isometry3<f64> {
        self.solids[solid].pose(self.time_s)
    }

    /// Number of strands.
    pub fn rods(&self) -> usize {
        self.bodies.len()
    }

    /// Helical elements of a strand; none unless it is a super-helix.
    pub fn rod_helices(&self, rod: usize) -> impl Iterator<Item = HelixElement> {
        (0..).map_while(move |k| self.bodies[rod].helix(k))
    }

    /// Radius with which a strand touches, m.
    pub fn rod_radius_m(&self, rod: usize) -> f64 {
        self.bodies[rod].section().radius_m
    }

    /// Model of a strand.
    pub fn rod_model(&self, rod: usize) -> RodModel {
        self.labels[rod].model
    }

    /// Force of the `hold`-th hold of the description on its strand in the last step, N; zero when it does not act.
    pub fn hold_force(&self, hold: usize) -> Vector3<f64> {
        let wanted = |h: &&Hold| h.described == Some(hold);
        self.holds
            .iter()
            .find(wanted)
            .map_or_else(Vector3::zeros, |hold| hold.force)
    }

    /// The hands that hold something.
    pub fn hands(&self) -> Vec<Hand> {
        let strands = self.holds.iter().filter_map(|hold| hold.hand);
        strands
            .chain(self.pulls.iter().map(|pull| pull.hand))
            .collect()
    }

    /// Force of all that touches the `solid`-th solid in the last step, N; of its last piece, if it was divided.
    pub fn solid_force(&self, solid: usize) -> Vector3<f64> {
        let is_it = |side: &Side| side.solid().is_some_and(|s| s.solid as usize == solid);
        let mut impulse = Vector3::zeros();
        for (contact, r) in self.contacts.iter().zip(&self.impulses) {
            let on_first = contact.basis * r;
            if is_it(&contact.a) {
                impulse += on_first;
            }
            if is_it(&contact.b) {
                impulse -= on_first;
            }
        }
        impulse / self.taken_s
    }

    /// Velocity of the middle of a solid that is free to move, m/s, and its angular velocity, rad/s; none if it is not.
    pub fn solid_motion(&self, solid: usize) -> Option<[Vector3<f64>; 2]> {
        let free = self.solids.get(solid)?.free.as_ref()?;
        Some([free.velocity(), free.spin()])
    }
}
