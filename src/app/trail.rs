//! The trail of every solid that is free to move: where its middle has been lately, fading with time.

use std::collections::VecDeque;

use bevy::gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy::prelude::*;

use super::shown::Shown;

/// Places kept of a solid, and how far apart they are at least, as a share of the scene's size.
const MOST_PLACES: usize = 900;
const SPACING: f32 = 2e-3;
/// Solids that have trails; more would only be a tangle.
const MOST_SOLIDS: usize = 16;
/// The newest part, sRGB, and how strongly it shows.
const COLOR: [f32; 3] = [1.0, 0.72, 0.25];
const STRONGEST: f32 = 0.9;

/// Draws the trails.
pub struct TrailPlugin;

impl Plugin for TrailPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<TrailLines>()
            .add_systems(Startup, set_up)
            .add_systems(Update, draw);
    }
}

/// Lines in the scene, hidden by what is before them.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct TrailLines;

fn set_up(mut store: ResMut<GizmoConfigStore>) {
    store.config_mut::<TrailLines>().0.line.width = 2.5;
}

/// What has been seen of one scene.
#[derive(Default)]
struct Trails {
    places: Vec<(usize, VecDeque<Vec3>)>,
    scene_count: u64,
    generation: u64,
    step: u64,
}

impl Trails {
    /// Takes in the newest state; going back in time, or to another world, starts anew.
    fn observe(&mut self, shown: &Shown) {
        let snapshot = &shown.snapshot;
        let another =
            (self.scene_count, self.generation) != (shown.scene_count, snapshot.generation);
        if another || snapshot.step < self.step {
            let solids = snapshot.solids.iter().enumerate();
            let free = solids.filter(|(_, pose)| pose.free).map(|(index, _)| index);
            let free = free.take(MOST_SOLIDS);
            self.places = free.map(|index| (index, VecDeque::new())).collect();
            (self.scene_count, self.generation) = (shown.scene_count, snapshot.generation);
        }
        self.step = snapshot.step;
        let spacing = SPACING * shown.bounds.low.distance(shown.bounds.high);
        for (solid, places) in &mut self.places {
            let Some(pose) = snapshot.solids.get(*solid) else {
                continue;
            };
            let place = Vec3::from(pose.position);
            if places
                .back()
                .is_none_or(|last| last.distance(place) > spacing)
            {
                places.push_back(place);
                while places.len() > MOST_PLACES {
                    places.pop_front();
                }
            }
        }
    }
}

fn draw(shown: Res<Shown>, mut trails: Local<Trails>, mut gizmos: Gizmos<TrailLines>) {
    trails.observe(&shown);
    for (_, places) in &trails.places {
        let count = places.len() as f32;
        gizmos.linestrip_gradient(places.iter().enumerate().map(|(k, place)| {
            let age = (k + 1) as f32 / count;
            let [r, g, b] = COLOR;
            (*place, Color::srgba(r, g, b, STRONGEST * age * age))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;
    use crate::world::World;

    #[test]
    fn what_is_free_leaves_a_trail_until_time_goes_back() {
        let scene = scene::load("double_loop", &[]).expect("a scene");
        let mut world = World::new(scene.spec.clone()).expect("a world");
        let mut shown = Shown::new(scene);
        let mut trails = Trails::default();
        for _ in 0..60 {
            world.step().expect("a step");
            world.snapshot(&mut shown.snapshot);
            trails.observe(&shown);
        }
        assert_eq!(trails.places.len(), 1);
        let length = trails.places[0].1.len();
        assert!(length > 10, "{length}");
        shown.snapshot.step = 0;
        trails.observe(&shown);
        assert_eq!(trails.places[0].1.len(), 1);
    }
}
