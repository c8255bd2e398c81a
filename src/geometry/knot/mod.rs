//! Which knot a strand makes.
//!
//! ```text
//!   close       an open strand's ends go on to the far outside, where there is most room
//!   straighten  corners go whose triangle nothing passes through
//!   look        from several sides: crossings, over and under, with signs; the view with the fewest counts
//!   simplify    loops and bigons go
//!   reroute     stretches that are over (or under) everything take the way with the fewest crossings
//!   Δ           the Alexander polynomial, exactly; the Jones polynomial where that does not tell
//!   name        from the table of all knots of at most eight crossings
//! ```
//!
//! The work is bounded: what is still tangled then is called so.

mod alexander;
mod clear;
mod closing;
mod diagram;
mod index_tree;
mod jones;
mod laurent;
mod linking;
mod name;
mod prime_field;
mod reroute;
mod simplify;
mod straighten;
mod table;
#[cfg(test)]
mod tests;

pub use closing::closed_far_outside;
pub use linking::linking_number;
pub use name::{KnotName, Known};

use std::sync::LazyLock;

use nalgebra::Point3;

use alexander::Alexander;
use diagram::{Diagram, ViewLimits, Viewer};
use reroute::Rerouter;
use simplify::Simplifier;
use straighten::Straightener;

/// Boxes and pieces looked at, at most, while corners are left out; each takes about ten nanoseconds.
const STRAIGHTENING: u64 = 220_000;

/// The same, for the views.
const LOOKING: u64 = 80_000;

/// Edges looked at, at most, while stretches are laid anew.
const REROUTING: u64 = 100_000;

/// Crossings of a view, at most.
const CROSSINGS: usize = 400;

/// Names knots; keeps its buffers.
#[derive(Clone, Debug)]
pub struct KnotNamer {
    corners: Vec<Point3<f64>>,
    straightener: Straightener,
    viewer: Viewer,
    diagram: Diagram,
    simplifier: Simplifier,
    rerouter: Rerouter,
    alexander: Alexander,
    work: u64,
}

impl Default for KnotNamer {
    fn default() -> Self {
        Self::new()
    }
}

impl KnotNamer {
    /// Gets the table ready.
    pub fn new() -> Self {
        LazyLock::force(&table::ENTRIES);
        Self {
            corners: Vec::new(),
            straightener: Straightener::default(),
            viewer: Viewer::default(),
            diagram: Diagram::default(),
            simplifier: Simplifier::default(),
            rerouter: Rerouter::default(),
            alexander: Alexander::default(),
            work: 0,
        }
    }

    /// The knot of a closed polygon, the last of these corners joined to the first.
    pub fn name_closed(&mut self, corners: impl IntoIterator<Item = Point3<f64>>) -> KnotName {
        self.corners.clear();
        self.corners.extend(corners);
        self.name()
    }

    /// The knot of an open strand whose ends go on to the far outside.
    pub fn name_open(&mut self, nodes: impl IntoIterator<Item = Point3<f64>>) -> KnotName {
        self.corners.clear();
        self.corners.extend(nodes);
        closing::close(&mut self.corners);
        self.name()
    }

    /// What the last name took: boxes and pieces looked at.
    pub fn work(&self) -> u64 {
        self.work
    }

    fn name(&mut self) -> KnotName {
        self.work = 0;
        let finite = |x: &Point3<f64>| x.coords.iter().all(|c| c.is_finite());
        if self.corners.len() < 4 || !self.corners.iter().all(finite) {
            return KnotName::Unknot;
        }
        self.straightener
            .straighten(&mut self.corners, &mut self.work, STRAIGHTENING);
        let (diagram, work) = (&mut self.diagram, &mut self.work);
        let most = *work + LOOKING;
        let mut limits = ViewLimits {
            work,
            most,
            crossings: CROSSINGS,
        };
        if !self.viewer.look(&self.corners, diagram, &mut limits) {
            return KnotName::Tangled {
                crossings: CROSSINGS,
            };
        }
        self.simplifier.simplify(diagram);
        let most = *work + REROUTING;
        self.rerouter.reroute(diagram, work, most);
        let crossings = self.diagram.crossings();
        if crossings > alexander::MOST_CROSSINGS {
            return KnotName::Tangled { crossings };
        }
        let alexander = self.alexander.polynomial(&self.diagram);
        let jones = || (crossings <= jones::MOST_CROSSINGS).then(|| jones::jones(&self.diagram));
        KnotName::of(crossings, &alexander, jones)
    }
}

/// The determinant |Δ(−1)| of the knot that these corners make, the last joined to the first; whatever work it takes.
pub fn determinant(corners: &[Point3<f64>]) -> u64 {
    let (mut corners, mut work) = (corners.to_vec(), 0);
    let mut diagram = Diagram::default();
    if corners.len() < 4 {
        return 1;
    }
    Straightener::default().straighten(&mut corners, &mut work, u64::MAX);
    Viewer::default().look(&corners, &mut diagram, &mut ViewLimits::none(&mut work));
    Simplifier::default().simplify(&mut diagram);
    Rerouter::default().reroute(&mut diagram, &mut work, u64::MAX);
    Alexander::default().determinant(&diagram)
}
