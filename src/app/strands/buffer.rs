//! The storage buffer of `shaders/strand.wgsl`: one entry per node of all strands.

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::colour::ColorMode;
use crate::world::{Outline, Snapshot, StrandPoint, StrandRange};

/// One node, laid out as `StrandPoint` in the shader: four times four words.
#[derive(ShaderType, Clone, Copy, Debug, Default)]
pub struct GpuPoint {
    position: Vec3,
    arc: f32,
    director: Vec3,
    flags: u32,
    color: Vec3,
    before: u32,
    half: Vec2,
    after: u32,
    unused: u32,
}

/// This node is the first of its strand, which is open.
const FIRST: u32 = 1;
/// This node is the last of its strand, which is open.
const LAST: u32 = 2;
/// The section is an ellipse.
const ELLIPSE: u32 = 4;
/// The section is a rectangle.
const RECTANGLE: u32 = 8;

/// Radii from one groove between plies to the next, as in the shader.
const PLY_RADII: f32 = 10.0 / 3.0;

/// Packs all nodes. At least two entries, because a buffer may not be empty and an edge has two ends.
pub fn pack_points(snapshot: &Snapshot, mode: ColorMode, limit: f32) -> Vec<GpuPoint> {
    let mut packed = Vec::with_capacity(snapshot.points.len().max(2));
    for strand in &snapshot.strands {
        pack_strand(&mut packed, snapshot, strand, mode, limit);
    }
    packed.resize(packed.len().max(2), GpuPoint::default());
    packed
}

fn pack_strand(
    packed: &mut Vec<GpuPoint>,
    snapshot: &Snapshot,
    strand: &StrandRange,
    mode: ColorMode,
    limit: f32,
) {
    let first = strand.first as usize;
    let points = &snapshot.points[first..first + strand.count as usize];
    let own = Vec3::from(strand.color);
    let outline = match strand.outline {
        Outline::Round => 0,
        Outline::Ellipse => ELLIPSE,
        Outline::Rectangle => RECTANGLE,
    };
    let last = points.len().saturating_sub(1);
    let stretch = if strand.closed {
        ply_stretch(points)
    } else {
        1.0
    };
    let mut arc = 0.0;
    let mut previous = points.first().map(|point| Vec3::from(point.position));
    for (i, point) in points.iter().enumerate() {
        let position = Vec3::from(point.position);
        arc += previous.map_or(0.0, |p| p.distance(position));
        previous = Some(position);
        let color = match mode {
            ColorMode::Strand => linear(own),
            _ => Vec3::from(mode.color(mode.value(point), limit)),
        };
        let ends = u32::from(i == 0) * FIRST + u32::from(i == last) * LAST;
        // The last node of a loop is its first, so the one before the first is the last but one.
        let [before, after] = if strand.closed {
            [
                if i == 0 { last - 1 } else { i - 1 },
                if i == last { 1 } else { i + 1 },
            ]
        } else {
            [i.saturating_sub(1), (i + 1).min(last)]
        };
        packed.push(GpuPoint {
            position,
            arc: stretch * arc,
            director: point.director.into(),
            flags: outline + if strand.closed { 0 } else { ends },
            color,
            before: (first + before) as u32,
            half: point.half.into(),
            after: (first + after) as u32,
            unused: 0,
        });
    }
}

/// What makes the length of a loop a whole number of plies, so that no seam shows.
fn ply_stretch(points: &[StrandPoint]) -> f32 {
    let length: f32 = points
        .windows(2)
        .map(|pair| Vec3::from(pair[0].position).distance(pair[1].position.into()))
        .sum();
    let plies = points
        .first()
        .map_or(0.0, |p| length / (PLY_RADII * p.half[0]));
    if plies > 0.0 && plies.is_finite() {
        plies.round().max(1.0) / plies
    } else {
        1.0
    }
}

/// Scene colours are sRGB-like; light adds up in linear RGB.
pub fn linear(srgb: Vec3) -> Vec3 {
    let color = LinearRgba::from(Srgba::rgb(srgb.x, srgb.y, srgb.z));
    Vec3::new(color.red, color.green, color.blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::RodModel;

    fn two_strands() -> Snapshot {
        let node = |x: f32| StrandPoint {
            position: [x, 0.0, 0.0],
            radius: 0.1,
            half: [0.1; 2],
            ..Default::default()
        };
        let range = |first, count| StrandRange {
            first,
            count,
            color: [1.0; 3],
            model: RodModel::DiscreteElastic,
            closed: false,
            outline: Outline::Round,
        };
        Snapshot {
            points: [0.0, 1.0, 3.0, 7.0, 8.0].map(node).to_vec(),
            strands: vec![range(0, 3), range(3, 2)],
            ..Default::default()
        }
    }

    #[test]
    fn ends_are_marked_and_arc_length_starts_again_on_each_strand() {
        let packed = pack_points(&two_strands(), ColorMode::Strand, 0.0);
        let flags: Vec<u32> = packed.iter().map(|point| point.flags).collect();
        let arcs: Vec<f32> = packed.iter().map(|point| point.arc).collect();
        assert_eq!(flags, [FIRST, 0, LAST, FIRST, LAST]);
        assert_eq!(arcs, [0.0, 1.0, 3.0, 0.0, 1.0]);
    }

    #[test]
    fn a_loop_has_no_ends_and_a_whole_number_of_plies() {
        let mut snapshot = two_strands();
        snapshot.strands.truncate(1);
        snapshot.strands[0].closed = true;
        snapshot.strands[0].outline = Outline::Rectangle;
        snapshot.points[2] = snapshot.points[0];
        let packed = pack_points(&snapshot, ColorMode::Strand, 0.0);
        assert!(packed.iter().all(|point| point.flags == RECTANGLE));
        assert_eq!((packed[0].before, packed[2].after), (1, 1));
        let plies = packed[2].arc / (PLY_RADII * 0.1);
        assert!(
            (plies - plies.round()).abs() < 1e-5 && plies > 0.5,
            "{plies}"
        );
    }

    #[test]
    fn a_world_without_strands_still_fills_a_buffer() {
        assert_eq!(
            pack_points(&Snapshot::default(), ColorMode::Speed, 1.0).len(),
            2
        );
    }

    #[test]
    fn entry_has_the_size_the_shader_expects() {
        assert_eq!(GpuPoint::min_size().get(), 64);
    }
}
