//! The unloaded shape, stiffness and inertia of a strand of nodes and quaternions.

use nalgebra::Vector3;

use super::shape::{Kinematics, State};
use super::strain::Strain;
use crate::body::rod::nodal::Chain;
use crate::body::{NaturalShape, RodDesign, Scheme, StrandState};

/// What ties frames to edges, over EA, in an implicit step.
///
/// It acts as a shear stiffness: a shear force Q turns a frame away from its edge by Q over it. In a knot pulled with
/// 0.03 EA shear forces are of that size, so frames stay within 3·10⁻⁴ of their edges; a cantilever of length L and
/// radius r becomes softer by ¾ (r/L)²/100. Larger values gain nothing that would show and cost digits.
const IMPLICIT_TIE: f64 = 100.0;
/// The same in an explicit step, whose size it limits to about r √(ρ/E), a wave's way through half the thickness; at 100
/// the step would be ten times smaller. A cantilever is softer by ¾ (r/L)².
const EXPLICIT_TIE: f64 = 1.0;

/// The unloaded shape, the stiffness of the section, its inertia.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Lengths and section.
    pub chain: Chain,
    /// Natural strain l û of each joint: twist, curvatures about d₁ and d₂, rad.
    pub u: Vec<Vector3<f64>>,
    /// GJ, EI about d₁, EI about d₂, N m².
    pub stiffness_n_m2: Vector3<f64>,
    /// What ties frames to edges, N.
    pub tie_n: f64,
    /// Moments of inertia about the tangent, d₁ and d₂, per length, kg m.
    pub inertia_kg_m: Vector3<f64>,
    /// Stiffness-proportional damping, which limits explicit steps, s.
    pub damping_s: f64,
}

impl Rest {
    /// The rest shape of a design.
    pub fn new(design: &RodDesign) -> Self {
        let chain = Chain::new(design);
        let section = chain.section;
        let [towards_1, towards_2] = section.ei_n_m2;
        let tie = match design.scheme {
            Scheme::Implicit => IMPLICIT_TIE,
            Scheme::Explicit => EXPLICIT_TIE,
        };
        let polar = section.polar_inertia_kg_m;
        // I₁ : I₂ = a² : b² for ellipses and rectangles; turning about d₁ moves what is off d₁, I₂.
        let [a2, b2] = section.half_m.map(|half| half * half);
        let mut rest = Self {
            u: vec![Vector3::zeros(); chain.edges() + 1],
            stiffness_n_m2: Vector3::new(section.gj_n_m2, towards_2, towards_1),
            tie_n: tie * section.ea_n,
            inertia_kg_m: Vector3::new(1.0, b2 / (a2 + b2), a2 / (a2 + b2)) * polar,
            damping_s: design.material.stiffness_damping_s,
            chain,
        };
        match &design.natural {
            NaturalShape::Straight => {}
            NaturalShape::AsGiven => rest.rest_as_given(design),
            NaturalShape::Curved { .. } => rest.rest_curved(&design.natural),
        }
        rest
    }

    fn rest_as_given(&mut self, design: &RodDesign) {
        let start = State::new(&StrandState::along(design, &Vector3::zeros()));
        let mut here = Kinematics::default();
        start.moved(&self.chain, &vec![0.0; self.chain.dofs(6)], 0.0, &mut here);
        for i in self.chain.joints() {
            self.u[i] = self.strain(&here, i).u;
        }
    }

    fn rest_curved(&mut self, natural: &NaturalShape) {
        let strains = self.chain.natural_strains(natural);
        for i in self.chain.joints() {
            let [k1, k2, twist] = strains[i];
            // Frames half an edge before and after a node are apart by one turn about a fixed axis.
            let turn = Vector3::new(twist, -k2, k1) * self.chain.node_length(i);
            self.u[i] = Strain::of_turn(&turn).u;
        }
    }

    /// Strain at a joint, times its length.
    pub fn strain(&self, at: &Kinematics, i: usize) -> Strain {
        let [e, f] = self.chain.edges_at(i);
        Strain::between(&at.turn[e].q, &at.turn[f].q, at.sign[i])
    }

    /// Moment at a joint, about the tangent, d₁ and d₂, N m.
    pub fn moment(&self, strain: &Strain, i: usize) -> Vector3<f64> {
        self.stiffness_n_m2.component_mul(&(strain.u - self.u[i])) / self.chain.node_length(i)
    }
}
