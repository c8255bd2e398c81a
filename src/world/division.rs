//! Into how many pieces steps are divided, remembered from one step to the next.
//!
//! ```text
//!   a piece fails            half as large
//!   some pieces in a row     twice as large again; the more often that was in vain, the more pieces it takes
//! ```
//!
//! What made pieces small, such as a hard pull, lasts for many steps; to try the whole step each time would be to fail
//! each time.

use std::hash::Hasher;

/// A step is divided at most into 2ⁿ pieces to keep strands from passing through things.
const FINEST: u32 = 6;
/// After so many pieces in a row their size is doubled, and after so many at most.
const GROW_AFTER: [u32; 2] = [2, 32];

/// How steps are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    /// A piece is the step over 2ⁿ.
    level: u32,
    /// Pieces of this size that went well in a row.
    taken: u32,
    /// How many of them it takes until larger ones are tried.
    patience: u32,
    /// The next piece is the first of a larger size.
    grown: bool,
}

impl Default for Division {
    fn default() -> Self {
        Self {
            level: 0,
            taken: 0,
            patience: GROW_AFTER[0],
            grown: false,
        }
    }
}

impl Division {
    /// The next piece of a step, s.
    pub fn piece(&self, whole: f64) -> f64 {
        whole / f64::from(1_u32 << self.level)
    }

    /// Whether it can be made smaller.
    pub fn is_divisible(&self) -> bool {
        self.level < FINEST
    }

    /// A piece has failed: the next is half as large.
    pub fn failed(&mut self) {
        let [_, most] = GROW_AFTER;
        if std::mem::take(&mut self.grown) {
            self.patience = (2 * self.patience).min(most);
        }
        self.level = (self.level + 1).min(FINEST);
        self.taken = 0;
    }

    /// A piece went well.
    pub fn passed(&mut self) {
        self.taken += 1;
        self.grown = self.level > 0 && self.taken >= self.patience;
        if self.grown {
            (self.level, self.taken) = (self.level - 1, 0);
        } else if self.level == 0 {
            self.patience = GROW_AFTER[0];
        }
    }

    /// Feeds every bit.
    pub fn hash(&self, hasher: &mut dyn Hasher) {
        for count in [self.level, self.taken, self.patience] {
            hasher.write_u32(count);
        }
        hasher.write_u8(u8::from(self.grown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_halve_when_they_fail_and_grow_back_when_they_do_not() {
        let mut division = Division::default();
        division.failed();
        division.failed();
        assert_eq!(division.piece(8.0), 2.0);
        let sizes: Vec<f64> = (0..9)
            .map(|_| {
                division.passed();
                division.piece(8.0)
            })
            .collect();
        assert_eq!(*sizes.last().expect("some"), 8.0);
        assert!(sizes.is_sorted());
    }

    #[test]
    fn growing_in_vain_is_tried_ever_more_rarely() {
        let mut division = Division::default();
        division.failed();
        let mut failures = 0;
        for _ in 0..1000 {
            if division.piece(1.0) > 0.6 {
                division.failed();
                failures += 1;
            } else {
                division.passed();
            }
        }
        assert!((20..50).contains(&failures), "{failures}");
    }

    #[test]
    fn there_is_a_smallest_piece() {
        let mut division = Division::default();
        (0..20).for_each(|_| division.failed());
        assert!(!division.is_divisible());
        assert_eq!(division.piece(64.0), 1.0);
    }
}
