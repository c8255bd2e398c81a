//! Faces of Wavefront OBJ: `v x y z` and `f i j k …`; everything else is for looks.

use super::Raw;
use crate::scene::obj_text::{corners, index, statement};

/// Reads corners and faces; faces of more than three corners are cut into a fan.
pub(super) fn parse(text: &str) -> Result<Raw, String> {
    // Corners first: a face may name corners that come after it.
    let mut raw = Raw {
        points: corners(text)?,
        ..Raw::default()
    };
    let at = |number: usize, why: String| format!("line {number}: {why}");
    let mut seen = 0;
    let mut face = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        seen += usize::from(statement(line, "v").is_some());
        let Some(rest) = statement(line, "f") else {
            continue;
        };
        face.clear();
        for word in rest.split_whitespace() {
            let index = index(word, seen, raw.points.len());
            face.push(index.map_err(|why| at(number, why))?);
        }
        if face.len() < 3 {
            let why = format!(
                "a face of {} corners, but it needs at least three",
                face.len()
            );
            return Err(at(number, why));
        }
        for pair in face[1..].windows(2) {
            let triangle = [face[0], pair[0], pair[1]];
            raw.add(triangle).map_err(|why| at(number, why))?;
        }
    }
    Ok(raw)
}
