//! Studio light: a key light with shadows from the upper left, two soft fills, and some ambient light.

use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder, DirectionalLightShadowMap};
use bevy::prelude::*;

use super::camera::MainCamera;
use super::shown::Shown;

/// Lights the scene.
pub struct LightsPlugin;

impl Plugin for LightsPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(DirectionalLightShadowMap { size: 2048 })
            .insert_resource(GlobalAmbientLight {
                color: Color::srgb(0.88, 0.93, 1.0),
                brightness: 620.0,
                ..default()
            })
            .add_systems(Startup, spawn_lights)
            .add_systems(PostUpdate, fit_shadows);
    }
}

/// The light that casts shadows.
#[derive(Component)]
struct KeyLight;

fn spawn_lights(mut commands: Commands) {
    commands.spawn((
        KeyLight,
        DirectionalLight {
            color: Color::srgb(1.0, 0.97, 0.92),
            illuminance: 5200.0,
            shadow_maps_enabled: true,
            // In metres: Bevy's 0.02 would tear the shadow of a 3 mm rope off it.
            shadow_depth_bias: 4e-4,
            shadow_normal_bias: 1.0,
            ..default()
        },
        cascades(0.5, 3.0),
        Transform::from_xyz(-1.2, 2.6, 1.6).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    for (illuminance, from) in [
        (1100.0, Vec3::new(2.5, 1.2, 1.5)),
        (900.0, Vec3::new(0.4, 1.0, -2.5)),
    ] {
        commands.spawn((
            DirectionalLight {
                color: Color::srgb(0.86, 0.92, 1.0),
                illuminance,
                shadow_maps_enabled: false,
                ..default()
            },
            Transform::from_translation(from).looking_at(Vec3::ZERO, Vec3::Y),
        ));
    }
}

fn cascades(near: f32, far: f32) -> CascadeShadowConfig {
    CascadeShadowConfigBuilder {
        num_cascades: 2,
        minimum_distance: 1e-3,
        first_cascade_far_bound: near,
        maximum_distance: far,
        overlap_proportion: 0.15,
    }
    .build()
}

/// Spends the shadow maps on what is in view: to just behind the scene, however near or far the eye is.
fn fit_shadows(
    shown: Res<Shown>,
    camera: Single<&Transform, With<MainCamera>>,
    mut lights: Query<&mut CascadeShadowConfig, With<KeyLight>>,
    mut fitted: Local<Option<(f32, f32)>>,
) {
    let reach = shown.bounds.reach();
    let distance = camera.translation.distance(shown.bounds.centre());
    let near = distance + 1.1 * reach;
    let far = near + 3.0 * reach;
    // A strand that has flown off to infinity is the guard's business, not the shadows'.
    if !(near > 2e-3 && far.is_finite()) {
        return;
    }
    // Small changes are ignored: a new fit makes the shadow edges swim.
    let close = |(n, f): (f32, f32)| (n / near - 1.0).abs() < 0.1 && (f / far - 1.0).abs() < 0.1;
    if fitted.is_some_and(close) {
        return;
    }
    *fitted = Some((near, far));
    for mut config in &mut lights {
        *config = cascades(near, far);
    }
}
