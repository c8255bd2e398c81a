//! A super-helix as it was at one time.

use std::sync::Arc;

use super::rest::Rest;
use super::step::Workspace;
use super::{State, SuperHelix};
use crate::body::{Body, RodMaterial, Saved, save_into};

/// Everything that a step starts from.
struct SavedHelix {
    material: RodMaterial,
    rest: Arc<Rest>,
    state: State,
}

impl Saved for SavedHelix {
    fn revive(&self) -> Box<dyn Body> {
        Box::new(SuperHelix {
            material: self.material,
            rest: self.rest.clone(),
            trial_nodes: self.state.nodes.clone(),
            state: self.state.clone(),
            step: Workspace::default(),
        })
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.state.bytes()
    }
}

impl State {
    fn bytes(&self) -> usize {
        let chain = &self.chain;
        let columns = chain.lever.iter().chain(&chain.turn);
        size_of_val(chain.pose.k.as_slice())
            + size_of_val(chain.starts.as_slice())
            + size_of_val(chain.spots.as_slice())
            + columns
                .map(|row| size_of_val(row.as_slice()))
                .sum::<usize>()
            + size_of_val(self.velocity.as_slice())
            + size_of_val(self.forces.as_slice())
            + size_of_val(self.station_velocity.as_slice())
            + size_of_val(self.spin.as_slice())
            + size_of_val(self.nodes.as_slice())
    }
}

impl SuperHelix {
    /// Keeps what a step starts from.
    pub(super) fn keep(&self, slot: &mut Option<Box<dyn Saved>>) {
        let again = |saved: &mut SavedHelix| {
            saved.material = self.material;
            saved.rest = self.rest.clone();
            saved.state.clone_from(&self.state);
        };
        let new = || SavedHelix {
            material: self.material,
            rest: self.rest.clone(),
            state: self.state.clone(),
        };
        save_into(slot, again, new);
    }

    /// Goes back to what was kept, if it was kept of this rod.
    pub(super) fn go_back(&mut self, saved: &dyn Saved) -> bool {
        let Some(saved) = saved.of_kind::<SavedHelix>() else {
            return false;
        };
        if !Arc::ptr_eq(&self.rest, &saved.rest) {
            return false;
        }
        self.material = saved.material;
        self.state.clone_from(&saved.state);
        true
    }
}
