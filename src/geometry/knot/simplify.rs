//! Crossings that a diagram can do without, by the moves of \[Reidemeister27\]:
//!
//! ```text
//!   I   a loop:      … c c …               →  … …
//!   II  a bigon:     … a b … a b …, one    →  … … … …
//!                    strand over at both, signs opposite
//! ```

use super::diagram::{Diagram, Visit};

/// The Gauss code as a ring of visits.
#[derive(Clone, Debug, Default)]
pub(super) struct Simplifier {
    next: Vec<usize>,
    before: Vec<usize>,
    /// Where each crossing is gone through: above, below.
    over: Vec<usize>,
    under: Vec<usize>,
    gone: Vec<bool>,
    number: Vec<u32>,
}

impl Simplifier {
    /// Takes out crossings until no move does.
    pub fn simplify(&mut self, diagram: &mut Diagram) {
        let count = diagram.visits.len();
        if count == 0 {
            return;
        }
        self.start(diagram);
        loop {
            let mut changed = false;
            for c in 0..diagram.signs.len() {
                if self.gone[c] {
                    continue;
                }
                if self.is_loop(c) {
                    self.take_out(c);
                    changed = true;
                } else if let Some(other) = self.bigon(c, diagram) {
                    self.take_out(c);
                    self.take_out(other);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.write_back(diagram);
    }

    fn start(&mut self, diagram: &Diagram) {
        let (count, crossings) = (diagram.visits.len(), diagram.signs.len());
        self.next.clear();
        self.next.extend((0..count).map(|i| (i + 1) % count));
        self.before.clear();
        self.before
            .extend((0..count).map(|i| (i + count - 1) % count));
        self.gone.clear();
        self.gone.resize(crossings, false);
        self.over.resize(crossings, 0);
        self.under.resize(crossings, 0);
        for (i, visit) in diagram.visits.iter().enumerate() {
            let places = if visit.over {
                &mut self.over
            } else {
                &mut self.under
            };
            places[visit.crossing as usize] = i;
        }
    }

    fn is_loop(&self, c: usize) -> bool {
        let (over, under) = (self.over[c], self.under[c]);
        self.next[over] == under || self.next[under] == over
    }

    /// The crossing that follows above and is next to it below as well, with the opposite sign.
    fn bigon(&self, c: usize, diagram: &Diagram) -> Option<usize> {
        let after = self.next[self.over[c]];
        let Visit { crossing, over } = diagram.visits[after];
        let other = crossing as usize;
        let (here, there) = (self.under[c], self.under[other]);
        let next_below = self.next[here] == there || self.next[there] == here;
        let opposite = diagram.signs[c] != diagram.signs[other];
        (over && other != c && next_below && opposite).then_some(other)
    }

    fn take_out(&mut self, c: usize) {
        for i in [self.over[c], self.under[c]] {
            let (a, b) = (self.before[i], self.next[i]);
            self.next[a] = b;
            self.before[b] = a;
        }
        self.gone[c] = true;
    }

    fn write_back(&mut self, diagram: &mut Diagram) {
        self.number.clear();
        let mut left = 0;
        for gone in &self.gone {
            self.number.push(left);
            left += u32::from(!gone);
        }
        let (gone, number) = (&self.gone, &self.number);
        diagram.visits.retain(|v| !gone[v.crossing as usize]);
        for visit in &mut diagram.visits {
            visit.crossing = number[visit.crossing as usize];
        }
        let mut c = 0;
        diagram.signs.retain(|_| {
            c += 1;
            !gone[c - 1]
        });
    }
}
