//! Strands from files: `.hair`, curves of USD text, lines of Wavefront OBJ.
//!
//! Readers of our own: the formats are a page each, a wrong file must get a sentence, and a huge one must not exhaust
//! memory.

mod hair;
mod obj;
#[cfg(test)]
mod tests;
mod usda;

use std::path::Path;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::generate::length;
use super::read_file::read_file;

/// Most strands of a file.
const MOST_STRANDS: usize = 1_000_000;
/// Most points of all strands of a file together: 24 bytes each, and as much again while it is read.
const MOST_POINTS: usize = 5_000_000;
/// Points nearer to the one before them than this share of the whole length count as one point given twice.
const REPEATED: f64 = 1e-9;

/// What a file holds, in its own units.
#[derive(Debug, Default, PartialEq)]
pub(super) struct StrandFile {
    /// Its strands; each has two points or more (a loop three), none the same as the one before it.
    pub strands: Vec<Strand>,
    /// Its unit, m, if it says.
    pub unit_m: Option<f64>,
    /// Which way is up.
    pub up: Up,
    /// A colour for all of it, if it says.
    pub color: Option<[f32; 3]>,
}

/// One strand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Strand {
    /// From its root to its tip.
    pub points: Vec<Point3<f64>>,
    /// Whether its last point is joined to its first (and does not repeat it).
    pub closed: bool,
    /// Its mean thickness, if the file says.
    pub diameter: Option<f64>,
}

/// Which axis of a file points up; here it is y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Up {
    #[default]
    Y,
    Z,
}

impl Up {
    /// Both, for lists.
    pub const ALL: [Up; 2] = [Up::Y, Up::Z];

    /// The name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Up::Y => "y",
            Up::Z => "z",
        }
    }

    /// Turns what stands in the file upright.
    pub fn turn(self) -> UnitQuaternion<f64> {
        match self {
            Up::Y => UnitQuaternion::identity(),
            Up::Z => {
                UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -std::f64::consts::FRAC_PI_2)
            }
        }
    }
}

impl Strand {
    /// Leaves out points that are given twice. A loop of two points is a strand there and back: its way back goes.
    fn tidy(&mut self) {
        let least = REPEATED * length(&self.points);
        self.points
            .dedup_by(|next, kept| (*next - *kept).norm() <= least);
        if let (true, [first, .., last]) = (self.closed, self.points.as_slice())
            && (last - first).norm() <= least
        {
            self.points.pop();
        }
        self.closed &= self.points.len() > 2;
    }
}

impl StrandFile {
    /// At most `most` of the strands, evenly chosen.
    pub fn thinned(&self, most: usize) -> impl Iterator<Item = &Strand> {
        let all = self.strands.len();
        let kept = all.min(most);
        (0..kept).map(move |k| &self.strands[k * all / kept])
    }
}

/// Reads a file, or says what is wrong with it.
pub(super) fn read_strands(place: &Path) -> Result<StrandFile, String> {
    let bytes = read_file(place)?;
    let ending = place.extension().unwrap_or_default();
    parse(&ending.to_string_lossy(), &bytes)
}

fn parse(ending: &str, bytes: &[u8]) -> Result<StrandFile, String> {
    let mut file = match ending.to_ascii_lowercase().as_str() {
        "hair" => hair::parse(bytes),
        "usda" => usda::parse(bytes),
        "obj" => obj::parse(&String::from_utf8_lossy(bytes)),
        _ => Err("its name must end in .hair, .usda or .obj".to_owned()),
    }?;
    if let Some(k) = (file.strands.iter()).position(|strand| !length(&strand.points).is_finite()) {
        return Err(format!("strand {k} is longer than can be told"));
    }
    file.strands.iter_mut().for_each(Strand::tidy);
    file.strands.retain(|strand| strand.points.len() > 1);
    Ok(file)
}

/// A colour, if it is one.
fn colour(parts: [f32; 3]) -> Option<[f32; 3]> {
    let is_colour = parts.iter().all(|part| (0.0..=1.0).contains(part));
    is_colour.then_some(parts)
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Tally {
    strands: usize,
    points: usize,
}

impl Tally {
    /// Counts what comes next, or says that it is too much.
    fn add(&mut self, strands: usize, points: usize) -> Result<(), String> {
        self.strands = self.strands.saturating_add(strands);
        self.points = self.points.saturating_add(points);
        let most = |what: &str, found: usize, most: usize| match found <= most {
            true => Ok(()),
            false => Err(format!("it has more than {most} {what}")),
        };
        most("strands", self.strands, MOST_STRANDS)?;
        most("points", self.points, MOST_POINTS)
    }
}
