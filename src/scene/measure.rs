//! What a scene asks to be measured; [`crate::record`] does the measuring.

use nalgebra::{Point3, Vector3};

/// One entry of the report's `measured`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its key in the report; ends in its unit, such as `creep_m`.
    pub name: String,
    /// What it is.
    pub quantity: Quantity,
}

/// A stretch of simulated time, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its start, s.
    pub from_s: f64,
    /// Its end, s; may be infinite.
    pub to_s: f64,
}

impl Span {
    /// Whether it holds a time.
    pub fn contains(&self, time_s: f64) -> bool {
        (self.from_s..=self.to_s).contains(&time_s)
    }
}

/// What can be measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Largest distance of any node from where it was at `from_s`, at any time until the end, m.
    Displacement {
        /// Which strand.
        rod: usize,
        /// When the places are noted, s.
        from_s: f64,
    },
    /// The same as seen from a solid that moves, in the solid's frame: how far the strand has crept on it, m.
    Creep {
        /// Which strand.
        rod: usize,
        /// On which solid.
        solid: usize,
        /// When the places are noted, s.
        from_s: f64,
    },
    /// Acceleration of the centre of mass along `direction`, by a least-squares parabola, m/s².
    Acceleration {
        /// Which strand.
        rod: usize,
        /// When.
        span: Span,
        /// Unit vector, world frame.
        direction: Vector3<f64>,
        /// What Coulomb's law gives, reported beside it.
        expected_m_s2: Option<f64>,
    },
    /// Magnitude of a hold's force, mean and largest, N.
    HoldForce {
        /// Which hold.
        hold: usize,
        /// When.
        span: Span,
    },
    /// Magnitude of the force of all strands on a solid, mean and largest, N.
    SolidForce {
        /// Which solid.
        solid: usize,
        /// When.
        span: Span,
    },
    /// Distance between the two ends when the run ends, m.
    EndDistance {
        /// Which strand.
        rod: usize,
    },
    /// How far a solid is from where it started, along `direction`, when the run ends, m.
    SolidTravel {
        /// Which solid.
        solid: usize,
        /// Unit vector, world frame.
        direction: Vector3<f64>,
        /// Where it started, m.
        from: Point3<f64>,
    },
    /// The greatest height that a solid has been above where it started, m.
    SolidHighest {
        /// Which solid.
        solid: usize,
        /// Where it started, m.
        from: Point3<f64>,
    },
    /// Height of the lowest node when the run ends, m.
    LowestPoint {
        /// Which strand.
        rod: usize,
    },
    /// Largest distance of any node of any strand from where it was at `from_s`, at any time until the end, m.
    Drift {
        /// When the places are noted, s.
        from_s: f64,
    },
    /// Largest speed of any node of any strand, m/s.
    Speed {
        /// When.
        span: Span,
    },
    /// How far nodes of all strands are from their middle, seen from above: root of the mean square, at `from_s` and when
    /// the run ends, m.
    PileRadius {
        /// When it is measured first, s.
        from_s: f64,
    },
    /// Height of the highest node of all strands when the run ends, m.
    PileHeight,
    /// Distance between the ends over length, of all strands when the run ends: mean and least. 1 is straight.
    Straightness,
}
