//! The shape of a chain of springs without load: how much each joint bends, and which way the bends turn.
//!
//! ```text
//!          b₁                b₂            a curl: over edge t the bend turns from b₁ to b₂
//!   ── e ──●────── t ────────●── g ──      by the angle θ⁰ about t
//! ```
//!
//! With curvatures κ₁, κ₂ towards the directors, the bend stands at the angle ψ = atan2(κ₁, −κ₂) from the first director
//! in the frame halfway between a joint's edges, and each joint twists the frames by τ: θ⁰ = ψ₂ − ψ₁ + ½ (τ₁ + τ₂).

use nalgebra::Vector3;

use super::bend::Bend;
use super::shape::{Kinematics, State};
use crate::body::rod::discrete_elastic;
use crate::body::rod::nodal::Chain;
use crate::body::{NaturalShape, RodDesign, StrandState};
use crate::math::frame::signed_angle;

/// A joint that naturally bends less than this (rad) has no direction to speak of: no curl is anchored at it.
const SMALLEST_BEND: f64 = 1e-3;

/// What gives the bends at the two ends of an edge their natural turn against each other.
#[derive(Clone, Copy, Debug)]
pub struct Curl {
    /// The edge before, the edge itself, the edge after.
    pub edges: [usize; 3],
    /// Cosine and sine of θ⁰.
    pub turn: [f64; 2],
    /// 1/κ⁰ of the joints at the ends of the edge.
    pub per_bend: [f64; 2],
    /// GJ/l, N m.
    pub stiffness: f64,
}

/// The unloaded shape and the stiffness of the section, for a matrix of this half-bandwidth.
#[derive(Clone, Debug)]
pub struct Rest<const BAND: usize> {
    /// Lengths and section.
    pub chain: Chain,
    /// Natural |b| of each joint (at free ends unused).
    pub kappa: Vec<f64>,
    /// EI/l of each joint, N m.
    pub bending: Vec<f64>,
    /// Curls, where the natural shape has them.
    pub curls: Vec<Curl>,
    /// The same shape with material frames: what another model would start from.
    pub(super) framed: discrete_elastic::Rest,
}

impl<const BAND: usize> Rest<BAND> {
    /// The rest shape of a design.
    pub fn new(design: &RodDesign) -> Self {
        let chain = Chain::new(design);
        let mut rest = Self {
            kappa: vec![0.0; chain.edges() + 1],
            bending: (0..=chain.edges())
                .map(|i| chain.section.mean_ei_n_m2() / chain.node_length(i))
                .collect(),
            curls: Vec::new(),
            framed: discrete_elastic::Rest::new(chain.clone(), design),
            chain,
        };
        match design.natural {
            NaturalShape::Straight => {}
            NaturalShape::AsGiven => rest.rest_as_given(design),
            NaturalShape::Curved { .. } => rest.rest_curved(&design.natural),
        }
        rest
    }

    fn rest_as_given(&mut self, design: &RodDesign) {
        let start = State::new(&StrandState::along(design, &Vector3::zeros()));
        let mut here = Kinematics::default();
        start.moved(&self.chain, &vec![0.0; self.chain.dofs(3)], 0.0, &mut here);
        let mut binormal = vec![Vector3::zeros(); self.chain.edges() + 1];
        for i in self.chain.joints() {
            binormal[i] = self.bend(&here, i).binormal;
            self.kappa[i] = binormal[i].norm();
        }
        self.add_curls(|k, [i, j]| signed_angle(&binormal[i], &binormal[j], &here.edge[k].tangent));
    }

    fn rest_curved(&mut self, natural: &NaturalShape) {
        let strains = self.chain.natural_strains(natural);
        let mut direction = vec![[0.0; 2]; self.kappa.len()];
        for i in self.chain.joints() {
            let l = self.chain.node_length(i);
            let [k1, k2, twist] = strains[i];
            // Two edges of a circle's polygon turn by φ = l/R; their integrated curvature is 2 tan(φ/2).
            self.kappa[i] = 2.0 * (0.5 * k1.hypot(k2) * l).tan();
            direction[i] = [k1.atan2(-k2), twist * l];
        }
        self.add_curls(|_, [i, j]| {
            let ([from, twist], [to, next]) = (direction[i], direction[j]);
            to - from + 0.5 * (twist + next)
        });
    }

    /// Adds the curls whose natural turn over edge k, from joint i to joint j, is `turn(k, [i, j])`.
    fn add_curls(&mut self, turn: impl Fn(usize, [usize; 2]) -> f64) {
        let (edges, closed) = (self.chain.edges(), self.chain.closed);
        let all = if closed {
            0..edges
        } else {
            1..edges.max(2) - 1
        };
        for k in all {
            let joints = [k, if closed { (k + 1) % edges } else { k + 1 }];
            let bends = joints.map(|i| self.kappa[i]);
            if bends.iter().all(|&bend| bend >= SMALLEST_BEND) {
                let angle = turn(k, joints);
                self.curls.push(Curl {
                    edges: [(k + edges - 1) % edges, k, (k + 1) % edges],
                    turn: [angle.cos(), angle.sin()],
                    per_bend: bends.map(|bend| 1.0 / bend),
                    stiffness: self.chain.section.gj_n_m2 / self.chain.length[k],
                });
            }
        }
    }

    /// Bending at a joint.
    #[inline]
    pub fn bend<'a>(&self, at: &'a Kinematics, i: usize) -> &'a Bend {
        &at.bend[i - self.chain.joints().start]
    }
}
