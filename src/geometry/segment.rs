//! Closest points of two segments, and whether two moving segments pass through each other.

use nalgebra::{Point3, Vector3};

use super::Aabb;
use crate::math::polynomial::positive_roots;

/// Sine of the angle below which two segments count as parallel.
const PARALLEL_SINE: f64 = 1e-6;

/// Parameters (s, t) in [0, 1] of the closest points of two segments. Parallel ones that face each other give the
/// middle of the stretch they share.
pub fn closest_parameters(a: &[Point3<f64>; 2], b: &[Point3<f64>; 2]) -> (f64, f64) {
    let (d1, d2, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (aa, bb, ab) = (d1.norm_squared(), d2.norm_squared(), d1.dot(&d2));
    let (ar, br) = (d1.dot(&r), d2.dot(&r));
    if aa == 0.0 {
        return (
            0.0,
            if bb > 0.0 {
                (br / bb).clamp(0.0, 1.0)
            } else {
                0.0
            },
        );
    }
    if bb == 0.0 {
        return ((-ar / aa).clamp(0.0, 1.0), 0.0);
    }
    let det = aa * bb - ab * ab;
    let mut s = if det > PARALLEL_SINE * PARALLEL_SINE * aa * bb {
        ((ab * br - bb * ar) / det).clamp(0.0, 1.0)
    } else {
        // Both ends of b as parameters of a; the middle of what overlaps [0, 1].
        let (p, q) = (-ar / aa, (ab - ar) / aa);
        let (low, high) = (p.min(q).max(0.0), p.max(q).min(1.0));
        (0.5 * (low + high)).clamp(0.0, 1.0)
    };
    let mut t = (ab * s + br) / bb;
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = ((ab * t - ar) / aa).clamp(0.0, 1.0);
    }
    (s, t)
}

/// The point at parameter s.
#[inline]
pub fn point_at(a: &[Point3<f64>; 2], s: f64) -> Point3<f64> {
    a[0] + (a[1] - a[0]) * s
}

/// Distance of two segments.
pub fn distance(a: &[Point3<f64>; 2], b: &[Point3<f64>; 2]) -> f64 {
    let (s, t) = closest_parameters(a, b);
    (point_at(a, s) - point_at(b, t)).norm()
}

/// A segment whose ends move straight from one place to another.
#[derive(Clone, Copy, Debug)]
pub struct MovingSegment {
    /// Ends before.
    pub from: [Point3<f64>; 2],
    /// Ends after.
    pub to: [Point3<f64>; 2],
}

impl MovingSegment {
    /// The box it stays in.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.from.iter().chain(&self.to))
    }

    /// The longest way an end goes.
    fn travel(&self) -> f64 {
        (0..2)
            .map(|k| (self.to[k] - self.from[k]).norm())
            .fold(0.0, f64::max)
    }

    /// Its ends at a time from 0 to 1.
    pub fn at(&self, t: f64) -> [Point3<f64>; 2] {
        [0, 1].map(|k| self.from[k] + (self.to[k] - self.from[k]) * t)
    }
}

/// Whether two moving segments have passed through each other: an odd number of meetings.
///
/// They meet when they lie in one plane, (a₁−a₀) × (b₁−b₀) · (b₀−a₀) = 0, a cubic in time, and touch there.
pub fn pass_through(a: &MovingSegment, b: &MovingSegment) -> bool {
    if distance(&a.from, &b.from) > a.travel() + b.travel() {
        return false;
    }
    let linear = |f: Vector3<f64>, t: Vector3<f64>| (f, t - f);
    let (u0, u1) = linear(a.from[1] - a.from[0], a.to[1] - a.to[0]);
    let (v0, v1) = linear(b.from[1] - b.from[0], b.to[1] - b.to[0]);
    let (w0, w1) = linear(b.from[0] - a.from[0], b.to[0] - a.to[0]);
    let (c0, c1, c2) = (u0.cross(&v0), u0.cross(&v1) + u1.cross(&v0), u1.cross(&v1));
    let cubic = [
        c0.dot(&w0),
        c0.dot(&w1) + c1.dot(&w0),
        c1.dot(&w1) + c2.dot(&w0),
        c2.dot(&w1),
    ];
    let roots = positive_roots(&cubic);
    let size = u0.norm().max(v0.norm());
    let meetings = roots
        .as_slice()
        .iter()
        .filter(|&&t| t <= 1.0 && distance(&a.at(t), &b.at(t)) <= 1e-9 * size);
    meetings.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn segment() -> impl Strategy<Value = [Point3<f64>; 2]> {
        prop::array::uniform2(prop::array::uniform3(-1.0..1.0_f64))
            .prop_map(|p| p.map(Point3::from))
    }

    proptest! {
        #[test]
        fn closest_points_are_no_farther_than_any_sampled_pair(a in segment(), b in segment()) {
            let found = distance(&a, &b);
            for i in 0..=40 {
                for j in 0..=40 {
                    let sampled = (point_at(&a, i as f64 / 40.0) - point_at(&b, j as f64 / 40.0)).norm();
                    prop_assert!(found <= sampled + 1e-12);
                }
            }
        }

        #[test]
        fn passing_through_is_an_odd_number_of_meetings(a in segment(), b in segment(), c in segment(), d in segment()) {
            // The slow twin: walk through the motion, close in on every instant at which the two lie in one plane, and
            // see whether they touch then.
            let (p, q) = (MovingSegment { from: a, to: b }, MovingSegment { from: c, to: d });
            let side = |t: f64| {
                let (a, b) = (p.at(t), q.at(t));
                (a[1] - a[0]).cross(&(b[1] - b[0])).dot(&(b[0] - a[0])) > 0.0
            };
            let (mut meetings, mut unclear) = (0, false);
            let steps = 5000;
            for k in 0..steps {
                let (mut low, mut high) = (k as f64 / steps as f64, (k + 1) as f64 / steps as f64);
                let before = side(low);
                if before == side(high) {
                    continue;
                }
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if side(middle) == before { low = middle } else { high = middle }
                }
                let near = distance(&p.at(low), &q.at(low));
                meetings += usize::from(near < 1e-8);
                // They graze each other's ends: both answers are right within rounding.
                unclear |= (1e-12..1e-6).contains(&near);
            }
            prop_assume!(!unclear);
            prop_assert_eq!(pass_through(&p, &q), meetings % 2 == 1);
        }
    }

    #[test]
    fn parallel_segments_meet_in_the_middle_of_their_overlap() {
        let a = [Point3::origin(), Point3::new(2.0, 0.0, 0.0)];
        let b = [Point3::new(3.0, 1.0, 0.0), Point3::new(1.0, 1.0, 0.0)];
        let (s, t) = closest_parameters(&a, &b);
        assert!((s - 0.75).abs() < 1e-12 && (t - 0.75).abs() < 1e-12);
    }

    #[test]
    fn a_segment_that_sweeps_through_another_is_seen_however_fast() {
        let still = [Point3::new(-1.0, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0)];
        let other = |y: f64| [Point3::new(0.0, y, -1.0), Point3::new(0.1, y, 1.0)];
        let still = MovingSegment {
            from: still,
            to: still,
        };
        for speed in [1e-3, 1.0, 1e3] {
            assert!(pass_through(
                &still,
                &MovingSegment {
                    from: other(-speed),
                    to: other(speed)
                }
            ));
            assert!(!pass_through(
                &still,
                &MovingSegment {
                    from: other(1e-6),
                    to: other(speed)
                }
            ));
        }
    }
}
