//! The path of the tip through its phase space, and how far two of them are apart.

use nalgebra::{Vector3, Vector6};

use crate::friction::SolverKind;
use crate::geometry::Swing;
use crate::scene::load;
use crate::world::World;

const SCENE: &str = "oscillating_sphere";

/// The tip at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Where it is, m.
    pub place_m: Vector3<f64>,
    /// How it moved in the step, m/s.
    pub velocity_m_s: Vector3<f64>,
}

/// The last two periods of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// By which solver.
    pub solver: SolverKind,
    /// Time step, s.
    pub dt_s: f64,
    /// Period of the ball, s.
    pub period_s: f64,
    /// Steps over the solver's tolerance.
    pub unsolved: usize,
    /// Step by step, two periods.
    moments: Vec<Moment>,
}

impl Orbit {
    /// Runs the scene with a solver. Errors are sentences.
    pub fn of(solver: SolverKind) -> Result<Self, String> {
        let set = format!("solver={}", solver.name());
        let scene = load(SCENE, &[set]).map_err(|why| why.to_string())?;
        let swings = scene
            .spec
            .solids
            .iter()
            .filter_map(|solid| solid.motion.swing);
        let periods: Vec<f64> = swings.map(|swing: Swing| swing.period_s).collect();
        let period_s = *periods.first().ok_or("the scene has nothing that swings")?;
        let dt_s = scene.spec.settings.dt_s;
        let per_period = (period_s / dt_s).round() as usize;
        let steps = (scene.time_s / dt_s).round() as usize;
        let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
        let mut orbit = Self {
            solver,
            dt_s,
            period_s,
            unsolved: 0,
            moments: Vec::with_capacity(2 * per_period),
        };
        let mut before = tip(&world);
        for step in 0..steps {
            let report = world.step().map_err(|fault| fault.to_string())?;
            orbit.unsolved += usize::from(!report.solved);
            let now = tip(&world);
            if step + 2 * per_period >= steps {
                orbit.moments.push(Moment {
                    place_m: now,
                    velocity_m_s: (now - before) / dt_s,
                });
            }
            before = now;
        }
        Ok(orbit)
    }

    /// The last period.
    pub fn last(&self) -> &[Moment] {
        &self.moments[self.moments.len() / 2..]
    }

    /// How much it still changes from a period to the next, over its size.
    pub fn unrest(&self) -> f64 {
        let before = self.phases(&self.moments[..self.moments.len() / 2]);
        farthest(&before, &self.phases(self.last())) / self.size()
    }

    /// The largest distance of two of its points in phase space.
    pub fn size(&self) -> f64 {
        let last = self.phases(self.last());
        let pairs = last
            .iter()
            .flat_map(|p| last.iter().map(move |q| (p - q).norm()));
        pairs.fold(0.0, f64::max)
    }

    /// Velocity over place along an axis, its end joined to its start.
    pub fn closed(&self, axis: usize) -> Vec<[f64; 2]> {
        let last = self.last();
        let points = last.iter().chain(last.first());
        points
            .map(|m| [m.place_m[axis], m.velocity_m_s[axis]])
            .collect()
    }

    /// Points of phase space, m: place, and velocity times the time in which the ball goes through a radian of its swing.
    fn phases(&self, moments: &[Moment]) -> Vec<Vector6<f64>> {
        let radian_s = self.period_s / std::f64::consts::TAU;
        let phase = |m: &Moment| {
            let (x, v) = (m.place_m, m.velocity_m_s * radian_s);
            Vector6::new(x.x, x.y, x.z, v.x, v.y, v.z)
        };
        moments.iter().map(phase).collect()
    }
}

/// How far two orbits are apart at most, as curves in phase space, m.
pub fn apart(a: &Orbit, b: &Orbit) -> f64 {
    let [a, b] = [a, b].map(|orbit| orbit.phases(orbit.last()));
    farthest(&a, &b).max(farthest(&b, &a))
}

/// The largest distance of a point of the first curve from the second, which is closed.
fn farthest(from: &[Vector6<f64>], curve: &[Vector6<f64>]) -> f64 {
    let next = curve.iter().cycle().skip(1);
    let pieces: Vec<(Vector6<f64>, Vector6<f64>)> =
        curve.iter().zip(next).map(|(p, q)| (*p, q - p)).collect();
    let nearest = |x: &Vector6<f64>| {
        let to_piece = |(p, way): &(Vector6<f64>, Vector6<f64>)| {
            let along = (x - p).dot(way) / way.norm_squared().max(f64::MIN_POSITIVE);
            (x - p - way * along.clamp(0.0, 1.0)).norm()
        };
        pieces.iter().map(to_piece).fold(f64::INFINITY, f64::min)
    };
    from.iter().map(nearest).fold(0.0, f64::max)
}

fn tip(world: &World) -> Vector3<f64> {
    let nodes = world.rod_nodes(0);
    nodes[nodes.len() - 1].coords
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shifted_circle_is_as_far_as_it_was_shifted() {
        let circle = |shift: f64| -> Vec<Vector6<f64>> {
            let angles = (0..360).map(|deg| f64::from(deg).to_radians());
            angles
                .map(|t| Vector6::new(t.cos() + shift, 0.0, 0.0, t.sin(), 0.0, 0.0))
                .collect()
        };
        assert!(farthest(&circle(0.0), &circle(0.0)) < 1e-15);
        assert!((farthest(&circle(0.0), &circle(0.1)) - 0.1).abs() < 1e-4);
    }
}
