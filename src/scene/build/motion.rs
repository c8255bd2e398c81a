//! Scripted motion.

use nalgebra::{UnitQuaternion, Vector3};

use crate::geometry::{Key, Motion, Swing, TurnKey};
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::motion_file::MotionFile;

/// A scripted motion on the slope; `path` is what the fields of the file stand under.
pub(super) fn motion(
    path: &str,
    file: &MotionFile,
    slope: &UnitQuaternion<f64>,
) -> Checked<Motion> {
    let keys = corners(&format!("{path}keys"), &file.keys)?;
    let turns = corners(&format!("{path}turns"), &file.turns)?;
    let swing = file.swing.as_ref().map(|swing| {
        let at = |field: &str| format!("{path}swing.{field}");
        let axis = check::direction(&at("axis"), swing.axis)?.into_inner();
        Ok(Swing {
            turn_rad: slope * axis * check::finite(&at("deg"), swing.deg)?.to_radians(),
            period_s: check::positive(&at("period"), swing.period)?,
        })
    });
    let key = |(time_s, offset): (f64, Vector3<f64>)| Key {
        time_s,
        offset_m: slope * offset,
    };
    let turn = |(time_s, deg): (f64, Vector3<f64>)| TurnKey {
        time_s,
        turn_rad: slope * deg.map(f64::to_radians),
    };
    Ok(Motion {
        keys: keys.into_iter().map(key).collect(),
        turns: turns.into_iter().map(turn).collect(),
        eased: file.eased,
        spin_rad_s: slope * check::vector(&format!("{path}spin"), file.spin)?,
        swing: swing.transpose()?,
    })
}

/// Times and vectors, by rising time.
fn corners(path: &str, keys: &[[f64; 4]]) -> Checked<Vec<(f64, Vector3<f64>)>> {
    let mut corners: Vec<(f64, Vector3<f64>)> = Vec::new();
    for (i, &[time_s, x, y, z]) in keys.iter().enumerate() {
        let here = format!("{path}.{i}");
        check::not_negative(&here, time_s)?;
        if corners.last().is_some_and(|before| before.0 >= time_s) {
            return Err(FieldError::new(
                here,
                format!("is at {time_s} s, but must be later than the key before it"),
            ));
        }
        corners.push((time_s, check::vector(&here, [x, y, z])?));
    }
    Ok(corners)
}
