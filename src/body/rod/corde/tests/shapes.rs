//! Shapes under load, against what the theory of thin rods says.

use nalgebra::Isometry3;

use super::*;
use crate::body::{Body, Constraint, Site};

#[test]
fn twisting_moment_is_gj_times_twist() {
    let elements = 20;
    let mut m = laws::material();
    m.mass_damping_per_s = 5.0;
    let mut rod = laws::rod::<Rest, BAND>(&laws::design(
        laws::line(0.2, elements),
        3e-3,
        m,
        NaturalShape::Straight,
    ));
    let fixed = laws::clamp(&rod, 0);
    let site = Site {
        element: elements - 1,
        fraction: 1.0,
    };
    let start = rod.frame(site);
    let total = 9.0;
    for step in 1..=600 {
        // More than a full turn: the clamp must not lose count.
        let angle = total * (step as f64 / 300.0).min(1.0);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle);
        let turned = Constraint::Frame {
            site,
            pose: Isometry3::from_parts(start.translation, turn * start.rotation),
        };
        laws::advance(&mut rod, 0.01, &Vector3::zeros(), &[fixed, turned]);
    }
    // Each of the joints turns by φ, and its strain is 4 tan(φ/4).
    let per_joint = total / (elements - 1) as f64;
    let exact = rod.section().gj_n_m2 * per_joint / 0.01;
    let expected = exact * (0.25 * per_joint).tan() / (0.25 * per_joint);
    assert!((expected / exact - 1.0).abs() < 0.01);
    for i in 1..elements {
        let torque = rod.probe(i).twist_moment_n_m;
        assert!(
            (torque / expected - 1.0).abs() < 1e-6,
            "{torque} against {expected}"
        );
    }
}

#[test]
fn a_uniformly_curved_rod_closes_to_its_circle() {
    // Natural curvature 2π/L and no load: the rod rolls up into a ring of radius L/2π.
    let (length, elements) = (0.3, 60);
    let curvature = std::f64::consts::TAU / length;
    let mut m = laws::material();
    m.mass_damping_per_s = 8.0;
    let natural = NaturalShape::helical(curvature, 0.0);
    let mut rod = laws::rod::<Rest, BAND>(&laws::design(
        laws::line(length, elements),
        1e-3,
        m,
        natural,
    ));
    let hold = [laws::clamp(&rod, 0)];
    laws::settle(&mut rod, &Vector3::zeros(), &hold);
    for i in 1..elements {
        assert!(
            (rod.probe(i).curvature_per_m / curvature - 1.0).abs() < 2e-3,
            "node {i}"
        );
    }
    assert!((rod.nodes()[0] - rod.nodes()[elements]).norm() < 0.01 * length);
}
