//! A cubic polynomial, a(t) = c₀ + c₁ t + c₂ t² + c₃ t³.

use nalgebra::{Point3, Vector3};

use super::{Capsule, Jet, Limits, capsule};

/// A cubic in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicArc {
    c: [Vector3<f64>; 4],
    limits: Limits,
    hull: Capsule,
    halves: [Capsule; 2],
}

/// Bézier points of the derivative of a cubic, a quadratic.
fn velocities(c: &[Vector3<f64>; 4]) -> [Vector3<f64>; 3] {
    [c[1], c[1] + c[2], c[1] + c[2] * 2.0 + c[3] * 3.0]
}

impl CubicArc {
    /// The cubic with the coefficients c₀ … c₃, m.
    pub fn new(c: [Vector3<f64>; 4]) -> Self {
        // The derivative stays between its Bézier points.
        let first = velocities(&c).iter().map(|v| v.norm()).fold(0.0, f64::max);
        let (start, end) = (c[2] * 2.0, c[2] * 2.0 + c[3] * 6.0);
        let mut out = Self {
            c,
            limits: Limits {
                first,
                second: start.norm().max(end.norm()),
                third: 6.0 * c[3].norm(),
                even: false,
            },
            hull: Capsule::default(),
            halves: [Capsule::default(); 2],
        };
        out.hull = capsule::around(&out.jet(0.5), 0.5, &out.limits);
        out.halves = [0.25, 0.75].map(|t| capsule::around(&out.jet(t), 0.25, &out.limits));
        out
    }

    /// The tangent goes through no more than the angles between the Bézier points of the derivative, rad.
    pub(super) fn turn_bound(&self) -> f64 {
        let [v, w, x] = velocities(&self.c);
        v.angle(&w) + w.angle(&x)
    }

    /// The cubic with these Bézier points.
    pub fn from_bezier(p: &[Point3<f64>; 4]) -> Self {
        let edges = [p[1] - p[0], p[2] - p[1], p[3] - p[2]];
        Self::new([
            p[0].coords,
            edges[0] * 3.0,
            (edges[1] - edges[0]) * 3.0,
            edges[2] - edges[1] * 2.0 + edges[0],
        ])
    }

    /// The same cubic elsewhere.
    pub fn moved(mut self, by: &Vector3<f64>) -> Self {
        self.c[0] += by;
        self.hull.centre += by;
        for half in &mut self.halves {
            half.centre += by;
        }
        self
    }

    /// The cubic between two parameters.
    pub(super) fn part(&self, [from, to]: [f64; 2]) -> Self {
        let (jet, share) = (self.jet(from), to - from);
        Self::new([
            jet.point,
            jet.first * share,
            jet.second * (0.5 * share.powi(2)),
            self.c[3] * share.powi(3),
        ])
    }

    #[inline]
    pub(super) fn hull(&self) -> &Capsule {
        &self.hull
    }

    #[inline]
    pub(super) fn halves(&self) -> &[Capsule] {
        &self.halves
    }

    #[inline]
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    #[inline]
    pub(super) fn jet(&self, t: f64) -> Jet {
        let [c0, c1, c2, c3] = &self.c;
        Jet {
            point: c0 + (c1 + (c2 + c3 * t) * t) * t,
            first: c1 + (c2 * 2.0 + c3 * (3.0 * t)) * t,
            second: c2 * 2.0 + c3 * (6.0 * t),
        }
    }
}
