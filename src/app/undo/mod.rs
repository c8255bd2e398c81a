//! Undo and redo of what panels change, of pins, and of what was moved or spun by hand: each entry knows the values before and
//! after it, or where the pin was. What was freed comes back as it was.
//!
//! Dragging a slider or a clamp makes many edits and one entry: as long as the pointer is down (or a number is being
//! typed) edits go into the last entry.

mod fixed;
mod moved;
mod spun;

use bevy::prelude::*;

use super::bridge::Bridge;
use super::describe;
use super::dragging::Dragging;
use super::panels::UiArea;
use super::shown::Shown;
use crate::scene::Scene;
use crate::world::{Edit, Snapshot, Values};
use fixed::Fixed;
use moved::Moved;
use spun::Spun;

/// More entries than anyone goes back; each is small.
const MOST: usize = 200;

/// Keeps the log.
pub struct UndoPlugin;

impl Plugin for UndoPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<UndoLog>().add_systems(Last, close);
    }
}

/// What was done, and what was undone.
#[derive(Resource, Default, Debug)]
pub struct UndoLog {
    past: Vec<Entry>,
    future: Vec<Entry>,
    /// Whether edits still go into the last entry.
    open: bool,
    /// Frames since anything was being dragged or typed.
    idle_frames: u32,
    scene_count: u64,
}

/// One thing that was done.
#[derive(Clone, Debug)]
struct Entry {
    /// What, for people: `µ 0.3 to 0.5`.
    what: String,
    change: Change,
}

/// What it changed.
#[derive(Clone, Debug)]
enum Change {
    /// Values of panels.
    Values { before: Values, after: Values },
    /// Pins or clamps were made at points, or removed from them.
    Holds(Vec<Fixed>),
    /// Something was moved or turned.
    Moved(Moved),
    /// A solid was given another spin.
    Spun(Spun),
    /// The demonstration was switched on, or off.
    Demo(bool),
}

impl Entry {
    fn edits(&mut self, back: bool, snapshot: &Snapshot) -> Vec<Edit> {
        match &mut self.change {
            Change::Values { before, after } if back => after.edits_to(before),
            Change::Values { before, after } => before.edits_to(after),
            // The last first on the way back: a pin in the place of a clamp goes before the clamp comes.
            Change::Holds(all) if back => {
                let all = all.iter_mut().rev();
                all.filter_map(|fixed| fixed.edit(!fixed.made, snapshot))
                    .collect()
            }
            Change::Holds(all) => {
                let all = all.iter_mut();
                all.filter_map(|fixed| fixed.edit(fixed.made, snapshot))
                    .collect()
            }
            Change::Moved(moved) => moved.edits(back, snapshot),
            Change::Spun(spun) => spun.edits(back),
            Change::Demo(on) => vec![Edit::PlayDemo(*on != back)],
        }
    }
}

impl Entry {
    /// Whether values that changed again belong to it. Another setting is another entry, even if frames are so slow that
    /// both come in one.
    fn takes(&self, values: &Values) -> bool {
        match &self.change {
            Change::Values { before, after } => {
                before.edits_to(values).len() <= before.edits_to(after).len().max(1)
            }
            Change::Holds(_) | Change::Moved(_) | Change::Spun(_) | Change::Demo(_) => false,
        }
    }

    /// Takes them over.
    fn extend(&mut self, values: &Values, scene: &Scene) {
        if let Change::Values { before, after } = &mut self.change {
            *after = values.clone();
            self.what = describe::change(before, after, scene);
        }
    }
}

impl UndoLog {
    /// Values were changed.
    pub fn note(&mut self, before: Values, after: &Values, scene: &Scene) {
        if before == *after {
            return;
        }
        self.future.clear();
        if self.open
            && let Some(last) = self.past.last_mut()
            && last.takes(after)
        {
            last.extend(after, scene);
            return;
        }
        self.push(Entry {
            what: describe::change(&before, after, scene),
            change: Change::Values {
                before,
                after: after.clone(),
            },
        });
        self.open = true;
    }

    /// Pins or clamps were asked for or were to be removed, or something was moved or spun; other edits are not its business.
    pub fn note_hands(&mut self, edits: &[Edit], snapshot: &Snapshot) {
        let fixed: Vec<Fixed> = edits
            .iter()
            .filter_map(|edit| Fixed::by(edit, snapshot))
            .collect();
        if !fixed.is_empty() {
            self.future.clear();
            self.push(Entry {
                what: fixed::what(&fixed),
                change: Change::Holds(fixed),
            });
            self.open = false;
        }
        for moved in edits.iter().filter_map(|edit| Moved::by(edit, snapshot)) {
            self.note_move(moved);
        }
        for spun in edits.iter().filter_map(|edit| Spun::by(edit, snapshot)) {
            self.note_spin(spun);
        }
    }

    /// The demonstration was switched.
    pub fn note_demo(&mut self, on: bool) {
        self.future.clear();
        self.push(Entry {
            what: format!("demonstration {}", if on { "on" } else { "off" }),
            change: Change::Demo(on),
        });
        self.open = false;
    }

    fn note_spin(&mut self, spun: Spun) {
        self.future.clear();
        if self.open
            && let Some(Entry { what, change }) = self.past.last_mut()
            && let Change::Spun(last) = change
            && last.go_on(&spun)
        {
            *what = last.what();
            return;
        }
        self.push(Entry {
            what: spun.what(),
            change: Change::Spun(spun),
        });
        self.open = true;
    }

    fn note_move(&mut self, moved: Moved) {
        self.future.clear();
        if self.open
            && let Some(Change::Moved(last)) = self.past.last_mut().map(|entry| &mut entry.change)
            && last.go_on(&moved)
        {
            return;
        }
        self.push(Entry {
            what: moved.what(),
            change: Change::Moved(moved),
        });
        self.open = true;
    }

    fn push(&mut self, entry: Entry) {
        self.past.push(entry);
        let surplus = self.past.len().saturating_sub(MOST);
        self.past.drain(..surplus);
    }

    /// Takes back the last thing: what it was, and the edits that do so.
    pub fn undo(&mut self, snapshot: &Snapshot) -> Option<(String, Vec<Edit>)> {
        self.open = false;
        let mut entry = self.past.pop()?;
        let back = (entry.what.clone(), entry.edits(true, snapshot));
        self.future.push(entry);
        Some(back)
    }

    /// Does the last thing again that was taken back.
    pub fn redo(&mut self, snapshot: &Snapshot) -> Option<(String, Vec<Edit>)> {
        self.open = false;
        let mut entry = self.future.pop()?;
        let again = (entry.what.clone(), entry.edits(false, snapshot));
        self.past.push(entry);
        Some(again)
    }

    /// What can be taken back, the last first.
    pub fn past(&self) -> impl Iterator<Item = &str> {
        self.past.iter().rev().map(|entry| entry.what.as_str())
    }

    /// What can be done again, the next first.
    pub fn future(&self) -> impl Iterator<Item = &str> {
        self.future.iter().rev().map(|entry| entry.what.as_str())
    }

    /// Something was refused: if it was the last thing, it is no entry.
    fn forget_refused(&mut self, values: &Values) {
        let last = self.past.last().map(|entry| &entry.change);
        if matches!(last, Some(Change::Values { after, .. }) if after != values) {
            self.past.pop();
            self.open = false;
        }
    }

    /// The scene starts again, with what panels have set: what hands did to it has not happened.
    pub fn forget_hands(&mut self) {
        let stays = |entry: &Entry| matches!(entry.change, Change::Values { .. } | Change::Demo(_));
        self.past.retain(stays);
        self.future.retain(stays);
        self.open = false;
    }

    /// The next edit makes an entry of its own.
    pub fn close(&mut self) {
        self.open = false;
    }
}

/// An entry ends when the pointer is lifted and nothing is typed; another scene has another past; what was refused was
/// never done.
fn close(
    mut log: ResMut<UndoLog>,
    area: Res<UiArea>,
    (shown, dragging): (Res<Shown>, Res<Dragging>),
    bridge: Res<Bridge>,
    mut refusals: Local<u64>,
) {
    let wanted = &bridge.wanted;
    if std::mem::replace(&mut *refusals, wanted.refusals) != wanted.refusals {
        log.forget_refused(&wanted.values);
    }
    log.idle_frames = match area.in_use || area.typing || dragging.holds() {
        true => 0,
        false => log.idle_frames.saturating_add(1),
    };
    // The last move of a slider is applied in the frame after its release.
    if log.open && log.idle_frames > 1 {
        log.close();
    }
    if log.scene_count != shown.scene_count {
        *log = UndoLog {
            scene_count: shown.scene_count,
            ..default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    fn start() -> (UndoLog, Values, Scene) {
        let scene = scene::load("wisp", &[]).expect("a shipped scene");
        (UndoLog::default(), Values::of(&scene.spec), scene)
    }

    fn edit(log: &mut UndoLog, values: &mut Values, scene: &Scene, edit: &Edit) {
        let before = values.clone();
        values.apply(edit);
        log.note(before, values, scene);
    }

    fn follow(values: &mut Values, edits: &[Edit]) {
        let all = edits.iter().all(|edit| values.apply(edit));
        assert!(all, "an undo only sets values: {edits:?}");
    }

    #[test]
    fn a_dragged_slider_is_one_entry_and_the_next_drag_another() {
        let (mut log, mut values, scene) = start();
        let first = values.clone();
        for i in 0..50 {
            edit(
                &mut log,
                &mut values,
                &scene,
                &Edit::SetFriction(0.01 * i as f64),
            );
        }
        log.close();
        edit(&mut log, &mut values, &scene, &Edit::SetFriction(1.0));
        assert_eq!(log.past().count(), 2);
        let (what, edits) = log.undo(&Snapshot::default()).expect("an entry");
        assert_eq!(what, "µ 0.49 to 1");
        follow(&mut values, &edits);
        let (what, edits) = log.undo(&Snapshot::default()).expect("an entry");
        assert_eq!(what, "µ 0.3 to 0.49");
        follow(&mut values, &edits);
        assert_eq!(values, first);
        assert!(log.undo(&Snapshot::default()).is_none());
    }

    #[test]
    fn a_reset_forgets_what_hands_did_and_keeps_what_was_set() {
        let (mut log, mut values, scene) = start();
        edit(&mut log, &mut values, &scene, &Edit::SetFriction(0.7));
        let point = crate::world::MaterialPoint {
            rod: 0,
            element: 0,
            fraction: 0.0,
        };
        log.note_hands(&[Edit::Pin(point)], &Snapshot::default());
        assert_eq!(log.past().count(), 2);
        log.forget_hands();
        assert_eq!(log.past().collect::<Vec<_>>(), ["µ 0.3 to 0.7"]);
    }

    #[test]
    fn the_demonstration_is_switched_back_and_again() {
        let mut log = UndoLog::default();
        log.note_demo(true);
        let (what, back) = log.undo(&Snapshot::default()).expect("an entry");
        assert_eq!(
            (what.as_str(), back),
            ("demonstration on", vec![Edit::PlayDemo(false)])
        );
        let (_, again) = log.redo(&Snapshot::default()).expect("an entry");
        assert_eq!(again, [Edit::PlayDemo(true)]);
    }

    #[test]
    fn a_new_edit_forgets_what_was_undone() {
        let (mut log, mut values, scene) = start();
        edit(&mut log, &mut values, &scene, &Edit::SetTimeStep(1e-3));
        assert!(log.undo(&Snapshot::default()).is_some());
        assert_eq!(log.future().count(), 1);
        values = Values::of(&scene.spec);
        edit(&mut log, &mut values, &scene, &Edit::SetMaxPasses(3));
        assert!(log.redo(&Snapshot::default()).is_none());
    }

    #[test]
    fn undoing_everything_brings_back_exactly_the_settings_and_redoing_it_the_changes() {
        let (mut log, mut values, scene) = start();
        let first = values.clone();
        let strand = values.strands[3];
        let edits = [
            Edit::SetModel {
                rods: Some(2..5),
                model: crate::body::RodModel::Corde,
            },
            Edit::SetMaterial {
                rods: 0..24,
                material: crate::body::RodMaterial {
                    density_kg_m3: 1.0,
                    ..strand.material
                },
                section: strand.section,
            },
            Edit::SetPairFriction {
                a: crate::world::SurfaceId(1),
                b: crate::world::SurfaceId(0),
                mu: Some(0.9),
            },
            Edit::SetModel {
                rods: None,
                model: crate::body::RodModel::MassSpring,
            },
            Edit::SetGravity(nalgebra::Vector3::zeros()),
        ];
        for e in &edits {
            edit(&mut log, &mut values, &scene, e);
            log.close();
        }
        let last = values.clone();
        while let Some((_, edits)) = log.undo(&Snapshot::default()) {
            follow(&mut values, &edits);
        }
        assert_eq!(values, first);
        while let Some((_, edits)) = log.redo(&Snapshot::default()) {
            follow(&mut values, &edits);
        }
        assert_eq!(values, last);
    }
}
