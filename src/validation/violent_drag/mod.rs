//! Violent drag: whatever hands and needles do, nothing passes through anything.
//!
//! Claim: dragged about at up to 20 m/s, in steps of 1 to 11 ms, a strand neither passes through itself nor through
//! thin moving needles, for every rod model; what is knotted stays knotted.
//!
//! | drag | what happens |
//! |---|---|
//! | knot | the slack overhand knot of the `knot` scene; one end is clamped, a hand has the other and follows a smooth random path |
//! | needles | a slack strand held at one end or both, amid needles of radius 0.5 mm that shoot and spin about |
//!
//! Measured: pieces of centreline that passed through each other or through a needle's axis (0 expected), pieces of
//! steps that had to be held back, the deepest overlap (half a radius is allowed; every pair of pieces is looked at),
//! and steps in which the knot's determinant changed although nothing came between the ends and the far outside (0
//! expected).

mod knot_watch;
mod needles;
mod overlap_watch;
mod path;
mod protocol;

use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::geometry::Shape;
use crate::scene;
use crate::world::{Edit, Hand, MaterialPoint, SolidSpec, SpecError, StepReport, World, WorldSpec};
use knot_watch::KnotWatch;
use overlap_watch::{Needle, OverlapWatch};
use path::{Path, Random};

pub use protocol::{CLAIM, REFERENCE, run};

/// How fast hands and needles move at most, m/s.
pub const FASTEST_M_S: f64 = 20.0;

/// What to drag, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragOptions {
    /// The strand's model.
    pub model: RodModel,
    /// Names the path.
    pub seed: u64,
    /// Time step, s.
    pub dt_s: f64,
    /// How long, s.
    pub seconds: f64,
    /// Needles about a strand; else a hand at a knot.
    pub needles: bool,
    /// What finds the contacts.
    pub detector: DetectorKind,
}

impl DragOptions {
    /// With a time step between 1 and 11 ms that depends on the seed.
    pub fn for_seed(model: RodModel, seed: u64, seconds: f64, needles: bool) -> Self {
        Self {
            model,
            seed,
            dt_s: 1e-3 * (1 + seed % 11) as f64,
            seconds,
            needles,
            detector: DetectorKind::Segments,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DragResult {
    /// Steps taken.
    pub steps: u64,
    /// Extra steps of divided steps.
    pub substeps: u64,
    /// Pieces of steps in which strands were held back.
    pub held_back: u64,
    /// Pairs that passed through each other.
    pub crossings: u64,
    /// Linearisations of the motion.
    pub passes: u64,
    /// Deepest overlap at the start of a piece of a step, over the radius, as the steps report it.
    pub worst_overlap_over_radius: f64,
    /// The same of the straight pieces at the end of steps, as seen by looking at every pair.
    pub witnessed_overlap_over_radius: f64,
    /// Largest error of a friction problem that is said to be solved, over the tolerance.
    pub solved_error_over_tolerance: f64,
    /// Fastest node at the end of a step, m/s.
    pub fastest_m_s: f64,
    /// Whether every step ended with finite numbers.
    pub finite: bool,
    /// Whether the knot's determinant changed only where the strand went around one of its own ends.
    pub knot_kept: bool,
    /// Times it went around an end and the determinant changed.
    pub around_ends: u64,
    /// Determinant at the start and at the end: 3 for the overhand knot.
    pub determinants: [u64; 2],
}

/// Drags a strand about.
pub fn violent_drag(options: &DragOptions) -> Result<DragResult, SpecError> {
    let mut random = Random::new(options.seed);
    let spec = spec(options, &mut random)?;
    let needles = needles_of(&spec);
    let mut world = World::new(spec)?;
    world.apply(Edit::PlayDemo(false))?;
    let hand = Hand(0);
    let nodes = world.rod_nodes(0);
    let end = nodes[nodes.len() - 1];
    let path = Path::random(0.25, FASTEST_M_S, &mut random);
    if !options.needles {
        let element = nodes.len() - 2;
        world.apply(Edit::Grab {
            hand,
            point: MaterialPoint {
                rod: 0,
                element,
                fraction: 1.0,
            },
            target: end,
        })?;
    }
    let tolerance = world.settings().tolerance;
    let mut watch = KnotWatch::new(world.rod_nodes(0));
    let mut overlap = OverlapWatch::default();
    let mut result = DragResult {
        finite: true,
        determinants: [watch.determinant(); 2],
        ..DragResult::default()
    };
    while world.time_s() < options.seconds - 1e-9 {
        if !options.needles {
            let target = end + path.at(world.time_s() + options.dt_s);
            world.apply(Edit::MoveHand { hand, target })?;
        }
        let Ok(step) = world.step() else {
            result.finite = false;
            break;
        };
        result.add(step, tolerance);
        watch.observe(world.rod_nodes(0));
        let posed = needles.iter().map(|&(k, n)| (n, world.solid_pose(k)));
        overlap.observe(world.rod_nodes(0), world.rod_radius_m(0), posed);
    }
    result.witnessed_overlap_over_radius = overlap.deepest_over_radius();
    result.knot_kept = watch.unexplained() == 0;
    result.around_ends = watch.around_ends();
    result.determinants[1] = watch.determinant();
    Ok(result)
}

fn spec(options: &DragOptions, random: &mut Random) -> Result<WorldSpec, SpecError> {
    if options.needles {
        return needles::spec(options, random);
    }
    let sets = [
        format!("rods.model={}", options.model.name()),
        format!("dt={}", options.dt_s),
        format!("detector={}", options.detector.name()),
    ];
    Ok(scene::load("knot", &sets)?.spec)
}

/// Solids that are needles, by their index.
fn needles_of(spec: &WorldSpec) -> Vec<(usize, Needle)> {
    let needle = |solid: &SolidSpec| match solid.shape {
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => Some(Needle {
            radius_m,
            half_length_m,
        }),
        _ => None,
    };
    (0..)
        .zip(&spec.solids)
        .filter_map(|(k, solid)| Some((k, needle(solid)?)))
        .collect()
}

impl DragResult {
    fn add(&mut self, step: &StepReport, tolerance: f64) {
        self.steps += 1;
        self.substeps += step.substeps as u64;
        self.held_back += step.held_back as u64;
        self.crossings += step.crossings as u64;
        self.passes += step.passes as u64;
        self.fastest_m_s = self.fastest_m_s.max(step.max_speed_m_s);
        let overlap = &mut self.worst_overlap_over_radius;
        *overlap = overlap.max(step.penetration_over_radius);
        if step.solved {
            let error = &mut self.solved_error_over_tolerance;
            *error = error.max(step.solver_error / tolerance);
        }
    }
}
