//! What can be read off a super-helix: energies, probes, the smooth curve itself.

use nalgebra::{Matrix3, Point3, Vector3};

use super::SuperHelix;
use super::chain::Chain;
use crate::body::rod::cuts;
use crate::body::{Body, Probe, Site, StrandState};
use crate::geometry::Curve;
use crate::math::frame::orthonormalise;

/// One helical element: an arc of constant twist and curvatures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HelixElement {
    /// Where it starts, m.
    pub start: Point3<f64>,
    /// Tangent and directors there, as columns.
    pub frame: Matrix3<f64>,
    /// k = (twist, k₁, k₂) in its own frame, 1/m: R′ = R \[k\]×.
    pub curvatures: Vector3<f64>,
    /// m.
    pub length_m: f64,
}

impl HelixElement {
    /// Its shape.
    pub fn curve(&self) -> Curve {
        Curve::helix(self.start, &self.frame, &self.curvatures, self.length_m)
    }
}

/// A point of the smooth centreline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// m.
    pub position: Point3<f64>,
    /// Tangent and directors, as columns.
    pub frame: Matrix3<f64>,
    /// dt/ds, 1/m, world frame.
    pub curvature: Vector3<f64>,
}

impl SuperHelix {
    /// Number of helical elements.
    pub fn helices(&self) -> usize {
        self.rest.layout.elements
    }

    /// Length of the centreline, m.
    pub fn length_m(&self) -> f64 {
        self.rest.layout.length * self.helices() as f64
    }

    /// Arc length of a node from the root, m.
    pub fn arc_of_node(&self, node: usize) -> f64 {
        self.rest.layout.arcs[node]
    }

    /// Arc length from the root of a place on the curve, m.
    pub(super) fn arc(&self, site: Site) -> f64 {
        (site.element as f64 + site.fraction) * self.rest.layout.length
    }

    /// The straight piece at an arc length from the root.
    pub(super) fn piece_at(&self, arc_m: f64) -> Site {
        let arcs = &self.rest.layout.arcs;
        let after = arcs.partition_point(|&arc| arc <= arc_m);
        let element = after.clamp(1, arcs.len() - 1) - 1;
        let (low, high) = (arcs[element], arcs[element + 1]);
        Site {
            element,
            fraction: ((arc_m - low) / (high - low)).clamp(0.0, 1.0),
        }
    }

    /// An element of the accepted state.
    pub fn element(&self, index: usize) -> HelixElement {
        self.element_of(&self.state.chain, index)
    }

    fn element_of(&self, chain: &Chain, index: usize) -> HelixElement {
        let (start, frame) = chain.starts[index];
        HelixElement {
            start: Point3::from(chain.pose.root + start),
            frame,
            curvatures: chain.pose.k[index],
            length_m: self.rest.layout.length,
        }
    }

    /// Into how many straight pieces an element is cut so that none of these chains leaves them by much.
    pub(super) fn pieces_for(&self, chains: [&Chain; 2]) -> usize {
        let curvatures = chains.iter().flat_map(|chain| &chain.pose.k);
        let sharpest = curvatures.fold(0.0_f64, |most, k| most.max(k.y.hypot(k.z)));
        let sag = sharpest * self.rest.layout.length.powi(2) / 8.0;
        cuts(sag, self.rest.section.radius_m)
    }

    /// Points along a chain, so many to each element.
    pub(super) fn points_along(
        &self,
        chain: &Chain,
        per_element: usize,
        out: &mut Vec<Point3<f64>>,
    ) {
        out.clear();
        for index in 0..self.helices() {
            let curve = self.element_of(chain, index).curve();
            let first = usize::from(index > 0);
            let shares = (first..=per_element).map(|k| k as f64 / per_element as f64);
            out.extend(shares.map(|t| curve.point(t)));
        }
    }

    /// The point of the accepted state at an arc length from the root, m.
    pub fn at(&self, arc_m: f64) -> CurvePoint {
        let chain = &self.state.chain;
        let (spot, element) = chain.at(&self.rest.layout, arc_m);
        let k = &chain.pose.k[element];
        CurvePoint {
            position: Point3::from(chain.pose.root + spot.x),
            frame: spot.frame,
            curvature: spot.frame.column(1) * k.z - spot.frame.column(2) * k.y,
        }
    }

    /// Appends, for each of the unknowns from the first on, the velocity of the surface point at `offset` from the
    /// centreline at an arc length, about where the step is linearised.
    pub fn curve_jacobian(&self, arc_m: f64, offset: &Vector3<f64>, out: &mut Vec<Vector3<f64>>) {
        let chain = &self.step.guess;
        let (spot, element) = chain.at(&self.rest.layout, arc_m);
        out.extend((0..Chain::reach(element)).map(|dof| {
            let (x, turn) = chain.column(&spot, element, dof);
            x + turn.cross(offset)
        }));
    }

    pub(super) fn as_strand(&self) -> StrandState {
        let layout = &self.rest.layout;
        let nodes = self.nodes().to_vec();
        let velocities = (0..nodes.len())
            .map(|node| self.node_velocity(node))
            .collect();
        let middle = |piece: usize| 0.5 * (layout.arcs[piece] + layout.arcs[piece + 1]);
        let directors = (0..nodes.len() - 1).map(|piece| {
            let director = self.at(middle(piece)).frame.column(1).into_owned();
            orthonormalise(&director, &(nodes[piece + 1] - nodes[piece]).normalize())
        });
        StrandState {
            directors: directors.collect(),
            spins: (0..nodes.len() - 1)
                .map(|piece| self.spin_at(middle(piece)))
                .collect(),
            velocities,
            nodes,
        }
    }

    /// Turn about the tangent at an arc length, rad/s: between the mass points around it.
    fn spin_at(&self, arc: f64) -> f64 {
        let layout = &self.rest.layout;
        let (element, s) = layout.locate(arc);
        let range = layout.first[element]..layout.first[element + 1];
        let points = range.filter(|&g| layout.stations[g].mass > 0.0);
        let mut before: Option<(f64, f64)> = None;
        for g in points {
            let here = (layout.stations[g].s, self.state.spin[g]);
            if here.0 >= s {
                return match before {
                    None => here.1,
                    Some(last) => last.1 + (here.1 - last.1) * (s - last.0) / (here.0 - last.0),
                };
            }
            before = Some(here);
        }
        before.map_or(0.0, |last| last.1)
    }

    pub(super) fn measure_energies(&self, gravity: &Vector3<f64>) -> [f64; 3] {
        let state = &self.state;
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (g, station) in self.rest.layout.stations.iter().enumerate() {
            let spin = state.spin[g];
            kinetic += 0.5
                * (station.mass * state.station_velocity[g].norm_squared()
                    + station.polar * spin * spin);
            potential -=
                station.mass * gravity.dot(&(state.chain.pose.root + state.chain.spots[g].x));
        }
        [kinetic, self.rest.energy(&state.chain.pose.k), potential]
    }

    pub(super) fn measure(&self, node: usize) -> Probe {
        let (layout, chain) = (&self.rest.layout, &self.state.chain);
        let station = layout.nodes[node];
        let k = self.between_elements(&chain.pose.k, layout.arcs[node]);
        let natural = self.between_elements(&self.rest.natural, layout.arcs[node]);
        let moment = self.rest.stiffness.component_mul(&(k - natural)) / layout.length;
        // The tip's own load pulls at all of the rod, others at half of their surroundings.
        let (own, later) = (
            self.state.forces[station],
            &self.state.forces[station + 1..],
        );
        let share = if later.is_empty() { 1.0 } else { 0.5 };
        let beyond = own * share + later.iter().sum::<Vector3<f64>>();
        Probe {
            director: chain.spots[station].frame.column(1).into(),
            tension_n: -chain.spots[station].frame.column(0).dot(&beyond),
            bending_moment_n_m: moment.y.hypot(moment.z),
            twist_moment_n_m: moment.x,
            curvature_per_m: k.y.hypot(k.z),
            twist_rad_m: k.x,
        }
    }

    /// What elements have on average, at an arc length: linear between their middles.
    fn between_elements(&self, values: &[Vector3<f64>], arc: f64) -> Vector3<f64> {
        let last = values.len() - 1;
        let at = (arc / self.rest.layout.length - 0.5).clamp(0.0, last as f64);
        let low = (at as usize).min(last.saturating_sub(1));
        values[low].lerp(&values[(low + 1).min(last)], at - low as f64)
    }
}
