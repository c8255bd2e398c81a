//! A pin, clamp or pull that was made or freed, and how to take that back. One that was freed comes back as it was: the world
//! keeps it. One that was made is found by its place, since worlds number what holds strands as they like.

use crate::world::{Edit, HoldKind, HoldSnapshot, MaterialPoint, Snapshot};

/// What holds a strand, besides hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A point.
    Pin,
    /// A point and its direction.
    Clamp,
    /// A force of the scene.
    Pull,
}

impl Kind {
    /// Of a hold that is no hand.
    pub fn of(hold: &HoldSnapshot) -> Option<Self> {
        match (hold.kind, hold.hand) {
            (HoldKind::Pin, _) => Some(Self::Pin),
            (HoldKind::Clamp, _) => Some(Self::Clamp),
            (HoldKind::Grab { .. }, None) => Some(Self::Pull),
            (HoldKind::Grab { .. }, Some(_)) => None,
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::Clamp => "clamp",
            Self::Pull => "pull",
        }
    }
}

/// A pin, clamp or pull that came or went.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    point: MaterialPoint,
    kind: Kind,
    /// Its number, once that is known.
    id: Option<u32>,
    /// Whether it came.
    pub made: bool,
}

impl Fixed {
    /// What an edit makes or removes.
    pub fn by(edit: &Edit, snapshot: &Snapshot) -> Option<Self> {
        let made = |point, kind| Self {
            point,
            kind,
            id: None,
            made: true,
        };
        match *edit {
            Edit::Pin(point) => Some(made(point, Kind::Pin)),
            Edit::Clamp(point) => Some(made(point, Kind::Clamp)),
            Edit::Unhold(id) => {
                let hold = snapshot.holds.iter().find(|hold| hold.id == id)?;
                Some(Self {
                    point: hold.point,
                    kind: Kind::of(hold)?,
                    id: Some(id),
                    made: false,
                })
            }
            _ => None,
        }
    }

    /// What happened, for people.
    pub fn what(&self) -> String {
        let done = if self.made { "made" } else { "freed" };
        format!("{} {done}", self.kind.name())
    }

    /// The edit that brings it (again), or removes it; none if there is nothing to remove.
    pub fn edit(&mut self, bring: bool, snapshot: &Snapshot) -> Option<Edit> {
        match (bring, self.id, self.kind) {
            (true, Some(id), _) => Some(Edit::Rehold(id)),
            (true, None, Kind::Clamp) => Some(Edit::Clamp(self.point)),
            (true, None, _) => Some(Edit::Pin(self.point)),
            (false, ..) => {
                // From now on it is the same one that comes and goes.
                self.id = hold_at(&self.point, self.kind, snapshot).or(self.id);
                self.id.map(Edit::Unhold)
            }
        }
    }
}

/// The newest of a kind at a point.
pub fn hold_at(point: &MaterialPoint, kind: Kind, snapshot: &Snapshot) -> Option<u32> {
    let node = |point: &MaterialPoint| point.element + point.fraction.round() as usize;
    let here = |hold: &&HoldSnapshot| {
        Kind::of(hold) == Some(kind)
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
    use crate::world::World;

    /// A world with a log of what hands do to it.
    struct Desk {
        world: World,
        log: UndoLog,
        seen: Snapshot,
    }

    impl Desk {
        fn with(scene: &str) -> Self {
            let scene = scene::load(scene, &[]).expect("a shipped scene");
            let world = World::new(scene.spec).expect("a shipped scene");
            let mut desk = Self {
                world,
                log: UndoLog::default(),
                seen: Snapshot::default(),
            };
            desk.look();
            desk
        }

        fn look(&mut self) {
            self.world.snapshot(&mut self.seen);
        }

        fn run(&mut self, steps: usize) {
            for _ in 0..steps {
                self.world.step().expect("a step");
            }
            self.look();
        }

        fn act(&mut self, edits: &[Edit]) {
            self.log.note_hands(edits, &self.seen);
            self.apply(edits);
        }

        fn apply(&mut self, edits: &[Edit]) {
            for edit in edits {
                self.world.apply(edit.clone()).expect("allowed");
            }
            self.look();
        }

        fn undo(&mut self) -> String {
            let (what, edits) = self.log.undo(&self.seen).expect("an entry");
            assert!(!edits.is_empty(), "{what}");
            self.apply(&edits);
            what
        }

        fn redo(&mut self) -> String {
            let (what, edits) = self.log.redo(&self.seen).expect("an entry");
            assert!(!edits.is_empty(), "{what}");
            self.apply(&edits);
            what
        }

        fn count(&self, kind: Kind) -> usize {
            let holds = self.seen.holds.iter();
            holds.filter(|hold| Kind::of(hold) == Some(kind)).count()
        }
    }

    #[test]
    fn undoing_a_pin_frees_it_and_redoing_that_brings_the_same_pin_back() {
        let mut desk = Desk::with("wisp");
        let point = MaterialPoint {
            rod: 3,
            element: 5,
            fraction: 0.9,
        };
        desk.act(&[Edit::Pin(point)]);
        desk.run(5);
        let pin = *desk.seen.holds.last().expect("the pin");
        assert_eq!(desk.undo(), "pin made");
        assert_eq!(desk.count(Kind::Pin), 0);
        desk.run(40);
        assert_eq!(desk.redo(), "pin made");
        let back = *desk.seen.holds.last().expect("the pin");
        assert_eq!(back.id, pin.id);
        desk.run(400);
        let [was, is] = [pin, *desk.seen.holds.last().expect("the pin")]
            .map(|hold| bevy::math::Vec3::from(hold.position));
        assert!(was.distance(is) < 1e-5, "{was} became {is}");
        desk.act(&[Edit::Unhold(pin.id)]);
        assert_eq!(desk.count(Kind::Pin), 0);
        assert_eq!(desk.undo(), "pin freed");
        assert_eq!(desk.count(Kind::Pin), 1);
    }

    #[test]
    fn roots_that_were_freed_all_at_once_come_back_with_their_names_to_their_places() {
        let mut desk = Desk::with("wisp");
        desk.run(10);
        let before = desk.seen.holds.clone();
        let all: Vec<Edit> = before.iter().map(|hold| Edit::Unhold(hold.id)).collect();
        assert!(all.len() > 20, "a lock of hair has many roots");
        desk.act(&all);
        assert!(desk.seen.holds.is_empty());
        desk.run(30);
        desk.undo();
        let names = |holds: &[HoldSnapshot]| -> Vec<_> {
            holds.iter().map(|h| (h.id, h.described, h.kind)).collect()
        };
        assert_eq!(names(&desk.seen.holds), names(&before));
        desk.run(900);
        for (was, is) in before.iter().zip(&desk.seen.holds) {
            let [p, q] = [was, is].map(|hold| bevy::math::Vec3::from(hold.position));
            assert!(p.distance(q) < 1e-4, "{}: {p} became {q}", was.id);
        }
        desk.redo();
        assert!(desk.seen.holds.is_empty());
    }

    #[test]
    fn a_clamp_made_of_a_pin_and_back_is_one_entry_each_way() {
        let mut desk = Desk::with("wisp");
        let point = desk.seen.holds[2].point;
        let id = desk.seen.holds[2].id;
        desk.run(3);
        desk.act(&[Edit::Unhold(id), Edit::Pin(point)]);
        assert_eq!(desk.count(Kind::Pin), 1);
        let clamps = desk.count(Kind::Clamp);
        assert_eq!(desk.undo(), "clamp freed, pin made");
        assert_eq!(desk.count(Kind::Pin), 0);
        assert_eq!(desk.count(Kind::Clamp), clamps + 1);
        desk.redo();
        assert_eq!(desk.count(Kind::Pin), 1);
        assert_eq!(desk.count(Kind::Clamp), clamps);
    }

    #[test]
    fn a_pull_of_the_scene_that_was_freed_or_moved_is_taken_back() {
        let mut desk = Desk::with("knot");
        desk.apply(&[Edit::PlayDemo(true)]);
        desk.run(3);
        let pulls = desk.count(Kind::Pull);
        let pull = desk
            .seen
            .holds
            .iter()
            .find(|h| Kind::of(h) == Some(Kind::Pull));
        let pull = *pull.expect("the knot's ends are pulled");
        desk.act(&[Edit::Unhold(pull.id)]);
        assert_eq!(desk.count(Kind::Pull), pulls - 1);
        assert_eq!(desk.undo(), "pull freed");
        assert_eq!(desk.count(Kind::Pull), pulls);
        let pose = nalgebra::Isometry3::translation(0.0, 0.5, 0.0);
        desk.act(&[Edit::MoveHold { id: pull.id, pose }]);
        assert_eq!(desk.undo(), "pull moved");
    }
}
