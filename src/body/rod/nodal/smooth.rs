//! The smooth curve of a chain of nodes: a cubic B-spline, twice continuously differentiable.
//!
//! ```text
//!   c_j  = x_j − (x_{j−1} − 2 x_j + x_{j+1})/6         so that the spline runs through smooth nodes up to h⁴
//!   p(t) = Σ b_i(t) c_{k−1+i},  i = 0 … 3               on edge k
//! ```
//!
//! With the nodes themselves as control points it would lie inside every bend by κh²/6, a fifth of the radius in a tight
//! knot. Through every node exactly would make each point depend on all nodes; so it depends on six. At a free end the
//! spline starts at the node, without curvature.

use nalgebra::{Point3, Vector3};

use super::{Nodal, NodalRod, axes};
use crate::body::Site;
use crate::body::rod::cuts;
use crate::geometry::Curve;

/// Nodes that a place depends on.
pub const NODES: usize = 6;

/// Weights of the nodes around edge `k` of `edges`, from node k − 2 on; those that do not exist have none.
pub type Weights = [f64; NODES];

/// The nodes' weights in the four control points of edge `k`.
fn control(k: usize, edges: usize, closed: bool) -> [Weights; 4] {
    let own = |j: isize| -> Weights {
        // Control point j by nodes; the window starts at node k − 2.
        let at = (j - k as isize + 2) as usize;
        let mut w = [0.0; NODES];
        if !closed && (j == 0 || j == edges as isize) {
            w[at] = 1.0;
        } else {
            w[at - 1] = -1.0 / 6.0;
            w[at] = 8.0 / 6.0;
            w[at + 1] = -1.0 / 6.0;
        }
        w
    };
    let mirrored = |end: isize, inner: isize| -> Weights {
        let (end, inner) = (own(end), own(inner));
        std::array::from_fn(|i| 2.0 * end[i] - inner[i])
    };
    std::array::from_fn(|i| {
        let j = k as isize - 1 + i as isize;
        let last = edges as isize;
        match j {
            -1 if !closed => mirrored(0, 1),
            _ if !closed && j == last + 1 => mirrored(last, last - 1),
            _ => own(j),
        }
    })
}

/// Weights of the nodes at parameter `t` of edge `k`.
pub fn weights(k: usize, edges: usize, closed: bool, t: f64) -> Weights {
    let u = 1.0 - t;
    let basis = [
        u * u * u / 6.0,
        (t * t * (3.0 * t - 6.0) + 4.0) / 6.0,
        (u * u * (3.0 * u - 6.0) + 4.0) / 6.0,
        t * t * t / 6.0,
    ];
    let mut out = [0.0; NODES];
    for (c, b) in control(k, edges, closed).iter().zip(basis) {
        out.iter_mut().zip(c).for_each(|(out, c)| *out += b * c);
    }
    out
}

/// The node at place `i` of the window of edge `k`, if it exists.
pub fn node(k: usize, i: usize, edges: usize, closed: bool) -> Option<usize> {
    let node = k as isize - 2 + i as isize;
    if closed {
        Some(node.rem_euclid(edges as isize) as usize)
    } else {
        (0..=edges as isize)
            .contains(&node)
            .then_some(node as usize)
    }
}

/// The spline on edge `k` of the chain through `nodes`, a ring's first repeated at the end.
pub fn curve(nodes: &[Point3<f64>], closed: bool, k: usize) -> Curve {
    let edges = nodes.len() - 1;
    let c = control(k, edges, closed).map(|weights| {
        let mut sum = Vector3::zeros();
        for (i, w) in weights.iter().enumerate() {
            if let Some(node) = node(k, i, edges, closed) {
                // Relative to the edge's first node: nothing is lost far from the origin.
                sum += (nodes[node] - nodes[k]) * *w;
            }
        }
        sum
    });
    Curve::cubic([
        nodes[k] + (c[0] + c[1] * 4.0 + c[2]) / 6.0,
        nodes[k] + (c[1] * 2.0 + c[2]) / 3.0,
        nodes[k] + (c[1] + c[2] * 2.0) / 3.0,
        nodes[k] + (c[1] + c[2] * 4.0 + c[3]) / 6.0,
    ])
}

/// Writes points along the splines of two states of a chain of this radius, as many, so dense that what is between them is
/// straight to a fraction of the radius.
pub fn trace(
    nodes: [&[Point3<f64>]; 2],
    closed: bool,
    radius_m: f64,
    out: [&mut Vec<Point3<f64>>; 2],
) {
    let sags = nodes.map(|nodes| sag(nodes, closed));
    let per_edge = cuts(sags[0].max(sags[1]), radius_m);
    for (nodes, out) in nodes.into_iter().zip(out) {
        points_along(nodes, closed, per_edge, out);
    }
}

/// By how much the spline leaves its chords at most, about, m: h² κ/8.
fn sag(nodes: &[Point3<f64>], closed: bool) -> f64 {
    let bend = |[a, b, c]: [&Point3<f64>; 3]| ((a - b) + (c - b)).norm() / 8.0;
    let inner = nodes.windows(3).map(|p| bend([&p[0], &p[1], &p[2]]));
    let joint = closed.then(|| bend([&nodes[nodes.len() - 2], &nodes[0], &nodes[1]]));
    inner.chain(joint).fold(0.0, f64::max)
}

/// Points along the spline, so many to each edge, and its end.
fn points_along(nodes: &[Point3<f64>], closed: bool, per_edge: usize, out: &mut Vec<Point3<f64>>) {
    out.clear();
    let edges = nodes.len() - 1;
    for k in 0..edges {
        let curve = curve(nodes, closed, k);
        out.extend((0..per_edge).map(|i| curve.point(i as f64 / per_edge as f64)));
    }
    let end = match closed {
        true => out[0],
        false => curve(nodes, closed, edges - 1).point(1.0),
    };
    out.push(end);
}

impl<M: Nodal<BAND>, const BAND: usize> NodalRod<M, BAND> {
    /// [`Body::jacobian`] on the smooth curve: six nodes move the centreline there, and the section turns with the edge it
    /// is on, blended into the next one towards the joint between them.
    pub(super) fn curve_jacobian(
        &self,
        site: Site,
        offset: &Vector3<f64>,
        out: &mut Vec<Vector3<f64>>,
    ) -> usize {
        let chain = self.model.chain();
        let (edges, k, t) = (chain.edges(), site.element, site.fraction);
        let weights = weights(k, edges, chain.closed, t);
        let wraps = chain.closed && (k < 2 || k + 3 >= edges);
        let (first, end) = if wraps {
            (0, chain.dofs(M::STRIDE))
        } else {
            let last = (k + 3).min(edges);
            let first = M::STRIDE * k.saturating_sub(2);
            (first, M::STRIDE * last + 3)
        };
        let start = out.len();
        out.resize(start + end - first, Vector3::zeros());
        for (i, w) in weights.iter().enumerate() {
            if let Some(node) = node(k, i, edges, chain.closed) {
                let at = start + M::STRIDE * node - first;
                (0..3).for_each(|c| out[at + c][c] += w);
            }
        }
        let next = match (t < 0.5, chain.closed) {
            (true, false) => k.checked_sub(1),
            (true, true) => Some((k + edges - 1) % edges),
            (false, false) => (k + 1 < edges).then_some(k + 1),
            (false, true) => Some((k + 1) % edges),
        };
        let share = next.map_or(0.0, |_| (t - 0.5).abs());
        for (edge, share) in [(Some(k), 1.0 - share), (next, share)] {
            let Some(edge) = edge else { continue };
            if M::TURNS_WITH_NODES {
                let (tangent, length) = self.model.edge(&self.present, edge);
                for (c, axis) in axes().iter().enumerate() {
                    let turn = tangent.cross(axis).cross(offset) * (share / length);
                    out[start + self.at(edge) - first + c] -= turn;
                    out[start + self.at(edge + 1) - first + c] += turn;
                }
            }
            let scratch = out.len();
            self.model.edge_jacobian(&self.present, edge, offset, out);
            for i in scratch..out.len() {
                let column = out[i] * share;
                out[start + M::STRIDE * edge + 3 - first + i - scratch] += column;
            }
            out.truncate(scratch);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn circle(edges: usize, share: f64) -> Vec<Point3<f64>> {
        (0..=edges)
            .map(|k| {
                let angle = TAU * share * k as f64 / edges as f64;
                Point3::new(angle.cos(), angle.sin(), 0.1 * angle)
            })
            .collect()
    }

    #[test]
    fn pieces_join_without_a_kink_or_a_jump_of_curvature() {
        for (nodes, closed) in [(circle(9, 0.7), false), (closed_ring(9), true)] {
            let edges = nodes.len() - 1;
            for k in 1..edges {
                let (a, b) = (curve(&nodes, closed, k - 1), curve(&nodes, closed, k));
                let (a, b) = (a.jet(1.0), b.jet(0.0));
                assert!((a.point - b.point).norm() < 1e-13);
                assert!((a.first - b.first).norm() < 1e-12);
                assert!((a.second - b.second).norm() < 1e-11);
            }
        }
    }

    fn closed_ring(edges: usize) -> Vec<Point3<f64>> {
        let mut nodes: Vec<_> = circle(edges, 1.0)
            .iter()
            .map(|p| Point3::new(p.x, 1.3 * p.y, (2.0 * p.x).sin()))
            .collect();
        nodes[edges] = nodes[0];
        nodes
    }

    #[test]
    fn it_runs_through_smooth_nodes_to_fourth_order_and_through_free_ends_exactly() {
        let miss = |edges: usize| {
            let nodes = circle(edges, 0.5);
            let middle = edges / 2;
            (curve(&nodes, false, middle).point(0.0) - nodes[middle]).norm()
        };
        let order = (miss(16) / miss(32)).log2();
        assert!((order - 4.0).abs() < 0.2, "order {order}");
        let nodes = circle(8, 0.5);
        assert!((curve(&nodes, false, 0).point(0.0) - nodes[0]).norm() < 1e-15);
        assert!((curve(&nodes, false, 7).point(1.0) - nodes[8]).norm() < 1e-15);
    }

    #[test]
    fn a_trace_follows_the_curve_and_leaves_it_by_no_more_than_the_sag_over_the_cuts_squared() {
        for (nodes, closed) in [(circle(9, 0.7), false), (closed_ring(9), true)] {
            let (edges, cuts) = (nodes.len() - 1, 3);
            let mut traced = Vec::new();
            points_along(&nodes, closed, cuts, &mut traced);
            assert_eq!(traced.len(), edges * cuts + 1);
            if closed {
                assert_eq!(traced[0], traced[edges * cuts]);
            }
            let allowed = 1.3 * sag(&nodes, closed) / (cuts * cuts) as f64;
            for k in 0..edges * cuts {
                let on_curve = curve(&nodes, closed, k / cuts);
                let t = (k % cuts) as f64 / cuts as f64;
                assert!((on_curve.point(t) - traced[k]).norm() < 1e-14);
                let middle = on_curve.point(t + 0.5 / cuts as f64);
                let off = (middle - nalgebra::center(&traced[k], &traced[k + 1])).norm();
                assert!(off < allowed, "{off} m, {allowed} m allowed");
            }
        }
    }

    #[test]
    fn weights_give_the_point_of_the_curve() {
        for (nodes, closed) in [
            (circle(1, 0.1), false),
            (circle(2, 0.2), false),
            (circle(7, 0.9), false),
            (closed_ring(4), true),
            (closed_ring(9), true),
        ] {
            let edges = nodes.len() - 1;
            for k in 0..edges {
                for t in [0.0, 0.3, 1.0] {
                    let mut p = Vector3::zeros();
                    for (i, w) in weights(k, edges, closed, t).iter().enumerate() {
                        match node(k, i, edges, closed) {
                            Some(node) => p += nodes[node].coords * *w,
                            None => assert!(w.abs() < 1e-15),
                        }
                    }
                    let q = curve(&nodes, closed, k).point(t).coords;
                    assert!((p - q).norm() < 1e-13, "{edges} {k} {t}");
                }
            }
        }
    }
}
