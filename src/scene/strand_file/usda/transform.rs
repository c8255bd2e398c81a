//! Where a prim stands: its `xformOpOrder`, the outermost first.

use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};

use super::text::Attributes;

/// Of a prim in a parent that stands at `parent`, or a sentence.
pub(super) fn place(
    attributes: &Attributes,
    parent: &Matrix4<f64>,
) -> Result<Matrix4<f64>, String> {
    let mut place = *parent;
    for name in attributes.words("xformOpOrder") {
        if *name == "!resetXformStack!" {
            place = Matrix4::identity();
            continue;
        }
        let (name, inverted) = match name.strip_prefix("!invert!") {
            Some(name) => (name, true),
            None => (*name, false),
        };
        let wrong = || format!("its transform {name} is not understood");
        let mut step = operation(name, attributes.numbers(name)).ok_or_else(wrong)?;
        if inverted {
            step = step.try_inverse().ok_or_else(wrong)?;
        }
        place *= step;
    }
    Ok(place)
}

/// One operation: `xformOp:KIND`, perhaps with a name of its own behind it.
fn operation(name: &str, numbers: &[f64]) -> Option<Matrix4<f64>> {
    let kind = name.strip_prefix("xformOp:")?.split(':').next()?;
    match (kind, numbers) {
        ("translate", &[x, y, z]) => Some(Matrix4::new_translation(&Vector3::new(x, y, z))),
        ("scale", &[x, y, z]) => Some(Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z))),
        // Written for row vectors.
        ("transform", values) if values.len() == 16 => Some(Matrix4::from_column_slice(values)),
        ("orient", &[w, x, y, z]) => {
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
            Some(turn.to_homogeneous())
        }
        (turns, angles) => {
            let axes = turns.strip_prefix("rotate")?;
            if ![1, 3].contains(&axes.len()) || axes.len() != angles.len() {
                return None;
            }
            // The first letter turns first. Angles stand in the order x, y, z unless there is one only.
            let mut all = Matrix4::identity();
            for axis in axes.chars() {
                let (number, axis) = match axis {
                    'X' => (0, Vector3::x_axis()),
                    'Y' => (1, Vector3::y_axis()),
                    'Z' => (2, Vector3::z_axis()),
                    _ => return None,
                };
                let degrees = if angles.len() == 1 {
                    angles[0]
                } else {
                    angles[number]
                };
                let turn = UnitQuaternion::from_axis_angle(&axis, degrees.to_radians());
                all = turn.to_homogeneous() * all;
            }
            Some(all)
        }
    }
}
