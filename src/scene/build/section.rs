//! The section of a strand, and where it faces.

use nalgebra::{UnitQuaternion, Vector3};

use super::rod::Fields;
use crate::body::SectionShape;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{RodFile, SectionFile};
use crate::scene::preset::Preset;

/// Round, unless the scene gives another section. What a rod says itself goes before what all rods have.
pub(super) fn section(fields: &Fields, preset: &Preset) -> Checked<SectionShape> {
    let radius = fields.number("radius", |r| &r.radius, preset.radius_m, check::radius);
    let (section, path) = fields.get("section", |rod| &rod.section);
    let both = |rod: &RodFile| rod.radius.is_some() && rod.section.is_some();
    if both(fields.own) || both(fields.all) {
        return Err(FieldError::new(
            path,
            "is given together with radius, but a strand has one or the other: a radius if it is round, else a section",
        ));
    }
    match section {
        Some(section) if fields.own.radius.is_none() => other(&path, section),
        _ => Ok(SectionShape::Round { radius_m: radius? }),
    }
}

fn other(path: &str, section: SectionFile) -> Checked<SectionShape> {
    let halves = |size: [f64; 2]| {
        check::section_size(&format!("{path}.size"), size).map(|size| size.map(|whole| 0.5 * whole))
    };
    Ok(match section {
        SectionFile::Ellipse { size } => SectionShape::Ellipse {
            half_m: halves(size)?,
        },
        SectionFile::Rectangle { size } => SectionShape::Rectangle {
            half_m: halves(size)?,
        },
    })
}

/// Where the first director points, on the slope.
pub(super) fn facing(
    fields: &Fields,
    slope: &UnitQuaternion<f64>,
) -> Checked<Option<Vector3<f64>>> {
    let (facing, path) = fields.get("facing", |rod| &rod.facing);
    let direction = facing.map(|facing| check::direction(&path, facing));
    Ok(direction.transpose()?.map(|d| slope * d.into_inner()))
}
