//! Loops without a knot, however tangled.

use nalgebra::{Point3, Vector3};

use super::super::diagram::{Diagram, ViewLimits, Viewer};
use super::super::reroute::Rerouter;
use super::super::{KnotNamer, determinant};
use super::random;

/// Ever higher along the way, and straight down at the end: nothing can be knotted.
fn climbing(corners: usize, seed: u64) -> Vec<Point3<f64>> {
    let mut next = random(seed);
    (0..corners)
        .map(|k| Point3::new(next(), next(), k as f64 * 0.2 / corners as f64))
        .collect()
}

fn crossings(corners: &[Point3<f64>]) -> usize {
    let (mut diagram, mut work) = (Diagram::default(), 0);
    Viewer::default().look(corners, &mut diagram, &mut ViewLimits::none(&mut work));
    diagram.crossings()
}

#[test]
fn a_climbing_loop_has_no_knot_however_often_it_crosses_itself() {
    let mut namer = KnotNamer::new();
    for seed in 0..40 {
        let corners = climbing(80, seed);
        let crossings = crossings(&corners);
        assert!(crossings > 250, "seed {seed}: {crossings}");
        assert_eq!(determinant(&corners), 1, "seed {seed}");
        let name = namer.name_closed(corners.iter().copied());
        assert!(name.is_unknot(), "seed {seed}: {name}");
    }
}

#[test]
fn laying_stretches_anew_alone_undoes_a_climbing_loop() {
    for seed in 0..10 {
        let corners = climbing(60, seed + 500);
        let (mut diagram, mut work) = (Diagram::default(), 0);
        Viewer::default().look(&corners, &mut diagram, &mut ViewLimits::none(&mut work));
        assert!(diagram.crossings() > 100, "seed {seed}");
        Rerouter::default().reroute(&mut diagram, &mut work, u64::MAX);
        assert!(
            diagram.crossings() < 3,
            "seed {seed}: {}",
            diagram.crossings()
        );
    }
}

#[test]
fn a_crumpled_ring_has_no_knot() {
    let mut namer = KnotNamer::new();
    for seed in 0..10 {
        let mut next = random(seed + 77);
        // Smooth maps of space onto itself carry no strand through another.
        let mut ring = super::closed(800, |t| [t.cos(), t.sin(), 0.1 * (3.0 * t).sin()]);
        for _ in 0..8 {
            let mut direction = || Vector3::new(next(), next(), next()).normalize();
            let (axis, across) = (direction(), direction());
            let middle = Vector3::new(next(), next(), next());
            for x in &mut ring {
                // Turns about an axis, by an angle that depends only on the place along it and the distance from it.
                let from = x.coords - middle;
                let along = from.dot(&axis);
                let out = (from - axis * along).norm();
                let angle = 3.0 * (along * 2.0 + across.x).sin() * (-out * out).exp();
                let turn = nalgebra::Rotation3::from_scaled_axis(axis * angle);
                *x = Point3::from(middle + turn * from);
            }
        }
        let name = namer.name_closed(ring.iter().copied());
        let crossings = crossings(&ring);
        assert!(crossings > 15, "seed {seed}: {crossings}");
        assert!(
            name.is_unknot(),
            "seed {seed}: {name}, {crossings} crossings"
        );
    }
}

#[test]
fn work_is_bounded() {
    let mut namer = KnotNamer::new();
    for count in [100, 300, 1000, 5000, 20_000] {
        let mut next = random(9);
        let mut at = Point3::origin();
        let walk = (0..count).map(|_| {
            at += Vector3::new(next(), next(), next());
            at
        });
        let walk: Vec<_> = walk.collect();
        namer.name_open(walk);
        // At about ten nanoseconds each; the polynomials come on top, with crossings bounded.
        assert!(namer.work() < 420_000, "{count} corners: {}", namer.work());
    }
}
