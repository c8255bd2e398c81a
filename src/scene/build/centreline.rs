//! The nodes of a strand: where its curve comes from, cut into equal elements, its ends joined if it is a loop.

use std::path::Path;

use nalgebra::Point3;

use super::curve::{curve, read_points};
use super::rod::Fields;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::CurveFile;
use crate::scene::generate::{length, resample, resample_ring};
use crate::world::{FEWEST_IN_A_LOOP, MOST_PIECES};

/// Elements of a strand that does not say: enough for a smooth knot.
const DEFAULT_ELEMENTS: usize = 100;
/// A strand shorter than this has no direction, m.
const LEAST_LENGTH_M: f64 = 1e-9;
/// A loop whose ends are nearer than this share of its length has already been closed by its author.
const ALREADY_CLOSED: f64 = 1e-6;

/// A curve and what is known of it.
pub(super) struct Traced {
    pub points: Vec<Point3<f64>>,
    /// Its field in the scene.
    pub path: String,
    /// Whether its points are the author's, to be kept unless `elements` says otherwise.
    pub given: bool,
    /// Whether it has no ends by its nature.
    pub ring: bool,
}

/// The nodes of a strand, and whether they are a loop, whose first node is repeated at the end.
pub(super) type Nodes = (Vec<Point3<f64>>, bool);

/// The nodes of the strand that the fields describe.
pub(super) fn centreline(fields: &Fields, folder: Option<&Path>) -> Checked<Nodes> {
    cut(fields, trace(fields, folder)?)
}

/// Cuts a curve into elements, as the fields say.
pub(super) fn cut(fields: &Fields, mut traced: Traced) -> Checked<Nodes> {
    let (elements, elements_path) = fields.get("elements", |rod| &rod.elements);
    if let Some(elements) = elements {
        check::count(&elements_path, elements, (1, MOST_PIECES))?;
    }
    if length(&traced.points) < LEAST_LENGTH_M {
        return Err(FieldError::new(
            traced.path,
            "is a rod of zero length, but its ends must be apart",
        ));
    }
    let (closed, closed_path) = fields.get("closed", |rod| &rod.closed);
    if traced.ring && closed == Some(false) {
        return Err(FieldError::new(
            closed_path,
            "is false, but a circle has no ends; use a helix without pitch for an arc",
        ));
    }
    let closed = closed.unwrap_or(traced.ring);
    if closed {
        close(&mut traced.points).map_err(|why| match traced.ring {
            true => FieldError::new(&traced.path, format!("is a loop, but {why}")),
            false => FieldError::new(closed_path, format!("is true, but {} {why}", traced.path)),
        })?;
    }
    let cut = match elements {
        None if traced.given => None,
        _ => Some(elements.unwrap_or(DEFAULT_ELEMENTS)),
    };
    let pieces = cut.unwrap_or(traced.points.len() - 1);
    if closed && pieces < FEWEST_IN_A_LOOP {
        return Err(match elements {
            Some(_) => FieldError::new(
                elements_path,
                format!("is {pieces}, but a loop must have at least {FEWEST_IN_A_LOOP}"),
            ),
            None => FieldError::new(
                traced.path,
                format!(
                    "is a loop of {pieces} elements, but must have at least {FEWEST_IN_A_LOOP}; give elements"
                ),
            ),
        });
    }
    let nodes = match cut {
        None => traced.points,
        Some(elements) if closed => resample_ring(&traced.points, elements),
        Some(elements) => resample(&traced.points, elements),
    };
    Ok((nodes, closed))
}

/// A file if one is named, otherwise the generator.
fn trace(fields: &Fields, folder: Option<&Path>) -> Checked<Traced> {
    if let (Some(name), path) = fields.get("file", |rod| &rod.file) {
        return Ok(Traced {
            points: read_points(&path, &name, folder)?,
            path,
            given: true,
            ring: false,
        });
    }
    let (shape, path) = fields.get("shape", |rod| &rod.shape);
    let shape = shape.ok_or_else(|| {
        let needs = "needs a shape, such as { kind = \"line\", from = […], to = […] }, or a file";
        FieldError::new(format!("rod.{}", fields.index), needs)
    })?;
    Ok(Traced {
        points: curve(&path, &shape, folder)?,
        path,
        given: matches!(shape, CurveFile::Polyline { .. }),
        ring: matches!(shape, CurveFile::Circle { .. }),
    })
}

/// Repeats the first point at the end, unless the last is there already.
fn close(points: &mut Vec<Point3<f64>>) -> Result<(), &'static str> {
    let (first, last) = (points[0], points[points.len() - 1]);
    if (last - first).norm() <= ALREADY_CLOSED * length(points) {
        points.pop();
    }
    // Nothing is enclosed by points on one line.
    let along = (points[1] - first).normalize();
    let off = |p: &Point3<f64>| along.cross(&(p - first)).norm();
    let width = points.iter().map(off).fold(0.0, f64::max);
    if points.len() < 3 || width < LEAST_LENGTH_M {
        return Err("has its points on one line, which cannot be a loop");
    }
    points.push(first);
    Ok(())
}
