//! Rods whose unknowns belong to nodes and to the edges between them: what such models share.
//!
//! ```text
//!   node      0         1         2                n
//!             ●────0────●────1────●── ⋯ ──n-1──────●      edge k joins nodes k and k+1; in a ring n is 0 again
//!   unknowns  x₀ …      x₁ …      x₂ … ⋯           xₙ     STRIDE to a node: 3 for x, the rest for the edge after it
//! ```
//!
//! A [`Nodal`] model says how its nodes and frames move, its elastic forces and its stiffness. [`NodalRod`] does the rest.

pub(in crate::body::rod) mod chain;
mod model;
mod save;
pub(in crate::body::rod) mod smooth;
mod spring;
mod step;

use std::fmt::Debug;
use std::hash::Hasher;
use std::ops::RangeInclusive;
use std::sync::Arc;

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

pub use chain::Chain;
pub use model::Nodal;
use step::Workspace;

use crate::body::rod::scale;
use crate::body::{
    Body, Columns, Constraint, NotFinite, Place, Probe, Push, RodDesign, RodMaterial, Saved,
    Scheme, Section, Site, StrandState,
};
use crate::geometry::{Curve, Sections};
use crate::math::RingLdl;

/// A rod of such a model.
#[derive(Clone, Debug)]
pub struct NodalRod<M: Nodal<BAND>, const BAND: usize> {
    material: RodMaterial,
    scheme: Scheme,
    /// Shared with what is saved of it.
    model: Arc<M>,
    state: M::State,
    /// Velocities of the unknowns: m/s and rad/s.
    v: Vec<f64>,
    /// Lumped mass of each unknown: kg, and kg m² for turns.
    mass: Arc<[f64]>,
    /// Frames and lengths of the state.
    present: M::Trial,
    step: Workspace<M, BAND>,
}

impl<M: Nodal<BAND>, const BAND: usize> NodalRod<M, BAND> {
    /// A rod of this design that starts like this.
    pub fn new(design: &RodDesign, start: &StrandState) -> Self {
        let (model, state) = M::build(design, start);
        let chain = model.chain();
        let mut v = vec![0.0; chain.dofs(M::STRIDE)];
        for node in 0..chain.distinct_nodes() {
            let at = M::STRIDE * node;
            v[at..at + 3].copy_from_slice(start.velocities[node].as_slice());
        }
        for k in 0..chain.edges() {
            let own = M::STRIDE * k + 3..M::STRIDE * (k + 1);
            model.edge_velocity(&state, k, start.spins[k], &mut v[own]);
        }
        let mut mass = vec![0.0; v.len()];
        lump(&model, &mut mass);
        let mut present = M::Trial::default();
        model.moved(&state, &v, 0.0, &mut present);
        Self {
            material: design.material,
            scheme: match model.explicit_step_s() {
                Some(_) => design.scheme,
                None => Scheme::Implicit,
            },
            model: Arc::new(model),
            state,
            v,
            mass: mass.into(),
            present,
            step: Workspace::default(),
        }
    }

    /// What is fixed: lengths, stiffness, rest shape.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Positions and frames.
    pub fn present(&self) -> &M::Trial {
        &self.present
    }

    /// Velocities of the unknowns: m/s and rad/s.
    pub fn velocity(&self) -> &[f64] {
        &self.v
    }

    /// Lumped mass of each unknown: kg and kg m².
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    fn edge_frame(&self, k: usize) -> UnitQuaternion<f64> {
        let tangent = self.model.edge(&self.present, k).0;
        let d1 = self.model.director(&self.present, k);
        let axes = Matrix3::from_columns(&[tangent, d1, tangent.cross(&d1)]);
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
    }

    /// First unknown of a node.
    fn at(&self, node: usize) -> usize {
        self.model.chain().unknown(M::STRIDE, node)
    }
}

/// Writes the lumped mass of each unknown.
fn lump<M: Nodal<BAND>, const BAND: usize>(model: &M, mass: &mut [f64]) {
    let chain = model.chain();
    for node in 0..chain.distinct_nodes() {
        let at = M::STRIDE * node;
        mass[at..at + 3].fill(chain.section.line_density_kg_m * chain.node_length(node));
    }
    for k in 0..chain.edges() {
        model.edge_inertia(k, &mut mass[M::STRIDE * k + 3..M::STRIDE * (k + 1)]);
    }
}

/// Adds [[B, −B], [−B, B]] on the two nodes of an edge.
#[inline]
pub fn add_edge_block<const BAND: usize>(
    out: &mut RingLdl<BAND>,
    [p, q]: [usize; 2],
    block: &Matrix3<f64>,
) {
    for i in 0..3 {
        for j in 0..3 {
            if j <= i {
                out.add(p + i, p + j, block[(i, j)]);
                out.add(q + i, q + j, block[(i, j)]);
            }
            out.add(q + i, p + j, -block[(i, j)]);
        }
    }
}

fn axes() -> [Vector3<f64>; 3] {
    [Vector3::x(), Vector3::y(), Vector3::z()]
}

/// The three numbers from `first` on.
pub fn part(v: &[f64], first: usize) -> Vector3<f64> {
    Vector3::new(v[first], v[first + 1], v[first + 2])
}

impl<M: Nodal<BAND>, const BAND: usize> Body for NodalRod<M, BAND> {
    fn dofs(&self) -> usize {
        self.mass.len()
    }

    fn nodes(&self) -> &[Point3<f64>] {
        M::nodes(&self.present)
    }

    fn trial_nodes(&self) -> &[Point3<f64>] {
        M::nodes(&self.step.trial)
    }

    fn closed(&self) -> bool {
        self.model.chain().closed
    }

    fn curves(&self) -> usize {
        self.model.chain().edges()
    }

    fn curve(&self, index: usize) -> (Curve, f64) {
        (
            smooth::curve(self.nodes(), self.closed(), index),
            self.model.edge(&self.present, index).1,
        )
    }

    fn arc_at_rest(&self, place: Place) -> f64 {
        self.model.chain().arc(place)
    }

    fn curve_nodes(&self, index: usize) -> RangeInclusive<usize> {
        // In a ring the nodes beyond its first and last edge are left out: their neighbours speak for them.
        index.saturating_sub(1)..=(index + 2).min(self.curves())
    }

    fn trace(&self, state: &mut Vec<Point3<f64>>, trial: &mut Vec<Point3<f64>>) {
        let nodes = [self.nodes(), self.trial_nodes()];
        smooth::trace(
            nodes,
            self.closed(),
            self.section().radius_m,
            [state, trial],
        );
    }

    fn site(&self, place: Place) -> Site {
        place.site()
    }

    fn sections(&self) -> Sections {
        match M::STRIDE {
            3 => Sections::Untwisted,
            _ => Sections::Edges,
        }
    }

    fn node_velocity(&self, node: usize) -> Vector3<f64> {
        part(&self.v, self.at(node))
    }

    fn strand(&self) -> StrandState {
        let edges = self.model.chain().edges();
        let own = |k: usize| &self.v[M::STRIDE * k + 3..M::STRIDE * (k + 1)];
        StrandState {
            nodes: self.nodes().to_vec(),
            directors: self.model.directors(&self.present),
            velocities: (0..=edges).map(|node| self.node_velocity(node)).collect(),
            spins: (0..edges)
                .map(|k| self.model.spin(&self.present, k, own(k)))
                .collect(),
        }
    }

    fn set_material(&mut self, design: &RodDesign) {
        // Only what is fixed is built anew; where it starts does not matter to that.
        let model = M::build(design, &StrandState::along(design, &Vector3::zeros())).0;
        let mut mass = vec![0.0; self.mass.len()];
        lump(&model, &mut mass);
        (self.model, self.mass) = (Arc::new(model), mass.into());
        self.material = design.material;
    }

    fn section(&self) -> &Section {
        &self.model.chain().section
    }

    fn mass_kg(&self) -> f64 {
        let chain = self.model.chain();
        chain.section.line_density_kg_m * chain.length.iter().sum::<f64>()
    }

    fn frame(&self, site: Site) -> Isometry3<f64> {
        let origin = Translation3::from(self.nodes()[site.node()].coords);
        Isometry3::from_parts(origin, self.edge_frame(site.element))
    }

    fn begin(&mut self, dt_s: f64, gravity_m_s2: &Vector3<f64>, holds: &[Constraint]) {
        let Self {
            step,
            model,
            state,
            present,
            v,
            ..
        } = self;
        step.scheme = self.scheme;
        step.begin(model, state, present, v, dt_s, gravity_m_s2, holds);
    }

    fn linearise(&mut self) -> Result<(), NotFinite> {
        self.step.linearise(
            &self.material,
            &self.model,
            &self.mass,
            &self.state,
            &self.v,
        )
    }

    fn free_velocity(&self) -> &[f64] {
        &self.step.free
    }

    fn foreseen_velocity(&self, node: usize) -> Vector3<f64> {
        part(&self.step.free, self.at(node))
    }

    fn jacobian(&self, place: Place, offset: &Vector3<f64>, out: &mut Vec<Vector3<f64>>) -> usize {
        let Site { element, fraction } = match place {
            Place::Piece(site) => site,
            Place::Curve(site) => return self.curve_jacobian(site, offset, out),
        };
        let (tangent, length) = self.model.edge(&self.present, element);
        // A section turns with its edge: about the tangent by the edge's own unknowns, and across it by
        // t × (v₁ − v₀)/l. Its surface moves along, so friction can roll a strand, and a strand carried by a drum turns
        // with the drum.
        let turn = |v: &Vector3<f64>| {
            if M::TURNS_WITH_NODES {
                tangent.cross(v).cross(offset) / length
            } else {
                Vector3::zeros()
            }
        };
        let before = axes().map(|axis| axis * (1.0 - fraction) - turn(&axis));
        let after = axes().map(|axis| axis * fraction + turn(&axis));
        if self.at(element + 1) == 0 {
            // The piece that closes a ring: its second node has the first unknowns.
            out.extend(after);
            out.extend((3..self.at(element)).map(|_| Vector3::zeros()));
            out.extend(before);
            self.model
                .edge_jacobian(&self.present, element, offset, out);
            return 0;
        }
        out.extend(before);
        self.model
            .edge_jacobian(&self.present, element, offset, out);
        out.extend(after);
        self.at(element)
    }

    fn solve(&self, columns: &mut [Columns], first: usize) {
        self.step.solve(columns, first);
    }

    fn attempt(&mut self, v: &[f64], impulse: &[f64], _: &[Push]) -> f64 {
        let Self {
            step,
            material,
            model,
            mass,
            state,
            v: before,
            ..
        } = self;
        step.attempt(material, model, mass, state, before, v, impulse)
    }

    fn check(&self) -> Result<(), NotFinite> {
        let last = self.model.chain().edges() - 1;
        let nodes = self.trial_nodes();
        if let Some(node) = nodes.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(NotFinite {
                what: "a position",
                element: node.min(last),
            });
        }
        match self.step.velocity.iter().position(|v| !v.is_finite()) {
            Some(dof) => Err(NotFinite {
                what: "a velocity",
                element: (dof / M::STRIDE).min(last),
            }),
            None => Ok(()),
        }
    }

    fn accept(&mut self) {
        self.model.accept(&mut self.state, &self.step.trial);
        self.v.copy_from_slice(&self.step.velocity);
        std::mem::swap(&mut self.present, &mut self.step.trial);
    }

    fn hold_back(&mut self, share: f64) {
        self.step.hold_back(&self.model, &self.state, share);
    }

    fn slow_down(&mut self, share: f64) {
        scale(&mut self.step.velocity, share);
    }

    fn soften(&mut self, over_s: f64) -> Result<(), NotFinite> {
        let Self {
            step,
            material,
            model,
            mass,
            state,
            ..
        } = self;
        step.soften(material, model, mass, state, over_s)
    }

    fn displace(&mut self, motion: &[f64]) {
        let trial = &mut self.step.trial;
        self.model.moved(&self.state, motion, 1.0, trial);
    }

    fn settle(&mut self) {
        self.model.accept(&mut self.state, &self.step.trial);
        std::mem::swap(&mut self.present, &mut self.step.trial);
    }

    fn hold_force(&self, k: usize) -> Vector3<f64> {
        self.step.hold_force(k)
    }

    fn energies(&self, gravity_m_s2: &Vector3<f64>) -> [f64; 3] {
        let energy = |(v, m): (&f64, &f64)| 0.5 * m * v * v;
        let kinetic = self.v.iter().zip(self.mass.iter()).map(energy).sum();
        let weight = |node: usize| {
            -self.mass[M::STRIDE * node] * gravity_m_s2.dot(&self.nodes()[node].coords)
        };
        let nodes = self.model.chain().distinct_nodes();
        [
            kinetic,
            self.model.energy(&self.present),
            (0..nodes).map(weight).sum(),
        ]
    }

    fn probe(&self, node: usize) -> Probe {
        let chain = self.model.chain();
        let [before, after] = chain.edges_at(node);
        let directors = [before, after].map(|k| self.model.director(&self.present, k));
        let tension = |k| chain.tension(k, self.model.edge(&self.present, k).1);
        let [
            bending_moment_n_m,
            twist_moment_n_m,
            curvature_per_m,
            twist_rad_m,
        ] = self.model.moments(&self.present, node);
        Probe {
            director: (directors[0] + directors[1])
                .try_normalize(1e-6)
                .unwrap_or(directors[1]),
            tension_n: 0.5 * (tension(before) + tension(after)),
            bending_moment_n_m,
            twist_moment_n_m,
            curvature_per_m,
            twist_rad_m,
        }
    }

    fn largest_step_s(&self) -> f64 {
        match self.scheme {
            Scheme::Implicit => f64::INFINITY,
            Scheme::Explicit => self.model.explicit_step_s().unwrap_or(f64::INFINITY),
        }
    }

    fn hash(&self, hasher: &mut dyn Hasher) {
        let mut feed = |x: f64| hasher.write_u64(x.to_bits());
        M::hash(&self.state, &mut feed);
        self.v.iter().for_each(|&v| feed(v));
    }

    fn save(&self, slot: &mut Option<Box<dyn Saved>>) {
        self.keep(slot);
    }

    fn restore(&mut self, saved: &dyn Saved) -> bool {
        self.go_back(saved)
    }
}
