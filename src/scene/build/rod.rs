//! Strands: `[[rod]]` over `[rods]` over the material preset.

use std::path::Path;

use nalgebra::{Point3, UnitQuaternion};

use super::Surfaces;
use super::copies::copies;
use super::curve::{curve, read_points};
use crate::body::{NaturalShape, RodMaterial, RodModel};
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{CurveFile, NaturalFile, RodFile, SceneFile};
use crate::scene::generate::{length, resample};
use crate::scene::preset::{PRESETS, Preset, preset_named};
use crate::world::RodSpec;

/// Elements of a strand that does not say: enough for a smooth knot.
const DEFAULT_ELEMENTS: usize = 100;
/// Material of a strand that does not say.
const DEFAULT_MATERIAL: &str = "cotton_rope";
/// More elements than a machine that runs this could step.
const MOST_ELEMENTS: usize = 100_000;
/// A strand shorter than this has no direction, m.
const LEAST_LENGTH_M: f64 = 1e-9;

/// All strands of the scene.
pub(super) fn rods(
    file: &SceneFile,
    folder: Option<&Path>,
    slope: &UnitQuaternion<f64>,
    surfaces: &mut Surfaces,
) -> Checked<Vec<RodSpec>> {
    let mut rods: Vec<RodSpec> = Vec::new();
    for (index, own) in file.rod.iter().enumerate() {
        let fields = Fields {
            index,
            own,
            all: &file.rods,
        };
        let rod = rod(&fields, folder, slope, surfaces)?;
        let bundle = match fields.get("copies", |rod| &rod.copies) {
            (Some(file), path) => copies(&path, &file, rod, slope)?,
            (None, _) => vec![rod],
        };
        for rod in bundle {
            if rods.iter().any(|other| other.name == rod.name) {
                return Err(FieldError::new(
                    format!("rod.{index}.name"),
                    format!("is \"{}\", but another rod has that name", rod.name),
                ));
            }
            rods.push(rod);
        }
    }
    Ok(rods)
}

/// The fields of one strand: its own, and those for all.
struct Fields<'a> {
    index: usize,
    own: &'a RodFile,
    all: &'a RodFile,
}

impl Fields<'_> {
    /// The value that counts, and the path at which it stands.
    fn get<T: Clone>(
        &self,
        name: &str,
        field: impl Fn(&RodFile) -> &Option<T>,
    ) -> (Option<T>, String) {
        match field(self.own) {
            Some(value) => (Some(value.clone()), format!("rod.{}.{name}", self.index)),
            None => (field(self.all).clone(), format!("rods.{name}")),
        }
    }

    /// A number, the preset's if the scene gives none, checked.
    fn number(
        &self,
        name: &str,
        field: impl Fn(&RodFile) -> &Option<f64>,
        preset: f64,
        check: impl Fn(&str, f64) -> Checked<f64>,
    ) -> Checked<f64> {
        let (value, path) = self.get(name, field);
        check(&path, value.unwrap_or(preset))
    }
}

fn rod(
    fields: &Fields,
    folder: Option<&Path>,
    slope: &UnitQuaternion<f64>,
    surfaces: &mut Surfaces,
) -> Checked<RodSpec> {
    let preset = preset(fields)?;
    let (velocity, velocity_path) = fields.get("velocity", |rod| &rod.velocity);
    let (color, color_path) = fields.get("color", |rod| &rod.color);
    let radius_m = fields.number("radius", |r| &r.radius, preset.radius_m, check::radius)?;
    Ok(RodSpec {
        name: fields
            .get("name", |rod| &rod.name)
            .0
            .unwrap_or_else(|| format!("rod {}", fields.index)),
        model: model(fields)?,
        centreline: centreline(fields, folder)?
            .into_iter()
            .map(|point| slope * point)
            .collect(),
        radius_m,
        material: material(fields, preset)?,
        natural: natural(fields)?,
        velocity_m_s: slope * check::vector(&velocity_path, velocity.unwrap_or_default())?,
        surface: match fields.get("surface", |rod| &rod.surface).0 {
            Some(name) => surfaces.id(&name),
            None => surfaces.id(preset.name),
        },
        color: check::color(&color_path, color.unwrap_or(preset.color))?,
    })
}

fn preset(fields: &Fields) -> Checked<&'static Preset> {
    let (name, path) = fields.get("material", |rod| &rod.material);
    let name = name.as_deref().unwrap_or(DEFAULT_MATERIAL);
    let known = PRESETS.map(|preset| preset.name);
    check::named(&path, name, preset_named(name), known)
}

fn model(fields: &Fields) -> Checked<RodModel> {
    let (name, path) = fields.get("model", |rod| &rod.model);
    name.map_or(Ok(RodModel::DiscreteElastic), |name| {
        let known = RodModel::ALL.map(RodModel::name);
        check::named(&path, &name, RodModel::from_name(&name), known)
    })
}

fn material(fields: &Fields, preset: &Preset) -> Checked<RodMaterial> {
    let usual = &preset.material;
    Ok(RodMaterial {
        youngs_modulus_pa: fields.number(
            "youngs_modulus",
            |rod| &rod.youngs_modulus,
            usual.youngs_modulus_pa,
            check::positive,
        )?,
        poisson_ratio: fields.number(
            "poisson_ratio",
            |rod| &rod.poisson_ratio,
            usual.poisson_ratio,
            check::poisson,
        )?,
        density_kg_m3: fields.number(
            "density",
            |rod| &rod.density,
            usual.density_kg_m3,
            check::positive,
        )?,
        bending_factor: fields.number(
            "bending_factor",
            |rod| &rod.bending_factor,
            usual.bending_factor,
            check::bending_factor,
        )?,
        mass_damping_per_s: fields.number(
            "mass_damping",
            |rod| &rod.mass_damping,
            usual.mass_damping_per_s,
            check::not_negative,
        )?,
        stiffness_damping_s: fields.number(
            "stiffness_damping",
            |rod| &rod.stiffness_damping,
            usual.stiffness_damping_s,
            check::not_negative,
        )?,
    })
}

fn natural(fields: &Fields) -> Checked<NaturalShape> {
    match fields.get("natural", |rod| &rod.natural) {
        (None, _) => Ok(NaturalShape::Straight),
        (Some(NaturalFile::Name(name)), path) => {
            let shape = match name.as_str() {
                "straight" => Some(NaturalShape::Straight),
                "as_given" => Some(NaturalShape::AsGiven),
                _ => None,
            };
            check::named(
                &path,
                &name,
                shape,
                ["straight", "as_given", "{ curvature, twist }"],
            )
        }
        (Some(NaturalFile::Helical(helical)), path) => Ok(NaturalShape::Helical {
            curvature_per_m: check::finite(&format!("{path}.curvature"), helical.curvature)?,
            twist_rad_m: check::finite(&format!("{path}.twist"), helical.twist)?,
        }),
    }
}

/// The nodes: a file if one is named, otherwise the generator, cut into equal elements.
fn centreline(fields: &Fields, folder: Option<&Path>) -> Checked<Vec<Point3<f64>>> {
    let (elements, elements_path) = fields.get("elements", |rod| &rod.elements);
    if let Some(elements) = elements {
        check::count(&elements_path, elements, (1, MOST_ELEMENTS))?;
    }
    let (points, path, given) = match fields.get("file", |rod| &rod.file) {
        (Some(name), path) => (read_points(&path, &name, folder)?, path, true),
        (None, _) => {
            let (shape, path) = fields.get("shape", |rod| &rod.shape);
            let shape = shape.ok_or_else(|| {
                let needs =
                    "needs a shape, such as { kind = \"line\", from = […], to = […] }, or a file";
                FieldError::new(format!("rod.{}", fields.index), needs)
            })?;
            let given = matches!(shape, CurveFile::Polyline { .. });
            (curve(&path, &shape, folder)?, path, given)
        }
    };
    if length(&points) < LEAST_LENGTH_M {
        return Err(FieldError::new(
            path,
            "is a rod of zero length, but its ends must be apart",
        ));
    }
    match elements {
        Some(elements) => Ok(resample(&points, elements)),
        None if given => Ok(points),
        None => Ok(resample(&points, DEFAULT_ELEMENTS)),
    }
}
