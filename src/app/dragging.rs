//! Hands: left-drag on a strand pulls it in the plane that faces the eye; the wheel pushes it away or draws it near.

use bevy::prelude::*;

use super::action::Action;
use super::panels::UiArea;
use super::picking::{Eye, Pick, PickRay, pick_strand, ray_at};
use super::pointer::Pointer;
use super::shown::Shown;
use crate::world::{Edit, Hand, HoldSnapshot, MaterialPoint};

/// The mouse.
pub const MOUSE: Hand = Hand(0);
/// How far one line of the wheel moves the held point, as a share of its distance from the eye.
const WHEEL_STEP: f32 = 0.04;

/// Turns pointer motion into grabs, moves and releases.
pub struct DraggingPlugin;

impl Plugin for DraggingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Dragging>().add_systems(
            Update,
            (hover, take, pull, let_go).chain().in_set(DraggingSystems),
        );
    }
}

/// When it is decided what the mouse holds; whoever else wants the pointer comes after.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DraggingSystems;

/// What the mouse holds and what is under it.
#[derive(Resource, Default, Debug)]
pub struct Dragging {
    grip: Option<Grip>,
    /// The strand point under the pointer.
    pub hovered: Option<Pick>,
    /// Grabs made since the start.
    pub grabs: u64,
    scene_count: u64,
    generation: u64,
}

impl Dragging {
    /// Whether a strand is held.
    pub fn holds(&self) -> bool {
        self.grip.is_some()
    }

    /// The held point.
    pub fn held(&self) -> Option<MaterialPoint> {
        self.grip.map(|grip| grip.point)
    }

    /// Where the held point was when it was taken.
    pub fn taken_at(&self) -> Option<Vec3> {
        self.grip.map(|grip| grip.taken_at)
    }
}

/// A held point and where it is pulled to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grip {
    point: MaterialPoint,
    taken_at: Vec3,
    target: Vec3,
    /// From the place under the pointer to the target: keeps the strand from jumping when it is taken off-centre.
    offset: Vec3,
}

/// Where a ray meets the plane through `through` with this normal; none if it does not, or behind the eye.
pub fn meet_plane(ray: &PickRay, through: Vec3, normal: Vec3) -> Option<Vec3> {
    let rate = ray.direction.dot(normal);
    let depth = (through - ray.origin).dot(normal) / rate;
    // Rays almost along the plane would throw the hand to the horizon.
    (rate.abs() > 1e-3 && depth > 0.0).then(|| ray.origin + depth * ray.direction)
}

impl Grip {
    fn new(pick: &Pick, ray: &PickRay, forward: Vec3) -> Self {
        let under = meet_plane(ray, pick.position, forward).unwrap_or(pick.position);
        Self {
            point: pick.point,
            taken_at: pick.position,
            target: pick.position,
            offset: pick.position - under,
        }
    }

    /// The target follows the ray in the plane with this normal, `push` metres farther along `forward`.
    fn follow(&mut self, ray: &PickRay, normal: Vec3, push: Vec3) {
        let through = self.target - self.offset + push;
        if let Some(under) = meet_plane(ray, through, normal) {
            self.target = under + self.offset;
        }
    }
}

fn hover(
    pointer: Res<Pointer>,
    area: Res<UiArea>,
    shown: Res<Shown>,
    camera: Eye,
    mut dragging: ResMut<Dragging>,
) {
    let free = |at: &Vec2| !area.blocks(*at) && !area.in_use;
    let ray = pointer
        .position
        .filter(free)
        .and_then(|at| ray_at(at, camera.0, camera.1));
    dragging.hovered = ray.and_then(|(ray, _)| pick_strand(&shown.snapshot, &ray));
}

fn take(
    pointer: Res<Pointer>,
    area: Res<UiArea>,
    shown: Res<Shown>,
    camera: Eye,
    mut dragging: ResMut<Dragging>,
    mut actions: MessageWriter<Action>,
) {
    let free = |at: &Vec2| !area.blocks(*at);
    let Some(at) = pointer.left_pressed_at.filter(free) else {
        return;
    };
    let Some((ray, forward)) = ray_at(at, camera.0, camera.1) else {
        return;
    };
    let Some(pick) = pick_strand(&shown.snapshot, &ray) else {
        return;
    };
    let grip = Grip::new(&pick, &ray, forward);
    dragging.grip = Some(grip);
    dragging.grabs += 1;
    dragging.scene_count = shown.scene_count;
    dragging.generation = shown.snapshot.generation;
    actions.write(Action::Edit(Edit::Grab {
        hand: MOUSE,
        point: grip.point,
        target: point3(grip.target),
    }));
}

fn pull(
    pointer: Res<Pointer>,
    keys: Res<ButtonInput<KeyCode>>,
    camera: Eye,
    mut dragging: ResMut<Dragging>,
    mut actions: MessageWriter<Action>,
) {
    let Some(mut grip) = dragging.grip else {
        return;
    };
    let Some((ray, forward)) = pointer
        .position
        .and_then(|at| ray_at(at, camera.0, camera.1))
    else {
        return;
    };
    let before = grip.target;
    let depth = (grip.target - ray.origin).dot(forward);
    let push = forward * (WHEEL_STEP * depth * pointer.wheel_lines);
    let level = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let normal = if level { Vec3::Y } else { forward };
    grip.follow(&ray, normal, if level { Vec3::ZERO } else { push });
    dragging.grip = Some(grip);
    if grip.target != before {
        actions.write(Action::Edit(Edit::MoveHand {
            hand: MOUSE,
            target: point3(grip.target),
        }));
    }
}

fn let_go(
    pointer: Res<Pointer>,
    shown: Res<Shown>,
    mut dragging: ResMut<Dragging>,
    mut actions: MessageWriter<Action>,
) {
    if !dragging.holds() {
        return;
    }
    let gone = dragging.scene_count != shown.scene_count
        || dragging.generation != shown.snapshot.generation;
    if gone {
        // The strand that was held is no more; the new world has no hand to release.
        dragging.grip = None;
    } else if pointer.left_released {
        dragging.grip = None;
        actions.write(Action::Edit(Edit::Release(MOUSE)));
    }
}

/// The hold that the mouse made, once the solver has it.
pub fn mouse_hold(shown: &Shown) -> Option<&HoldSnapshot> {
    let mut holds = shown.snapshot.holds.iter();
    holds.find(|hold| hold.hand == Some(MOUSE))
}

fn point3(v: Vec3) -> nalgebra::Point3<f64> {
    nalgebra::Point3::new(v.x as f64, v.y as f64, v.z as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(direction: [f32; 3]) -> PickRay {
        PickRay {
            origin: Vec3::new(0.0, 0.0, 2.0),
            direction: Vec3::from(direction).normalize(),
            pixel_m: 1e-3,
        }
    }

    fn pick(position: Vec3) -> Pick {
        Pick {
            point: MaterialPoint {
                rod: 0,
                element: 3,
                fraction: 0.5,
            },
            position,
            depth: 2.0,
        }
    }

    const FORWARD: Vec3 = Vec3::NEG_Z;

    #[test]
    fn taking_a_strand_off_centre_does_not_move_it() {
        let held = Vec3::new(0.01, 0.02, 0.3);
        let ray = ray([0.004, 0.0, -1.0]);
        let mut grip = Grip::new(&pick(held), &ray, FORWARD);
        grip.follow(&ray, FORWARD, Vec3::ZERO);
        assert!(grip.target.distance(held) < 1e-6);
    }

    #[test]
    fn the_target_stays_in_the_plane_that_faces_the_eye() {
        let held = Vec3::new(0.0, 0.0, 0.5);
        let mut grip = Grip::new(&pick(held), &ray([0.0, 0.0, -1.0]), FORWARD);
        grip.follow(&ray([0.3, -0.2, -1.0]), FORWARD, Vec3::ZERO);
        assert!((grip.target.z - held.z).abs() < 1e-6);
        assert!((grip.target.x - 0.45).abs() < 1e-6 && (grip.target.y + 0.3).abs() < 1e-6);
    }

    #[test]
    fn the_wheel_changes_depth_and_keeps_the_place_under_the_pointer() {
        let aim = ray([0.1, 0.0, -1.0]);
        let held = aim.origin + 2.0 * aim.direction;
        let mut grip = Grip::new(&pick(held), &aim, FORWARD);
        grip.follow(&aim, FORWARD, 0.5 * FORWARD);
        let direction = (grip.target - aim.origin).normalize();
        assert!((grip.target.z - (held.z - 0.5)).abs() < 1e-5);
        assert!(direction.distance(aim.direction) < 1e-5);
    }

    #[test]
    fn a_ray_along_the_plane_does_not_throw_the_hand_away() {
        let held = Vec3::ZERO;
        let mut grip = Grip::new(&pick(held), &ray([0.0, 0.0, -1.0]), FORWARD);
        grip.follow(&ray([1.0, 0.0, -1e-5]), Vec3::Z, Vec3::ZERO);
        assert_eq!(grip.target, held);
    }
}
