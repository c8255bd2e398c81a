//! A `[[rod]]` that stands for a whole head of hair.

use nalgebra::UnitQuaternion;

use super::copies::numbered;
use super::rod::Fields;
use super::solid::pose;
use crate::geometry::mesh::BustPart;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{BodyFile, CurveFile, SolidFile};
use crate::scene::generate::{Hair, hair, resample};
use crate::world::RodSpec;

/// More strands than a head that runs at all could have.
pub(super) const MOST_STRANDS: usize = 10_000;
/// Every other strand is darker by this share, so that locks can be told apart.
pub(super) const SHADE: f32 = 0.12;

/// Hair as its shape describes it.
pub(super) struct HairShape {
    /// Strands.
    pub count: usize,
    on: String,
    path: String,
    length_m: f64,
    wave_m: f64,
    wavelength_m: f64,
    seed: u64,
}

/// The hair that a `[[rod]]` stands for, if it does.
pub(super) fn of(fields: &Fields) -> Checked<Option<HairShape>> {
    let (shape, path) = fields.get("shape", |rod| &rod.shape);
    let Some(CurveFile::Hair {
        on,
        count,
        length,
        wave,
        wavelength,
        seed,
    }) = shape
    else {
        return Ok(None);
    };
    let at = |field: &str| format!("{path}.{field}");
    Ok(Some(HairShape {
        count: check::count(&at("count"), count, (1, MOST_STRANDS))?,
        length_m: check::positive(&at("length"), length)?,
        wave_m: check::not_negative(&at("wave"), wave)?,
        wavelength_m: check::positive(&at("wavelength"), wavelength)?,
        on,
        seed,
        path,
    }))
}

impl HairShape {
    /// All strands, made like `rod`.
    pub fn strands(
        &self,
        bodies: &[BodyFile],
        rod: &RodSpec,
        slope: &UnitQuaternion<f64>,
    ) -> Checked<Vec<RodSpec>> {
        let is_head = |body: &BodyFile| matches!(&body.shape, SolidFile::Bust { part } if part == BustPart::Head.name());
        let named = |body: &&BodyFile| body.name.as_deref() == Some(self.on.as_str());
        let head = bodies.iter().position(|body| named(&body) && is_head(body));
        let head = head.ok_or_else(|| {
            let problem = format!(
                "is \"{}\", but hair grows on a body of that name with shape = {{ kind = \"bust\", part = \"head\" }}",
                self.on
            );
            FieldError::new(format!("{}.on", self.path), problem)
        })?;
        let world_from_head = pose(head, &bodies[head], slope)?;
        let lines = hair(&Hair {
            count: self.count,
            length_m: self.length_m,
            radius_m: rod.design.section.contact_radius_m(),
            wave_m: self.wave_m,
            wavelength_m: self.wavelength_m,
            seed: self.seed,
        });
        let elements = rod.design.centreline.len() - 1;
        let strand = |(k, line): (usize, Vec<_>)| {
            let mut strand = numbered(rod.clone(), k, SHADE);
            let points = resample(&line, elements).into_iter();
            strand.design.centreline = points.map(|x| world_from_head * x).collect();
            strand
        };
        Ok(lines.into_iter().enumerate().map(strand).collect())
    }
}
