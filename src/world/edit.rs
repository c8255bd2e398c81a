//! What the window asks of a running world: plain data, applied at the start of a step.

use nalgebra::{Point3, Vector3};

use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::friction::SolverKind;

/// A material point of a strand: inside which element, and how far along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialPoint {
    /// Index of the strand.
    pub rod: usize,
    /// Index of the element (the edge between nodes `element` and `element + 1`).
    pub element: usize,
    /// 0 at the element's first node, 1 at its second.
    pub fraction: f64,
}

/// Which hand (pointer) pulls; a mouse is hand 0, each finger another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand(pub u32);

/// A change to a running world.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets µ of every pair of surfaces that the scene does not list by name.
    SetFriction(f64),
    /// Sets the time step, s.
    SetTimeStep(f64),
    /// Sets gravity, m/s².
    SetGravity(Vector3<f64>),
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
    /// Gives a strand another model; its shape, motion and holds are carried over.
    SetModel {
        /// Index of the strand; all for none.
        rod: Option<usize>,
        /// The model.
        model: RodModel,
    },
    /// A hand takes hold of a material point and pulls it towards `target`.
    Grab {
        /// Which hand.
        hand: Hand,
        /// What it holds.
        point: MaterialPoint,
        /// Where it pulls to, m.
        target: Point3<f64>,
    },
    /// A hand moves its target.
    MoveHand {
        /// Which hand.
        hand: Hand,
        /// Where it pulls to, m.
        target: Point3<f64>,
    },
    /// A hand lets go.
    Release(Hand),
    /// Pins the node nearest to a material point where it is now.
    Pin(MaterialPoint),
    /// Removes a hold: a pin, a clamp or a script; the number is [`HoldSnapshot::id`](super::HoldSnapshot::id).
    Unhold(u32),
    /// Plays or stops the holds that are marked as demonstration.
    PlayDemo(bool),
}
