//! Files of strands or triangles that are opened in place of a scene: the text of a scene is written around them, and
//! goes the way of every scene from there, `--set` included.

mod extent;
mod mesh;
mod strands;

use std::path::Path;

use super::obj_text::has_faces;
use super::read_file::read_file;
use super::strand_file::read_strands;
use extent::Extent;

/// Endings of the files that can be opened: scenes, strands, triangles.
pub const ENDINGS: [&str; 5] = ["toml", "hair", "usda", "obj", "stl"];

/// Whether a file can be opened, as far as its name tells.
pub fn opens(path: &Path) -> bool {
    ENDINGS.contains(&ending(path).as_str())
}

/// All endings, for people.
pub(super) fn endings() -> String {
    let [first, others @ .., last] = ENDINGS;
    let others: String = others.iter().map(|ending| format!(", .{ending}")).collect();
    format!(".{first}{others} or .{last}")
}

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

/// The text of a scene around a file, or what is wrong with the file; none if it is no file for that.
pub(super) fn scene_around(path: &Path) -> Option<Result<String, String>> {
    let name = path.file_name()?.to_string_lossy();
    match ending(path).as_str() {
        "hair" => Some(read_strands(path).and_then(|file| strands::hair(&name, &file))),
        "usda" => Some(read_strands(path).and_then(|file| strands::curves(&name, &file, None))),
        "obj" => Some(obj(path, &name)),
        "stl" => Some(mesh::alone(path, &name)),
        "usd" | "usdc" | "usdz" => Some(Err(
            "USD can be read as text only: save it as .usda".to_owned()
        )),
        _ => None,
    }
}

/// Lines, faces, or both.
fn obj(path: &Path, name: &str) -> Result<String, String> {
    let file = read_strands(path)?;
    let faces = has_faces(&String::from_utf8_lossy(&read_file(path)?));
    match (file.strands.is_empty(), faces) {
        (true, true) => mesh::alone(path, name),
        (true, false) => Err("it has neither faces nor lines".to_owned()),
        (false, true) => strands::curves(name, &file, Some(mesh::extent(path)?)),
        (false, false) => strands::curves(name, &file, None),
    }
}

/// The scale of a file that names no unit: metres if that makes a thing for a table or a room, else so that it is half
/// a metre wide.
fn scale_of(extent: &Extent) -> Result<f64, String> {
    let largest = extent.largest();
    let scale = match largest {
        0.05..=5.0 => 1.0,
        _ => 0.5 / largest,
    };
    match scale.is_finite() && scale > 0.0 {
        true => Ok(scale),
        false => Err(format!(
            "its largest extent is {largest}, but must be above 0"
        )),
    }
}

/// What the scale means, for people.
fn scale_told(scale: f64) -> String {
    match scale {
        1.0 => "lengths are taken as metres".to_owned(),
        _ => format!("one unit of the file is taken as {} m", rounded(scale)),
    }
}

/// To four digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// A text as a value of a scene file.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A Young's modulus (Pa) with which a round strand bends under its own weight over about the length ℓ:
/// ℓ³ = E I / (ρ A g), and I / A = r²/4.
fn youngs_modulus_pa(density_kg_m3: f64, bending_m: f64, radius_m: f64) -> f64 {
    rounded(4.0 * density_kg_m3 * 9.81 * bending_m.powi(3) / (radius_m * radius_m))
}

/// The parts of a scene that all have: what is said of it, where it is seen from, friction and a floor.
fn frame(name: &str, watch: &str, seen: &Extent, floor_m: f64) -> String {
    let (eye, target) = seen.eye_and_target();
    format!(
        r#"title = {title}
watch = {watch}
time = 5

[camera]
eye = {eye:?}
target = {target:?}
fov_deg = {fov}

[friction]
default = 0.3

[[body]]
name = "floor"
shape = {{ kind = "plane" }}
position = [0, {floor_m}, 0]
"#,
        title = quoted(name),
        watch = quoted(watch),
        fov = extent::FOV_DEG,
    )
}
