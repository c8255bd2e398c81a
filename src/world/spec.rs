//! What a world is made from: plain data, filled by a scene file or by a program.
//!
//! Everything is in SI units, in the world frame, y up.

use nalgebra::{Isometry3, Vector3};
use serde::{Deserialize, Serialize};

use crate::body::{RodDesign, RodModel};
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::geometry::{Motion, Shape};

/// Index into [`WorldSpec::surfaces`]: what a thing's surface is made of, as far as friction is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SurfaceId(pub u16);

/// Everything needed to build a [`World`](super::World).
#[derive(Clone, Debug)]
pub struct WorldSpec {
    /// The strands; `rod` indices elsewhere point into this list.
    pub rods: Vec<RodSpec>,
    /// The solids: still, scripted or free to move.
    pub solids: Vec<SolidSpec>,
    /// Clamps, pins and scripted pulls.
    pub holds: Vec<HoldSpec>,
    /// Names of the surfaces, indexed by [`SurfaceId`].
    pub surfaces: Vec<String>,
    /// Coefficients of friction.
    pub friction: FrictionTable,
    /// Step size, gravity, solver and the like.
    pub settings: Settings,
    /// Whether holds that are part of the demonstration act from the start.
    pub demo: bool,
}

/// One strand.
#[derive(Clone, Debug)]
pub struct RodSpec {
    /// What messages and panels call it.
    pub name: String,
    /// Mechanical model.
    pub model: RodModel,
    /// Shape, section, material.
    pub design: RodDesign,
    /// How many proxies stand for it in contact detection; as many as it has pieces when not given.
    pub proxies: Option<usize>,
    /// Velocity at the start, the same for the whole strand, m/s.
    pub velocity_m_s: Vector3<f64>,
    /// Surface for friction.
    pub surface: SurfaceId,
    /// Linear sRGB-like colour for display, each 0 to 1.
    pub color: [f32; 3],
}

/// What makes a solid free to move.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidMatter {
    /// Density, kg/m³.
    pub density_kg_m3: f64,
    /// Velocity of its centre of mass at the start, m/s.
    pub velocity_m_s: Vector3<f64>,
    /// Angular velocity at the start, rad/s.
    pub spin_rad_s: Vector3<f64>,
}

/// One solid.
#[derive(Clone, Debug)]
pub struct SolidSpec {
    /// What messages and panels call it.
    pub name: String,
    /// Its shape in its own frame.
    pub shape: Shape,
    /// Where that frame is at time 0.
    pub world_from_body: Isometry3<f64>,
    /// How it moves, unless it is free to.
    pub motion: Motion,
    /// What it is made of, where it is free to move.
    pub matter: Option<SolidMatter>,
    /// With which share of their approach it and what hits it separate, 0 to 1.
    pub restitution: f64,
    /// Surface for friction.
    pub surface: SurfaceId,
    /// Colour for display, each 0 to 1.
    pub color: [f32; 3],
}

/// Where on a strand a hold acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldAt {
    /// The first node (for a clamp: the first edge).
    Start,
    /// The last node (for a clamp: the last edge).
    End,
    /// This share of the length, 0 to 1; a pin or clamp takes the nearest node or edge.
    Fraction(f64),
}

/// What a hold does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldKind {
    /// Holds position and frame of one edge.
    Clamp,
    /// Holds the position of one node.
    Pin,
    /// Pulls a material point towards the target by an implicit, force-capped spring.
    Grab {
        /// The largest pull, N.
        max_force_n: f64,
    },
}

/// A clamp, pin or scripted pull.
#[derive(Clone, Debug)]
pub struct HoldSpec {
    /// What messages and measurements call it.
    pub name: String,
    /// Index of the strand.
    pub rod: usize,
    /// Where on the strand.
    pub at: HoldAt,
    /// What it does.
    pub kind: HoldKind,
    /// How its target moves, relative to where the held point is when the hold starts to act (turns are about it).
    pub motion: Motion,
    /// Index of the solid that carries it along, if any does: its target then moves with that solid, and by its own
    /// motion besides.
    pub on: Option<usize>,
    /// Seconds during which it acts; outside the strand is free of it. `(0, ∞)` for always.
    pub active_s: (f64, f64),
    /// Part of the scene's demonstration: played by the command line, and in the window when asked for.
    pub demo: bool,
}

/// Coulomb coefficients for pairs of surfaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionTable {
    /// µ of every pair not listed.
    pub default: f64,
    /// `(a, b, µ)`, in either order.
    pub pairs: Vec<(SurfaceId, SurfaceId, f64)>,
}

impl FrictionTable {
    /// µ between two surfaces.
    pub fn mu(&self, a: SurfaceId, b: SurfaceId) -> f64 {
        self.listed(a, b).unwrap_or(self.default)
    }

    /// µ between two surfaces, if it is listed.
    pub fn listed(&self, a: SurfaceId, b: SurfaceId) -> Option<f64> {
        self.find(a, b).map(|at| self.pairs[at].2)
    }

    /// Lists a pair with this µ, or strikes it out.
    pub fn set(&mut self, a: SurfaceId, b: SurfaceId, mu: Option<f64>) {
        match (self.find(a, b), mu) {
            (Some(at), Some(mu)) => self.pairs[at].2 = mu,
            (Some(at), None) => {
                self.pairs.remove(at);
            }
            (None, Some(mu)) => {
                self.pairs.push((a, b, mu));
                self.tidy();
            }
            (None, None) => {}
        }
    }

    /// Brings pairs into one order and strikes out those that are listed before: tables that say the same are equal.
    pub fn tidy(&mut self) {
        for (a, b, _) in &mut self.pairs {
            if a.0 > b.0 {
                std::mem::swap(a, b);
            }
        }
        self.pairs.sort_by_key(|&(a, b, _)| (a.0, b.0));
        self.pairs.dedup_by_key(|&mut (a, b, _)| (a, b));
    }

    fn find(&self, a: SurfaceId, b: SurfaceId) -> Option<usize> {
        let same = |&(p, q, _): &(SurfaceId, SurfaceId, f64)| (p, q) == (a, b) || (p, q) == (b, a);
        self.pairs.iter().position(same)
    }
}

/// What can be changed while a world runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time step dt, s.
    pub dt_s: f64,
    /// Gravity, m/s².
    pub gravity_m_s2: Vector3<f64>,
    /// Friction solver.
    pub solver: SolverKind,
    /// Contact detector.
    pub detector: DetectorKind,
    /// The solver stops at this error (`rel` of [`crate::friction::residual`]).
    pub tolerance: f64,
    /// The solver gives up after this many iterations and returns its best iterate.
    pub max_iterations: usize,
    /// The solver gives up after work of about this many milliseconds, and returns its best iterate: what keeps a live
    /// world live. Counted, not clocked, so that results do not depend on the machine; infinite by default.
    pub solver_budget_ms: f64,
    /// How often a step may be linearised again when its equation of motion is not met.
    pub max_passes: usize,
    /// Whether strands touch themselves.
    pub self_contact: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dt_s: 2e-3,
            gravity_m_s2: Vector3::new(0.0, -9.81, 0.0),
            solver: SolverKind::Auto,
            detector: DetectorKind::Segments,
            tolerance: 1e-6,
            max_iterations: 500,
            solver_budget_ms: f64::INFINITY,
            max_passes: 8,
            self_contact: true,
        }
    }
}
