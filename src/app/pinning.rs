//! Pins: P, or a right click, pins what is held or pointed at, or frees what is pinned; with Shift it holds the
//! direction too. Needed to tie a knot with one mouse.

use bevy::prelude::*;

use super::action::Action;
use super::dragging::{Dragging, DraggingSystems, Sight};
use super::gizmo::Thing;
use super::picking::Target;
use crate::world::Edit;

/// Pins and frees.
pub struct PinningPlugin;

impl Plugin for PinningPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<PinRequest>()
            .add_systems(Update, pin.after(DraggingSystems));
    }
}

/// What is asked of what is held or under the pointer.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinRequest {
    /// Pin it, or free it if it is pinned.
    Pin,
    /// Clamp it, or free it if it is pinned.
    Clamp,
    /// Free it if it is pinned; or else what is selected.
    Free,
}

fn pin(
    sight: Sight,
    mut dragging: ResMut<Dragging>,
    mut asked: MessageReader<PinRequest>,
    mut actions: MessageWriter<Action>,
) {
    let clicked = sight
        .pointer
        .right_clicked_at
        .map(|at| match sight.shift() {
            true => (PinRequest::Clamp, at, false),
            false => (PinRequest::Pin, at, false),
        });
    let by_key = asked.read().copied().collect::<Vec<_>>().into_iter();
    let by_key = by_key.filter_map(|request| Some((request, sight.pointer.position?, true)));
    for (request, at, by_key) in by_key.chain(clicked) {
        if sight.area.blocks(at) {
            continue;
        }
        let edit = answer(request, sight.under(at), &dragging, by_key);
        if let Some(Edit::Unhold(id)) = edit
            && dragging.selected == Some(Thing::Hold(id))
        {
            dragging.selected = None;
        }
        actions.write_batch(edit.map(Action::Edit));
    }
}

/// What becomes of a request, with this under the pointer.
fn answer(
    request: PinRequest,
    under: Option<Target>,
    dragging: &Dragging,
    by_key: bool,
) -> Option<Edit> {
    let fix = |point| match request {
        PinRequest::Pin => Some(Edit::Pin(point)),
        PinRequest::Clamp => Some(Edit::Clamp(point)),
        PinRequest::Free => None,
    };
    if let Some(held) = dragging.held() {
        return fix(held);
    }
    match under {
        Some(Target::Hold(hold)) => Some(Edit::Unhold(hold.id)),
        // A right click on a strand that is not held may be meant for the view.
        Some(Target::Strand(pick)) if by_key && request != PinRequest::Free => fix(pick.point),
        _ => match dragging.selected {
            Some(Thing::Hold(id)) if request == PinRequest::Free => Some(Edit::Unhold(id)),
            _ => None,
        },
    }
}
