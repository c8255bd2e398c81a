//! The shape that a strand takes without load.

use super::rod::Fields;
use crate::body::NaturalShape;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{AlongFile, CurvedFile, NaturalFile};

/// More entries than a strand can have pieces.
const MOST_ENTRIES: usize = 100_000;

/// Straight if the scene does not say.
pub(super) fn natural(fields: &Fields) -> Checked<NaturalShape> {
    match fields.get("natural", |rod| &rod.natural) {
        (None, _) => Ok(NaturalShape::Straight),
        (Some(NaturalFile::Name(name)), path) => {
            let shape = match name.as_str() {
                "straight" => Some(NaturalShape::Straight),
                "as_given" => Some(NaturalShape::AsGiven),
                _ => None,
            };
            let known = ["straight", "as_given", "{ curvature, curvature_2, twist }"];
            check::named(&path, &name, shape, known)
        }
        (Some(NaturalFile::Curved(curved)), path) => self::curved(&path, &curved),
    }
}

fn curved(path: &str, file: &CurvedFile) -> Checked<NaturalShape> {
    let at = |field: &str| format!("{path}.{field}");
    let first = along(&at("curvature"), file.curvature.as_ref())?;
    let second = along(&at("curvature_2"), file.curvature_2.as_ref())?;
    let twist_rad_m = along(&at("twist"), file.twist.as_ref())?;
    // Both curvatures share one list: a single number goes with every entry of the other.
    let count = first.len().max(second.len());
    if [&first, &second]
        .iter()
        .any(|list| list.len() > 1 && list.len() != count)
    {
        let problem = format!(
            "has {} entries and curvature has {}, but both must have the same number, or one of them a single one",
            second.len(),
            first.len()
        );
        return Err(FieldError::new(at("curvature_2"), problem));
    }
    let entry = |list: &[f64], i: usize| list.get(i).or(list.first()).copied().unwrap_or(0.0);
    let pair = |i| [entry(&first, i), entry(&second, i)];
    Ok(NaturalShape::Curved {
        curvature_per_m: (0..count).map(pair).collect(),
        twist_rad_m,
    })
}

/// The entries, a single 0 if none are given.
fn along(path: &str, file: Option<&AlongFile>) -> Checked<Vec<f64>> {
    match file {
        None => Ok(vec![0.0]),
        Some(AlongFile::Even(value)) => Ok(vec![check::finite(path, *value)?]),
        Some(AlongFile::List(list)) => {
            if !(1..=MOST_ENTRIES).contains(&list.len()) {
                let problem = format!(
                    "is a list of {} numbers, but must have from 1 to {MOST_ENTRIES}",
                    list.len()
                );
                return Err(FieldError::new(path, problem));
            }
            let entries = list.iter().enumerate();
            entries
                .map(|(i, &value)| check::finite(&format!("{path}.{i}"), value))
                .collect()
        }
    }
}
