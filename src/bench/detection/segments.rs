//! Detection with straight pieces, the yardstick [Crespel24, sect. 6.5]: each curve is cut into equal pieces, these are
//! put into a tree of boxes, and two trees are walked at once, leaving out what is too far away.
//!
//! Where the paper leaves out only what is farther than the two radii, here it is also what is farther than the nearest
//! pieces found so far: the closest pair is all that is asked for, and the yardstick should be a fair one.

use nalgebra::Point3;

use crate::geometry::curve::Closest;
use crate::geometry::segment::{closest_parameters, point_at};
use crate::geometry::{Aabb, Curve};

/// A curve as straight pieces in a tree of boxes.
#[derive(Clone, Debug)]
pub struct Pieces {
    points: Vec<Point3<f64>>,
    /// In the order in which `Range`s are halved: the first half's tree follows its parent, then the second half's.
    boxes: Vec<Aabb>,
}

/// Pieces `from` to `from + count`, whose box is `node`.
#[derive(Clone, Copy, Debug)]
struct Range {
    node: usize,
    from: usize,
    count: usize,
}

impl Range {
    fn halves(self) -> [Self; 2] {
        let first = self.count / 2;
        // A tree of n pieces has 2 n − 1 boxes.
        [
            Self {
                node: self.node + 1,
                from: self.from,
                count: first,
            },
            Self {
                node: self.node + 2 * first,
                from: self.from + first,
                count: self.count - first,
            },
        ]
    }
}

impl Pieces {
    /// The curve in equal pieces of at most `length_m` of arc length.
    pub fn new(curve: &Curve, length_m: f64) -> Self {
        let count = ((curve.length_bound() / length_m).ceil() as usize).max(1);
        let points: Vec<_> = (0..=count)
            .map(|k| curve.point(k as f64 / count as f64))
            .collect();
        let mut out = Self {
            points,
            boxes: Vec::with_capacity(2 * count - 1),
        };
        out.plant(0, count);
        out
    }

    /// Number of pieces.
    pub fn count(&self) -> usize {
        self.points.len() - 1
    }

    fn plant(&mut self, from: usize, count: usize) -> Aabb {
        let node = self.boxes.len();
        self.boxes.push(Aabb::around(&self.points[from..from + 2]));
        if count > 1 {
            let first = self.plant(from, count / 2);
            let second = self.plant(from + count / 2, count - count / 2);
            self.boxes[node] = Aabb {
                low: first.low.inf(&second.low),
                high: first.high.sup(&second.high),
            };
        }
        self.boxes[node]
    }

    fn whole(&self) -> Range {
        Range {
            node: 0,
            from: 0,
            count: self.count(),
        }
    }

    fn piece(&self, k: usize) -> [Point3<f64>; 2] {
        [self.points[k], self.points[k + 1]]
    }
}

/// The search with its memory.
#[derive(Clone, Debug, Default)]
pub struct PieceSearch {
    waiting: Vec<(f64, [Range; 2])>,
}

impl PieceSearch {
    /// Closest points of two chains of pieces, if nearer than `limit`, m.
    pub fn closest(&mut self, a: &Pieces, b: &Pieces, limit: f64) -> Option<Closest> {
        let mut nearest = limit * limit;
        let mut found = None;
        self.waiting.clear();
        self.waiting.push((0.0, [a.whole(), b.whole()]));
        while let Some((lower, [p, q])) = self.waiting.pop() {
            if lower >= nearest {
                continue;
            }
            if p.count == 1 && q.count == 1 {
                let (x, y) = (a.piece(p.from), b.piece(q.from));
                let (s, t) = closest_parameters(&x, &y);
                let square = (point_at(&x, s) - point_at(&y, t)).norm_squared();
                if square < nearest {
                    nearest = square;
                    found = Some((p.from as f64 + s, q.from as f64 + t));
                }
                continue;
            }
            let pairs = if p.count >= q.count {
                p.halves().map(|p| [p, q])
            } else {
                q.halves().map(|q| [p, q])
            };
            let mut pairs = pairs.map(|[p, q]| (apart(&a.boxes[p.node], &b.boxes[q.node]), [p, q]));
            // The nearer one on top.
            if pairs[0].0 < pairs[1].0 {
                pairs.swap(0, 1);
            }
            self.waiting
                .extend(pairs.into_iter().filter(|(lower, _)| *lower < nearest));
        }
        found.map(|(s, t)| Closest {
            s: s / a.count() as f64,
            t: t / b.count() as f64,
            distance: nearest.sqrt(),
        })
    }
}

/// Squared distance of two boxes.
fn apart(a: &Aabb, b: &Aabb) -> f64 {
    (0..3)
        .map(|c| (a.low[c] - b.high[c]).max(b.low[c] - a.high[c]).max(0.0))
        .map(|gap| gap * gap)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};

    #[test]
    fn trees_find_what_comparing_all_pieces_finds() {
        let curve = |x: f64, twist: f64| {
            let start = Point3::new(x, 0.0, 0.01 * x);
            Curve::helix(
                start,
                &Matrix3::identity(),
                &Vector3::new(twist, 20.0, 5.0),
                0.2,
            )
        };
        let (a, b) = (curve(0.0, 3.0), curve(0.03, 8.0));
        let mut search = PieceSearch::default();
        for length in [0.3, 0.05, 0.011, 0.003] {
            let (p, q) = (Pieces::new(&a, length), Pieces::new(&b, length));
            let mut nearest = f64::INFINITY;
            for i in 0..p.count() {
                for j in 0..q.count() {
                    let (x, y) = (p.piece(i), q.piece(j));
                    nearest = nearest.min(crate::geometry::segment::distance(&x, &y));
                }
            }
            let found = search.closest(&p, &q, 1.0).expect("near");
            assert!((found.distance - nearest).abs() < 1e-14);
            assert_eq!(search.closest(&p, &q, 0.999 * nearest), None);
        }
    }
}
