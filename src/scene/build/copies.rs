//! Bundles: one `[[rod]]` that stands for many.

use nalgebra::UnitQuaternion;

use crate::scene::check::{self, Checked};
use crate::scene::file::CopiesFile;
use crate::scene::generate::{Copies, offsets};
use crate::world::RodSpec;

/// More strands than a machine that runs this could step.
const MOST_COPIES: usize = 10_000;

/// Strands of a bundle, the first included.
pub(super) fn count(path: &str, file: &CopiesFile) -> Checked<usize> {
    check::count(&format!("{path}.count"), file.count, (1, MOST_COPIES))
}

/// The strand and its copies, side by side on the slope.
pub(super) fn copies(
    path: &str,
    file: &CopiesFile,
    rod: RodSpec,
    slope: &UnitQuaternion<f64>,
) -> Checked<Vec<RodSpec>> {
    let at = |field: &str| format!("{path}.{field}");
    let bundle = Copies {
        count: self::count(path, file)?,
        spacing_m: check::positive(&at("spacing"), file.spacing)?,
        axis: check::direction(&at("axis"), file.axis)?,
        jitter_m: check::not_negative(&at("jitter"), file.jitter)?,
        seed: file.seed,
    };
    let shade = check::share(&at("shade"), f64::from(file.shade))? as f32;
    let copy = |(k, offset)| {
        let mut copy = numbered(rod.clone(), k, shade);
        for point in &mut copy.design.centreline {
            *point += slope * offset;
        }
        copy
    };
    Ok(offsets(&bundle).into_iter().enumerate().map(copy).collect())
}

/// A strand as the one with number `k` of its bundle: the first keeps its name, every other one is darker by `shade`.
pub(super) fn numbered(mut rod: RodSpec, k: usize, shade: f32) -> RodSpec {
    if k > 0 {
        rod.name = format!("{} {k}", rod.name);
    }
    if k % 2 == 1 {
        rod.color = rod.color.map(|part| part * (1.0 - shade));
    }
    rod
}
