//! Rod models side by side: the time of one step without contacts, on one thread, of a strand that swings from its
//! clamped root, and how that time grows with the number of elements.
//!
//! Steps are taken as [`crate::world::World::step`] takes them: begin, linearise, attempt, again while the equation of
//! motion is off by more than a thousandth of the radius, accept.

use cpu_time::ProcessTime;
use nalgebra::{Point3, Vector3};
use serde::Serialize;

use crate::body::{
    Body, Constraint, NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape, Site,
    StrandState, rod,
};

/// Time step, s.
const DT_S: f64 = 2e-3;
/// Length of the strand, m.
const LENGTH_M: f64 = 0.3;
/// A step is linearised again while it is off by more than this share of the radius …
const PASS_TOLERANCE: f64 = 1e-3;
/// … and at most so often: both as the world does.
const MAX_PASSES: usize = 8;
/// Steps before the clock starts: buffers have their size, the strand moves.
const WARM_UP: usize = 20;
/// Straight pieces per helical element, as where a scene does not say.
const PIECES_PER_HELIX: usize = 4;

/// Models with their sizes: helices of a super-helix, nodes of the others.
pub const ROD_SIZES: [(RodModel, &[usize]); 4] = [
    (RodModel::SuperHelix, &[8, 16, 20, 32, 64]),
    (RodModel::DiscreteElastic, &[100, 300, 1000]),
    (RodModel::Corde, &[100, 300, 1000]),
    (RodModel::MassSpring, &[22, 100, 300, 1000]),
];

/// One model at one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RodRow {
    /// Name of the model.
    pub model: &'static str,
    /// Helices of a super-helix, nodes of the others.
    pub size: usize,
    /// Degrees of freedom.
    pub dofs: usize,
    /// CPU time of a step, µs: the median over the steps.
    pub us_per_step: f64,
    /// Passes of a step: the mean over the steps.
    pub passes: f64,
    /// d log time / d log size from the size before; none for a model's first.
    pub growth: Option<f64>,
}

/// The table.
#[derive(Clone, Debug, Serialize)]
pub struct RodTable {
    /// Time step, s.
    pub dt_s: f64,
    /// Steps measured per row.
    pub steps: usize,
    /// One row per model and size.
    pub rows: Vec<RodRow>,
}

/// Measures every model at every size over so many steps; `done` hears of each row. What is not finite stops it with a
/// sentence.
pub fn rods(steps: usize, mut done: impl FnMut(&RodRow)) -> Result<RodTable, String> {
    let mut rows: Vec<RodRow> = Vec::new();
    for (model, sizes) in ROD_SIZES {
        for &size in sizes {
            let mut row = measure(model, size, steps)?;
            let before = rows.last().filter(|before| before.model == row.model);
            row.growth = before.map(|before| growth(before, &row));
            done(&row);
            rows.push(row);
        }
    }
    Ok(RodTable {
        dt_s: DT_S,
        steps,
        rows,
    })
}

fn growth(before: &RodRow, row: &RodRow) -> f64 {
    (row.us_per_step / before.us_per_step).ln() / (row.size as f64 / before.size as f64).ln()
}

fn measure(model: RodModel, size: usize, steps: usize) -> Result<RodRow, String> {
    let mut swing = Swing::new(model, size);
    let mut passes = 0;
    let mut times = Vec::with_capacity(steps);
    for step in 0..WARM_UP + steps {
        let clock = ProcessTime::now();
        let taken = swing.step();
        let us = clock.elapsed().as_secs_f64() * 1e6;
        let taken = taken.ok_or_else(|| {
            format!(
                "{} of size {size} is not finite after {step} steps",
                model.name()
            )
        })?;
        if step >= WARM_UP {
            times.push(us);
            passes += taken;
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(RodRow {
        model: model.name(),
        size,
        dofs: swing.body.dofs(),
        us_per_step: times[times.len() / 2],
        passes: passes as f64 / steps as f64,
        growth: None,
    })
}

/// A strand that starts level and swings down from its clamped root.
struct Swing {
    body: Box<dyn Body>,
    root: [Constraint; 1],
    velocity: Vec<f64>,
    no_impulse: Vec<f64>,
}

impl Swing {
    fn new(model: RodModel, size: usize) -> Self {
        let design = design(model, size);
        let start = StrandState::along(&design, &Vector3::zeros());
        let body = rod::build(model, &design, &start);
        let site = Site {
            element: 0,
            fraction: 0.0,
        };
        Self {
            root: [Constraint::Frame {
                site,
                pose: body.frame(site),
            }],
            velocity: Vec::new(),
            no_impulse: vec![0.0; body.dofs()],
            body,
        }
    }

    /// Takes a step; returns its passes, or nothing if it went wrong.
    fn step(&mut self) -> Option<usize> {
        let gravity = Vector3::new(0.0, -9.81, 0.0);
        let tolerance = PASS_TOLERANCE * self.body.section().radius_m;
        self.body.begin(DT_S, &gravity, &self.root);
        for pass in 1.. {
            self.body.linearise().ok()?;
            self.velocity.clear();
            self.velocity.extend_from_slice(self.body.free_velocity());
            let off = self.body.attempt(&self.velocity, &self.no_impulse, &[]);
            if off <= tolerance || pass >= MAX_PASSES {
                self.body.check().ok()?;
                self.body.accept();
                return Some(pass);
            }
        }
        None
    }
}

/// A limp strand, as thick as string: what the shipped scenes are made of.
fn design(model: RodModel, size: usize) -> RodDesign {
    let (pieces, helices) = match model {
        RodModel::SuperHelix => (PIECES_PER_HELIX * size, Some(size)),
        _ => (size - 1, None),
    };
    let node = |i: usize| Point3::new(LENGTH_M * i as f64 / pieces as f64, 0.0, 0.0);
    RodDesign {
        centreline: (0..=pieces).map(node).collect(),
        closed: false,
        section: SectionShape::Round { radius_m: 2e-3 },
        facing: None,
        material: RodMaterial {
            youngs_modulus_pa: 5e6,
            poisson_ratio: 0.4,
            density_kg_m3: 1300.0,
            bending_factor: 1.0,
            mass_damping_per_s: 0.5,
            stiffness_damping_s: 2e-3,
        },
        natural: NaturalShape::Straight,
        helices,
        scheme: Scheme::Implicit,
        fixed: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strand_swings_down_in_few_passes() {
        let mut swing = Swing::new(RodModel::DiscreteElastic, 30);
        for _ in 0..50 {
            assert!(swing.step().is_some_and(|passes| passes <= MAX_PASSES));
        }
        let nodes = swing.body.nodes();
        assert!(nodes[0].coords.norm() < 1e-12, "the root is clamped");
        assert!(nodes[29].y < -0.01, "the tip falls");
    }

    #[test]
    fn growth_is_the_exponent() {
        let row = |size, us_per_step| RodRow {
            model: "x",
            size,
            dofs: 0,
            us_per_step,
            passes: 1.0,
            growth: None,
        };
        assert!((growth(&row(10, 3.0), &row(20, 12.0)) - 2.0).abs() < 1e-12);
    }
}
