//! Solids as they are in a running world: still, scripted, led by a hand, or free to move.

use nalgebra::{Isometry3, Point3, Vector3};

use super::led::Led;
use super::{Hand, SolidMatter, SolidSpec, SpecError, SurfaceId};
use crate::body::{Rigid, RigidPull};
use crate::geometry::piece_distance::half_extents;
use crate::geometry::{Hull, Motion, Shape};

/// Natural frequency of a hand's pull with the whole body's mass, rad/s.
const PULL_FREQUENCY: f64 = 40.0;
/// Share of critical damping.
const PULL_DAMPING: f64 = 0.7;
/// A hand pulls with at most so many times the body's weight.
const PULL_WEIGHTS: f64 = 100.0;

/// A solid.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    pub name: String,
    pub shape: Shape,
    pub start: Isometry3<f64>,
    pub motion: Motion,
    pub surface: SurfaceId,
    /// Share of the approach with which it rebounds.
    pub restitution: f64,
    /// Whether its script stands still during the step that is tried.
    pub stalled: bool,
    /// For how long it has stood still, s; also while a hand has it.
    pub lag_s: f64,
    /// A hand has taken it, and its script stands still.
    pub led: Option<Led>,
    /// Whether it is on its way back to where its script was left, to go on with that.
    pub returns: bool,
    /// Its mechanics, where it is free to move.
    pub free: Option<Rigid>,
}

/// A hand that pulls at a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    pub hand: Hand,
    pub solid: usize,
    /// The held point in the solid's frame, m.
    pub local: Point3<f64>,
    /// Where it is pulled to, m.
    pub target: Point3<f64>,
    /// Force on the solid in the last step, N.
    pub force: Vector3<f64>,
}

impl Solid {
    /// A solid of the description.
    pub fn described(spec: &SolidSpec) -> Result<Self, SpecError> {
        let free = match &spec.matter {
            Some(matter) => Some(rigid(spec, matter)?),
            None => None,
        };
        Ok(Self {
            name: spec.name.clone(),
            shape: spec.shape.clone(),
            start: spec.world_from_body,
            motion: spec.motion.clone(),
            surface: spec.surface,
            restitution: spec.restitution,
            stalled: false,
            lag_s: 0.0,
            led: None,
            returns: false,
            free,
        })
    }

    /// Its pose now.
    pub fn pose(&self, time_s: f64) -> Isometry3<f64> {
        match (&self.free, &self.led) {
            (Some(free), _) => free.pose(),
            (None, Some(led)) => led.pose,
            (None, None) => self.scripted(time_s),
        }
    }

    /// Its pose at the end of a step of `dt_s` that starts now; as far as it is foreseen, if it is free to move.
    pub fn pose_after(&self, time_s: f64, dt_s: f64) -> Isometry3<f64> {
        match (&self.free, &self.led) {
            (Some(free), _) => free.foreseen_pose(),
            _ if self.stalled => self.pose(time_s),
            (None, Some(led)) => led.after(dt_s).pose,
            (None, None) => self.pose(time_s + dt_s),
        }
    }

    /// Whether a script or a hand moves it, now or later.
    pub fn moves(&self) -> bool {
        match (&self.free, &self.led) {
            (Some(_), _) => false,
            (None, Some(led)) => !led.has_arrived(),
            (None, None) => !self.motion.is_still(),
        }
    }

    /// Where its script would have it.
    pub fn scripted(&self, time_s: f64) -> Isometry3<f64> {
        self.motion.pose(&self.start, time_s - self.lag_s)
    }

    /// Time has passed: a script that stood still has fallen behind; who has come back to it goes on with it.
    pub fn pass(&mut self, dt_s: f64) {
        if self.stalled || self.led.is_some() {
            self.lag_s += dt_s;
        }
        match &mut self.led {
            Some(led) if self.stalled => led.halt(),
            Some(led) => *led = led.after(dt_s),
            None => {}
        }
        if self.returns && self.led.is_some_and(|led| led.has_arrived()) {
            (self.led, self.returns) = (None, false);
        }
    }
}

/// How another solid sees this one.
pub(super) fn hull(spec: &SolidSpec) -> Result<Hull, SpecError> {
    let hull = match &spec.matter {
        Some(_) => Hull::of_free(&spec.shape),
        None => Hull::of(&spec.shape),
    };
    hull.map_err(|why| SpecError(format!("{} {why}", spec.name)))
}

fn rigid(spec: &SolidSpec, matter: &SolidMatter) -> Result<Rigid, SpecError> {
    let mass = hull(spec)?.mass(matter.density_kg_m3);
    let size_m = half_extents(&spec.shape).map_or(1.0, |half| half.min());
    Ok(Rigid::new(
        mass,
        size_m,
        &spec.world_from_body,
        matter.velocity_m_s,
        matter.spin_rad_s,
    ))
}

impl Pull {
    /// What it asks of its solid in a step: a damped spring whose force is capped.
    pub fn spring(&self, pose: &Isometry3<f64>, mass_kg: f64, gravity_m_s2: f64) -> RigidPull {
        let stiffness = mass_kg * PULL_FREQUENCY * PULL_FREQUENCY;
        let most = PULL_WEIGHTS * mass_kg * gravity_m_s2.max(1.0);
        let distance = (self.target - pose * self.local).norm();
        let stiffness_n_m = if distance > 0.0 {
            stiffness.min(most / distance)
        } else {
            stiffness
        };
        RigidPull {
            local: self.local,
            target: self.target,
            stiffness_n_m,
            damping_n_s_m: 2.0 * PULL_DAMPING * stiffness_n_m / PULL_FREQUENCY,
        }
    }
}
