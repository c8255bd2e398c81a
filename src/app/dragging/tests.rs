//! Pointers and fingers, as events of a window, become edits.

use bevy::camera::{CameraProjection, ComputedCameraValues, RenderTargetInfo};
use bevy::input::ButtonState;
use bevy::input::mouse::{MouseButton, MouseButtonInput};
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::window::{CursorMoved, WindowEvent};

use super::*;
use crate::app::camera::MainCamera;
use crate::app::picking::tests::{hold, world};
use crate::app::pointer::PointerPlugin;
use crate::scene;

const SIZE: UVec2 = UVec2::new(800, 600);

/// A window's worth of systems without a window: two strands in front of an eye at z = 2.
fn app() -> App {
    let mut app = App::new();
    let mut shown = Shown::new(scene::load("knot", &[]).unwrap());
    shown.scene.spec.solids.clear();
    shown.snapshot = world(
        &[
            &[[-0.5, 0.2, 0.0], [0.5, 0.2, 0.0]],
            &[[-0.5, -0.2, 0.0], [0.5, -0.2, 0.0]],
        ],
        0.01,
    );
    app.add_plugins((PointerPlugin, DraggingPlugin))
        .add_message::<WindowEvent>()
        .add_message::<Action>()
        .init_resource::<ButtonInput<KeyCode>>()
        .init_resource::<UiArea>()
        .insert_resource(shown);
    let mut projection = PerspectiveProjection::default();
    projection.update(SIZE.x as f32, SIZE.y as f32);
    let camera = Camera {
        computed: ComputedCameraValues {
            clip_from_view: projection.get_clip_from_view(),
            target_info: Some(RenderTargetInfo {
                physical_size: SIZE,
                scale_factor: 1.0,
            }),
            ..default()
        },
        ..default()
    };
    let place = Transform::from_xyz(0.0, 0.0, 2.0);
    app.world_mut()
        .spawn((MainCamera, camera, GlobalTransform::from(place), place));
    app.update();
    app
}

/// Where a point of space is on the screen.
fn screen(app: &mut App, place: Vec3) -> Vec2 {
    let mut cameras = app.world_mut().query::<(&Camera, &GlobalTransform)>();
    let (camera, at) = cameras.single(app.world()).unwrap();
    camera.world_to_viewport(at, place).unwrap()
}

fn send(app: &mut App, event: WindowEvent) {
    app.world_mut().write_message(event);
}

fn touch(app: &mut App, id: u64, phase: TouchPhase, position: Vec2) {
    let event = TouchInput {
        phase,
        position,
        window: Entity::PLACEHOLDER,
        force: None,
        id,
    };
    send(app, WindowEvent::TouchInput(event));
}

fn point_at(app: &mut App, position: Vec2) {
    let event = CursorMoved {
        window: Entity::PLACEHOLDER,
        position,
        delta: None,
    };
    send(app, WindowEvent::CursorMoved(event));
}

fn button(app: &mut App, state: ButtonState) {
    let event = MouseButtonInput {
        button: MouseButton::Left,
        state,
        window: Entity::PLACEHOLDER,
    };
    send(app, WindowEvent::MouseButtonInput(event));
}

/// The edits of a frame.
fn frame(app: &mut App) -> Vec<Edit> {
    app.world_mut().resource_mut::<Messages<Action>>().clear();
    app.update();
    let actions = app.world().resource::<Messages<Action>>();
    let edits = actions.iter_current_update_messages();
    edits
        .filter_map(|action| match action {
            Action::Edit(edit) => Some(edit.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn two_fingers_are_two_hands() {
    let mut app = app();
    let [high, low] = [0.2, -0.2].map(|y| screen(&mut app, Vec3::new(0.1, y, 0.0)));
    touch(&mut app, 70, TouchPhase::Started, high);
    touch(&mut app, 71, TouchPhase::Started, low);
    let edits = frame(&mut app);
    let grabbed: Vec<(u32, usize)> = edits
        .iter()
        .filter_map(|edit| match edit {
            Edit::Grab { hand, point, .. } => Some((hand.0, point.rod)),
            _ => None,
        })
        .collect();
    assert_eq!(grabbed, [(1, 0), (2, 1)], "{edits:?}");

    touch(&mut app, 71, TouchPhase::Moved, low + Vec2::new(60.0, 0.0));
    let edits = frame(&mut app);
    let [
        Edit::MoveHand {
            hand: Hand(2),
            target,
        },
    ] = edits.as_slice()
    else {
        panic!("only the second hand moves: {edits:?}");
    };
    assert!(target.x > 0.15 && (target.y + 0.2).abs() < 1e-3, "{target}");

    touch(&mut app, 70, TouchPhase::Ended, high);
    assert_eq!(frame(&mut app), [Edit::Release(Hand(1))]);
    // The free hand is the next finger's.
    touch(&mut app, 72, TouchPhase::Started, high);
    let edits = frame(&mut app);
    assert!(
        matches!(edits.as_slice(), [Edit::Grab { hand: Hand(1), .. }]),
        "{edits:?}"
    );
    touch(&mut app, 71, TouchPhase::Canceled, low);
    assert_eq!(frame(&mut app), [Edit::Release(Hand(2))]);
}

#[test]
fn a_finger_on_empty_space_takes_nothing() {
    let mut app = app();
    let empty = screen(&mut app, Vec3::ZERO);
    touch(&mut app, 1, TouchPhase::Started, empty);
    assert_eq!(frame(&mut app), []);
    assert!(!app.world().resource::<Dragging>().holds());
}

#[test]
fn a_press_and_a_long_way_in_one_frame_takes_what_was_under_the_press() {
    let mut app = app();
    let from = screen(&mut app, Vec3::new(0.1, 0.2, 0.0));
    let to = screen(&mut app, Vec3::new(0.3, 0.0, 0.0));
    point_at(&mut app, from);
    button(&mut app, ButtonState::Pressed);
    point_at(&mut app, to);
    let edits = frame(&mut app);
    let [Edit::Grab { point, .. }, Edit::MoveHand { target, .. }] = edits.as_slice() else {
        panic!("{edits:?}");
    };
    assert_eq!(point.rod, 0);
    assert!(
        (target.x - 0.3).abs() < 0.01 && target.y.abs() < 0.01,
        "{target}"
    );
    button(&mut app, ButtonState::Released);
    assert_eq!(frame(&mut app), [Edit::Release(MOUSE)]);
}

#[test]
fn a_click_frees_a_pin_and_a_drag_moves_it() {
    let mut app = app();
    let mut pin = hold(5, None);
    pin.position = [0.0, 0.2, 0.0];
    app.world_mut()
        .resource_mut::<Shown>()
        .snapshot
        .holds
        .push(pin);
    let at = screen(&mut app, Vec3::new(0.0, 0.2, 0.0));
    point_at(&mut app, at);
    button(&mut app, ButtonState::Pressed);
    point_at(&mut app, at + Vec2::new(50.0, 0.0));
    let edits = frame(&mut app);
    let [Edit::MoveHold { id: 5, pose }] = edits.as_slice() else {
        panic!("{edits:?}");
    };
    assert!(pose.translation.x > 0.05);
    button(&mut app, ButtonState::Released);
    assert_eq!(frame(&mut app), [], "a drag is no click");

    point_at(&mut app, at);
    button(&mut app, ButtonState::Pressed);
    assert_eq!(frame(&mut app), []);
    button(&mut app, ButtonState::Released);
    assert_eq!(frame(&mut app), [Edit::Unhold(5)]);
}

#[test]
fn a_rail_is_not_taken() {
    let mut app = app();
    app.world_mut().resource_mut::<Shown>().snapshot.strands[0].fixed = true;
    let at = screen(&mut app, Vec3::new(0.0, 0.2, 0.0));
    point_at(&mut app, at);
    button(&mut app, ButtonState::Pressed);
    assert_eq!(frame(&mut app), []);
    assert!(!app.world().resource::<Dragging>().holds());
}

#[test]
fn over_a_panel_nothing_is_taken() {
    let mut app = app();
    let at = screen(&mut app, Vec3::new(0.1, 0.2, 0.0));
    app.world_mut().resource_mut::<UiArea>().cover_for_test(at);
    point_at(&mut app, at);
    button(&mut app, ButtonState::Pressed);
    assert_eq!(frame(&mut app), []);
    touch(&mut app, 3, TouchPhase::Started, at);
    assert_eq!(frame(&mut app), []);
}

/// Puts a ball in front of the first strand.
fn add_ball(app: &mut App, place: [f32; 3]) {
    let mut shown = app.world_mut().resource_mut::<Shown>();
    let [x, y, z] = place.map(f64::from);
    shown.scene.spec.solids.push(crate::world::SolidSpec {
        name: "ball".into(),
        shape: crate::geometry::Shape::Sphere { radius_m: 0.05 },
        world_from_body: nalgebra::Isometry3::translation(x, y, z),
        motion: Default::default(),
        matter: None,
        restitution: 0.0,
        surface: Default::default(),
        color: [1.0; 3],
    });
    shown.snapshot.solids.push(crate::world::SolidPose {
        position: place,
        rotation: [0.0, 0.0, 0.0, 1.0],
        led: false,
        free: false,
        speed: 0.0,
        spin: [0.0; 3],
    });
}

#[test]
fn a_solid_in_front_of_a_strand_is_what_is_taken() {
    let mut app = app();
    add_ball(&mut app, [0.1, 0.2, 0.1]);
    let at = screen(&mut app, Vec3::new(0.1, 0.2, 0.1));
    point_at(&mut app, at);
    button(&mut app, ButtonState::Pressed);
    point_at(&mut app, at + Vec2::new(0.0, 40.0));
    let edits = frame(&mut app);
    let [Edit::MoveSolid { solid: 0, pose }] = edits.as_slice() else {
        panic!("{edits:?}");
    };
    assert!(pose.translation.y < 0.15);
    button(&mut app, ButtonState::Released);
    frame(&mut app);

    // Beside it the strand is seen, and taken.
    let beside = screen(&mut app, Vec3::new(0.3, 0.2, 0.0));
    point_at(&mut app, beside);
    button(&mut app, ButtonState::Pressed);
    let edits = frame(&mut app);
    assert!(matches!(edits.as_slice(), [Edit::Grab { .. }]), "{edits:?}");
}

#[test]
fn a_clicked_solid_gets_arrows_that_move_it_along_an_axis() {
    let mut app = app();
    add_ball(&mut app, [0.0, 0.0, 0.0]);
    let at = screen(&mut app, Vec3::ZERO);
    point_at(&mut app, at);
    button(&mut app, ButtonState::Pressed);
    assert_eq!(frame(&mut app), []);
    button(&mut app, ButtonState::Released);
    assert_eq!(frame(&mut app), []);
    assert_eq!(
        app.world().resource::<Dragging>().selected,
        Some(Thing::Solid(0))
    );
    // The arrow along x goes to the right from the middle; it follows the pointer sideways only.
    let arrow = at + Vec2::new(70.0, 0.0);
    point_at(&mut app, arrow);
    button(&mut app, ButtonState::Pressed);
    point_at(&mut app, arrow + Vec2::new(50.0, 30.0));
    let edits = frame(&mut app);
    let [Edit::MoveSolid { solid: 0, pose }] = edits.as_slice() else {
        panic!("{edits:?}");
    };
    let moved = pose.translation.vector;
    assert!(
        moved.x > 0.05 && moved.y == 0.0 && moved.z == 0.0,
        "{moved}"
    );
    button(&mut app, ButtonState::Released);
    frame(&mut app);
    // A press on empty space lets go of it.
    point_at(&mut app, Vec2::new(30.0, 30.0));
    button(&mut app, ButtonState::Pressed);
    frame(&mut app);
    assert_eq!(app.world().resource::<Dragging>().selected, None);
}

/// Its size was taken in the middle of the view for drawing, and under the pointer for picking.
#[test]
fn in_a_corner_of_the_view_handles_are_found_where_they_are_drawn() {
    let mut app = app();
    add_ball(&mut app, [0.8, 0.58, 0.0]);
    let thing = Thing::Solid(0);
    app.world_mut().resource_mut::<Dragging>().selected = Some(thing);
    let mut cameras = app.world_mut().query::<(&Camera, &GlobalTransform)>();
    let (camera, place) = cameras.single(app.world()).unwrap();
    let (pixel, eye) = (middle_pixel_m(camera, place).unwrap(), place.translation());
    let snapshot = &app.world().resource::<Shown>().snapshot;
    let drawn = Gizmo::of(snapshot, thing, eye, pixel).unwrap();
    for corner in [3, 9, 15, 21, 27, 33, 39, 45] {
        let at = screen(&mut app, drawn.ring(2, corner));
        // A little outside: the reach is the same on both sides.
        let outward = (at - screen(&mut app, drawn.centre)).normalize();
        for beside in [-5.0, 0.0, 5.0] {
            point_at(&mut app, at + beside * outward);
            frame(&mut app);
            let hot = app.world().resource::<Dragging>().hot;
            // Where two rings cross it may be either.
            let found = matches!(hot, Some(Handle::Ring(_)));
            assert!(found, "{corner} {beside}: {hot:?}");
        }
    }
}
