//! What the user has chosen to look at: a group of strands in the material panel, a thing in the inspector.
//!
//! A click without a drag chooses what is under it; a click on nothing lets go of the choice.

use bevy::prelude::*;

use super::dragging::{Dragging, DraggingSystems};
use super::panels::UiArea;
use super::picking::Target;
use super::pointer::{CLICK_SLACK, Pointer};
use super::shown::Shown;
use crate::world::MaterialPoint;

/// Keeps the choice.
pub struct ChosenPlugin;

impl Plugin for ChosenPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Chosen>()
            .add_systems(Update, (click.after(DraggingSystems), forget));
    }
}

/// What is looked at.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Chosen {
    /// Index of the group of strands whose material is shown.
    pub group: usize,
    /// What the inspector shows.
    pub thing: Option<Thing>,
    scene_count: u64,
}

/// Something that can be inspected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thing {
    /// A strand, at a material point.
    Strand(MaterialPoint),
    /// A solid, by index.
    Solid(usize),
}

impl Thing {
    /// What is told about something under the pointer; of a pin, the strand that it holds.
    fn of(target: Target) -> Self {
        match target {
            Target::Strand(pick) => Thing::Strand(pick.point),
            Target::Hold(hold) => Thing::Strand(hold.point),
            Target::Solid(pick) => Thing::Solid(pick.solid),
        }
    }
}

/// Where the button went down, and what was there.
type Press = Option<(Vec2, Option<Thing>)>;

fn click(
    pointer: Res<Pointer>,
    area: Res<UiArea>,
    dragging: Res<Dragging>,
    shown: Res<Shown>,
    mut pressed: Local<Press>,
    mut chosen: ResMut<Chosen>,
) {
    let free = |at: &Vec2| !area.blocks(*at);
    if let Some(at) = pointer.left_pressed_at.filter(free) {
        *pressed = Some((at, dragging.hovered.map(Thing::of)));
    }
    if !pointer.left_released {
        return;
    }
    let Some((from, thing)) = pressed.take() else {
        return;
    };
    let still = |to: Vec2| to.distance(from) < CLICK_SLACK;
    if pointer.position.is_some_and(still) {
        chosen.thing = thing;
        if let Some(Thing::Strand(point)) = thing {
            let mut groups = shown.scene.groups.iter();
            let group = groups.position(|group| group.rods.contains(&point.rod));
            chosen.group = group.unwrap_or(chosen.group);
        }
    }
}

/// Another scene has other things.
fn forget(shown: Res<Shown>, mut chosen: ResMut<Chosen>) {
    if chosen.scene_count != shown.scene_count {
        *chosen = Chosen {
            scene_count: shown.scene_count,
            ..default()
        };
    }
}
