//! What a super-helix is without load: lengths, stations, natural curvatures, stiffness.

use nalgebra::Vector3;

use super::chain::Layout;
use crate::body::{NotFinite, Section};

/// The unloaded rod.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Section: thickness, stiffness, inertia.
    pub section: Section,
    /// Lengths and stations.
    pub layout: Layout,
    /// Natural twist and curvatures of each element, 1/m.
    pub natural: Vec<Vector3<f64>>,
    /// Stiffness of an element against (twist, k₁, k₂), N m³. k₂ is the curvature towards the first director.
    pub stiffness: Vector3<f64>,
}

impl Rest {
    /// A rod of this section and layout.
    pub fn new(section: Section, layout: Layout, natural: Vec<Vector3<f64>>) -> Self {
        let [towards_d1, towards_d2] = section.ei_n_m2;
        let stiffness = Vector3::new(section.gj_n_m2, towards_d2, towards_d1) * layout.length;
        Self {
            section,
            layout,
            natural,
            stiffness,
        }
    }

    /// Elastic energy at these curvatures, J.
    pub fn energy(&self, k: &[Vector3<f64>]) -> f64 {
        let element = |(k, natural): (&Vector3<f64>, &Vector3<f64>)| {
            let strain = k - natural;
            0.5 * self.stiffness.component_mul(&strain).dot(&strain)
        };
        k.iter().zip(&self.natural).map(element).sum()
    }

    /// Reports the first piece that lies in the element of an unknown.
    pub fn not_finite(&self, what: &'static str, dof: usize) -> NotFinite {
        let element = dof.saturating_sub(6) / 3;
        let last = self.layout.nodes.len() - 2;
        let node = self
            .layout
            .element_of_node
            .iter()
            .position(|&e| e >= element);
        NotFinite {
            what,
            element: node.map_or(last, |node| node.saturating_sub(1).min(last)),
        }
    }
}
