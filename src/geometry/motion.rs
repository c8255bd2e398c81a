//! Scripted motion: where a solid or the target of a hold is at a given time.

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

/// One corner of a scripted path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// When, s.
    pub time_s: f64,
    /// Displacement from the start, m.
    pub offset_m: Vector3<f64>,
}

/// A displacement and a turn as functions of time, both zero for something that never moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Corners of the path, by rising time; straight between them, still before the first and after the last.
    pub keys: Vec<Key>,
    /// A steady turn about the body's own origin, axis times rate, rad/s, world frame.
    pub spin_rad_s: Vector3<f64>,
}

impl Motion {
    /// Whether this never moves.
    pub fn is_still(&self) -> bool {
        self.spin_rad_s == Vector3::zeros()
            && self.keys.iter().all(|key| key.offset_m == Vector3::zeros())
    }

    /// Displacement at time `t`, m.
    pub fn offset(&self, time_s: f64) -> Vector3<f64> {
        let after = self.keys.partition_point(|key| key.time_s <= time_s);
        match (
            after.checked_sub(1).map(|i| &self.keys[i]),
            self.keys.get(after),
        ) {
            (None, None) => Vector3::zeros(),
            (None, Some(key)) | (Some(key), None) => key.offset_m,
            (Some(p), Some(q)) => {
                let share = (time_s - p.time_s) / (q.time_s - p.time_s);
                p.offset_m + (q.offset_m - p.offset_m) * share
            }
        }
    }

    /// Rotation at time `t`.
    pub fn rotation(&self, time_s: f64) -> UnitQuaternion<f64> {
        match Unit::try_new(self.spin_rad_s, 0.0) {
            Some(axis) => UnitQuaternion::from_axis_angle(&axis, self.spin_rad_s.norm() * time_s),
            None => UnitQuaternion::identity(),
        }
    }

    /// The pose at time `t` of something that started at `start`.
    pub fn pose(&self, start: &Isometry3<f64>, time_s: f64) -> Isometry3<f64> {
        Isometry3::from_parts(
            Translation3::from(start.translation.vector + self.offset(time_s)),
            self.rotation(time_s) * start.rotation,
        )
    }
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
            spin_rad_s: Vector3::zeros(),
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
            keys: vec![],
            spin_rad_s: Vector3::y() * std::f64::consts::PI,
        };
        let pose = motion.pose(&Isometry3::translation(1.0, 2.0, 3.0), 0.5);
        assert!((pose.translation.vector - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
        assert!((pose.rotation * Vector3::x() + Vector3::z()).norm() < 1e-15);
    }
}
