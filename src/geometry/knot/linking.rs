//! How often one loop winds around another: half the sum of the signs of their crossings, from any side \[Gauss33\].

use nalgebra::Point3;

use super::diagram::{self, NoView};
use super::index_tree::IndexTree;
use crate::geometry::Aabb;

/// Views tried until one shows every crossing clearly.
const VIEWS: usize = 24;

/// The linking number of two closed polygons, the last corner of each joined to its first. It does not depend on which is
/// first; it changes its sign when one of them is followed the other way.
pub fn linking_number(a: &[Point3<f64>], b: &[Point3<f64>]) -> i32 {
    let (box_a, box_b) = (Aabb::around(a), Aabb::around(b));
    if a.len() < 3 || b.len() < 3 || !box_a.overlaps(&box_b) {
        return 0;
    }
    let mut tree = IndexTree::default();
    let seen = (0..VIEWS).find_map(|view| sum_of_signs(a, b, view, &mut tree).ok());
    seen.unwrap_or(0) / 2
}

fn sum_of_signs(
    a: &[Point3<f64>],
    b: &[Point3<f64>],
    view: usize,
    tree: &mut IndexTree,
) -> Result<i32, NoView> {
    let turn = diagram::direction(view);
    let turned = |loop_: &[Point3<f64>]| loop_.iter().map(|x| turn * x).collect::<Vec<_>>();
    let (a, b) = (turned(a), turned(b));
    let piece = |x: &[Point3<f64>], k: usize| [x[k], x[(k + 1) % x.len()]];
    let flat = |x: &[Point3<f64>], k: usize| piece(x, k).map(|p| Point3::new(p.x, p.y, 0.0));
    tree.rebuild(b.len(), |k| flat(&b, k));
    let (mut sum, mut work) = (0, 0);
    for i in 0..a.len() {
        let mut trouble = None;
        tree.any(&Aabb::around(&flat(&a, i)), &mut work, |j| {
            match diagram::crossing(piece(&a, i), piece(&b, j)) {
                Ok(found) => sum += found.map_or(0, |crossing| i32::from(crossing.sign)),
                Err(why) => trouble = Some(why),
            }
            trouble.is_some()
        });
        if let Some(why) = trouble {
            return Err(why);
        }
    }
    Ok(sum)
}
