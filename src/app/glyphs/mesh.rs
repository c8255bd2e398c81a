//! The template of a glyph, repeated: a dot, a shaft, a head and a box; the shader shows those with a size. Friction cones
//! are a mesh of their own, since they are see-through.
//!
//! ```text
//!   dot      shaft     head      box      cone
//!   ○ r=1    ┃ y 0…1   ▲ y 0…1   ■ ±1     ▽ y 0…1, r = y
//! ```

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;

/// Corners, normals, parts and triangles of one glyph.
#[derive(Default)]
struct Template {
    corners: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    parts: Vec<f32>,
    triangles: Vec<u32>,
}

impl Template {
    /// Adds one of Bevy's shapes, moved up by `lift`.
    fn add(&mut self, mesh: Mesh, part: f32, lift: f32) {
        let first = self.corners.len() as u32;
        let floats = |attribute| match mesh.attribute(attribute) {
            Some(VertexAttributeValues::Float32x3(values)) => values.clone(),
            _ => Vec::new(),
        };
        let corners = floats(Mesh::ATTRIBUTE_POSITION);
        self.parts.extend(corners.iter().map(|_| part));
        let lifted = |[x, y, z]: [f32; 3]| [x, y + lift, z];
        self.corners.extend(corners.into_iter().map(lifted));
        self.normals.extend(floats(Mesh::ATTRIBUTE_NORMAL));
        let indices = mesh.indices().map(|i| i.iter().collect::<Vec<_>>());
        let indices = indices.unwrap_or_default();
        self.triangles
            .extend(indices.into_iter().map(|i| first + i as u32));
    }

    /// So many of it in one mesh.
    fn repeated(self, count: usize) -> Mesh {
        let size = self.corners.len() as u32;
        let tags = |glyph: usize| self.parts.iter().map(move |part| [glyph as f32, *part]);
        let triangles = |glyph: usize| {
            let first = glyph as u32 * size;
            self.triangles.iter().map(move |i| first + i)
        };
        let tags: Vec<[f32; 2]> = (0..count).flat_map(tags).collect();
        let triangles: Vec<u32> = (0..count).flat_map(triangles).collect();
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.corners.repeat(count))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals.repeat(count))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, tags)
        .with_inserted_indices(Indices::U32(triangles))
    }
}

/// Sides of a friction cone.
const CONE_SIDES: u32 = 28;

/// `count` friction cones, open at the top.
pub fn cone_mesh(count: usize) -> Mesh {
    let mut cone = Template::default();
    for side in 0..=CONE_SIDES {
        let angle = std::f32::consts::TAU * side as f32 / CONE_SIDES as f32;
        let rim = [angle.cos(), 1.0, angle.sin()];
        cone.corners.extend([[0.0; 3], rim]);
        // The shader turns these by the cone's own slope.
        cone.normals.extend([[rim[0], 0.0, rim[2]]; 2]);
        cone.parts.extend([4.0; 2]);
    }
    for side in 0..CONE_SIDES {
        let foot = 2 * side;
        cone.triangles.extend([foot, foot + 1, foot + 3]);
    }
    cone.repeated(count)
}

/// `count` glyphs; each vertex knows which one it belongs to.
pub fn template_mesh(count: usize) -> Mesh {
    let mut template = Template::default();
    template.add(Sphere::new(1.0).mesh().uv(12, 8), 0.0, 0.0);
    template.add(
        Cylinder::new(1.0, 1.0).mesh().resolution(8).build(),
        1.0,
        0.5,
    );
    template.add(Cone::new(1.0, 1.0).mesh().resolution(12).build(), 2.0, 0.5);
    template.add(Cuboid::from_length(2.0).into(), 3.0, 0.0);

    template.repeated(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_has_all_parts() {
        let one = template_mesh(1).count_vertices();
        let three = template_mesh(3);
        assert_eq!(three.count_vertices(), 3 * one);
        let Some(VertexAttributeValues::Float32x2(tags)) = three.attribute(Mesh::ATTRIBUTE_UV_0)
        else {
            panic!("glyph vertices carry tags");
        };
        for part in 0..4 {
            for glyph in 0..3 {
                assert!(tags.contains(&[glyph as f32, part as f32]));
            }
        }
    }

    #[test]
    fn cones_stand_on_their_tip_and_are_one_high() {
        let mesh = cone_mesh(2);
        let Some(VertexAttributeValues::Float32x3(corners)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            panic!("cones have corners");
        };
        assert!(
            corners
                .iter()
                .all(|[x, y, z]| (x.hypot(*z) - y).abs() < 1e-6)
        );
        assert_eq!(mesh.count_vertices() % 2, 0);
    }
}
