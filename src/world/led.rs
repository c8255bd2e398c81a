//! Things that a hand leads: a solid, a pin or a clamp on its way to where it was asked to be.
//!
//! They go there at a bounded speed and slow down at the end, whatever the hand did: contacts see how they move, and the
//! guard may halt them as it halts a script.

use std::hash::Hasher;

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// The fastest that things are led, m/s: about as fast as a hand that knows where it goes.
const FASTEST_M_S: f64 = 1.0;
/// The fastest that they are turned, rad/s: once around in a second.
const FASTEST_RAD_S: f64 = std::f64::consts::TAU;
/// They gather speed no faster than this, m/s²: what lies on a table that is moved stays on it from µ = 0.4 on.
const MOST_M_S2: f64 = 4.0;
/// The same of their turn, rad/s².
const MOST_RAD_S2: f64 = 8.0 * std::f64::consts::PI;
/// The last bit of a way shrinks by a factor e in this time, s.
const EASE_S: f64 = 0.06;
/// They have arrived when so little is left, m and rad.
const NEAR: f64 = 1e-7;

/// A pose on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Led {
    /// Where it is.
    pub pose: Isometry3<f64>,
    /// Where it is to be.
    pub goal: Isometry3<f64>,
    /// How fast it goes, m/s.
    velocity: Vector3<f64>,
    /// How fast it turns, rad/s.
    spin: Vector3<f64>,
}

impl Led {
    /// At rest at a pose, and meant to be there.
    pub fn at(pose: Isometry3<f64>) -> Self {
        Self {
            pose,
            goal: pose,
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
        }
    }

    /// Whether it is where it is to be.
    pub fn has_arrived(&self) -> bool {
        self.pose == self.goal
    }

    /// Itself after another `dt_s`.
    pub fn after(&self, dt_s: f64) -> Self {
        let way = self.goal.translation.vector - self.pose.translation.vector;
        let turn = (self.goal.rotation * self.pose.rotation.inverse()).scaled_axis();
        let slow = self.velocity.norm().max(self.spin.norm()) < NEAR / EASE_S;
        if slow && way.norm() < NEAR && turn.norm() < NEAR {
            return Self::at(self.goal);
        }
        let velocity = hurry(&way, &self.velocity, FASTEST_M_S, MOST_M_S2, dt_s);
        let spin = hurry(&turn, &self.spin, FASTEST_RAD_S, MOST_RAD_S2, dt_s);
        let rotation = UnitQuaternion::from_scaled_axis(spin * dt_s) * self.pose.rotation;
        let place = self.pose.translation.vector + velocity * dt_s;
        Self {
            pose: Isometry3::from_parts(
                Translation3::from(place),
                UnitQuaternion::new_normalize(rotation.into_inner()),
            ),
            goal: self.goal,
            velocity,
            spin,
        }
    }

    /// Something has stopped it.
    pub fn halt(&mut self) {
        (self.velocity, self.spin) = (Vector3::zeros(), Vector3::zeros());
    }

    /// Feeds every bit.
    pub fn hash(&self, hasher: &mut dyn Hasher) {
        for pose in [&self.pose, &self.goal] {
            let numbers = pose.translation.vector.iter().chain(&pose.rotation.coords);
            numbers.for_each(|x| hasher.write_u64(x.to_bits()));
        }
        let rates = self.velocity.iter().chain(&self.spin);
        rates.for_each(|x| hasher.write_u64(x.to_bits()));
    }
}

/// The next velocity of something that moves at `now` with a `way` to go: it speeds up and slows down by at most `most`.
fn hurry(
    way: &Vector3<f64>,
    now: &Vector3<f64>,
    fastest: f64,
    most: f64,
    dt_s: f64,
) -> Vector3<f64> {
    let length = way.norm();
    // √(most · way) would slow down by most/2; what comes after it, by most or less.
    let speed = fastest.min((most * length).sqrt()).min(length / EASE_S);
    let wanted = match length > 0.0 {
        true => way * (speed / length),
        false => Vector3::zeros(),
    };
    let change = wanted - now;
    let share = (most * dt_s / change.norm().max(f64::MIN_POSITIVE)).min(1.0);
    now + change * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_within_its_speed_and_arrives() {
        let mut led = Led::at(Isometry3::translation(0.0, 1.0, 0.0));
        led.goal = Isometry3::new(Vector3::new(3.0, 1.0, -4.0), Vector3::new(0.0, 2.5, 0.0));
        let dt = 2e-3;
        let mut steps = 0;
        while !led.has_arrived() && steps < 10_000 {
            let next = led.after(dt);
            let way = next.pose.translation.vector - led.pose.translation.vector;
            let turn = next.pose.rotation.angle_to(&led.pose.rotation);
            assert!(way.norm() <= FASTEST_M_S * dt * (1.0 + 1e-9));
            assert!(turn <= FASTEST_RAD_S * dt * (1.0 + 1e-6));
            let faster = (next.velocity - led.velocity).norm() / dt;
            assert!(
                next.has_arrived() || faster <= MOST_M_S2 * (1.0 + 1e-6),
                "{faster} m/s²"
            );
            led = next;
            steps += 1;
        }
        // Five metres at one metre a second, and some easing.
        let seconds = f64::from(steps) * dt;
        assert!(seconds > 5.0 && seconds < 7.0, "{seconds} s");
    }

    #[test]
    fn it_does_not_shoot_past_its_goal() {
        let mut led = Led::at(Isometry3::identity());
        led.goal = Isometry3::translation(0.2, 0.0, 0.0);
        for dt in [1e-4, 2e-3, 2e-2] {
            let mut led = led;
            for _ in 0..(3.0 / dt) as usize {
                led = led.after(dt);
                assert!(led.pose.translation.x <= 0.2 + 1e-3, "steps of {dt} s");
            }
            assert!(
                (led.pose.translation.x - 0.2).abs() < 1e-6,
                "steps of {dt} s"
            );
        }
    }
}
