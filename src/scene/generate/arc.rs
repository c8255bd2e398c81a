//! Part of a circle, or a line: x(s) = from + d sin(κ s)/κ + n (1 − cos(κ s))/κ, s from 0 to its length. It leaves along d
//! and bends towards n.

use nalgebra::{Point3, Unit, Vector3};

/// What describes it.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct Arc {
    /// Where it starts, m.
    pub from: Point3<f64>,
    /// Where it goes from there: d.
    pub direction: Unit<Vector3<f64>>,
    /// Where it bends to: n, across d.
    pub towards: Unit<Vector3<f64>>,
    /// κ, 1/m.
    pub curvature_per_m: f64,
    /// m.
    pub length_m: f64,
}

/// Pieces of the polyline. A round number, so that the usual numbers of elements cut it at its own points, which are on
/// the circle to rounding.
const PIECES: usize = 3600;

/// A fine polyline along the arc.
pub(in crate::scene) fn arc(arc: &Arc) -> Vec<Point3<f64>> {
    let at = |i: usize| {
        let s = arc.length_m * i as f64 / PIECES as f64;
        let turn = arc.curvature_per_m * s;
        // sin θ/θ, also of nothing; 1 − cos θ = 2 sin²(θ/2).
        let sinc = |x: f64| if x == 0.0 { 1.0 } else { x.sin() / x };
        let along = s * sinc(turn);
        let aside = 0.5 * s * turn * sinc(0.5 * turn).powi(2);
        arc.from + arc.direction.into_inner() * along + arc.towards.into_inner() * aside
    };
    (0..=PIECES).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::super::resample::{length, resample};
    use super::*;

    fn example(curvature_per_m: f64) -> Arc {
        Arc {
            from: Point3::new(1.0, 2.0, 0.0),
            direction: Vector3::x_axis(),
            towards: Vector3::y_axis(),
            curvature_per_m,
            length_m: 0.3,
        }
    }

    #[test]
    fn its_nodes_are_on_the_circle_to_rounding() {
        let nodes = resample(&arc(&example(4.0)), 100);
        let centre = Point3::new(1.0, 2.25, 0.0);
        for node in &nodes {
            let off = (node - centre).norm() - 0.25;
            assert!(off.abs() < 1e-12, "{off}");
        }
        assert!((length(&nodes) / 0.3 - 1.0).abs() < 1e-5);
        assert!(nodes[1].y < 2.0 + 1e-3 && nodes[100].y > nodes[50].y);
    }

    #[test]
    fn without_curvature_it_is_a_line() {
        let nodes = resample(&arc(&example(0.0)), 7);
        assert!(nodes.iter().all(|node| node.y == 2.0));
        assert!((nodes[7].x - 1.3).abs() < 1e-15);
    }
}
