//! Pins: P, or a right click, pins what is held or hovered, or frees the pin under the pointer. Needed to tie a knot with
//! one mouse.

use bevy::prelude::*;

use super::action::Action;
use super::dragging::{Dragging, DraggingSystems};
use super::panels::UiArea;
use super::picking::{Eye, pick_hold, pick_strand, ray_at};
use super::pointer::Pointer;
use super::shown::Shown;
use crate::world::Edit;

/// Pins and frees.
pub struct PinningPlugin;

impl Plugin for PinningPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<PinRequest>()
            .add_systems(Update, pin.after(DraggingSystems));
    }
}

/// Asks to pin or free what is under the pointer.
#[derive(Message, Clone, Copy, Debug)]
pub struct PinRequest;

fn pin(
    pointer: Res<Pointer>,
    area: Res<UiArea>,
    shown: Res<Shown>,
    camera: Eye,
    dragging: Res<Dragging>,
    mut asked: MessageReader<PinRequest>,
    mut actions: MessageWriter<Action>,
) {
    let by_key = asked.read().count() > 0;
    let clicked = pointer.right_clicked_at;
    let at = if by_key { pointer.position } else { clicked };
    let Some(at) = at.filter(|at| !area.blocks(*at)) else {
        return;
    };
    if let Some(held) = dragging.held() {
        actions.write(Action::Edit(Edit::Pin(held)));
        return;
    }
    let Some((ray, _)) = ray_at(at, camera.0, camera.1) else {
        return;
    };
    if let Some(hold) = pick_hold(&shown.snapshot, &ray, shown.thinnest_radius_m()) {
        actions.write(Action::Edit(Edit::Unhold(hold.id)));
    } else if let Some(pick) = pick_strand(&shown.snapshot, &ray).filter(|_| by_key) {
        actions.write(Action::Edit(Edit::Pin(pick.point)));
    }
}
