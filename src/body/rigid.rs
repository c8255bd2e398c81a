//! A rigid body that is free to move.
//!
//! ```text
//!   m v⁺ = m v + dt m g + Hᵀr                     x⁺ = x + dt v⁺
//!   I(R_½) ω = ℓ + (moments of r)                 R⁺ = exp(dt ω) R,   R_½ = exp(½ dt ω) R,   ℓ⁺ = ℓ + (moments of r)
//! ```
//!
//! ℓ is the angular momentum about the centre of mass, in the world: it is what the state keeps, so without contacts it
//! stays to the last bit. Inertia is taken in the middle of the step, which makes the rotation symmetric in time: a body
//! that tumbles freely keeps its energy up to an error that does not grow.

use std::hash::Hasher;

use nalgebra::{
    Cholesky, Isometry3, Matrix3, Matrix6, Point3, Translation3, UnitQuaternion, Vector3, Vector6,
};

use super::{Columns, NotFinite};
use crate::geometry::Mass;

/// Unknowns: velocity of the centre of mass, then angular velocity, both in the world.
pub const RIGID_DOFS: usize = 6;
/// Free rotation is solved to this share of itself …
const SPIN_TOLERANCE: f64 = 1e-14;
/// … by at most so many steps of Newton's method.
const SPIN_STEPS: usize = 30;

/// Where it is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    centre: Point3<f64>,
    rotation: UnitQuaternion<f64>,
    velocity: Vector3<f64>,
    /// Angular momentum ℓ, kg m²/s.
    momentum: Vector3<f64>,
}

/// A damped spring that pulls a point of the body; it acts at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPull {
    /// The point in the body's frame, m.
    pub local: Point3<f64>,
    /// Where it is pulled to, m.
    pub target: Point3<f64>,
    /// N/m.
    pub stiffness_n_m: f64,
    /// N s/m.
    pub damping_n_s_m: f64,
}

/// A rigid body with its step.
#[derive(Clone, Debug)]
pub struct Rigid {
    mass: Mass,
    /// About how large it is: what errors of rotation are measured at, m.
    size_m: f64,
    state: State,
    trial: State,
    dt_s: f64,
    gravity_m_s2: Vector3<f64>,
    pulls: Vec<RigidPull>,
    /// Angular velocity about which the step is linearised; none before its first linearisation.
    about: Option<Vector3<f64>>,
    /// I(R_½) there.
    inertia: Matrix3<f64>,
    inverse: Matrix6<f64>,
    free: [f64; RIGID_DOFS],
}

impl Rigid {
    /// A body of this mass whose frame is at `world_from_body`, moving and turning.
    pub fn new(
        mass: Mass,
        size_m: f64,
        world_from_body: &Isometry3<f64>,
        velocity_m_s: Vector3<f64>,
        spin_rad_s: Vector3<f64>,
    ) -> Self {
        let rotation = world_from_body.rotation;
        let state = State {
            centre: world_from_body * mass.centre,
            rotation,
            velocity: velocity_m_s,
            momentum: inertia(&mass, &rotation) * spin_rad_s,
        };
        Self {
            mass,
            size_m,
            state,
            trial: state,
            dt_s: 0.0,
            gravity_m_s2: Vector3::zeros(),
            pulls: Vec::new(),
            about: None,
            inertia: Matrix3::identity(),
            inverse: Matrix6::identity(),
            free: [0.0; RIGID_DOFS],
        }
    }

    /// Mass, kg.
    pub fn mass_kg(&self) -> f64 {
        self.mass.mass_kg
    }

    /// About how large it is, m.
    pub fn size_m(&self) -> f64 {
        self.size_m
    }

    /// Its pose.
    pub fn pose(&self) -> Isometry3<f64> {
        self.pose_of(&self.state)
    }

    /// Its pose in the trial state.
    pub fn trial_pose(&self) -> Isometry3<f64> {
        self.pose_of(&self.trial)
    }

    /// Its pose after the step if nothing touches it.
    pub fn foreseen_pose(&self) -> Isometry3<f64> {
        let [velocity, spin] = parts(&self.free);
        self.pose_of(&self.moved(&velocity, &spin))
    }

    fn pose_of(&self, state: &State) -> Isometry3<f64> {
        let origin = state.centre - state.rotation * self.mass.centre.coords;
        Isometry3::from_parts(Translation3::from(origin.coords), state.rotation)
    }

    /// Centre of mass, m.
    pub fn centre(&self) -> Point3<f64> {
        self.state.centre
    }

    /// Velocity of the centre of mass, m/s.
    pub fn velocity(&self) -> Vector3<f64> {
        self.state.velocity
    }

    /// Angular velocity, rad/s.
    pub fn spin(&self) -> Vector3<f64> {
        spin_of(
            &inertia(&self.mass, &self.state.rotation),
            &self.state.momentum,
        )
    }

    /// Gives it another angular velocity, rad/s.
    pub fn set_spin(&mut self, spin: &Vector3<f64>) {
        self.state.momentum = inertia(&self.mass, &self.state.rotation) * spin;
    }

    /// Velocity of the body at a point of the world, m/s.
    pub fn velocity_at(&self, point: &Point3<f64>) -> Vector3<f64> {
        self.state.velocity + self.spin().cross(&(point - self.state.centre))
    }

    /// Starts a step of `dt_s` under gravity and these pulls.
    pub fn begin(
        &mut self,
        dt_s: f64,
        gravity_m_s2: &Vector3<f64>,
        pulls: impl IntoIterator<Item = RigidPull>,
    ) {
        self.dt_s = dt_s;
        self.gravity_m_s2 = *gravity_m_s2;
        self.pulls.clear();
        self.pulls.extend(pulls);
        self.about = None;
    }

    /// Linearises the step about the last attempt (or about free rotation) and finds the free velocity.
    pub fn linearise(&mut self) -> Result<(), NotFinite> {
        let about = self.about.unwrap_or_else(|| self.free_spin());
        self.about = Some(about);
        self.inertia = inertia(&self.mass, &self.turned(&about, 0.5).rotation);
        self.factor()
    }

    /// A⁻¹ and the free velocity.
    fn factor(&mut self) -> Result<(), NotFinite> {
        let (m, dt) = (self.mass.mass_kg, self.dt_s);
        let mut a = Matrix6::zeros();
        a.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(m);
        a.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.inertia);
        let mut momentum = Vector6::zeros();
        let linear = (self.state.velocity + self.gravity_m_s2 * dt) * m;
        momentum.fixed_rows_mut::<3>(0).copy_from(&linear);
        momentum
            .fixed_rows_mut::<3>(3)
            .copy_from(&self.state.momentum);
        for pull in &self.pulls {
            let point = self.pose() * pull.local;
            let arm = point - self.state.centre;
            // The arm turns with the body, but within a step the pull is that on a fixed one.
            let cross = arm.cross_matrix();
            let strength = dt * (dt * pull.stiffness_n_m + pull.damping_n_s_m);
            let push = (pull.target - point) * (dt * pull.stiffness_n_m);
            let mut jacobian = nalgebra::Matrix3x6::zeros();
            jacobian.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(1.0);
            jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross);
            a += jacobian.tr_mul(&jacobian) * strength;
            momentum += jacobian.tr_mul(&push);
        }
        let not_finite = NotFinite {
            what: "the velocity",
            element: 0,
        };
        self.inverse = Cholesky::new(a).ok_or(not_finite)?.inverse();
        let free = self.inverse * momentum;
        self.free.copy_from_slice(free.as_slice());
        match self.free.iter().all(|x| x.is_finite()) {
            true => Ok(()),
            false => Err(not_finite),
        }
    }

    /// The ω of I(R_½(ω)) ω = ℓ, by Newton's method: turning the body by δθ changes I ω by δθ × Iω − I (δθ × ω).
    fn free_spin(&self) -> Vector3<f64> {
        let momentum = &self.state.momentum;
        let mut spin = self.spin();
        for _ in 0..SPIN_STEPS {
            let inertia = inertia(&self.mass, &self.turned(&spin, 0.5).rotation);
            let wrong = inertia * spin - momentum;
            if wrong.norm() <= SPIN_TOLERANCE * momentum.norm() {
                break;
            }
            let turn = inertia * spin.cross_matrix() - (inertia * spin).cross_matrix();
            let slope = inertia + turn * (0.5 * self.dt_s);
            match slope.lu().solve(&wrong) {
                Some(step) => spin -= step,
                None => break,
            }
        }
        spin
    }

    /// The state turned for a share of the step.
    fn turned(&self, spin: &Vector3<f64>, share: f64) -> State {
        let turn = UnitQuaternion::from_scaled_axis(spin * (share * self.dt_s));
        State {
            rotation: UnitQuaternion::new_normalize((turn * self.state.rotation).into_inner()),
            ..self.state
        }
    }

    fn moved(&self, velocity: &Vector3<f64>, spin: &Vector3<f64>) -> State {
        State {
            centre: self.state.centre + velocity * self.dt_s,
            velocity: *velocity,
            ..self.turned(spin, 1.0)
        }
    }

    /// The velocity at the end of the step without contacts.
    pub fn free_velocity(&self) -> &[f64] {
        &self.free
    }

    /// Appends, for each unknown, the velocity of a point of the body.
    pub fn jacobian(&self, point: &Point3<f64>, out: &mut Vec<Vector3<f64>>) {
        let arm = point - self.state.centre;
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        out.extend(axes);
        out.extend(axes.map(|axis| axis.cross(&arm)));
    }

    /// Applies A⁻¹ to columns, one row per unknown.
    pub fn solve(&self, columns: &mut [Columns]) {
        let mut before = [[0.0; super::COLUMNS]; RIGID_DOFS];
        before.copy_from_slice(columns);
        for (i, row) in columns.iter_mut().enumerate() {
            for (k, x) in row.iter_mut().enumerate() {
                *x = (0..RIGID_DOFS)
                    .map(|j| self.inverse[(i, j)] * before[j][k])
                    .sum();
            }
        }
    }

    /// Tries a velocity; returns how far the trial state is from fulfilling the equation of motion, as a distance, m.
    pub fn attempt(&mut self, v: &[f64]) -> f64 {
        let [velocity, spin] = parts(v);
        self.trial = self.moved(&velocity, &spin);
        self.about = Some(spin);
        self.trial.momentum = self.inertia * spin;
        let middle = inertia(&self.mass, &self.turned(&spin, 0.5).rotation);
        let wrong = middle * spin - self.trial.momentum;
        self.dt_s * spin_of(&middle, &wrong).norm() * self.size_m
    }

    /// Whether the trial state is finite.
    pub fn check(&self) -> Result<(), NotFinite> {
        let s = &self.trial;
        let mut numbers = (s.centre.iter())
            .chain(s.rotation.coords.iter())
            .chain(s.velocity.iter())
            .chain(s.momentum.iter());
        match numbers.all(|x| x.is_finite()) {
            true => Ok(()),
            false => Err(NotFinite {
                what: "the position",
                element: 0,
            }),
        }
    }

    /// Makes the trial state the state.
    pub fn accept(&mut self) {
        self.state = self.trial;
    }

    /// Force of pull `k` of [`Self::begin`] in the trial state, N.
    pub fn pull_force(&self, k: usize) -> Vector3<f64> {
        let pull = &self.pulls[k];
        let [before, after] = [self.pose(), self.trial_pose()].map(|pose| pose * pull.local);
        let velocity = (after - before) / self.dt_s;
        (pull.target - after) * pull.stiffness_n_m - velocity * pull.damping_n_s_m
    }

    /// Takes the trial back to this share of its way, at this share of its velocity.
    pub fn hold_back(&mut self, share: f64) {
        let spin = self.about.unwrap_or_default() * share;
        let velocity = self.trial.velocity * share;
        self.trial = self.moved(&velocity, &spin);
        self.trial.momentum = inertia(&self.mass, &self.trial.rotation) * spin;
        self.about = Some(spin);
    }

    /// Prepares [`Self::solve`] for pushes that displace.
    pub fn soften(&mut self) -> Result<(), NotFinite> {
        self.begin(0.0, &Vector3::zeros(), None);
        self.linearise()
    }

    /// Makes the trial the state displaced and turned by `motion`.
    pub fn displace(&mut self, motion: &[f64]) {
        let [way, turn] = parts(motion);
        let turn = UnitQuaternion::from_scaled_axis(turn);
        self.trial = State {
            centre: self.state.centre + way,
            rotation: UnitQuaternion::new_normalize((turn * self.state.rotation).into_inner()),
            ..self.state
        };
    }

    /// How far the trial is from the state, turned at the distance of its size, m.
    pub fn trial_way_m(&self) -> f64 {
        let way = (self.trial.centre - self.state.centre).norm();
        way + self.trial.rotation.angle_to(&self.state.rotation) * self.size_m
    }

    /// Kinetic and gravitational energy, J.
    pub fn energies(&self, gravity_m_s2: &Vector3<f64>) -> [f64; 2] {
        let State {
            centre,
            velocity,
            momentum,
            ..
        } = &self.state;
        let m = self.mass.mass_kg;
        let kinetic = 0.5 * m * velocity.norm_squared() + 0.5 * momentum.dot(&self.spin());
        [kinetic, -m * gravity_m_s2.dot(&centre.coords)]
    }

    /// About how fast its fastest point is, m/s.
    pub fn speed_m_s(&self) -> f64 {
        self.state.velocity.norm() + self.spin().norm() * self.size_m
    }

    /// Feeds every bit of the state.
    pub fn feed(&self, hasher: &mut dyn Hasher) {
        let s = &self.state;
        let numbers = (s.centre.iter())
            .chain(s.rotation.coords.iter())
            .chain(s.velocity.iter())
            .chain(s.momentum.iter());
        numbers.for_each(|x| hasher.write_u64(x.to_bits()));
    }
}

/// Moments of inertia in the world, about the centre of mass.
fn inertia(mass: &Mass, rotation: &UnitQuaternion<f64>) -> Matrix3<f64> {
    let axes = rotation.to_rotation_matrix().into_inner();
    let turned = axes * mass.inertia_kg_m2 * axes.transpose();
    (turned + turned.transpose()) * 0.5
}

fn spin_of(inertia: &Matrix3<f64>, momentum: &Vector3<f64>) -> Vector3<f64> {
    let factor = Cholesky::new(*inertia);
    factor.map_or_else(Vector3::zeros, |factor| factor.solve(momentum))
}

/// Velocity and angular velocity.
fn parts(v: &[f64]) -> [Vector3<f64>; 2] {
    [0, 3].map(|k| Vector3::new(v[k], v[k + 1], v[k + 2]))
}

#[cfg(test)]
mod tests;
