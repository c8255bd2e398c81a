//! Commands on their way to the solver: in order, and without the ones that newer ones make pointless.
//!
//! The solver may be busy for seconds while the pointer moves sixty times a second. Of many moves of one hand, or many
//! positions of one slider, only the newest matters; it takes the place of the older one as long as nothing in between
//! depends on that.

use std::collections::VecDeque;
use std::mem::discriminant;

use crate::runner::Command;
use crate::world::Edit;

/// Commands not yet taken by the solver.
#[derive(Default, Debug)]
pub struct Outbox {
    waiting: VecDeque<Command>,
}

impl Outbox {
    /// Forgets a scene that was to be opened, with what was to be played in it; whether there was one.
    pub fn forget_scene(&mut self) -> bool {
        let is_load = |old: &Command| matches!(old, Command::Load { .. });
        let waits = self.waiting.iter().any(is_load);
        let is_replay = |old: &Command| matches!(old, Command::Replay { .. });
        self.waiting.retain(|old| !is_load(old) && !is_replay(old));
        waits
    }

    /// Adds a command, in place of an older one that it makes pointless.
    pub fn push(&mut self, command: Command) {
        if matches!(command, Command::Load { .. } | Command::Reset) {
            // What was asked of the old world means nothing to the new one; how to run stays. So do hands that let go: if the new
            // one cannot be built, the old one goes on.
            self.waiting.retain(|old| !is_of_the_world(old));
        }
        let superseded = self
            .waiting
            .iter_mut()
            .rev()
            .take_while(|old| !blocks(old, &command))
            .find(|old| supersedes(&command, old));
        match superseded {
            Some(old) => *old = command,
            None => self.waiting.push_back(command),
        }
    }

    /// Whether everything has been handed over.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Hands over commands until one is refused, which stays first in line.
    pub fn deliver(&mut self, mut send: impl FnMut(Command) -> Result<(), Command>) {
        while let Some(command) = self.waiting.pop_front() {
            if let Err(refused) = send(command) {
                self.waiting.push_front(refused);
                return;
            }
        }
    }
}

/// Whether a command is about the world that is there, and not about how to run.
fn is_of_the_world(command: &Command) -> bool {
    match command {
        Command::Edit(edit) => !matches!(edit, Edit::Release(_)),
        Command::Load { .. }
        | Command::Reset
        | Command::SeekTo(_)
        | Command::StepBack
        | Command::RewindToLastGood
        | Command::Replay { .. } => true,
        _ => false,
    }
}

/// Whether `new` makes `old` pointless.
fn supersedes(new: &Command, old: &Command) -> bool {
    match (new, old) {
        (
            Command::Edit(Edit::MoveHand { hand, .. }),
            Command::Edit(Edit::MoveHand { hand: other, .. }),
        ) => hand == other,
        (
            Command::Edit(Edit::TwistHand { hand, .. }),
            Command::Edit(Edit::TwistHand { hand: other, .. }),
        ) => hand == other,
        (
            Command::Edit(Edit::MoveHold { id, .. }),
            Command::Edit(Edit::MoveHold { id: other, .. }),
        ) => id == other,
        (
            Command::Edit(Edit::ReturnHold { id }),
            Command::Edit(Edit::MoveHold { id: other, .. }),
        ) => id == other,
        (
            Command::Edit(Edit::MoveSolid { solid, .. }),
            Command::Edit(Edit::MoveSolid { solid: other, .. }),
        ) => solid == other,
        (
            Command::Edit(Edit::ReturnSolid { solid }),
            Command::Edit(Edit::MoveSolid { solid: other, .. }),
        ) => solid == other,
        (
            Command::Edit(Edit::SpinSolid { solid, .. }),
            Command::Edit(Edit::SpinSolid { solid: other, .. }),
        ) => solid == other,
        (
            Command::Edit(Edit::SetMaterial { rods, .. }),
            Command::Edit(Edit::SetMaterial { rods: other, .. }),
        ) => rods == other,
        (
            Command::Edit(Edit::SetPairFriction { a, b, .. }),
            Command::Edit(Edit::SetPairFriction { a: c, b: d, .. }),
        ) => (a, b) == (c, d),
        (Command::Edit(new), Command::Edit(old)) => {
            is_setting(new) && discriminant(new) == discriminant(old)
        }
        (Command::SetPace(_), Command::SetPace(_)) => true,
        (Command::SeekTo(_), Command::SeekTo(_)) => true,
        _ => false,
    }
}

/// Whether `new` may not move ahead of `old`: they are about the same hand, or time passes in between.
fn blocks(old: &Command, new: &Command) -> bool {
    match (old, new) {
        (Command::SeekTo(_), Command::SeekTo(_)) => false,
        // An edit counts where in time it is made.
        (Command::Edit(_), Command::SeekTo(_)) => true,
        (Command::Step(_) | Command::Play | Command::SeekTo(_), _) => true,
        (Command::StepBack | Command::RewindToLastGood | Command::Replay { .. }, _) => true,
        (Command::Record { .. } | Command::StopRecording, _) => true,
        (Command::Load { .. } | Command::Reset, _) => true,
        (
            Command::Edit(
                Edit::Release(hand) | Edit::Grab { hand, .. } | Edit::GrabSolid { hand, .. },
            ),
            Command::Edit(Edit::MoveHand { hand: other, .. } | Edit::TwistHand { hand: other, .. }),
        ) => hand == other,
        // A pin is made where the hand has led it by then.
        (
            Command::Edit(Edit::Pin(_) | Edit::Clamp(_) | Edit::Unhold(_) | Edit::Rehold(_)),
            Command::Edit(new),
        ) => !is_setting(new),
        _ => false,
    }
}

fn is_setting(edit: &Edit) -> bool {
    matches!(
        edit,
        Edit::SetFriction(_)
            | Edit::SetTimeStep(_)
            | Edit::SetGravity(_)
            | Edit::SetDetector(_)
            | Edit::SetSolver(_)
            | Edit::SetTolerance(_)
            | Edit::SetMaxIterations(_)
            | Edit::SetSolverBudget(_)
            | Edit::SetMaxPasses(_)
            | Edit::SetSelfContact(_)
            | Edit::SetModel { rods: None, .. }
            | Edit::PlayDemo(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Hand, MaterialPoint};
    use nalgebra::Point3;

    fn move_hand(hand: u32, x: f64) -> Command {
        Command::Edit(Edit::MoveHand {
            hand: Hand(hand),
            target: Point3::new(x, 0.0, 0.0),
        })
    }

    fn grab(hand: u32) -> Command {
        Command::Edit(Edit::Grab {
            hand: Hand(hand),
            point: MaterialPoint {
                rod: 0,
                element: 0,
                fraction: 0.0,
            },
            target: Point3::origin(),
        })
    }

    fn release(hand: u32) -> Command {
        Command::Edit(Edit::Release(Hand(hand)))
    }

    fn delivered(outbox: &mut Outbox) -> Vec<String> {
        let mut sent = Vec::new();
        outbox.deliver(|command| {
            sent.push(format!("{command:?}"));
            Ok(())
        });
        sent
    }

    fn texts(commands: &[Command]) -> Vec<String> {
        commands.iter().map(|c| format!("{c:?}")).collect()
    }

    #[test]
    fn only_the_newest_move_of_each_hand_is_sent() {
        let mut outbox = Outbox::default();
        for i in 0..100 {
            outbox.push(move_hand(i % 2, i as f64));
        }
        assert_eq!(
            delivered(&mut outbox),
            texts(&[move_hand(0, 98.0), move_hand(1, 99.0)])
        );
    }

    #[test]
    fn a_move_never_overtakes_a_grab_or_a_release_of_its_hand() {
        let mut outbox = Outbox::default();
        let asked = [
            grab(0),
            move_hand(0, 1.0),
            release(0),
            grab(0),
            move_hand(0, 2.0),
        ];
        asked.iter().for_each(|c| outbox.push(c.clone()));
        assert_eq!(delivered(&mut outbox), texts(&asked));
    }

    #[test]
    fn a_slider_sends_its_last_value_once() {
        let mut outbox = Outbox::default();
        for i in 0..10 {
            outbox.push(Command::Edit(Edit::SetFriction(i as f64)));
            outbox.push(move_hand(0, i as f64));
        }
        let expected = [Command::Edit(Edit::SetFriction(9.0)), move_hand(0, 9.0)];
        assert_eq!(delivered(&mut outbox), texts(&expected));
    }

    #[test]
    fn of_many_places_in_the_past_only_the_last_is_gone_to_and_edits_wait_for_it() {
        let mut outbox = Outbox::default();
        let set = |mu| Command::Edit(Edit::SetFriction(mu));
        let asked = [
            set(0.1),
            Command::SeekTo(5),
            Command::SeekTo(7),
            set(0.2),
            Command::SeekTo(9),
        ];
        asked.iter().for_each(|c| outbox.push(c.clone()));
        let expected = [set(0.1), Command::SeekTo(7), set(0.2), Command::SeekTo(9)];
        assert_eq!(delivered(&mut outbox), texts(&expected));
    }

    #[test]
    fn a_refused_command_stays_first_in_line() {
        let mut outbox = Outbox::default();
        let asked = [grab(0), release(0), Command::Pause];
        asked.iter().for_each(|c| outbox.push(c.clone()));
        let mut room = 1;
        outbox.deliver(|command| {
            if room == 0 {
                return Err(command);
            }
            room -= 1;
            Ok(())
        });
        assert_eq!(delivered(&mut outbox), texts(&asked[1..]));
    }

    #[test]
    fn a_reset_forgets_edits_of_the_old_world_but_not_how_to_run() {
        let mut outbox = Outbox::default();
        for command in [grab(0), Command::Pause, move_hand(0, 1.0), Command::Reset] {
            outbox.push(command);
        }
        assert_eq!(
            delivered(&mut outbox),
            texts(&[Command::Pause, Command::Reset])
        );
    }
}
