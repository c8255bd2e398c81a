//! The eye: orbit, pan, zoom, frame and reset. The scene says where it starts.

use bevy::anti_alias::fxaa::Fxaa;
use bevy::camera::SubCameraView;
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::light::{DirectionalLightShadowMap, ShadowFilteringMethod};
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::PrimaryWindow;
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraPlugin};

use super::dragging::{Dragging, DraggingSystems};
use super::panels::UiArea;
use super::pointer::Pointer;
use super::shown::{Bounds, IntoVec3, Shown};
use crate::scene;

/// How much nearer one line of the wheel brings the eye.
const ZOOM_STEP: f32 = 1.15;

/// The camera that draws the scene.
#[derive(Component)]
pub struct MainCamera;

/// Lets the pointer move the eye. Only in the window; a picture needs just [`camera_bundle`].
pub struct CameraPlugin;

impl Plugin for CameraPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PanOrbitCameraPlugin)
            .add_message::<ViewRequest>()
            .add_systems(Startup, spawn_camera)
            .add_systems(
                Update,
                (
                    follow_scene,
                    answer_requests,
                    enable_orbit,
                    zoom,
                    make_room_for_panels,
                )
                    .chain()
                    .after(DraggingSystems),
            );
    }
}

/// Asks for another view.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum ViewRequest {
    /// Show all strands as large as fits.
    Frame,
    /// Back to the view the scene asks for.
    Reset,
    /// Turn to a point, from where the eye is as far away as before.
    LookAt(Vec3),
}

/// A camera that looks where the scene says.
pub fn camera_bundle(view: &scene::Camera) -> impl Bundle {
    // Nearer than the eye ever comes to a hair, see `nearest_m`; depths are stored so that this costs nothing far away.
    let near = 1e-4;
    (
        MainCamera,
        Camera3d::default(),
        Projection::Perspective(PerspectiveProjection {
            fov: view.fov_deg.to_radians() as f32,
            near,
            near_clip_plane: Vec4::new(0.0, 0.0, -1.0, -near),
            far: 200.0,
            ..default()
        }),
        Transform::from_translation(view.eye_m.into_vec3())
            .looking_at(view.target_m.into_vec3(), Vec3::Y),
        // Keeps saturated colours as they are; film-like curves would falsify the colour maps.
        Tonemapping::KhronosPbrNeutral,
        DebandDither::Enabled,
        Msaa::Sample4,
    )
}

fn spawn_camera(mut commands: Commands, shown: Res<Shown>, adapter: Res<RenderAdapterInfo>) {
    let view = shown.scene.camera;
    let mut camera = commands.spawn((
        camera_bundle(&view),
        PanOrbitCamera {
            focus: view.target_m.into_vec3(),
            // The wheel is ours, see `zoom`.
            zoom_sensitivity: 0.0,
            zoom_lower_limit: nearest_m(&shown),
            zoom_upper_limit: Some(60.0),
            ..default()
        },
    ));
    if adapter.device_type == wgpu::DeviceType::Cpu {
        // The processor draws and solves at once: smoothing finished pixels costs it far less than four samples each,
        // and one fetch of the shadow map far less than thirteen.
        camera.insert((
            Msaa::Off,
            Fxaa::default(),
            ShadowFilteringMethod::Hardware2x2,
        ));
        commands.insert_resource(DirectionalLightShadowMap { size: 1024 });
    }
}

/// How near the eye comes to what it looks at, m: near enough to see and grab the thinnest strand.
fn nearest_m(shown: &Shown) -> f32 {
    // A tube a hundred radii away is as wide as a finger at arm's length.
    (100.0 * shown.thinnest_radius_m()).clamp(1e-3, 0.03)
}

/// Turns the eye to where a newly loaded scene says.
fn follow_scene(
    shown: Res<Shown>,
    mut seen: Local<u64>,
    mut cameras: Query<(&mut PanOrbitCamera, &mut Projection), With<MainCamera>>,
) {
    if *seen == shown.scene_count {
        return;
    }
    let first = *seen == 0;
    *seen = shown.scene_count;
    if first {
        return;
    }
    let view = shown.scene.camera;
    for (mut orbit, mut projection) in &mut cameras {
        look_from(
            &mut orbit,
            view.eye_m.into_vec3(),
            view.target_m.into_vec3(),
        );
        (orbit.yaw, orbit.pitch) = (Some(orbit.target_yaw), Some(orbit.target_pitch));
        (orbit.radius, orbit.focus) = (Some(orbit.target_radius), orbit.target_focus);
        orbit.zoom_lower_limit = nearest_m(&shown);
        orbit.force_update = true;
        if let Projection::Perspective(perspective) = projection.as_mut() {
            perspective.fov = view.fov_deg.to_radians() as f32;
        }
    }
}

fn answer_requests(
    mut requests: MessageReader<ViewRequest>,
    shown: Res<Shown>,
    mut cameras: Query<(&mut PanOrbitCamera, &Projection), With<MainCamera>>,
) {
    for request in requests.read() {
        for (mut orbit, projection) in &mut cameras {
            let view = shown.scene.camera;
            match request {
                ViewRequest::Reset => {
                    look_from(
                        &mut orbit,
                        view.eye_m.into_vec3(),
                        view.target_m.into_vec3(),
                    );
                }
                ViewRequest::LookAt(point) => orbit.target_focus = *point,
                ViewRequest::Frame => {
                    let bounds = strand_bounds(&shown);
                    orbit.target_focus = bounds.centre();
                    orbit.target_radius = framing_distance(&bounds, projection);
                }
            }
        }
    }
}

/// The box about the strands as they are now.
fn strand_bounds(shown: &Shown) -> Bounds {
    let points = shown.snapshot.points.iter().map(|p| Vec3::from(p.position));
    let finite = points.filter(|p| p.is_finite());
    let fold = |b: Option<Bounds>, p: Vec3| {
        Some(b.map_or(Bounds { low: p, high: p }, |b| Bounds {
            low: b.low.min(p),
            high: b.high.max(p),
        }))
    };
    finite.fold(None, fold).unwrap_or(shown.bounds)
}

/// How far away the eye must be to see a box whole.
fn framing_distance(bounds: &Bounds, projection: &Projection) -> f32 {
    let fov = match projection {
        Projection::Perspective(perspective) => perspective.fov,
        _ => 0.8,
    };
    1.05 * bounds.reach() / (0.5 * fov).sin()
}

fn look_from(orbit: &mut PanOrbitCamera, eye: Vec3, target: Vec3) {
    let (yaw, pitch, radius) = orbit_angles(eye - target);
    orbit.target_focus = target;
    // The nearest turn: the eye must not spin around the scene to come back.
    let turns = ((orbit.target_yaw - yaw) / std::f32::consts::TAU).round();
    orbit.target_yaw = yaw + turns * std::f32::consts::TAU;
    orbit.target_pitch = pitch;
    orbit.target_radius = radius;
}

/// Yaw about y, pitch above the horizon, distance, of an eye at `from` that looks at the origin.
fn orbit_angles(from: Vec3) -> (f32, f32, f32) {
    let radius = from.length().max(1e-4);
    (
        from.x.atan2(from.z),
        (from.y / radius).clamp(-1.0, 1.0).asin(),
        radius,
    )
}

/// The pointer moves the eye unless it began on a panel or holds a strand.
fn enable_orbit(
    pointer: Res<Pointer>,
    area: Res<UiArea>,
    dragging: Res<Dragging>,
    mut began_on_ui: Local<bool>,
    mut cameras: Query<&mut PanOrbitCamera>,
) {
    if let Some(on_ui) = begins_on_ui(&pointer, &area) {
        *began_on_ui = on_ui;
    }
    let enabled = !*began_on_ui && !dragging.holds() && !area.in_use;
    for mut orbit in &mut cameras {
        if orbit.enabled != enabled {
            orbit.enabled = enabled;
        }
    }
}

/// Whether what begins now begins on a panel; none while something is under way. Where there is no mouse, a finger counts.
fn begins_on_ui(pointer: &Pointer, area: &UiArea) -> Option<bool> {
    let finger = pointer.fingers.first();
    let begins = match finger {
        Some(finger) => finger.pressed_at.is_some(),
        None => {
            pointer.left_pressed_at.is_some()
                || pointer.right_pressed_at.is_some()
                || !pointer.any_down()
        }
    };
    let at = finger.map(|finger| finger.position).or(pointer.position);
    begins.then(|| at.is_none_or(|at| area.blocks(at)))
}

/// The wheel changes the distance by the same factor per line, however many lines arrive in one frame.
fn zoom(pointer: Res<Pointer>, mut cameras: Query<&mut PanOrbitCamera>) {
    if pointer.wheel_lines == 0.0 {
        return;
    }
    for mut orbit in cameras.iter_mut().filter(|orbit| orbit.enabled) {
        orbit.target_radius *= ZOOM_STEP.powf(-pointer.wheel_lines);
    }
}

/// A free part narrower than this share of its height shows the scene smaller instead of cutting its sides off.
const LEAST_ASPECT: f32 = 1.25;

/// Fits the picture into the part of the window that the panels leave free, by an off-axis view: what the lens sees
/// is there, and goes on below the panels.
fn make_room_for_panels(
    area: Res<UiArea>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut cameras: Query<&mut Camera, With<MainCamera>>,
) {
    let Ok(window) = window.single() else { return };
    let scale = window.scale_factor();
    let [low, high] = [area.free.min, area.free.max].map(|p| scale * Vec2::new(p.x, p.y));
    let wanted = lens_in(low, high, window.physical_size());
    for mut camera in &mut cameras {
        if camera.sub_camera_view != wanted {
            camera.sub_camera_view = wanted;
        }
    }
}

/// The view whose lens fills the rectangle from `low` to `high` of a window of this size; none if it fills all of it.
fn lens_in(low: Vec2, high: Vec2, size: UVec2) -> Option<SubCameraView> {
    let free = high - low;
    if !(free.x >= 64.0 && free.y >= 64.0) || size.x == 0 || size.y == 0 {
        return None;
    }
    let lens = Vec2::new(free.x, free.y.min(free.x / LEAST_ASPECT)).round();
    let corner = (low + 0.5 * (free - lens)).round();
    let full_size = lens.as_uvec2();
    (full_size != size).then_some(SubCameraView {
        full_size,
        offset: -corner,
        size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::camera::CameraProjection;

    #[test]
    fn a_finger_orbits_without_a_mouse_unless_it_comes_down_on_a_panel() {
        let finger = |at: Vec2, fresh: bool| {
            let mut pointer = Pointer::default();
            pointer.fingers.push(crate::app::pointer::Finger {
                id: 3,
                position: at,
                pressed_at: fresh.then_some(at),
                lifted: false,
            });
            pointer
        };
        let mut area = UiArea::default();
        area.cover_for_test(Vec2::splat(100.0));
        let (free, panel) = (Vec2::splat(300.0), Vec2::splat(100.0));
        assert_eq!(begins_on_ui(&finger(free, true), &area), Some(false));
        assert_eq!(begins_on_ui(&finger(panel, true), &area), Some(true));
        assert_eq!(begins_on_ui(&finger(panel, false), &area), None);
        assert_eq!(begins_on_ui(&Pointer::default(), &area), Some(true));
    }

    #[test]
    fn the_eye_comes_near_enough_to_see_the_thinnest_strand() {
        for shipped in scene::shipped() {
            let shown = Shown::new(scene::load(shipped.name, &[]).expect("ships"));
            let fov = shown.scene.camera.fov_deg.to_radians() as f32;
            let pixel_m = 2.0 * (0.5 * fov).tan() * nearest_m(&shown) / 720.0;
            let wide_px = 2.0 * shown.thinnest_radius_m() / pixel_m;
            assert!(wide_px > 12.0, "{}: {wide_px} pixels", shipped.name);
        }
    }

    #[test]
    fn orbit_angles_lead_back_to_the_eye() {
        for eye in [
            Vec3::new(0.3, 0.4, 1.2),
            Vec3::new(-1.0, -0.2, -0.5),
            Vec3::Z,
        ] {
            let (yaw, pitch, radius) = orbit_angles(eye);
            let back = Vec3::new(
                yaw.sin() * pitch.cos(),
                pitch.sin(),
                yaw.cos() * pitch.cos(),
            ) * radius;
            assert!(back.distance(eye) < 1e-5, "{eye} became {back}");
        }
    }

    #[test]
    fn the_middle_of_the_lens_is_the_middle_of_the_free_part() {
        let size = UVec2::new(1280, 720);
        for (low, high) in [
            (Vec2::new(300.0, 0.0), Vec2::new(1250.0, 690.0)),
            (Vec2::new(300.0, 0.0), Vec2::new(700.0, 690.0)),
        ] {
            let view = lens_in(low, high, size).expect("panels are in the way");
            let projection = PerspectiveProjection::default();
            let clip = projection.get_clip_from_view_for_sub(&view);
            let ahead = clip.project_point3(Vec3::new(0.0, 0.0, -5.0));
            let pixel = Vec2::new(0.5 + 0.5 * ahead.x, 0.5 - 0.5 * ahead.y) * size.as_vec2();
            assert!(pixel.distance(0.5 * (low + high)) < 1.0, "{pixel}");
        }
        assert_eq!(lens_in(Vec2::ZERO, size.as_vec2(), size), None);
    }

    #[test]
    fn framing_sees_the_whole_box() {
        let bounds = Bounds {
            low: Vec3::splat(-1.0),
            high: Vec3::splat(1.0),
        };
        let fov = 0.7;
        let projection = Projection::Perspective(PerspectiveProjection { fov, ..default() });
        let distance = framing_distance(&bounds, &projection);
        // The sphere about the box touches the view cone when distance · sin(fov/2) = radius.
        assert!(distance * (0.5 * fov).sin() >= bounds.reach());
    }
}
