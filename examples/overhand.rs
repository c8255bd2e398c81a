//! Writes the session that ties an overhand knot, as one mouse would: the pointer goes from place to place in the plane
//! that faces the eye, the wheel changes how far away that plane is, P pins what is held.
//!
//!     cargo run --release --example overhand > scenes/sessions/overhand.session
//!
//! To be run again whenever a change of the program changes what the drags lead to; `prusik replay` says so.

use prusik::geometry::knot::KnotNamer;
use prusik::scene::{Camera, load};
use prusik::session::{Event, HASH_EVERY, Head, Session};
use prusik::world::{Edit, Hand, Knots, MaterialPoint, Snapshot, World};

use nalgebra::{Point3, Vector3};

const SCENE: &str = "rope";
const HAND: Hand = Hand(0);
/// How far a notch of the wheel moves the hand, as a share of its distance from the eye.
const NOTCH: f64 = 0.04;
/// Steps between two motions of the pointer: about sixty a second.
const MOTION_EVERY: u64 = 8;

/// When the pointer is where: s, then m to the right and up from the middle of the picture, and notches of the wheel
/// turned towards the user by then.
const WAY: [(f64, f64, f64, i32); 14] = [
    (0.8, 0.70, 0.00, 0),
    // Nearer, and back over the rope: a loop, its end in front.
    (1.4, 0.66, 0.05, 1),
    (2.6, 0.25, 0.37, 1),
    (3.6, -0.18, 0.22, 1),
    (4.4, -0.18, -0.15, 1),
    // Farther, and behind the rope into the loop.
    (5.0, -0.06, -0.20, -1),
    (5.7, 0.05, -0.11, -1),
    (6.4, 0.05, 0.05, -1),
    // Nearer again: out of the loop to the front, and up.
    (6.9, 0.06, 0.06, 1),
    (7.8, 0.14, 0.40, 1),
    // Pull it tight.
    (9.0, 0.50, 0.35, 1),
    (10.6, 0.70, 0.02, 0),
    (12.0, 0.84, 0.00, 0),
    (12.6, 0.84, 0.00, 0),
];
/// When the end is pinned and the session is over, s.
const PINNED_S: f64 = 12.6;
const END_S: f64 = 13.6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = load(SCENE, &[])?;
    let mut world = World::new(scene.spec.clone())?;
    let mut session = Session {
        head: Head::of(&scene, false),
        events: Vec::new(),
    };
    let eye = Eye::of(&scene.camera);
    let dt_s = world.settings().dt_s;
    let step_at = |time_s: f64| (time_s / dt_s).round() as u64;
    let (first, pinned, end) = (step_at(WAY[0].0), step_at(PINNED_S), step_at(END_S));
    let point = MaterialPoint {
        rod: 0,
        element: scene.spec.rods[0].design.centreline.len() - 2,
        fraction: 0.9,
    };
    for step in 0..=end {
        let target = eye.place(pointer(step as f64 * dt_s));
        let mut edits = Vec::new();
        if step == first {
            let hand = HAND;
            edits.push(Edit::Grab {
                hand,
                point,
                target,
            });
        } else if step > first && step < pinned && step.is_multiple_of(MOTION_EVERY) {
            edits.push(Edit::MoveHand { hand: HAND, target });
        } else if step == pinned {
            edits.extend([Edit::Pin(point), Edit::Release(HAND)]);
        }
        for edit in edits {
            world.apply(edit.clone())?;
            session.events.push((step, Event::Edit(edit)));
        }
        let hash = world.state_hash();
        if step == end {
            session.events.push((step, Event::End(hash)));
        } else if step.is_multiple_of(HASH_EVERY) {
            session.events.push((step, Event::Hash(hash)));
        }
        if step.is_multiple_of(500) {
            tell(&world);
        }
        if step < end {
            world.step()?;
        }
    }
    print!("{}", session.text());
    Ok(())
}

/// Says how it goes, beside the session.
fn tell(world: &World) {
    let mut snapshot = Snapshot::default();
    world.snapshot(&mut snapshot);
    let knots = Knots::of(&snapshot, &mut KnotNamer::new());
    eprintln!("{:5.1} s: {}", world.time_s(), knots.summary());
}

/// Where the pointer is at a time: right, up, notches. It starts and stops smoothly at every place; the wheel turns notch
/// by notch on the way.
fn pointer(time_s: f64) -> [f64; 3] {
    let Some(next) = WAY.iter().position(|at| at.0 > time_s) else {
        let last = WAY[WAY.len() - 1];
        return [last.1, last.2, f64::from(last.3)];
    };
    let (a, b) = (WAY[next.saturating_sub(1)], WAY[next]);
    let share = ((time_s - a.0) / (b.0 - a.0).max(1e-9)).clamp(0.0, 1.0);
    let ease = share * share * (3.0 - 2.0 * share);
    let between = |from: f64, to: f64| from + (to - from) * ease;
    // In the first half of the way, so that the hand is at its depth before it arrives.
    let turned = (2.0 * share).min(1.0) * f64::from(b.3 - a.3);
    [
        between(a.1, b.1),
        between(a.2, b.2),
        f64::from(a.3) + turned.trunc(),
    ]
}

/// The axes of the picture.
struct Eye {
    middle: Point3<f64>,
    right: Vector3<f64>,
    up: Vector3<f64>,
    towards: Vector3<f64>,
    distance: f64,
}

impl Eye {
    fn of(camera: &Camera) -> Self {
        let middle = Point3::from(camera.target_m);
        let back = Point3::from(camera.eye_m) - middle;
        let towards = back.normalize();
        let right = Vector3::y().cross(&towards).normalize();
        Self {
            middle,
            right,
            up: towards.cross(&right),
            towards,
            distance: back.norm(),
        }
    }

    fn place(&self, [right, up, notches]: [f64; 3]) -> Point3<f64> {
        let depth = notches * NOTCH * self.distance;
        self.middle + self.right * right + self.up * up + self.towards * depth
    }
}
