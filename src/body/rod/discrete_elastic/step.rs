//! One implicit step of a discrete elastic rod: the linear system, the trial state, its residual.

use nalgebra::Vector3;

use super::elasticity::{BAND, Rest, Stiffness};
use super::node_part;
use super::shape::{Kinematics, State};
use crate::body::{Constraint, NotFinite, RodMaterial, Site};
use crate::math::BandedLdl;
use crate::math::frame::{orthonormalise, parallel_transport, signed_angle};

/// Everything a step needs besides rod and state; kept between steps for its memory.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    dt: f64,
    gravity: Vector3<f64>,
    holds: Vec<Constraint>,
    /// Unknowns whose velocity is prescribed, with it.
    fixed: Vec<(usize, f64)>,
    /// K at the guess.
    stiffness: BandedLdl<BAND>,
    /// A at the guess, factored.
    factor: BandedLdl<BAND>,
    /// Tensions at the guess, N, as the last linear solve foresaw them. A trial that turns an edge also lengthens it a
    /// little, and EA makes a large tension of that; taken at its word it would stiffen the edge against turning and
    /// the next solve would hardly move. The foreseen tension has no such part, and agrees with the true one in the end.
    tension: Vec<f64>,
    /// The guess as a velocity: q = qₙ + dt v.
    guess: Vec<f64>,
    /// Whether `trial` holds the guess.
    guessed: bool,
    /// Velocity without contacts.
    pub free: Vec<f64>,
    /// Velocity of the trial state.
    pub velocity: Vec<f64>,
    /// The trial state.
    pub trial: Kinematics,
    /// What the equation of motion lacks in the trial state, N s; at fixed unknowns, the holds' impulses.
    residual: Vec<f64>,
    scratch: Vec<f64>,
}

impl Workspace {
    /// Starts a step from `state`.
    pub fn begin(&mut self, state: &State, dt: f64, gravity: &Vector3<f64>, holds: &[Constraint]) {
        self.dt = dt;
        self.gravity = *gravity;
        self.holds.clear();
        self.holds.extend_from_slice(holds);
        self.guess.clear();
        self.guess.resize(state.v.len(), 0.0);
        self.guessed = false;
        self.fixed.clear();
        for hold in holds {
            prescribe(hold, state, dt, &mut self.fixed);
        }
        // Two holds on one node: the first counts.
        self.fixed.sort_by_key(|&(dof, _)| dof);
        self.fixed.dedup_by_key(|&mut (dof, _)| dof);
    }

    /// Builds and factors A at the guess and finds the free velocity.
    pub fn linearise(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        mass: &[f64],
        state: &State,
    ) -> Result<(), NotFinite> {
        if !self.guessed {
            state.moved(&self.guess, self.dt, &mut self.trial);
            rest.tensions(&self.trial, &mut self.tension);
        }
        let mut row = self.factorise(material, rest, mass).err();
        if row.is_none() {
            self.right_hand_side(rest, mass, state);
            std::mem::swap(&mut self.free, &mut self.scratch);
            self.fix_right_hand_side(material, mass);
            self.factor.solve(self.free.as_chunks_mut::<1>().0, 0);
            row = self.free.iter().position(|v| !v.is_finite());
        }
        match row {
            None => Ok(()),
            Some(dof) => {
                let element = (dof / 4).min(rest.length.len() - 1);
                Err(NotFinite {
                    what: "the stiffness",
                    element,
                })
            }
        }
    }

    /// A = (1 + α dt) M + dt (dt + β) K + springs, factored; on failure the row.
    ///
    /// K is the part that is never negative. The exact one may leave A barely definite, and then a step without line
    /// search leaps: a whipping rope needed a dozen passes, or never settled, where this one needs two to five.
    fn factorise(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        mass: &[f64],
    ) -> Result<(), usize> {
        self.stiffness.reset(mass.len());
        rest.add_stiffness(
            &self.trial,
            &self.tension,
            Stiffness::Positive,
            &mut self.stiffness,
        );
        self.system(material, mass);
        for &(dof, _) in &self.fixed {
            // The couplings are taken to the right-hand side in `fix_right_hand_side`.
            self.factor.isolate(dof);
        }
        self.factor
            .factor(|_| f64::MIN_POSITIVE)
            .map_err(|pivot| pivot.row)
    }

    /// Writes A, not factored, into `factor`.
    fn system(&mut self, material: &RodMaterial, mass: &[f64]) {
        let dt = self.dt;
        let inertia = 1.0 + material.mass_damping_per_s * dt;
        self.factor
            .copy_scaled(&self.stiffness, dt * (dt + material.stiffness_damping_s));
        for (dof, m) in mass.iter().enumerate() {
            *self.factor.at_mut(dof, dof) += inertia * m;
        }
        for (dof, weights, strength) in springs(&self.holds, dt) {
            for c in 0..3 {
                let (p, q) = (dof + c, dof + 4 + c);
                *self.factor.at_mut(p, p) += strength * weights[0] * weights[0];
                *self.factor.at_mut(q, p) += strength * weights[0] * weights[1];
                *self.factor.at_mut(q, q) += strength * weights[1] * weights[1];
            }
        }
    }

    /// M vₙ + dt (F(q) + K (q − qₙ)) + springs, into `scratch`.
    fn right_hand_side(&mut self, rest: &Rest, mass: &[f64], state: &State) {
        let dt = self.dt;
        self.scratch.clear();
        self.scratch.resize(mass.len(), 0.0);
        rest.add_forces(&self.trial, &mut self.scratch);
        self.add_weight(mass);
        if self.guessed {
            self.residual.clear();
            self.residual.extend(self.guess.iter().map(|v| v * dt));
            self.stiffness
                .multiply_add(&self.residual, &mut self.scratch);
        }
        self.scratch.iter_mut().for_each(|f| *f *= dt);
        for hold in &self.holds {
            if let Constraint::Spring {
                site,
                target,
                stiffness_n_m,
                ..
            } = *hold
            {
                let (dof, weights) = spring_weights(site);
                let (a, b) = (state.x[site.element], state.x[site.element + 1]);
                let here = a.coords * weights[0] + b.coords * weights[1];
                let pull = (target.coords - here) * (dt * stiffness_n_m);
                for c in 0..3 {
                    self.scratch[dof + c] += weights[0] * pull[c];
                    self.scratch[dof + 4 + c] += weights[1] * pull[c];
                }
            }
        }
        for (f, (m, v)) in self.scratch.iter_mut().zip(mass.iter().zip(&state.v)) {
            *f += m * v;
        }
    }

    fn add_weight(&mut self, mass: &[f64]) {
        for (force, mass) in self.scratch.chunks_mut(4).zip(mass.chunks(4)) {
            (0..3).for_each(|c| force[c] += mass[c] * self.gravity[c]);
        }
    }

    /// Moves the prescribed velocities to the right-hand side in `free`.
    fn fix_right_hand_side(&mut self, material: &RodMaterial, mass: &[f64]) {
        if self.fixed.is_empty() {
            return;
        }
        // A x for x = the prescribed velocities alone; `factor` is factored by now, so from its parts.
        let mut known = vec![0.0; mass.len()];
        self.fixed.iter().for_each(|&(dof, v)| known[dof] = v);
        let mut product = vec![0.0; mass.len()];
        self.apply(material, mass, &known, &mut product);
        self.free
            .iter_mut()
            .zip(&product)
            .for_each(|(f, p)| *f -= p);
        self.fixed.iter().for_each(|&(dof, v)| self.free[dof] = v);
    }

    /// y += A x for the present linearisation, held unknowns included.
    fn apply(&self, material: &RodMaterial, mass: &[f64], x: &[f64], y: &mut [f64]) {
        let dt = self.dt;
        self.stiffness.multiply_add(x, y);
        let (elastic, inertia) = (
            dt * (dt + material.stiffness_damping_s),
            1.0 + material.mass_damping_per_s * dt,
        );
        for (y, (m, x)) in y.iter_mut().zip(mass.iter().zip(x)) {
            *y = elastic * *y + inertia * m * x;
        }
        for (dof, weights, strength) in springs(&self.holds, dt) {
            for c in 0..3 {
                let pull = strength * (weights[0] * x[dof + c] + weights[1] * x[dof + 4 + c]);
                y[dof + c] += weights[0] * pull;
                y[dof + 4 + c] += weights[1] * pull;
            }
        }
    }

    /// A⁻¹ on columns; held unknowns stay at rest.
    pub fn solve<const W: usize>(&self, columns: &mut [[f64; W]], first: usize) {
        for &(dof, _) in &self.fixed {
            columns[dof] = [0.0; W];
        }
        self.factor.solve(columns, first);
    }

    /// Makes `v` the trial; returns the length of the Newton correction that is left, m.
    pub fn attempt(
        &mut self,
        material: &RodMaterial,
        rest: &Rest,
        mass: &[f64],
        state: &State,
        v: &[f64],
        impulse: &[f64],
    ) -> f64 {
        let dt = self.dt;
        self.foresee_tensions(rest, state, v);
        self.velocity.clear();
        self.velocity.extend_from_slice(v);
        self.guess.clear();
        self.guess.extend_from_slice(v);
        self.guessed = true;
        state.moved(v, dt, &mut self.trial);
        // What is left of M (v − vₙ) + dt C v = dt F(q⁺) + impulses.
        self.scratch.clear();
        self.scratch.resize(mass.len(), 0.0);
        rest.add_forces(&self.trial, &mut self.scratch);
        self.add_weight(mass);
        self.residual.clear();
        self.residual.resize(mass.len(), 0.0);
        self.stiffness.multiply_add(v, &mut self.residual);
        let (alpha, beta) = (material.mass_damping_per_s, material.stiffness_damping_s);
        for dof in 0..mass.len() {
            let inertia = mass[dof] * ((1.0 + alpha * dt) * v[dof] - state.v[dof]);
            let damping = dt * beta * self.residual[dof];
            self.residual[dof] = inertia + damping - dt * self.scratch[dof] - impulse[dof];
        }
        for k in 0..self.holds.len() {
            let pull = self.spring_force(k) * dt;
            if let Constraint::Spring { site, .. } = self.holds[k] {
                let (dof, weights) = spring_weights(site);
                for c in 0..3 {
                    self.residual[dof + c] -= weights[0] * pull[c];
                    self.residual[dof + 4 + c] -= weights[1] * pull[c];
                }
            }
        }
        self.scratch.copy_from_slice(&self.residual);
        let mut correction = std::mem::take(&mut self.scratch);
        self.solve(correction.as_chunks_mut::<1>().0, 0);
        let longest = (0..state.x.len())
            .map(|i| node_part(&correction, i).norm_squared())
            .fold(0.0, f64::max);
        self.scratch = correction;
        longest.sqrt() * dt
    }

    /// The tensions that velocity `v` leads to, linearised about the guess.
    fn foresee_tensions(&mut self, rest: &Rest, state: &State, v: &[f64]) {
        for (k, edge) in self.trial.edge.iter().enumerate() {
            let turn = (node_part(v, k + 1) - node_part(v, k)) * self.dt;
            let next = state.x[k + 1] - state.x[k] + turn;
            let longer = edge.tangent.dot(&next) - edge.length;
            self.tension[k] =
                rest.tension(&self.trial, k) + rest.section.ea_n / rest.length[k] * longer;
        }
    }

    /// Force of a spring hold in the trial state, N; zero for other holds.
    fn spring_force(&self, k: usize) -> Vector3<f64> {
        let Constraint::Spring {
            site,
            target,
            stiffness_n_m,
            damping_n_s_m,
        } = self.holds[k]
        else {
            return Vector3::zeros();
        };
        let (_, w) = spring_weights(site);
        let (a, b) = (site.element, site.element + 1);
        let here = self.trial.x[a].coords * w[0] + self.trial.x[b].coords * w[1];
        let speed = node_part(&self.velocity, a) * w[0] + node_part(&self.velocity, b) * w[1];
        (target.coords - here) * stiffness_n_m - speed * damping_n_s_m
    }

    /// Force of hold k on the rod in the trial state, N.
    pub fn hold_force(&self, k: usize) -> Vector3<f64> {
        match self.holds[k] {
            Constraint::Spring { .. } => self.spring_force(k),
            Constraint::Node { node, .. } => node_part(&self.residual, node) / self.dt,
            Constraint::Frame { element, .. } => {
                (node_part(&self.residual, element) + node_part(&self.residual, element + 1))
                    / self.dt
            }
        }
    }
}

/// Every spring among the holds: its first unknown, the weights of its two nodes, dt (dt k + c).
fn springs(holds: &[Constraint], dt: f64) -> impl Iterator<Item = (usize, [f64; 2], f64)> + '_ {
    holds.iter().filter_map(move |hold| match *hold {
        Constraint::Spring {
            site,
            stiffness_n_m,
            damping_n_s_m,
            ..
        } => {
            let (dof, weights) = spring_weights(site);
            Some((dof, weights, dt * (dt * stiffness_n_m + damping_n_s_m)))
        }
        _ => None,
    })
}

fn spring_weights(site: Site) -> (usize, [f64; 2]) {
    (4 * site.element, [1.0 - site.fraction, site.fraction])
}

/// The velocities that bring a held part to its target within the step.
fn prescribe(hold: &Constraint, state: &State, dt: f64, fixed: &mut Vec<(usize, f64)>) {
    let mut node = |index: usize, target: Vector3<f64>| {
        let v = (target - state.x[index].coords) / dt;
        fixed.extend((0..3).map(|c| (4 * index + c, v[c])));
    };
    match *hold {
        Constraint::Spring { .. } => {}
        Constraint::Node {
            node: index,
            target,
        } => node(index, target.coords),
        Constraint::Frame {
            element,
            targets,
            director,
        } => {
            node(element, targets[0].coords);
            node(element + 1, targets[1].coords);
            let tangent = (targets[1] - targets[0]).normalize();
            let carried =
                parallel_transport(&state.reference[element], &state.tangent[element], &tangent);
            let reference = orthonormalise(&carried, &tangent);
            let wanted = signed_angle(&reference, &orthonormalise(&director, &tangent), &tangent);
            // The nearest turn: a clamp that has been wound up many times stays wound.
            let turns = ((state.gamma[element] - wanted) / std::f64::consts::TAU).round();
            let angle = wanted + turns * std::f64::consts::TAU;
            fixed.push((4 * element + 3, (angle - state.gamma[element]) / dt));
        }
    }
}
