//! Loops around loops.

use nalgebra::{Point3, Vector3};

use super::super::linking_number;
use super::{closed, random, random_turn};

/// The middle way and a strand that winds around it so many times.
fn wound(times: f64) -> [Vec<Point3<f64>>; 2] {
    let middle = closed(97, |t| [2.0 * t.cos(), 2.0 * t.sin(), 0.0]);
    let around = closed(311, |t| {
        let r = 2.0 + 0.5 * (times * t).cos();
        [r * t.cos(), r * t.sin(), 0.5 * (times * t).sin()]
    });
    [middle, around]
}

#[test]
fn windings_are_counted_with_their_sign() {
    let mut next = random(2);
    for times in [0, 1, 2, 3, 7] {
        let [a, b] = wound(f64::from(times));
        let turn = random_turn(&mut next);
        let turned = |x: &[Point3<f64>]| x.iter().map(|p| turn * p).collect::<Vec<_>>();
        let (a, b) = (turned(&a), turned(&b));
        let number = linking_number(&a, &b);
        assert_eq!(number.abs(), times);
        assert_eq!(linking_number(&b, &a), number);
        let reversed: Vec<_> = b.iter().rev().copied().collect();
        assert_eq!(linking_number(&a, &reversed), -number);
    }
}

#[test]
fn the_number_is_gauss_double_integral() {
    let [a, b] = wound(2.0);
    let edge = |x: &[Point3<f64>], k: usize| {
        let (p, q) = (x[k], x[(k + 1) % x.len()]);
        (nalgebra::center(&p, &q), q - p)
    };
    let mut sum = 0.0;
    for i in 0..a.len() {
        for j in 0..b.len() {
            let ((p, u), (q, v)) = (edge(&a, i), edge(&b, j));
            let r: Vector3<f64> = p - q;
            sum += r.dot(&u.cross(&v)) / r.norm().powi(3);
        }
    }
    let integral = sum / (4.0 * std::f64::consts::PI);
    let number = f64::from(linking_number(&a, &b));
    assert!(
        (integral - number).abs() < 0.02,
        "{integral} against {number}"
    );
}

#[test]
fn loops_side_by_side_are_not_linked() {
    let a = closed(40, |t| [t.cos(), t.sin(), 0.0]);
    let beside: Vec<_> = a.iter().map(|x| x + Vector3::new(1.5, 0.2, 0.3)).collect();
    assert_eq!(linking_number(&a, &beside), 0);
    let away: Vec<_> = a.iter().map(|x| x + Vector3::new(5.0, 0.0, 0.0)).collect();
    assert_eq!(linking_number(&a, &away), 0);
}
