//! What one hand holds, and how it follows its pointer.

use bevy::prelude::*;
use nalgebra::{Isometry3, Point3};

use super::gizmo::{HandleDrag, Thing, edit_to, pose_of};
use super::picking::{PickRay, Target};
use super::pointer::CLICK_SLACK;
use crate::world::{Edit, Hand, MaterialPoint, Snapshot};

/// How far one line of the wheel moves the held point, as a share of its distance from the eye.
const WHEEL_STEP: f32 = 0.04;
/// How far a pixel across the strand twists it, rad.
const TWIST_PER_PX: f32 = 0.012;
/// How far one line of the wheel twists it, rad.
const TWIST_PER_LINE: f32 = 0.2;

/// What a hand holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// A point of a strand.
    Strand {
        /// Which.
        point: MaterialPoint,
        /// Its tangent.
        tangent: Vec3,
    },
    /// A point of a solid that is free to move.
    Body {
        /// Which solid.
        solid: usize,
        /// The point in its frame.
        local: Point3<f64>,
    },
    /// A pin, clamp or solid, as it stood when it was taken.
    Thing(Thing, Isometry3<f64>),
    /// A handle of the gizmo.
    Handle(HandleDrag),
}

/// How a drag is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// Shift: in the horizontal plane.
    pub level: bool,
    /// Ctrl: twist about the tangent instead.
    pub twist: bool,
    /// Lines the wheel turned.
    pub wheel_lines: f32,
}

/// A hand that holds something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Which hand.
    pub hand: Hand,
    /// The finger it belongs to; the mouse for none.
    pub finger: Option<u64>,
    /// What it holds.
    pub held: Held,
    /// Where that was when it was taken, m.
    pub taken_at: Vec3,
    /// Where it is pulled to, m.
    pub target: Vec3,
    /// By how much the hand has turned, rad.
    pub twist_rad: f32,
    /// From the place under the pointer to the target: keeps the strand from jumping when it is taken off-centre.
    offset: Vec3,
    /// Where the pointer was, points.
    pointer: Vec2,
    pressed_at: Vec2,
    /// It has gone farther than a click goes.
    pub dragged: bool,
}

/// Where a ray meets the plane through `through` with this normal; none if it does not, or behind the eye.
pub fn meet_plane(ray: &PickRay, through: Vec3, normal: Vec3) -> Option<Vec3> {
    let rate = ray.direction.dot(normal);
    let depth = (through - ray.origin).dot(normal) / rate;
    // Rays almost along the plane would throw the hand to the horizon.
    (rate.abs() > 1e-3 && depth > 0.0).then(|| ray.origin + depth * ray.direction)
}

impl Grip {
    /// Takes what is under the pointer; none if it cannot be taken.
    pub fn new(
        hand: Hand,
        finger: Option<u64>,
        target: &Target,
        snapshot: &Snapshot,
        at: Vec2,
        (ray, forward): (&PickRay, Vec3),
    ) -> Option<Self> {
        let held = match target {
            _ if !target.can_be_taken() => return None,
            Target::Strand(pick) => Held::Strand {
                point: pick.point,
                tangent: pick.tangent,
            },
            Target::Hold(hold) => {
                let thing = Thing::Hold(hold.id);
                Held::Thing(thing, pose_of(snapshot, thing)?)
            }
            Target::Solid(pick) => {
                let thing = Thing::Solid(pick.solid);
                let pose = pose_of(snapshot, thing)?;
                match snapshot.solids[pick.solid].free {
                    true => Held::Body {
                        solid: pick.solid,
                        local: pose.inverse_transform_point(&point3(target.position())),
                    },
                    false => Held::Thing(thing, pose),
                }
            }
        };
        let position = target.position();
        let under = meet_plane(ray, position, forward).unwrap_or(position);
        let mut grip = Self::of(hand, finger, held, position, at);
        grip.offset = position - under;
        Some(grip)
    }

    /// Takes a handle of the gizmo.
    pub fn of_handle(hand: Hand, drag: HandleDrag, at: Vec2) -> Self {
        Self::of(hand, None, Held::Handle(drag), Vec3::ZERO, at)
    }

    fn of(hand: Hand, finger: Option<u64>, held: Held, position: Vec3, at: Vec2) -> Self {
        Self {
            hand,
            finger,
            held,
            taken_at: position,
            target: position,
            twist_rad: 0.0,
            offset: Vec3::ZERO,
            pointer: at,
            pressed_at: at,
            dragged: false,
        }
    }

    /// The held point of a strand.
    pub fn strand_point(&self) -> Option<MaterialPoint> {
        match self.held {
            Held::Strand { point, .. } => Some(point),
            _ => None,
        }
    }

    /// What the world is told when the hand takes hold.
    pub fn begin(&self) -> Option<Edit> {
        let (hand, target) = (self.hand, point3(self.target));
        match self.held {
            Held::Strand { point, .. } => Some(Edit::Grab {
                hand,
                point,
                target,
            }),
            Held::Body { solid, local } => Some(Edit::GrabSolid {
                hand,
                solid,
                local,
                target,
            }),
            Held::Thing(..) | Held::Handle(_) => None,
        }
    }

    /// What the world is told when the hand lets go.
    pub fn end(&self) -> Option<Edit> {
        let pulls = matches!(self.held, Held::Strand { .. } | Held::Body { .. });
        pulls.then_some(Edit::Release(self.hand))
    }

    /// Follows the pointer to `at`, under which this ray is; what the world is to be told.
    pub fn drag(
        &mut self,
        at: Vec2,
        (ray, forward): (&PickRay, Vec3),
        manner: Manner,
    ) -> Option<Edit> {
        let way = at - self.pointer;
        self.pointer = at;
        self.dragged |= at.distance(self.pressed_at) > CLICK_SLACK || manner.wheel_lines != 0.0;
        match &mut self.held {
            Held::Handle(drag) => {
                let pose = drag.follow(ray);
                (way != Vec2::ZERO).then(|| edit_to(drag.thing, pose))
            }
            Held::Strand { tangent, .. } if manner.twist => {
                let tangent = *tangent;
                self.twist(way, tangent, (ray, forward), manner)
            }
            Held::Strand { .. } | Held::Body { .. } => {
                self.pull(ray, forward, manner).then(|| Edit::MoveHand {
                    hand: self.hand,
                    target: point3(self.target),
                })
            }
            // A click must not move it.
            Held::Thing(..) if !self.dragged => None,
            Held::Thing(thing, start) => {
                let (thing, mut pose) = (*thing, *start);
                let moved = self.pull(ray, forward, manner);
                pose.translation.vector += vector3(self.target - self.taken_at);
                moved.then(|| edit_to(thing, pose))
            }
        }
    }

    /// The target follows the ray; whether it has moved.
    fn pull(&mut self, ray: &PickRay, forward: Vec3, manner: Manner) -> bool {
        let before = self.target;
        let depth = (self.target - ray.origin).dot(forward);
        let push = forward * (WHEEL_STEP * depth * manner.wheel_lines);
        match manner.level {
            true => self.follow(ray, Vec3::Y, Vec3::ZERO),
            false => self.follow(ray, forward, push),
        }
        self.target != before
    }

    /// The target follows the ray in the plane with this normal, shifted by `push`.
    fn follow(&mut self, ray: &PickRay, normal: Vec3, push: Vec3) {
        let through = self.target - self.offset + push;
        if let Some(under) = meet_plane(ray, through, normal) {
            self.target = under + self.offset;
        }
    }

    /// Rolls the strand under the pointer: the side that faces the eye goes with it.
    fn twist(
        &mut self,
        way: Vec2,
        tangent: Vec3,
        (ray, forward): (&PickRay, Vec3),
        manner: Manner,
    ) -> Option<Edit> {
        // Across the strand on the screen; y is downwards there.
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let rolling = tangent.cross(-forward);
        let across = Vec2::new(rolling.dot(right), -rolling.dot(up)).normalize_or(Vec2::X);
        let before = self.twist_rad;
        self.twist_rad += TWIST_PER_PX * way.dot(across) + TWIST_PER_LINE * manner.wheel_lines;
        // The hand stays where it is, and goes on from there when Ctrl is let go of.
        let through = self.target - self.offset;
        if let Some(under) = meet_plane(ray, through, forward) {
            self.offset = self.target - under;
        }
        (self.twist_rad != before).then(|| Edit::TwistHand {
            hand: self.hand,
            angle_rad: f64::from(self.twist_rad),
        })
    }
}

fn point3(v: Vec3) -> Point3<f64> {
    Point3::from(vector3(v))
}

fn vector3(v: Vec3) -> nalgebra::Vector3<f64> {
    nalgebra::Vector3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

#[cfg(test)]
mod tests {
    use super::super::picking::{Pick, SolidPick};
    use super::*;

    fn ray(direction: [f32; 3]) -> PickRay {
        PickRay {
            origin: Vec3::new(0.0, 0.0, 2.0),
            direction: Vec3::from(direction).normalize(),
            pixel_m: 1e-3,
        }
    }

    const FORWARD: Vec3 = Vec3::NEG_Z;

    fn take(position: Vec3, ray: &PickRay) -> Grip {
        let pick = Pick {
            point: MaterialPoint {
                rod: 0,
                element: 3,
                fraction: 0.5,
            },
            position,
            centre: position,
            tangent: Vec3::X,
            radius: 0.01,
            depth: 2.0,
            fixed: false,
        };
        let target = Target::Strand(pick);
        let snapshot = Snapshot::default();
        Grip::new(
            Hand(0),
            None,
            &target,
            &snapshot,
            Vec2::ZERO,
            (ray, FORWARD),
        )
        .expect("a strand can be taken")
    }

    fn drag(grip: &mut Grip, ray: &PickRay, manner: Manner) -> Option<Edit> {
        grip.drag(Vec2::new(50.0, 0.0), (ray, FORWARD), manner)
    }

    #[test]
    fn taking_a_strand_off_centre_does_not_move_it() {
        let held = Vec3::new(0.01, 0.02, 0.3);
        let ray = ray([0.004, 0.0, -1.0]);
        let mut grip = take(held, &ray);
        drag(&mut grip, &ray, Manner::default());
        assert!(grip.target.distance(held) < 1e-6);
    }

    #[test]
    fn the_target_stays_in_the_plane_that_faces_the_eye() {
        let held = Vec3::new(0.0, 0.0, 0.5);
        let mut grip = take(held, &ray([0.0, 0.0, -1.0]));
        let edit = drag(&mut grip, &ray([0.3, -0.2, -1.0]), Manner::default());
        assert!(matches!(edit, Some(Edit::MoveHand { .. })));
        assert!((grip.target.z - held.z).abs() < 1e-6);
        assert!((grip.target.x - 0.45).abs() < 1e-6 && (grip.target.y + 0.3).abs() < 1e-6);
    }

    #[test]
    fn with_shift_it_stays_level() {
        let held = Vec3::new(0.0, -0.5, 0.5);
        let aim = ray([0.0, -0.5, -1.5]);
        let mut grip = take(held, &aim);
        let level = Manner {
            level: true,
            ..Manner::default()
        };
        drag(&mut grip, &ray([0.2, -0.3, -1.5]), level);
        assert!((grip.target.y - held.y).abs() < 1e-6);
        assert!(
            grip.target.z < held.z - 0.1,
            "higher on the screen is farther"
        );
    }

    #[test]
    fn the_wheel_changes_depth_and_keeps_the_place_under_the_pointer() {
        let aim = ray([0.1, 0.0, -1.0]);
        let held = aim.origin + 2.0 * aim.direction;
        let mut grip = take(held, &aim);
        let wheel = Manner {
            wheel_lines: 5.0,
            ..Manner::default()
        };
        drag(&mut grip, &aim, wheel);
        let direction = (grip.target - aim.origin).normalize();
        assert!(grip.target.z < held.z - 0.3);
        assert!(direction.distance(aim.direction) < 1e-5);
    }

    #[test]
    fn a_ray_along_the_plane_does_not_throw_the_hand_away() {
        let held = Vec3::ZERO;
        let mut grip = take(held, &ray([0.0, 0.0, -1.0]));
        drag(&mut grip, &ray([1.0, 0.0, -1e-5]), Manner::default());
        assert_eq!(grip.target, held);
    }

    #[test]
    fn with_ctrl_the_strand_rolls_under_the_pointer_and_the_hand_stays() {
        let held = Vec3::new(0.0, 0.0, 0.5);
        let mut grip = take(held, &ray([0.0, 0.0, -1.0]));
        let twist = Manner {
            twist: true,
            ..Manner::default()
        };
        // The strand lies along x; its near side goes down with the pointer: a turn about +x, as y turns to z.
        let edit = grip.drag(
            Vec2::new(0.0, 100.0),
            (&ray([0.0, -0.1, -1.0]), FORWARD),
            twist,
        );
        let Some(Edit::TwistHand { angle_rad, .. }) = edit else {
            panic!("{edit:?}");
        };
        let near_side = nalgebra::Rotation3::from_scaled_axis(
            nalgebra::Vector3::x() * angle_rad.clamp(-0.5, 0.5),
        ) * nalgebra::Vector3::z();
        assert!(near_side.y < 0.0, "{angle_rad}");
        assert_eq!(grip.target, held);
        // Let go of Ctrl: it is pulled from where it is.
        let still = ray([0.0, -0.1, -1.0]);
        grip.drag(Vec2::new(0.0, 100.0), (&still, FORWARD), Manner::default());
        assert!(grip.target.distance(held) < 1e-6);
    }

    #[test]
    fn a_solid_is_dragged_only_after_it_is_more_than_a_click() {
        let mut snapshot = Snapshot::default();
        snapshot.solids.push(crate::world::SolidPose {
            position: [0.0, 0.0, 0.4],
            rotation: [0.0, 0.0, 0.0, 1.0],
            led: false,
            free: false,
            speed: 0.0,
            spin: [0.0; 3],
        });
        let target = Target::Solid(SolidPick {
            solid: 0,
            position: Vec3::new(0.0, 0.0, 0.5),
            depth: 1.5,
            movable: true,
        });
        let aim = ray([0.0, 0.0, -1.0]);
        let mut grip = Grip::new(
            Hand(0),
            None,
            &target,
            &snapshot,
            Vec2::ZERO,
            (&aim, FORWARD),
        )
        .expect("it is there");
        let a_little = grip.drag(
            Vec2::new(2.0, 0.0),
            (&ray([0.01, 0.0, -1.0]), FORWARD),
            Manner::default(),
        );
        assert_eq!(a_little, None);
        let edit = drag(&mut grip, &ray([0.2, 0.0, -1.0]), Manner::default());
        let Some(Edit::MoveSolid { solid: 0, pose }) = edit else {
            panic!("{edit:?}");
        };
        let moved = pose.translation.vector - nalgebra::Vector3::new(0.3, 0.0, 0.4);
        assert!(moved.norm() < 1e-6, "{pose}");
    }
}
