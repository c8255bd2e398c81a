//! The pointer and the fingers, with presses at the place where they happened.
//!
//! On a slow machine a press and the motion after it can arrive in one frame. Bevy then knows only the last position;
//! reading the window's events in their order gives the position of the press itself.

use bevy::input::ButtonState;
use bevy::input::mouse::{MouseButton, MouseScrollUnit};
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::prelude::*;
use bevy::window::WindowEvent;

/// How far a press may travel and still be a click, points.
pub const CLICK_SLACK: f32 = 4.0;

/// A finger on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finger {
    /// Tells it from the others as long as it is down.
    pub id: u64,
    /// Where it is.
    pub position: Vec2,
    /// Where it came down in this frame.
    pub pressed_at: Option<Vec2>,
    /// It was lifted in this frame.
    pub lifted: bool,
}

/// Where the pointer is and what its buttons did in this frame. Positions are in points from the upper left corner.
#[derive(Resource, Default, Debug)]
pub struct Pointer {
    /// Where it is; none outside the window.
    pub position: Option<Vec2>,
    /// Where the left button went down in this frame.
    pub left_pressed_at: Option<Vec2>,
    /// The left button came up in this frame (after the press, if both happened).
    pub left_released: bool,
    /// Where the right button went down in this frame.
    pub right_pressed_at: Option<Vec2>,
    /// Where the right button was pressed and released without moving.
    pub right_clicked_at: Option<Vec2>,
    /// Lines the wheel turned in this frame.
    pub wheel_lines: f32,
    /// Fingers that are down, or were lifted in this frame.
    pub fingers: Vec<Finger>,
    left_down: bool,
    right_down_at: Option<Vec2>,
}

impl Pointer {
    /// Whether any button is down.
    pub fn any_down(&self) -> bool {
        self.left_down || self.right_down_at.is_some()
    }

    fn begin_frame(&mut self) {
        self.left_pressed_at = None;
        self.left_released = false;
        self.right_pressed_at = None;
        self.right_clicked_at = None;
        self.wheel_lines = 0.0;
        self.fingers.retain(|finger| !finger.lifted);
        self.fingers
            .iter_mut()
            .for_each(|finger| finger.pressed_at = None);
    }

    fn touch(&mut self, touch: &TouchInput) {
        let known = self.fingers.iter_mut().find(|finger| finger.id == touch.id);
        match (touch.phase, known) {
            (TouchPhase::Started, None) => self.fingers.push(Finger {
                id: touch.id,
                position: touch.position,
                pressed_at: Some(touch.position),
                lifted: false,
            }),
            (TouchPhase::Started | TouchPhase::Moved, Some(finger)) => {
                finger.position = touch.position;
            }
            (TouchPhase::Ended, Some(finger)) => {
                finger.position = touch.position;
                finger.lifted = true;
            }
            // Taken away by the system: it has not gone anywhere.
            (TouchPhase::Canceled, Some(finger)) => finger.lifted = true,
            (_, None) => {}
        }
    }

    /// A finger by its number.
    pub fn finger(&self, id: u64) -> Option<&Finger> {
        self.fingers.iter().find(|finger| finger.id == id)
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        match (button, state) {
            (MouseButton::Left, ButtonState::Pressed) => {
                self.left_down = true;
                self.left_pressed_at = self.position;
                self.left_released = false;
            }
            (MouseButton::Left, ButtonState::Released) => {
                self.left_down = false;
                self.left_released = true;
            }
            (MouseButton::Right, ButtonState::Pressed) => {
                self.right_down_at = self.position;
                self.right_pressed_at = self.position;
            }
            (MouseButton::Right, ButtonState::Released) => {
                let still = |from: &Vec2| {
                    self.position
                        .is_some_and(|to| to.distance(*from) < CLICK_SLACK)
                };
                self.right_clicked_at = self.right_down_at.take().filter(still);
            }
            _ => {}
        }
    }
}

/// Follows the pointer.
pub struct PointerPlugin;

impl Plugin for PointerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointer>()
            .add_systems(PreUpdate, follow_pointer);
    }
}

fn follow_pointer(mut pointer: ResMut<Pointer>, mut events: MessageReader<WindowEvent>) {
    pointer.begin_frame();
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => pointer.position = Some(moved.position),
            WindowEvent::CursorLeft(_) if !pointer.any_down() => pointer.position = None,
            WindowEvent::MouseButtonInput(input) => pointer.button(input.button, input.state),
            WindowEvent::TouchInput(touch) => pointer.touch(touch),
            WindowEvent::MouseWheel(wheel) => {
                pointer.wheel_lines += match wheel.unit {
                    MouseScrollUnit::Line => wheel.y,
                    // Sixteen pixels are about one line of text.
                    MouseScrollUnit::Pixel => wheel.y / 16.0,
                };
            }
            WindowEvent::WindowFocused(focused) if !focused.focused => {
                // The release of a button that went down here may never arrive.
                pointer.left_released |= pointer.left_down;
                pointer.left_down = false;
                pointer.right_down_at = None;
                pointer
                    .fingers
                    .iter_mut()
                    .for_each(|finger| finger.lifted = true);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn press_keeps_its_own_place_when_motion_follows_in_the_same_frame() {
        let mut pointer = Pointer {
            position: Some(Vec2::new(10.0, 10.0)),
            ..default()
        };
        pointer.button(MouseButton::Left, ButtonState::Pressed);
        pointer.position = Some(Vec2::new(90.0, 50.0));
        assert_eq!(pointer.left_pressed_at, Some(Vec2::new(10.0, 10.0)));
        assert!(pointer.any_down());
    }

    #[test]
    fn a_right_drag_is_no_click() {
        let mut pointer = Pointer {
            position: Some(Vec2::ZERO),
            ..default()
        };
        pointer.button(MouseButton::Right, ButtonState::Pressed);
        pointer.position = Some(Vec2::new(2.0, 0.0));
        pointer.button(MouseButton::Right, ButtonState::Released);
        assert_eq!(pointer.right_clicked_at, Some(Vec2::ZERO));
        pointer.button(MouseButton::Right, ButtonState::Pressed);
        pointer.position = Some(Vec2::new(40.0, 0.0));
        pointer.button(MouseButton::Right, ButtonState::Released);
        assert_eq!(pointer.right_clicked_at, None);
    }
}
