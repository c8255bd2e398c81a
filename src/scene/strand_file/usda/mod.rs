//! USD as text (`.usda`): strands are the curves of all `BasisCurves`, where their parents put them.

mod basis;
mod text;
mod transform;

use nalgebra::{Matrix4, Point3};

use super::{Strand, StrandFile, Tally, Up, colour};
use basis::Basis;
use text::{Layer, Prim};

/// The unit of a file that does not say, m, by USD's own rule.
const DEFAULT_UNIT_M: f64 = 0.01;

/// Reads a whole file.
pub(super) fn parse(bytes: &[u8]) -> Result<StrandFile, String> {
    if bytes.starts_with(b"PXR-USDC") || bytes.starts_with(b"PK") {
        return Err("it is binary USD; save it as text, which begins with #usda".into());
    }
    let text = String::from_utf8_lossy(bytes);
    if !text.starts_with("#usda") {
        return Err("it does not begin with #usda".into());
    }
    let layer = text::parse(&text)?;
    let mut file = StrandFile {
        unit_m: Some(unit(&layer)?),
        up: match layer.metadata.words("upAxis") {
            ["Z"] => Up::Z,
            _ => Up::Y,
        },
        ..StrandFile::default()
    };
    let mut tally = Tally::default();
    for prim in &layer.prims {
        collect(prim, &Matrix4::identity(), &mut file, &mut tally)?;
    }
    Ok(file)
}

fn unit(layer: &Layer) -> Result<f64, String> {
    match layer.metadata.numbers("metersPerUnit") {
        [] => Ok(DEFAULT_UNIT_M),
        [unit] if unit.is_finite() && *unit > 0.0 => Ok(*unit),
        other => Err(format!(
            "its metersPerUnit is {other:?}, but must be above 0"
        )),
    }
}

/// Adds the curves of a prim and of what stands in it. What cannot be read bears the name of its prim.
fn collect(
    prim: &Prim,
    parent: &Matrix4<f64>,
    file: &mut StrandFile,
    tally: &mut Tally,
) -> Result<(), String> {
    let named = |why: String| format!("\"{}\": {why}", prim.name);
    let place = transform::place(&prim.attributes, parent).map_err(named)?;
    if prim.kind == "BasisCurves" {
        curves(prim, &place, file, tally).map_err(named)?;
    }
    prim.children
        .iter()
        .try_for_each(|child| collect(child, &place, file, tally))
}

fn curves(
    prim: &Prim,
    place: &Matrix4<f64>,
    file: &mut StrandFile,
    tally: &mut Tally,
) -> Result<(), String> {
    let word = |name: &str| match prim.attributes.words(name) {
        [word, ..] => *word,
        [] => "",
    };
    let basis = Basis::named(word("type"), word("basis"), word("wrap"))?;
    let numbers = prim.attributes.numbers("points");
    let counts = prim.attributes.numbers("curveVertexCounts");
    let is_count = |n: f64| n >= 0.0 && n.fract() == 0.0;
    let total: f64 = counts.iter().sum();
    if !counts.iter().all(|&n| is_count(n)) || total * 3.0 != numbers.len() as f64 {
        return Err(format!(
            "its curves have {total} points in all, but it has {}",
            numbers.len() / 3
        ));
    }
    tally.add(counts.len(), basis.points_from(numbers.len() / 3))?;
    let placed = |p: &[f64]| place.transform_point(&Point3::new(p[0], p[1], p[2]));
    let points: Vec<Point3<f64>> = numbers.chunks_exact(3).map(placed).collect();
    if let Some(wrong) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(format!("its point {wrong} is not finite"));
    }
    // Thickness grows with its prim, as far as one number tells.
    let grown = place.fixed_view::<3, 3>(0, 0).determinant().abs().cbrt();
    let widths = Widths {
        all: prim.attributes.numbers("widths"),
        curves: counts.len(),
        points: points.len(),
    };
    let mut first = 0;
    for (k, &count) in counts.iter().enumerate() {
        let range = first..first + count as usize;
        first = range.end;
        file.strands.push(Strand {
            points: basis.trace(&points[range.clone()]),
            closed: basis.is_closed(),
            diameter: widths.of(k, range).map(|width| width * grown),
        });
    }
    if let [r, g, b, ..] = *prim.attributes.numbers("primvars:displayColor") {
        file.color = colour([r, g, b].map(|part| part as f32)).or(file.color);
    }
    Ok(())
}

/// Widths for the whole, for each curve or for each point, as their number tells.
struct Widths<'a> {
    all: &'a [f64],
    curves: usize,
    points: usize,
}

impl Widths<'_> {
    fn of(&self, curve: usize, points: std::ops::Range<usize>) -> Option<f64> {
        let chosen = match self.all.len() {
            0 => return None,
            n if n == self.points => self.all.get(points)?,
            n if n == self.curves => self.all.get(curve..=curve)?,
            _ => self.all,
        };
        let mean = chosen.iter().sum::<f64>() / chosen.len() as f64;
        (mean.is_finite() && mean > 0.0).then_some(mean)
    }
}
