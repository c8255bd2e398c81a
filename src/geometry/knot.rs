//! Which knot a closed polygon makes, as far as its determinant tells: |Δ(−1)| of the Alexander polynomial
//! \[Alexander28\].
//!
//! The polygon is projected onto a plane. Between two undercrossings runs an arc; at every crossing
//!
//! ```text
//!   2 over − before − after = 0,
//! ```
//!
//! with `over` the arc on top and `before`, `after` those that end and begin below it. Without one row and one column the
//! determinant of these equations is, but for its sign, the same for every projection: 1 for a loop without knot, 3 for
//! the trefoil, 5 for the figure-eight.

use nalgebra::{Point2, Point3, Rotation3, Vector3};

/// The prime that the determinant is computed by; that of a knot anyone could tie is far smaller.
const PRIME: u64 = (1 << 61) - 1;

/// How far away, in sizes of the strand, the ends of an open one are joined.
const FAR: f64 = 1e3;

/// One crossing as one of its two pieces meets it.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    piece: usize,
    along: f64,
    crossing: usize,
    over: bool,
}

/// The determinant of the knot that these corners make, the last joined to the first.
pub fn determinant(corners: &[Point3<f64>]) -> u64 {
    let mut meetings = meetings(corners);
    meetings.sort_by(|a, b| {
        (a.piece, a.along)
            .partial_cmp(&(b.piece, b.along))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let crossings = meetings.len() / 2;
    // Arc 0 runs from the start to the first undercrossing and, being closed, goes on after the last.
    let (mut arc, mut rows) = (0, vec![[0; 3]; crossings]);
    for meeting in &meetings {
        let row = &mut rows[meeting.crossing];
        if meeting.over {
            row[0] = arc;
        } else {
            row[1] = arc;
            arc = (arc + 1) % crossings;
            row[2] = arc;
        }
    }
    if crossings < 2 {
        return 1;
    }
    let size = crossings - 1;
    let mut matrix = vec![vec![0; size]; size];
    for (row, [over, before, after]) in matrix.iter_mut().zip(&rows) {
        for (column, value) in [(*over, 2), (*before, PRIME - 1), (*after, PRIME - 1)] {
            if column < size {
                row[column] = (row[column] + value) % PRIME;
            }
        }
    }
    let found = eliminate(&mut matrix);
    found.min(PRIME - found)
}

/// The determinant modulo the prime.
fn eliminate(matrix: &mut [Vec<u64>]) -> u64 {
    let size = matrix.len();
    let mut determinant = 1;
    for k in 0..size {
        let Some(pivot) = (k..size).find(|&i| matrix[i][k] != 0) else {
            return 0;
        };
        if pivot != k {
            matrix.swap(pivot, k);
            determinant = PRIME - determinant;
        }
        determinant = times(determinant, matrix[k][k]);
        let inverse = power(matrix[k][k], PRIME - 2);
        let (above, below) = matrix.split_at_mut(k + 1);
        let top = &above[k];
        for row in below.iter_mut().filter(|row| row[k] != 0) {
            let factor = PRIME - times(row[k], inverse);
            for (x, t) in row[k..].iter_mut().zip(&top[k..]) {
                *x = (*x + times(factor, *t)) % PRIME;
            }
        }
    }
    determinant
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// Every crossing of the projection, twice: as the upper and as the lower piece meets it.
fn meetings(corners: &[Point3<f64>]) -> Vec<Meeting> {
    // Any direction will do that no corner and no piece happens to lie in.
    let view = Rotation3::from_scaled_axis(Vector3::new(0.7316, -0.4127, 1.2093));
    let seen: Vec<Point3<f64>> = corners.iter().map(|x| view * x).collect();
    let count = seen.len();
    let piece = |k: usize| [&seen[k], &seen[(k + 1) % count]];
    let mut found = Vec::new();
    for i in 0..count {
        for j in i + 2..count {
            if i == 0 && j + 1 == count {
                continue;
            }
            let (a, b) = (piece(i), piece(j));
            if let Some((s, t)) = crossing(a, b) {
                let height = |p: [&Point3<f64>; 2], s: f64| p[0].z + (p[1].z - p[0].z) * s;
                let above = height(a, s) > height(b, t);
                let crossing = found.len() / 2;
                found.extend(
                    [(i, s, above), (j, t, !above)].map(|(piece, along, over)| Meeting {
                        piece,
                        along,
                        crossing,
                        over,
                    }),
                );
            }
        }
    }
    found
}

/// Where two pieces cross as seen from above.
fn crossing(a: [&Point3<f64>; 2], b: [&Point3<f64>; 2]) -> Option<(f64, f64)> {
    let apart = |p: f64, q: f64, r: f64, s: f64| p.max(q) < r.min(s) || r.max(s) < p.min(q);
    if apart(a[0].x, a[1].x, b[0].x, b[1].x) || apart(a[0].y, a[1].y, b[0].y, b[1].y) {
        return None;
    }
    let flat = |p: &Point3<f64>| Point2::new(p.x, p.y);
    let (u, v, w) = (
        flat(a[1]) - flat(a[0]),
        flat(b[1]) - flat(b[0]),
        flat(b[0]) - flat(a[0]),
    );
    let det = u.perp(&v);
    let (s, t) = (w.perp(&v) / det, w.perp(&u) / det);
    let inside = |x: f64| (0.0..1.0).contains(&x);
    (inside(s) && inside(t)).then_some((s, t))
}

/// Corners of an open strand whose ends go on straight in these directions and are joined far outside.
pub fn closed_far_outside(
    nodes: &[Point3<f64>],
    directions: [Vector3<f64>; 2],
) -> Vec<Point3<f64>> {
    let Some((first, last)) = nodes.first().zip(nodes.last()) else {
        return Vec::new();
    };
    let size = nodes.iter().map(|x| (x - first).norm()).fold(0.0, f64::max);
    let far = FAR * size;
    let [a, b] = directions.map(|d| d.normalize());
    // Around the outside, away from both and from the straight way between them.
    let across = a.cross(&b).try_normalize(1e-3).unwrap_or_else(|| {
        let (x, y) = (Vector3::x(), Vector3::y());
        a.cross(&if a.x.abs() < 0.5 { x } else { y }).normalize()
    });
    let mut corners = nodes.to_vec();
    corners.push(last + b * far);
    corners.push(first + (across * 2.0 + (a + b) * 0.1) * far);
    corners.push(first + a * far);
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn closed(count: usize, at: impl Fn(f64) -> [f64; 3]) -> Vec<Point3<f64>> {
        (0..count)
            .map(|k| Point3::from(at(TAU * k as f64 / count as f64)))
            .collect()
    }

    /// The torus knot that winds p times around the axis and q times around the core.
    fn torus_knot(p: f64, q: f64) -> Vec<Point3<f64>> {
        closed(240, |t| {
            let r = 2.0 + (q * t).cos();
            [r * (p * t).cos(), r * (p * t).sin(), (q * t).sin()]
        })
    }

    fn random(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        }
    }

    #[test]
    fn known_knots_have_their_determinants() {
        assert_eq!(determinant(&closed(50, |t| [t.cos(), t.sin(), 0.0])), 1);
        assert_eq!(determinant(&torus_knot(2.0, 3.0)), 3);
        assert_eq!(determinant(&torus_knot(2.0, 5.0)), 5);
        assert_eq!(determinant(&torus_knot(2.0, 7.0)), 7);
        assert_eq!(determinant(&torus_knot(3.0, 4.0)), 3);
        assert_eq!(determinant(&torus_knot(3.0, 5.0)), 1);
        let eight = closed(200, |t| {
            let r = 2.0 + (2.0 * t).cos();
            [r * (3.0 * t).cos(), r * (3.0 * t).sin(), (4.0 * t).sin()]
        });
        assert_eq!(determinant(&eight), 5);
    }

    #[test]
    fn the_determinant_does_not_depend_on_where_it_is_seen_from() {
        let mut next = random(3);
        for _ in 0..50 {
            let turn = Rotation3::from_scaled_axis(Vector3::new(next(), next(), next()) * 6.0);
            let seen = |knot: Vec<Point3<f64>>| -> Vec<Point3<f64>> {
                knot.iter().map(|x| turn * x).collect()
            };
            assert_eq!(determinant(&seen(torus_knot(2.0, 3.0))), 3);
            assert_eq!(determinant(&seen(torus_knot(3.0, 4.0))), 3);
        }
    }

    #[test]
    fn a_loop_without_knot_has_one_however_often_it_crosses_itself() {
        // Ever higher along the way, and straight down at the end: nothing can be knotted.
        for seed in 0..20 {
            let mut next = random(seed);
            let corners: Vec<_> = (0..60)
                .map(|k| Point3::new(next(), next(), f64::from(k) * 0.1))
                .collect();
            assert_eq!(determinant(&corners), 1, "seed {seed}");
        }
    }

    #[test]
    fn an_open_trefoil_is_one_when_joined_far_outside() {
        let knot = torus_knot(2.0, 3.0);
        // Opened where it is farthest out.
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
}
