//! Solids: still, scripted, or free to move.

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Isometry3, Translation3, UnitQuaternion};

use super::curve::place_of;
use super::{Surfaces, motion};
use crate::geometry::Shape;
use crate::geometry::mesh::{BustPart, MOST_SUBDIVISIONS, bumpy_sphere};
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{BodyFile, SceneFile, SolidFile};
use crate::scene::mesh_file::read_mesh;
use crate::world::{SolidMatter, SolidSpec};

/// Surface of a solid that does not say.
const DEFAULT_SURFACE: &str = "wood";
/// Colour of a solid that does not say.
const DEFAULT_COLOR: [f32; 3] = [0.55, 0.57, 0.60];

/// All solids of the scene.
pub(super) fn solids(
    file: &SceneFile,
    folder: Option<&Path>,
    slope: &UnitQuaternion<f64>,
    surfaces: &mut Surfaces,
) -> Checked<Vec<SolidSpec>> {
    let mut solids: Vec<SolidSpec> = Vec::new();
    for (index, body) in file.body.iter().enumerate() {
        let solid = solid(index, body, folder, slope, surfaces)?;
        if solids.iter().any(|other| other.name == solid.name) {
            return Err(FieldError::new(
                format!("body.{index}.name"),
                format!("is \"{}\", but another body has that name", solid.name),
            ));
        }
        solids.push(solid);
    }
    Ok(solids)
}

fn solid(
    index: usize,
    body: &BodyFile,
    folder: Option<&Path>,
    slope: &UnitQuaternion<f64>,
    surfaces: &mut Surfaces,
) -> Checked<SolidSpec> {
    let at = |field: &str| format!("body.{index}.{field}");
    Ok(SolidSpec {
        name: body.name.clone().unwrap_or_else(|| format!("body {index}")),
        shape: shape(&at("shape"), &body.shape, folder)?,
        world_from_body: pose(index, body, slope)?,
        motion: motion(&at("motion."), &body.motion, slope)?,
        matter: matter(index, body, slope)?,
        restitution: check::share(&at("restitution"), body.restitution)?,
        surface: surfaces.id(body.surface.as_deref().unwrap_or(DEFAULT_SURFACE)),
        color: check::color(&at("color"), body.color.unwrap_or(DEFAULT_COLOR))?,
    })
}

/// Where a body is at the start.
pub(super) fn pose(
    index: usize,
    body: &BodyFile,
    slope: &UnitQuaternion<f64>,
) -> Checked<Isometry3<f64>> {
    let at = |field: &str| format!("body.{index}.{field}");
    let rotation = match &body.rotation {
        None => UnitQuaternion::identity(),
        Some(turn) => UnitQuaternion::from_axis_angle(
            &check::direction(&at("rotation.axis"), turn.axis)?,
            check::finite(&at("rotation.deg"), turn.deg)?.to_radians(),
        ),
    };
    let position = check::vector(&at("position"), body.position)?;
    Ok(Isometry3::from_parts(
        Translation3::from(slope * position),
        slope * rotation,
    ))
}

/// What makes it free to move.
fn matter(
    index: usize,
    body: &BodyFile,
    slope: &UnitQuaternion<f64>,
) -> Checked<Option<SolidMatter>> {
    let at = |field: &str| format!("body.{index}.{field}");
    let Some(density) = body.density else {
        let moving = [("velocity", body.velocity), ("spin", body.spin)];
        return match moving.iter().find(|(_, rate)| rate.is_some()) {
            Some((field, _)) => Err(FieldError::new(
                at(field),
                "is for bodies that are free to move: give it a density, or a motion instead",
            )),
            None => Ok(None),
        };
    };
    let vector = |field: &str, v: Option<[f64; 3]>| {
        check::vector(&at(field), v.unwrap_or_default()).map(|v| slope * v)
    };
    Ok(Some(SolidMatter {
        density_kg_m3: check::positive(&at("density"), density)?,
        velocity_m_s: vector("velocity", body.velocity)?,
        spin_rad_s: vector("spin", body.spin)?,
    }))
}

fn shape(path: &str, shape: &SolidFile, folder: Option<&Path>) -> Checked<Shape> {
    let at = |field: &str| format!("{path}.{field}");
    let size = |field: &str, value: f64| check::positive(&at(field), value);
    Ok(match *shape {
        SolidFile::Plane {} => Shape::Plane,
        SolidFile::Sphere { radius } => Shape::Sphere {
            radius_m: size("radius", radius)?,
        },
        SolidFile::Capsule { radius, length } => Shape::Capsule {
            radius_m: size("radius", radius)?,
            half_length_m: 0.5 * size("length", length)?,
        },
        SolidFile::Box { size: [x, y, z] } => Shape::Box {
            half_extents_m: [
                0.5 * size("size.0", x)?,
                0.5 * size("size.1", y)?,
                0.5 * size("size.2", z)?,
            ],
        },
        SolidFile::Cylinder { radius, length } => Shape::Cylinder {
            radius_m: size("radius", radius)?,
            half_length_m: 0.5 * size("length", length)?,
        },
        SolidFile::Mesh { ref file, scale } => {
            let scale = size("scale", scale.unwrap_or(1.0))?;
            let mesh = read_mesh(&place_of(file, folder), scale).map_err(|why| {
                FieldError::new(at("file"), format!("names the file {file}: {why}"))
            })?;
            Shape::Mesh(Arc::new(mesh))
        }
        SolidFile::Bust { ref part } => {
            let known = BustPart::ALL.map(BustPart::name);
            let part = check::named(&at("part"), part, BustPart::from_name(part), known)?;
            let mesh = part
                .mesh()
                .map_err(|error| FieldError::new(at("part"), error.to_string()))?;
            Shape::Mesh(Arc::new(mesh))
        }
        SolidFile::BumpySphere {
            radius,
            bumps,
            waves,
            subdivisions,
        } => {
            size("radius", radius)?;
            let mesh = bumpy_sphere(
                radius,
                check::bumps(&at("bumps"), bumps, radius)?,
                check::waves(&at("waves"), waves)?,
                check::count(&at("subdivisions"), subdivisions, (0, MOST_SUBDIVISIONS))?,
            );
            // With sizes as checked only rounding can go wrong, such as that of a tiny radius.
            let why = |error| FieldError::new(at("radius"), format!("is {radius}, but {error}"));
            Shape::Mesh(Arc::new(mesh.map_err(why)?))
        }
    })
}
