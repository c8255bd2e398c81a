//! A scene around strands: hair that hangs from its roots, or curves that hang from their starts and loops that fall.

use std::fmt::Write;

use super::{Extent, frame, mesh, quoted, rounded, scale_of, scale_told, youngs_modulus_pa};
use crate::scene::generate::length;
use crate::scene::strand_file::{Strand, StrandFile, Up};

/// Strands that are taken of a file with more: about as many as run in real time.
const MOST: usize = 100;
/// Fewest and most pieces of each.
const PIECES: [usize; 2] = [8, 40];
/// A radius of the file's own must be between these: above any hair's, m, and over the length of a strand.
const THINNEST_M: f64 = 0.5e-5;
const THICKEST: f64 = 0.01;
/// The radius of strands otherwise, over their length.
const USUAL_RADIUS: f64 = 0.004;
/// A strand bends under its own weight over this share of its length.
const BENDS_OVER: f64 = 0.2;
/// The floor is so far below strands that hang, over their largest extent.
const BELOW: f64 = 0.05;
/// Most hairs that are drawn for a strand that stands for a wisp.
const MOST_HAIRS: usize = 40;

/// What the strands of a file are like, upright and in metres.
struct Groom<'a> {
    file: &'a StrandFile,
    scale: f64,
    extent: Extent,
    kept: usize,
    length_m: f64,
    radius_m: f64,
    pieces: usize,
}

impl<'a> Groom<'a> {
    /// `beside` is how far other things in the file reach.
    fn of(file: &'a StrandFile, beside: Option<Extent>) -> Result<Self, String> {
        let points = file.strands.iter().flat_map(|strand| &strand.points);
        let all = Extent::around(points, file.up.turn(), 1.0).ok_or("it has no strands")?;
        let all = beside.map_or(all, |beside| all.with(&beside));
        let scale = match file.unit_m {
            Some(unit) => unit,
            None => scale_of(&all)?,
        };
        let lengths = file.strands.iter().map(|strand| length(&strand.points));
        let length_m = median(lengths).unwrap_or_default() * scale;
        let diameter = median(file.strands.iter().filter_map(|strand| strand.diameter));
        let radius_m = diameter.map(|diameter| 0.5 * diameter * scale);
        let fits = |radius: &f64| (THINNEST_M..=THICKEST * length_m).contains(radius);
        let pieces = median(file.strands.iter().map(pieces)).unwrap_or_default();
        Ok(Self {
            file,
            scale,
            extent: all.scaled(scale),
            kept: file.strands.len().min(MOST),
            length_m,
            radius_m: rounded(radius_m.filter(fits).unwrap_or(USUAL_RADIUS * length_m)),
            pieces: (pieces as usize).clamp(PIECES[0], PIECES[1]),
        })
    }

    /// "100 of the 2000 strands of model.hair" for people.
    fn told(&self, name: &str) -> String {
        match (self.kept, self.file.strands.len()) {
            (1, 1) => format!("The only strand of {name}"),
            (kept, all) if kept == all => format!("All {all} strands of {name}"),
            (kept, all) => format!("{kept} of the {all} strands of {name}"),
        }
    }

    /// `[rods]` and the `[[rod]]` that stands for all.
    fn write(&self, text: &mut String, name: &str, made_of: &MadeOf) {
        let youngs = youngs_modulus_pa(
            made_of.density_kg_m3,
            BENDS_OVER * self.length_m,
            self.radius_m,
        );
        let _ = write!(
            text,
            r#"
[rods]
material = "{material}"
radius = {radius}
density = {density}
youngs_modulus = {youngs}
mass_damping = {mass_damping}
stiffness_damping = 0.01
natural = "as_given"
elements = {pieces}
"#,
            material = made_of.material,
            radius = self.radius_m,
            density = made_of.density_kg_m3,
            mass_damping = made_of.mass_damping_per_s,
            pieces = self.pieces,
        );
        if let Some(color) = self.file.color {
            let _ = writeln!(text, "color = {color:?}");
        }
        let _ = write!(
            text,
            r#"
[[rod]]
name = "{rod}"
shape = {{ kind = "strands", file = {file}, scale = {scale}, up = "{up}", most = {most} }}
"#,
            rod = made_of.rod,
            file = quoted(name),
            scale = self.scale,
            up = self.file.up.name(),
            most = self.kept,
        );
    }

    /// Everything, with some room below.
    fn floor_m(&self, room: f64) -> f64 {
        self.extent.low.y - room * self.extent.largest() - self.radius_m
    }
}

/// What strands are made of and called.
struct MadeOf {
    rod: &'static str,
    material: &'static str,
    density_kg_m3: f64,
    mass_damping_per_s: f64,
}

/// A wisp of hair, as light and limp as in `scenes/wavy_hair.toml`.
const WISP: MadeOf = MadeOf {
    rod: "hair",
    material: "human_hair",
    density_kg_m3: 300.0,
    mass_damping_per_s: 4.0,
};

const CURVE: MadeOf = MadeOf {
    rod: "strand",
    material: "nylon",
    density_kg_m3: 800.0,
    mass_damping_per_s: 1.0,
};

/// A scene of a head of hair.
pub(super) fn hair(name: &str, file: &StrandFile) -> Result<String, String> {
    let groom = Groom::of(file, None)?;
    let watch = format!(
        "{}, hung by the root; {}.",
        groom.told(name),
        scale_told(groom.scale)
    );
    let mut text = frame(name, &watch, &groom.extent, groom.floor_m(BELOW));
    let mut top = "dt = 8e-3\ntolerance = 3e-6\nlook = \"hair\"\n".to_owned();
    let hairs = (file.strands.len() / groom.kept).min(MOST_HAIRS);
    if hairs > 1 {
        let _ = writeln!(
            top,
            "wisp = {{ hairs = {hairs}, spread = {}, radius = {} }}",
            rounded(spread_m(&groom)),
            rounded(0.3 * groom.radius_m),
        );
    }
    text.insert_str(0, &top);
    groom.write(&mut text, name, &WISP);
    text.push_str(&hold(WISP.rod, true));
    Ok(text)
}

/// About half the distance from each root to the next.
fn spread_m(groom: &Groom) -> f64 {
    let roots = groom.file.thinned(MOST).map(|strand| &strand.points[0]);
    let roots = Extent::around(roots, groom.file.up.turn(), groom.scale);
    let wide = roots.map_or(0.0, |roots| roots.largest());
    0.8 * wide / (groom.kept as f64).sqrt()
}

/// A scene of curves, with the faces of the same file if it has some: they reach as far as `faces`.
pub(super) fn curves(
    name: &str,
    file: &StrandFile,
    faces: Option<Extent>,
) -> Result<String, String> {
    let groom = Groom::of(file, faces)?;
    let kept: Vec<&Strand> = file.thinned(MOST).collect();
    let open = kept.iter().filter(|strand| !strand.closed).count();
    let watch = format!(
        "{}, {}; {}.",
        groom.told(name),
        match open {
            0 => "left to fall",
            _ if open == kept.len() => "hung by the start",
            _ => "hung by the start, loops left to fall",
        },
        scale_told(groom.scale)
    );
    let room = if open == 0 { 0.0 } else { BELOW };
    // Faces stand on the floor.
    let floor_m = match faces {
        Some(_) => groom.extent.low.y,
        None => groom.floor_m(room),
    };
    let mut text = frame(name, &watch, &groom.extent, floor_m);
    text.insert_str(0, "dt = 8e-3\ntolerance = 3e-6\n");
    groom.write(&mut text, name, &CURVE);
    if faces.is_some() {
        text.push_str(&mesh::body(name, groom.scale, Up::Y, [0.0; 3]));
    }
    if open == kept.len() {
        text.push_str(&hold(CURVE.rod, true));
    } else {
        for (k, _) in (kept.iter().enumerate()).filter(|(_, strand)| !strand.closed) {
            let name = match k {
                0 => CURVE.rod.to_owned(),
                _ => format!("{} {k}", CURVE.rod),
            };
            text.push_str(&hold(&name, false));
        }
    }
    Ok(text)
}

/// A clamp at the start of a strand, or of all that its `[[rod]]` stands for.
fn hold(rod: &str, copies: bool) -> String {
    format!(
        "\n[[hold]]\nname = \"root of {rod}\"\nrod = \"{rod}\"\ncopies = {copies}\nat = \"start\"\nkind = \"clamp\"\n"
    )
}

fn pieces(strand: &Strand) -> f64 {
    (strand.points.len() - usize::from(!strand.closed)) as f64
}

/// The middle of some numbers.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
