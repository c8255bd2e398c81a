//! A strand as it is described, whatever model it follows.

use nalgebra::{Point3, Vector3};
use serde::{Deserialize, Serialize};

use super::{RodMaterial, Section, SectionShape};

/// Mechanical models of a strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RodModel {
    /// Helical elements with constant curvatures and twist, exactly inextensible, see [`super::rod::super_helix`].
    SuperHelix,
    /// Nodes and edge twists, see [`super::rod::discrete_elastic`].
    DiscreteElastic,
    /// Nodes and quaternions, see [`super::rod::corde`].
    Corde,
    /// Nodes joined by springs, without twist, see [`super::rod::mass_spring`].
    MassSpring,
}

impl RodModel {
    /// Every model, for lists and panels.
    pub const ALL: [RodModel; 4] = [
        RodModel::SuperHelix,
        RodModel::DiscreteElastic,
        RodModel::Corde,
        RodModel::MassSpring,
    ];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            RodModel::SuperHelix => "super_helix",
            RodModel::DiscreteElastic => "discrete_elastic",
            RodModel::Corde => "corde",
            RodModel::MassSpring => "mass_spring",
        }
    }

    /// The model with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// One sentence on it, for panels.
    pub fn summary(self) -> &'static str {
        match self {
            RodModel::SuperHelix => {
                "smooth helical elements that never stretch: few unknowns, ideal for hair"
            }
            RodModel::DiscreteElastic => {
                "nodes and edge twists: stretches, bends and twists; the all-rounder"
            }
            RodModel::Corde => "nodes and quaternions held together by stiff springs",
            RodModel::MassSpring => "nodes and springs, no twist: the cheapest",
        }
    }
}

/// How a model that has the choice takes its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Elastic forces at the end of the step: any step size is stable.
    #[default]
    Implicit,
    /// Elastic forces at its start, as \[Spillmann07\] does: cheap steps, which must be tiny. CORDE only.
    Explicit,
}

impl Scheme {
    /// Both, for lists.
    pub const ALL: [Scheme; 2] = [Scheme::Implicit, Scheme::Explicit];

    /// The name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Implicit => "implicit",
            Scheme::Explicit => "explicit",
        }
    }

    /// The scheme with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// The shape a strand takes without load.
#[derive(Clone, Debug, PartialEq)]
pub enum NaturalShape {
    /// Straight and untwisted.
    Straight,
    /// As its centreline is given.
    AsGiven,
    /// Curved and twisted: a circle, a helix, or different along the strand.
    Curved {
        /// Curvature towards the first and the second director, 1/m. The strand is divided evenly among the entries.
        curvature_per_m: Vec<[f64; 2]>,
        /// Twist, rad/m, likewise.
        twist_rad_m: Vec<f64>,
    },
}

impl NaturalShape {
    /// The same curvature towards the first director and the same twist everywhere: a circle, or a helix.
    pub fn helical(curvature_per_m: f64, twist_rad_m: f64) -> Self {
        NaturalShape::Curved {
            curvature_per_m: vec![[curvature_per_m, 0.0]],
            twist_rad_m: vec![twist_rad_m],
        }
    }

    /// Mean natural curvatures and twist over a part of the strand, given as shares of its length; zero for a straight
    /// one, and for one that is as given, whose centreline says.
    pub fn mean(&self, from: f64, to: f64) -> [f64; 3] {
        let NaturalShape::Curved {
            curvature_per_m,
            twist_rad_m,
        } = self
        else {
            return [0.0; 3];
        };
        let [k1, k2] =
            [0, 1].map(|c| mean(curvature_per_m.len(), |i| curvature_per_m[i][c], from, to));
        [
            k1,
            k2,
            mean(twist_rad_m.len(), |i| twist_rad_m[i], from, to),
        ]
    }
}

/// Mean over `[from, to]` of a function that has `count` steps on [0, 1].
fn mean(count: usize, step: impl Fn(usize) -> f64, from: f64, to: f64) -> f64 {
    match count {
        0 => 0.0,
        1 => step(0),
        _ => {
            let n = count as f64;
            let (low, high) = (from * n, to * n);
            let share = |i: usize| (high.min(i as f64 + 1.0) - low.max(i as f64)).max(0.0);
            let sum: f64 = (0..count).map(|i| share(i) * step(i)).sum();
            sum / (high - low)
        }
    }
}

/// A strand as it is described. Its centreline gives lengths, pieces and, if it is closed, the joint.
#[derive(Clone, Debug, PartialEq)]
pub struct RodDesign {
    /// Centreline at the start: nodes, at least two, m. A closed strand's first node is repeated at the end.
    pub centreline: Vec<Point3<f64>>,
    /// Whether its ends are joined to a loop.
    pub closed: bool,
    /// Outline of the section.
    pub section: SectionShape,
    /// Where the first director of the first piece points, as far as it can; any way for none.
    pub facing: Option<Vector3<f64>>,
    /// Elasticity, density, damping.
    pub material: RodMaterial,
    /// Shape without load.
    pub natural: NaturalShape,
    /// Helical elements of a super-helix; a quarter of the pieces for none, more where the shape asks for it.
    pub helices: Option<usize>,
    /// How CORDE takes its steps.
    pub scheme: Scheme,
    /// Whether it never moves, whatever touches it: a rail.
    pub fixed: bool,
}

impl RodDesign {
    /// Number of straight pieces that contact and drawing see.
    pub fn pieces(&self) -> usize {
        self.centreline.len() - 1
    }

    /// Stiffness and inertia of the section.
    pub fn section(&self) -> Section {
        Section::new(self.section, &self.material)
    }

    /// Length of each piece, m.
    pub fn lengths(&self) -> Vec<f64> {
        self.centreline
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).norm())
            .collect()
    }
}
