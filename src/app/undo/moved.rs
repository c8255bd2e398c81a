//! A clamp, pin or solid that was moved or turned by hand, and how to take that back. All moves of one drag are one.

use nalgebra::Isometry3;

use super::fixed::{Kind, hold_at};
use crate::app::gizmo::{Thing, edit_to, pose_of};
use crate::world::{Edit, MaterialPoint, Snapshot};

/// What was moved, from where and to where.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    what: What,
    before: Isometry3<f64>,
    after: Isometry3<f64>,
    /// Whether it followed its script until then, or stood where it was made: no hand had moved it before.
    first: bool,
}

/// Worlds number holds as they like: one is found again by its place on the strand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Solid(usize),
    Hold { point: MaterialPoint, kind: Kind },
}

impl Moved {
    /// What an edit moves.
    pub fn by(edit: &Edit, snapshot: &Snapshot) -> Option<Self> {
        let (thing, after) = match *edit {
            Edit::MoveSolid { solid, pose } => (Thing::Solid(solid), pose),
            Edit::MoveHold { id, pose } => (Thing::Hold(id), pose),
            _ => return None,
        };
        let (what, led) = match thing {
            Thing::Solid(solid) => (What::Solid(solid), snapshot.solids.get(solid)?.led),
            Thing::Hold(id) => {
                let hold = snapshot.holds.iter().find(|hold| hold.id == id)?;
                let (point, kind) = (hold.point, Kind::of(hold)?);
                (What::Hold { point, kind }, hold.led)
            }
        };
        Some(Self {
            what,
            before: pose_of(snapshot, thing)?,
            after,
            first: !led,
        })
    }

    /// Goes on to where a later move of the same thing went; whether it is the same.
    pub fn go_on(&mut self, later: &Moved) -> bool {
        let same = self.what == later.what;
        if same {
            self.after = later.after;
        }
        same
    }

    /// What happened, for people.
    pub fn what(&self) -> String {
        let moved = match self.what {
            What::Solid(_) => "solid",
            What::Hold { kind, .. } => kind.name(),
        };
        format!("{moved} moved")
    }

    /// The edits that move it back, or there again.
    pub fn edits(&self, back: bool, snapshot: &Snapshot) -> Vec<Edit> {
        let thing = match self.what {
            What::Solid(solid) => Some(Thing::Solid(solid)),
            What::Hold { point, kind } => hold_at(&point, kind, snapshot).map(Thing::Hold),
        };
        let edit = thing.map(|thing| match (back, thing) {
            (true, Thing::Solid(solid)) if self.first => Edit::ReturnSolid { solid },
            (true, Thing::Hold(id)) if self.first => Edit::ReturnHold { id },
            (true, _) => edit_to(thing, self.before),
            (false, _) => edit_to(thing, self.after),
        });
        edit.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::UndoLog;
    use super::*;
    use crate::scene;
    use crate::world::World;

    fn moved_to(edits: &[Edit]) -> Option<Isometry3<f64>> {
        match edits {
            [Edit::MoveHold { pose, .. } | Edit::MoveSolid { pose, .. }] => Some(*pose),
            _ => None,
        }
    }

    #[test]
    fn a_drag_is_taken_back_at_once_and_done_again_at_once() {
        let scene = scene::load("wisp", &[]).expect("a shipped scene");
        let world = World::new(scene.spec).expect("a shipped scene");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        for thing in [Thing::Hold(snapshot.holds[3].id), Thing::Solid(0)] {
            let mut log = UndoLog::default();
            let start = pose_of(&snapshot, thing).expect("it is there");
            let along = |k: i32| Isometry3::translation(0.01 * f64::from(k), 0.0, 0.0) * start;
            for k in 1..=20 {
                log.note_hands(&[edit_to(thing, along(k))], &snapshot);
            }
            let (_, back) = log.undo(&snapshot).expect("one entry");
            let returned = match thing {
                Thing::Hold(id) => Edit::ReturnHold { id },
                Thing::Solid(solid) => Edit::ReturnSolid { solid },
            };
            assert_eq!(back, [returned]);
            assert!(log.undo(&snapshot).is_none(), "a drag is one entry");
            let (_, again) = log.redo(&snapshot).expect("one entry");
            assert_eq!(moved_to(&again), Some(along(20)));
        }
    }

    #[test]
    fn only_the_first_of_two_moves_of_a_solid_leads_back_to_its_script() {
        let scene = scene::load("wisp", &[]).expect("a shipped scene");
        let world = World::new(scene.spec).expect("a shipped scene");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        let mut log = UndoLog::default();
        let there = Isometry3::translation(0.0, 1.0, 0.0);
        log.note_hands(&[edit_to(Thing::Solid(0), there)], &snapshot);
        log.close();
        snapshot.solids[0].led = true;
        log.note_hands(&[edit_to(Thing::Solid(0), there)], &snapshot);
        let (_, back) = log.undo(&snapshot).expect("the second");
        assert!(moved_to(&back).is_some());
        let (_, back) = log.undo(&snapshot).expect("the first");
        assert_eq!(back, [Edit::ReturnSolid { solid: 0 }]);
    }

    #[test]
    fn two_drags_are_two_entries() {
        let scene = scene::load("wisp", &[]).expect("a shipped scene");
        let world = World::new(scene.spec).expect("a shipped scene");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        let mut log = UndoLog::default();
        let there = Isometry3::translation(0.0, 1.0, 0.0);
        log.note_hands(&[edit_to(Thing::Solid(0), there)], &snapshot);
        log.close();
        log.note_hands(&[edit_to(Thing::Solid(0), there)], &snapshot);
        log.note_hands(&[edit_to(Thing::Solid(1), there)], &snapshot);
        assert_eq!(log.past().count(), 3);
    }
}
