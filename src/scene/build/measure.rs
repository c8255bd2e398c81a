//! What the run report measures in this scene.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::downhill;
use super::hold::rod_index;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{MeasureFile, MeasureKindFile, SceneFile};
use crate::scene::measure::{Measure, Quantity, Span};
use crate::world::WorldSpec;

/// All measurements of the scene.
pub(super) fn measures(
    file: &SceneFile,
    spec: &WorldSpec,
    slope: &UnitQuaternion<f64>,
) -> Checked<Vec<Measure>> {
    file.measure
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            Ok(Measure {
                name: entry.name.clone(),
                quantity: quantity(index, entry, spec, slope)?,
            })
        })
        .collect()
}

fn quantity(
    index: usize,
    entry: &MeasureFile,
    spec: &WorldSpec,
    slope: &UnitQuaternion<f64>,
) -> Checked<Quantity> {
    let at = |field: &str| format!("measure.{index}.{field}");
    let rod = || rod_index(&at("rod"), &entry.rod, &spec.rods);
    Ok(match entry.kind {
        MeasureKindFile::Displacement => Quantity::Displacement {
            rod: rod()?,
            from_s: check::not_negative(&at("from"), entry.from)?,
        },
        MeasureKindFile::Creep => Quantity::Creep {
            rod: rod()?,
            solid: body(&at("on"), entry.on.as_deref(), spec)?,
            from_s: check::not_negative(&at("from"), entry.from)?,
        },
        MeasureKindFile::Acceleration => {
            let rod = rod()?;
            Quantity::Acceleration {
                rod,
                span: span(&at("from"), entry)?,
                direction: match entry.direction {
                    Some(d) => slope * check::direction(&at("direction"), d)?.into_inner(),
                    None => downhill(&spec.settings.gravity_m_s2, slope).into_inner(),
                },
                expected_m_s2: entry
                    .on
                    .as_deref()
                    .map(|plane| sliding(&at("on"), plane, rod, spec))
                    .transpose()?,
            }
        }
        MeasureKindFile::HoldForce => {
            let name = entry.hold.as_deref().unwrap_or_default();
            let found = spec.holds.iter().position(|hold| hold.name == name);
            let known = spec.holds.iter().map(|hold| hold.name.as_str());
            Quantity::HoldForce {
                hold: check::named(&at("hold"), name, found, known)?,
                span: span(&at("from"), entry)?,
            }
        }
        MeasureKindFile::BodyForce => Quantity::SolidForce {
            solid: body(&at("body"), entry.body.as_deref(), spec)?,
            span: span(&at("from"), entry)?,
        },
        MeasureKindFile::BodyTravel => {
            let solid = body(&at("body"), entry.body.as_deref(), spec)?;
            let direction = entry.direction.unwrap_or([1.0, 0.0, 0.0]);
            Quantity::SolidTravel {
                solid,
                direction: slope * check::direction(&at("direction"), direction)?.into_inner(),
                from: start_of(spec, solid),
            }
        }
        MeasureKindFile::BodyHighest => {
            let solid = body(&at("body"), entry.body.as_deref(), spec)?;
            Quantity::SolidHighest {
                solid,
                from: start_of(spec, solid),
            }
        }
        MeasureKindFile::EndDistance => Quantity::EndDistance { rod: rod()? },
        MeasureKindFile::LowestPoint => Quantity::LowestPoint { rod: rod()? },
        MeasureKindFile::Drift => Quantity::Drift {
            from_s: check::not_negative(&at("from"), entry.from)?,
        },
        MeasureKindFile::Speed => Quantity::Speed {
            span: span(&at("from"), entry)?,
        },
        MeasureKindFile::PileRadius => Quantity::PileRadius {
            from_s: check::not_negative(&at("from"), entry.from)?,
        },
        MeasureKindFile::PileHeight => Quantity::PileHeight,
        MeasureKindFile::Straightness => Quantity::Straightness,
    })
}

/// The solid of this name.
fn body(path: &str, name: Option<&str>, spec: &WorldSpec) -> Checked<usize> {
    let name = name.unwrap_or_default();
    let found = spec.solids.iter().position(|solid| solid.name == name);
    let known = spec.solids.iter().map(|solid| solid.name.as_str());
    check::named(path, name, found, known)
}

fn start_of(spec: &WorldSpec, solid: usize) -> Point3<f64> {
    Point3::from(spec.solids[solid].world_from_body.translation.vector)
}

fn span(path: &str, entry: &MeasureFile) -> Checked<Span> {
    let from_s = check::not_negative(path, entry.from)?;
    let to_s = entry.to.unwrap_or(f64::INFINITY);
    if to_s > from_s {
        Ok(Span { from_s, to_s })
    } else {
        Err(FieldError::new(
            path,
            format!("is {from_s}, but must be before to = {to_s}"),
        ))
    }
}

/// Acceleration of a rod that starts at rest on a plane: g (sin θ − µ cos θ), or 0 where friction holds it.
fn sliding(path: &str, name: &str, rod: usize, spec: &WorldSpec) -> Checked<f64> {
    let found = spec.solids.iter().find(|solid| solid.name == name);
    let known = spec.solids.iter().map(|solid| solid.name.as_str());
    let plane = check::named(path, name, found, known)?;
    let gravity = spec.settings.gravity_m_s2;
    let normal = plane.world_from_body.rotation * Vector3::y();
    let pressing = -gravity.dot(&normal);
    let driving = (gravity + normal * pressing).norm();
    let mu = spec.friction.mu(spec.rods[rod].surface, plane.surface);
    Ok((driving - mu * pressing.max(0.0)).max(0.0))
}
