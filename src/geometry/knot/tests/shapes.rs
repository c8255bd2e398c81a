//! Names of strands in space.

use nalgebra::{Point3, Vector3};

use super::super::table::PRIMES;
use super::super::{KnotNamer, closed_far_outside, determinant};
use super::{braid_in_space, random, random_turn, torus_knot};

/// As `name_open` takes it: cut where it is farthest out.
fn opened(mut corners: Vec<Point3<f64>>) -> Vec<Point3<f64>> {
    let from_axis = |x: &Point3<f64>| x.x.hypot(x.y);
    let farthest = (0..corners.len())
        .max_by(|a, b| from_axis(&corners[*a]).total_cmp(&from_axis(&corners[*b])));
    corners.rotate_left(farthest.unwrap_or(0));
    corners
}

#[test]
fn every_prime_knot_of_the_table_is_named_however_it_lies() {
    let mut namer = KnotNamer::new();
    let mut next = random(1);
    for prime in &PRIMES {
        let id = format!("{}_{}", prime.number.0, prime.number.1);
        for fine in [3, 8, 20] {
            let turn = random_turn(&mut next);
            let bend = Vector3::new(next(), next(), next());
            let knot = braid_in_space(prime.braid, fine);
            let lies = |x: &Point3<f64>, jolt: Vector3<f64>| {
                turn * x + (turn * x).coords.cross(&bend) * 0.3 + jolt
            };
            let corners: Vec<Point3<f64>> = knot
                .iter()
                .map(|x| lies(x, Vector3::new(next(), next(), next()) * 0.05))
                .collect();
            let name = namer.name_closed(corners.iter().copied());
            assert_eq!(name.id(), id, "{fine} corners per letter: {name}");
            let open: Vec<_> = opened(knot)
                .iter()
                .map(|x| lies(x, Vector3::zeros()))
                .collect();
            let name = namer.name_open(open);
            assert_eq!(name.id(), id, "open: {name}");
        }
    }
}

#[test]
fn names_are_those_people_use() {
    let mut namer = KnotNamer::new();
    let mut name = |word: &[i8]| namer.name_closed(braid_in_space(word, 8)).to_string();
    assert_eq!(name(&[1]), "unknot");
    assert_eq!(name(&[1, 1, 1]), "trefoil (3_1)");
    assert_eq!(name(&[-1, -1, -1]), "trefoil (3_1)");
    assert_eq!(name(&[1, -2, 1, -2]), "figure-eight (4_1)");
    assert_eq!(name(&[1, 1, 1, 1, 1]), "cinquefoil (5_1)");
    assert_eq!(name(&[1, 1, 1, -2, 1, -2]), "6_2");
}

#[test]
fn sums_of_knots_are_told_from_the_prime_knots_that_share_their_alexander_polynomial() {
    let mut namer = KnotNamer::new();
    let mut name = |word: &[i8]| namer.name_closed(braid_in_space(word, 8)).to_string();
    assert_eq!(name(&[1, 1, 1, 2, 2, 2]), "granny (3_1 # 3_1)");
    assert_eq!(name(&[1, 1, 1, -2, -2, -2]), "square (3_1 # 3_1)");
    assert_eq!(name(&[1, 1, 1, -2, -1, -1, -1, -2]), "8_20");
    assert_eq!(name(&[1, 1, 1, 2, -3, 2, -3]), "3_1 # 4_1");
    assert_eq!(name(&[1, 1, 1, 2, -1, -1, 2, 2]), "8_21");
}

#[test]
fn a_knot_beyond_the_table_is_described() {
    let mut namer = KnotNamer::new();
    let name = namer.name_closed(torus_knot(2.0, 9.0));
    assert_eq!(name.to_string(), "knot with 9 crossings, determinant 9");
    let name = namer.name_closed(torus_knot(2.0, 61.0));
    assert!(name.to_string().starts_with("tangled ("), "{name}");
}

#[test]
fn a_strand_of_thousands_of_corners_is_named() {
    let mut namer = KnotNamer::new();
    let corners = braid_in_space(&[1, -2, 1, -2], 400);
    assert!(corners.len() > 4000);
    assert_eq!(namer.name_closed(corners).id(), "4_1");
}

#[test]
fn an_end_that_was_not_pulled_through_ties_no_knot() {
    let mut namer = KnotNamer::new();
    let trefoil = torus_knot(2.0, 3.0);
    // Of a trefoil, most: with a third missing it hangs together no more.
    let open = &trefoil[..trefoil.len() * 2 / 3];
    assert_eq!(namer.name_open(open.iter().copied()).id(), "0_1");
    let straight = (0..40).map(|k| Point3::new(0.1 * f64::from(k), 0.3, 0.7));
    assert_eq!(namer.name_open(straight).id(), "0_1");
    let flat_spiral = (0..400).map(|k| {
        let t = 0.1 * f64::from(k);
        Point3::new(t * t.cos(), t * t.sin(), 0.0)
    });
    assert_eq!(namer.name_open(flat_spiral).id(), "0_1");
}

#[test]
fn an_open_trefoil_is_one_when_joined_far_outside() {
    let knot = torus_knot(2.0, 3.0);
    let open = &knot[..];
    let out = |x: &Point3<f64>| x.coords;
    let ends = [out(&open[0]), out(&open[open.len() - 1])];
    assert_eq!(determinant(&closed_far_outside(open, ends)), 3);
    let straight: Vec<_> = (0..9)
        .map(|k| Point3::new(f64::from(k), 0.0, 0.0))
        .collect();
    let ends = [-Vector3::x(), Vector3::x()];
    assert_eq!(determinant(&closed_far_outside(&straight, ends)), 1);
}
