//! A `[[rod]]` that stands for all strands of a file.

use std::path::Path;

use nalgebra::{Point3, UnitQuaternion};

use super::Surfaces;
use super::centreline::{Traced, cut};
use super::copies::numbered;
use super::curve::place_of;
use super::hair::{MOST_STRANDS, SHADE};
use super::rod::{Fields, rod};
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::CurveFile;
use crate::scene::generate::length;
use crate::scene::strand_file::{Strand, StrandFile, Up, read_strands};
use crate::world::{RodSpec, Size};

/// A file of strands as its shape describes it.
pub(super) struct StrandsShape {
    /// Path of the shape in the scene.
    path: String,
    file: StrandFile,
    scale: f64,
    up: Up,
    /// How many strands are taken.
    count: usize,
}

/// The strands that a `[[rod]]` stands for, if it does.
pub(super) fn of(fields: &Fields, folder: Option<&Path>) -> Checked<Option<StrandsShape>> {
    let (shape, path) = fields.get("shape", |rod| &rod.shape);
    let Some(CurveFile::Strands {
        file: name,
        scale,
        up,
        most,
    }) = shape
    else {
        return Ok(None);
    };
    if fields.get("file", |rod| &rod.file).0.is_some() {
        return Ok(None);
    }
    refuse(fields)?;
    let at = |field: &str| format!("{path}.{field}");
    let scale = scale.map(|scale| check::positive(&at("scale"), scale));
    let up = up.map(|up| {
        let found = Up::ALL.into_iter().find(|known| known.name() == up);
        check::named(&at("up"), &up, found, Up::ALL.map(Up::name))
    });
    let (scale, up) = (scale.transpose()?, up.transpose()?);
    let most = most.map(|most| check::count(&at("most"), most, (1, MOST_STRANDS)));
    let most = most.transpose()?;
    let file = read_strands(&place_of(&name, folder))
        .map_err(|why| FieldError::new(at("file"), format!("names the file {name}: {why}")))?;
    let found = file.strands.len();
    if found == 0 {
        let problem = format!("names the file {name}, which has no strands");
        return Err(FieldError::new(at("file"), problem));
    }
    if most.is_none() && found > MOST_STRANDS {
        let problem = format!(
            "names the file {name}, which has {found} strands, but at most {MOST_STRANDS} fit; set most"
        );
        return Err(FieldError::new(at("file"), problem));
    }
    Ok(Some(StrandsShape {
        scale: scale.or(file.unit_m).unwrap_or(1.0),
        up: up.unwrap_or(file.up),
        count: most.unwrap_or(found).min(found),
        path,
        file,
    }))
}

/// What only a single strand can be told.
fn refuse(fields: &Fields) -> Checked<()> {
    let (copies, path) = fields.get("copies", |rod| &rod.copies);
    if copies.is_some() {
        let problem = "is given, but the strands of a file are a bundle already; set most";
        return Err(FieldError::new(path, problem));
    }
    match fields.get("closed", |rod| &rod.closed) {
        (Some(_), path) => Err(FieldError::new(
            path,
            "is given, but a file says itself which of its strands are loops",
        )),
        (None, _) => Ok(()),
    }
}

impl StrandsShape {
    /// All strands. What does not fit must not be tried: each is counted before the next one is made, and if all are cut
    /// into as many elements, the first tells for all.
    pub fn bundle(
        &self,
        fields: &Fields,
        slope: &UnitQuaternion<f64>,
        surfaces: &mut Surfaces,
        size: &mut Size,
    ) -> Checked<Vec<RodSpec>> {
        let cut_alike = fields.get("elements", |rod| &rod.elements).0.is_some();
        let mut bundle = Vec::with_capacity(self.count);
        for (k, strand) in self.file.thinned(self.count).enumerate() {
            let nodes = (self.traced(strand)).and_then(|traced| cut(fields, traced));
            let nodes = nodes.map_err(|error| self.of_strand(error, strand))?;
            // What was right for the first and is wrong now has to do with the strand.
            let made = rod(fields, nodes, slope, surfaces).map_err(|error| match k {
                0 => error,
                _ => self.of_strand(error, strand),
            })?;
            let too_much = |why| {
                let problem = format!("is too much: {why}; set most or elements");
                FieldError::new(&self.path, problem)
            };
            if k == 0 && cut_alike {
                let mut all = *size;
                all.add(made.model, &made.design, self.count)
                    .map_err(too_much)?;
            }
            size.add(made.model, &made.design, 1).map_err(too_much)?;
            bundle.push(numbered(made, k, SHADE));
        }
        Ok(bundle)
    }

    /// A strand, upright and in metres.
    fn traced(&self, strand: &Strand) -> Checked<Traced> {
        let turn = self.up.turn();
        let points: Vec<Point3<f64>> = (strand.points.iter())
            .map(|point| turn * point * self.scale)
            .collect();
        if !length(&points).is_finite() {
            let problem = format!("is {:e}, which makes strands too long", self.scale);
            return Err(FieldError::new(format!("{}.scale", self.path), problem));
        }
        Ok(Traced {
            points,
            path: self.path.clone(),
            given: true,
            ring: strand.closed,
        })
    }

    /// An error that says at which strand of the file it was found.
    fn of_strand(&self, error: FieldError, strand: &Strand) -> FieldError {
        let place = (self.file.strands.iter()).position(|other| std::ptr::eq(other, strand));
        let number = place.unwrap_or_default();
        FieldError::new(
            error.path,
            format!("{} (strand {number} of the file, from 0)", error.problem),
        )
    }
}
