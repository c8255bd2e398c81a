//! Parts of curves.

use super::*;

#[test]
fn a_part_of_a_curve_is_the_curve_between_its_ends() {
    let frame = nalgebra::Rotation3::new(Vector3::new(0.3, -1.2, 0.5));
    let curves = [
        Curve::segment(Point3::new(0.1, 0.2, 0.3), Point3::new(-0.4, 0.5, 1.3)),
        Curve::helix(
            Point3::new(0.1, 0.2, 0.3),
            frame.matrix(),
            &Vector3::new(2.0, 5.0, -3.0),
            0.7,
        ),
        Curve::helix(
            Point3::origin(),
            frame.matrix(),
            &Vector3::new(0.0, 1e-9, 0.0),
            0.7,
        ),
        Curve::cubic([
            Point3::new(0.0, 0.0, 0.0),
            Point3::new(0.3, 0.5, 0.1),
            Point3::new(0.6, -0.5, 0.9),
            Point3::new(1.0, 0.2, 0.3),
        ]),
    ];
    for curve in curves {
        for [from, to] in [[0.0, 0.5], [0.25, 0.3], [0.9, 1.0]] {
            let (part, share) = (curve.part([from, to]), to - from);
            for t in [0.0, 0.3, 1.0] {
                let (a, b) = (part.jet(t), curve.jet(from + share * t));
                assert!((a.point - b.point).norm() < 1e-14, "{curve:?}");
                assert!((a.first - b.first * share).norm() < 1e-13, "{curve:?}");
                assert!((a.second - b.second * share * share).norm() < 1e-12);
            }
            assert!(
                part.second_bound(0.0, 1.0) <= curve.second_bound(from, to) * share * share + 1e-12
            );
            let bounds = part.bounds();
            let inside = (0..=20).all(|k| {
                let p = part.point(f64::from(k) / 20.0);
                let b = bounds.grown(1e-12);
                (0..3).all(|c| b.low[c] <= p[c] && p[c] <= b.high[c])
            });
            assert!(inside, "{curve:?}");
        }
    }
}
