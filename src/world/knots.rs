//! Which knots the strands make, and which loops are linked.

use std::fmt::Write as _;

use nalgebra::Point3;
use serde::Serialize;

use super::snapshot::{Snapshot, StrandRange};
pub use crate::geometry::knot::KnotNamer;
use crate::geometry::knot::{KnotName, linking_number};

/// Up to so many strands all are listed; of more, those that are knotted.
const LISTED: usize = 36;
/// Up to so many loops it is looked for links.
const LOOPS: usize = 64;
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
        for (i, (a, first)) in loops.iter().enumerate() {
            for (b, second) in &loops[i + 1..] {
                let linking_number = linking_number(first, second);
                if linking_number != 0 {
                    let strands = [*a, *b];
                    found.links.push(Link {
                        strands,
                        linking_number,
                    });
                }
            }
        }
        found
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
