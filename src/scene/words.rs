//! Words of text files.

use nalgebra::Point3;

/// Three finite numbers.
pub(super) fn point<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Point3<f64>> {
    let mut number = || words.next()?.parse::<f64>().ok().filter(|x| x.is_finite());
    Some(Point3::new(number()?, number()?, number()?))
}

/// The start of a line, for messages.
pub(super) fn shown(line: &str) -> String {
    line.trim().chars().take(60).collect()
}
