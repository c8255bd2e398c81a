//! Cuts a polyline into pieces of equal length.
//!
//! Equal steps of arc length give chords that are shorter where the curve bends. Rest lengths are chords, so the cuts are
//! moved until the chords are equal: each sweep places cut i where the chords so far sum up to i/n of their total.

use nalgebra::Point3;

/// Sweeps after which even a tight knot has chords equal to rounding.
const SWEEPS: usize = 60;

/// Length of a polyline, m.
pub(in crate::scene) fn length(points: &[Point3<f64>]) -> f64 {
    points.windows(2).map(|p| (p[1] - p[0]).norm()).sum()
}

/// `elements + 1` points on the polyline, at equal distances from each to the next; both ends are kept.
pub(in crate::scene) fn resample(points: &[Point3<f64>], elements: usize) -> Vec<Point3<f64>> {
    let arc = cumulative(points);
    let total = arc[arc.len() - 1];
    let mut cuts: Vec<f64> = (0..=elements)
        .map(|i| total * i as f64 / elements as f64)
        .collect();
    let mut nodes = at_all(points, &arc, &cuts);
    for _ in 0..SWEEPS {
        let chords = cumulative(&nodes);
        let mean = chords[elements] / elements as f64;
        let worst = chords
            .windows(2)
            .map(|c| (c[1] - c[0] - mean).abs())
            .fold(0.0, f64::max);
        if worst <= 1e-13 * mean {
            break;
        }
        cuts = (0..=elements)
            .map(|i| interpolate(&chords, &cuts, mean * i as f64))
            .collect();
        cuts[elements] = total;
        nodes = at_all(points, &arc, &cuts);
    }
    nodes
}

/// The same around a ring, whose first point is repeated at the end, to the last bit.
pub(in crate::scene) fn resample_ring(points: &[Point3<f64>], elements: usize) -> Vec<Point3<f64>> {
    let mut nodes = resample(points, elements);
    nodes[elements] = nodes[0];
    nodes
}

/// Distance along the polyline from its start to each point.
fn cumulative(points: &[Point3<f64>]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut arc = vec![0.0];
    for pair in points.windows(2) {
        sum += (pair[1] - pair[0]).norm();
        arc.push(sum);
    }
    arc
}

fn at_all(points: &[Point3<f64>], arc: &[f64], cuts: &[f64]) -> Vec<Point3<f64>> {
    cuts.iter().map(|&s| at(points, arc, s)).collect()
}

/// The point at arc length `s`.
fn at(points: &[Point3<f64>], arc: &[f64], s: f64) -> Point3<f64> {
    let (i, share) = bracket(arc, s);
    points[i] + (points[i + 1] - points[i]) * share
}

/// `ys` at `x`, linear between the rising `xs`.
fn interpolate(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let (i, share) = bracket(xs, x);
    ys[i] + (ys[i + 1] - ys[i]) * share
}

/// The interval of the rising list `xs` that holds `x`, and how far along it.
fn bracket(xs: &[f64], x: f64) -> (usize, f64) {
    let i = xs.partition_point(|&v| v <= x).clamp(1, xs.len() - 1) - 1;
    let width = xs[i + 1] - xs[i];
    let share = if width > 0.0 {
        ((x - xs[i]) / width).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (i, share)
}

#[cfg(test)]
pub(in crate::scene) mod tests {
    use super::*;

    /// Largest difference of an element's length from the mean, relative.
    pub fn unevenness(nodes: &[Point3<f64>]) -> f64 {
        let mean = length(nodes) / (nodes.len() - 1) as f64;
        let off = |p: &[Point3<f64>]| ((p[1] - p[0]).norm() / mean - 1.0).abs();
        nodes.windows(2).map(off).fold(0.0, f64::max)
    }

    #[test]
    fn a_corner_is_cut_into_equal_elements() {
        let corner = [
            Point3::new(0.0, 0.0, 0.0),
            Point3::new(1.0, 0.0, 0.0),
            Point3::new(1.0, 0.7, 0.0),
        ];
        for elements in [1, 2, 7, 100] {
            let nodes = resample(&corner, elements);
            assert_eq!(nodes.len(), elements + 1);
            assert_eq!((nodes[0], nodes[elements]), (corner[0], corner[2]));
            assert!(
                unevenness(&nodes) < 1e-9,
                "{elements}: {}",
                unevenness(&nodes)
            );
        }
    }

    #[test]
    fn a_ring_is_cut_into_equal_elements_and_ends_where_it_begins() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        let square = square.map(|[x, y]| Point3::new(x, y, 0.3));
        let nodes = resample_ring(&square, 22);
        assert_eq!((nodes.len(), nodes[22]), (23, nodes[0]));
        assert!(unevenness(&nodes) < 1e-9, "{}", unevenness(&nodes));
    }

    #[test]
    fn a_line_keeps_its_length_to_rounding() {
        let line = [Point3::new(0.1, 0.2, 0.3), Point3::new(1.1, 0.2, 0.3)];
        let nodes = resample(&line, 10);
        assert!((length(&nodes) - 1.0).abs() < 1e-14);
        assert!(unevenness(&nodes) < 1e-13);
    }
}
