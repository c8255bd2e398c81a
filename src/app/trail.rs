//! The trail of every solid that is free to move: where its middle has been lately, fading with time.

use std::collections::VecDeque;

use bevy::gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy::prelude::*;

use super::shown::{Seen, Shown};
use crate::world::FOLLOWED;

/// Places kept of a solid, and how far apart they are at least, as a share of the scene's size.
const MOST_PLACES: usize = 900;
const SPACING: f32 = 2e-3;
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

/// What has been seen of one scene: for each solid the steps and its places.
#[derive(Default)]
struct Trails {
    places: [VecDeque<(u64, Vec3)>; FOLLOWED],
    seen: Seen,
    snapshot_count: u64,
}

impl Trails {
    /// Takes in every step up to the newest state; going back in time cuts the trail, another world starts anew.
    fn observe(&mut self, shown: &Shown) {
        if shown.snapshot_count == self.snapshot_count {
            return;
        }
        self.snapshot_count = shown.snapshot_count;
        let from = self.seen.follow(shown);
        let spacing = SPACING * shown.bounds.low.distance(shown.bounds.high);
        for (solid, places) in self.places.iter_mut().enumerate() {
            while places.back().is_some_and(|(step, _)| *step >= from) {
                places.pop_back();
            }
            for passed in &shown.snapshot.passed {
                let place = Vec3::from(passed.solids_m[solid]);
                let far = |(_, last): &(u64, Vec3)| last.distance(place) > spacing;
                if place.is_finite() && places.back().is_none_or(far) {
                    places.push_back((passed.step, place));
                }
            }
            let excess = places.len().saturating_sub(MOST_PLACES);
            places.drain(..excess);
        }
    }
}

fn draw(shown: Res<Shown>, mut trails: Local<Trails>, mut gizmos: Gizmos<TrailLines>) {
    trails.observe(&shown);
    for places in trails.places.iter().filter(|places| !places.is_empty()) {
        let count = places.len() as f32;
        gizmos.linestrip_gradient(places.iter().enumerate().map(|(k, (_, place))| {
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

    /// The trail of the ball after so many steps, of which every so many-th is shown.
    fn trail(steps: usize, every: usize) -> (Trails, Shown) {
        let scene = scene::load("double_loop", &[]).expect("a scene");
        let mut world = World::new(scene.spec.clone()).expect("a world");
        let (mut shown, mut trails) = (Shown::new(scene), Trails::default());
        let mut passed = Vec::new();
        for step in 1..=steps {
            world.step().expect("a step");
            passed.push(world.passed());
            if step % every == 0 {
                world.snapshot(&mut shown.snapshot);
                shown.snapshot.passed = std::mem::take(&mut passed);
                shown.snapshot_count += 1;
                trails.observe(&shown);
            }
        }
        (trails, shown)
    }

    #[test]
    fn what_is_free_leaves_a_trail_until_time_goes_back() {
        let (mut trails, mut shown) = trail(60, 1);
        let with_trail = trails.places.iter().filter(|places| !places.is_empty());
        assert_eq!(with_trail.count(), 1);
        let length = trails.places[0].len();
        assert!(length > 10, "{length}");
        shown.snapshot.step = 0;
        shown.snapshot.passed.truncate(1);
        shown.snapshot.passed[0].step = 0;
        shown.snapshot_count += 1;
        trails.observe(&shown);
        assert_eq!(trails.places[0].len(), 1);
    }

    #[test]
    fn a_trail_is_the_same_however_few_states_are_shown() {
        assert_eq!(trail(60, 1).0.places, trail(60, 20).0.places);
    }
}
