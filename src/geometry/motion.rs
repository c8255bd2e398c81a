//! Scripted motion: where a solid or the target of a hold is at a given time.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// One corner of a scripted path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// When, s.
    pub time_s: f64,
    /// Displacement from the start, m.
    pub offset_m: Vector3<f64>,
}

/// One corner of a scripted turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnKey {
    /// When, s.
    pub time_s: f64,
    /// Turn from the start, axis times angle, rad, world frame; may be more than once around.
    pub turn_rad: Vector3<f64>,
}

/// A turn to and fro: A sin(2πt/T).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Axis times largest angle, rad, world frame.
    pub turn_rad: Vector3<f64>,
    /// T, s.
    pub period_s: f64,
}

/// A displacement and a turn as functions of time, both zero for something that never moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Corners of the path, by rising time; straight between them, still before the first and after the last.
    pub keys: Vec<Key>,
    /// Corners of its turn about the body's own origin, likewise.
    pub turns: Vec<TurnKey>,
    /// Whether it sets out and arrives gently at every corner, without jumps of speed or acceleration.
    pub eased: bool,
    /// A steady turn about the body's own origin, axis times rate, rad/s, world frame.
    pub spin_rad_s: Vector3<f64>,
    /// A turn to and fro about the body's own origin.
    pub swing: Option<Swing>,
}

impl Motion {
    /// Whether this never moves.
    pub fn is_still(&self) -> bool {
        let zero = Vector3::zeros();
        self.spin_rad_s == zero
            && self.keys.iter().all(|key| key.offset_m == zero)
            && self.turns.iter().all(|key| key.turn_rad == zero)
            && self.swing.is_none_or(|swing| swing.turn_rad == zero)
    }

    /// Displacement at time `t`, m.
    pub fn offset(&self, time_s: f64) -> Vector3<f64> {
        self.between(&self.keys, |key| (key.time_s, key.offset_m), time_s)
    }

    /// Rotation at time `t`.
    pub fn rotation(&self, time_s: f64) -> UnitQuaternion<f64> {
        let mut rotation = UnitQuaternion::from_scaled_axis(self.spin_rad_s * time_s);
        if let Some(swing) = &self.swing {
            let phase = std::f64::consts::TAU * time_s / swing.period_s;
            rotation = UnitQuaternion::from_scaled_axis(swing.turn_rad * phase.sin()) * rotation;
        }
        let turn = self.between(&self.turns, |key| (key.time_s, key.turn_rad), time_s);
        UnitQuaternion::from_scaled_axis(turn) * rotation
    }

    /// The pose at time `t` of something that started at `start`.
    pub fn pose(&self, start: &Isometry3<f64>, time_s: f64) -> Isometry3<f64> {
        Isometry3::from_parts(
            Translation3::from(start.translation.vector + self.offset(time_s)),
            self.rotation(time_s) * start.rotation,
        )
    }

    /// What corners say at a time; `of` reads one: when, and what.
    fn between<K>(
        &self,
        keys: &[K],
        of: impl Fn(&K) -> (f64, Vector3<f64>),
        time_s: f64,
    ) -> Vector3<f64> {
        let after = keys.partition_point(|key| of(key).0 <= time_s);
        let before = after.checked_sub(1).map(|i| of(&keys[i]));
        match (before, keys.get(after).map(of)) {
            (None, None) => Vector3::zeros(),
            (None, Some((_, x))) | (Some((_, x)), None) => x,
            (Some((t, x)), Some((u, y))) => {
                let share = (time_s - t) / (u - t);
                let share = if self.eased { ease(share) } else { share };
                x + (y - x) * share
            }
        }
    }
}

/// From 0 to 1 as s does, with speed and acceleration 0 at both ends: s³ (10 − 15 s + 6 s²).
fn ease(s: f64) -> f64 {
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_straight_between_keys_and_still_outside() {
        let key = |time_s, x| Key {
            time_s,
            offset_m: Vector3::new(x, 0.0, 0.0),
        };
        let motion = Motion {
            keys: vec![key(1.0, 0.0), key(3.0, 4.0)],
            ..Motion::default()
        };
        let x = |t| motion.offset(t).x;
        assert_eq!(
            [x(0.0), x(1.0), x(1.5), x(3.0), x(9.0)],
            [0.0, 0.0, 1.0, 4.0, 4.0]
        );
    }

    #[test]
    fn spin_turns_about_the_start_position() {
        let motion = Motion {
            spin_rad_s: Vector3::y() * std::f64::consts::PI,
            ..Motion::default()
        };
        let pose = motion.pose(&Isometry3::translation(1.0, 2.0, 3.0), 0.5);
        assert!((pose.translation.vector - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
        assert!((pose.rotation * Vector3::x() + Vector3::z()).norm() < 1e-15);
    }

    #[test]
    fn eased_motion_rests_at_every_corner_and_meets_it() {
        let key = |time_s, deg: f64| TurnKey {
            time_s,
            turn_rad: Vector3::y() * deg.to_radians(),
        };
        let motion = Motion {
            turns: vec![key(1.0, 0.0), key(2.0, 90.0), key(4.0, -450.0)],
            eased: true,
            ..Motion::default()
        };
        let angle = |t: f64| {
            motion
                .between(&motion.turns, |k| (k.time_s, k.turn_rad), t)
                .y
        };
        for corner in &motion.turns {
            let (t, h) = (corner.time_s, 1e-4);
            assert_eq!(angle(t), corner.turn_rad.y);
            // Speed and acceleration vanish there, so that what is left is of third order.
            assert!((angle(t + h) - angle(t)).abs() < 1e-9);
            assert!((angle(t) - angle(t - h)).abs() < 1e-9);
        }
        let turned = motion.rotation(2.0) * Vector3::z();
        assert!((turned - Vector3::x()).norm() < 1e-15);
    }

    #[test]
    fn a_swing_comes_back_after_its_period() {
        let motion = Motion {
            swing: Some(Swing {
                turn_rad: Vector3::new(0.0, 0.0, 0.4),
                period_s: 2.0,
            }),
            ..Motion::default()
        };
        let angle = |t: f64| motion.rotation(t).scaled_axis().z;
        let expected = [0.0, 0.4, 0.0, -0.4, 0.0];
        for (k, expected) in (0..).zip(expected) {
            assert!((angle(0.5 * f64::from(k)) - expected).abs() < 1e-15);
        }
        assert!(!motion.is_still());
    }
}
