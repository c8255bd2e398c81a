//! Clamps, pins and grabs as they act in a running world.

use std::hash::Hasher;

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::edit::{Hand, MaterialPoint};
use super::led::Led;
use super::spec::{HoldAt, HoldKind, HoldSpec};
use super::twist::Twist;
use crate::body::{Body, Constraint, Site};
use crate::geometry::Motion;

/// Natural frequency of a grab with the whole strand's mass, rad/s: follows the hand within a few hundredths of a
/// second.
const GRAB_FREQUENCY: f64 = 60.0;
/// Share of critical damping of a grab.
const GRAB_DAMPING: f64 = 0.5;
/// A hand pulls with at most this share of EA …
const HAND_STRAIN: f64 = 0.1;
/// … and at most so many times the strand's weight.
const HAND_WEIGHTS: f64 = 500.0;

/// One hold.
#[derive(Clone, Debug)]
pub struct Hold {
    /// For messages from the window.
    pub id: u32,
    /// Index of the strand.
    pub rod: usize,
    /// What it does.
    pub kind: HoldKind,
    /// Where on the strand.
    pub site: Site,
    /// The hand that made it.
    pub hand: Option<Hand>,
    /// Part of the demonstration.
    pub demo: bool,
    /// Force on the strand in the last step, N.
    pub force: Vector3<f64>,
    /// Which hold of the description it is.
    pub described: Option<usize>,
    motion: Motion,
    /// Index of the solid that carries it.
    pub on: Option<usize>,
    active_s: (f64, f64),
    /// Where and how the held part was when it was taken, and the script's displacement and rotation then.
    taken: Option<Taken>,
    /// Where the hand is.
    pub target: Point3<f64>,
    /// Whether its script stands still during the step that is tried.
    pub stalled: bool,
    /// For how long it has stood still, s; also while a hand has it.
    lag_s: f64,
    /// A hand has moved it, and its script stands still.
    pub led: Option<Led>,
    /// Whether it is on its way back to where its script was left, to go on with that.
    returns: bool,
    /// What becomes of that in the step that is tried.
    next: Option<Led>,
    /// What a twisting hand does.
    pub twist: Option<Twist>,
}

/// A hold that was removed.
#[derive(Clone, Debug)]
pub struct Parked {
    /// As it was.
    pub hold: Hold,
    /// Since when, s.
    pub since_s: f64,
}

#[derive(Clone, Copy, Debug)]
struct Taken {
    position: Point3<f64>,
    frame: Isometry3<f64>,
    offset: Vector3<f64>,
    rotation: UnitQuaternion<f64>,
    /// Pose of the solid that carries it.
    carrier: Isometry3<f64>,
}

impl Hold {
    /// A hold of the description.
    pub fn described(index: usize, id: u32, spec: &HoldSpec, body: &dyn Body) -> Self {
        let elements = body.nodes().len() - 1;
        let along = match spec.at {
            HoldAt::Start => 0.0,
            HoldAt::End => elements as f64,
            HoldAt::Fraction(share) => share * elements as f64,
        };
        let element = (along.floor() as usize).min(elements - 1);
        let site = Site {
            element,
            fraction: along - element as f64,
        };
        let mut hold = Self::new(id, spec.rod, spec.kind, site);
        hold.described = Some(index);
        hold.demo = spec.demo;
        hold.motion = spec.motion.clone();
        hold.on = spec.on;
        hold.active_s = spec.active_s;
        hold
    }

    /// A pin where the node nearest to a material point is now.
    pub fn pin(id: u32, point: &MaterialPoint) -> Self {
        Self::new(id, point.rod, HoldKind::Pin, site_of(point))
    }

    /// A clamp of that node and of the piece at it.
    pub fn clamp(id: u32, point: &MaterialPoint) -> Self {
        Self::new(id, point.rod, HoldKind::Clamp, site_of(point))
    }

    /// A hand that pulls at a material point.
    pub fn grab(
        id: u32,
        hand: Hand,
        point: &MaterialPoint,
        target: Point3<f64>,
        body: &dyn Body,
    ) -> Self {
        let max_force_n = most_force_n(body);
        let kind = HoldKind::Grab { max_force_n };
        let mut hold = Self::new(id, point.rod, kind, site_of(point));
        hold.hand = Some(hand);
        hold.target = target;
        hold
    }

    fn new(id: u32, rod: usize, kind: HoldKind, site: Site) -> Self {
        Self {
            id,
            rod,
            kind,
            site,
            hand: None,
            demo: false,
            force: Vector3::zeros(),
            described: None,
            motion: Motion::default(),
            on: None,
            active_s: (0.0, f64::INFINITY),
            taken: None,
            target: Point3::origin(),
            stalled: false,
            lag_s: 0.0,
            led: None,
            returns: false,
            next: None,
            twist: None,
        }
    }

    /// Whether another that was made by hand would add nothing to it.
    pub fn does_the_same(&self, new: &Hold) -> bool {
        let same_place = (self.rod, self.site.node()) == (new.rod, new.site.node());
        same_place && self.kind == new.kind && self.hand == new.hand
    }

    /// Where the strand has the held part now.
    fn pose_here(&self, body: &dyn Body) -> Isometry3<f64> {
        let place = Translation3::from(self.position(body.nodes()).coords);
        Isometry3::from_parts(place, body.frame(self.site).rotation)
    }

    /// Takes hold again after so long: leads the strand back to where a hand had led it, or else to where its script was left.
    pub fn come_back(&mut self, body: &dyn Body, away_s: f64) {
        self.lag_s += away_s;
        self.stalled = false;
        self.force = Vector3::zeros();
        self.next = None;
        if self.taken.is_none() {
            // It has not acted yet.
            return;
        }
        let before = self.led;
        let mut led = Led::at(self.pose_here(body));
        match before.filter(|_| !self.returns) {
            Some(before) => {
                led.goal.translation = before.goal.translation;
                if self.kind == HoldKind::Clamp {
                    led.goal.rotation = before.goal.rotation;
                }
            }
            None => self.returns = true,
        }
        self.led = Some(led);
    }

    /// A hand leads it to a pose, from where its strand is.
    pub fn lead_to(&mut self, body: &dyn Body, goal: Isometry3<f64>) {
        let pose = self.pose_here(body);
        let led = self.led.get_or_insert(Led::at(pose));
        self.returns = false;
        led.goal.translation = goal.translation;
        // A pin does not turn, and so it has arrived however it is to stand.
        led.goal.rotation = match self.kind {
            HoldKind::Clamp => goal.rotation,
            HoldKind::Pin | HoldKind::Grab { .. } => led.pose.rotation,
        };
    }

    /// Goes back to where its script was left, or to where it took hold if it has none, and on with that.
    pub fn return_to_script(&mut self) {
        self.returns = self.led.is_some();
    }

    /// Its hand turns the held section by so much since it took hold.
    pub fn turn(&mut self, body: &dyn Body, angle_rad: f64) {
        let twist = self
            .twist
            .get_or_insert_with(|| Twist::new(body.frame(self.site).rotation));
        twist.goal_rad = angle_rad;
    }

    /// Whether it acts during a step that starts at `time_s`.
    pub fn acts(&self, time_s: f64, demo: bool) -> bool {
        (demo || !self.demo) && time_s >= self.active_s.0 && time_s < self.active_s.1
    }

    /// Lets go, so that it takes hold anew the next time it acts.
    pub fn let_go(&mut self) {
        self.taken = None;
        (self.led, self.next, self.returns) = (None, None, false);
        self.force = Vector3::zeros();
    }

    /// Whether its script moves it.
    pub fn is_led(&self) -> bool {
        match &self.led {
            Some(led) => !led.has_arrived(),
            None => self.hand.is_none() && !self.motion.is_still(),
        }
    }

    /// Time has passed: a script that stood still has fallen behind; who has come back to it goes on with it.
    pub fn pass(&mut self, dt_s: f64) {
        if self.stands_still() {
            self.lag_s += dt_s;
        }
        self.led = self.next.take();
        if self.returns && self.led.is_some_and(|led| led.has_arrived()) {
            (self.led, self.returns) = (None, false);
        }
        if let Some(twist) = &mut self.twist {
            twist.pass(dt_s);
        }
    }

    /// Whether its script, if it has one, stands still during the step that is tried.
    fn stands_still(&self) -> bool {
        self.stalled || self.led.is_some() && !self.motion.is_still()
    }

    /// How far its script has fallen behind, s.
    pub fn lag_s(&self) -> f64 {
        self.lag_s
    }

    /// Takes the frame anew of a strand whose model was changed, so that a clamp does not turn it; where it is held and
    /// where it is led stays as it was.
    pub fn take_frame_anew(
        &mut self,
        body: &dyn Body,
        twists: bool,
        time_s: f64,
        carrier: &Isometry3<f64>,
    ) {
        let frame = body.frame(self.site).rotation;
        if let Some(led) = &mut self.led {
            led.goal.rotation = led.goal.rotation * led.pose.rotation.inverse() * frame;
            led.pose.rotation = frame;
        }
        self.twist = self.twist.take().filter(|_| twists);
        if let Some(twist) = &mut self.twist {
            twist.see_anew(frame);
        }
        if let Some(taken) = &mut self.taken {
            let carried = carrier.rotation * taken.carrier.rotation.inverse();
            let turn =
                carried * self.motion.rotation(time_s - self.lag_s) * taken.rotation.inverse();
            taken.frame.rotation = turn.inverse() * frame;
        }
    }

    /// What it asks of its strand in a step from `time_s` to `end_s`, in which the solid that carries it goes from the
    /// first pose of `carrier` to the second.
    pub fn constraint(
        &mut self,
        body: &dyn Body,
        [time_s, end_s]: [f64; 2],
        carrier: [Isometry3<f64>; 2],
    ) -> Constraint {
        let dt_s = end_s - time_s;
        let end_s = if self.stands_still() { time_s } else { end_s } - self.lag_s;
        let time_s = time_s - self.lag_s;
        let nodes = body.nodes();
        let position = self.position(nodes);
        let motion = &self.motion;
        let taken = *self.taken.get_or_insert_with(|| Taken {
            position,
            frame: body.frame(self.site),
            offset: motion.offset(time_s),
            rotation: motion.rotation(time_s),
            carrier: carrier[0],
        });
        let mut rotation = self.motion.rotation(end_s) * taken.rotation.inverse();
        rotation *= taken.frame.rotation;
        let mut place = taken.position;
        if self.on.is_some() {
            let carried = carrier[1] * taken.carrier.inverse();
            rotation = carried.rotation * rotation;
            place = carried * place;
        }
        if self.hand.is_none() {
            self.target = place + (self.motion.offset(end_s) - taken.offset);
        }
        if let Some(led) = self.led.as_mut().filter(|_| self.returns) {
            led.goal.translation.vector = self.target.coords;
            if self.kind == HoldKind::Clamp {
                led.goal.rotation = rotation;
            }
        }
        // Back to a solid that moves: its own motion is no way to go.
        let rides = self.returns && self.on.is_some();
        self.next = self.led.map(|mut led| {
            if rides {
                led.pose = carrier[1] * carrier[0].inverse() * led.pose;
            }
            self.led_on(&led, body, dt_s)
        });
        if let Some(next) = &self.next {
            self.target = Point3::from(next.pose.translation.vector);
            rotation = next.pose.rotation;
        }
        match self.kind {
            HoldKind::Pin => Constraint::Node {
                node: self.site.node(),
                target: self.target,
            },
            HoldKind::Clamp => Constraint::Frame {
                site: self.site,
                pose: Isometry3::from_parts(Translation3::from(self.target.coords), rotation),
            },
            HoldKind::Grab { max_force_n } => self.spring(body, &position, max_force_n, dt_s),
        }
    }

    /// A pull that is capped.
    fn spring(
        &mut self,
        body: &dyn Body,
        position: &Point3<f64>,
        max_force_n: f64,
        dt_s: f64,
    ) -> Constraint {
        let stiffness = body.mass_kg() * GRAB_FREQUENCY * GRAB_FREQUENCY;
        let distance = (self.target - position).norm();
        // The cap on the force, as a cap on the stiffness at this distance.
        let stiffness_n_m = if distance > 0.0 {
            stiffness.min(max_force_n / distance)
        } else {
            stiffness
        };
        let (site, nodes) = (self.site, body.nodes());
        let piece_m = (nodes[site.element + 1] - nodes[site.element]).norm();
        let frame = body.frame(site).rotation;
        let twist = self.twist.as_mut();
        Constraint::Spring {
            site,
            target: self.target,
            stiffness_n_m,
            damping_n_s_m: 2.0 * GRAB_DAMPING * stiffness_n_m / GRAB_FREQUENCY,
            twist: twist.map(|twist| twist.spring(body, frame, piece_m, dt_s)),
        }
    }

    /// Where it is led within a step. A hand is not stronger for moving a pin than for pulling a strand: where that
    /// would take more, it waits.
    fn led_on(&self, led: &Led, body: &dyn Body, dt_s: f64) -> Led {
        let mut next = led.after(dt_s);
        let way = next.pose.translation.vector - led.pose.translation.vector;
        let strained = self.force.norm() > most_force_n(body) && self.force.dot(&way) > 0.0;
        if self.stalled || strained {
            next = *led;
            next.halt();
        }
        next
    }

    /// Feeds every bit that a hand has left.
    pub fn hash(&self, hasher: &mut dyn Hasher) {
        if let Some(led) = &self.led {
            led.hash(hasher);
        }
        if let Some(twist) = &self.twist {
            twist.hash(hasher);
        }
        if self.hand.is_some() {
            let pull = self.target.iter().chain([&self.site.fraction]);
            pull.for_each(|x| hasher.write_u64(x.to_bits()));
        }
    }

    /// Where the held point is, m.
    pub fn position(&self, nodes: &[Point3<f64>]) -> Point3<f64> {
        match self.kind {
            HoldKind::Grab { .. } => {
                let k = self.site.element;
                nodes[k] + (nodes[k + 1] - nodes[k]) * self.site.fraction
            }
            HoldKind::Pin | HoldKind::Clamp => nodes[self.site.node()],
        }
    }
}

fn site_of(point: &MaterialPoint) -> Site {
    Site {
        element: point.element,
        fraction: point.fraction,
    }
}

/// The largest force of a hand on a strand, N.
fn most_force_n(body: &dyn Body) -> f64 {
    let weight = body.mass_kg() * 9.81;
    (HAND_STRAIN * body.section().ea_n).min(HAND_WEIGHTS * weight)
}
