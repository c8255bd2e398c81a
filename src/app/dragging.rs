//! Hands: left-drag on a strand, or on a solid that is free to move, pulls it in the plane that faces the eye; the wheel pushes it away or draws it near,
//! Shift keeps it level, Ctrl twists it. Pins, clamps and other solids are dragged the same way; a click frees a pin and
//! shows the gizmo of the others. Each finger is another hand.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::action::Action;
use super::gizmo::{Gizmo, Handle, HandleDrag, Thing, pose_of};
use super::grip::{Grip, Held, Manner};
use super::panels::UiArea;
use super::picking::{Eye, PickRay, Target, middle_pixel_m, pick, ray_at};
use super::pointer::Pointer;
use super::shown::Shown;
use crate::world::{Edit, Hand, HoldKind, HoldSnapshot, MaterialPoint};

/// The mouse.
pub const MOUSE: Hand = Hand(0);

/// Turns pointer motion into grabs, moves and releases.
pub struct DraggingPlugin;

impl Plugin for DraggingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Dragging>().add_systems(
            Update,
            (hover, take, drag, let_go).chain().in_set(DraggingSystems),
        );
    }
}

/// When it is decided what the mouse holds; whoever else wants the pointer comes after.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DraggingSystems;

/// What the hands hold and what is under the pointer.
#[derive(Resource, Default, Debug)]
pub struct Dragging {
    grips: Vec<Grip>,
    /// What is under the pointer.
    pub hovered: Option<Target>,
    /// The handle of the gizmo under the pointer.
    pub hot: Option<Handle>,
    /// What was clicked and has the gizmo.
    pub selected: Option<Thing>,
    /// Grabs made since the start.
    pub grabs: u64,
    scene_count: u64,
    generation: u64,
}

impl Dragging {
    /// Whether anything is held.
    pub fn holds(&self) -> bool {
        !self.grips.is_empty()
    }

    fn mouse(&self) -> Option<&Grip> {
        self.grips.iter().find(|grip| grip.hand == MOUSE)
    }

    /// The point of a strand that the mouse holds.
    pub fn held(&self) -> Option<MaterialPoint> {
        self.mouse().and_then(Grip::strand_point)
    }

    /// Where what the mouse holds was when it was taken.
    pub fn taken_at(&self) -> Option<Vec3> {
        self.mouse().map(|grip| grip.taken_at)
    }

    /// Whether a pin or clamp is being led.
    pub fn leads(&self, id: u32) -> bool {
        self.grips.iter().any(|grip| match grip.held {
            Held::Thing(thing, _) => thing == Thing::Hold(id),
            Held::Handle(drag) => drag.thing == Thing::Hold(id),
            Held::Strand { .. } | Held::Body { .. } => false,
        })
    }

    /// The handle of the gizmo that is dragged.
    pub fn handle(&self) -> Option<Handle> {
        self.grips.iter().find_map(|grip| match grip.held {
            Held::Handle(drag) => Some(drag.handle),
            _ => None,
        })
    }

    /// The first hand that holds nothing, besides the mouse.
    fn free_hand(&self) -> Hand {
        let taken = |hand: Hand| self.grips.iter().any(|grip| grip.hand == hand);
        let free = (1..).map(Hand).find(|hand| !taken(*hand));
        free.unwrap_or(Hand(u32::MAX))
    }
}

/// What hands see.
#[derive(SystemParam)]
pub struct Sight<'w, 's> {
    /// The pointer and the fingers.
    pub pointer: Res<'w, Pointer>,
    /// Where panels are.
    pub area: Res<'w, UiArea>,
    /// What is drawn.
    pub shown: Res<'w, Shown>,
    keys: Res<'w, ButtonInput<KeyCode>>,
    camera: Eye<'w, 's>,
}

impl Sight<'_, '_> {
    fn ray(&self, at: Vec2) -> Option<(PickRay, Vec3)> {
        ray_at(at, self.camera.0, self.camera.1)
    }

    /// What is at a place in the window.
    pub fn under(&self, at: Vec2) -> Option<Target> {
        self.ray(at).and_then(|(ray, _)| pick(&self.shown, &ray))
    }

    /// Whether Shift is down.
    pub fn shift(&self) -> bool {
        self.keys
            .any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight])
    }

    /// The gizmo of what is selected.
    fn gizmo(&self, dragging: &Dragging, ray: &PickRay) -> Option<(Thing, Gizmo)> {
        let thing = dragging.selected?;
        let pixel_m = middle_pixel_m(self.camera.0, self.camera.1)?;
        let gizmo = Gizmo::of(&self.shown.snapshot, thing, ray.origin, pixel_m)?;
        Some((thing, gizmo))
    }

    fn manner(&self) -> Manner {
        Manner {
            level: self.shift(),
            twist: self
                .keys
                .any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]),
            wheel_lines: self.pointer.wheel_lines,
        }
    }
}

fn hover(sight: Sight, mut dragging: ResMut<Dragging>) {
    let free = |at: &Vec2| !sight.area.blocks(*at) && !sight.area.in_use;
    let ray = sight.pointer.position.filter(free);
    let ray = ray.and_then(|at| sight.ray(at)).map(|(ray, _)| ray);
    if dragging.holds() {
        // What is held needs no other mark.
        (dragging.hovered, dragging.hot) = (None, dragging.handle());
        return;
    }
    dragging.hot = ray.and_then(|ray| {
        let (_, gizmo) = sight.gizmo(&dragging, &ray)?;
        gizmo.pick(&ray)
    });
    dragging.hovered = ray
        .filter(|_| dragging.hot.is_none())
        .and_then(|ray| pick(&sight.shown, &ray));
}

fn take(sight: Sight, mut dragging: ResMut<Dragging>, mut actions: MessageWriter<Action>) {
    let mouse = sight.pointer.left_pressed_at.map(|at| (at, None));
    let fingers = sight.pointer.fingers.iter();
    let fingers = fingers.filter_map(|finger| Some((finger.pressed_at?, Some(finger.id))));
    let presses = mouse.into_iter().chain(fingers);
    for (at, finger) in presses.filter(|(at, _)| !sight.area.blocks(*at)) {
        let Some(grip) = take_at(&sight, &mut dragging, at, finger) else {
            continue;
        };
        dragging.grips.retain(|other| other.hand != grip.hand);
        dragging.grips.push(grip);
        dragging.grabs += 1;
        dragging.scene_count = sight.shown.scene_count;
        dragging.generation = sight.shown.snapshot.generation;
        actions.write_batch(grip.begin().map(Action::Edit));
    }
}

/// What a press at a place takes hold of. On empty space it lets go of the selection.
fn take_at(sight: &Sight, dragging: &mut Dragging, at: Vec2, finger: Option<u64>) -> Option<Grip> {
    let (ray, forward) = sight.ray(at)?;
    let snapshot = &sight.shown.snapshot;
    if finger.is_none()
        && let Some((thing, gizmo)) = sight.gizmo(dragging, &ray)
        && let Some(handle) = gizmo.pick(&ray)
    {
        let start = pose_of(snapshot, thing)?;
        let drag = HandleDrag::new(thing, handle, &gizmo, start, &ray);
        return Some(Grip::of_handle(MOUSE, drag, at));
    }
    let Some(target) = pick(&sight.shown, &ray) else {
        dragging.selected = None;
        return None;
    };
    let hand = match finger {
        None => MOUSE,
        Some(_) => dragging.free_hand(),
    };
    Grip::new(hand, finger, &target, snapshot, at, (&ray, forward))
}

fn drag(sight: Sight, mut dragging: ResMut<Dragging>, mut actions: MessageWriter<Action>) {
    for grip in &mut dragging.grips {
        let at = match grip.finger {
            None => sight.pointer.position,
            Some(id) => sight.pointer.finger(id).map(|finger| finger.position),
        };
        let Some((at, (ray, forward))) = at.and_then(|at| Some((at, sight.ray(at)?))) else {
            continue;
        };
        let manner = match grip.finger {
            None => sight.manner(),
            Some(_) => Manner::default(),
        };
        actions.write_batch(grip.drag(at, (&ray, forward), manner).map(Action::Edit));
    }
}

fn let_go(sight: Sight, mut dragging: ResMut<Dragging>, mut actions: MessageWriter<Action>) {
    let shown = &sight.shown;
    let gone = dragging.scene_count != shown.scene_count
        || dragging.generation != shown.snapshot.generation;
    if gone {
        // What was held is no more; the new world has no hand to release.
        dragging.grips.clear();
        if dragging.scene_count != shown.scene_count {
            dragging.selected = None;
        }
        dragging.scene_count = shown.scene_count;
        dragging.generation = shown.snapshot.generation;
        return;
    }
    let lifted = |grip: &Grip| match grip.finger {
        None => sight.pointer.left_released,
        Some(id) => sight.pointer.finger(id).is_none_or(|finger| finger.lifted),
    };
    let (over, held) = dragging.grips.iter().partition(|grip| lifted(grip));
    let over: Vec<Grip> = over;
    dragging.grips = held;
    for grip in over {
        actions.write_batch(grip.end().map(Action::Edit));
        if !grip.dragged {
            click(&grip, &sight, &mut dragging, &mut actions);
        }
    }
}

/// A click frees a pin; a clamp or a solid gets the gizmo.
fn click(grip: &Grip, sight: &Sight, dragging: &mut Dragging, actions: &mut MessageWriter<Action>) {
    let Held::Thing(thing, _) = grip.held else {
        return;
    };
    let holds = &sight.shown.snapshot.holds;
    let pin = holds
        .iter()
        .find(|hold| Thing::Hold(hold.id) == thing && hold.kind == HoldKind::Pin);
    match pin {
        Some(pin) => {
            actions.write(Action::Edit(Edit::Unhold(pin.id)));
        }
        None => dragging.selected = Some(thing),
    }
}

/// The hold that the mouse made, once the solver has it.
pub fn mouse_hold(shown: &Shown) -> Option<&HoldSnapshot> {
    let mut holds = shown.snapshot.holds.iter();
    holds.find(|hold| hold.hand == Some(MOUSE))
}

#[cfg(test)]
mod tests;
