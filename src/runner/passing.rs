//! What was passed since the last frame that the window has taken: one entry for each step, however few frames it takes.
//!
//! ```text
//!   steps      41 42 43 44 45 46 47 48 49          a frame that nobody took is replaced by one that has
//!   frame 1    ●──●──●                             its entries too; once one was taken, its entries go
//!   frame 2    ●──●──●──●──●──●      (taken)
//!   frame 3                      ●──●──●
//! ```

use std::collections::VecDeque;

use crate::world::{Passed, Snapshot};

/// Entries kept, half a megabyte: eight seconds of steps of 4 ms. Of a window that sleeps longer the oldest are lost.
pub(super) const MOST: usize = 2048;

/// Steps that follow each other without a gap.
pub(super) struct Passing {
    steps: VecDeque<Passed>,
    /// So many of them, from the oldest, were in the last frame.
    sent: usize,
}

impl Default for Passing {
    fn default() -> Self {
        Self {
            steps: VecDeque::with_capacity(MOST),
            sent: 0,
        }
    }
}

impl Passing {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.sent = 0;
    }

    /// A step was taken. If it does not follow the last one, the world was elsewhere in between.
    pub fn note(&mut self, passed: Passed) {
        let follows = |last: &Passed| last.step + 1 == passed.step;
        if !self.steps.back().is_none_or(follows) {
            self.clear();
        }
        if self.steps.len() == MOST {
            self.steps.pop_front();
            self.sent = self.sent.saturating_sub(1);
        }
        self.steps.push_back(passed);
    }

    /// The world goes back to a step: what came after it has not happened.
    pub fn forget_after(&mut self, step: u64) {
        while self.steps.back().is_some_and(|last| last.step > step) {
            self.steps.pop_back();
        }
        self.sent = self.sent.min(self.steps.len());
    }

    /// The window has taken the last frame.
    pub fn taken(&mut self) {
        self.steps.drain(..self.sent);
        self.sent = 0;
    }

    /// Adds what led to a state, if it is the newest here; a picture of the past stands for itself.
    pub fn write(&mut self, out: &mut Snapshot) {
        self.sent = 0;
        if self.steps.back().is_some_and(|last| last.step == out.step) {
            out.passed.clear();
            out.passed.extend(&self.steps);
            self.sent = self.steps.len();
        }
    }
}
