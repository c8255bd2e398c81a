//! A solid that is free to move and was given another spin, and how to take that back. All spins of one drag are one.

use nalgebra::Vector3;

use crate::world::{Edit, Snapshot};

/// Which solid, its angular velocity before and after, rad/s.
#[derive(Clone, Copy, Debug)]
pub struct Spun {
    solid: usize,
    before: Vector3<f64>,
    after: Vector3<f64>,
}

impl Spun {
    /// What an edit spins.
    pub fn by(edit: &Edit, snapshot: &Snapshot) -> Option<Self> {
        let Edit::SpinSolid { solid, spin } = *edit else {
            return None;
        };
        let pose = snapshot.solids.get(solid).filter(|pose| pose.free)?;
        Some(Self {
            solid,
            before: Vector3::from(pose.spin.map(f64::from)),
            after: spin,
        })
    }

    /// Goes on to a later spin of the same solid; whether it is the same.
    pub fn go_on(&mut self, later: &Spun) -> bool {
        let same = self.solid == later.solid;
        if same {
            self.after = later.after;
        }
        same
    }

    /// What happened, for people.
    pub fn what(&self) -> String {
        let [before, after] = [self.before, self.after].map(|spin| spin.norm());
        format!("spin {before:.0} to {after:.0} rad/s")
    }

    /// The edits that give it its old spin, or the new one again.
    pub fn edits(&self, back: bool) -> Vec<Edit> {
        vec![Edit::SpinSolid {
            solid: self.solid,
            spin: if back { self.before } else { self.after },
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::super::UndoLog;
    use super::*;

    #[test]
    fn a_spin_is_listed_and_taken_back_and_a_drag_is_one_entry() {
        let scene = crate::scene::load("double_loop", &[]).expect("a shipped scene");
        let world = crate::world::World::new(scene.spec).expect("a shipped scene");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        let free = snapshot.solids.iter().position(|pose| pose.free);
        let solid = free.expect("the ball");
        let spin = |rate: f64| Edit::SpinSolid {
            solid,
            spin: Vector3::new(0.0, 0.0, rate),
        };
        let mut log = UndoLog::default();
        for rate in [-180.0, -120.0, -60.0] {
            log.note_hands(&[spin(rate)], &snapshot);
        }
        let listed: Vec<&str> = log.past().collect();
        assert_eq!(listed, ["spin 220 to 60 rad/s"]);
        let (_, back) = log.undo(&snapshot).expect("one entry");
        assert_eq!(back, [spin(-220.0)]);
        let (_, again) = log.redo(&snapshot).expect("one entry");
        assert_eq!(again, [spin(-60.0)]);
    }
}
