//! What strands are: one entry each in a small buffer, written only when something in it changes.

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::colour::{ColorMode, pulled_strands};
use crate::app::shown::{Look, Shown};
use crate::scene::{Scene, StrandLook, Wisp};
use crate::world::{Outline, Snapshot, StrandRange, WorldSpec};

/// One strand, laid out as `Strand` in the shader: three times four words.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuStrand {
    color: Vec3,
    flags: u32,
    half: Vec2,
    stretch: f32,
    first: u32,
    last: u32,
    seed: f32,
    wisp: Vec2,
}

/// Its ends are joined.
const CLOSED: u32 = 1;
/// The section is an ellipse.
const ELLIPSE: u32 = 4;
/// The section is a rectangle.
const RECTANGLE: u32 = 8;
/// Drawn as a rope.
const ROPE: u32 = 16;
/// Drawn as hair.
const HAIR: u32 = 32;
/// Coloured by tension because a hand holds it: one sees how a pull goes along it.
const TINTED: u32 = 64;

/// Radii from one groove between plies to the next, as in the shader.
const PLY_RADII: f32 = 10.0 / 3.0;

/// Below this radius a strand is a hair unless its scene says otherwise, m.
const HAIR_RADIUS_M: f32 = 2.5e-4;

/// Writes one entry per strand into `table`; at least one, because a buffer may not be empty. `lengths_m` are those that
/// the mesh was made with.
pub fn write_table(table: &mut Vec<GpuStrand>, shown: &Shown, lengths_m: &[f32], look: &Look) {
    let snapshot = &shown.snapshot;
    let pulled = match look.color_mode {
        ColorMode::Strand => pulled_strands(snapshot),
        _ => Vec::new(),
    };
    table.clear();
    for (index, strand) in snapshot.strands.iter().enumerate() {
        let drawn_as = look
            .strands
            .or(shown.scene.look)
            .unwrap_or_else(|| natural_look(&shown.scene.spec, index));
        let length_m = lengths_m.get(index).copied().unwrap_or(0.0);
        let wisp = wisp(&shown.scene, look).map_or(Vec2::ZERO, |wisp| {
            Vec2::new(wisp.spread_m as f32, wisp.radius_m as f32)
        });
        table.push(GpuStrand {
            seed: scatter(index as u32),
            wisp,
            ..entry(snapshot, strand, length_m, drawn_as)
        });
        if pulled.contains(&index)
            && let Some(entry) = table.last_mut()
        {
            entry.flags |= TINTED;
        }
    }
    if table.is_empty() {
        table.push(GpuStrand::default());
    }
}

/// How many hairs each strand is drawn as.
pub fn hairs(scene: &Scene, look: &Look) -> usize {
    wisp(scene, look).map_or(1, |wisp| wisp.hairs)
}

/// Strands are wisps where the scene says so, unless they are to be shown as something else than hair, or coloured by what
/// they are simulated with.
fn wisp(scene: &Scene, look: &Look) -> Option<Wisp> {
    let hair = look.strands.or(scene.look) == Some(StrandLook::Hair);
    let plain = look.color_mode == ColorMode::Strand;
    scene.wisp.filter(|_| hair && plain)
}

fn entry(snapshot: &Snapshot, strand: &StrandRange, length_m: f32, look: StrandLook) -> GpuStrand {
    let node = snapshot.points.get(strand.first as usize);
    let half = node.map_or([1e-3; 2], |point| point.half);
    let outline = match strand.outline {
        Outline::Round => 0,
        Outline::Ellipse => ELLIPSE,
        Outline::Rectangle => RECTANGLE,
    };
    // Plies are twisted round one another: a band has none.
    let look = match look {
        StrandLook::Rope if strand.outline == Outline::Round => ROPE,
        StrandLook::Hair => HAIR,
        _ => 0,
    };
    GpuStrand {
        color: linear(Vec3::from(strand.color)),
        flags: outline + look + u32::from(strand.closed) * CLOSED,
        half: half.into(),
        stretch: if strand.closed {
            ply_stretch(length_m, half[0])
        } else {
            1.0
        },
        first: strand.first,
        last: strand.first + strand.count.saturating_sub(1),
        ..default()
    }
}

/// What a strand's own stuff looks like: ropes are bundles that bend more easily than they stretch, hair is thin.
fn natural_look(spec: &WorldSpec, index: usize) -> StrandLook {
    let Some(rod) = spec.rods.get(index) else {
        return StrandLook::Plain;
    };
    let surface = spec.surfaces.get(rod.surface.0 as usize);
    if surface.is_some_and(|name| name.contains("hair"))
        || (rod.design.section.contact_radius_m() as f32) < HAIR_RADIUS_M
    {
        StrandLook::Hair
    } else if rod.design.material.bending_factor < 0.5 {
        StrandLook::Rope
    } else {
        StrandLook::Plain
    }
}

/// A number from 0 to 1 that differs from strand to strand.
fn scatter(index: u32) -> f32 {
    let mixed = index.wrapping_add(1).wrapping_mul(0x9E37_79B9);
    (mixed >> 8) as f32 / (1 << 24) as f32
}

/// What makes the length of a loop a whole number of plies, so that no seam shows.
fn ply_stretch(length_m: f32, radius_m: f32) -> f32 {
    let plies = length_m / (PLY_RADII * radius_m);
    if plies > 0.0 && plies.is_finite() {
        plies.round().max(1.0) / plies
    } else {
        1.0
    }
}

/// Scene colours are sRGB-like; light adds up in linear RGB.
fn linear(srgb: Vec3) -> Vec3 {
    let color = LinearRgba::from(Srgba::rgb(srgb.x, srgb.y, srgb.z));
    Vec3::new(color.red, color.green, color.blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::StrandPoint;

    fn one_strand(closed: bool, outline: Outline) -> Snapshot {
        let point = StrandPoint {
            half: [0.1; 2],
            ..Default::default()
        };
        Snapshot {
            points: vec![point; 4],
            strands: vec![StrandRange {
                first: 0,
                count: 4,
                color: [1.0; 3],
                model: RodModel::DiscreteElastic,
                closed,
                outline,
                fixed: false,
            }],
            ..Default::default()
        }
    }

    #[test]
    fn a_loop_has_a_whole_number_of_plies() {
        let snapshot = one_strand(true, Outline::Round);
        for length_m in [0.5, 1.0, 3.217, 40.0] {
            let packed = entry(&snapshot, &snapshot.strands[0], length_m, StrandLook::Rope);
            let plies = packed.stretch * length_m / (PLY_RADII * 0.1);
            assert!(
                (plies - plies.round()).abs() < 1e-4 && plies > 0.5,
                "{plies}"
            );
            assert_eq!(packed.flags, CLOSED | ROPE);
        }
    }

    #[test]
    fn a_band_is_never_a_rope_but_may_be_hair() {
        let snapshot = one_strand(false, Outline::Rectangle);
        let flags = |look| entry(&snapshot, &snapshot.strands[0], 1.0, look).flags;
        assert_eq!(flags(StrandLook::Rope), RECTANGLE);
        assert_eq!(flags(StrandLook::Hair), RECTANGLE | HAIR);
    }

    #[test]
    fn strands_look_like_what_they_are_made_of() {
        let look = |scene: &str| {
            let scene = crate::scene::load(scene, &[]).expect("ships");
            natural_look(&scene.spec, 0)
        };
        assert_eq!(look("knot"), StrandLook::Rope);
        assert_eq!(look("wisp"), StrandLook::Hair);
        let wire = ["rods.material=steel_wire".to_owned()];
        let scene = crate::scene::load("knot", &wire).expect("wire");
        assert_eq!(natural_look(&scene.spec, 0), StrandLook::Plain);
    }

    #[test]
    fn entry_has_the_size_the_shader_expects() {
        assert_eq!(GpuStrand::min_size().get(), 48);
    }
}
