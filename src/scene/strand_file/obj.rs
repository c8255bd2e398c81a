//! Lines of Wavefront OBJ: `l i j k …` through vertices; a line that ends where it begins is a loop.

use super::{Strand, StrandFile, Tally};
use crate::scene::obj_text::{corners, index, statement};

/// Reads vertices and lines.
pub(super) fn parse(text: &str) -> Result<StrandFile, String> {
    let vertices = corners(text)?;
    let mut file = StrandFile::default();
    let (mut seen, mut tally) = (0, Tally::default());
    for (number, line) in (1..).zip(text.lines()) {
        seen += usize::from(statement(line, "v").is_some());
        let Some(rest) = statement(line, "l") else {
            continue;
        };
        let at = |why: String| format!("line {number}: {why}");
        let mut points = Vec::new();
        for word in rest.split_whitespace() {
            tally.add(0, 1)?;
            let place = index(word, seen, vertices.len()).map_err(at)?;
            points.push(vertices[place as usize]);
        }
        if points.len() < 2 {
            let found = points.len();
            return Err(at(format!(
                "a line through {found} vertices, but it needs at least two"
            )));
        }
        if !goes_on(&mut file.strands, &points) {
            tally.add(1, 0)?;
            file.strands.push(Strand {
                points,
                ..Strand::default()
            });
        }
    }
    for strand in &mut file.strands {
        strand.closed = strand.points.len() > 3 && strand.points.first() == strand.points.last();
    }
    Ok(file)
}

/// Programs write a curve as lines of two vertices each: adds one that begins where the last one ended to it.
fn goes_on(strands: &mut [Strand], points: &[nalgebra::Point3<f64>]) -> bool {
    match strands.last_mut() {
        // A loop that is complete does not go on.
        Some(last)
            if last.points.last() == points.first() && last.points.first() != points.first() =>
        {
            last.points.extend_from_slice(&points[1..]);
            true
        }
        _ => false,
    }
}
