//! First steps, one at a time: a hint goes away for good once it was followed.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::bridge::Bridge;
use super::pointer::Pointer;
use super::shown::Shown;
use crate::world::{Edit, Knots, Snapshot};

/// So far the eye turns before it counts as looked around, rad.
const LOOKED_AROUND: f32 = 0.15;

/// Watches what hints ask for.
pub struct HintsPlugin;

impl Plugin for HintsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<HintsDone>()
            .add_systems(PostUpdate, (watch_hands, watch_eye, watch_knots));
    }
}

/// One thing to try, in the order in which a newcomer should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hint {
    /// Grab a strand.
    Grab,
    /// Pin it.
    Pin,
    /// Look around.
    Orbit,
    /// Pull while it is pinned.
    Pull,
    /// Change µ.
    Friction,
}

impl Hint {
    /// All, in order.
    pub const ALL: [Self; 5] = [
        Self::Grab,
        Self::Pin,
        Self::Orbit,
        Self::Pull,
        Self::Friction,
    ];

    /// What to do, as it stands on screen: the hand's move, and what comes of it.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Grab => (
                "Drag a strand",
                "with the left button; wheel up takes it away, wheel down nearer",
            ),
            Self::Pin => (
                "Press P while you hold it",
                "and it stays there, pinned; a right click does the same",
            ),
            Self::Orbit => (
                "Drag beside the strand",
                "to look around; right button pans, wheel zooms",
            ),
            Self::Pull => (
                "Pull another part of it",
                "and read the newtons at your hand",
            ),
            Self::Friction => ("Turn µ down on the left", "and see what slips"),
        }
    }
}

/// The hints that were followed.
#[derive(Resource, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HintsDone(Vec<Hint>);

impl HintsDone {
    /// Whether this one was followed.
    pub fn has(&self, hint: Hint) -> bool {
        self.0.contains(&hint)
    }

    /// The first that was not.
    pub fn next(&self) -> Option<Hint> {
        Hint::ALL.into_iter().find(|hint| !self.has(*hint))
    }

    /// Sends all of them away.
    pub fn skip_all(&mut self) {
        self.0 = Hint::ALL.to_vec();
    }

    /// Brings all of them back.
    pub fn start_again(&mut self) {
        self.0.clear();
    }

    /// Takes note of what a hand or a panel did; a grab is a pull where something else holds on.
    fn see(&mut self, edit: &Edit, pulls_against: bool) {
        match edit {
            Edit::Grab { .. } if pulls_against && self.has(Hint::Pin) => self.follow(Hint::Pull),
            Edit::Grab { .. } => self.follow(Hint::Grab),
            Edit::Pin(_) => self.follow(Hint::Pin),
            Edit::SetFriction(_) => self.follow(Hint::Friction),
            _ => {}
        }
    }

    fn follow(&mut self, hint: Hint) {
        if !self.has(hint) {
            self.0.push(hint);
        }
    }
}

fn watch_hands(
    mut actions: MessageReader<Action>,
    (shown, bridge): (Res<Shown>, Res<Bridge>),
    mut hints: ResMut<HintsDone>,
) {
    let pulls_against = resists(&shown.snapshot) || bridge.knots.as_ref().is_some_and(knotted);
    for action in actions.read() {
        if let Action::Edit(edit) = action {
            hints.see(edit, pulls_against);
        }
    }
}

/// Whoever has tied a knot without pins needs no word on how pins help.
fn watch_knots(
    bridge: Res<Bridge>,
    shown: Res<Shown>,
    mut loose: Local<Option<u64>>,
    mut hints: ResMut<HintsDone>,
) {
    let Some(knots) = &bridge.knots else { return };
    if !knotted(knots) {
        *loose = Some(shown.scene_count);
    } else if *loose == Some(shown.scene_count) && hints.has(Hint::Grab) && !hints.has(Hint::Pin) {
        // A scene that begins with a knot has taught nothing.
        hints.follow(Hint::Pin);
    }
}

fn knotted(knots: &Knots) -> bool {
    let mut strands = knots.strands.iter();
    strands.any(|strand| !strand.knot.is_unknot())
}

/// Whether anything but a hand holds a strand: a pin, or a clamp of the scene.
fn resists(snapshot: &Snapshot) -> bool {
    snapshot.holds.iter().any(|hold| hold.hand.is_none())
}

fn watch_eye(
    pointer: Res<Pointer>,
    eye: Query<&PanOrbitCamera>,
    mut began: Local<Option<Vec2>>,
    mut hints: ResMut<HintsDone>,
) {
    let Ok(eye) = eye.single() else { return };
    let now = Vec2::new(eye.target_yaw, eye.target_pitch);
    let down = pointer.any_down() || !pointer.fingers.is_empty();
    if !down || !eye.enabled {
        *began = None;
        return;
    }
    let before = *began.get_or_insert(now);
    if before.distance(now) > LOOKED_AROUND {
        hints.follow(Hint::Orbit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_come_in_order_each_until_it_is_followed() {
        let mut done = HintsDone::default();
        assert_eq!(done.next(), Some(Hint::Grab));
        done.follow(Hint::Pin);
        assert_eq!(done.next(), Some(Hint::Grab));
        done.follow(Hint::Grab);
        done.follow(Hint::Grab);
        assert_eq!(done.next(), Some(Hint::Orbit));
        done.skip_all();
        assert_eq!(done.next(), None);
        done.start_again();
        assert_eq!(done.next(), Some(Hint::Grab));
    }

    #[test]
    fn whoever_ties_without_pins_is_led_on_to_friction() {
        let scene = crate::scene::load("rope", &[]).expect("a shipped scene");
        let world = crate::world::World::new(scene.spec).expect("builds");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        assert!(resists(&snapshot), "the far end is clamped");
        let grab = Edit::Grab {
            hand: crate::world::Hand(0),
            point: crate::world::MaterialPoint {
                rod: 0,
                element: 3,
                fraction: 0.5,
            },
            target: nalgebra::Point3::origin(),
        };
        let mut done = HintsDone::default();
        done.see(&grab, resists(&snapshot));
        assert_eq!(done.next(), Some(Hint::Pin));
        // As `watch_knots` does once the knot is there.
        done.follow(Hint::Pin);
        done.follow(Hint::Orbit);
        assert_eq!(done.next(), Some(Hint::Pull));
        done.see(&grab, resists(&snapshot));
        assert_eq!(done.next(), Some(Hint::Friction));
        done.see(&Edit::SetFriction(0.0), true);
        assert_eq!(done.next(), None);
    }
}
