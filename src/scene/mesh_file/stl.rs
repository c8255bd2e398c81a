//! STL: triangles with corners of their own; binary, or text that starts with `solid`.

use nalgebra::Point3;

use super::{MOST_TRIANGLES, Raw};
use crate::scene::words::{point, shown};

/// A title, then the number of triangles.
const HEADER: usize = 84;
/// A normal, three corners, two bytes more.
const FACET: usize = 50;

/// Reads the triangles; their normals follow from the order of the corners.
pub(super) fn parse(bytes: &[u8]) -> Result<Raw, String> {
    // Some binary files start with the word, too: only the length tells.
    if let Some(count) = declared(bytes)
        && bytes.len() == HEADER.saturating_add(FACET.saturating_mul(count))
    {
        return binary(&bytes[HEADER..], count);
    }
    if bytes.trim_ascii_start().starts_with(b"solid") {
        return ascii(&String::from_utf8_lossy(bytes));
    }
    Err(match declared(bytes) {
        Some(count) => format!(
            "it says that it has {count} triangles, but its length is not that of so many; it is neither binary nor ASCII STL"
        ),
        None => "it is neither binary nor ASCII STL".to_owned(),
    })
}

/// The number of triangles that a binary file says it has.
fn declared(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?) as usize)
}

fn binary(bytes: &[u8], count: usize) -> Result<Raw, String> {
    if count > MOST_TRIANGLES {
        return Err(format!(
            "it has {count} triangles, but at most {MOST_TRIANGLES} are allowed"
        ));
    }
    let mut raw = Raw::default();
    for (number, facet) in (1..).zip(bytes.chunks_exact(FACET)) {
        for corner in facet[12..48].chunks_exact(12) {
            let number_at = |k: usize| {
                let word = [0, 1, 2, 3].map(|i| corner[4 * k + i]);
                f64::from(f32::from_le_bytes(word))
            };
            let corner = Point3::new(number_at(0), number_at(1), number_at(2));
            if !corner.iter().all(|x| x.is_finite()) {
                return Err(format!("triangle {number} has a corner that is not finite"));
            }
            raw.points.push(corner);
        }
        push_last_three(&mut raw)?;
    }
    Ok(raw)
}

fn ascii(text: &str) -> Result<Raw, String> {
    let mut raw = Raw::default();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(rest) = line.trim_start().strip_prefix("vertex") else {
            continue;
        };
        let corner = point(rest.split_whitespace()).ok_or_else(|| {
            format!(
                "line {number}: found \"{}\", expected vertex and three finite numbers",
                shown(line)
            )
        })?;
        raw.points.push(corner);
        if raw.points.len().is_multiple_of(3) {
            push_last_three(&mut raw)?;
        }
    }
    match raw.points.len() % 3 {
        0 => Ok(raw),
        left => Err(format!("its last triangle has only {left} corners")),
    }
}

fn push_last_three(raw: &mut Raw) -> Result<(), String> {
    let end = raw.points.len() as u32;
    raw.add([end - 3, end - 2, end - 1])
}

#[cfg(test)]
pub(super) mod tests {
    /// The tetrahedron of the OBJ test.
    pub fn facets() -> [[[f32; 3]; 3]; 4] {
        let [o, x, y, z] = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        [[o, y, x], [o, x, z], [x, y, z], [o, z, y]]
    }

    /// The same as bytes; its title starts like ASCII.
    pub fn binary() -> Vec<u8> {
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(4_u32.to_le_bytes());
        for facet in facets() {
            bytes.extend([0; 12]);
            for x in facet.iter().flatten() {
                bytes.extend(x.to_le_bytes());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }
}
