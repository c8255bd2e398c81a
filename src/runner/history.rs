//! What has happened: states to go back to, and everything that was done, by steps.
//!
//! ```text
//!   steps   0    10   20   30   40   50   60          every KEYFRAME steps a state is kept whole,
//!           ●────●────●────●────●────●────●──▶        with the picture of it
//!              ▲  ▲▲            ▲                     edits are kept with the step they were made after
//! ```
//!
//! Steps are the same bits whenever they are taken, so any state is reached from the one kept before it by taking the
//! steps in between and doing again what was done. When memory runs out, states are given up: first those whose
//! neighbours are nearest for their age, and where that would leave more than [`LONGEST_WAY`] steps, the oldest.

use std::collections::VecDeque;

use crate::session::Event;
use crate::world::Snapshot;

/// Steps between two states that are kept.
pub const KEYFRAME: u64 = 10;
/// Memory that may be used, unless told otherwise.
pub const BUDGET_BYTES: usize = 256 << 20;
/// Steps that may have to be taken again to reach a state.
const LONGEST_WAY: u64 = 400;
/// So many of the newest states are kept whatever their size: without one before a fault there is no way back.
const FEWEST: usize = 3;
/// Steps between two marks: a pin that is moved is one mark, not hundreds.
const MARK_SPACING: u64 = 5;
/// Marks that a slider can show.
const MOST_MARKS: usize = 200;

/// A state that is kept.
pub(super) struct Keyframe<K> {
    pub step: u64,
    pub time_s: f64,
    pub kept: K,
    /// What is shown of it, so that looking back needs no step.
    pub snapshot: Snapshot,
    bytes: usize,
}

/// What the window may know of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryView {
    /// The first step that can be gone back to.
    pub oldest_step: u64,
    /// The last step that was taken.
    pub newest_step: u64,
    /// The step that is shown.
    pub now_step: u64,
    /// Simulated time of the oldest, s.
    pub oldest_s: f64,
    /// Simulated time of the newest, s.
    pub newest_s: f64,
    /// Memory used.
    pub bytes: usize,
    /// Memory that may be used.
    pub budget_bytes: usize,
    /// Steps at which something was done, some of them if there are many.
    pub marks: Vec<u64>,
}

/// States and edits since the scene was loaded.
pub(super) struct History<K> {
    /// By rising steps; never empty once the world has begun.
    keyframes: VecDeque<Keyframe<K>>,
    /// Given up; their memory is used again.
    freed: Vec<Keyframe<K>>,
    /// Edits and hashes, by rising steps.
    log: Vec<(u64, Event)>,
    newest: (u64, f64),
    bytes: usize,
    budget: usize,
}

impl<K> Default for History<K> {
    fn default() -> Self {
        Self {
            keyframes: VecDeque::new(),
            freed: Vec::new(),
            log: Vec::new(),
            newest: (0, 0.0),
            bytes: 0,
            budget: BUDGET_BYTES,
        }
    }
}

impl<K: Default> History<K> {
    /// Forgets everything but how much memory it may use.
    pub fn clear(&mut self) {
        *self = Self {
            budget: self.budget,
            ..Self::default()
        };
    }

    /// Changes how much memory may be used.
    pub fn set_budget(&mut self, bytes: usize) {
        self.budget = bytes;
        self.give_up();
    }

    /// The last step that was taken.
    pub fn newest_step(&self) -> u64 {
        self.newest.0
    }

    /// A step was taken, further than any before.
    pub fn went_on(&mut self, step: u64, time_s: f64) {
        self.newest = (step, time_s);
    }

    /// Whether the state after a step should be kept.
    pub fn wants(&self, step: u64) -> bool {
        let last = self.keyframes.back().map(|frame| frame.step);
        last.is_none_or(|last| step >= last + KEYFRAME)
    }

    /// Keeps a state, newer than all others: `fill` writes it into memory of old ones, and may share with the last.
    pub fn keep(
        &mut self,
        step: u64,
        time_s: f64,
        bytes: impl FnOnce(&K, &Snapshot) -> usize,
        fill: impl FnOnce(Option<&K>, &mut K, &mut Snapshot),
    ) {
        let mut frame = self.freed.pop().unwrap_or_else(|| Keyframe {
            step,
            time_s,
            kept: K::default(),
            snapshot: Snapshot::default(),
            bytes: 0,
        });
        let like = self.keyframes.back().map(|frame| &frame.kept);
        fill(like, &mut frame.kept, &mut frame.snapshot);
        (frame.step, frame.time_s) = (step, time_s);
        frame.bytes = bytes(&frame.kept, &frame.snapshot);
        self.bytes += frame.bytes;
        self.keyframes.push_back(frame);
        // One is enough to spare: the next one takes it.
        self.freed.truncate(1);
        self.give_up();
    }

    /// Notes what was done after so many steps.
    pub fn note(&mut self, step: u64, event: Event) {
        self.log.push((step, event));
    }

    /// Everything that was done, and hashes.
    pub fn log(&self) -> &[(u64, Event)] {
        &self.log
    }

    /// The first of the log's entries that are not before a step.
    pub fn first_since(&self, step: u64) -> usize {
        self.log.partition_point(|(at, _)| *at < step)
    }

    /// The newest state that is kept, and not after a step.
    pub fn before(&self, step: u64) -> Option<&Keyframe<K>> {
        let after = self.keyframes.partition_point(|frame| frame.step <= step);
        self.keyframes.get(after.checked_sub(1)?)
    }

    /// A step that can be reached.
    pub fn clamp(&self, step: u64) -> u64 {
        let oldest = self.keyframes.front().map_or(0, |frame| frame.step);
        step.clamp(oldest, self.newest.0.max(oldest))
    }

    /// Forgets what came after a step; of what was done after it, the first `done` entries of the log stay.
    pub fn fork(&mut self, step: u64, time_s: f64, done: usize) {
        self.log.truncate(done);
        while let Some(last) = self.keyframes.pop_back_if(|frame| frame.step > step) {
            self.bytes -= last.bytes;
            self.freed.push(last);
        }
        self.newest = (step, time_s);
    }

    fn give_up(&mut self) {
        while self.bytes > self.budget && self.keyframes.len() > FEWEST {
            let Some(frame) = self.keyframes.remove(self.least_missed()) else {
                return;
            };
            self.bytes -= frame.bytes;
            self.freed.push(frame);
        }
    }

    /// The state whose loss makes the ways least longer for its age; the oldest if all ways would become too long.
    fn least_missed(&self) -> usize {
        let way = |i: usize| self.keyframes[i + 1].step - self.keyframes[i - 1].step;
        let age = |i: usize| self.newest.0.saturating_sub(self.keyframes[i].step) + KEYFRAME;
        let missed = |i: usize| way(i) as f64 / age(i) as f64;
        (1..self.keyframes.len() - FEWEST)
            .filter(|&i| way(i) <= LONGEST_WAY)
            .min_by(|&i, &j| missed(i).total_cmp(&missed(j)))
            .unwrap_or(0)
    }

    /// Writes what the window may know.
    pub fn view(&self, now_step: u64, out: &mut HistoryView) {
        let oldest = self.keyframes.front();
        out.oldest_step = oldest.map_or(0, |frame| frame.step);
        out.oldest_s = oldest.map_or(0.0, |frame| frame.time_s);
        (out.newest_step, out.newest_s) = self.newest;
        out.now_step = now_step;
        (out.bytes, out.budget_bytes) = (self.bytes, self.budget);
        out.marks.clear();
        let first = self.first_since(out.oldest_step);
        let edits = self.log[first..].iter();
        let steps = edits.filter(|(_, event)| is_marked(event));
        out.marks.extend(steps.map(|(step, _)| *step));
        out.marks
            .dedup_by(|later, mark| *later < *mark + MARK_SPACING);
        if out.marks.len() > MOST_MARKS {
            let every = out.marks.len().div_ceil(MOST_MARKS);
            let mut index = 0;
            out.marks.retain(|_| {
                index += 1;
                (index - 1) % every == 0
            });
        }
    }
}

/// Whether an event is worth a mark: a drag is one mark, not hundreds.
fn is_marked(event: &Event) -> bool {
    use crate::world::Edit;
    match event {
        Event::Edit(Edit::MoveHand { .. } | Edit::TwistHand { .. }) => false,
        Event::Edit(_) => true,
        Event::Hash(_) | Event::End(_) => false,
    }
}

/// Memory of a picture.
pub(super) fn snapshot_bytes(snapshot: &Snapshot) -> usize {
    size_of::<Snapshot>()
        + size_of_val(snapshot.passed.as_slice())
        + size_of_val(snapshot.strands.as_slice())
        + size_of_val(snapshot.points.as_slice())
        + size_of_val(snapshot.solids.as_slice())
        + size_of_val(snapshot.contacts.as_slice())
        + size_of_val(snapshot.holds.as_slice())
        + size_of_val(snapshot.strand_values.as_slice())
        + size_of_val(snapshot.friction_pairs.as_slice())
        + size_of_val(snapshot.convergence.points.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Edit;

    fn keep(history: &mut History<u64>, step: u64) {
        history.went_on(step, step as f64);
        if history.wants(step) {
            history.keep(step, step as f64, |_, _| 100, |_, kept, _| *kept = step);
        }
    }

    fn with_budget(bytes: usize) -> History<u64> {
        let mut history = History::default();
        history.set_budget(bytes);
        history
    }

    #[test]
    fn memory_stays_within_its_budget_and_ways_stay_short() {
        for budget in [1000, 5_000, 20_000] {
            let mut history = with_budget(budget);
            for step in 0..20_000 {
                keep(&mut history, step);
                assert!(history.bytes <= budget);
            }
            let steps: Vec<u64> = history.keyframes.iter().map(|frame| frame.step).collect();
            assert!(steps.len() * 100 > budget / 2, "memory is used");
            assert!(
                steps.windows(2).all(|w| w[1] - w[0] <= LONGEST_WAY),
                "{steps:?}"
            );
            assert!(*steps.last().expect("some") > 19_980);
        }
    }

    #[test]
    fn the_state_before_a_step_is_the_nearest_kept() {
        let mut history = with_budget(1 << 20);
        (0..=95).for_each(|step| keep(&mut history, step));
        let before = |step| history.before(step).map(|frame| frame.kept);
        assert_eq!(before(0), Some(0));
        assert_eq!(before(39), Some(30));
        assert_eq!(before(40), Some(40));
        assert_eq!(before(1000), Some(90));
        assert_eq!(history.clamp(1000), 95);
    }

    #[test]
    fn what_is_done_after_going_back_takes_the_place_of_what_was_done_then() {
        let mut history = with_budget(1 << 20);
        for step in 0..=60 {
            keep(&mut history, step);
            if step % 20 == 5 {
                history.note(step, Event::Edit(Edit::SetFriction(step as f64)));
            }
        }
        let done = history.first_since(30);
        history.fork(30, 30.0, done);
        let mut view = HistoryView::default();
        history.view(30, &mut view);
        assert_eq!(
            (view.newest_step, view.marks.as_slice()),
            (30, &[5, 25][..])
        );
        assert_eq!(history.before(1000).map(|frame| frame.kept), Some(30));
        assert_eq!(view.bytes, 400);
    }
}
