//! A rod with nodes as it was at one time.

use std::sync::Arc;

use super::step::Workspace;
use super::{Nodal, NodalRod};
use crate::body::{Body, RodMaterial, Saved, Scheme, save_into};

/// Everything that a step starts from.
struct SavedRod<M: Nodal<BAND>, const BAND: usize> {
    material: RodMaterial,
    scheme: Scheme,
    model: Arc<M>,
    mass: Arc<[f64]>,
    state: M::State,
    v: Vec<f64>,
    present: M::Trial,
    attempts: usize,
}

impl<M: Nodal<BAND>, const BAND: usize> Saved for SavedRod<M, BAND> {
    fn revive(&self) -> Box<dyn Body> {
        let mut step = Workspace::default();
        step.attempts = self.attempts;
        Box::new(NodalRod {
            material: self.material,
            scheme: self.scheme,
            model: self.model.clone(),
            state: self.state.clone(),
            v: self.v.clone(),
            mass: self.mass.clone(),
            present: self.present.clone(),
            step,
        })
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(self.v.as_slice())
            + M::state_bytes(&self.state)
            + M::trial_bytes(&self.present)
    }
}

impl<M: Nodal<BAND>, const BAND: usize> NodalRod<M, BAND> {
    /// Keeps what a step starts from.
    pub(super) fn keep(&self, slot: &mut Option<Box<dyn Saved>>) {
        let again = |saved: &mut SavedRod<M, BAND>| {
            saved.material = self.material;
            saved.scheme = self.scheme;
            saved.model = self.model.clone();
            saved.mass = self.mass.clone();
            saved.state.clone_from(&self.state);
            saved.v.clone_from(&self.v);
            saved.present.clone_from(&self.present);
            saved.attempts = self.step.attempts;
        };
        let new = || SavedRod {
            material: self.material,
            scheme: self.scheme,
            model: self.model.clone(),
            mass: self.mass.clone(),
            state: self.state.clone(),
            v: self.v.clone(),
            present: self.present.clone(),
            attempts: self.step.attempts,
        };
        save_into(slot, again, new);
    }

    /// Goes back to what was kept, if it was kept of this rod.
    pub(super) fn go_back(&mut self, saved: &dyn Saved) -> bool {
        let Some(saved) = saved.of_kind::<SavedRod<M, BAND>>() else {
            return false;
        };
        if !Arc::ptr_eq(&self.model, &saved.model) || !Arc::ptr_eq(&self.mass, &saved.mass) {
            return false;
        }
        self.material = saved.material;
        self.scheme = saved.scheme;
        self.state.clone_from(&saved.state);
        self.v.clone_from(&saved.v);
        self.present.clone_from(&saved.present);
        self.step.attempts = saved.attempts;
        true
    }
}
