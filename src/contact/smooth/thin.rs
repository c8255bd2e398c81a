//! One contact where several were found.
//!
//! A closest point at the joint of two pieces may be found from both, up to rounding: the deeper stays. What was found at
//! the start of a piece stays only where no closest point is near.

use super::{Found, Rank};
use crate::contact::Contact;

/// Closest points nearer to each other than this share of the width are one.
const SAME: f64 = 0.05;
/// A mark is not needed nearer to a closest point, nor a mark of the second nearer to one of the first, than this share of
/// the way to the next mark. (Nearer than the strands are thick, as \[Crespel24\] has it for hair, is too much: a tight knot
/// sinks into itself between its contacts. None left out is too little: every piece of a strand around a bar has two
/// contacts, and the friction problem ten times the work.)
const NEAR: f64 = 0.45;

/// Its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinner {
    /// What was found for two bodies, by arc length on the first: arc length, index.
    order: Vec<(f64, u32)>,
}

impl Thinner {
    /// Appends the contacts that stay; `found` is sorted by key.
    pub(super) fn thin(&mut self, found: &[Found], out: &mut Vec<Contact>) {
        let bodies = |f: &Found| (f.contact.key.body, f.contact.key.partner);
        for group in found.chunk_by(|p, q| bodies(p) == bodies(q)) {
            self.order.clear();
            let arcs = group.iter().map(|f| f.along[0]);
            self.order.extend(arcs.zip(0..));
            self.order
                .sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            let stays = |&(k, f): &(usize, &Found)| !self.is_covered(group, k, f);
            let staying = group.iter().enumerate().filter(stays);
            out.extend(staying.map(|(_, f)| f.contact));
        }
    }

    /// Whether another speaks for what was found.
    fn is_covered(&self, group: &[Found], k: usize, f: &Found) -> bool {
        let reach = match f.rank {
            Rank::Closest => SAME * f.width,
            _ => NEAR * f.spacing,
        };
        let other_way = |g: &Found| apart(g.along[1] - f.along[1], f.round[1]);
        self.near(f.along[0], reach, f.round[0])
            .map(|other| (other as usize, &group[other as usize]))
            .filter(|&(other, g)| other != k && other_way(g) <= reach)
            .any(|(other, g)| match f.rank {
                Rank::Closest => {
                    g.rank == Rank::Closest && (g.contact.gap, other) < (f.contact.gap, k)
                }
                _ => g.rank < f.rank,
            })
    }

    /// What was found within `reach` of an arc length on the first, around a ring of length `round` too.
    fn near(&self, at: f64, reach: f64, round: f64) -> impl Iterator<Item = u32> {
        let turns = if round > 0.0 { -1..=1 } else { 0..=0 };
        turns.flat_map(move |turn| {
            let at = at + f64::from(turn) * round;
            let from = self.order.partition_point(|&(s, _)| s < at - reach);
            let near = self.order[from..].iter();
            near.take_while(move |&&(s, _)| s <= at + reach)
                .map(|&(_, index)| index)
        })
    }
}

/// How far two arc lengths that differ by so much are apart, the shorter way around a ring of this length (none if 0).
fn apart(by: f64, round: f64) -> f64 {
    let by = by.abs();
    if round > 0.0 {
        by.min((round - by).abs())
    } else {
        by
    }
}
