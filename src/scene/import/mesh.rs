//! A scene around triangles: they stand on the floor, and a rope falls across them.

use std::fmt::Write;
use std::path::Path;

use nalgebra::{Point3, UnitQuaternion};

use super::{Extent, ending, frame, quoted, rounded, scale_of, scale_told, youngs_modulus_pa};
use crate::scene::mesh_file::read_mesh;
use crate::scene::strand_file::Up;

/// Radius of the rope over the largest extent of the triangles.
const RADIUS: f64 = 0.012;
/// How far above them it starts, likewise.
const ABOVE: f64 = 0.04;
/// Vertices so near the top belong to it, over the height.
const TOP: f64 = 0.1;
/// Of the rope, kg/m³, and how much easier it bends than a solid rod: those of the preset.
const DENSITY_KG_M3: f64 = 800.0;
const BENDING_FACTOR: f64 = 0.04;
/// The rope bends under its own weight over this share of its length.
const BENDS_OVER: f64 = 0.1;

/// How far the triangles of a file reach, in its own units and axes.
pub(super) fn extent(path: &Path) -> Result<Extent, String> {
    let mesh = read_mesh(path, 1.0)?;
    around(mesh.vertices(), Up::Y)
}

fn around(vertices: &[Point3<f64>], up: Up) -> Result<Extent, String> {
    Extent::around(vertices, up.turn(), 1.0).ok_or_else(|| "it has no triangles".to_owned())
}

/// The `[[body]]`, moved by `offset`.
pub(super) fn body(name: &str, scale: f64, up: Up, offset: [f64; 3]) -> String {
    let rotation = match up {
        Up::Y => "",
        Up::Z => "rotation = { axis = [1, 0, 0], deg = -90 }\n",
    };
    format!(
        r#"
[[body]]
name = "mesh"
shape = {{ kind = "mesh", file = {file}, scale = {scale} }}
position = {offset:?}
{rotation}color = [0.45, 0.52, 0.62]
"#,
        file = quoted(name),
    )
}

/// A scene of triangles only. Those of STL have z up, as programs for solids and printers have it.
pub(super) fn alone(path: &Path, name: &str) -> Result<String, String> {
    let up = match ending(path).as_str() {
        "stl" => Up::Z,
        _ => Up::Y,
    };
    let mesh = read_mesh(path, 1.0)?;
    let all = around(mesh.vertices(), up)?;
    let scale = scale_of(&all)?;
    let (low, high) = (all.low * scale, all.high * scale);
    let middle = nalgebra::center(&low, &high);
    let offset = [-middle.x, -low.y, -middle.z];
    let placed = Extent {
        low: low + nalgebra::Vector3::from(offset),
        high: high + nalgebra::Vector3::from(offset),
    };
    let rope = Rope::across(&placed, top_of(mesh.vertices(), &up.turn()) * scale, offset);
    let watch = format!(
        "A rope falls across {name} and drapes over it; {}{}.",
        scale_told(scale),
        match up {
            Up::Y => "",
            Up::Z => ", and its z axis points up",
        },
    );
    let mut text = frame(name, &watch, &placed.with(&rope.hanging()), 0.0);
    text.insert_str(0, "dt = 2e-3\ntolerance = 1e-6\n");
    text.push_str(&body(name, scale, up, offset));
    rope.write(&mut text);
    Ok(text)
}

/// The middle of what is near the top.
fn top_of(vertices: &[Point3<f64>], turn: &UnitQuaternion<f64>) -> Point3<f64> {
    let turned: Vec<Point3<f64>> = vertices.iter().map(|x| turn * x).collect();
    let heights = || turned.iter().map(|x| x.y);
    let (low, high) = (
        heights().fold(f64::MAX, f64::min),
        heights().fold(f64::MIN, f64::max),
    );
    let near = turned.iter().filter(|x| x.y >= high - TOP * (high - low));
    let top = Extent::around(near, UnitQuaternion::identity(), 1.0);
    top.map_or(Point3::origin(), |top| {
        nalgebra::center(&top.low, &top.high)
    })
}

/// A straight rope above triangles.
struct Rope {
    from: Point3<f64>,
    to: Point3<f64>,
    radius_m: f64,
}

impl Rope {
    /// Over the top, across the narrower side, long enough to hang down on both.
    fn across(mesh: &Extent, top: Point3<f64>, offset: [f64; 3]) -> Self {
        let (size, largest) = (mesh.size(), mesh.largest());
        let axis = if size.x <= size.z { 0 } else { 2 };
        let radius_m = rounded(RADIUS * largest);
        let mut from = top + nalgebra::Vector3::from(offset);
        from.y = mesh.high.y + radius_m + ABOVE * largest;
        let mut to = from;
        let half = 0.5 * (size[axis] + 1.6 * size.y).max(0.6 * largest);
        from[axis] -= half;
        to[axis] += half;
        Self { from, to, radius_m }
    }

    /// Around where it will hang.
    fn hanging(&self) -> Extent {
        let middle = nalgebra::center(&self.from, &self.to);
        let (from, to) = (
            middle + (self.from - middle) * 0.6,
            middle + (self.to - middle) * 0.6,
        );
        Extent {
            low: from.inf(&to),
            high: from.sup(&to),
        }
    }

    /// Adds it to a scene. Its slight natural bend keeps it from rolling off, as in `scenes/drape.toml`.
    fn write(&self, text: &mut String) {
        let length = (self.to - self.from).norm();
        let youngs = youngs_modulus_pa(DENSITY_KG_M3, BENDS_OVER * length, self.radius_m);
        let _ = write!(
            text,
            r#"
[rods]
material = "cotton_rope"
radius = {radius}
youngs_modulus = {youngs}
mass_damping = 2
elements = 60

[[rod]]
name = "rope"
shape = {{ kind = "line", from = {from:?}, to = {to:?} }}
natural = {{ curvature = {curvature} }}
"#,
            radius = self.radius_m,
            youngs = rounded(youngs / BENDING_FACTOR),
            from = [self.from.x, self.from.y, self.from.z],
            to = [self.to.x, self.to.y, self.to.z],
            curvature = rounded(0.6 / length),
        );
    }
}
