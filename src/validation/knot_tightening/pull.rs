//! One knot in the scene, drawn tight and watched.

use nalgebra::Vector3;

use crate::geometry::knot::{closed_far_outside, determinant};
use crate::scene::load;
use crate::world::{Edit, World};

const SCENE: &str = "knot_tightening";
/// Places of the holds in the scene: at the start of the cord, and at its end.
const LOWER: usize = 0;
const UPPER: usize = 1;

/// A knot, and for how long it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Pull {
    /// For tables and legends.
    pub name: String,
    /// Changes to the scene.
    pub sets: Vec<String>,
    /// The determinant that tells the knot: 2 n + 1 for one that is wound n times.
    pub determinant: u64,
    /// How long, s; as long as the scene says, if not given.
    pub seconds: Option<f64>,
}

/// One step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// s.
    pub time_s: f64,
    /// Between the ends, m.
    pub end_distance_m: f64,
    /// Pull at the start and at the end of the cord, N.
    pub pull_n: [f64; 2],
    /// Contacts in the one-step problem.
    pub contacts: usize,
    /// Deepest overlap, over the radius.
    pub overlap_over_radius: f64,
}

/// What one run gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Step by step.
    pub moments: Vec<Moment>,
    /// Pairs of pieces that passed through each other.
    pub crossings: usize,
    /// Pieces of steps in which the cord was held back.
    pub held_back: usize,
    /// Extra steps of divided steps.
    pub substeps: usize,
    /// B/r²: the force that would bend the cord about as sharply as it is thick, N.
    pub unit_n: f64,
    /// Determinant of the knot at the start and at the end.
    pub determinants: [u64; 2],
    /// Why the run stopped early, if it did.
    pub fault: Option<String>,
}

impl Pull {
    /// Runs it. Errors are sentences: the knot could not be made.
    pub fn run(&self) -> Result<Track, String> {
        let scene = load(SCENE, &self.sets).map_err(|why| why.to_string())?;
        let section = scene.spec.rods[0].design.section();
        let seconds = self.seconds.unwrap_or(scene.time_s);
        let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
        world
            .apply(Edit::PlayDemo(true))
            .map_err(|why| why.to_string())?;
        let steps = (seconds / world.settings().dt_s).round() as usize;
        let mut track = Track {
            unit_n: section.ei_n_m2[0] / section.radius_m.powi(2),
            determinants: [knot(&world); 2],
            ..Track::default()
        };
        for _ in 0..steps {
            let step = match world.step() {
                Ok(step) => step.clone(),
                Err(fault) => {
                    track.fault = Some(fault.to_string());
                    break;
                }
            };
            track.crossings += step.crossings;
            track.held_back += step.held_back;
            track.substeps += step.substeps;
            let nodes = world.rod_nodes(0);
            let ends = nodes[nodes.len() - 1] - nodes[0];
            let axis = ends.normalize();
            track.moments.push(Moment {
                time_s: world.time_s(),
                end_distance_m: ends.norm(),
                pull_n: [
                    -world.hold_force(LOWER).dot(&axis),
                    world.hold_force(UPPER).dot(&axis),
                ],
                contacts: step.contacts,
                overlap_over_radius: step.penetration_over_radius,
            });
        }
        track.determinants[1] = knot(&world);
        Ok(track)
    }
}

/// The determinant of the cord, its ends led on the way they are pulled.
fn knot(world: &World) -> u64 {
    let aside = Vector3::new(0.01, 1.0, 0.02);
    determinant(&closed_far_outside(world.rod_nodes(0), [-aside, aside]))
}
