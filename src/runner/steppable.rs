//! The little that the runner needs of a world, so that tests can run one that sleeps or panics.

use crate::world::{Edit, Snapshot, SpecError, World};

/// Something that advances in steps.
pub(super) trait Steppable {
    /// Advances by one step, or says in a sentence why not.
    fn step(&mut self) -> Result<(), String>;
    /// Applies an edit, or says in a sentence why not.
    fn apply(&mut self, edit: Edit) -> Result<(), SpecError>;
    /// Writes the present state into `out`.
    fn snapshot(&self, out: &mut Snapshot);
    /// Simulated time, s.
    fn time_s(&self) -> f64;
    /// Length of the next step, s.
    fn dt_s(&self) -> f64;
}

impl Steppable for World {
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
    fn time_s(&self) -> f64 {
        World::time_s(self)
    }
    fn dt_s(&self) -> f64 {
        self.settings().dt_s
    }
}
