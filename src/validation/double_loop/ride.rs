//! A ride through both loops, step by step.

use nalgebra::Vector3;

use crate::friction::law::alart_curnier::AlartCurnier;
use crate::scene;
use crate::world::World;

/// Index of the ball among the solids of the scene.
pub(super) const BALL: usize = 0;
/// From the middle of the track to a rail, m.
pub(super) const RAIL_TO_MIDDLE_M: f64 = 0.033;
/// Radius of a rail, m.
pub(super) const RAIL_RADIUS_M: f64 = 0.005;
/// Heights of the tops of the loops above the start, m: 2 (ρ − 0.044).
const TOPS_M: [f64; 2] = [2.0 * (0.16 - 0.044), 2.0 * (0.36 - 0.044)];
/// It has taken a loop when it has come so near to its top, m …
const NEAR_M: f64 = 0.012;

/// What a step took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RideStep {
    /// Contacts.
    pub contacts: usize,
    /// Iterations of the solver.
    pub iterations: usize,
    /// ‖f_AC‖², (N s)².
    pub residual: f64,
}

/// What a ride gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Ride {
    /// Every step.
    pub steps: Vec<RideStep>,
    /// The greatest height of the ball above its start, m.
    pub highest_m: f64,
    /// Where it ends, m.
    pub end: Vector3<f64>,
    /// Pieces that passed through each other.
    pub crossings: usize,
}

impl Ride {
    /// Loops whose tops the ball has reached.
    pub fn loops_taken(&self) -> usize {
        let reached = |top: &&f64| self.highest_m > **top - NEAR_M;
        TOPS_M.iter().filter(reached).count()
    }

    /// Share of the steps of which something holds.
    pub fn share(&self, holds: impl Fn(&RideStep) -> bool) -> f64 {
        let count = self.steps.iter().filter(|step| holds(step)).count();
        count as f64 / self.steps.len() as f64
    }

    /// Most iterations of a step.
    pub fn most_iterations(&self) -> usize {
        self.steps.iter().map(|s| s.iterations).max().unwrap_or(0)
    }

    /// Most contacts of a step.
    pub fn most_contacts(&self) -> usize {
        self.steps.iter().map(|s| s.contacts).max().unwrap_or(0)
    }
}

/// Rides the scene with this friction, as it is otherwise.
pub fn ride(mu: f64) -> Result<Ride, String> {
    let sets = [format!("friction.default={mu}")];
    let scene = scene::load("double_loop", &sets).map_err(|why| why.to_string())?;
    let time_s = scene.time_s;
    let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
    world.keep_guesses();
    let start = world.solid_pose(BALL).translation.y;
    let mut ride = Ride {
        steps: Vec::new(),
        highest_m: 0.0,
        end: Vector3::zeros(),
        crossings: 0,
    };
    while world.time_s() < time_s - 1e-9 {
        let report = world.step().map_err(|why| why.to_string())?;
        let (contacts, iterations) = (report.contacts, report.iterations);
        ride.crossings += report.crossings;
        ride.steps.push(RideStep {
            contacts,
            iterations,
            residual: residual(&world),
        });
        let height = world.solid_pose(BALL).translation.y - start;
        ride.highest_m = ride.highest_m.max(height);
    }
    ride.end = world.solid_pose(BALL).translation.vector;
    Ok(ride)
}

/// ‖f_AC‖² of the last step, with ρ = 3/tr W of each contact.
fn residual(world: &World) -> f64 {
    let Some(handed) = world.handed() else {
        return 0.0;
    };
    let (problem, r) = (handed.problem, handed.impulses);
    let of = |i: usize| {
        let u = problem.w.row_times(i, r) + problem.b[i];
        let law = AlartCurnier {
            mu: problem.mu[i],
            rho: 3.0 / problem.w.diagonal(i).trace(),
        };
        law.value(&r[i], &u).norm_squared()
    };
    (0..problem.len().min(r.len())).map(of).sum()
}
