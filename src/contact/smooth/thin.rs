//! One contact where several were found.
//!
//! A closest point at the joint of two pieces may be found from both, up to rounding: the deeper stays. What was found at
//! the start of a piece stays only where no closest point is near.

use super::Found;
use crate::contact::Contact;

/// Closest points nearer to each other than this share of the width are one.
const SAME: f64 = 0.05;
/// A start of a piece is not needed nearer to a closest point than this share of the width. (With the whole width, as
/// \[Crespel24\] has it for hair, a tight knot sinks into itself between its contacts.)
const NEAR: f64 = 0.25;

/// Its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinner {
    /// Closest points of two bodies by arc length on the first: arc length, index.
    closest: Vec<(f64, u32)>,
}

impl Thinner {
    /// Appends the contacts that stay; `found` is sorted by key.
    pub(super) fn thin(&mut self, found: &[Found], out: &mut Vec<Contact>) {
        let bodies = |f: &Found| (f.contact.key.body, f.contact.key.partner);
        for group in found.chunk_by(|p, q| bodies(p) == bodies(q)) {
            self.closest.clear();
            let closest = group.iter().enumerate().filter(|(_, f)| f.closest);
            self.closest
                .extend(closest.map(|(k, f)| (f.along[0], k as u32)));
            self.closest
                .sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            let stays = |&(k, f): &(usize, &Found)| !self.is_covered(group, k, f);
            let staying = group.iter().enumerate().filter(stays);
            out.extend(staying.map(|(_, f)| f.contact));
        }
    }

    /// Whether a closest point speaks for what was found.
    fn is_covered(&self, group: &[Found], k: usize, f: &Found) -> bool {
        let reach = f.width * if f.closest { SAME } else { NEAR };
        let from = self
            .closest
            .partition_point(|&(s, _)| s < f.along[0] - reach);
        let near = self.closest[from..]
            .iter()
            .take_while(|&&(s, _)| s <= f.along[0] + reach);
        near.map(|&(_, other)| (other as usize, &group[other as usize]))
            .filter(|&(other, g)| other != k && (g.along[1] - f.along[1]).abs() <= reach)
            .any(|(other, g)| {
                let deeper = (g.contact.gap, other) < (f.contact.gap, k);
                !f.closest || deeper
            })
    }
}
