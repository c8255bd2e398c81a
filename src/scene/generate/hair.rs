//! A head of hair: strands that grow all over the scalp of a bust, fall around the head and onto the shoulders, in waves.
//!
//! Lengths in metres, in the frame of the head: y up, the face towards +z.

use nalgebra::{Point3, Unit, UnitQuaternion, Vector3};

use super::noise::Noise;
use crate::geometry::mesh::BustPart;

/// Middle of the skull.
const SKULL: [f64; 3] = [0.0, 0.115, -0.015];
/// The crown leans back by this, rad.
const CROWN_TILT: f64 = 0.35;
/// How far hair grows from the crown: in front, and at the nape, rad.
const HAIRLINE: [f64; 2] = [1.05, 1.95];
/// The way turns down within about this length, m.
const FALL_M: f64 = 0.05;
/// Steps of a way, m.
const STEP_M: f64 = 2e-3;
/// Free room between a strand and what is below it, over its radius.
const ROOM: f64 = 0.35;
/// Layers of strands between the hairline and the crown.
const LAYERS: f64 = 3.0;
/// Strands rise from the scalp to their layer, and take up their waves, within this length, m.
const RISE_M: f64 = 0.05;

/// What describes a head of hair.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct Hair {
    /// Strands.
    pub count: usize,
    /// Length of each, m.
    pub length_m: f64,
    /// Radius with which they touch, m.
    pub radius_m: f64,
    /// Half the width of their waves, m.
    pub wave_m: f64,
    /// From wave to wave, m.
    pub wavelength_m: f64,
    /// Which of all heads of hair: no two strands wave in step.
    pub seed: u64,
}

/// The centrelines, root first.
pub(in crate::scene) fn hair(hair: &Hair) -> Vec<Vec<Point3<f64>>> {
    let mut noise = Noise(hair.seed);
    roots(hair.count)
        .iter()
        .map(|root| wave(hair, &fall(hair, root), 0.6 * noise.next()))
        .collect()
}

/// A place on the scalp, as seen from the middle of the skull.
struct Root {
    direction: Vector3<f64>,
    /// 0 at the crown, 1 at the hairline.
    lowness: f64,
}

/// Places all over the scalp, evenly: of points on a spiral around the crown those that are on it.
fn roots(count: usize) -> Vec<Root> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let tilt = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -CROWN_TILT);
    let mut total = count;
    loop {
        let all = (0..total).map(|k| {
            let y = 1.0 - 2.0 * (k as f64 + 0.5) / total as f64;
            let (sin, cos) = (golden * k as f64).sin_cos();
            let flat = (1.0 - y * y).sqrt();
            let (polar, forward) = (y.acos(), cos);
            let share = 0.5 * (1.0 - forward);
            let line = HAIRLINE[0] + (HAIRLINE[1] - HAIRLINE[0]) * share;
            Root {
                direction: tilt * Vector3::new(flat * sin, y, flat * cos),
                lowness: polar / line,
            }
        });
        let mut on: Vec<Root> = all.filter(|root| root.lowness < 1.0).collect();
        if on.len() >= count {
            on.truncate(count);
            return on;
        }
        total += 1;
    }
}

/// The way of a strand without its waves: out of the scalp, over what lies below it, down.
fn fall(hair: &Hair, root: &Root) -> Vec<(Point3<f64>, Vector3<f64>)> {
    let own = hair.radius_m * (1.0 + ROOM);
    let layer = 2.0 * own * LAYERS * (1.0 - root.lowness);
    let mut x = surface(&root.direction);
    let outward = BustPart::Head.outward(&x);
    x += outward * own;
    let mut way = Unit::new_normalize(outward + combed(&root.direction)).into_inner();
    let mut points = vec![(x, outward)];
    let steps = (hair.length_m / STEP_M).ceil() as usize;
    for k in 1..=steps {
        let s = k as f64 * STEP_M;
        way = (way - Vector3::y() * (STEP_M / FALL_M)).normalize();
        let mut next = x + way * STEP_M;
        let rise = (s / RISE_M).min(1.0);
        let least = own + layer * rise * rise * (3.0 - 2.0 * rise);
        let (distance, normal) = nearest(&next);
        if distance < least {
            next += normal * (least - distance);
        }
        way = (next - x).normalize();
        x += way * STEP_M;
        points.push((x, normal));
    }
    points
}

/// Distance to head or shoulders, whichever is nearer, and the way out.
fn nearest(x: &Point3<f64>) -> (f64, Vector3<f64>) {
    let [head, shoulders] = BustPart::ALL.map(|part| part.distance(x));
    let part = if head < shoulders {
        BustPart::Head
    } else {
        BustPart::Shoulders
    };
    (head.min(shoulders), part.outward(x))
}

/// Where the scalp is in a direction from the middle of the skull.
fn surface(direction: &Vector3<f64>) -> Point3<f64> {
    let at = |t: f64| Point3::from(SKULL) + direction * t;
    let (mut low, mut high) = (0.0, 0.3);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if BustPart::Head.distance(&at(middle)) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    at(high)
}

/// Hair is combed out of the face: to its own side in front, straight down behind.
fn combed(direction: &Vector3<f64>) -> Vector3<f64> {
    let front = (direction.z + 0.35).clamp(0.0, 1.0);
    // Strands of the parting go to one side or to the other, none stays on it.
    let side = if direction.x < 0.0 { -1.0 } else { 1.0 };
    Vector3::new(1.6 * side * front, 0.0, -0.9 * front)
}

/// The way with waves from side to side and, less, in and out.
fn wave(hair: &Hair, way: &[(Point3<f64>, Vector3<f64>)], phase: f64) -> Vec<Point3<f64>> {
    let place = |(k, (x, normal)): (usize, &(Point3<f64>, Vector3<f64>))| {
        let s = k as f64 * STEP_M;
        let (before, after) = (k.saturating_sub(1), (k + 1).min(way.len() - 1));
        let along = (way[after].0 - way[before].0).normalize();
        let across = along.cross(normal);
        let grown = (s / RISE_M).min(1.0);
        let size = hair.wave_m * grown * grown * (3.0 - 2.0 * grown);
        let (sin, cos) = (std::f64::consts::TAU * s / hair.wavelength_m + phase).sin_cos();
        x + across * (size * sin) + normal * (0.35 * size * (1.0 + cos))
    };
    way.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAVY: Hair = Hair {
        count: 84,
        length_m: 0.3,
        radius_m: 2.5e-3,
        wave_m: 5e-3,
        wavelength_m: 0.075,
        seed: 1,
    };

    #[test]
    fn strands_grow_out_of_the_scalp_and_stay_outside_of_the_bust() {
        let strands = hair(&WAVY);
        assert_eq!(strands.len(), 84);
        for strand in &strands {
            let root = BustPart::Head.distance(&strand[0]);
            assert!((root - WAVY.radius_m * (1.0 + ROOM)).abs() < 1e-4, "{root}");
            for x in strand {
                assert!(nearest(x).0 > 0.5 * WAVY.radius_m, "inside at {x}");
            }
        }
    }

    #[test]
    fn roots_are_spread_evenly() {
        let roots: Vec<Point3<f64>> = (roots(84).iter())
            .map(|root| surface(&root.direction))
            .collect();
        let nearest = |x: &Point3<f64>| {
            let others = roots.iter().map(|y| (x - y).norm());
            others.filter(|d| *d > 0.0).fold(1.0, f64::min)
        };
        let distances: Vec<f64> = roots.iter().map(nearest).collect();
        let least = distances.iter().copied().fold(1.0, f64::min);
        let most = distances.iter().copied().fold(0.0, f64::max);
        assert!(least > 0.008 && most < 0.04, "{least} to {most} m");
    }

    #[test]
    fn nothing_grows_on_the_face() {
        for root in roots(84) {
            let x = surface(&root.direction);
            assert!(x.z < 0.07 || x.y > 0.12, "{x}");
        }
    }
}
