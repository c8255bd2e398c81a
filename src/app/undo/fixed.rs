//! A pin or clamp that was made or freed, and how to take that back. Worlds number what holds strands as they like, so it
//! is found again by its place.

use crate::world::{Edit, HoldKind, HoldSnapshot, MaterialPoint, Snapshot};

/// A pin or clamp that came or went.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    point: MaterialPoint,
    clamp: bool,
    /// Whether it came.
    pub made: bool,
}

impl Fixed {
    /// The pin or clamp that an edit makes or removes.
    pub fn by(edit: &Edit, snapshot: &Snapshot) -> Option<Self> {
        match *edit {
            Edit::Pin(point) => Some(Self::new(point, false, true)),
            Edit::Clamp(point) => Some(Self::new(point, true, true)),
            Edit::Unhold(id) => {
                let hold = snapshot.holds.iter().find(|hold| hold.id == id)?;
                let clamp = match hold.kind {
                    HoldKind::Pin => false,
                    HoldKind::Clamp => true,
                    HoldKind::Grab { .. } => return None,
                };
                Some(Self::new(hold.point, clamp, false))
            }
            _ => None,
        }
    }

    fn new(point: MaterialPoint, clamp: bool, made: bool) -> Self {
        Self { point, clamp, made }
    }

    /// What happened, for people.
    pub fn what(&self) -> String {
        let kind = if self.clamp { "clamp" } else { "pin" };
        let done = if self.made { "made" } else { "freed" };
        format!("{kind} {done}")
    }

    /// The edits that make it again, where its point is now, or remove it.
    pub fn edits(&self, make: bool, snapshot: &Snapshot) -> Vec<Edit> {
        if make {
            return vec![if self.clamp {
                Edit::Clamp(self.point)
            } else {
                Edit::Pin(self.point)
            }];
        }
        hold_at(&self.point, snapshot)
            .map(Edit::Unhold)
            .into_iter()
            .collect()
    }
}

/// The newest pin or clamp at a point.
pub fn hold_at(point: &MaterialPoint, snapshot: &Snapshot) -> Option<u32> {
    let node = |point: &MaterialPoint| point.element + point.fraction.round() as usize;
    let here = |hold: &&HoldSnapshot| {
        hold.hand.is_none()
            && !matches!(hold.kind, HoldKind::Grab { .. })
            && hold.point.rod == point.rod
            && node(&hold.point) == node(point)
    };
    let holds = snapshot.holds.iter().filter(here);
    holds.map(|hold| hold.id).max()
}

/// What happened to several at once, for people.
pub fn what(all: &[Fixed]) -> String {
    match all {
        [one] => one.what(),
        [first, rest @ ..] if rest.iter().all(|other| other.what() == first.what()) => {
            format!("{} × {}", all.len(), first.what())
        }
        _ => {
            let each: Vec<String> = all.iter().map(Fixed::what).collect();
            each.join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::UndoLog;
    use super::*;
    use crate::scene;

    #[test]
    fn undoing_a_pin_frees_it_and_undoing_that_pins_again() {
        let mut log = UndoLog::default();
        let scene = scene::load("wisp", &[]).expect("a shipped scene");
        let mut world = crate::world::World::new(scene.spec).expect("a shipped scene");
        let mut snapshot = Snapshot::default();
        let point = MaterialPoint {
            rod: 3,
            element: 5,
            fraction: 0.9,
        };
        let mut act = |log: &mut UndoLog, edits: Vec<Edit>, by_hand: bool| {
            for edit in edits {
                if by_hand {
                    log.note_hands(std::slice::from_ref(&edit), &snapshot);
                }
                world.apply(edit).expect("allowed");
            }
            world.snapshot(&mut snapshot);
            let held = |hold: &&HoldSnapshot| hold.rod == 3 && hold.kind == HoldKind::Pin;
            (snapshot.holds.iter().filter(held).count(), snapshot.clone())
        };
        let (pins, seen) = act(&mut log, vec![Edit::Pin(point)], true);
        assert_eq!(pins, 1);
        let (what, back) = log.undo(&seen).expect("an entry");
        assert_eq!(what, "pin made");
        let (pins, seen) = act(&mut log, back, false);
        assert_eq!(pins, 0);
        let (_, again) = log.redo(&seen).expect("an entry");
        let (pins, seen) = act(&mut log, again, false);
        assert_eq!(pins, 1);
        let id = seen.holds.iter().map(|hold| hold.id).max().expect("holds");
        let (pins, seen) = act(&mut log, vec![Edit::Unhold(id)], true);
        assert_eq!(pins, 0);
        let (what, back) = log.undo(&seen).expect("an entry");
        assert_eq!(what, "pin freed");
        assert_eq!(act(&mut log, back, false).0, 1);
    }
}
