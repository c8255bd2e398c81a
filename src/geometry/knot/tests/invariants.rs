//! What does not depend on the view.

use nalgebra::Point3;

use super::super::alexander::Alexander;
use super::super::determinant;
use super::super::diagram::{Diagram, ViewLimits, Viewer};
use super::super::reroute::Rerouter;
use super::super::simplify::Simplifier;
use super::{braid_in_space, closed, random, random_turn, torus_knot};

#[test]
fn known_knots_have_their_determinants() {
    assert_eq!(determinant(&closed(50, |t| [t.cos(), t.sin(), 0.0])), 1);
    assert_eq!(determinant(&torus_knot(2.0, 3.0)), 3);
    assert_eq!(determinant(&torus_knot(2.0, 5.0)), 5);
    assert_eq!(determinant(&torus_knot(2.0, 7.0)), 7);
    assert_eq!(determinant(&torus_knot(3.0, 4.0)), 3);
    assert_eq!(determinant(&torus_knot(3.0, 5.0)), 1);
    let eight = closed(200, |t| {
        let r = 2.0 + (2.0 * t).cos();
        [r * (3.0 * t).cos(), r * (3.0 * t).sin(), (4.0 * t).sin()]
    });
    assert_eq!(determinant(&eight), 5);
}

#[test]
fn the_polynomial_is_the_same_from_every_side_simplified_or_not() {
    let (mut alexander, mut viewer) = (Alexander::default(), Viewer::default());
    let mut next = random(5);
    for word in [&[1_i8, 1, 1, 2, -1, 2][..], &[1, -2, 1, 3, -2, -4, 3, -4]] {
        let knot = braid_in_space(word, 4);
        let mut seen = Vec::new();
        for _ in 0..20 {
            let turn = random_turn(&mut next);
            let corners: Vec<Point3<f64>> = knot.iter().map(|x| turn * x).collect();
            let (mut diagram, mut work) = (Diagram::default(), 0);
            assert!(viewer.look(&corners, &mut diagram, &mut ViewLimits::none(&mut work)));
            seen.push(alexander.polynomial(&diagram));
            Simplifier::default().simplify(&mut diagram);
            seen.push(alexander.polynomial(&diagram));
            Rerouter::default().reroute(&mut diagram, &mut work, u64::MAX);
            seen.push(alexander.polynomial(&diagram));
        }
        seen.dedup();
        assert_eq!(seen.len(), 1);
    }
}
