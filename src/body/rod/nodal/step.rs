//! One step of a rod with nodes: the linear system, the trial state, its residual.
//!
//! Implicit Euler, linearised: at a guess q of the end of the step,
//!
//! A v⁺ = M vₙ + dt (F(q) + K (q − qₙ)),  A = (1 + α dt) M + dt (dt + β) K,
//!
//! with α, β the Rayleigh damping and K the part of the stiffness that is never negative. Linearising again at the
//! result converges to the implicit step itself. An explicit step has K = 0 and the forces of the state.

use nalgebra::{Point3, Vector3};

use super::spring::Spring;
use super::{Nodal, part};
use crate::body::rod::scale;
use crate::body::{COLUMNS, Columns, Constraint, NotFinite, RodMaterial, Scheme, Site};
use crate::math::{RingLdl, largest};

/// A step with more passes than this was hard.
const MOST_EASY: usize = 3;

/// Everything a step needs besides rod and state; kept between steps for its memory.
#[derive(Clone, Debug)]
pub struct Workspace<M: Nodal<BAND>, const BAND: usize> {
    /// Whether elastic forces act at the end or at the start of the step.
    pub scheme: Scheme,
    dt: f64,
    gravity: Vector3<f64>,
    holds: Vec<Constraint>,
    /// The springs among the holds.
    springs: Vec<Spring>,
    /// Unknowns whose velocity is prescribed, with it.
    fixed: Vec<(usize, f64)>,
    /// Holds and the nodes that they prescribe, by their first unknown.
    held: Vec<(usize, usize)>,
    /// K at the guess.
    stiffness: RingLdl<BAND>,
    /// A at the guess, factored.
    factor: RingLdl<BAND>,
    /// Tensions at the guess, N, as the last linear solve foresaw them. A trial that turns an edge also lengthens it a
    /// little, and EA makes a large tension of that; taken at its word it would stiffen the edge against turning and
    /// the next solve would hardly move. The foreseen tension has no such part, and agrees with the true one in the end.
    tension: Vec<f64>,
    /// The guess as a velocity: q = qₙ + dt v.
    guess: Vec<f64>,
    /// Attempts of this step so far; from the first one on `trial` holds the guess. The next step asks how many it took.
    pub attempts: usize,
    /// Velocity without contacts.
    pub free: Vec<f64>,
    /// Velocity of the trial state.
    pub velocity: Vec<f64>,
    /// The trial state.
    pub trial: M::Trial,
    /// What the equation of motion lacks in the trial state, N s; at fixed unknowns, the holds' impulses.
    residual: Vec<f64>,
    scratch: Vec<f64>,
    /// The prescribed velocities among zeros.
    known: Vec<f64>,
}

impl<M: Nodal<BAND>, const BAND: usize> Default for Workspace<M, BAND> {
    fn default() -> Self {
        Self {
            scheme: Scheme::Implicit,
            dt: 0.0,
            gravity: Vector3::zeros(),
            holds: Vec::new(),
            springs: Vec::new(),
            fixed: Vec::new(),
            held: Vec::new(),
            stiffness: RingLdl::default(),
            factor: RingLdl::default(),
            tension: Vec::new(),
            guess: Vec::new(),
            attempts: 0,
            free: Vec::new(),
            velocity: Vec::new(),
            trial: M::Trial::default(),
            residual: Vec::new(),
            scratch: Vec::new(),
            known: Vec::new(),
        }
    }
}

impl<M: Nodal<BAND>, const BAND: usize> Workspace<M, BAND> {
    /// Starts a step from `state`, whose kinematics are `present` and whose velocity is `before`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a rod, which the caller holds apart"
    )]
    pub fn begin(
        &mut self,
        model: &M,
        state: &M::State,
        present: &M::Trial,
        before: &[f64],
        dt: f64,
        gravity: &Vector3<f64>,
        holds: &[Constraint],
    ) {
        self.dt = dt;
        self.gravity = *gravity;
        self.holds.clear();
        self.holds.extend_from_slice(holds);
        self.fixed.clear();
        self.held.clear();
        self.springs.clear();
        for (index, hold) in holds.iter().enumerate() {
            let before = self.fixed.len();
            self.take_hold(model, state, present, index, hold);
            let nodes = self.fixed[before..].iter().map(|(dof, _)| *dof);
            let nodes = nodes.filter(|dof| dof % M::STRIDE == 0);
            self.held.extend(nodes.map(|dof| (index, dof)));
        }
        // Two holds on one node: the first counts.
        self.fixed.sort_by_key(|&(dof, _)| dof);
        self.fixed.dedup_by_key(|&mut (dof, _)| dof);
        self.first_guess(before);
        self.attempts = 0;
        self.tension.clear();
        let chain = model.chain();
        let tension = |k| chain.tension(k, model.edge(present, k).1);
        self.tension.extend((0..chain.edges()).map(tension));
    }

    /// Where the motion so far leads: from there a swinging strand takes one pass, from where it is, two. After a hard
    /// step its motion is no guide, and the forces of an explicit step are those of the state.
    fn first_guess(&mut self, before: &[f64]) {
        self.guess.clear();
        if self.attempts > MOST_EASY || self.scheme == Scheme::Explicit {
            self.guess.resize(before.len(), 0.0);
        } else {
            self.guess.extend_from_slice(before);
            self.fixed.iter().for_each(|&(dof, v)| self.guess[dof] = v);
        }
    }

    /// Prescribes what a hold prescribes, or keeps its spring.
    fn take_hold(
        &mut self,
        model: &M,
        state: &M::State,
        present: &M::Trial,
        index: usize,
        hold: &Constraint,
    ) {
        let (nodes, dt) = (M::nodes(present), self.dt);
        let unknown = |node| model.chain().unknown(M::STRIDE, node);
        let mut bring = |node: usize, target: Point3<f64>| {
            let v = (target - nodes[node]) / dt;
            self.fixed.extend((0..3).map(|c| (unknown(node) + c, v[c])));
        };
        match *hold {
            Constraint::Node { node, target } => bring(node, target),
            Constraint::Frame { site, pose } => {
                let (node, k) = (site.node(), site.element);
                let origin = Point3::from(pose.translation.vector);
                let along = pose.rotation * Vector3::x() * model.edge(present, k).1;
                bring(node, origin);
                if node == k {
                    bring(k + 1, origin + along);
                } else {
                    bring(k, origin - along);
                }
                model.prescribe_turn(state, k, &pose.rotation, dt, &mut self.fixed);
            }
            Constraint::Spring {
                site: Site { element, fraction },
                target,
                stiffness_n_m,
                damping_n_s_m,
                twist,
            } => self.springs.push(Spring {
                hold: index,
                nodes: [
                    (unknown(element), 1.0 - fraction),
                    (unknown(element + 1), fraction),
                ],
                target: target.coords,
                here: nodes[element]
                    .coords
                    .lerp(&nodes[element + 1].coords, fraction),
                stiffness: stiffness_n_m,
                damping: damping_n_s_m,
                // An edge's first own unknown is its turn about the tangent, where it has any.
                twist: twist
                    .filter(|_| M::STRIDE > 3)
                    .map(|twist| (unknown(element) + 3, twist)),
            }),
        }
    }

    /// Builds and factors A at the guess and finds the free velocity.
    pub fn linearise(
        &mut self,
        material: &RodMaterial,
        model: &M,
        mass: &[f64],
        state: &M::State,
        before: &[f64],
    ) -> Result<(), NotFinite> {
        if self.attempts == 0 {
            model.moved(state, &self.guess, self.dt, &mut self.trial);
        }
        let mut row = self.factorise(material, model, mass).err();
        if row.is_none() {
            self.right_hand_side(material, model, mass, before);
            std::mem::swap(&mut self.free, &mut self.scratch);
            self.fix_right_hand_side(material);
            self.factor.solve_one(&mut self.free);
            row = self.free.iter().position(|v| !v.is_finite());
        }
        row.map_or(Ok(()), |dof| Err(not_stiff(model, dof)))
    }

    /// Factors A of a step of `over` at the state.
    pub fn soften(
        &mut self,
        material: &RodMaterial,
        model: &M,
        mass: &[f64],
        state: &M::State,
        over: f64,
    ) -> Result<(), NotFinite> {
        let usual = (self.dt, self.scheme);
        // Even a strand that takes explicit steps must not be bent for nothing.
        (self.dt, self.scheme) = (over, Scheme::Implicit);
        self.known.clear();
        self.known.resize(mass.len(), 0.0);
        model.moved(state, &self.known, 0.0, &mut self.trial);
        self.find_tensions(model);
        let factored = self.factorise(material, model, mass);
        (self.dt, self.scheme) = usual;
        factored.map_err(|dof| not_stiff(model, dof))
    }

    /// The tensions of the trial.
    fn find_tensions(&mut self, model: &M) {
        let chain = model.chain();
        let tension = |k| chain.tension(k, model.edge(&self.trial, k).1);
        self.tension.clear();
        self.tension.extend((0..chain.edges()).map(tension));
    }

    /// A = (1 + α dt) M + dt (dt + β) K + springs, factored; on failure the row.
    ///
    /// K is the part that is never negative. The exact one may leave A barely definite, and then a step without line
    /// search leaps: a whipping rope needed a dozen passes, or never settled, where this one needs two to five.
    fn factorise(&mut self, material: &RodMaterial, model: &M, mass: &[f64]) -> Result<(), usize> {
        let border = if model.chain().closed {
            M::REACH * M::STRIDE
        } else {
            0
        };
        self.stiffness.reset(mass.len(), border);
        if self.scheme == Scheme::Implicit {
            model.add_stiffness(&self.trial, &self.tension, &mut self.stiffness);
        }
        self.system(material, mass);
        for &(dof, _) in &self.fixed {
            // The couplings are taken to the right-hand side in `fix_right_hand_side`.
            self.factor.isolate(dof);
        }
        self.factor.factor().map_err(|pivot| pivot.row)
    }

    /// Writes A, not factored, into `factor`.
    fn system(&mut self, material: &RodMaterial, mass: &[f64]) {
        let dt = self.dt;
        let inertia = 1.0 + material.mass_damping_per_s * dt;
        self.factor
            .copy_scaled(&self.stiffness, dt * (dt + material.stiffness_damping_s));
        for (dof, m) in mass.iter().enumerate() {
            self.factor.add(dof, dof, inertia * m);
        }
        for spring in &self.springs {
            let strength = spring.strength(dt);
            let [(p, wp), (q, wq)] = spring.nodes;
            for c in 0..3 {
                self.factor.add(p + c, p + c, strength * wp * wp);
                self.factor.add(q + c, p + c, strength * wp * wq);
                self.factor.add(q + c, q + c, strength * wq * wq);
            }
            if let Some((dof, twist)) = &spring.twist {
                self.factor.add(*dof, *dof, twist.strength(dt));
            }
        }
    }

    /// M vₙ + dt (F(q) + K (q − qₙ)) + springs, into `scratch`.
    fn right_hand_side(&mut self, material: &RodMaterial, model: &M, mass: &[f64], before: &[f64]) {
        let dt = self.dt;
        self.scratch.clear();
        self.scratch.resize(mass.len(), 0.0);
        model.add_forces(&self.trial, &mut self.scratch);
        if self.scheme == Scheme::Explicit {
            let damping = material.stiffness_damping_s;
            model.add_internal_friction(&self.trial, before, damping, &mut self.scratch);
        }
        self.add_weight(M::STRIDE, mass);
        if self.scheme == Scheme::Implicit {
            self.residual.clear();
            self.residual.extend(self.guess.iter().map(|v| v * dt));
            self.stiffness
                .multiply_add(&self.residual, &mut self.scratch);
        }
        self.scratch.iter_mut().for_each(|f| *f *= dt);
        for spring in &self.springs {
            let pull = (spring.target - spring.here) * (dt * spring.stiffness);
            spring.spread(&pull, 1.0, &mut self.scratch);
            if let Some((dof, twist)) = &spring.twist {
                self.scratch[*dof] += dt * twist.moment(0.0, dt);
            }
        }
        for (f, (m, v)) in self.scratch.iter_mut().zip(mass.iter().zip(before)) {
            *f += m * v;
        }
    }

    fn add_weight(&mut self, stride: usize, mass: &[f64]) {
        for (force, mass) in self.scratch.chunks_mut(stride).zip(mass.chunks(stride)) {
            (0..3).for_each(|c| force[c] += mass[c] * self.gravity[c]);
        }
    }

    /// Moves the prescribed velocities to the right-hand side in `free`.
    fn fix_right_hand_side(&mut self, material: &RodMaterial) {
        // `factor` is factored by now, so the columns of A come from its parts; the masses are on the diagonal only.
        let elastic = self.dt * (self.dt + material.stiffness_damping_s);
        self.known.clear();
        self.known.resize(self.free.len(), 0.0);
        for &(dof, v) in self.fixed.iter().filter(|(_, v)| *v != 0.0) {
            self.stiffness.add_column(dof, -elastic * v, &mut self.free);
            self.known[dof] = v;
        }
        for spring in &self.springs {
            let pull = spring.gather(&self.known) * spring.strength(self.dt);
            spring.spread(&pull, -1.0, &mut self.free);
        }
        self.fixed.iter().for_each(|&(dof, v)| self.free[dof] = v);
    }

    /// y = A x for the present linearisation, held unknowns included; y is zero before.
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
        for spring in &self.springs {
            spring.spread(&(spring.gather(x) * spring.strength(dt)), 1.0, y);
            if let Some((dof, twist)) = &spring.twist {
                y[*dof] += twist.strength(dt) * x[*dof];
            }
        }
    }

    /// A⁻¹ on columns; held unknowns stay at rest.
    pub fn solve(&self, columns: &mut [Columns], first: usize) {
        for &(dof, _) in &self.fixed {
            columns[dof] = [0.0; COLUMNS];
        }
        self.factor.solve(columns, first);
    }

    /// Makes `v` the trial; returns the length of the Newton correction that is left, m.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a rod, which the caller holds apart"
    )]
    pub fn attempt(
        &mut self,
        material: &RodMaterial,
        model: &M,
        mass: &[f64],
        state: &M::State,
        before: &[f64],
        v: &[f64],
        impulse: &[f64],
    ) -> f64 {
        self.velocity.clear();
        self.velocity.extend_from_slice(v);
        self.attempts += 1;
        if self.scheme == Scheme::Explicit {
            // The equation is linear: any solution of the linear system fulfils it. Holds take what is left.
            self.right_hand_side(material, model, mass, before);
            self.residual.clear();
            self.residual.resize(mass.len(), 0.0);
            let mut product = std::mem::take(&mut self.residual);
            self.apply(material, mass, v, &mut product);
            for dof in 0..mass.len() {
                product[dof] -= self.scratch[dof] + impulse[dof];
            }
            self.residual = product;
            model.moved(state, v, self.dt, &mut self.trial);
            return 0.0;
        }
        self.foresee_tensions(model, v);
        self.guess.clear();
        self.guess.extend_from_slice(v);
        model.moved(state, v, self.dt, &mut self.trial);
        self.find_residual(material, model, mass, before, impulse);
        self.scratch.copy_from_slice(&self.residual);
        self.fixed
            .iter()
            .for_each(|&(dof, _)| self.scratch[dof] = 0.0);
        self.factor.solve_one(&mut self.scratch);
        let longest = (0..model.chain().distinct_nodes())
            .map(|node| part(&self.scratch, M::STRIDE * node).norm_squared())
            .fold(0.0, largest);
        longest.sqrt() * self.dt
    }

    /// Takes the trial back to a share of its way.
    pub fn hold_back(&mut self, model: &M, state: &M::State, share: f64) {
        scale(&mut self.velocity, share);
        model.moved(state, &self.velocity, self.dt, &mut self.trial);
    }

    /// What is left of M (v − vₙ) + dt C v = dt F(q⁺) + impulses in the trial state.
    fn find_residual(
        &mut self,
        material: &RodMaterial,
        model: &M,
        mass: &[f64],
        before: &[f64],
        impulse: &[f64],
    ) {
        let dt = self.dt;
        self.scratch.clear();
        self.scratch.resize(mass.len(), 0.0);
        model.add_forces(&self.trial, &mut self.scratch);
        self.add_weight(M::STRIDE, mass);
        self.residual.clear();
        self.residual.resize(mass.len(), 0.0);
        let (alpha, beta) = (material.mass_damping_per_s, material.stiffness_damping_s);
        if beta > 0.0 {
            self.stiffness
                .multiply_add(&self.velocity, &mut self.residual);
        }
        for dof in 0..mass.len() {
            let inertia = mass[dof] * ((1.0 + alpha * dt) * self.velocity[dof] - before[dof]);
            let damping = dt * beta * self.residual[dof];
            self.residual[dof] = inertia + damping - dt * self.scratch[dof] - impulse[dof];
        }
        for spring in &self.springs {
            let pull = spring.force(dt, &self.velocity);
            spring.spread(&pull, -dt, &mut self.residual);
            if let Some((dof, twist)) = &spring.twist {
                self.residual[*dof] -= dt * twist.moment(dt * self.velocity[*dof], dt);
            }
        }
    }

    /// The tensions that velocity `v` leads to, linearised about the guess, which `trial` holds.
    fn foresee_tensions(&mut self, model: &M, v: &[f64]) {
        let chain = model.chain();
        let dt = self.dt;
        for k in 0..chain.edges() {
            let (tangent, length) = model.edge(&self.trial, k);
            let [p, q] = [k, k + 1].map(|node| chain.unknown(M::STRIDE, node));
            let faster = (part(v, q) - part(v, p)) - (part(&self.guess, q) - part(&self.guess, p));
            let longer = tangent.dot(&faster) * dt;
            self.tension[k] =
                chain.tension(k, length) + chain.section.ea_n / chain.length[k] * longer;
        }
    }

    /// Force of hold k on the rod in the trial state, N.
    pub fn hold_force(&self, k: usize) -> Vector3<f64> {
        match self.holds[k] {
            Constraint::Node { .. } | Constraint::Frame { .. } => {
                let own = self.held.iter().filter(|(hold, _)| *hold == k);
                let impulse: Vector3<f64> = own.map(|(_, dof)| part(&self.residual, *dof)).sum();
                impulse / self.dt
            }
            Constraint::Spring { .. } => {
                let spring = self.springs.iter().find(|spring| spring.hold == k);
                spring.map_or_else(Vector3::zeros, |spring| {
                    spring.force(self.dt, &self.velocity)
                })
            }
        }
    }
}

/// The stiffness is not positive at an unknown.
fn not_stiff<M: Nodal<BAND>, const BAND: usize>(model: &M, dof: usize) -> NotFinite {
    NotFinite {
        what: "the stiffness",
        element: (dof / M::STRIDE).min(model.chain().edges() - 1),
    }
}
