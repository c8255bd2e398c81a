//! Stretch under end load, and inextensibility.

use nalgebra::{Point3, Vector3};

use super::*;

/// A hanging strand whose end is pulled by a force: its tip, m, and the tension in its middle, N.
fn pulled(model: RodModel, force: f64) -> (f64, f64) {
    let mut design = design(line(0.3, 30), 2e-3);
    design.helices = Some(8);
    design.material.mass_damping_per_s = 5.0;
    let mut body = at_rest(model, &design);
    let pin = clamp(body.as_ref(), 0, 0.0);
    // A soft spring with a far target pulls with nearly the same force everywhere.
    let far = 1e3;
    let pull = Constraint::Spring {
        site: Site {
            element: 29,
            fraction: 1.0,
        },
        target: Point3::new(far, 0.0, 0.0),
        stiffness_n_m: force / (far - 0.3),
        damping_n_s_m: 0.0,
        twist: None,
    };
    settle(body.as_mut(), &Vector3::zeros(), &[pin, pull]);
    (body.nodes()[30].x, body.probe(15).tension_n)
}

#[test]
fn an_end_load_stretches_by_ea_where_a_model_can_stretch() {
    let ea = design(line(0.3, 30), 2e-3).section().ea_n;
    let force = 0.02 * ea;
    for model in RodModel::ALL {
        let (tip, tension) = pulled(model, force);
        let stretch = tip / 0.3 - 1.0;
        // The clamp holds the first edge as long as it was.
        let expected = match model {
            RodModel::SuperHelix => 0.0,
            _ => 0.02 * 29.0 / 30.0,
        };
        assert!(
            (stretch - expected).abs() < 1e-4 * 0.02 + 1e-6,
            "{}: {stretch}",
            model.name()
        );
        assert!(
            (tension / force - 1.0).abs() < 1e-3,
            "{}: {tension} N",
            model.name()
        );
    }
}

#[test]
fn a_clamp_bears_the_weight_of_a_curl() {
    for model in RodModel::ALL {
        let node = |k: i32| {
            let angle = 0.2 * f64::from(k);
            Point3::new(0.02 * angle.cos(), -0.003 * angle, 0.02 * angle.sin())
        };
        let mut design = design((0..=60).map(node).collect(), 1.5e-3);
        design.natural = NaturalShape::AsGiven;
        design.helices = Some(20);
        design.material.mass_damping_per_s = 5.0;
        let mut body = at_rest(model, &design);
        let hold = clamp(body.as_ref(), 0, 0.0);
        settle(body.as_mut(), &GRAVITY, &[hold]);
        let weight = Vector3::y() * (9.81 * body.mass_kg());
        let off = (body.hold_force(0) - weight).norm() / weight.norm();
        assert!(off < 1e-3, "{}: off by {off}", model.name());
    }
}
