//! Whose forces are followed: solids, hands, pins, and holds of the scene, as long as there is room.
//!
//! There are few slots, and whoever has one keeps it. What the user holds comes before what the scene holds: a head of hair
//! has a root for every strand. A hand is the same hand each time it takes hold.

use bevy::prelude::Vec3;

use crate::world::{Hand, HoldKind, HoldSnapshot, Snapshot, WorldSpec};

/// Things whose force is followed, at the most.
pub const PROBES: usize = 12;
/// Solids of the scene have at most so many of the slots …
const FOR_SOLIDS: usize = 4;
/// … and together with its holds so many: the others wait for hands and pins.
const FOR_SCENE: usize = 8;

/// Something whose force is followed.
#[derive(Clone, Debug, PartialEq)]
struct Probe {
    name: String,
    what: Probed,
    of_scene: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probed {
    /// Contact force on a solid, by its index.
    Solid(usize),
    /// Force of a clamp, pin or pull on its strand, by its id.
    Hold(u32),
    /// Force of a hand on whatever it holds.
    Hand(Hand),
}

impl Probed {
    fn force(self, snapshot: &Snapshot) -> Option<[f32; 3]> {
        let holds = || snapshot.holds.iter();
        match self {
            Probed::Solid(index) => snapshot.solid_forces.get(index).copied(),
            Probed::Hold(id) => holds().find(|hold| hold.id == id).map(|hold| hold.force),
            Probed::Hand(hand) => {
                let strand = holds().find(|hold| hold.hand == Some(hand));
                let solid = || snapshot.pulls.iter().find(|pull| pull.hand == hand);
                let strand = strand.map(|hold| hold.force);
                strand.or_else(|| solid().map(|pull| pull.force))
            }
        }
    }
}

/// What has a slot.
#[derive(Debug, Default)]
pub struct Probes(Vec<Probe>);

impl Probes {
    /// Another world has others.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// What a plot calls them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|probe| probe.name.as_str())
    }

    /// Sizes of the forces, N; not a number where there is none.
    pub fn forces_n(&self, snapshot: &Snapshot) -> [f32; PROBES] {
        let mut forces_n = [f32::NAN; PROBES];
        for (size, probe) in forces_n.iter_mut().zip(&self.0) {
            let force = probe.what.force(snapshot);
            *size = force.map_or(f32::NAN, |force| Vec3::from(force).length());
        }
        forces_n
    }

    /// Finds slots for what is new; returns those that changed hands.
    pub fn follow(&mut self, snapshot: &Snapshot, spec: &WorldSpec) -> Vec<usize> {
        if self.0.is_empty() {
            let solids = spec.solids.iter().enumerate().take(FOR_SOLIDS);
            self.0.extend(solids.map(|(index, solid)| Probe {
                name: solid.name.clone(),
                what: Probed::Solid(index),
                of_scene: true,
            }));
        }
        let mut changed = Vec::new();
        let hands = snapshot.pulls.iter().map(|pull| of_hand(pull.hand));
        let holds = snapshot.holds.iter().map(|hold| of_hold(hold, spec));
        for probe in hands.chain(holds) {
            if !self.0.iter().any(|known| known.what == probe.what) {
                changed.extend(self.seat(probe, snapshot));
            }
        }
        changed
    }

    /// Gives it a slot: a free one, or, if it is the user's, one of something that is gone or that the scene has many of.
    /// Returns that slot if another had it.
    fn seat(&mut self, probe: Probe, snapshot: &Snapshot) -> Option<usize> {
        let of_scene = self.0.iter().filter(|other| other.of_scene).count();
        if self.0.len() < PROBES && (!probe.of_scene || of_scene < FOR_SCENE) {
            self.0.push(probe);
            return None;
        }
        if probe.of_scene {
            return None;
        }
        let gone = |other: &Probe| other.what.force(snapshot).is_none();
        let slot = self.0.iter().position(gone);
        let slot = slot.or_else(|| self.0.iter().rposition(|other| other.of_scene))?;
        self.0[slot] = probe;
        Some(slot)
    }
}

fn of_hand(hand: Hand) -> Probe {
    let name = match hand.0 {
        0 => "the mouse".into(),
        finger => format!("finger {finger}"),
    };
    Probe {
        name,
        what: Probed::Hand(hand),
        of_scene: false,
    }
}

/// By the name it has in the scene, as in the list of attachments.
fn of_hold(hold: &HoldSnapshot, spec: &WorldSpec) -> Probe {
    if let Some(hand) = hold.hand {
        return of_hand(hand);
    }
    let described = hold.described.and_then(|k| spec.holds.get(k as usize));
    let kind = match hold.kind {
        HoldKind::Clamp => "clamp",
        HoldKind::Pin => "pin",
        HoldKind::Grab { .. } => "pull",
    };
    Probe {
        name: described.map_or_else(|| format!("{kind} {}", hold.id), |it| it.name.clone()),
        what: Probed::Hold(hold.id),
        of_scene: described.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::picking::tests::hold;

    /// A head of hair, in full grip of its roots.
    fn hair() -> (Probes, Snapshot, WorldSpec) {
        let scene = crate::scene::load("wisp", &[]).expect("ships");
        let world = crate::world::World::new(scene.spec.clone()).expect("builds");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        let mut probes = Probes::default();
        assert!(probes.follow(&snapshot, &scene.spec).is_empty());
        assert_eq!(probes.0.len(), FOR_SCENE);
        (probes, snapshot, scene.spec)
    }

    fn grab(id: u32, force: f32) -> HoldSnapshot {
        HoldSnapshot {
            force: [force, 0.0, 0.0],
            ..hold(id, Some(Hand(0)))
        }
    }

    #[test]
    fn a_hand_is_the_same_hand_however_often_it_takes_hold() {
        let (mut probes, mut snapshot, spec) = hair();
        for id in 1000..1100 {
            snapshot.holds.push(grab(id, id as f32));
            probes.follow(&snapshot, &spec);
            let seat = probes.names().position(|name| name == "the mouse");
            let seat = seat.expect("it is followed");
            assert_eq!(probes.forces_n(&snapshot)[seat], id as f32);
            snapshot.holds.pop();
            assert!(probes.forces_n(&snapshot)[seat].is_nan());
        }
        assert_eq!(probes.0.len(), FOR_SCENE + 1);
    }

    #[test]
    fn pins_of_the_user_take_the_slots_of_what_is_gone_then_of_the_scene() {
        let (mut probes, mut snapshot, spec) = hair();
        let roots = snapshot.holds.len();
        for id in 1000..1000 + PROBES as u32 {
            snapshot.holds.push(hold(id, None));
            probes.follow(&snapshot, &spec);
        }
        let has = |probes: &Probes, id: u32| {
            let mut all = probes.0.iter();
            all.any(|probe| probe.what == Probed::Hold(id))
        };
        assert!((1000..1000 + PROBES as u32).all(|id| has(&probes, id)));
        // One more finds no room before one goes.
        snapshot.holds.push(hold(2000, None));
        assert!(probes.follow(&snapshot, &spec).is_empty());
        let gone = probes.names().position(|name| name == "pin 1003");
        snapshot.holds.remove(roots + 3);
        assert_eq!(probes.follow(&snapshot, &spec), Vec::from_iter(gone));
        assert!(has(&probes, 2000));
    }
}
