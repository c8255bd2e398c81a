//! Measures what a scene asks for, while it runs.

use nalgebra::Point3;

use super::pile;
use crate::scene::{Measure, Quantity};
use crate::world::World;

/// One measurement under way.
pub(super) struct Meter {
    measure: Measure,
    state: State,
}

/// What has been gathered so far.
enum State {
    /// Nothing to gather: the value is read off the last state.
    AtEnd,
    Displacement {
        /// Where the nodes were when the clock started.
        from: Option<Vec<Point3<f64>>>,
        largest_m: f64,
    },
    /// (time, place along the direction).
    Track(Vec<(f64, f64)>),
    Force(Force),
    /// The first of what was seen, or the largest.
    One(Option<f64>),
}

/// A force over time.
#[derive(Default)]
struct Force {
    sum_n: f64,
    samples: u64,
    largest_n: f64,
}

impl Force {
    fn add(&mut self, force_n: f64) {
        self.sum_n += force_n;
        self.samples += 1;
        self.largest_n = self.largest_n.max(force_n);
    }
}

impl Meter {
    pub fn new(measure: &Measure) -> Self {
        let state = match measure.quantity {
            Quantity::Displacement { .. } | Quantity::Creep { .. } | Quantity::Drift { .. } => {
                State::Displacement {
                    from: None,
                    largest_m: 0.0,
                }
            }
            Quantity::Acceleration { .. } => State::Track(Vec::new()),
            Quantity::HoldForce { .. } | Quantity::SolidForce { .. } => {
                State::Force(Force::default())
            }
            Quantity::SolidHighest { .. }
            | Quantity::Speed { .. }
            | Quantity::PileRadius { .. } => State::One(None),
            Quantity::SolidTravel { .. }
            | Quantity::EndDistance { .. }
            | Quantity::LowestPoint { .. }
            | Quantity::PileHeight
            | Quantity::Straightness => State::AtEnd,
        };
        Self {
            measure: measure.clone(),
            state,
        }
    }

    /// Takes in the present state of the world.
    pub fn observe(&mut self, world: &World) {
        let now_s = world.time_s();
        // Sums of many dt may fall short of the time they stand for by rounding.
        let reached = |time_s: f64| now_s >= time_s - 1e-9;
        match (&self.measure.quantity, &mut self.state) {
            (&Quantity::Displacement { rod, from_s }, State::Displacement { from, largest_m })
                if reached(from_s) =>
            {
                follow(world.rod_nodes(rod).iter().copied(), from, largest_m);
            }
            (&Quantity::Creep { rod, solid, from_s }, State::Displacement { from, largest_m })
                if reached(from_s) =>
            {
                let seen_from = world.solid_pose(solid).inverse();
                let nodes = world.rod_nodes(rod).iter();
                follow(nodes.map(|node| seen_from * node), from, largest_m);
            }
            (
                Quantity::Acceleration {
                    rod,
                    span,
                    direction,
                    ..
                },
                State::Track(track),
            ) if span.contains(now_s) => {
                track.push((now_s, world.rod_centre(*rod).coords.dot(direction)));
            }
            (Quantity::HoldForce { hold, span }, State::Force(force)) if span.contains(now_s) => {
                force.add(world.hold_force(*hold).norm());
            }
            (Quantity::SolidForce { solid, span }, State::Force(force)) if span.contains(now_s) => {
                force.add(world.solid_force(*solid).norm());
            }
            (Quantity::SolidHighest { solid, from }, State::One(highest)) => {
                let height = world.solid_pose(*solid).translation.y - from.y;
                *highest = Some(highest.map_or(height, |before| before.max(height)));
            }
            (&Quantity::Drift { from_s }, State::Displacement { from, largest_m })
                if reached(from_s) =>
            {
                follow(pile::nodes(world), from, largest_m);
            }
            (Quantity::Speed { span }, State::One(fastest)) if span.contains(now_s) => {
                let speed = world.report().max_speed_m_s;
                *fastest = Some(fastest.map_or(speed, |before| before.max(speed)));
            }
            (&Quantity::PileRadius { from_s }, State::One(first)) if reached(from_s) => {
                first.get_or_insert_with(|| pile::radius(world));
            }
            _ => {}
        }
    }

    /// The entries for the report; nothing where the run was too short to tell.
    pub fn read(&self, world: &World) -> Vec<(String, Option<f64>)> {
        let name = &self.measure.name;
        let one = |value| vec![(name.clone(), value)];
        match (&self.measure.quantity, &self.state) {
            (_, State::Displacement { from, largest_m }) => one(from.as_ref().map(|_| *largest_m)),
            (Quantity::Acceleration { expected_m_s2, .. }, State::Track(track)) => {
                let mut entries = one(acceleration(track));
                if let Some(expected) = expected_m_s2 {
                    entries.push((format!("{name}_expected"), Some(*expected)));
                }
                entries
            }
            (_, State::Force(force)) => {
                let some = |value| (force.samples > 0).then_some(value);
                let mean_n = force.sum_n / force.samples as f64;
                vec![
                    (format!("{name}_mean"), some(mean_n)),
                    (format!("{name}_max"), some(force.largest_n)),
                ]
            }
            (Quantity::SolidHighest { .. }, &State::One(highest)) => one(highest),
            (
                Quantity::SolidTravel {
                    solid,
                    direction,
                    from,
                },
                _,
            ) => {
                let way = world.solid_pose(*solid).translation.vector - from.coords;
                one(Some(way.dot(direction)))
            }
            (&Quantity::EndDistance { rod }, _) => one(end_distance(world.rod_nodes(rod))),
            (&Quantity::LowestPoint { rod }, _) => one(lowest(world.rod_nodes(rod))),
            (Quantity::Speed { .. }, &State::One(fastest)) => one(fastest),
            (Quantity::PileRadius { .. }, &State::One(first)) => vec![
                (format!("{name}_from"), first),
                (format!("{name}_end"), Some(pile::radius(world))),
            ],
            (Quantity::PileHeight, _) => one(Some(pile::height(world))),
            (Quantity::Straightness, _) => {
                let (mean, least) = pile::straightness(world);
                vec![
                    (format!("{name}_mean"), Some(mean)),
                    (format!("{name}_least"), Some(least)),
                ]
            }
            _ => one(None),
        }
    }
}

/// Notes the places the first time, and from then on how far they have changed at most.
fn follow(
    nodes: impl Iterator<Item = Point3<f64>>,
    from: &mut Option<Vec<Point3<f64>>>,
    largest_m: &mut f64,
) {
    match from {
        None => *from = Some(nodes.collect()),
        Some(from) => {
            let moved = from.iter().zip(nodes).map(|(a, b)| (b - a).norm());
            *largest_m = moved.fold(*largest_m, f64::max);
        }
    }
}

fn end_distance(nodes: &[Point3<f64>]) -> Option<f64> {
    Some((nodes.last()? - nodes.first()?).norm())
}

fn lowest(nodes: &[Point3<f64>]) -> Option<f64> {
    nodes.iter().map(|node| node.y).min_by(f64::total_cmp)
}

/// Twice the leading coefficient of the least-squares parabola through (t, x).
///
/// With P₂ the quadratic that is orthogonal to 1 and t on the samples, it is 2 Σ P₂ x / Σ P₂².
fn acceleration(track: &[(f64, f64)]) -> Option<f64> {
    if track.len() < 3 {
        return None;
    }
    let count = track.len() as f64;
    let mean = |f: &dyn Fn(f64) -> f64| track.iter().map(|&(t, _)| f(t)).sum::<f64>() / count;
    let centre = mean(&|t| t);
    let second = mean(&|t| (t - centre).powi(2));
    let third = mean(&|t| (t - centre).powi(3));
    let p2 = |t: f64| {
        let tau = t - centre;
        tau * tau - tau * third / second - second
    };
    // The place itself may be metres while the change is nanometres: measure from the first place.
    let x0 = track[0].1;
    let (mut dot, mut norm) = (0.0, 0.0);
    for &(t, x) in track {
        dot += p2(t) * (x - x0);
        norm += p2(t) * p2(t);
    }
    (norm > 0.0).then_some(2.0 * dot / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_gives_back_its_acceleration() {
        let track: Vec<(f64, f64)> = (0..200)
            .map(|i| f64::from(i) * 2e-3 + 0.1)
            .map(|t| (t, 5.0 - 3.0 * t + 0.5 * 0.0123 * t * t))
            .collect();
        let a = acceleration(&track).expect("enough points");
        assert!((a - 0.0123).abs() < 1e-9, "{a}");
    }

    #[test]
    fn two_points_have_no_acceleration() {
        assert_eq!(acceleration(&[(0.0, 0.0), (1.0, 1.0)]), None);
    }
}
