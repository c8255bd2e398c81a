//! A rail: a strand that never moves, whatever touches it. It has no unknowns; its curve is the spline of the models with
//! nodes.

use std::hash::Hasher;
use std::ops::RangeInclusive;
use std::sync::Arc;

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::nodal::{chain, smooth};
use crate::body::{
    Body, Columns, Constraint, NotFinite, Place, Probe, Push, RodDesign, Saved, Section, Site,
    StrandState, save_into,
};
use crate::geometry::{Curve, Sections};

/// A strand that never moves.
#[derive(Clone, Debug)]
pub struct Rail {
    /// Where it is; its velocities are nil.
    shape: Arc<StrandState>,
    /// Length up to each node, m.
    arcs: Arc<[f64]>,
    closed: bool,
    section: Section,
}

impl Rail {
    /// A rail of this design that is where the strand is.
    pub fn new(design: &RodDesign, start: &StrandState) -> Self {
        let mut shape = start.clone();
        shape.velocities.fill(Vector3::zeros());
        shape.spins.fill(0.0);
        let lengths: Vec<f64> = shape
            .nodes
            .windows(2)
            .map(|p| (p[1] - p[0]).norm())
            .collect();
        Self {
            shape: Arc::new(shape),
            arcs: chain::arcs(&lengths).into(),
            closed: design.closed,
            section: design.section(),
        }
    }

    fn length_m(&self, piece: usize) -> f64 {
        self.arcs[piece + 1] - self.arcs[piece]
    }
}

impl Body for Rail {
    fn dofs(&self) -> usize {
        0
    }

    fn nodes(&self) -> &[Point3<f64>] {
        &self.shape.nodes
    }

    fn trial_nodes(&self) -> &[Point3<f64>] {
        &self.shape.nodes
    }

    fn closed(&self) -> bool {
        self.closed
    }

    fn curves(&self) -> usize {
        self.shape.directors.len()
    }

    fn curve(&self, index: usize) -> (Curve, f64) {
        let curve = smooth::curve(&self.shape.nodes, self.closed, index);
        (curve, self.length_m(index))
    }

    fn arc_at_rest(&self, place: Place) -> f64 {
        chain::arc(&self.arcs, place)
    }

    fn curve_nodes(&self, index: usize) -> RangeInclusive<usize> {
        index..=index + 1
    }

    fn trace(&self, state: &mut Vec<Point3<f64>>, trial: &mut Vec<Point3<f64>>) {
        let nodes = [self.nodes(), self.nodes()];
        smooth::trace(nodes, self.closed, self.section.radius_m, [state, trial]);
    }

    fn site(&self, place: Place) -> Site {
        place.site()
    }

    fn sections(&self) -> Sections {
        Sections::Edges
    }

    fn node_velocity(&self, _node: usize) -> Vector3<f64> {
        Vector3::zeros()
    }

    fn strand(&self) -> StrandState {
        (*self.shape).clone()
    }

    fn set_material(&mut self, design: &RodDesign) {
        self.section = design.section();
    }

    fn section(&self) -> &Section {
        &self.section
    }

    fn mass_kg(&self) -> f64 {
        self.section.line_density_kg_m * self.arcs[self.curves()]
    }

    fn frame(&self, site: Site) -> Isometry3<f64> {
        let tangent = self.shape.tangent(site.element);
        let d1 = self.shape.directors[site.element];
        let axes = Matrix3::from_columns(&[tangent, d1, tangent.cross(&d1)]);
        Isometry3::from_parts(
            Translation3::from(self.shape.nodes[site.node()].coords),
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)),
        )
    }

    fn begin(&mut self, _dt_s: f64, _gravity_m_s2: &Vector3<f64>, _holds: &[Constraint]) {}

    fn linearise(&mut self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn free_velocity(&self) -> &[f64] {
        &[]
    }

    fn foreseen_velocity(&self, _node: usize) -> Vector3<f64> {
        Vector3::zeros()
    }

    fn jacobian(&self, _: Place, _: &Vector3<f64>, _: &mut Vec<Vector3<f64>>) -> usize {
        0
    }

    fn solve(&self, _columns: &mut [Columns], _first: usize) {}

    fn attempt(&mut self, _v: &[f64], _impulse: &[f64], _pushes: &[Push]) -> f64 {
        0.0
    }

    fn check(&self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn accept(&mut self) {}

    fn hold_back(&mut self, _share: f64) {}

    fn slow_down(&mut self, _share: f64) {}

    fn soften(&mut self, _over_s: f64) -> Result<(), NotFinite> {
        Ok(())
    }

    fn displace(&mut self, _motion: &[f64]) {}

    fn settle(&mut self) {}

    fn hold_force(&self, _k: usize) -> Vector3<f64> {
        Vector3::zeros()
    }

    fn energies(&self, _gravity_m_s2: &Vector3<f64>) -> [f64; 3] {
        [0.0; 3]
    }

    fn probe(&self, node: usize) -> Probe {
        let piece = node.min(self.curves() - 1);
        Probe {
            director: self.shape.directors[piece],
            ..Probe::default()
        }
    }

    fn hash(&self, hasher: &mut dyn Hasher) {
        let numbers = self.shape.nodes.iter().flat_map(|node| node.coords.iter());
        numbers.for_each(|x| hasher.write_u64(x.to_bits()));
    }

    fn save(&self, slot: &mut Option<Box<dyn Saved>>) {
        save_into(
            slot,
            |saved: &mut SavedRail| saved.0.clone_from(self),
            || SavedRail(self.clone()),
        );
    }

    fn restore(&mut self, saved: &dyn Saved) -> bool {
        match saved.of_kind::<SavedRail>() {
            Some(saved) if Arc::ptr_eq(&saved.0.shape, &self.shape) => {
                self.clone_from(&saved.0);
                true
            }
            _ => false,
        }
    }
}

/// A rail as it was: its shape is shared.
struct SavedRail(Rail);

impl Saved for SavedRail {
    fn revive(&self) -> Box<dyn Body> {
        Box::new(self.0.clone())
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
