//! What the last step handed to the friction solver: plain data for whoever wants to solve it again.

use nalgebra::Vector3;

use super::World;
use crate::friction::Problem;

/// A one-step problem with the impulses that the step before suggests for it.
#[derive(Clone, Copy, Debug)]
pub struct Handed<'a> {
    /// W, b, µ of the step's last linearisation; of a divided step, of its last piece.
    pub problem: &'a Problem,
    /// The first guess, one impulse per contact: what persisting contacts bore in the step before.
    pub guess: &'a [Vector3<f64>],
    /// The impulses that came out.
    pub impulses: &'a [Vector3<f64>],
}

impl World {
    /// Keeps the first guess of every step from now on, for [`World::handed`]; costs nothing when not asked for.
    pub fn keep_guesses(&mut self) {
        self.guess.get_or_insert_default();
    }

    /// The problem of the last step; none without contacts, and none if guesses are not kept.
    pub fn handed(&self) -> Option<Handed<'_>> {
        let guess = self.guess.as_deref()?;
        let problem = &self.one_step.problem;
        // Before the first step, or when guesses have only just been asked for, the two do not belong together.
        let whole = !problem.is_empty() && problem.len() == guess.len();
        whole.then_some(Handed {
            problem,
            guess,
            impulses: &self.impulses,
        })
    }
}
