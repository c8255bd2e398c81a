//! A head of hair: strands that grow all over the scalp of a bust, fall around the head and onto the shoulders, in waves.
//!
//! Lengths in metres, in the frame of the head: y up, the face towards +z.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::noise::Noise;
use crate::geometry::Aabb;
use crate::geometry::mesh::BustPart;

/// Middle of the skull.
const SKULL: [f64; 3] = [0.0, 0.115, -0.015];
/// The crown leans back by this, rad.
const CROWN_TILT: f64 = 0.35;
/// How far hair grows from the crown: in front, and at the nape, rad.
const HAIRLINE: [f64; 2] = [1.25, 1.95];
/// Strands leave the scalp for their way within about this length, m.
const LEAVE_M: f64 = 0.012;
/// Radius of the skull, for ways along it, m.
const SKULL_M: f64 = 0.09;
/// Steps of a way, m.
const STEP_M: f64 = 2e-3;
/// Free room between a strand and what is below it, over its radius.
const ROOM: f64 = 0.35;
/// Strands lie at most so many radii higher than they would alone.
const MOST_LAYERS: usize = 24;
/// Half of the face, which hair leaves free, seen from the middle of the skull, rad.
const FACE_RAD: f64 = 0.95;
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

/// The centrelines, root first; none touches another. From the hairline upwards, each strand lies as low as those before
/// it let it.
pub(in crate::scene) fn hair(hair: &Hair) -> Vec<Vec<Point3<f64>>> {
    let mut noise = Noise(hair.seed);
    let mut strands: Vec<Vec<Point3<f64>>> = Vec::with_capacity(hair.count);
    for root in roots(hair.count).iter().rev() {
        // Neighbours wave almost in step, wherever their roots are.
        let before = root.from_crown_m / hair.wavelength_m;
        let phase = std::f64::consts::TAU * before + 0.2 * noise.next();
        let at_layer = |layer: usize| {
            let layer_m = layer as f64 * hair.radius_m;
            wave(hair, &fall(hair, root, layer_m), phase)
        };
        let free =
            |strand: &Vec<Point3<f64>>| strands.iter().all(|other| !touch(hair, strand, other));
        let strand = (0..MOST_LAYERS).map(at_layer).find(free);
        strands.push(strand.unwrap_or_else(|| at_layer(MOST_LAYERS)));
    }
    strands
}

/// Whether two strands are nearer than they are thick anywhere.
fn touch(hair: &Hair, a: &[Point3<f64>], b: &[Point3<f64>]) -> bool {
    let near = 2.0 * hair.radius_m * (1.0 + ROOM);
    let every = |strand: &[Point3<f64>]| -> Vec<Point3<f64>> {
        strand.iter().copied().step_by(2).collect()
    };
    let (a, b) = (every(a), every(b));
    let apart = Aabb::around(&a).grown(near);
    apart.overlaps(&Aabb::around(&b))
        && (a.iter()).any(|p| b.iter().any(|q| (p - q).norm_squared() < near * near))
}

/// A place on the scalp, as seen from the middle of the skull.
struct Root {
    direction: Vector3<f64>,
    /// Along the scalp, m.
    from_crown_m: f64,
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
            let root = Root {
                direction: tilt * Vector3::new(flat * sin, y, flat * cos),
                from_crown_m: SKULL_M * polar,
            };
            (polar < line).then_some(root)
        });
        let mut on: Vec<Root> = all.flatten().collect();
        if on.len() >= count {
            on.truncate(count);
            return on;
        }
        total += 1;
    }
}

/// The way of a strand without its waves: out of the scalp, over the head, around the face, and down.
fn fall(hair: &Hair, root: &Root, layer_m: f64) -> Vec<(Point3<f64>, Vector3<f64>)> {
    let own = hair.radius_m * (1.0 + ROOM);
    let mut x = surface(&root.direction);
    let outward = BustPart::Head.outward(&x);
    x += outward * own;
    let towards = beside_face(azimuth(&x));
    let mut points = vec![(x, outward)];
    let steps = (hair.length_m / STEP_M).ceil() as usize;
    for k in 1..=steps {
        let s = k as f64 * STEP_M;
        let leaving = outward * (2.0 * (-s / LEAVE_M).exp());
        let mut next = x + (flow(&x, towards) + leaving).normalize() * STEP_M;
        let rise = (s / RISE_M).min(1.0);
        let least = own + layer_m * rise * rise * (3.0 - 2.0 * rise);
        let (distance, normal) = nearest(&next);
        if distance < least {
            next += normal * (least - distance);
        }
        x += (next - x).normalize() * STEP_M;
        points.push((x, normal));
    }
    points
}

/// Angle about the middle of the skull, seen from above: 0 in front, positive towards +x, rad.
fn azimuth(x: &Point3<f64>) -> f64 {
    (x.x - SKULL[0]).atan2(x.z - SKULL[2])
}

/// Where a strand that grows at an azimuth hangs: what grows in front goes around the face, in the order in which it grows.
fn beside_face(azimuth_rad: f64) -> f64 {
    let pi = std::f64::consts::PI;
    // Strands of the parting go to one side or to the other, none stays on it.
    let side = if azimuth_rad < 0.0 { -1.0 } else { 1.0 };
    side * (FACE_RAD + azimuth_rad.abs() * (pi - FACE_RAD) / pi)
}

/// Where a strand goes from a place: away from the crown, down, and to its azimuth.
fn flow(x: &Point3<f64>, towards_rad: f64) -> Vector3<f64> {
    let (_, normal) = nearest(x);
    let here = azimuth(x);
    let (sin, cos) = here.sin_cos();
    let (away, around) = (Vector3::new(sin, 0.0, cos), Vector3::new(cos, 0.0, -sin));
    let top = normal.y.clamp(0.0, 1.0);
    let turn = (3.0 * (towards_rad - here)).clamp(-1.5, 1.5);
    away * (0.8 * top) - Vector3::y() + around * turn
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
            // The distance to a bust is one of first order only.
            assert!(root > WAVY.radius_m && root < 1.6 * WAVY.radius_m, "{root}");
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
