//! A tree of boxes over triangles, so that a query looks at few of them.
//!
//! ```text
//!   nodes  [ root | left … | right … ]     the left child stands right after its parent, the right child where
//!   leaf   first .. first + count           the parent says; a leaf names a stretch of triangles
//! ```
//!
//! Meshes are rigid and queried in their own frame, so the tree is built once.

use nalgebra::Point3;

use crate::geometry::{Aabb, Ray};

/// Triangles in a leaf: fewer make the tree deeper, more make leaves slow.
const LEAF: usize = 4;
/// Halving a list of 2³² triangles is deeper than any tree here.
const DEEPEST: usize = 33;

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// First triangle of a leaf, or the right child.
    at: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Bvh {
    nodes: Vec<Node>,
}

impl Bvh {
    /// Builds the tree over boxes; also returns the order in which the triangles must stand for it.
    pub fn new(boxes: &[Aabb]) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = Self::default();
        if !boxes.is_empty() {
            tree.split(boxes, &mut order, 0);
        }
        (tree, order)
    }

    /// Adds the node over `order`, which starts at triangle `first` of the whole.
    fn split(&mut self, boxes: &[Aabb], order: &mut [u32], first: usize) {
        let bounds = order[1..].iter().fold(boxes[order[0] as usize], |all, &i| {
            all.union(&boxes[i as usize])
        });
        let here = self.nodes.len();
        let leaf = order.len() <= LEAF;
        self.nodes.push(Node {
            bounds,
            at: first as u32,
            count: if leaf { order.len() as u32 } else { 0 },
        });
        if leaf {
            return;
        }
        let centre = |i: u32| boxes[i as usize].low + boxes[i as usize].high.coords;
        let centres: Vec<Point3<f64>> = order.iter().map(|&i| centre(i)).collect();
        let spread = Aabb::around(&centres);
        let axis = (spread.high - spread.low).imax();
        let half = order.len() / 2;
        // Ties go by index, so that the tree depends on the mesh alone.
        order.select_nth_unstable_by(half, |&i, &j| {
            let (a, b) = (centre(i)[axis], centre(j)[axis]);
            a.total_cmp(&b).then(i.cmp(&j))
        });
        let (left, right) = order.split_at_mut(half);
        self.split(boxes, left, first);
        self.nodes[here].at = self.nodes.len() as u32;
        self.split(boxes, right, first + half);
    }

    /// The box around everything; none without triangles.
    pub fn bounds(&self) -> Option<Aabb> {
        self.nodes.first().map(|root| root.bounds)
    }

    /// Visits triangles that may be nearer to `query` than the best so far, near boxes first. `visit` takes a triangle
    /// and the square of the best distance, and returns that of the new best.
    pub fn nearest(
        &self,
        query: &Aabb,
        limit_squared: f64,
        mut visit: impl FnMut(usize, f64) -> f64,
    ) {
        let mut best = limit_squared;
        let mut stack = [(0_u32, 0.0_f64); DEEPEST];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let (mut at, apart) = stack[depth];
            if apart > best {
                continue;
            }
            // Down to a leaf by the nearer child; the other waits.
            while self.nodes[at as usize].count == 0 {
                let children = [at + 1, self.nodes[at as usize].at];
                let apart = children.map(|k| self.nodes[k as usize].bounds.distance_squared(query));
                let near = usize::from(apart[1] < apart[0]);
                if apart[1 - near] <= best {
                    stack[depth] = (children[1 - near], apart[1 - near]);
                    depth += 1;
                }
                at = children[near];
            }
            let leaf = &self.nodes[at as usize];
            for triangle in leaf.at..leaf.at + leaf.count {
                best = visit(triangle as usize, best);
            }
        }
    }

    /// Visits triangles of leaves that a ray meets nearer than the best so far; `visit` takes a triangle and the best
    /// distance, and returns the new best.
    pub fn along(&self, ray: &Ray, mut visit: impl FnMut(usize, f64) -> f64) {
        let mut best = f64::INFINITY;
        let mut stack = [0_u32; DEEPEST + 1];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at as usize];
            if !meets(&node.bounds, ray, best) {
                continue;
            }
            if node.count == 0 {
                stack[depth] = node.at;
                stack[depth + 1] = at + 1;
                depth += 2;
            } else {
                for triangle in node.at..node.at + node.count {
                    best = visit(triangle as usize, best);
                }
            }
        }
    }

    /// Whether any triangle whose leaf overlaps `query` passes the test.
    pub fn any(&self, query: &Aabb, mut test: impl FnMut(usize) -> bool) -> bool {
        let mut stack = [0_u32; DEEPEST];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at as usize];
            if !node.bounds.overlaps(query) {
                continue;
            }
            if node.count == 0 {
                stack[depth] = node.at;
                stack[depth + 1] = at + 1;
                depth += 2;
            } else if (node.at..node.at + node.count).any(|triangle| test(triangle as usize)) {
                return true;
            }
        }
        false
    }
}

/// Whether a ray meets a box within a distance.
fn meets(bounds: &Aabb, ray: &Ray, within: f64) -> bool {
    let (mut from, mut to) = (0.0_f64, within);
    for c in 0..3 {
        let (o, d) = (ray.origin[c], ray.direction[c]);
        let [t, u] = [(bounds.low[c] - o) / d, (bounds.high[c] - o) / d];
        // On a face of a box and along it both are 0/0: `max` and `min` pass over what is not a number.
        (from, to) = (from.max(t.min(u)), to.min(t.max(u)));
    }
    from <= to
}
