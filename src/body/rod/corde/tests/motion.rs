//! Steps: rest, free fall, energy, whips.

use super::*;
use crate::body::{Body, Constraint, RodMaterial, SectionShape};

#[test]
fn a_rod_at_rest_stays_at_rest() {
    let straight = laws::design(
        laws::line(0.2, 10),
        4e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    let helix = laws::design(
        laws::helix(0.02, 0.01, 2, 16),
        1e-3,
        laws::material(),
        NaturalShape::AsGiven,
    );
    let given = curly(NaturalShape::AsGiven, false);
    let mut strip = given.clone();
    strip.section = SectionShape::Rectangle {
        half_m: [4e-3, 1e-3],
    };
    for design in [straight, helix, given, strip, laws::arc()] {
        let creep = laws::creep::<Rest, BAND>(&design);
        assert!(creep < 1e-13, "{creep}");
    }
}

#[test]
fn a_whipping_rope_settles_within_a_few_passes() {
    let passes = laws::passes_of_a_whip::<Rest, BAND>();
    println!("{passes} passes");
    assert!(passes <= 8, "{passes} passes");
}

#[test]
fn a_closed_ring_stays_round_and_falls_as_a_stone() {
    let creep = laws::creep::<Rest, BAND>(&laws::ring(24));
    assert!(creep < 1e-13, "{creep}");
    let off = laws::fall_of_a_ring::<Rest, BAND>();
    assert!(off < 1e-11, "{off}");
}

#[test]
fn frames_stay_with_their_edges_in_a_tight_bend() {
    // A rope about a pin, its ends pulled with 0.03 EA as in a tight knot: beside the pin that is shear.
    let material = RodMaterial {
        bending_factor: 0.05,
        mass_damping_per_s: 20.0,
        ..laws::material()
    };
    let mut rod = laws::rod::<Rest, BAND>(&laws::design(
        laws::line(0.1, 40),
        4e-3,
        material,
        NaturalShape::Straight,
    ));
    let pin = rod.nodes()[20];
    let hold = |node: usize, aside: f64| {
        let away = Vector3::new(aside, -1.0, 0.0).normalize();
        let target = pin + away * (1.015 * 0.05);
        Constraint::Node { node, target }
    };
    let holds = [
        hold(0, -0.2),
        Constraint::Node {
            node: 20,
            target: pin,
        },
        hold(40, 0.2),
    ];
    for _ in 0..400 {
        laws::advance_to(&mut rod, 5e-3, &Vector3::zeros(), &holds, 1e-9);
    }
    let at = rod.present();
    let astray = (0..40).map(|k| (at.turn[k].q * Vector3::x() - at.tangent[k]).norm());
    let most = astray.fold(0.0, f64::max);
    let tension = rod.probe(10).tension_n / rod.section().ea_n;
    println!("tension {tension} EA, frames astray by {most}");
    assert!((tension - 0.03).abs() < 0.005, "{tension}");
    assert!(most < 1e-3, "{most}");
}
