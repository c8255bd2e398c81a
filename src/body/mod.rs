//! Layer 2a, things that move: strands, what they are made of, and rigid bodies ([`Rigid`]).
//!
//! A [`Body`] takes one implicit time step in a conversation with the world:
//!
//! ```text
//!   begin      dt, gravity, what holds it
//!   linearise  A = M + dt C + dt² K, factored; the free velocity A⁻¹ f
//!   jacobian   how a surface point moves with the unknowns          ┐ the world builds
//!   solve      A⁻¹ applied to columns of Hᵀ                         ┘ W = H A⁻¹ Hᵀ
//!   attempt    a velocity: the trial state, and how far it is from equilibrium
//!   hold_back  where even the smallest step would pass through something: less of it
//!   accept     the trial state becomes the state
//!   soften     A of a long step: how the strand gives way to slow pushes
//!   displace   such a push, to remove overlap: positions change, velocities do not
//!   settle     the displaced state becomes the state
//! ```
//!
//! Nothing before `accept` changes the state, so a step can be given up at any point.
//!
//! Whatever its model, a strand is seen as a chain of straight pieces between nodes: contact, holds and the window speak
//! of a [`Site`] on a piece. A model with other unknowns (a super-helix) says where its pieces are. Contact may also ask
//! for the smooth curve that a strand is, and then speaks of a [`Place`] on it. So the model can be
//! changed while all else stays: [`Body::strand`] of one goes into [`rod::build`] of another.

mod design;
mod material;
mod rigid;
pub mod rod;
mod saved;
mod section;
mod strand;

use std::hash::Hasher;
use std::ops::RangeInclusive;

use nalgebra::{Isometry3, Point3, Vector3};

use crate::geometry::{Curve, Sections};
pub use crate::geometry::{Place, Site};

pub use design::{NaturalShape, RodDesign, RodModel, Scheme};
pub use material::RodMaterial;
pub use rigid::{RIGID_DOFS, Rigid, RigidPull};
pub use rod::{HelixElement, SAG_OVER_RADIUS};
pub use saved::{Saved, save_into};
pub use section::{Section, SectionShape};
pub use strand::StrandState;

/// Columns that are solved together: enough to fill vector registers, few enough to stay in them.
pub const COLUMNS: usize = 12;
/// One row of so many columns.
pub type Columns = [f64; COLUMNS];

/// What holds a body during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constraint {
    /// A node is at `target` at the end of the step.
    Node {
        /// Index of the node.
        node: usize,
        /// Where it is to be, m.
        target: Point3<f64>,
    },
    /// The node nearest to a site and the piece at it have this pose at the end of the step.
    Frame {
        /// The held place.
        site: Site,
        /// The pose that [`Body::frame`] is to have.
        pose: Isometry3<f64>,
    },
    /// A damped spring pulls a site; both act at the end of the step.
    Spring {
        /// The held place.
        site: Site,
        /// Where it is pulled to, m.
        target: Point3<f64>,
        /// N/m.
        stiffness_n_m: f64,
        /// N s/m.
        damping_n_s_m: f64,
        /// What else it does about the tangent there; models without twist do not feel it.
        twist: Option<TwistSpring>,
    },
}

/// A damped spring that turns a section about its tangent; it acts at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistSpring {
    /// By how much the section of the state is still to turn, rad.
    pub left_rad: f64,
    /// N m per radian.
    pub stiffness_n_m: f64,
    /// N m s per radian.
    pub damping_n_m_s: f64,
}

impl TwistSpring {
    /// Its moment on a section that has turned by `turned_rad` within a step of `dt_s`, N m.
    pub fn moment(&self, turned_rad: f64, dt_s: f64) -> f64 {
        (self.left_rad - turned_rad) * self.stiffness_n_m - turned_rad / dt_s * self.damping_n_m_s
    }

    /// What it adds to A: dt (dt k + c).
    pub fn strength(&self, dt_s: f64) -> f64 {
        dt_s * (dt_s * self.stiffness_n_m + self.damping_n_m_s)
    }
}

/// An impulse on the surface of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Where along the body.
    pub place: Place,
    /// From the centreline to the surface point, m.
    pub offset: Vector3<f64>,
    /// N s, world frame.
    pub impulse: Vector3<f64>,
}

/// Something is not a finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite {
    /// What.
    pub what: &'static str,
    /// In which piece.
    pub element: usize,
}

/// What can be measured at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Probe {
    /// First material director.
    pub director: Vector3<f64>,
    /// Tension, N.
    pub tension_n: f64,
    /// Bending moment, N m.
    pub bending_moment_n_m: f64,
    /// Twisting moment, N m.
    pub twist_moment_n_m: f64,
    /// Curvature, 1/m.
    pub curvature_per_m: f64,
    /// Twist, rad/m.
    pub twist_rad_m: f64,
}

/// A strand, whatever its model.
pub trait Body: Send + Sync {
    /// Degrees of freedom.
    fn dofs(&self) -> usize;
    /// The nodes between its pieces, m; a closed strand's first is repeated at the end.
    fn nodes(&self) -> &[Point3<f64>];
    /// Its nodes in the trial state, m.
    fn trial_nodes(&self) -> &[Point3<f64>];
    /// Whether its ends are joined.
    fn closed(&self) -> bool {
        false
    }
    /// Smooth pieces of its centreline, from start to end.
    fn curves(&self) -> usize;
    /// One of them, and its length, m. Together they are a curve without kinks.
    fn curve(&self, index: usize) -> (Curve, f64);
    /// The nodes that lie on a smooth piece, or around it.
    fn curve_nodes(&self, index: usize) -> RangeInclusive<usize>;
    /// Writes points along its curve in the state and in the trial state, as many, so dense that what is between them is
    /// straight to a fraction of the radius.
    fn trace(&self, state: &mut Vec<Point3<f64>>, trial: &mut Vec<Point3<f64>>);
    /// The place of the straight pieces that is nearest to a place, along the strand.
    fn site(&self, place: Place) -> Site;
    /// Length of the strand at rest up to a place, m.
    fn arc_at_rest(&self, place: Place) -> f64;
    /// How its sections turn.
    fn sections(&self) -> Sections;
    /// Velocity of a node, m/s.
    fn node_velocity(&self, node: usize) -> Vector3<f64>;
    /// Shape and motion, for another model to take over.
    fn strand(&self) -> StrandState;
    /// Takes material and section of a design that is its own in all else. Shape and motion stay bit by bit; its rest
    /// shape does too, so that it weighs, resists and touches differently from the next step on.
    fn set_material(&mut self, design: &RodDesign);
    /// Section: thickness, stiffness, inertia.
    fn section(&self) -> &Section;
    /// Mass, kg.
    fn mass_kg(&self) -> f64;
    /// Pose of the node nearest to a site and of the piece at it: x along the tangent, y along the first director.
    fn frame(&self, site: Site) -> Isometry3<f64>;

    /// One of its helical elements, if it is made of such and has so many.
    fn helix(&self, _index: usize) -> Option<HelixElement> {
        None
    }

    /// Starts a step of `dt_s` under gravity and these holds.
    fn begin(&mut self, dt_s: f64, gravity_m_s2: &Vector3<f64>, holds: &[Constraint]);
    /// Linearises the step about the last attempt (or the state), factors A, finds the free velocity.
    fn linearise(&mut self) -> Result<(), NotFinite>;
    /// The velocity at the end of the step without contacts.
    fn free_velocity(&self) -> &[f64];
    /// Velocity of a node with [`Self::free_velocity`], m/s.
    fn foreseen_velocity(&self, node: usize) -> Vector3<f64>;
    /// Appends, for each of the unknowns from the returned one on, the velocity of the surface point at `offset` from
    /// the centreline.
    fn jacobian(&self, place: Place, offset: &Vector3<f64>, out: &mut Vec<Vector3<f64>>) -> usize;
    /// What must be added to [`Self::jacobian`] times the velocity, m/s: zero, unless points move on curves as the
    /// unknowns change and the linearisation is not at the state.
    fn drift(&self, _place: Place) -> Vector3<f64> {
        Vector3::zeros()
    }
    /// Whether [`Self::jacobian`] and [`Self::drift`] change when the step is linearised again.
    fn is_curved(&self) -> bool {
        false
    }
    /// Applies A⁻¹ to columns, one row per unknown; rows before `first` are zero. Held unknowns stay at rest.
    fn solve(&self, columns: &mut [Columns], first: usize);
    /// Tries a velocity under contact impulses, given both as sums on the unknowns and one by one; returns how far the
    /// trial state is from fulfilling the equation of motion, as a distance, m.
    fn attempt(&mut self, v: &[f64], impulse: &[f64], pushes: &[Push]) -> f64;
    /// The first thing in the trial state that is not finite.
    fn check(&self) -> Result<(), NotFinite>;
    /// Makes the trial state the state.
    fn accept(&mut self);
    /// Takes the trial back to this share of its way, at this share of its velocity; with 0 it is the state, at rest.
    fn hold_back(&mut self, share: f64);
    /// Takes this share of the velocity of the trial, which stays where it is.
    fn slow_down(&mut self, share: f64);
    /// Factors A of a step of `over_s` at the state, for [`Self::solve`]: what a push does that takes so long. Slow pushes
    /// move a strand as a whole rather than bend it.
    fn soften(&mut self, over_s: f64) -> Result<(), NotFinite>;
    /// Makes the trial the state displaced by `motion`, a change of the unknowns, for [`Self::settle`] to take over.
    fn displace(&mut self, motion: &[f64]);
    /// Makes the displaced trial the state: it moves, but its velocities stay as they are.
    fn settle(&mut self);
    /// Force of hold `k` of [`Self::begin`] in the trial state, N.
    fn hold_force(&self, k: usize) -> Vector3<f64>;

    /// Kinetic, elastic and gravitational energy, J.
    fn energies(&self, gravity_m_s2: &Vector3<f64>) -> [f64; 3];
    /// Measurements at a node.
    fn probe(&self, node: usize) -> Probe;
    /// The largest step that is stable, s; infinite for an implicit one.
    fn largest_step_s(&self) -> f64 {
        f64::INFINITY
    }
    /// Feeds every bit of the state.
    fn hash(&self, hasher: &mut dyn Hasher);
    /// Keeps all that a step starts from, in place of what is in `slot`, whose memory is used again if it fits.
    fn save(&self, slot: &mut Option<Box<dyn Saved>>);
    /// Goes back to what was kept of this very body; false, and nothing happens, if it was another
    /// (then [`Saved::revive`] makes it again).
    fn restore(&mut self, saved: &dyn Saved) -> bool;
}
