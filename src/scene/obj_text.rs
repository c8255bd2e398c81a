//! What every reader of Wavefront OBJ needs: statements, vertices, and the numbers that name them.

use nalgebra::Point3;

use super::words::{point, shown};

/// Most vertices of a file: a million triangles have no more.
const MOST_VERTICES: usize = 5_000_000;

/// All vertices of a file: `v x y z`.
pub(super) fn corners(text: &str) -> Result<Vec<Point3<f64>>, String> {
    let mut corners = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(rest) = statement(line, "v") {
            let corner = point(rest.split_whitespace()).ok_or_else(|| {
                format!(
                    "line {number}: found \"{}\", expected v and three finite numbers",
                    shown(line)
                )
            })?;
            if corners.len() == MOST_VERTICES {
                return Err(format!("it has more than {MOST_VERTICES} vertices"));
            }
            corners.push(corner);
        }
    }
    Ok(corners)
}

/// Whether a file has faces.
pub(super) fn has_faces(text: &str) -> bool {
    text.lines().any(|line| statement(line, "f").is_some())
}

/// What follows a keyword, without a comment.
pub(super) fn statement<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let line = line.split('#').next().unwrap_or_default().trim_start();
    let rest = line.strip_prefix(keyword)?;
    rest.starts_with(char::is_whitespace).then_some(rest)
}

/// The vertex that `i`, `i/t`, `i//n` or `i/t/n` names: from 1, or backwards from the last one `seen`.
pub(super) fn index(word: &str, seen: usize, count: usize) -> Result<u32, String> {
    let first = word.split('/').next().unwrap_or_default();
    let number: i64 = first
        .parse()
        .map_err(|_| format!("found \"{}\", expected the number of a vertex", shown(word)))?;
    let place = match number {
        1.. => number - 1,
        _ => seen as i64 + number,
    };
    if number != 0 && (0..count as i64).contains(&place) {
        Ok(place as u32)
    } else {
        Err(format!("names vertex {number}, but there are {count}"))
    }
}
