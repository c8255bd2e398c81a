//! Pins: P, or a right click, pins what is held or pointed at, or frees what is pinned; with Shift it holds the
//! direction too. Needed to tie a knot with one mouse.

use bevy::prelude::*;

use super::action::Action;
use super::dragging::{Dragging, DraggingSystems, Sight};
use super::gizmo::Thing;
use super::picking::Target;
use crate::world::{Edit, HoldKind, HoldSnapshot, MaterialPoint};

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
        let holds = &sight.shown.snapshot.holds;
        let edits = answer(request, sight.under(at), &dragging, holds, by_key);
        let freed = |thing| matches!(thing, Thing::Hold(id) if edits.contains(&Edit::Unhold(id)));
        if dragging.selected.is_some_and(freed) {
            dragging.selected = None;
        }
        match edits.as_slice() {
            [] => {}
            [edit] => {
                actions.write(Action::Edit(edit.clone()));
            }
            _ => {
                actions.write(Action::Edits(edits));
            }
        }
    }
}

/// What becomes of a request, with this under the pointer.
fn answer(
    request: PinRequest,
    under: Option<Target>,
    dragging: &Dragging,
    holds: &[HoldSnapshot],
    by_key: bool,
) -> Vec<Edit> {
    if let Some(held) = dragging.held() {
        return fix(request, held, holds);
    }
    match under {
        Some(Target::Hold(hold)) => vec![Edit::Unhold(hold.id)],
        // A right click on a strand that is not held may be meant for the view.
        Some(Target::Strand(pick)) if by_key && !pick.fixed && request != PinRequest::Free => {
            fix(request, pick.point, holds)
        }
        _ => match dragging.selected {
            Some(Thing::Hold(id)) if request == PinRequest::Free => vec![Edit::Unhold(id)],
            _ => Vec::new(),
        },
    }
}

/// Pins or clamps a point. What holds that node already makes room: asked for the same again, it is freed.
fn fix(request: PinRequest, point: MaterialPoint, holds: &[HoldSnapshot]) -> Vec<Edit> {
    let (edit, kind) = match request {
        PinRequest::Pin => (Some(Edit::Pin(point)), HoldKind::Pin),
        PinRequest::Clamp => (Some(Edit::Clamp(point)), HoldKind::Clamp),
        PinRequest::Free => (None, HoldKind::Pin),
    };
    let node = |point: &MaterialPoint| (point.rod, point.element + point.fraction.round() as usize);
    let here = |hold: &&HoldSnapshot| {
        let fixed = matches!(hold.kind, HoldKind::Pin | HoldKind::Clamp);
        fixed && hold.hand.is_none() && node(&hold.point) == node(&point)
    };
    let there: Vec<&HoldSnapshot> = holds.iter().filter(here).collect();
    let again = there.iter().any(|hold| hold.kind == kind);
    let freed = there.into_iter().map(|hold| Edit::Unhold(hold.id));
    freed.chain(edit.filter(|_| !again)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::picking::tests::hold;

    #[test]
    fn a_node_has_one_pin_or_clamp_and_asking_again_frees_it() {
        let point = MaterialPoint {
            rod: 0,
            element: 4,
            fraction: 0.6,
        };
        let pin = HoldSnapshot {
            // The same node, seen from the next element.
            point: MaterialPoint {
                element: 5,
                fraction: 0.1,
                ..point
            },
            ..hold(7, None)
        };
        let ask = |request, holds: &[HoldSnapshot]| fix(request, point, holds);
        assert_eq!(ask(PinRequest::Pin, &[]), [Edit::Pin(point)]);
        assert_eq!(ask(PinRequest::Pin, &[pin]), [Edit::Unhold(7)]);
        let clamped = [Edit::Unhold(7), Edit::Clamp(point)];
        assert_eq!(ask(PinRequest::Clamp, &[pin]), clamped);
        let hand = HoldSnapshot {
            hand: Some(crate::world::Hand(0)),
            ..pin
        };
        let elsewhere = hold(8, None);
        assert_eq!(ask(PinRequest::Pin, &[hand, elsewhere]), [Edit::Pin(point)]);
    }
}
