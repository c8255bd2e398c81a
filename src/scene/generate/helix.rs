//! A helix about an axis: x(φ) = from + a h φ/2π + R (e₁ cos(φ + φ₀) + e₂ sin(φ + φ₀)), φ from 0 to 2π n. Without pitch
//! and with less than a turn it is an arc.

use std::f64::consts::TAU;

use nalgebra::{Point3, Unit, Vector3};

/// What describes it.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct Helix {
    /// Where the axis starts, m.
    pub from: Point3<f64>,
    /// Direction of the axis a.
    pub axis: Unit<Vector3<f64>>,
    /// Distance R of the centreline from the axis, m.
    pub coil_radius_m: f64,
    /// Rise h per turn, m.
    pub pitch_m: f64,
    /// Turns n.
    pub turns: f64,
    /// Angle φ₀ at which it starts, rad; e₁ is along the first world axis that is least along the axis.
    pub start_rad: f64,
}

/// Points per turn: chords differ from the arc by 1e-5 of their length.
const PER_TURN: f64 = 400.0;

/// A fine polyline along the helix.
pub(in crate::scene) fn helix(helix: &Helix) -> Vec<Point3<f64>> {
    let e1 = across(&helix.axis);
    let e2 = helix.axis.cross(&e1);
    let pieces = (helix.turns * PER_TURN).ceil().max(1.0) as usize;
    (0..=pieces)
        .map(|i| {
            let phi = TAU * helix.turns * i as f64 / pieces as f64;
            helix.from
                + helix.axis.into_inner() * (helix.pitch_m * phi / TAU)
                + (e1 * (phi + helix.start_rad).cos() + e2 * (phi + helix.start_rad).sin())
                    * helix.coil_radius_m
        })
        .collect()
}

/// A fine polyline around a circle, its first point repeated at the end; seen from where the normal points it runs
/// anticlockwise.
pub(in crate::scene) fn circle(
    centre: Point3<f64>,
    normal: Unit<Vector3<f64>>,
    radius_m: f64,
) -> Vec<Point3<f64>> {
    let mut points = helix(&Helix {
        from: centre,
        axis: normal,
        coil_radius_m: radius_m,
        pitch_m: 0.0,
        turns: 1.0,
        start_rad: 0.0,
    });
    // The same to the last bit, where a cosine of 2π may be off by one.
    points.pop();
    points.push(points[0]);
    points
}

/// A unit vector across `axis`: the one nearest to the world axis that is least along it.
pub(super) fn across(axis: &Vector3<f64>) -> Vector3<f64> {
    let mut least = Vector3::zeros();
    least[axis.iamin()] = 1.0;
    (least - axis * axis.dot(&least)).normalize()
}

#[cfg(test)]
mod tests {
    use super::super::resample::{length, resample, tests::unevenness};
    use super::*;

    #[test]
    fn length_and_distance_from_the_axis_are_right() {
        let shape = Helix {
            from: Point3::new(1.0, 2.0, 3.0),
            axis: Vector3::y_axis(),
            coil_radius_m: 0.05,
            pitch_m: 0.02,
            turns: 3.5,
            start_rad: 0.0,
        };
        let fine = helix(&shape);
        let exact = 3.5 * (TAU * 0.05).hypot(0.02);
        assert!((length(&fine) / exact - 1.0).abs() < 2e-5);
        let nodes = resample(&fine, 90);
        assert!(unevenness(&nodes) < 1e-9, "{}", unevenness(&nodes));
        for node in nodes {
            let r = (node.x - 1.0).hypot(node.z - 3.0);
            assert!((r - 0.05).abs() < 1e-4 * 0.05);
        }
    }

    #[test]
    fn part_of_a_turn_is_an_arch() {
        let arch = helix(&Helix {
            from: Point3::origin(),
            axis: Vector3::z_axis(),
            coil_radius_m: 0.5,
            pitch_m: 0.0,
            turns: 1.0 / 6.0,
            start_rad: TAU / 6.0,
        });
        let (first, last) = (arch[0], arch[arch.len() - 1]);
        assert!((first.x - 0.25).abs() < 1e-12 && (last.x + 0.25).abs() < 1e-12);
        assert!((first.y - last.y).abs() < 1e-12 && first.y > 0.0);
    }
}
