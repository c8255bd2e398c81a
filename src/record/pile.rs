//! What can be said of all strands of a world together: how far and how high they lie, how straight they are.

use nalgebra::{Point3, Vector2};

use crate::world::World;

/// Nodes of all strands, strand after strand.
pub(super) fn nodes(world: &World) -> impl Iterator<Item = Point3<f64>> + '_ {
    (0..world.rods()).flat_map(|rod| world.rod_nodes(rod).iter().copied())
}

/// How far nodes are from their middle, seen from above: root of the mean square, m.
pub(super) fn radius(world: &World) -> f64 {
    let plan = || nodes(world).map(|node| Vector2::new(node.x, node.z));
    let count = plan().count().max(1) as f64;
    let middle = plan().sum::<Vector2<f64>>() / count;
    let spread: f64 = plan().map(|x| (x - middle).norm_squared()).sum();
    (spread / count).sqrt()
}

/// Height of the highest node, m.
pub(super) fn height(world: &World) -> f64 {
    nodes(world).map(|node| node.y).fold(f64::MIN, f64::max)
}

/// Distance between the ends over length: the mean over the strands, and the least.
pub(super) fn straightness(world: &World) -> (f64, f64) {
    let each = (0..world.rods()).map(|rod| {
        let nodes = world.rod_nodes(rod);
        let length: f64 = nodes
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).norm())
            .sum();
        (nodes[nodes.len() - 1] - nodes[0]).norm() / length
    });
    let (sum, least) = each.fold((0.0, 1.0_f64), |(sum, least), s| (sum + s, least.min(s)));
    (sum / world.rods().max(1) as f64, least)
}
