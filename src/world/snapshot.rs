//! What the window sees of a world: plain data, in single precision, ready to be drawn.

use std::sync::Arc;

use super::convergence::Convergence;
use super::edit::{Hand, MaterialPoint};
use super::passed::Passed;
use super::report::StepReport;
use super::spec::{HoldKind, Settings, SurfaceId};
use super::values::{StrandValues, Values};
use crate::body::RodModel;

/// One state of the world. Buffers are reused: [`World::snapshot`](super::World::snapshot) overwrites them.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Counts up each time another scene (or the same, reset) is loaded; assigned by the runner.
    pub generation: u64,
    /// Steps taken since the start.
    pub step: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// What was passed on the way here, oldest first; the last is this state. A world writes only that one, the runner
    /// all that the window has not taken yet.
    pub passed: Vec<Passed>,
    /// The strands, as ranges of `points`.
    pub strands: Vec<StrandRange>,
    /// The nodes of all strands, one after the other.
    pub points: Vec<StrandPoint>,
    /// Poses of the solids, in the order of the scene.
    pub solids: Vec<SolidPose>,
    /// Contact force of the last step on each solid, N, in the order of the scene.
    pub solid_forces: Vec<[f32; 3]>,
    /// Contacts of the last step.
    pub contacts: Vec<ContactSnapshot>,
    /// Clamps, pins, grabs that act now.
    pub holds: Vec<HoldSnapshot>,
    /// Hands at solids that are free to move.
    pub pulls: Vec<PullSnapshot>,
    /// Figures of the last step.
    pub report: StepReport,
    /// How the friction solver got to the last step's forces.
    pub convergence: Convergence,
    /// µ of pairs that the scene does not list.
    pub friction: f64,
    /// The pairs that are listed: two surfaces and their µ.
    pub friction_pairs: Vec<(SurfaceId, SurfaceId, f64)>,
    /// What the strands are made of; the same memory for as long as none changes.
    pub strand_values: Arc<Vec<StrandValues>>,
    /// The settings in force.
    pub settings: Settings,
    /// Whether demonstration holds are played.
    pub demo: bool,
}

/// Where one strand lies in [`Snapshot::points`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandRange {
    /// Index of its first node.
    pub first: u32,
    /// Number of nodes.
    pub count: u32,
    /// Its colour, each 0 to 1.
    pub color: [f32; 3],
    /// Its mechanical model.
    pub model: RodModel,
    /// Whether its ends are joined; its first node is repeated at the end then.
    pub closed: bool,
    /// What its section looks like.
    pub outline: Outline,
    /// Whether it is a rail, which nothing moves.
    pub fixed: bool,
}

/// What a section looks like; its half sizes are at the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outline {
    /// A disk.
    #[default]
    Round,
    /// An ellipse.
    Ellipse,
    /// A rectangle.
    Rectangle,
}

/// One node of a strand. Quantities that live on edges are averaged onto the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrandPoint {
    /// Position, m.
    pub position: [f32; 3],
    /// Radius that contact sees, m.
    pub radius: f32,
    /// Half sizes along the first and the second director, m; the radius twice for a round strand.
    pub half: [f32; 2],
    /// First material director: a unit vector across the strand that turns with it.
    pub director: [f32; 3],
    /// Tension, N; negative in compression.
    pub tension: f32,
    /// Bending moment, N m.
    pub bending_moment: f32,
    /// Twisting moment, N m.
    pub twist_moment: f32,
    /// Curvature, 1/m.
    pub curvature: f32,
    /// Twist, rad/m.
    pub twist: f32,
    /// Speed, m/s.
    pub speed: f32,
    /// Contact force at this node, N.
    pub contact_force: f32,
}

impl Snapshot {
    /// Everything that can be set, as it was in force.
    pub fn values(&self) -> Values {
        let mut values = Values::default();
        self.write_values(&mut values);
        values
    }

    /// The same, into memory that is there already.
    pub fn write_values(&self, out: &mut Values) {
        out.settings.clone_from(&self.settings);
        out.friction.default = self.friction;
        out.friction.pairs.clone_from(&self.friction_pairs);
        if !Arc::ptr_eq(&out.strands, &self.strand_values) {
            out.strands = self.strand_values.clone();
        }
    }

    /// The model of all strands; none if they differ, or if there are none.
    pub fn model(&self) -> Option<RodModel> {
        let first = self.strands.first()?.model;
        let same = self.strands.iter().all(|strand| strand.model == first);
        same.then_some(first)
    }
}

/// Pose of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidPose {
    /// Position of its origin, m.
    pub position: [f32; 3],
    /// Rotation as a quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Whether a hand has taken it: its script, if it has one, stands still.
    pub led: bool,
    /// Whether it is free to move: hands pull it, they do not lead it.
    pub free: bool,
    /// Speed of its middle, m/s; 0 if it is not free to move.
    pub speed: f32,
    /// Its angular velocity, rad/s; likewise.
    pub spin: [f32; 3],
}

/// A hand that pulls at a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PullSnapshot {
    /// Which hand.
    pub hand: Hand,
    /// Index of the solid.
    pub solid: u32,
    /// Where the held point is, m.
    pub position: [f32; 3],
    /// Where it is pulled to, m.
    pub target: [f32; 3],
    /// Force on the solid, N.
    pub force: [f32; 3],
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// No force.
    Open,
    /// Force inside the friction cone, no slip.
    Stick,
    /// Force on the cone, slipping.
    Slide,
}

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// A strand, by index.
    Strand(u32),
    /// A solid, by index.
    Solid(u32),
}

/// One contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSnapshot {
    /// The two that touch; may be one strand twice.
    pub sides: [Touched; 2],
    /// Where, m.
    pub point: [f32; 3],
    /// Unit normal, towards the first body.
    pub normal: [f32; 3],
    /// Force on the first body, N.
    pub force: [f32; 3],
    /// Coefficient of friction.
    pub mu: f32,
    /// Open, sticking or sliding.
    pub state: ContactState,
}

/// A clamp, pin or grab that acts now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldSnapshot {
    /// For [`Edit::Unhold`](super::Edit::Unhold).
    pub id: u32,
    /// Index of the strand.
    pub rod: u32,
    /// Where on it.
    pub point: MaterialPoint,
    /// What it does.
    pub kind: HoldKind,
    /// The hand that made it, if one did.
    pub hand: Option<Hand>,
    /// Its index in the description of the world, if it is from there.
    pub described: Option<u32>,
    /// Whether a hand has moved it: its script, if it has one, stands still.
    pub led: bool,
    /// Where the held point is, m.
    pub position: [f32; 3],
    /// Frame of the held piece, x along the strand, as a quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Where it is pulled to, m.
    pub target: [f32; 3],
    /// Force on the strand, N.
    pub force: [f32; 3],
    /// By how much its hand has twisted the strand, rad.
    pub twist_rad: f32,
    /// Moment of that on the strand, about its tangent, N m.
    pub twist_moment_n_m: f32,
}
