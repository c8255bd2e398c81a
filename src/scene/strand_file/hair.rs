//! `.hair`: a header of 128 bytes, then arrays; all little-endian. Published models have z up and no unit.
//!
//! ```text
//!   0 "HAIR"   4 strands   8 points   12 which arrays there are   16 segments of every strand   20 thickness
//!  24 transparency   28 colour (3)   40 88 bytes of text   128 arrays in the order of their bits:
//!      bit 0  u16 segments of each strand      bit 1  f32 × 3 points, root to tip     bit 2  f32 thickness
//!      bit 3  f32 transparency                 bit 4  f32 × 3 colour                  (2 to 4: of each point)
//! ```

use nalgebra::Point3;

use super::{Strand, StrandFile, Tally, Up, colour};

const HEADER: usize = 128;
const SEGMENTS: u32 = 1;
const POINTS: u32 = 1 << 1;
const THICKNESS: u32 = 1 << 2;
const TRANSPARENCY: u32 = 1 << 3;
const COLOURS: u32 = 1 << 4;

/// Reads a whole file.
pub(super) fn parse(bytes: &[u8]) -> Result<StrandFile, String> {
    if bytes.len() < HEADER || &bytes[..4] != b"HAIR" {
        return Err("it does not begin with the header of a .hair file".into());
    }
    let (strands, points) = (u32_at(bytes, 4) as usize, u32_at(bytes, 8) as usize);
    let arrays = u32_at(bytes, 12);
    Tally::default().add(strands, points)?;
    if arrays & POINTS == 0 {
        return Err("it has no points".into());
    }
    let has = |bit: u32| usize::from(arrays & bit != 0);
    let sizes = [
        2 * strands * has(SEGMENTS),
        12 * points,
        4 * points * has(THICKNESS),
        4 * points * has(TRANSPARENCY),
        12 * points * has(COLOURS),
    ];
    let needed = HEADER + sizes.iter().sum::<usize>();
    if bytes.len() < needed {
        return Err(format!(
            "it is cut short: by its header it has {needed} bytes, but there are {}",
            bytes.len()
        ));
    }
    let start = |array: usize| HEADER + sizes[..array].iter().sum::<usize>();
    let segments = |k: usize| match has(SEGMENTS) {
        1 => usize::from(u16_at(bytes, HEADER + 2 * k)),
        _ => u32_at(bytes, 16) as usize,
    };
    let counted: usize = (0..strands)
        .map(|k| segments(k) + 1)
        .fold(0, usize::saturating_add);
    if counted != points {
        return Err(format!(
            "its strands have {counted} points in all, but its header says {points}"
        ));
    }
    let mean = |start: usize, range: std::ops::Range<usize>, parts: usize, part: usize| {
        let count = range.len() as f64;
        let sum: f64 = range.map(|i| number(bytes, start, parts * i + part)).sum();
        sum / count
    };
    let mut file = StrandFile {
        up: Up::Z,
        color: colour([0, 1, 2].map(|part| match has(COLOURS) {
            1 => mean(start(4), 0..points, 3, part) as f32,
            _ => f32_at(bytes, 28 + 4 * part),
        })),
        ..StrandFile::default()
    };
    let mut first = 0;
    for k in 0..strands {
        let range = first..first + segments(k) + 1;
        first = range.end;
        let thickness = match has(THICKNESS) {
            1 => mean(start(2), range.clone(), 1, 0),
            _ => f64::from(f32_at(bytes, 20)),
        };
        let point = |i: usize| {
            let x = Point3::from([0, 1, 2].map(|c| number(bytes, start(1), 3 * i + c)));
            let wrong = || format!("point {i} of strand {k} is not finite");
            x.iter()
                .all(|c| c.is_finite())
                .then_some(x)
                .ok_or_else(wrong)
        };
        file.strands.push(Strand {
            points: range.map(point).collect::<Result<_, _>>()?,
            closed: false,
            diameter: Some(thickness).filter(|d| d.is_finite() && *d > 0.0),
        });
    }
    Ok(file)
}

/// Number `i` of the array that begins at `start`.
fn number(bytes: &[u8], start: usize, i: usize) -> f64 {
    f64::from(f32_at(bytes, start + 4 * i))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(bytes, at))
}
