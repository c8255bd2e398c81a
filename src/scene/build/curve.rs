//! Where a centreline comes from: a generator, points in the scene, or a file.

use std::path::{Path, PathBuf};

use nalgebra::{Point3, Unit, Vector3};

use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::CurveFile;
use crate::scene::generate::{
    Arc, Helix, OverhandKnot, Track, arc, circle, helix, overhand_knot, parse_points, track,
    wound_knot,
};

/// More loops of a track than anyone would ride.
const MOST_LOOPS: usize = 100;
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
            Ok(arc(&Arc {
                from: point("from", *from)?,
                direction,
                towards: across(&at("towards"), *towards, &direction, "the arc bends to")?,
                curvature_per_m: check::finite(&at("curvature"), *curvature)?,
                length_m: check::positive(&at("length"), *length)?,
            }))
        }
        // Each of its strands gets its own way later; this is how long they are.
        CurveFile::Hair { length, .. } => {
            let length = check::positive(&at("length"), *length)?;
            Ok(vec![Point3::origin(), Point3::new(0.0, -length, 0.0)])
        }
        // Many curves, which `strands` makes one by one.
        CurveFile::Strands { .. } => Ok(Vec::new()),
        CurveFile::Circle {
            centre,
            normal,
            radius,
        } => Ok(circle(
            point("centre", *centre)?,
            check::direction(&at("normal"), *normal)?,
            check::positive(&at("radius"), *radius)?,
        )),
        CurveFile::Track { .. } => rail(path, shape),
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

/// The part of a direction that is across another one.
fn across(
    path: &str,
    value: [f64; 3],
    along: &Unit<Vector3<f64>>,
    where_to: &str,
) -> Checked<Unit<Vector3<f64>>> {
    let given = check::direction(path, value)?.into_inner();
    let aside = given - along.into_inner() * along.dot(&given);
    Unit::try_new(aside, 1e-6).ok_or_else(|| {
        let problem = format!("points along direction, but must point where {where_to}");
        FieldError::new(path, problem)
    })
}

/// One rail of a track.
fn rail(path: &str, shape: &CurveFile) -> Checked<Vec<Point3<f64>>> {
    let at = |field: &str| format!("{path}.{field}");
    let CurveFile::Track {
        from,
        direction,
        up,
        run_in,
        radii,
        between,
        run_out,
        aside,
        beside,
    } = shape
    else {
        return Ok(Vec::new());
    };
    let direction = check::direction(&at("direction"), *direction)?;
    let up = up.unwrap_or([0.0, 1.0, 0.0]);
    let length = |field: &str, value: f64| check::not_negative(&at(field), value);
    let radius = |(k, r): (usize, &f64)| check::positive(&at(&format!("radii.{k}")), *r);
    if radii.len() > MOST_LOOPS {
        let problem = format!("has {} loops; at most {MOST_LOOPS} fit", radii.len());
        return Err(FieldError::new(at("radii"), problem));
    }
    Ok(track(&Track {
        from: check::vector(&at("from"), *from)?.into(),
        up: across(&at("up"), up, &direction, "the loops rise")?,
        direction,
        run_in_m: check::positive(&at("run_in"), *run_in)?,
        radii_m: radii
            .iter()
            .enumerate()
            .map(radius)
            .collect::<Checked<_>>()?,
        between_m: length("between", *between)?,
        run_out_m: length("run_out", *run_out)?,
        aside_m: check::finite(&at("aside"), *aside)?,
        beside_m: check::finite(&at("beside"), *beside)?,
    }))
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
