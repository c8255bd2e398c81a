//! Wavefront OBJ: `v x y z` and `f i j k …`; everything else is for looks.

use super::{Raw, point, shown};

/// Reads corners and faces; faces of more than three corners are cut into a fan.
pub(super) fn parse(text: &str) -> Result<Raw, String> {
    let mut raw = Raw::default();
    let at = |number: usize, why: String| format!("line {number}: {why}");
    // Corners first: a face may name corners that come after it.
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(rest) = statement(line, "v") {
            let corner = point(rest.split_whitespace()).ok_or_else(|| {
                let why = format!(
                    "found \"{}\", expected v and three finite numbers",
                    shown(line)
                );
                at(number, why)
            })?;
            raw.points.push(corner);
        }
    }
    let mut seen = 0;
    let mut corners = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        seen += usize::from(statement(line, "v").is_some());
        let Some(rest) = statement(line, "f") else {
            continue;
        };
        corners.clear();
        for word in rest.split_whitespace() {
            let index = index(word, seen, raw.points.len());
            corners.push(index.map_err(|why| at(number, why))?);
        }
        if corners.len() < 3 {
            let why = format!(
                "a face of {} corners, but it needs at least three",
                corners.len()
            );
            return Err(at(number, why));
        }
        for pair in corners[1..].windows(2) {
            let triangle = [corners[0], pair[0], pair[1]];
            raw.add(triangle).map_err(|why| at(number, why))?;
        }
    }
    Ok(raw)
}

/// What follows a keyword, without a comment.
fn statement<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let line = line.split('#').next().unwrap_or_default().trim_start();
    let rest = line.strip_prefix(keyword)?;
    rest.starts_with(char::is_whitespace).then_some(rest)
}

/// The corner that `i`, `i/t`, `i//n` or `i/t/n` names: from 1, or backwards from the last one `seen`.
fn index(word: &str, seen: usize, count: usize) -> Result<u32, String> {
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
