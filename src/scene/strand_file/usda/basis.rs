//! Curves of `BasisCurves` as polylines.
//!
//! A cubic curve is made of pieces of four control points each; the next piece begins three points on (Bézier) or one
//! (B-spline, Catmull-Rom). A periodic curve goes on with its first points after its last; a pinned one gets a point
//! before its first and after its last, so that it begins and ends at its ends.

use nalgebra::{Matrix4, Point3, Vector4};

/// Points per piece of a cubic curve.
const SAMPLES: usize = 4;

/// How control points make a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Basis {
    /// Weights of the four points of a piece at (1, t, t², t³) and how far on the next one begins; none for straight
    /// lines.
    cubic: Option<(Matrix4<f64>, usize)>,
    wrap: Wrap,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrap {
    Open,
    Periodic,
    Pinned,
}

impl Basis {
    /// From the words of a file, empty for what USD takes when nothing is said; or a sentence.
    pub fn named(kind: &str, basis: &str, wrap: &str) -> Result<Self, String> {
        let wrap = match wrap {
            "" | "nonperiodic" => Wrap::Open,
            "periodic" => Wrap::Periodic,
            "pinned" => Wrap::Pinned,
            other => return Err(format!("its curves have the unknown wrap \"{other}\"")),
        };
        let cubic = match (kind, basis) {
            ("linear", _) => None,
            ("" | "cubic", "" | "bezier") => Some((bezier(), 3)),
            ("" | "cubic", "bspline") => Some((b_spline(), 1)),
            ("" | "cubic", "catmullRom") => Some((catmull_rom(), 1)),
            ("" | "cubic", other) => {
                return Err(format!("its curves have the unknown basis \"{other}\""));
            }
            (other, _) => return Err(format!("its curves have the unknown type \"{other}\"")),
        };
        Ok(Self { cubic, wrap })
    }

    /// Whether curves have no ends.
    pub fn is_closed(&self) -> bool {
        self.wrap == Wrap::Periodic
    }

    /// At most so many points does a polyline have.
    pub fn points_from(&self, control_points: usize) -> usize {
        match self.cubic {
            Some(_) => SAMPLES * control_points,
            None => control_points,
        }
    }

    /// The curve as a polyline; empty if there are too few points.
    pub fn trace(&self, points: &[Point3<f64>]) -> Vec<Point3<f64>> {
        let Some((weights, step)) = &self.cubic else {
            return points.to_vec();
        };
        let (step, n) = (*step, points.len());
        let pinned = self.wrap == Wrap::Pinned && step == 1 && n > 1;
        let mut all = points.to_vec();
        if pinned {
            all.insert(0, points[0] + (points[0] - points[1]));
            all.push(points[n - 1] + (points[n - 1] - points[n - 2]));
        }
        let pieces = match self.wrap {
            Wrap::Periodic if n >= 3 => n / step,
            Wrap::Periodic => 0,
            _ => (all.len() + step).saturating_sub(4) / step,
        };
        let mut traced = Vec::with_capacity(SAMPLES * pieces + 1);
        let at = |piece: usize, t: f64| {
            let weight = weights * Vector4::new(1.0, t, t * t, t * t * t);
            let point = |k: usize| all[(piece * step + k) % all.len()].coords;
            Point3::from(
                (0..4)
                    .map(|k| point(k) * weight[k])
                    .sum::<nalgebra::Vector3<f64>>(),
            )
        };
        for piece in 0..pieces {
            for sample in 0..SAMPLES {
                traced.push(at(piece, sample as f64 / SAMPLES as f64));
            }
        }
        if pieces > 0 && !self.is_closed() {
            traced.push(at(pieces - 1, 1.0));
        }
        traced
    }
}

/// Rows: the four points; columns: 1, t, t², t³.
#[rustfmt::skip]
fn bezier() -> Matrix4<f64> {
    Matrix4::new(
        1.0, -3.0, 3.0, -1.0,
        0.0, 3.0, -6.0, 3.0,
        0.0, 0.0, 3.0, -3.0,
        0.0, 0.0, 0.0, 1.0,
    )
}

#[rustfmt::skip]
fn b_spline() -> Matrix4<f64> {
    Matrix4::new(
        1.0, -3.0, 3.0, -1.0,
        4.0, 0.0, -6.0, 3.0,
        1.0, 3.0, 3.0, -3.0,
        0.0, 0.0, 0.0, 1.0,
    ) / 6.0
}

#[rustfmt::skip]
fn catmull_rom() -> Matrix4<f64> {
    Matrix4::new(
        0.0, -1.0, 2.0, -1.0,
        2.0, 0.0, -5.0, 3.0,
        0.0, 1.0, 4.0, -3.0,
        0.0, 0.0, -1.0, 1.0,
    ) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zigzag() -> Vec<Point3<f64>> {
        (0..7)
            .map(|k| Point3::new(f64::from(k), f64::from(k % 2), 0.5))
            .collect()
    }

    #[test]
    fn a_bezier_curve_begins_and_ends_at_its_ends_and_halves_as_de_casteljau_does() {
        let points = zigzag();
        let traced = Basis::named("cubic", "bezier", "").unwrap().trace(&points);
        assert_eq!(traced.len(), 2 * SAMPLES + 1);
        assert_eq!((traced[0], traced[2 * SAMPLES]), (points[0], points[6]));
        assert_eq!(traced[SAMPLES], points[3]);
        let half = |p: &[Point3<f64>]| -> Vec<Point3<f64>> {
            p.windows(2)
                .map(|q| nalgebra::center(&q[0], &q[1]))
                .collect()
        };
        let middle = half(&half(&half(&points[..4])))[0];
        assert!((traced[SAMPLES / 2] - middle).norm() < 1e-14);
    }

    #[test]
    fn a_catmull_rom_curve_goes_through_its_points() {
        let points = zigzag();
        for (wrap, first, last) in [("nonperiodic", 1, 5), ("pinned", 0, 6)] {
            let basis = Basis::named("cubic", "catmullRom", wrap).unwrap();
            let traced = basis.trace(&points);
            let through: Vec<_> = traced.iter().step_by(SAMPLES).collect();
            assert_eq!(through.len(), last - first + 1, "{wrap}");
            for (found, point) in through.iter().zip(&points[first..=last]) {
                assert!((*found - point).norm() < 1e-14, "{wrap}");
            }
        }
    }

    #[test]
    fn a_b_spline_on_a_line_stays_on_it_and_a_pinned_one_keeps_its_ends() {
        let line: Vec<_> = (0..5)
            .map(|k| Point3::new(f64::from(k), 2.0 * f64::from(k), 0.0))
            .collect();
        let basis = Basis::named("cubic", "bspline", "pinned").unwrap();
        let traced = basis.trace(&line);
        assert!((traced[0] - line[0]).norm() < 1e-14);
        assert!((traced[traced.len() - 1] - line[4]).norm() < 1e-14);
        assert!(traced.iter().all(|p| (p.y - 2.0 * p.x).abs() < 1e-14));
    }

    #[test]
    fn a_periodic_curve_goes_all_the_way_around() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let square = square.map(|[x, y]| Point3::new(x, y, 0.0));
        let basis = Basis::named("cubic", "catmullRom", "periodic").unwrap();
        let traced = basis.trace(&square);
        assert_eq!(traced.len(), 4 * SAMPLES);
        let centre = traced
            .iter()
            .map(|p| p.coords)
            .sum::<nalgebra::Vector3<f64>>()
            / 16.0;
        assert!((centre - nalgebra::Vector3::new(0.5, 0.5, 0.0)).norm() < 1e-14);
        assert!(basis.is_closed());
    }

    #[test]
    fn too_few_points_are_no_curve_and_unknown_words_a_sentence() {
        for (basis, wrap) in [
            ("bezier", ""),
            ("bspline", "periodic"),
            ("bspline", "pinned"),
        ] {
            let basis = Basis::named("cubic", basis, wrap).unwrap();
            assert!(basis.trace(&[]).is_empty());
            assert!(basis.trace(&zigzag()[..1]).is_empty());
        }
        assert!(Basis::named("cubic", "hermite", "").is_err());
        assert!(Basis::named("nurbs", "", "").is_err());
        assert!(Basis::named("linear", "", "round").is_err());
    }
}
