//! What the window asks of a running world: plain data, applied at the start of a step.
//!
//! Edits are also what a session file is made of (`session/`): names and fields here are its words, so a new edit needs
//! nothing but the derive (and `with = "plain"` on points, vectors and poses), and a renamed one needs an alias.

use std::ops::Range;

use nalgebra::{Isometry3, Point3, Vector3};
use serde::{Deserialize, Serialize};

use super::SurfaceId;
use crate::body::{RodMaterial, RodModel, SectionShape};
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::math::plain;

/// A material point of a strand: inside which element, and how far along it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialPoint {
    /// Index of the strand.
    pub rod: usize,
    /// Index of the element (the edge between nodes `element` and `element + 1`).
    pub element: usize,
    /// 0 at the element's first node, 1 at its second.
    pub fraction: f64,
}

/// Which hand (pointer) pulls; a mouse is hand 0, each finger another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hand(pub u32);

/// A change to a running world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Sets µ of every pair of surfaces that the scene does not list by name.
    SetFriction(f64),
    /// Sets µ between two surfaces, or has them follow the default again.
    SetPairFriction {
        /// One of them.
        a: SurfaceId,
        /// The other; may be the same.
        b: SurfaceId,
        /// µ; the default for none.
        mu: Option<f64>,
    },
    /// Sets the time step, s.
    SetTimeStep(f64),
    /// Sets gravity, m/s².
    SetGravity(#[serde(with = "plain")] Vector3<f64>),
    /// Chooses how contacts are found.
    SetDetector(DetectorKind),
    /// Chooses the friction solver.
    SetSolver(SolverKind),
    /// Sets the solver's tolerance.
    SetTolerance(f64),
    /// Sets the solver's iteration limit.
    SetMaxIterations(usize),
    /// Sets the solver's budget of work, in nominal milliseconds; infinite for none.
    SetSolverBudget(f64),
    /// Sets how often a step may be linearised again.
    SetMaxPasses(usize),
    /// Whether strands touch themselves.
    SetSelfContact(bool),
    /// Gives strands another model; their shape, motion and holds are carried over.
    SetModel {
        /// Indices of the strands; all for none.
        rods: Option<Range<usize>>,
        /// The model.
        model: RodModel,
    },
    /// Makes strands of another material, or of another thickness. Their centrelines and velocities stay as they are.
    SetMaterial {
        /// Indices of the strands.
        rods: Range<usize>,
        /// What they are made of.
        material: RodMaterial,
        /// Outline of their section.
        section: SectionShape,
    },
    /// A hand takes hold of a material point and pulls it towards `target`.
    Grab {
        /// Which hand.
        hand: Hand,
        /// What it holds.
        point: MaterialPoint,
        /// Where it pulls to, m.
        #[serde(with = "plain")]
        target: Point3<f64>,
    },
    /// A hand takes hold of a point of a solid that is free to move, and pulls it towards `target`.
    GrabSolid {
        /// Which hand.
        hand: Hand,
        /// Index of the solid.
        solid: usize,
        /// The held point in the solid's frame, m.
        #[serde(with = "plain")]
        local: Point3<f64>,
        /// Where it pulls to, m.
        #[serde(with = "plain")]
        target: Point3<f64>,
    },
    /// Gives a solid that is free to move another angular velocity, rad/s.
    SpinSolid {
        /// Index of the solid.
        solid: usize,
        /// Axis times rate, rad/s.
        #[serde(with = "plain")]
        spin: Vector3<f64>,
    },
    /// A hand moves its target.
    MoveHand {
        /// Which hand.
        hand: Hand,
        /// Where it pulls to, m.
        #[serde(with = "plain")]
        target: Point3<f64>,
    },
    /// A hand turns the section that it holds about its tangent; the strand must have a model with twist.
    TwistHand {
        /// Which hand.
        hand: Hand,
        /// By how much since it took hold, rad.
        angle_rad: f64,
    },
    /// A hand lets go.
    Release(Hand),
    /// Pins the node nearest to a material point where it is now.
    Pin(MaterialPoint),
    /// Clamps the node nearest to a material point, and the piece at it, as they are now.
    Clamp(MaterialPoint),
    /// Leads a pin, clamp or scripted pull to a pose, at a bounded speed; its script stands still from then on. A pin does
    /// not turn.
    MoveHold {
        /// Which: [`HoldSnapshot::id`](super::HoldSnapshot::id).
        id: u32,
        /// Where the held point and, of a clamp, the frame of its piece are to be.
        #[serde(with = "plain")]
        pose: Isometry3<f64>,
    },
    /// Leads a pin, clamp or scripted pull back to where its script was left, if it was, and lets it go on with that.
    ReturnHold {
        /// Which: [`HoldSnapshot::id`](super::HoldSnapshot::id).
        id: u32,
    },
    /// Leads a solid that is not free to move to a pose, at a bounded speed; its script stands still from then on.
    MoveSolid {
        /// Index of the solid.
        solid: usize,
        /// Where its frame is to be.
        #[serde(with = "plain")]
        pose: Isometry3<f64>,
    },
    /// Leads a solid back to where its script was left, if it was, and lets it go on with that.
    ReturnSolid {
        /// Index of the solid.
        solid: usize,
    },
    /// Removes a hold: a pin, a clamp or a script; the number is [`HoldSnapshot::id`](super::HoldSnapshot::id).
    Unhold(u32),
    /// Brings a hold back that was removed, with its name, its script and the solid that carries it: its strand is led back
    /// to where it was held, and its script goes on from where it was left.
    Rehold(u32),
    /// Plays or stops the holds that are marked as demonstration.
    PlayDemo(bool),
}
