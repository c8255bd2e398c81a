//! The way of the end of the first strand, step by step: where it was and how fast, whatever the rate of frames.

use std::collections::VecDeque;

use crate::world::Passed;

/// Steps kept.
const CAPACITY: usize = 4096;

/// One step of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    step: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// Where it is, m.
    pub place_m: [f32; 3],
    /// Its velocity, m/s.
    pub velocity_m_s: [f32; 3],
}

/// The way, oldest first, without a gap.
pub struct TipWay {
    steps: VecDeque<Tip>,
}

impl Default for TipWay {
    fn default() -> Self {
        Self {
            steps: VecDeque::with_capacity(CAPACITY),
        }
    }
}

impl TipWay {
    /// The last so many seconds, oldest first.
    pub fn last(&self, duration_s: f64) -> impl Iterator<Item = &Tip> {
        let end_s = self.steps.back().map_or(0.0, |tip| tip.time_s);
        let from = (self.steps).partition_point(|tip| tip.time_s < end_s - duration_s);
        self.steps.range(from..)
    }

    /// Forgets everything from a step on, then goes on with what was passed. Without strands there is nothing to keep.
    pub(super) fn take(&mut self, from: u64, passed: &[Passed]) {
        while self.steps.back().is_some_and(|tip| tip.step >= from) {
            self.steps.pop_back();
        }
        for passed in passed.iter().filter(|passed| passed.tip_m[0].is_finite()) {
            if self.steps.len() == CAPACITY {
                self.steps.pop_front();
            }
            self.steps.push_back(Tip {
                step: passed.step,
                time_s: passed.time_s,
                place_m: passed.tip_m,
                velocity_m_s: passed.tip_m_s,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shown::{Seen, Shown};

    /// Shows the state after the last of some steps, which were passed on the way.
    fn show(way: &mut TipWay, seen: &mut Seen, shown: &mut Shown, steps: std::ops::Range<u64>) {
        shown.snapshot.step = steps.end - 1;
        let passed = |step| Passed {
            step,
            time_s: step as f64,
            tip_m: [0.0; 3],
            ..Passed::default()
        };
        shown.snapshot.passed = steps.map(passed).collect();
        way.take(seen.follow(shown), &shown.snapshot.passed);
    }

    #[test]
    fn steps_told_twice_are_kept_once_and_what_did_not_happen_is_forgotten() {
        let scene = crate::scene::load("drape", &[]).expect("ships");
        let (mut way, mut seen) = (TipWay::default(), Seen::default());
        let mut shown = Shown::new(scene);
        let steps = |way: &TipWay| -> Vec<u64> { way.steps.iter().map(|tip| tip.step).collect() };
        show(&mut way, &mut seen, &mut shown, 1..4);
        show(&mut way, &mut seen, &mut shown, 2..7);
        assert_eq!(steps(&way), [1, 2, 3, 4, 5, 6]);
        // Back to step 3.
        show(&mut way, &mut seen, &mut shown, 3..4);
        assert_eq!(steps(&way), [1, 2, 3]);
        // Back to step 1 and on to 5, of which the window saw only the end.
        show(&mut way, &mut seen, &mut shown, 2..6);
        assert_eq!(steps(&way), [1, 2, 3, 4, 5]);
        // Nobody knows what was between 5 and 40.
        show(&mut way, &mut seen, &mut shown, 40..42);
        assert_eq!(steps(&way), [40, 41]);
        assert_eq!(way.last(0.5).count(), 1);
        // Another world.
        shown.snapshot.generation += 1;
        show(&mut way, &mut seen, &mut shown, 42..43);
        assert_eq!(steps(&way), [42]);
    }
}
