//! Where a centreline comes from: a generator, points in the scene, or a file.

use std::path::{Path, PathBuf};

use nalgebra::{Point3, Unit};

use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::CurveFile;
use crate::scene::generate::{
    Arc, Helix, OverhandKnot, arc, circle, helix, overhand_knot, parse_points, wound_knot,
};

/// More turns of a knot than anyone would tie.
const MOST_WOUND: usize = 100;

/// A fine polyline along the shape.
pub(super) fn curve(
    path: &str,
    shape: &CurveFile,
    folder: Option<&Path>,
) -> Checked<Vec<Point3<f64>>> {
    let at = |field: &str| format!("{path}.{field}");
    let point = |field: &str, value: [f64; 3]| check::vector(&at(field), value).map(Point3::from);
    match shape {
        CurveFile::Line { from, to } => Ok(vec![point("from", *from)?, point("to", *to)?]),
        CurveFile::Helix {
            from,
            axis,
            coil_radius,
            pitch,
            turns,
            start_deg,
        } => Ok(helix(&Helix {
            from: point("from", *from)?,
            axis: check::direction(&at("axis"), *axis)?,
            coil_radius_m: check::not_negative(&at("coil_radius"), *coil_radius)?,
            pitch_m: check::finite(&at("pitch"), *pitch)?,
            turns: check::turns(&at("turns"), *turns)?,
            start_rad: check::finite(&at("start_deg"), *start_deg)?.to_radians(),
        })),
        CurveFile::Arc {
            from,
            direction,
            towards,
            curvature,
            length,
        } => {
            let direction = check::direction(&at("direction"), *direction)?;
            let towards = check::direction(&at("towards"), *towards)?;
            let aside = towards.into_inner() - direction.into_inner() * direction.dot(&towards);
            Ok(arc(&Arc {
                from: point("from", *from)?,
                direction,
                towards: Unit::try_new(aside, 1e-6).ok_or_else(|| {
                    let problem = "points along direction, but must point where the arc bends to";
                    FieldError::new(at("towards"), problem)
                })?,
                curvature_per_m: check::finite(&at("curvature"), *curvature)?,
                length_m: check::positive(&at("length"), *length)?,
            }))
        }
        // Each of its strands gets its own way later; this is how long they are.
        CurveFile::Hair { length, .. } => {
            let length = check::positive(&at("length"), *length)?;
            Ok(vec![Point3::origin(), Point3::new(0.0, -length, 0.0)])
        }
        CurveFile::Circle {
            centre,
            normal,
            radius,
        } => Ok(circle(
            point("centre", *centre)?,
            check::direction(&at("normal"), *normal)?,
            check::positive(&at("radius"), *radius)?,
        )),
        CurveFile::Polyline { file, points } => match (file, points) {
            (Some(name), None) => read_points(&at("file"), name, folder),
            (None, Some(points)) => inline_points(&at("points"), points),
            _ => Err(FieldError::new(
                path,
                "is a polyline, which needs either file = \"…\" or points = [[x, y, z], …]",
            )),
        },
        CurveFile::OverhandKnot {
            centre,
            direction,
            normal,
            loop_size,
            length,
            turns,
        } => {
            let normal = normal.unwrap_or([0.0, 0.0, 1.0]);
            let knot = OverhandKnot {
                centre: point("centre", *centre)?,
                direction: check::direction(&at("direction"), *direction)?,
                normal: check::direction(&at("normal"), normal)?,
                loop_size_m: check::positive(&at("loop_size"), *loop_size)?,
                length_m: check::positive(&at("length"), *length)?,
            };
            let turns = check::count(&at("turns"), turns.unwrap_or(1), (1, MOST_WOUND))?;
            let points = match turns {
                1 => overhand_knot(&knot),
                _ => wound_knot(&knot, turns),
            };
            points.map_err(|least| {
                let problem = format!(
                    "is {length}, but such a knot of this loop_size needs at least {least:.3}"
                );
                FieldError::new(at("length"), problem)
            })
        }
    }
}

fn inline_points(path: &str, points: &[[f64; 3]]) -> Checked<Vec<Point3<f64>>> {
    let text: Vec<Point3<f64>> = points
        .iter()
        .enumerate()
        .map(|(i, &p)| check::vector(&format!("{path}.{i}"), p).map(Point3::from))
        .collect::<Checked<_>>()?;
    if text.len() < 2 {
        return Err(FieldError::new(path, "must have at least two points"));
    }
    match text.windows(2).position(|p| p[0] == p[1]) {
        Some(i) => Err(FieldError::new(
            format!("{path}.{}", i + 1),
            "is the same point as the one before it",
        )),
        None => Ok(text),
    }
}

/// Reads a file of `x y z` lines, from beside the scene file or else from the working directory.
pub(super) fn read_points(
    path: &str,
    name: &str,
    folder: Option<&Path>,
) -> Checked<Vec<Point3<f64>>> {
    let text = std::fs::read_to_string(place_of(name, folder)).map_err(|error| {
        FieldError::new(
            path,
            format!("names the file {name}, which cannot be read: {error}"),
        )
    })?;
    parse_points(&text)
        .map_err(|why| FieldError::new(path, format!("names the file {name}: {why}")))
}

/// Where a file named in a scene is: beside the scene file, or else in the working directory.
pub(super) fn place_of(name: &str, folder: Option<&Path>) -> PathBuf {
    let beside = folder.map(|folder| folder.join(name));
    beside
        .filter(|place| place.is_file())
        .unwrap_or_else(|| PathBuf::from(name))
}
