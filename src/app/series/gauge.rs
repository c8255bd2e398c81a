//! What is measured at the chosen point of a strand, over time.

use crate::app::colour::ColorMode;
use crate::app::shown::Shown;
use crate::world::{MaterialPoint, Snapshot};

/// What is measured.
pub const GAUGES: [ColorMode; 4] = [
    ColorMode::Tension,
    ColorMode::BendingMoment,
    ColorMode::Twist,
    ColorMode::ContactForce,
];

/// Where it is measured.
#[derive(Debug, Default)]
pub struct Gauge {
    point: Option<MaterialPoint>,
    name: String,
}

impl Gauge {
    /// Measures at another point from now on; whether it is another.
    pub fn choose(&mut self, point: Option<MaterialPoint>, shown: &Shown) -> bool {
        if self.point == point {
            return false;
        }
        self.point = point;
        self.name = point.map_or_else(String::new, |point| name(&point, shown));
        true
    }

    /// Where that is, for people; none while no point is chosen.
    pub fn name(&self) -> Option<&str> {
        self.point.map(|_| self.name.as_str())
    }

    /// Everything that is measured there; not numbers while no point is chosen.
    pub fn measure(&self, snapshot: &Snapshot) -> [f32; GAUGES.len()] {
        let nodes = self.point.and_then(|point| {
            let strand = snapshot.strands.get(point.rod)?;
            let at = strand.first as usize + point.element;
            let inside = point.element + 1 < strand.count as usize;
            let nodes = snapshot.points.get(at..at + 2).filter(|_| inside)?;
            Some((nodes, point.fraction as f32))
        });
        GAUGES.map(|gauge| {
            nodes.map_or(f32::NAN, |(nodes, share)| {
                let [a, b] = [0, 1].map(|k| gauge.value(&nodes[k]));
                a + share * (b - a)
            })
        })
    }
}

fn name(point: &MaterialPoint, shown: &Shown) -> String {
    let strand = shown.scene.spec.rods.get(point.rod);
    let elements = shown.snapshot.strands.get(point.rod);
    let elements = elements.map_or(1.0, |strand| f64::from(strand.count.max(2) - 1));
    let share = 100.0 * (point.element as f64 + point.fraction) / elements;
    format!(
        "{} at {share:.0} %",
        strand.map_or("strand", |rod| &rod.name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_at_a_point_lies_between_its_two_nodes() {
        let scene = crate::scene::load("rope", &[]).expect("ships");
        let world = crate::world::World::new(scene.spec.clone()).expect("builds");
        let mut shown = Shown::new(scene);
        world.snapshot(&mut shown.snapshot);
        let mut gauge = Gauge::default();
        assert!(gauge.measure(&shown.snapshot).iter().all(|x| x.is_nan()));
        let point = MaterialPoint {
            rod: 0,
            element: 7,
            fraction: 0.25,
        };
        assert!(gauge.choose(Some(point), &shown));
        assert!(!gauge.choose(Some(point), &shown), "it is the same point");
        let first = shown.snapshot.strands[0].first as usize;
        shown.snapshot.points[first + 7].tension = 2.0;
        shown.snapshot.points[first + 8].tension = 6.0;
        shown.snapshot.points[first + 8].bending_moment = 0.4;
        let [tension, bending, ..] = gauge.measure(&shown.snapshot);
        assert!((tension - 3.0).abs() < 1e-6 && (bending - 0.1).abs() < 1e-6);
        let beyond = MaterialPoint {
            element: 100_000,
            ..point
        };
        gauge.choose(Some(beyond), &shown);
        assert!(gauge.measure(&shown.snapshot)[0].is_nan());
    }
}
