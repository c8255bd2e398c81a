//! Curves are what they say, and stay within their bounds.

use nalgebra::{Matrix3, Point3, Vector3};

use super::{Dice, HelixData, any_curve};
use crate::geometry::Curve;

fn skew(k: &Vector3<f64>) -> Matrix3<f64> {
    k.cross_matrix()
}

/// Frame and place of a helix at arc length s, by a thousand short turns, each the series of the exponential.
fn slow_helix(helix: &HelixData, s: f64) -> Point3<f64> {
    let steps = 1000;
    let h = s / f64::from(steps);
    let k = skew(&helix.k) * h;
    let (mut turn, mut way, mut term) = (
        Matrix3::identity(),
        Matrix3::identity(),
        Matrix3::identity(),
    );
    for n in 1..12 {
        term = term * k / f64::from(n);
        turn += term;
        way += term / f64::from(n + 1);
    }
    let (mut frame, mut place) = (helix.frame, helix.start);
    for _ in 0..steps {
        place += frame * way * Vector3::x() * h;
        frame *= turn;
    }
    place
}

#[test]
fn a_helix_is_where_its_frame_leads_it() {
    let mut dice = Dice::new(1);
    for _ in 0..300 {
        let helix = HelixData::random(&mut dice);
        let curve = helix.curve();
        let t = dice.between(0.0, 1.0);
        let apart = (curve.point(t) - slow_helix(&helix, t * helix.length)).norm();
        assert!(apart < 1e-13 * (1.0 + helix.length), "{apart} {helix:?}");
    }
}

#[test]
fn nearly_straight_helices_lose_no_digits() {
    // Against the first terms of the series in s, which are exact here: r = r₀ + t s + k×t s²/2 + k×(k×t) s³/6.
    let mut dice = Dice::new(2);
    for _ in 0..300 {
        let k = dice.direction() * dice.scale(1e-12, 1e-5);
        let helix = HelixData {
            start: Point3::origin(),
            frame: Matrix3::identity(),
            k,
            length: 1.0,
        };
        let curve = helix.curve();
        let s = dice.between(0.0, 1.0);
        let once = k.cross(&Vector3::x());
        let expected = Vector3::x() * s + once * (s * s / 2.0) + k.cross(&once) * (s * s * s / 6.0);
        let found = curve.point(s).coords;
        let rounding = [4e-16, 4e-16 * k.norm(), 4e-16 * k.norm()];
        for c in 0..3 {
            assert!((found[c] - expected[c]).abs() < rounding[c] + k.norm().powi(3) / 24.0);
        }
        let bend = (curve.second(s) - once).norm();
        assert!(bend <= 2.0 * k.norm_squared() + 1e-16);
    }
}

#[test]
fn derivatives_are_those_of_the_points() {
    let mut dice = Dice::new(3);
    for _ in 0..2000 {
        let curve = any_curve(&mut dice);
        let t = dice.between(0.1, 0.9);
        let h = 1e-4;
        let jet = curve.jet(t);
        let (before, after) = (curve.point(t - h), curve.point(t + h));
        let limits = curve.limits();
        let first = (after - before) / (2.0 * h);
        let second = (after.coords + before.coords - jet.point * 2.0) / (h * h);
        let bend = limits.third * 20.0 + limits.second * 20.0;
        assert!((first - jet.first).norm() < h * h * bend + 1e-11);
        assert!((second - jet.second).norm() < h * h * bend * 20.0 + 1e-7);
        assert_eq!(curve.derivative(t), jet.first);
        assert_eq!(curve.second(t), jet.second);
    }
}

#[test]
fn bounds_of_derivatives_are_never_passed() {
    let mut dice = Dice::new(4);
    for _ in 0..2000 {
        let curve = any_curve(&mut dice);
        let (x, y) = (dice.between(0.0, 1.0), dice.between(0.0, 1.0));
        let (t0, t1) = (x.min(y), x.max(y));
        let bound = curve.second_bound(t0, t1);
        let limits = curve.limits();
        for k in 0..=20 {
            let t = t0 + (t1 - t0) * f64::from(k) / 20.0;
            let jet = curve.jet(t);
            assert!(jet.second.norm() <= bound * (1.0 + 1e-12) + 1e-15);
            assert!(jet.first.norm() <= curve.length_bound() * (1.0 + 1e-12) + 1e-15);
            let h = 1e-3;
            let third = (curve.second(t + h) - curve.second(t - h)).norm() / (2.0 * h);
            assert!(third <= limits.third * (1.0 + 1e-9) + 1e-11);
        }
        assert_eq!(curve.is_straight(), limits.second == 0.0);
    }
}

#[test]
fn no_tangent_turns_by_more_than_its_bound() {
    let mut dice = Dice::new(14);
    for _ in 0..2000 {
        let curve = any_curve(&mut dice);
        let tangent = |k: i32| curve.derivative(f64::from(k) / 400.0).normalize();
        let tangents: Vec<_> = (0..=400).map(tangent).collect();
        // Twice the half angle: exact for small ones too.
        let angle = |[u, v]: [&Vector3<f64>; 2]| 2.0 * (u - v).norm().atan2((u + v).norm());
        let turn: f64 = tangents.windows(2).map(|t| angle([&t[0], &t[1]])).sum();
        let bound = curve.turn_bound();
        assert!(turn <= bound * (1.0 + 1e-9) + 1e-6, "{turn} > {bound}");
        if matches!(curve, Curve::Helix(_)) && bound < 20.0 {
            assert!(turn >= bound * 0.999, "{turn} of {bound}");
        }
    }
}

#[test]
fn boxes_and_capsules_hold_the_curve() {
    let mut dice = Dice::new(5);
    for _ in 0..3000 {
        let curve = any_curve(&mut dice);
        let bounds = curve.bounds().grown(1e-14);
        let (mut low, mut high) = (curve.point(0.0), curve.point(0.0));
        for k in 0..=200 {
            let p = curve.point(f64::from(k) / 200.0);
            assert!((0..3).all(|c| bounds.low[c] <= p[c] && p[c] <= bounds.high[c]));
            (low, high) = (low.inf(&p), high.sup(&p));
            assert!(within(curve.hull(), &p));
        }
        let loose = (bounds.high - high).amax().max((low - bounds.low).amax());
        let sag = curve.second_bound(0.0, 1.0) / 8.0;
        assert!(
            loose <= 0.1 * sag.min(curve.length_bound()) + 1e-13,
            "{loose} {sag}"
        );
        let (t, half) = (dice.between(0.2, 0.8), dice.between(0.0, 0.2));
        let capsule = curve.capsule(&curve.jet(t), half);
        for k in -20..=20 {
            assert!(within(
                &capsule,
                &curve.point(t + half * f64::from(k) / 20.0)
            ));
        }
    }
}

fn within(capsule: &super::super::Capsule, p: &Point3<f64>) -> bool {
    let apart = p.coords - capsule.centre;
    let length = capsule.half.norm_squared();
    let along = if length > 0.0 {
        (apart.dot(&capsule.half) / length).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    (apart - capsule.half * along).norm() <= capsule.radius * (1.0 + 1e-12) + 1e-14
}
