//! Which knots the strands make, and which loops are linked.

use std::fmt::Write as _;

use nalgebra::Point3;
use serde::Serialize;

use super::snapshot::{Snapshot, StrandRange};
use crate::geometry::Aabb;
pub use crate::geometry::knot::KnotNamer;
use crate::geometry::knot::{KnotName, linking_number};

/// Up to so many strands all are listed; of more, those that are knotted.
const LISTED: usize = 36;
/// Up to so many loops it is looked for links …
const LOOPS: usize = 64;
/// … as long as those that lie in each other's way have so many nodes in all, each counted for every other loop that it is
/// held against: a few milliseconds' worth.
const LINKING: usize = 40_000;
/// So many kinds of knots, and so many links, are written out in a summary.
const WRITTEN: usize = 3;

/// The knots of one state.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Knots {
    /// Of how many strands.
    pub count: usize,
    /// All strands if they are few, else those that are knotted.
    pub strands: Vec<StrandKnot>,
    /// Loops that are linked.
    pub links: Vec<Link>,
    /// Pairs of loops that were not looked at, because there are too many.
    pub unlooked: usize,
}

/// The knot of a strand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrandKnot {
    /// Index of the strand.
    pub strand: usize,
    /// Its knot, the ends of an open strand led on to infinity.
    pub knot: KnotName,
}

/// Two loops that are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Indices of the strands.
    pub strands: [usize; 2],
    /// How often, and in which sense, one winds around the other.
    pub linking_number: i32,
}

impl Knots {
    /// The knots of a snapshot.
    pub fn of(snapshot: &Snapshot, namer: &mut KnotNamer) -> Self {
        Self::of_strands(&snapshot.strands, |k| snapshot.points[k].position, namer)
    }

    /// The knots of strands whose nodes are given one by one.
    pub fn of_strands(
        strands: &[StrandRange],
        node: impl Fn(usize) -> [f32; 3],
        namer: &mut KnotNamer,
    ) -> Self {
        let corners = |strand: &StrandRange| {
            // The node that closes a loop is its first.
            let count = strand.count - u32::from(strand.closed && strand.count > 0);
            let nodes = strand.first..strand.first + count;
            nodes.map(|k| Point3::from(node(k as usize).map(f64::from)))
        };
        let mut found = Self {
            count: strands.iter().filter(|strand| !strand.fixed).count(),
            ..Self::default()
        };
        // A rail is no strand that anyone could knot.
        let free = || strands.iter().enumerate().filter(|(_, s)| !s.fixed);
        for (strand, range) in free() {
            let knot = if range.closed {
                namer.name_closed(corners(range))
            } else {
                namer.name_open(corners(range))
            };
            if found.count <= LISTED || !knot.is_unknot() {
                found.strands.push(StrandKnot { strand, knot });
            }
        }
        let loops = free().filter(|(_, s)| s.closed);
        let loops: Vec<(usize, Vec<Point3<f64>>)> = loops
            .take(LOOPS)
            .map(|(k, range)| (k, corners(range).collect()))
            .collect();
        found.link(&loops);
        found
    }

    /// Finds the links among loops, as far as the work allows.
    fn link(&mut self, loops: &[(usize, Vec<Point3<f64>>)]) {
        let boxes: Vec<Aabb> = loops.iter().map(|(_, nodes)| Aabb::around(nodes)).collect();
        let mut nodes_left = LINKING;
        for (i, (a, first)) in loops.iter().enumerate() {
            for (j, (b, second)) in loops.iter().enumerate().skip(i + 1) {
                if !boxes[i].overlaps(&boxes[j]) {
                    continue;
                }
                let Some(left) = nodes_left.checked_sub(first.len() + second.len()) else {
                    self.unlooked += 1;
                    continue;
                };
                nodes_left = left;
                let linking_number = linking_number(first, second);
                if linking_number != 0 {
                    let strands = [*a, *b];
                    self.links.push(Link {
                        strands,
                        linking_number,
                    });
                }
            }
        }
    }

    /// In a few words: the name for a single strand, else what there is of each kind, and the links.
    pub fn summary(&self) -> String {
        let mut kinds: Vec<(String, usize)> = Vec::new();
        let knotted = self.strands.iter().filter(|s| !s.knot.is_unknot());
        for name in knotted.map(|s| s.knot.to_string()) {
            match kinds.iter_mut().find(|(kind, _)| *kind == name) {
                Some((_, count)) => *count += 1,
                None => kinds.push((name, 1)),
            }
        }
        let knotted: usize = kinds.iter().map(|(_, count)| count).sum();
        let more = kinds.len().saturating_sub(WRITTEN);
        let mut words: Vec<String> = kinds
            .into_iter()
            .take(WRITTEN)
            .map(|(name, count)| match count {
                1 => name,
                _ => format!("{count} × {name}"),
            })
            .collect();
        if more > 0 {
            words.push(format!("{more} more kinds"));
        }
        match self.count - knotted {
            0 => {}
            1 => words.push("unknot".into()),
            rest => words.push(format!("{rest} unknots")),
        }
        words.join(", ") + &self.links_summary()
    }

    fn links_summary(&self) -> String {
        let mut text = String::new();
        for link in self.links.iter().take(WRITTEN) {
            let [a, b] = link.strands.map(|k| k + 1);
            let number = link.linking_number;
            // Writing to a string does not fail.
            let _ = write!(text, "; {a} and {b} linked {number:+}");
        }
        match self.links.len().saturating_sub(WRITTEN) {
            0 => {}
            more => {
                let _ = write!(text, " and {more} more links");
            }
        }
        if self.unlooked > 0 {
            let _ = write!(text, "; {} pairs not looked at", self.unlooked);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::Outline;

    fn strand(first: u32, count: u32, closed: bool) -> StrandRange {
        StrandRange {
            first,
            count,
            closed,
            color: [1.0; 3],
            model: RodModel::DiscreteElastic,
            outline: Outline::Round,
            fixed: false,
        }
    }

    fn ring(middle: [f64; 3], upright: bool) -> impl Iterator<Item = [f32; 3]> {
        (0..=40).map(move |k| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k % 40) / 40.0).sin_cos();
            let [x, y, z] = middle;
            let (y, z) = if upright { (y, z + sin) } else { (y + sin, z) };
            [x + cos, y, z].map(|x| x as f32)
        })
    }

    #[test]
    fn rings_of_a_chain_are_linked_with_their_neighbours_only() {
        let places: Vec<[f32; 3]> = (0..3)
            .flat_map(|k| ring([1.2 * f64::from(k), 0.0, 0.0], k == 1))
            .collect();
        let strands: Vec<_> = (0..3).map(|k| strand(41 * k, 41, true)).collect();
        let knots = Knots::of_strands(&strands, |k| places[k], &mut KnotNamer::new());
        let linked: Vec<_> = knots.links.iter().map(|link| link.strands).collect();
        assert_eq!(linked, [[0, 1], [1, 2]]);
        assert!(knots.links.iter().all(|l| l.linking_number.abs() == 1));
        assert!(knots.summary().starts_with("3 unknots; 1 and 2 linked "));
    }

    /// Rings of a chain, or all about one place.
    fn rings(count: u32, apart: f64, nodes: u32) -> Knots {
        let turn = |k: u32, n: u32| {
            let (sin, cos) =
                (std::f64::consts::TAU * f64::from(n % nodes) / f64::from(nodes)).sin_cos();
            let (y, z) = if k % 2 == 1 { (0.0, sin) } else { (sin, 0.0) };
            [cos + apart * f64::from(k), y, z].map(|x| x as f32)
        };
        let places: Vec<[f32; 3]> = (0..count)
            .flat_map(|k| (0..=nodes).map(move |n| turn(k, n)))
            .collect();
        let strands: Vec<_> = (0..count)
            .map(|k| strand((nodes + 1) * k, nodes + 1, true))
            .collect();
        Knots::of_strands(&strands, |k| places[k], &mut KnotNamer::new())
    }

    #[test]
    fn the_work_of_looking_for_links_is_bounded_and_what_is_left_out_is_told() {
        let chain = rings(64, 1.2, 40);
        assert_eq!((chain.links.len(), chain.unlooked), (63, 0));
        let heap = rings(64, 0.01, 400);
        let looked_at = 64 * 63 / 2 - heap.unlooked;
        assert!((1..=LINKING / 800).contains(&looked_at), "{looked_at}");
        assert!(heap.summary().ends_with("pairs not looked at"));
    }

    #[test]
    fn a_rail_has_no_knot() {
        let places: Vec<[f32; 3]> = (0..2)
            .flat_map(|k| ring([1.2 * f64::from(k), 0.0, 0.0], k == 1))
            .collect();
        let mut strands = [strand(0, 41, true), strand(41, 41, true)];
        strands[0].fixed = true;
        let knots = Knots::of_strands(&strands, |k| places[k], &mut KnotNamer::new());
        assert_eq!((knots.summary().as_str(), knots.links.len()), ("unknot", 0));
        assert_eq!(knots.strands[0].strand, 1);
    }

    #[test]
    fn of_many_strands_only_the_knotted_are_listed() {
        let trefoil = (0..60).map(|k| {
            let t = std::f64::consts::TAU * f64::from(k) / 60.0;
            let r = 2.0 + (3.0 * t).cos();
            [r * (2.0 * t).cos(), r * (2.0 * t).sin(), (3.0 * t).sin()].map(|x| x as f32)
        });
        let places: Vec<[f32; 3]> = trefoil.collect();
        // Sixty strands: one is the whole knot, the others a few nodes of it.
        let mut strands = vec![strand(3, 10, false); 59];
        strands.insert(7, strand(0, 60, false));
        let knots = Knots::of_strands(&strands, |k| places[k], &mut KnotNamer::new());
        assert_eq!((knots.count, knots.strands.len()), (60, 1));
        assert_eq!(knots.strands[0].strand, 7);
        assert_eq!(knots.summary(), "trefoil (3_1), 59 unknots");
        let few = Knots::of_strands(&strands[7..9], |k| places[k], &mut KnotNamer::new());
        assert_eq!(few.strands.len(), 2);
        assert_eq!(few.summary(), "trefoil (3_1), unknot");
    }
}
