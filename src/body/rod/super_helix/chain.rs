//! The whole chain of elements: where its sections are, and how they move with the unknowns.
//!
//! ```text
//!   unknowns   0 1 2   3 4 5   6 7 8   9 …          velocity of the root, its turn, k̇ of element 0, 1, …
//!   stations   n0 · · n1 · · | · n2 …               nodes and Gauss points of an element, in order along it
//! ```
//!
//! For a point r beyond element i, dr/dkᵢ = Aᵢ − [r]× Ωᵢ with Ωᵢ = Rᵢ V(kᵢ, l) and Aᵢ = dxᵢ₊₁/dkᵢ + [xᵢ₊₁]× Ωᵢ. All
//! positions are taken from the root, which keeps the moments near the rod. The root's own columns have the same form:
//! A = I, Ω = 0 for its velocity, and A = 0, Ω = V(dt ω, 1) for its turn, as R⁺ = exp(dt ω) R.

use nalgebra::{Matrix3, Vector3};

use super::element::{Element, Spot, left_jacobian, rotation, tidy};
use crate::body::Section;

/// Unknowns of the root.
pub const ROOT: usize = 6;
/// Gauss points on [−1, 1] with their weights: exact for polynomials of degree 7, and for elements that turn by about a
/// radian good to 4e-7.
const GAUSS: [(f64, f64); 4] = [
    (-0.861_136_311_594_052_6, 0.347_854_845_137_453_8),
    (-0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
    (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_8),
];

/// A place along the rod that is followed: a node, or a point that carries mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// Arc length from the start of its element, m.
    pub s: f64,
    /// Length it stands for, m; zero for a node.
    pub length: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the tangent, kg m².
    pub polar: f64,
}

/// What never changes: lengths, stations, masses.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Length of an element, m.
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Every station, element by element.
    pub stations: Vec<Station>,
    /// Where each element's stations begin; one more entry at the end.
    pub first: Vec<usize>,
    /// Arc length of each node from the root, m.
    pub arcs: Vec<f64>,
    /// Station of each node.
    pub nodes: Vec<usize>,
    /// Element of each node.
    pub element_of_node: Vec<usize>,
}

impl Layout {
    /// `elements` equal elements; node j at arc length `arcs[j]`, the last at the end.
    pub fn new(elements: usize, arcs: &[f64], section: &Section) -> Self {
        let total = arcs[arcs.len() - 1];
        let length = total / elements as f64;
        let mut layout = Self {
            length,
            elements,
            stations: Vec::with_capacity(GAUSS.len() * elements + arcs.len()),
            first: vec![0],
            arcs: arcs.to_vec(),
            nodes: Vec::with_capacity(arcs.len()),
            element_of_node: Vec::with_capacity(arcs.len()),
        };
        for element in 0..elements {
            let begin = element as f64 * length;
            let mass_point = |&(at, weight): &(f64, f64)| Station {
                s: 0.5 * length * (1.0 + at),
                length: 0.5 * length * weight,
                mass: 0.5 * length * weight * section.line_density_kg_m,
                polar: 0.5 * length * weight * section.polar_inertia_kg_m,
            };
            let mut here: Vec<(Station, bool)> =
                GAUSS.iter().map(|g| (mass_point(g), false)).collect();
            let end = if element + 1 == elements {
                f64::INFINITY
            } else {
                begin + length
            };
            let known = layout.nodes.len();
            let within = arcs[known..].iter().take_while(|&&arc| arc <= end);
            here.extend(within.map(|arc| {
                let s = (arc - begin).clamp(0.0, length);
                (
                    Station {
                        s,
                        length: 0.0,
                        mass: 0.0,
                        polar: 0.0,
                    },
                    true,
                )
            }));
            here.sort_by(|a, b| a.0.s.total_cmp(&b.0.s));
            for (station, node) in here {
                if node {
                    layout.nodes.push(layout.stations.len());
                    layout.element_of_node.push(element);
                }
                layout.stations.push(station);
            }
            layout.first.push(layout.stations.len());
        }
        layout
    }

    /// Number of unknowns.
    pub fn dofs(&self) -> usize {
        ROOT + 3 * self.elements
    }

    /// Element and arc length within it of an arc length from the root.
    pub fn locate(&self, arc: f64) -> (usize, f64) {
        let element = ((arc / self.length) as usize).min(self.elements - 1);
        (
            element,
            (arc - element as f64 * self.length).clamp(0.0, self.length),
        )
    }
}

/// Position, frame and curvatures: what the unknowns are the rates of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Position of the root, m.
    pub root: Vector3<f64>,
    /// Its frame.
    pub frame: Matrix3<f64>,
    /// Twist and curvatures of each element, 1/m.
    pub k: Vec<Vector3<f64>>,
}

impl Pose {
    /// Moves on at velocity `v` for `dt`, into `out`.
    pub fn moved(&self, v: &[f64], dt: f64, out: &mut Pose) {
        out.root = self.root + part(v, 0) * dt;
        out.frame = tidy(&(rotation(&(part(v, 1) * dt)) * self.frame));
        out.k.clear();
        out.k.extend(
            self.k
                .iter()
                .enumerate()
                .map(|(i, k)| k + part(v, 2 + i) * dt),
        );
    }
}

/// The k-th three of a list of numbers.
#[inline(always)]
pub fn part(v: &[f64], k: usize) -> Vector3<f64> {
    Vector3::new(v[3 * k], v[3 * k + 1], v[3 * k + 2])
}

/// The chain at some pose.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The pose.
    pub pose: Pose,
    /// Start and frame of each element; one more entry at the end. Positions are from the root.
    pub starts: Vec<(Vector3<f64>, Matrix3<f64>)>,
    /// Each station.
    pub spots: Vec<Spot>,
    /// A of all unknowns, row by row.
    pub lever: [Vec<f64>; 3],
    /// Ω of all unknowns, row by row.
    pub turn: [Vec<f64>; 3],
}

impl Chain {
    /// Follows the pose from root to tip. `root_turn` is dt ω of the root since the pose its rate is measured from.
    pub fn evaluate(&mut self, layout: &Layout, root_turn: &Vector3<f64>) {
        let n = layout.dofs();
        for c in 0..3 {
            self.lever[c].resize(n, 0.0);
            self.turn[c].resize(n, 0.0);
        }
        self.set_columns(0, &Matrix3::identity(), &Matrix3::zeros());
        self.set_columns(1, &Matrix3::zeros(), &left_jacobian(root_turn));
        self.spots.resize(layout.stations.len(), Spot::default());
        self.starts.clear();
        let (mut x, mut frame) = (Vector3::zeros(), self.pose.frame);
        for i in 0..layout.elements {
            self.starts.push((x, frame));
            let element = Element::new(&x, &frame, &self.pose.k[i]);
            let range = layout.first[i]..layout.first[i + 1];
            for (spot, station) in self.spots[range.clone()]
                .iter_mut()
                .zip(&layout.stations[range])
            {
                *spot = element.spot(station.s);
            }
            let end = element.spot(layout.length);
            (x, frame) = (end.x, end.frame);
            self.set_columns(
                2 + i,
                &(end.lever + cross_columns(&x, &end.turn)),
                &end.turn,
            );
        }
        self.starts.push((x, frame));
    }

    #[inline(always)]
    fn set_columns(&mut self, block: usize, lever: &Matrix3<f64>, turn: &Matrix3<f64>) {
        for c in 0..3 {
            for b in 0..3 {
                self.lever[c][3 * block + b] = lever[(c, b)];
                self.turn[c][3 * block + b] = turn[(c, b)];
            }
        }
    }

    /// A and Ω of block `block` of three unknowns.
    #[inline(always)]
    pub fn columns(&self, block: usize) -> (Matrix3<f64>, Matrix3<f64>) {
        let of = |rows: &[Vec<f64>; 3]| Matrix3::from_fn(|c, b| rows[c][3 * block + b]);
        (of(&self.lever), of(&self.turn))
    }

    /// Derivatives of the position and the turn of a place in `element` by the unknown `dof`.
    #[inline(always)]
    pub fn column(&self, spot: &Spot, element: usize, dof: usize) -> (Vector3<f64>, Vector3<f64>) {
        let own = ROOT + 3 * element;
        if dof < own {
            let of = |rows: &[Vec<f64>; 3]| Vector3::new(rows[0][dof], rows[1][dof], rows[2][dof]);
            let turn = of(&self.turn);
            (of(&self.lever) + turn.cross(&spot.x), turn)
        } else if dof < own + 3 {
            (
                spot.lever.column(dof - own).into(),
                spot.turn.column(dof - own).into(),
            )
        } else {
            (Vector3::zeros(), Vector3::zeros())
        }
    }

    /// Unknowns that move a place in `element`: all before this one.
    pub fn reach(element: usize) -> usize {
        ROOT + 3 * element + 3
    }

    /// How fast each node moves and turns when the unknowns change at `v`: `out(node, velocity, turn)`.
    pub fn node_rates(
        &self,
        layout: &Layout,
        v: &[f64],
        mut out: impl FnMut(usize, Vector3<f64>, Vector3<f64>),
    ) {
        // The motion of all that lies beyond an element is a velocity at the root and a turn about it.
        let (mut at_root, mut turn) = (part(v, 0), self.columns(1).1 * part(v, 1));
        let mut node = 0;
        for element in 0..layout.elements {
            let rate = part(v, 2 + element);
            while node < layout.nodes.len() && layout.element_of_node[node] == element {
                let spot = &self.spots[layout.nodes[node]];
                let velocity = at_root + turn.cross(&spot.x) + spot.lever * rate;
                out(node, velocity, turn + spot.turn * rate);
                node += 1;
            }
            let (lever, own) = self.columns(2 + element);
            at_root += lever * rate;
            turn += own * rate;
        }
    }

    /// The section at an arc length from the root, and its element.
    pub fn at(&self, layout: &Layout, arc: f64) -> (Spot, usize) {
        let (element, s) = layout.locate(arc);
        let (x, frame) = &self.starts[element];
        (
            Element::new(x, frame, &self.pose.k[element]).spot(s),
            element,
        )
    }
}

/// v × each column.
#[inline(always)]
pub fn cross_columns(v: &Vector3<f64>, m: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::from_columns(&[
        v.cross(&m.column(0)),
        v.cross(&m.column(1)),
        v.cross(&m.column(2)),
    ])
}
