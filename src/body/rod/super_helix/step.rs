//! One implicit step of a super-helix: the linear system, the trial state, its residual.
//!
//! Implicit Euler of the material points in space. With Δr the displacement of a mass point within the step and Δφ the
//! turn of its section about its tangent, the end of the step makes
//!
//! ```text
//!   Σ m ((1 + α dt)/2 |Δr/dt|² − (vₙ + dt g) · Δr/dt)  +  the same in Δφ with the inertia about the tangent
//!   + ½ (k⁺ − k⁰)ᵀ K (k⁺ − k⁰) + ½ β dt k̇ᵀ K k̇ + springs
//! ```
//!
//! stationary. Centrifugal and Coriolis terms are in Δr itself. Newton's matrix is
//! A = (1 + α dt) M + dt (dt + β) K + dt² Σ f · ∂²r + springs, with f the loads of all stations; where that is not safely
//! positive definite, of the loads' part only what tension adds: dt² ∫ max(T, 0) (∂t)ᵀ ∂t ds.

use nalgebra::{Matrix3, Vector3};

use super::State;
use super::balance::{Load, PointLoad, gather, internal_forces};
use super::chain::{Chain, part};
use super::curvature::add_curvature;
use super::hold::Holds;
use super::mass::{Weight, assemble};
use super::rest::Rest;
use crate::body::rod::scale;
use crate::body::{Constraint, NotFinite, Push, RodMaterial};
use crate::math::frame::{parallel_transport, signed_angle};
use crate::math::{DenseLdl, largest};

/// The exact stiffness of loads is used while no pivot of A falls below this share of its diagonal. Tried from 1e-9 to
/// 1e-2: with less a whipped limp wire leaps, with more a shaken hair takes as many passes as without.
const DEFINITE: f64 = 1e-4;

/// What loads add to the stiffness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loaded {
    /// All: Newton's method, but it may be indefinite.
    #[default]
    Exact,
    /// What tension adds against turning, never negative. Without it a taut, limp strand is taken for a slack one, and
    /// the passes diverge.
    Positive,
}

/// Everything a step needs besides rod and state; kept between steps for its memory.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) dt: f64,
    pub(super) gravity: Vector3<f64>,
    /// What holds the rod.
    pub holds: Holds,
    /// Where the step is linearised.
    pub guess: Chain,
    pub(super) guess_velocity: Vec<f64>,
    /// Loads at the guess, as forces, N.
    pub(super) guess_forces: Vec<Vector3<f64>>,
    /// Which stiffness of loads is in A.
    pub(super) loaded: Loaded,
    /// Whether a trial has been made that the next linearisation goes by.
    pub(super) tried: bool,
    /// How often the trial has been drawn back since the last linearisation.
    pub(super) retreats: usize,
    /// Length of the correction that the trial lacks, m.
    pub(super) left: f64,
    /// Inertia against twisting that A has been given besides, over mass times element length squared.
    pub(super) heaviness: f64,
    /// Share of the change of velocity that the bound on turns has left.
    pub(super) share: f64,
    /// Whether this step has been hard: then its motion is no guide to the next.
    pub strained: bool,
    /// A at the guess, factored.
    pub(super) factor: DenseLdl,
    pub(super) weights: Vec<Weight>,
    /// Velocity without contacts.
    pub free: Vec<f64>,
    /// Node velocities with it, m/s.
    pub foreseen: Vec<Vector3<f64>>,
    /// What the linearised node velocities lack, m/s.
    pub drift: Vec<Vector3<f64>>,
    /// The trial state.
    pub trial: Chain,
    /// Its unknowns' velocity.
    pub velocity: Vec<f64>,
    /// Loads there, as forces, N: inertia counted positive.
    pub forces: Vec<Vector3<f64>>,
    /// Force inside the rod, N.
    inside: Vec<Vector3<f64>>,
    /// Velocity of each station there, m/s.
    pub station_velocity: Vec<Vector3<f64>>,
    /// Turn of each mass point about its tangent there, rad/s.
    pub spin: Vec<f64>,
    /// What the equation of motion lacks there without contacts, N s.
    pub(super) residual: Vec<f64>,
    /// The same with contacts; at prescribed unknowns, the holds' impulses.
    pub balance: Vec<f64>,
    pub(super) loads: Vec<Load>,
    /// Loads of contacts on the curve between stations.
    pub(super) between: Vec<PointLoad>,
    pub(super) scratch: Vec<f64>,
}

impl Workspace {
    /// Starts a step from `state`.
    pub fn begin(
        &mut self,
        rest: &Rest,
        state: &State,
        dt: f64,
        gravity: &Vector3<f64>,
        holds: &[Constraint],
    ) {
        self.dt = dt;
        self.gravity = *gravity;
        self.holds
            .set(holds, &rest.section, &rest.layout, &state.chain);
        self.tried = false;
        self.retreats = 0;
        self.heaviness = 0.0;
        self.strained = false;
        // Where the last motion leads: from there a swinging hair takes 1.1 passes, from where it is, two.
        self.guess_velocity.clone_from(&state.velocity);
        self.holds
            .prescribe(&state.chain.pose, dt, &mut self.guess_velocity);
        self.guess_forces.clone_from(&state.forces);
    }

    /// Builds and factors A at the guess and finds the free velocity.
    pub fn linearise(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        state: &State,
    ) -> Result<(), NotFinite> {
        self.lighten();
        if !self.tried {
            std::mem::swap(&mut self.velocity, &mut self.guess_velocity);
            self.follow(rest, state);
            self.find_residual(material, rest, state);
        }
        std::mem::swap(&mut self.guess, &mut self.trial);
        std::mem::swap(&mut self.guess_velocity, &mut self.velocity);
        if self.tried {
            self.guess_forces.clone_from(&self.forces);
        }
        self.loaded = Loaded::Exact;
        internal_forces(&rest.layout, &self.guess_forces, &mut self.inside);
        loop {
            let factored = self.factorise(material, rest, state);
            if factored.is_err() && self.loaded == Loaded::Exact {
                self.loaded = Loaded::Positive;
                continue;
            }
            factored?;
            // δv = −A⁻¹ g.
            self.scratch.clone_from(&self.residual);
            self.holds.fixed().for_each(|dof| self.scratch[dof] = 0.0);
            self.factor.solve_one(&mut self.scratch);
            if self.is_restrained(rest) {
                break;
            }
        }
        self.free.clear();
        self.free.extend(
            self.guess_velocity
                .iter()
                .zip(&self.scratch)
                .map(|(v, d)| v + d),
        );
        self.foresee(rest, state);
        match self.free.iter().position(|v| !v.is_finite()) {
            None => Ok(()),
            Some(dof) => Err(rest.not_finite("the stiffness", dof)),
        }
    }

    /// Factors A of a step of `over` at the state, under the loads of the last step.
    pub fn soften(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        state: &State,
        over: f64,
    ) -> Result<(), NotFinite> {
        self.velocity.clear();
        self.velocity.resize(rest.layout.dofs(), 0.0);
        self.follow(rest, state);
        std::mem::swap(&mut self.guess, &mut self.trial);
        (self.loaded, self.heaviness) = (Loaded::Positive, 0.0);
        internal_forces(&rest.layout, &state.forces, &mut self.inside);
        let usual = std::mem::replace(&mut self.dt, over);
        let factored = self.factorise(material, rest, state);
        self.dt = usual;
        factored
    }

    /// The chain that `velocity` leads to, into `trial`.
    fn follow(&mut self, rest: &Rest, state: &State) {
        state
            .chain
            .pose
            .moved(&self.velocity, self.dt, &mut self.trial.pose);
        let turn = part(&self.velocity, 1) * self.dt;
        self.trial.evaluate(&rest.layout, &turn);
    }

    /// What the trial lacks without contacts, into `residual`; loads stay in `loads`.
    fn find_residual(&mut self, material: &RodMaterial, rest: &Rest, state: &State) {
        let dt = self.dt;
        let inertia = 1.0 + material.mass_damping_per_s * dt;
        let count = rest.layout.stations.len();
        self.loads.resize(count, Load::default());
        self.station_velocity.resize(count, Vector3::zeros());
        self.spin.resize(count, 0.0);
        let root = part(&self.velocity, 0);
        let weight = self.gravity * dt;
        for (g, station) in rest.layout.stations.iter().enumerate() {
            let (now, then) = (&state.chain.spots[g], &self.trial.spots[g]);
            let velocity = root + (then.x - now.x) / dt;
            self.station_velocity[g] = velocity;
            if station.mass == 0.0 {
                self.loads[g] = Load::default();
                continue;
            }
            let (angle, axis) = turn_about_tangent(&now.frame, &then.frame);
            let spin = angle / dt;
            self.spin[g] = spin;
            self.loads[g] = Load {
                force: (velocity * inertia - state.station_velocity[g] - weight) * station.mass,
                moment: axis * ((spin * inertia - state.spin[g]) * station.polar),
            };
        }
        self.between.clear();
        self.add_anchors(rest, state);
        let mut residual = std::mem::take(&mut self.residual);
        self.sum_up(material, rest, &mut residual);
        self.residual = residual;
    }

    /// Jᵀ times the loads of the trial, and its elastic impulses.
    fn sum_up(&self, material: &RodMaterial, rest: &Rest, out: &mut Vec<f64>) {
        out.resize(rest.layout.dofs(), 0.0);
        gather(&rest.layout, &self.trial, &self.loads, &self.between, out);
        for i in 0..rest.layout.elements {
            let (k, rate) = (&self.trial.pose.k[i], part(&self.velocity, 2 + i));
            let strain = k - rest.natural[i] + rate * material.stiffness_damping_s;
            let moment = rest.stiffness.component_mul(&strain) * self.dt;
            (0..3).for_each(|c| out[6 + 3 * i + c] += moment[c]);
        }
    }

    /// A at the guess.
    fn factorise(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        state: &State,
    ) -> Result<(), NotFinite> {
        let dt = self.dt;
        let inertia = 1.0 + material.mass_damping_per_s * dt;
        self.weights
            .resize(rest.layout.stations.len(), Weight::default());
        for (g, station) in rest.layout.stations.iter().enumerate() {
            if station.mass == 0.0 {
                continue;
            }
            let frame = &self.guess.spots[g].frame;
            let tangent = frame.column(0).into_owned();
            let axis = half_way(&state.chain.spots[g].frame.column(0).into(), &tangent);
            let taut = match self.loaded {
                Loaded::Exact => Matrix3::zeros(),
                Loaded::Positive => {
                    let tension = tangent.dot(&self.inside[g]).max(0.0);
                    (Matrix3::identity() - tangent * tangent.transpose())
                        * (tension * station.length * dt * dt)
                }
            };
            self.weights[g] = Weight {
                mass: inertia * station.mass,
                turn: (axis * axis.transpose()) * (inertia * station.polar)
                    + taut
                    + (tangent * tangent.transpose())
                        * (self.heaviness * station.mass * rest.layout.length.powi(2)),
            };
        }
        assemble(&rest.layout, &self.guess, &self.weights, &mut self.factor);
        if self.loaded == Loaded::Exact {
            let forces = &self.guess_forces;
            add_curvature(&rest.layout, &self.guess, forces, dt * dt, &mut self.factor);
        }
        let bend = rest.stiffness * (dt * (dt + material.stiffness_damping_s));
        for i in 0..rest.layout.elements {
            for c in 0..3 {
                let dof = 6 + 3 * i + c;
                self.factor.row_mut(dof)[dof] += bend[c];
            }
        }
        self.stiffen(rest, state);
        for dof in 0..6 {
            if self.holds.fixes(dof) {
                self.factor.isolate(dof);
            }
        }
        let factored = match self.loaded {
            Loaded::Exact => self.factor.factor_definite(DEFINITE),
            Loaded::Positive => self.factor.factor(),
        };
        factored.map_err(|pivot| rest.not_finite("the stiffness", pivot.row))
    }

    /// Node velocities with the free velocity, and what a linear motion lacks.
    pub(super) fn foresee(&mut self, rest: &Rest, state: &State) {
        let (dt, layout, guess) = (self.dt, &rest.layout, &self.guess);
        let root = part(&self.guess_velocity, 0);
        self.foreseen.clear();
        self.drift.clear();
        let (foreseen, drift) = (&mut self.foreseen, &mut self.drift);
        guess.node_rates(layout, &self.scratch, |node, change, _| {
            let g = layout.nodes[node];
            let so_far = root + (guess.spots[g].x - state.chain.spots[g].x) / dt;
            foreseen.push(so_far + change);
            drift.push(so_far);
        });
        guess.node_rates(layout, &self.guess_velocity, |node, linear, _| {
            drift[node] -= linear
        });
    }

    /// What the linearised velocity at an arc length lacks, m/s.
    pub fn drift_at(&self, rest: &Rest, state: &State, arc: f64) -> Vector3<f64> {
        let (guess, v) = (&self.guess, &self.guess_velocity);
        let (then, element) = guess.at(&rest.layout, arc);
        let (now, _) = state.chain.at(&rest.layout, arc);
        let mut drift = part(v, 0) + (then.x - now.x) / self.dt;
        for (dof, v) in v[..Chain::reach(element)].iter().enumerate() {
            drift -= guess.column(&then, element, dof).0 * *v;
        }
        drift
    }

    /// Solves A X = R with the prescribed unknowns at rest.
    pub fn solve<const W: usize>(&self, columns: &mut [[f64; W]]) {
        self.holds.fixed().for_each(|dof| columns[dof] = [0.0; W]);
        self.factor.solve(columns);
    }

    /// Takes the trial to the end of a step at velocity `v` under contact impulses; returns the length of the
    /// correction that Newton would make, m.
    pub fn attempt(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        state: &State,
        v: &[f64],
        pushes: &[Push],
    ) -> f64 {
        self.velocity.clear();
        self.velocity.extend_from_slice(v);
        // Prescribed to the last bit, whatever a solver has made of it.
        self.holds
            .prescribe(&state.chain.pose, self.dt, &mut self.velocity);
        self.foresee_anchors(rest, state);
        self.tried = true;
        self.retreats = 0;
        loop {
            self.try_velocity(material, rest, state, pushes);
            if !self.retreat(rest) {
                return self.left;
            }
        }
    }

    /// The trial of `velocity`, what it lacks, and the length of the correction.
    pub(super) fn try_velocity(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        state: &State,
        pushes: &[Push],
    ) {
        self.follow(rest, state);
        self.find_residual(material, rest, state);
        self.balance.clone_from(&self.residual);
        if !pushes.is_empty() {
            self.push(rest, pushes);
            let mut balance = std::mem::take(&mut self.balance);
            self.sum_up(material, rest, &mut balance);
            self.balance = balance;
        }
        self.find_forces(rest);
        self.scratch.clone_from(&self.balance);
        self.holds.fixed().for_each(|dof| self.scratch[dof] = 0.0);
        self.factor.solve_one(&mut self.scratch);
        let mut longest = 0.0_f64;
        // With the Jacobian that A was made with: that of a trial far away would make much of what A takes for light.
        self.guess
            .node_rates(&rest.layout, &self.scratch, |_, velocity, _| {
                longest = largest(longest, velocity.norm_squared());
            });
        self.left = longest.sqrt() * self.dt;
    }

    /// Takes the trial back to a share of its way. The loads of so sudden a halt are no guide to the next step.
    pub fn hold_back(&mut self, material: &RodMaterial, rest: &Rest, state: &State, share: f64) {
        scale(&mut self.velocity, share);
        self.follow(rest, state);
        self.find_residual(material, rest, state);
        self.forces.fill(Vector3::zeros());
    }

    /// Takes this share of the velocity of the trial. Loads are no guide to the next step then either.
    pub fn slow_down(&mut self, share: f64) {
        scale(&mut self.velocity, share);
        scale(&mut self.spin, share);
        self.station_velocity.iter_mut().for_each(|v| *v *= share);
        self.forces.fill(Vector3::zeros());
    }

    /// Impulse of the hold at the root, N s.
    pub fn at_root(&self) -> Vector3<f64> {
        part(&self.balance, 0)
    }

    /// The step, s.
    pub fn dt(&self) -> f64 {
        self.dt
    }
}

/// Derivatives of the position and the turn of a node by an unknown.
pub fn node_column(
    rest: &Rest,
    chain: &Chain,
    node: usize,
    dof: usize,
) -> (Vector3<f64>, Vector3<f64>) {
    let layout = &rest.layout;
    chain.column(
        &chain.spots[layout.nodes[node]],
        layout.element_of_node[node],
        dof,
    )
}

/// (t + t′)/(1 + t · t′): by its product with a turn of the frame at t′, the turn about the tangent changes.
#[inline(always)]
pub fn half_way(before: &Vector3<f64>, after: &Vector3<f64>) -> Vector3<f64> {
    (before + after) / (1.0 + before.dot(after)).max(1e-6)
}

/// By how much a frame has turned about its tangent, beyond following the tangent by the smallest rotation; and how
/// that changes as the frame turns on.
#[inline(always)]
pub fn turn_about_tangent(before: &Matrix3<f64>, after: &Matrix3<f64>) -> (f64, Vector3<f64>) {
    let (t, u) = (before.column(0).into(), after.column(0).into());
    let carried = parallel_transport(&before.column(1).into(), &t, &u);
    (
        signed_angle(&carried, &after.column(1).into(), &u),
        half_way(&t, &u),
    )
}
