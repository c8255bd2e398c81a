//! The storage buffer of `shaders/strand.wgsl`: one entry per node of all strands.

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::colour::ColorMode;
use crate::world::{Snapshot, StrandRange};

/// One node, laid out as `StrandPoint` in the shader: three times four words.
#[derive(ShaderType, Clone, Copy, Debug, Default)]
pub struct GpuPoint {
    position: Vec3,
    radius: f32,
    director: Vec3,
    arc: f32,
    color: Vec3,
    flags: u32,
}

/// This node is the first of its strand.
const FIRST: u32 = 1;
/// This node is the last of its strand.
const LAST: u32 = 2;

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
        packed.push(GpuPoint {
            position,
            radius: point.radius,
            director: point.director.into(),
            arc,
            color,
            flags: u32::from(i == 0) * FIRST + u32::from(i + 1 == points.len()) * LAST,
        });
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
    use crate::world::StrandPoint;

    fn two_strands() -> Snapshot {
        let node = |x: f32| StrandPoint {
            position: [x, 0.0, 0.0],
            radius: 0.1,
            ..Default::default()
        };
        let range = |first, count| StrandRange {
            first,
            count,
            color: [1.0; 3],
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
    fn a_world_without_strands_still_fills_a_buffer() {
        assert_eq!(
            pack_points(&Snapshot::default(), ColorMode::Speed, 1.0).len(),
            2
        );
    }

    #[test]
    fn entry_has_the_size_the_shader_expects() {
        assert_eq!(GpuPoint::min_size().get(), 48);
    }
}
