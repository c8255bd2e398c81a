//! A slack overhand knot with two straight tails.
//!
//! The middle is a "long trefoil", a polynomial curve for |t| ≤ 2 in the knot's own frame:
//!
//!   x = t³ − 3 t,   y = 0.6 (t⁴ − 4 t²),   z = c t (t² − 1.44) (t² − 3.5).
//!
//! In the x–y plane it crosses itself at (t, s) = (√3, −√3), (1.93, −0.52) and (0.52, −1.93), where the strands are 2.7 c
//! and 3.0 c apart and go over and under in turn. Both ends leave outwards and up; a cubic blend turns them into the tails:
//!
//! ```text
//!   y  ──────────╮           ╭──────────  tails, on one line: y = TAIL.y, z = 0
//!   ↑             ╲         ╱
//!   └→ x         __╳_______╳__            crossings 2 and 3
//!                ╲   ╲   ╱   ╱
//!                 ╲    ╳    ╱             crossing 1
//!                  ╲__╱ ╲__╱
//! ```

use nalgebra::{Matrix3, Point3, Unit, Vector3};

use super::length;

/// What describes it.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct OverhandKnot {
    /// The middle of the line of the tails, m.
    pub centre: Point3<f64>,
    /// Where the second tail points.
    pub direction: Unit<Vector3<f64>>,
    /// From where the three crossings are seen; need not be at right angles to `direction`.
    pub normal: Unit<Vector3<f64>>,
    /// Width of the knot between the ends of the polynomial curve, m.
    pub loop_size_m: f64,
    /// Length of the whole strand, m.
    pub length_m: f64,
}

/// c: how far the strands are apart at the crossings. At 0.4 they clear each other by a quarter of the loop.
const DEPTH: f64 = 0.4;
/// Flattens the lobes of the bare polynomial, which bend twice as sharply as the rest.
const HEIGHT: f64 = 0.6;
/// Where the right tail begins, in units of the polynomial.
const TAIL: Vector3<f64> = Vector3::new(5.0, 1.8, 0.0);
/// The polynomial spans x = −2 … 2.
const WIDTH: f64 = 4.0;
/// Speed of the blend at its ends, as a share of its chord: the arch is roundest here.
const BLEND_SPEED: f64 = 1.1;
const PIECES: usize = 1500;

/// A fine polyline along the knot, or the least length that it needs.
pub(in crate::scene) fn overhand_knot(knot: &OverhandKnot) -> Result<Vec<Point3<f64>>, f64> {
    let scale = knot.loop_size_m / WIDTH;
    let half = right_half();
    let from_polynomial = frame(&knot.direction, &knot.normal) * scale;
    let to_world =
        |p: &Vector3<f64>| knot.centre + from_polynomial * (p - Vector3::new(0.0, TAIL.y, 0.0));
    // The curve is odd in x and z and even in y: its left half is its right half turned about the y axis.
    let turned = |p: &Vector3<f64>| Vector3::new(-p.x, p.y, -p.z);
    let middle: Vec<Point3<f64>> = half
        .iter()
        .rev()
        .map(turned)
        .chain(half.iter().skip(1).copied())
        .map(|p| to_world(&p))
        .collect();
    let tail_m = 0.5 * (knot.length_m - length(&middle));
    // A tail shorter than the blend's own size would leave the ends in mid-turn.
    if tail_m < 0.5 * scale {
        return Err(length(&middle) + scale);
    }
    let tail = knot.direction.into_inner() * tail_m;
    let (first, last) = (middle[0], middle[middle.len() - 1]);
    let mut points = vec![first - tail];
    points.extend(middle);
    points.push(last + tail);
    Ok(points)
}

/// From t = 0 to the beginning of the right tail.
fn right_half() -> Vec<Vector3<f64>> {
    let share = |i: usize| i as f64 / PIECES as f64;
    let mut points: Vec<Vector3<f64>> = (0..=PIECES).map(|i| trefoil(2.0 * share(i))).collect();
    let end = trefoil(2.0);
    let chord = (TAIL - end).norm() * BLEND_SPEED;
    let leave = slope_at_end().normalize() * chord;
    let arrive = Vector3::x() * chord;
    points.extend((1..=PIECES).map(|i| hermite(&end, &leave, &TAIL, &arrive, share(i))));
    points
}

fn trefoil(t: f64) -> Vector3<f64> {
    let t2 = t * t;
    Vector3::new(
        t * (t2 - 3.0),
        HEIGHT * t2 * (t2 - 4.0),
        DEPTH * t * (t2 - 1.44) * (t2 - 3.5),
    )
}

/// Derivative of [`trefoil`] at t = 2; z = c (t⁵ − 4.94 t³ + 5.04 t).
fn slope_at_end() -> Vector3<f64> {
    Vector3::new(9.0, HEIGHT * 16.0, DEPTH * (80.0 - 14.82 * 4.0 + 5.04))
}

/// The cubic with given ends and end velocities.
fn hermite(
    p: &Vector3<f64>,
    p_velocity: &Vector3<f64>,
    q: &Vector3<f64>,
    q_velocity: &Vector3<f64>,
    u: f64,
) -> Vector3<f64> {
    let (u2, u3) = (u * u, u * u * u);
    p * (2.0 * u3 - 3.0 * u2 + 1.0)
        + p_velocity * (u3 - 2.0 * u2 + u)
        + q * (3.0 * u2 - 2.0 * u3)
        + q_velocity * (u3 - u2)
}

/// Columns x, y, z of the knot's frame in the world: x along the tails, z as near to `normal` as it can be.
pub(super) fn frame(direction: &Vector3<f64>, normal: &Vector3<f64>) -> Matrix3<f64> {
    let try_normal = |n: &Vector3<f64>| Unit::try_new(n - direction * direction.dot(n), 1e-6);
    let z = try_normal(normal)
        .or_else(|| try_normal(&Vector3::x()))
        .or_else(|| try_normal(&Vector3::y()))
        .unwrap_or(Vector3::z_axis());
    Matrix3::from_columns(&[*direction, z.cross(direction), z.into_inner()])
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::resample::{resample, tests::unevenness};
    use super::*;

    const ELEMENTS: usize = 100;

    /// The knot of the opening scene, seen along z.
    fn knot() -> OverhandKnot {
        OverhandKnot {
            centre: Point3::new(0.0, 1.0, 0.0),
            direction: Unit::new_unchecked(-Vector3::y()),
            normal: Vector3::z_axis(),
            loop_size_m: 0.08,
            length_m: 0.9,
        }
    }

    fn nodes() -> Vec<Point3<f64>> {
        resample(&overhand_knot(&knot()).expect("long enough"), ELEMENTS)
    }

    /// Crossings in the x–y plane: where each is passed along the strand, and whether above (towards +z).
    pub fn crossings(nodes: &[Point3<f64>]) -> Vec<(f64, bool)> {
        let mut passes = Vec::new();
        for i in 0..nodes.len() - 1 {
            for j in i + 2..nodes.len() - 1 {
                let (p, d) = (nodes[i], nodes[i + 1] - nodes[i]);
                let (q, e) = (nodes[j], nodes[j + 1] - nodes[j]);
                let cross = d.x * e.y - d.y * e.x;
                let gap = q - p;
                let s = (gap.x * e.y - gap.y * e.x) / cross;
                let t = (gap.x * d.y - gap.y * d.x) / cross;
                if (0.0..1.0).contains(&s) && (0.0..1.0).contains(&t) {
                    let above = p.z + s * d.z > q.z + t * e.z;
                    passes.push((i as f64 + s, above));
                    passes.push((j as f64 + t, !above));
                }
            }
        }
        passes.sort_by(|a, b| a.0.total_cmp(&b.0));
        passes
    }

    /// Least distance of two points that are further apart along the strand than `along`.
    pub fn clearance(nodes: &[Point3<f64>], along: f64) -> f64 {
        let fine = resample(nodes, 2000);
        let apart = (along / length(&fine) * 2000.0) as usize;
        let mut least = f64::INFINITY;
        for i in 0..fine.len() {
            for j in i + apart..fine.len() {
                least = least.min((fine[i] - fine[j]).norm());
            }
        }
        least
    }

    #[test]
    fn it_is_a_trefoil() {
        let passes = crossings(&nodes());
        // Three crossings, passed over and under in turn: the only knots with three crossings are the trefoils, and an
        // alternating diagram without a crossing that could be turned away has no fewer.
        assert_eq!(passes.len(), 6);
        assert!(passes.windows(2).all(|p| p[0].1 != p[1].1), "{passes:?}");
        let order: Vec<usize> = pairing(&passes);
        assert_eq!(order, [3, 4, 5, 0, 1, 2]);
    }

    /// For each pass, which other pass belongs to the same crossing, found anew by nearness in the plane.
    fn pairing(passes: &[(f64, bool)]) -> Vec<usize> {
        let nodes = nodes();
        let at = |s: f64| {
            let i = s.floor() as usize;
            let p = nodes[i] + (nodes[i + 1] - nodes[i]) * s.fract();
            (p.x, p.y)
        };
        let spots: Vec<(f64, f64)> = passes.iter().map(|p| at(p.0)).collect();
        let near = |i: usize| {
            let gap = |j: usize| (spots[i].0 - spots[j].0).hypot(spots[i].1 - spots[j].1);
            let others = (0..spots.len()).filter(|&j| j != i);
            others.min_by(|&a, &b| gap(a).total_cmp(&gap(b)))
        };
        (0..spots.len()).filter_map(near).collect()
    }

    #[test]
    fn its_strands_keep_clear_of_each_other() {
        let (radius, nodes) = (4e-3, nodes());
        let clear = clearance(&nodes, 0.06);
        assert!(clear >= 1.3 * 2.0 * radius, "{clear} m");
    }

    #[test]
    fn it_is_smooth_and_its_elements_are_equal() {
        let nodes = nodes();
        assert!(unevenness(&nodes) < 1e-9, "{}", unevenness(&nodes));
        assert!((length(&nodes) - 0.9).abs() < 5e-3);
        let edges: Vec<_> = nodes.windows(2).map(|p| p[1] - p[0]).collect();
        let turn = edges
            .windows(2)
            .map(|e| e[0].angle(&e[1]))
            .fold(0.0, f64::max);
        assert!(turn < 0.5, "{turn} rad");
    }

    #[test]
    fn its_tails_are_on_one_line_in_opposite_directions() {
        let nodes = nodes();
        let (first, last) = (nodes[0], nodes[ELEMENTS]);
        assert!(first.x.abs() < 1e-12 && last.x.abs() < 1e-12);
        assert!(first.y > 1.0 && last.y < 1.0);
        assert!((0.5 * (first.y + last.y) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn too_short_a_strand_is_told_what_it_needs() {
        let needs = overhand_knot(&OverhandKnot {
            length_m: 0.2,
            ..knot()
        })
        .unwrap_err();
        assert!(needs > 0.3 && needs < 0.9, "{needs}");
        let enough = OverhandKnot {
            length_m: needs + 1e-9,
            ..knot()
        };
        assert!(overhand_knot(&enough).is_ok());
    }
}
