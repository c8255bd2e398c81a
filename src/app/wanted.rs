//! What the window has asked the world to be. Panels show this: a slider must not jump back while the solver is busy.

use crate::scene::Scene;
use crate::world::{Edit, Snapshot, Values};

/// By the time so many frames have come after the last edit was handed over, the solver has had it: one may have been
/// waiting, one is of the step that it was in.
const FRAMES_AFTER: u32 = 3;

/// The values asked for, and those of the scene.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// As asked for; as the world has them where nothing is under way.
    pub values: Values,
    /// As the scene says.
    pub scene: Values,
    /// Frames seen since the last edit that the world has not confirmed yet.
    awaited: Option<u32>,
    /// Edits refused so far.
    pub refusals: u64,
}

impl Wanted {
    /// Nothing asked for yet.
    pub fn new(scene: &Scene) -> Self {
        let scene = Values::of(&scene.spec);
        Self {
            values: scene.clone(),
            scene,
            awaited: None,
            refusals: 0,
        }
    }

    /// An edit is on its way.
    pub fn note(&mut self, edit: &Edit) {
        if self.values.apply(edit) {
            self.awaited = Some(0);
        }
    }

    /// Whether everything is as the scene says.
    pub fn as_in_scene(&self) -> bool {
        self.values == self.scene
    }

    /// The edits that bring a world that starts as its scene says to what is asked for; they are on their way.
    pub fn again(&mut self) -> Vec<Edit> {
        let edits = self.scene.edits_to(&self.values);
        self.awaited = Some(0);
        edits
    }

    /// Something was refused: what the world has counts.
    pub fn refused(&mut self, snapshot: &Snapshot) {
        self.awaited = None;
        self.refusals += 1;
        self.take(snapshot);
    }

    /// A new frame has come; `sent` when everything asked for has been handed over.
    pub fn follow(&mut self, snapshot: &Snapshot, sent: bool) {
        let granted = |values: &Values| {
            values.settings == snapshot.settings
                && values.friction.default == snapshot.friction
                && values.friction.pairs == snapshot.friction_pairs
                && values.strands == snapshot.strand_values
        };
        self.awaited = match self.awaited {
            Some(frames) if frames < FRAMES_AFTER && !granted(&self.values) => {
                Some(frames + u32::from(sent))
            }
            _ => None,
        };
        if self.awaited.is_none() {
            self.take(snapshot);
        }
    }

    fn take(&mut self, snapshot: &Snapshot) {
        // Before its first frame a world has not said anything.
        if snapshot.strand_values.len() == self.scene.strands.len() {
            snapshot.write_values(&mut self.values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;
    use crate::world::World;

    fn start() -> (Wanted, World, Snapshot) {
        let scene = scene::load("knot", &[]).expect("a shipped scene");
        let wanted = Wanted::new(&scene);
        let world = World::new(scene.spec).expect("a shipped scene");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        (wanted, world, snapshot)
    }

    #[test]
    fn what_is_asked_for_is_shown_until_the_world_has_it_or_has_had_its_chance() {
        let (mut wanted, mut world, mut snapshot) = start();
        let edit = Edit::SetFriction(0.7);
        wanted.note(&edit);
        wanted.follow(&snapshot, true);
        assert_eq!(wanted.values.friction.default, 0.7, "the solver is busy");
        world.apply(edit).expect("a fine µ");
        world.snapshot(&mut snapshot);
        wanted.follow(&snapshot, true);
        world.apply(Edit::SetFriction(0.1)).expect("a fine µ");
        world.snapshot(&mut snapshot);
        wanted.follow(&snapshot, true);
        assert_eq!(wanted.values.friction.default, 0.1, "as after going back");
        wanted.note(&Edit::SetFriction(0.9));
        (0..=FRAMES_AFTER).for_each(|_| wanted.follow(&snapshot, true));
        assert_eq!(wanted.values.friction.default, 0.1, "it never came");
    }

    #[test]
    fn what_is_asked_for_survives_a_reset_and_is_forgotten_when_refused() {
        let (mut wanted, _, snapshot) = start();
        let edit = Edit::SetMaxIterations(77);
        wanted.note(&edit);
        assert_eq!(wanted.again(), [edit]);
        wanted.refused(&snapshot);
        assert_eq!(wanted.values, wanted.scene);
        assert_eq!(wanted.again(), []);
    }
}
