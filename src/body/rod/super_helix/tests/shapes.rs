//! Fitting given shapes, and taking over from one rod to another.

use super::*;

/// An overhand knot: a trefoil cut open, with straight ends.
fn overhand(pieces: usize) -> RodDesign {
    let scale = 0.02;
    let point = |u: f64| {
        let t = u * 5.2;
        let bend = Point3::new(
            t.sin() + 2.0 * (2.0 * t).sin(),
            t.cos() - 2.0 * (2.0 * t).cos(),
            -1.2 * (3.0 * t).sin(),
        );
        bend * scale
    };
    let mut design = straight(1.0, pieces, 1);
    design.centreline = (0..=pieces)
        .map(|k| point(k as f64 / pieces as f64))
        .collect();
    design.helices = None;
    design
}

fn worst_node(rod: &SuperHelix, nodes: &[Point3<f64>]) -> f64 {
    rod.nodes()
        .iter()
        .zip(nodes)
        .map(|(a, b)| (a - b).norm())
        .fold(0.0, f64::max)
}

#[test]
fn a_knot_is_met_within_a_quarter_of_the_radius() {
    for pieces in [60, 120, 200] {
        let design = overhand(pieces);
        let clock = std::time::Instant::now();
        let rod = rod(&design);
        let worst = worst_node(&rod, &design.centreline) / rod.section().radius_m;
        println!(
            "knot of {pieces} pieces: {} helices, off by {worst:.3} radii, {:.0} ms",
            rod.helices(),
            clock.elapsed().as_secs_f64() * 1e3
        );
        assert!(worst <= 0.25, "{worst}");
        assert!(rod.helices() < pieces);
    }
}

#[test]
fn a_helix_is_met_closely() {
    // Directors carried along without twist turn about a helix, whose elements would rather twist: what is left.
    let design = curl(0.02, 0.03, 3.0, 180, 45);
    let rod = rod(&design);
    let worst = worst_node(&rod, &design.centreline);
    println!("helix: off by {worst:.1e} m");
    assert!(worst < 1e-2 * rod.section().radius_m, "{worst}");
    let expected = 3.0 * (0.03_f64.powi(2) + (std::f64::consts::TAU * 0.02).powi(2)).sqrt();
    assert!((rod.length_m() / expected - 1.0).abs() < 1e-3);
}

#[test]
fn a_rod_made_from_a_rod_is_the_same_rod() {
    let mut design = straight(0.3, 24, 6);
    design.natural = NaturalShape::helical(6.0, 5.0);
    let mut first = rod(&design);
    let holds = [clamp_root(&first)];
    for _ in 0..60 {
        step(&mut first, 2e-3, &GRAVITY, &holds);
    }
    let strand = first.strand();
    let second = SuperHelix::new(&design, &strand);
    assert!(
        worst_node(&second, first.nodes()) < 1e-3 * first.section().radius_m,
        "{}",
        worst_node(&second, first.nodes())
    );
    let (a, b) = (first.energies(&GRAVITY), second.energies(&GRAVITY));
    assert!((a[0] / b[0] - 1.0).abs() < 0.05, "{a:?} {b:?}");
    assert!((a[1] / b[1] - 1.0).abs() < 0.02, "{a:?} {b:?}");
    for (a, b) in strand.directors.iter().zip(&second.strand().directors) {
        assert!((a - b).norm() < 1e-2);
    }
}

#[test]
fn one_piece_makes_one_element() {
    let mut design = straight(0.1, 1, 1);
    design.helices = None;
    let mut rod = rod(&design);
    assert_eq!((rod.helices(), rod.dofs()), (1, 9));
    let holds = [clamp_root(&rod)];
    for _ in 0..10 {
        step(&mut rod, 2e-3, &GRAVITY, &holds);
    }
    assert!(rod.nodes()[1].y < 0.0);
}

#[test]
fn points_of_the_curve_agree_with_nodes_and_elements() {
    let mut rod = tangled(4);
    for node in 0..rod.nodes().len() {
        let point = rod.at(rod.arc_of_node(node));
        assert!((point.position - rod.nodes()[node]).norm() < 1e-13);
    }
    let element = rod.element(2);
    let start = rod.at(2.0 * element.length_m);
    assert!((start.position - element.start).norm() < 1e-13);
    assert!((start.frame - element.frame).norm() < 1e-12);
    let h = 1e-5;
    let s = 2.3 * element.length_m;
    let slope = (rod.at(s + h).frame.column(0) - rod.at(s - h).frame.column(0)) / (2.0 * h);
    assert!((slope - rod.at(s).curvature).norm() < 1e-7);
    rod.begin(1e-3, &GRAVITY, &[]);
    rod.linearise().unwrap();
    let (mut curve, mut chord) = (Vec::new(), Vec::new());
    let offset = Vector3::new(1e-3, 2e-3, 0.0);
    rod.curve_jacobian(rod.arc_of_node(5), &offset, &mut curve);
    rod.jacobian(
        Site {
            element: 4,
            fraction: 1.0,
        }
        .into(),
        &offset,
        &mut chord,
    );
    assert!(
        curve
            .iter()
            .zip(&chord)
            .all(|(a, b)| (a - b).norm() < 1e-12)
    );
}

#[test]
fn every_bit_of_the_state_is_hashed_alike() {
    let digest = |rod: &SuperHelix| {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        rod.hash(&mut hasher);
        hasher.finish()
    };
    let (mut a, mut b) = (tangled(4), tangled(4));
    step(&mut a, 1e-3, &GRAVITY, &[]);
    step(&mut b, 1e-3, &GRAVITY, &[]);
    assert_eq!(digest(&a), digest(&b));
    a.state.spin[2] += 1e-15;
    assert_ne!(digest(&a), digest(&b));
}
