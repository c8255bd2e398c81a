//! The little that the runner needs of a world, so that tests can run one that sleeps or panics.

use crate::world::{Checkpoint, Edit, Hand, Passed, Snapshot, SpecError, World};

/// Something that advances in steps.
pub(super) trait Steppable {
    /// A state to go back to.
    type Kept: Default;
    /// Advances by one step, or says in a sentence why not.
    fn step(&mut self) -> Result<(), String>;
    /// Applies an edit, or says in a sentence why not.
    fn apply(&mut self, edit: Edit) -> Result<(), SpecError>;
    /// Writes the present state into `out`.
    fn snapshot(&self, out: &mut Snapshot);
    /// What is followed, as it is now.
    fn passed(&self) -> Passed;
    /// Simulated time, s.
    fn time_s(&self) -> f64;
    /// Length of the next step, s.
    fn dt_s(&self) -> f64;
    /// Steps taken.
    fn steps(&self) -> u64;
    /// Keeps the whole state in `out`; shares with `like` what has not changed since that.
    fn keep(&self, like: Option<&Self::Kept>, out: &mut Self::Kept);
    /// Goes back to a state, of this world or of one made from the same description.
    fn go_back(&mut self, to: &Self::Kept);
    /// Memory of a state.
    fn bytes(kept: &Self::Kept) -> usize;
    /// A hash of the state.
    fn state_hash(&self) -> u64;
    /// The hands that hold something.
    fn hands(&self) -> Vec<Hand>;
}

impl Steppable for World {
    type Kept = Checkpoint;

    fn step(&mut self) -> Result<(), String> {
        match World::step(self) {
            Ok(_) => Ok(()),
            Err(fault) => Err(fault.to_string()),
        }
    }
    fn apply(&mut self, edit: Edit) -> Result<(), SpecError> {
        World::apply(self, edit)
    }
    fn snapshot(&self, out: &mut Snapshot) {
        World::snapshot(self, out);
    }
    fn passed(&self) -> Passed {
        World::passed(self)
    }
    fn time_s(&self) -> f64 {
        World::time_s(self)
    }
    fn dt_s(&self) -> f64 {
        self.settings().dt_s
    }
    fn steps(&self) -> u64 {
        World::steps(self)
    }
    fn keep(&self, like: Option<&Checkpoint>, out: &mut Checkpoint) {
        self.checkpoint(like, out);
    }
    fn go_back(&mut self, to: &Checkpoint) {
        self.restore(to);
    }
    fn bytes(kept: &Checkpoint) -> usize {
        kept.bytes()
    }
    fn state_hash(&self) -> u64 {
        World::state_hash(self)
    }
    fn hands(&self) -> Vec<Hand> {
        World::hands(self)
    }
}
