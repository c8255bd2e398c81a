//! A hand that twists: a torsional spring between the hand and the section that it holds.
//!
//! How far the section has turned is summed up step by step, beyond following the tangent by the smallest rotation; so
//! the hand can turn it round and round.

use std::hash::Hasher;

use nalgebra::{UnitQuaternion, Vector3};

use crate::body::{Body, Section, TwistSpring};
use crate::math::frame::{parallel_transport, signed_angle};

/// The grip is as stiff as so many times a piece of the strand about the hand.
const GRIP: f64 = 10.0;
/// How long it takes to follow the hand, s.
const FOLLOW_S: f64 = 0.01;
/// A hand twists with at most the moment that turns the strand by so many radians in a length of one radius.
const MOST_TURN: f64 = 0.3;
/// The fastest that a hand turns, rad/s: thrice around in a second.
const FASTEST_RAD_S: f64 = 6.0 * std::f64::consts::PI;

/// A twisting hand.
#[derive(Clone, Copy, Debug)]
pub struct Twist {
    /// By how much the hand is to have turned since it took hold, rad.
    pub goal_rad: f64,
    /// By how much it has.
    angle_rad: f64,
    /// By how much the held section has.
    turned_rad: f64,
    /// The section's frame when that was summed up.
    seen: UnitQuaternion<f64>,
    /// Its moment on the strand, N m, at the start of the last step.
    pub moment_n_m: f64,
}

impl Twist {
    /// A hand that has not turned yet, on a section with this frame.
    pub fn new(frame: UnitQuaternion<f64>) -> Self {
        Self {
            goal_rad: 0.0,
            angle_rad: 0.0,
            turned_rad: 0.0,
            seen: frame,
            moment_n_m: 0.0,
        }
    }

    /// By how much the hand has turned, rad.
    pub fn angle_rad(&self) -> f64 {
        self.angle_rad
    }

    /// Takes the section's frame anew, without a turn.
    pub fn see_anew(&mut self, frame: UnitQuaternion<f64>) {
        self.seen = frame;
    }

    /// The spring of a step of `dt_s` on a section with this frame, between pieces of this length.
    pub fn spring(
        &mut self,
        body: &dyn Body,
        frame: UnitQuaternion<f64>,
        piece_m: f64,
        dt_s: f64,
    ) -> TwistSpring {
        self.turned_rad += turn_about_tangent(&self.seen, &frame);
        self.seen = frame;
        let section: &Section = body.section();
        let left_rad = self.after(dt_s) - self.turned_rad;
        let most_n_m = MOST_TURN * section.gj_n_m2 / section.radius_m;
        let stiffness_n_m = (GRIP * section.gj_n_m2 / piece_m)
            // The cap on the moment, as a cap on the stiffness at this angle.
            .min(most_n_m / left_rad.abs().max(f64::MIN_POSITIVE));
        self.moment_n_m = stiffness_n_m * left_rad;
        TwistSpring {
            left_rad,
            stiffness_n_m,
            damping_n_m_s: FOLLOW_S * stiffness_n_m,
        }
    }

    /// Time has passed: the hand turns on.
    pub fn pass(&mut self, dt_s: f64) {
        self.angle_rad = self.after(dt_s);
    }

    fn after(&self, dt_s: f64) -> f64 {
        let most = FASTEST_RAD_S * dt_s;
        self.angle_rad + (self.goal_rad - self.angle_rad).clamp(-most, most)
    }

    /// Feeds every bit.
    pub fn hash(&self, hasher: &mut dyn Hasher) {
        let angles = [self.goal_rad, self.angle_rad, self.turned_rad];
        let numbers = angles.iter().chain(&self.seen.coords);
        numbers.for_each(|x| hasher.write_u64(x.to_bits()));
    }
}

/// By how much a frame (x along the tangent) has turned about its tangent, rad.
fn turn_about_tangent(before: &UnitQuaternion<f64>, after: &UnitQuaternion<f64>) -> f64 {
    let (t, u) = (before * Vector3::x(), after * Vector3::x());
    let carried = parallel_transport(&(before * Vector3::y()), &t, &u);
    signed_angle(&carried, &(after * Vector3::y()), &u)
}
