//! Super-helices \[Bertails06\]: a chain of helical elements, each with a constant twist and constant curvatures, that
//! never stretches. Unknowns are the motion of the root and the rates of twist and curvatures.
//!
//! | file | idea |
//! |---|---|
//! | `element` | one helical element and its derivatives |
//! | `chain` | all of them, root to tip |
//! | `mass` | A in O(N²) operations, tip to root |
//! | `balance` | loads on unknowns, forces inside |
//! | `curvature` | how loads change with turns |
//! | `hold` | prescribed root, springs elsewhere |
//! | `step` | one implicit step |
//! | `push` | what contacts add to it |
//! | `spring` | what springs add to it |
//! | `restraint` | what keeps its passes from leaping |
//! | `rest` | lengths, natural curvatures, stiffness |
//! | `fit` | the super-helix nearest to given nodes |
//! | `save` | what a step starts from, kept |
//! | `measure` | energies, probes, points for smooth contact |

mod balance;
mod chain;
mod curvature;
mod element;
mod fit;
mod hold;
mod mass;
mod measure;
mod push;
mod rest;
mod restraint;
mod save;
mod spring;
mod step;
#[cfg(test)]
mod tests;

use std::hash::Hasher;
use std::ops::RangeInclusive;
use std::sync::Arc;

use nalgebra::{Isometry3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::super::{
    Body, Columns, Constraint, NaturalShape, NotFinite, Place, Probe, Push, RodDesign, RodMaterial,
    Saved, Section, Site, StrandState,
};
use crate::geometry::{Curve, Sections};
use chain::{Chain, Layout, Pose};
pub use measure::{CurvePoint, HelixElement};
use rest::Rest;
use step::Workspace;

/// So many elements are tried to meet a shape: more than that must be asked for.
const MOST_FOUND: usize = 250;
/// Nodes of the given shape are met within this share of the contact radius, if the number of elements is free.
const FIT_SHARE: f64 = 0.25;

/// Where the rod is and how it moves.
#[derive(Clone, Debug, Default)]
struct State {
    chain: Chain,
    /// Rates of the unknowns in the last step: where the next one is looked for.
    velocity: Vec<f64>,
    /// Loads on each station in the last step, N, inertia counted positive.
    forces: Vec<Vector3<f64>>,
    /// Velocity of each station, m/s.
    station_velocity: Vec<Vector3<f64>>,
    /// Turn of each mass point about its tangent, rad/s.
    spin: Vec<f64>,
    nodes: Vec<Point3<f64>>,
}

/// A chain of helical elements.
#[derive(Clone, Debug)]
pub struct SuperHelix {
    material: RodMaterial,
    /// Shared with what is saved of it.
    rest: Arc<Rest>,
    state: State,
    trial_nodes: Vec<Point3<f64>>,
    step: Workspace,
}

impl SuperHelix {
    /// The rod of this design that is nearest to `start`.
    pub fn new(design: &RodDesign, start: &StrandState) -> Self {
        // A strand that is stretched when it is taken over stays as long as it is: it could not shrink without tearing at
        // all that holds it. Its mass is spread over that length.
        let (arcs, described_arcs) = (fit::arcs(&start.nodes), fit::arcs(&design.centreline));
        let section = spread(design.section(), &described_arcs, &arcs);
        let pieces = design.pieces();
        let described = StrandState::along(design, &Vector3::zeros());
        let as_given = design.natural == NaturalShape::AsGiven;
        let mut elements = design.helices.unwrap_or(pieces.div_ceil(4)).max(1);
        let (layout, pose, given) = loop {
            let layout = Layout::new(elements, &arcs, &section);
            let (pose, off) = fit::fit(&layout, start);
            let given = (as_given && described != *start).then(|| {
                let unloaded = Layout::new(elements, &described_arcs, &section);
                fit::fit(&unloaded, &described)
            });
            let worst = given.as_ref().map_or(off, |(_, given)| off.max(*given));
            let more = (elements * 3).div_ceil(2).min(pieces).min(MOST_FOUND);
            if design.helices.is_some() || more <= elements || worst <= FIT_SHARE * section.radius_m
            {
                break (layout, pose, given.map(|(pose, _)| pose));
            }
            elements = more;
        };
        let natural = match &given {
            Some(given) => given.k.clone(),
            None if as_given => pose.k.clone(),
            None => natural_curvatures(&design.natural, elements),
        };
        let rest = Rest::new(section, layout, natural);
        let state = State::new(&rest, pose, start);
        Self {
            material: design.material,
            trial_nodes: state.nodes.clone(),
            rest: Arc::new(rest),
            state,
            step: Workspace::default(),
        }
    }
}

/// A section whose mass is spread over the length that the strand has, instead of the one described.
fn spread(mut section: Section, described_arcs: &[f64], arcs: &[f64]) -> Section {
    let ends = described_arcs.last().zip(arcs.last());
    let shorter = ends.map_or(1.0, |(described, has)| described / has);
    section.line_density_kg_m *= shorter;
    section.polar_inertia_kg_m *= shorter;
    section
}

/// (twist, k₁, k₂) of each element: the curvature towards the second director is −k₁, towards the first k₂.
fn natural_curvatures(natural: &NaturalShape, elements: usize) -> Vec<Vector3<f64>> {
    let share = |i: usize| i as f64 / elements as f64;
    let of = |i: usize| {
        let [towards_d1, towards_d2, twist] = natural.mean(share(i), share(i + 1));
        Vector3::new(twist, -towards_d2, towards_d1)
    };
    (0..elements).map(of).collect()
}

impl State {
    fn new(rest: &Rest, pose: Pose, start: &StrandState) -> Self {
        let layout = &rest.layout;
        let mut chain = Chain {
            pose,
            ..Chain::default()
        };
        chain.evaluate(layout, &Vector3::zeros());
        let count = layout.stations.len();
        let mut state = Self {
            chain,
            velocity: vec![0.0; layout.dofs()],
            forces: vec![Vector3::zeros(); count],
            station_velocity: vec![Vector3::zeros(); count],
            spin: vec![0.0; count],
            nodes: Vec::new(),
        };
        state.velocity[..3].copy_from_slice(start.velocities[0].as_slice());
        let mut piece = 0;
        for element in 0..layout.elements {
            for g in layout.first[element]..layout.first[element + 1] {
                let arc = element as f64 * layout.length + layout.stations[g].s;
                while piece + 1 < start.spins.len() && arc > layout.arcs[piece + 1] {
                    piece += 1;
                }
                let (low, high) = (layout.arcs[piece], layout.arcs[piece + 1]);
                let f = ((arc - low) / (high - low)).clamp(0.0, 1.0);
                state.station_velocity[g] =
                    start.velocities[piece].lerp(&start.velocities[piece + 1], f);
                state.spin[g] = start.spins[piece];
            }
        }
        let mut nodes = Vec::new();
        place_nodes(layout, &state.chain, &mut nodes);
        state.nodes = nodes;
        state
    }
}

/// Where the nodes of a chain are.
fn place_nodes(layout: &Layout, chain: &Chain, out: &mut Vec<Point3<f64>>) {
    out.clear();
    out.extend(
        layout
            .nodes
            .iter()
            .map(|&g| Point3::from(chain.pose.root + chain.spots[g].x)),
    );
}

impl Body for SuperHelix {
    fn dofs(&self) -> usize {
        self.rest.layout.dofs()
    }

    fn nodes(&self) -> &[Point3<f64>] {
        &self.state.nodes
    }

    fn trial_nodes(&self) -> &[Point3<f64>] {
        &self.trial_nodes
    }

    fn sections(&self) -> Sections {
        Sections::Frames
    }

    fn curves(&self) -> usize {
        self.helices()
    }

    fn curve(&self, index: usize) -> (Curve, f64) {
        let element = self.element(index);
        (element.curve(), element.length_m)
    }

    fn curve_nodes(&self, index: usize) -> RangeInclusive<usize> {
        let layout = &self.rest.layout;
        let [begin, end] = [index, index + 1].map(|i| i as f64 * layout.length);
        let first = layout.arcs.partition_point(|&arc| arc < begin);
        let last = layout.arcs.partition_point(|&arc| arc <= end);
        first.saturating_sub(1)..=last.min(layout.arcs.len() - 1)
    }

    fn trace(&self, state: &mut Vec<Point3<f64>>, trial: &mut Vec<Point3<f64>>) {
        let chains = [&self.state.chain, &self.step.trial];
        let per_element = self.pieces_for(chains);
        self.points_along(chains[0], per_element, state);
        self.points_along(chains[1], per_element, trial);
    }

    fn arc_at_rest(&self, place: Place) -> f64 {
        match place {
            Place::Piece(site) => {
                let arcs = &self.rest.layout.arcs;
                let [from, to] = [arcs[site.element], arcs[site.element + 1]];
                from + (to - from) * site.fraction
            }
            Place::Curve(site) => self.arc(site),
        }
    }

    fn site(&self, place: Place) -> Site {
        match place {
            Place::Piece(site) => site,
            Place::Curve(site) => self.piece_at(self.arc(site)),
        }
    }

    fn node_velocity(&self, node: usize) -> Vector3<f64> {
        self.state.station_velocity[self.rest.layout.nodes[node]]
    }

    fn strand(&self) -> StrandState {
        self.as_strand()
    }

    fn set_material(&mut self, design: &RodDesign) {
        let Layout { elements, arcs, .. } = &self.rest.layout;
        let section = spread(design.section(), &fit::arcs(&design.centreline), arcs);
        let layout = Layout::new(*elements, arcs, &section);
        let rest = Rest::new(section, layout, self.rest.natural.clone());
        self.rest = Arc::new(rest);
        self.material = design.material;
    }

    fn section(&self) -> &Section {
        &self.rest.section
    }

    fn helix(&self, index: usize) -> Option<HelixElement> {
        (index < self.helices()).then(|| self.element(index))
    }

    fn mass_kg(&self) -> f64 {
        self.rest.section.line_density_kg_m * self.length_m()
    }

    fn frame(&self, site: Site) -> Isometry3<f64> {
        let node = site.node();
        let frame = &self.state.chain.spots[self.rest.layout.nodes[node]].frame;
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*frame));
        Isometry3::from_parts(Translation3::from(self.state.nodes[node].coords), rotation)
    }

    fn begin(&mut self, dt_s: f64, gravity_m_s2: &Vector3<f64>, holds: &[Constraint]) {
        self.step
            .begin(&self.rest, &self.state, dt_s, gravity_m_s2, holds);
    }

    fn linearise(&mut self) -> Result<(), NotFinite> {
        self.step.linearise(&self.material, &self.rest, &self.state)
    }

    fn free_velocity(&self) -> &[f64] {
        &self.step.free
    }

    fn foreseen_velocity(&self, node: usize) -> Vector3<f64> {
        self.step.foreseen[node]
    }

    fn jacobian(&self, place: Place, offset: &Vector3<f64>, out: &mut Vec<Vector3<f64>>) -> usize {
        let (layout, chain) = (&self.rest.layout, &self.step.guess);
        let Site { element, fraction } = match place {
            Place::Piece(site) => site,
            Place::Curve(site) => {
                self.curve_jacobian(self.arc(site), offset, out);
                return 0;
            }
        };
        let reach = Chain::reach(layout.element_of_node[element + 1]);
        out.extend((0..reach).map(|dof| {
            let (x0, turn0) = step::node_column(&self.rest, chain, element, dof);
            let (x1, turn1) = step::node_column(&self.rest, chain, element + 1, dof);
            // The section at the site turns half-way between those at the nodes.
            x0.lerp(&x1, fraction) + turn0.lerp(&turn1, fraction).cross(offset)
        }));
        0
    }

    fn drift(&self, place: Place) -> Vector3<f64> {
        let site = match place {
            Place::Piece(site) => site,
            Place::Curve(site) => {
                return self.step.drift_at(&self.rest, &self.state, self.arc(site));
            }
        };
        let drift = &self.step.drift;
        drift[site.element].lerp(&drift[site.element + 1], site.fraction)
    }

    fn is_curved(&self) -> bool {
        true
    }

    fn solve(&self, columns: &mut [Columns], _first: usize) {
        // Elimination runs from the tip, so that zeros at the end are what saves work; the factor looks for them.
        self.step.solve(columns);
    }

    fn attempt(&mut self, v: &[f64], _impulse: &[f64], pushes: &[Push]) -> f64 {
        let off = self
            .step
            .attempt(&self.material, &self.rest, &self.state, v, pushes);
        place_nodes(&self.rest.layout, &self.step.trial, &mut self.trial_nodes);
        off
    }

    fn check(&self) -> Result<(), NotFinite> {
        let bad_node = self
            .trial_nodes
            .iter()
            .position(|x| !x.iter().all(|c| c.is_finite()));
        if let Some(node) = bad_node {
            let element = node.min(self.trial_nodes.len() - 2);
            return Err(NotFinite {
                what: "a position",
                element,
            });
        }
        match self.step.velocity.iter().position(|v| !v.is_finite()) {
            Some(dof) => Err(self.rest.not_finite("a velocity", dof)),
            None => Ok(()),
        }
    }

    fn accept(&mut self) {
        let Self { state, step, .. } = self;
        std::mem::swap(&mut state.chain, &mut step.trial);
        std::mem::swap(&mut state.velocity, &mut step.velocity);
        if step.strained {
            state.velocity.fill(0.0);
        }
        std::mem::swap(&mut state.forces, &mut step.forces);
        std::mem::swap(&mut state.station_velocity, &mut step.station_velocity);
        std::mem::swap(&mut state.spin, &mut step.spin);
        std::mem::swap(&mut state.nodes, &mut self.trial_nodes);
    }

    fn hold_back(&mut self, share: f64) {
        let Self { step, .. } = self;
        step.hold_back(&self.material, &self.rest, &self.state, share);
        place_nodes(&self.rest.layout, &step.trial, &mut self.trial_nodes);
    }

    fn slow_down(&mut self, share: f64) {
        self.step.slow_down(share);
    }

    fn soften(&mut self, over_s: f64) -> Result<(), NotFinite> {
        let (material, rest) = (&self.material, &self.rest);
        self.step.soften(material, rest, &self.state, over_s)
    }

    fn displace(&mut self, motion: &[f64]) {
        let (layout, trial) = (&self.rest.layout, &mut self.step.trial);
        self.state.chain.pose.moved(motion, 1.0, &mut trial.pose);
        trial.evaluate(layout, &Vector3::zeros());
        place_nodes(layout, trial, &mut self.trial_nodes);
    }

    fn settle(&mut self) {
        std::mem::swap(&mut self.state.chain, &mut self.step.trial);
        std::mem::swap(&mut self.state.nodes, &mut self.trial_nodes);
    }

    fn hold_force(&self, k: usize) -> Vector3<f64> {
        self.step
            .holds
            .force(k, &self.step.at_root(), self.step.dt())
    }

    fn energies(&self, gravity_m_s2: &Vector3<f64>) -> [f64; 3] {
        self.measure_energies(gravity_m_s2)
    }

    fn probe(&self, node: usize) -> Probe {
        self.measure(node)
    }

    fn hash(&self, hasher: &mut dyn Hasher) {
        let state = &self.state;
        let mut feed = |x: f64| hasher.write_u64(x.to_bits());
        let pose = &state.chain.pose;
        pose.root
            .iter()
            .chain(pose.frame.iter())
            .for_each(|&x| feed(x));
        let vectors = pose.k.iter().chain(&state.station_velocity);
        vectors.flat_map(|v| v.iter()).for_each(|&x| feed(x));
        let forces = state.forces.iter().flatten();
        forces.for_each(|&x| feed(x));
        let lists = [&state.velocity, &state.spin];
        lists.into_iter().flatten().for_each(|&x| feed(x));
    }

    fn save(&self, slot: &mut Option<Box<dyn Saved>>) {
        self.keep(slot);
    }

    fn restore(&mut self, saved: &dyn Saved) -> bool {
        self.go_back(saved)
    }
}
