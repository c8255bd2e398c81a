//! Strands: `[[rod]]` over `[rods]` over the material preset.

use std::collections::HashSet;
use std::path::Path;

use nalgebra::UnitQuaternion;

use super::Surfaces;
use super::centreline::{Nodes, centreline};
use super::copies::{copies, count};
use super::natural::natural;
use super::section::{facing, section};
use super::{hair, strands};
use crate::body::{RodDesign, RodMaterial, RodModel, Scheme};
use crate::scene::StrandGroup;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{BodyFile, RodFile, SceneFile};
use crate::scene::preset::{PRESETS, Preset, preset_named};
use crate::world::{MOST_HELICES, MOST_PIECES, RodSpec, Size, check_model};

/// Material of a strand that does not say.
const DEFAULT_MATERIAL: &str = "cotton_rope";

/// All strands of the scene, and which belong together.
pub(super) fn rods(
    file: &SceneFile,
    folder: Option<&Path>,
    slope: &UnitQuaternion<f64>,
    surfaces: &mut Surfaces,
) -> Checked<(Vec<RodSpec>, Vec<StrandGroup>)> {
    let (mut rods, mut groups): (Vec<RodSpec>, Vec<StrandGroup>) = Default::default();
    let mut names: HashSet<String> = HashSet::new();
    let mut size = Size::default();
    for (index, own) in file.rod.iter().enumerate() {
        let fields = Fields {
            index,
            own,
            all: &file.rods,
        };
        let bundle = match strands::of(&fields, folder)? {
            Some(strands) => strands.bundle(&fields, slope, surfaces, &mut size)?,
            None => {
                let nodes = centreline(&fields, folder)?;
                let rod = rod(&fields, nodes, slope, surfaces)?;
                bundle(&fields, rod, &file.body, slope, &mut size)?
            }
        };
        groups.push(StrandGroup {
            name: bundle[0].name.clone(),
            rods: rods.len()..rods.len() + bundle.len(),
        });
        for rod in bundle {
            if !names.insert(rod.name.clone()) {
                return Err(FieldError::new(
                    format!("rod.{index}.name"),
                    format!("is \"{}\", but another rod has that name", rod.name),
                ));
            }
            rods.push(rod);
        }
    }
    Ok((rods, groups))
}

/// A strand and all that its `[[rod]]` stands for.
fn bundle(
    fields: &Fields,
    rod: RodSpec,
    bodies: &[BodyFile],
    slope: &UnitQuaternion<f64>,
    size: &mut Size,
) -> Checked<Vec<RodSpec>> {
    let (bundle, path) = fields.get("copies", |rod| &rod.copies);
    let grown = hair::of(fields)?;
    // Counted before the copies are made: what does not fit must not be tried.
    let strands = match (&grown, &bundle) {
        (Some(hair), _) => hair.count,
        (None, Some(file)) => count(&path, file)?,
        (None, None) => 1,
    };
    let blame = if strands > 1 {
        path.clone()
    } else {
        fields.get("elements", |rod| &rod.elements).1
    };
    size.add(rod.model, &rod.design, strands)
        .map_err(|why| FieldError::new(blame, format!("is too much: {why}")))?;
    match (grown, bundle) {
        (Some(hair), None) => hair.strands(bodies, &rod, slope),
        (Some(_), Some(_)) => {
            let problem = "is given, but hair is a bundle already; set its count";
            Err(FieldError::new(path, problem))
        }
        (None, Some(file)) => copies(&path, &file, rod, slope),
        (None, None) => Ok(vec![rod]),
    }
}

/// The fields of one strand: its own, and those for all.
pub(super) struct Fields<'a> {
    pub index: usize,
    pub own: &'a RodFile,
    pub all: &'a RodFile,
}

impl Fields<'_> {
    /// The value that counts, and the path at which it stands.
    pub fn get<T: Clone>(
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
    pub fn number(
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

/// The strand that the fields describe, along these nodes.
pub(super) fn rod(
    fields: &Fields,
    (nodes, closed): Nodes,
    slope: &UnitQuaternion<f64>,
    surfaces: &mut Surfaces,
) -> Checked<RodSpec> {
    let preset = preset(fields)?;
    let (velocity, velocity_path) = fields.get("velocity", |rod| &rod.velocity);
    let (color, color_path) = fields.get("color", |rod| &rod.color);
    let name = fields.get("name", |rod| &rod.name).0;
    let name = name.unwrap_or_else(|| format!("rod {}", fields.index));
    let design = RodDesign {
        centreline: nodes.into_iter().map(|point| slope * point).collect(),
        closed,
        section: section(fields, preset)?,
        facing: facing(fields, slope)?,
        material: material(fields, preset)?,
        natural: natural(fields)?,
        helices: helices(fields)?,
        scheme: scheme(fields)?,
        fixed: fields.get("fixed", |rod| &rod.fixed).0.unwrap_or(false),
    };
    Ok(RodSpec {
        model: model(fields, &design)?,
        name,
        design,
        proxies: proxies(fields)?,
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

/// The model, if it can be that of this design.
fn model(fields: &Fields, design: &RodDesign) -> Checked<RodModel> {
    let (name, path) = fields.get("model", |rod| &rod.model);
    let model = name.map_or(Ok(RodModel::DiscreteElastic), |name| {
        let known = RodModel::ALL.map(RodModel::name);
        check::named(&path, &name, RodModel::from_name(&name), known)
    })?;
    match check_model(model, design) {
        Ok(()) => Ok(model),
        Err(why) => Err(FieldError::new(
            path,
            format!("is \"{}\", but the strand {why}", model.name()),
        )),
    }
}

fn proxies(fields: &Fields) -> Checked<Option<usize>> {
    let (proxies, path) = fields.get("proxies", |rod| &rod.proxies);
    proxies
        .map(|proxies| check::count(&path, proxies, (1, MOST_PIECES)))
        .transpose()
}

fn helices(fields: &Fields) -> Checked<Option<usize>> {
    let (helices, path) = fields.get("helices", |rod| &rod.helices);
    helices
        .map(|helices| check::count(&path, helices, (1, MOST_HELICES)))
        .transpose()
}

fn scheme(fields: &Fields) -> Checked<Scheme> {
    let (name, path) = fields.get("scheme", |rod| &rod.scheme);
    name.map_or(Ok(Scheme::Implicit), |name| {
        let known = Scheme::ALL.map(Scheme::name);
        check::named(&path, &name, Scheme::from_name(&name), known)
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
