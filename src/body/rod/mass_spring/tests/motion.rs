//! Steps: rest, free fall, energy, whips.

use super::*;
use crate::body::Body;

#[test]
fn a_rod_at_rest_stays_at_rest() {
    let straight = laws::design(
        laws::line(0.2, 10),
        4e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    assert!(laws::creep::<Plain, BENDS>(&straight) < 1e-13);
    for closed in [false, true] {
        let creep = laws::creep::<Curly, CURLS>(&curly(NaturalShape::AsGiven, closed));
        assert!(creep < 1e-13, "{creep}");
    }
    let helix = laws::design(
        laws::helix(0.02, 0.01, 2, 16),
        1e-3,
        laws::material(),
        NaturalShape::AsGiven,
    );
    assert!(laws::creep::<Curly, CURLS>(&helix) < 1e-13);
    let creep = laws::creep::<Curly, CURLS>(&laws::arc());
    assert!(creep < 1e-13, "{creep}");
}

#[test]
fn a_whipping_rope_settles_within_a_few_passes() {
    let passes = laws::passes_of_a_whip::<Plain, BENDS>();
    println!("{passes} passes");
    assert!(passes <= 8, "{passes} passes");
}

#[test]
fn a_straight_ring_rounds_itself() {
    // Without natural curvature a loop of any shape ends as a circle.
    let mut nodes: Vec<_> = (0..24)
        .map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / 24.0).sin_cos();
            Point3::new(0.05 * cos, 0.03 * sin, 0.004 * (2.0 * cos * sin))
        })
        .collect();
    nodes.push(nodes[0]);
    let mut material = laws::material();
    material.mass_damping_per_s = 5.0;
    let mut design = laws::design(nodes, 2e-3, material, NaturalShape::Straight);
    design.closed = true;
    let mut rod = laws::rod::<Plain, BENDS>(&design);
    laws::settle(&mut rod, &Vector3::zeros(), &[]);
    let curvatures: Vec<f64> = (0..24).map(|i| rod.probe(i).curvature_per_m).collect();
    let (least, most) = curvatures
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(a, b), &k| (a.min(k), b.max(k)));
    assert!(most / least < 1.1, "{curvatures:?}");
}

#[test]
fn directors_stay_across_their_edges() {
    let mut rod = laws::rod::<Plain, BENDS>(&curly(NaturalShape::Straight, false));
    for _ in 0..300 {
        laws::advance(&mut rod, 2e-3, &laws::GRAVITY, &[]);
    }
    let strand = rod.strand();
    for (k, director) in strand.directors.iter().enumerate() {
        assert!((director.norm() - 1.0).abs() < 1e-14);
        assert!(director.dot(&strand.tangent(k)).abs() < 1e-14);
    }
}
