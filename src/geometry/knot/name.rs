//! What a knot is called.

use std::fmt;

use serde::{Serialize, Serializer};

use super::laurent::Laurent;
use super::table::{ENTRIES, Entry, Prime};

/// Every knot of at most so many crossings that is not in the table has another Alexander polynomial.
const TABLE_IS_WHOLE_TO: usize = 8;

/// No knot of at most so many crossings has the Alexander polynomial 1, but the unknot.
const ALEXANDER_TELLS_UNKNOT_TO: usize = 10;

/// No two knots of at most so many crossings have the same Jones polynomial, but mirror images.
const JONES_TELLS_TO: usize = 9;

/// What a knot is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnotName {
    /// No knot.
    Unknot,
    /// The invariants are those of no knot, but many crossings are left.
    PerhapsUnknot {
        /// Crossings left.
        crossings: usize,
    },
    /// A knot of the table, or one of several.
    Known(Known),
    /// A knot that is not in the table.
    Other {
        /// Crossings left.
        crossings: usize,
        /// |Δ(−1)|.
        determinant: u64,
    },
    /// Too many crossings to tell in the time allowed.
    Tangled {
        /// Crossings left, at least.
        crossings: usize,
    },
}

/// A knot of the table, or one of several that what was computed does not tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Prime parts of each that it may be.
    either: Vec<Vec<&'static Prime>>,
    /// Of two trefoils: whether they are mirror images, where that is known.
    mirrored: Option<bool>,
    /// Whether knots beyond the table are ruled out.
    sure: bool,
}

impl KnotName {
    /// The short name by number: `0_1`, `3_1`, `3_1#4_1`, or `?`.
    pub fn id(&self) -> String {
        match self {
            KnotName::Unknot => "0_1".into(),
            KnotName::Known(known) => {
                let ids = known.either.iter().map(|parts| numbers(parts, "#"));
                ids.collect::<Vec<_>>().join("|")
            }
            _ => "?".into(),
        }
    }

    /// Whether it is certain that there is no knot.
    pub fn is_unknot(&self) -> bool {
        *self == KnotName::Unknot
    }

    /// The name that these invariants give to a diagram of so many crossings; `jones` is asked for only where it helps.
    pub(super) fn of(
        crossings: usize,
        alexander: &Laurent,
        jones: impl FnOnce() -> Option<Laurent>,
    ) -> Self {
        if *alexander == Laurent::one() {
            let proven = crossings <= ALEXANDER_TELLS_UNKNOT_TO
                || jones().is_some_and(|v| v == Laurent::one());
            return if proven {
                KnotName::Unknot
            } else {
                KnotName::PerhapsUnknot { crossings }
            };
        }
        let possible = |entry: &&Entry| {
            usize::from(entry.crossings) <= crossings && entry.alexander == *alexander
        };
        let mut entries: Vec<&Entry> = ENTRIES.iter().filter(possible).collect();
        let [first, ..] = entries[..] else {
            return Self::other(crossings, alexander);
        };
        let two_trefoils = first.parts.len() == 2 && first.jones.len() > 1;
        let helps = entries.len() > 1 || two_trefoils || crossings > TABLE_IS_WHOLE_TO;
        let jones = if helps { jones() } else { None };
        if let Some(v) = &jones {
            entries.retain(|entry| entry.jones.contains(v));
        }
        if entries.is_empty() {
            return Self::other(crossings, alexander);
        }
        KnotName::Known(Known {
            mirrored: jones.as_ref().and_then(|v| mirror_images(entries[0], v)),
            either: entries.iter().map(|entry| entry.parts.clone()).collect(),
            sure: crossings <= TABLE_IS_WHOLE_TO
                || (crossings <= JONES_TELLS_TO && jones.is_some()),
        })
    }

    fn other(crossings: usize, alexander: &Laurent) -> Self {
        KnotName::Other {
            crossings,
            determinant: alexander.determinant(),
        }
    }
}

/// Whether two equal parts are mirror images of each other: then, and only then, the whole is its own.
fn mirror_images(entry: &Entry, jones: &Laurent) -> Option<bool> {
    let [a, b] = entry.parts[..] else {
        return None;
    };
    (a == b).then(|| *jones == jones.mirrored())
}

fn numbers(parts: &[&Prime], between: &str) -> String {
    let number = |part: &&Prime| format!("{}_{}", part.number.0, part.number.1);
    let numbers: Vec<String> = parts.iter().map(number).collect();
    numbers.join(between)
}

impl Known {
    fn called(&self, parts: &[&Prime]) -> &'static str {
        match parts {
            [one] => one.called,
            [a, b] if a == b && a.number == (3, 1) => match self.mirrored {
                Some(true) => "square",
                Some(false) => "granny",
                None => "granny or square",
            },
            _ => "",
        }
    }
}

/// As it is displayed.
impl Serialize for KnotName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.sure {
            f.write_str("probably ")?;
        }
        for (k, parts) in self.either.iter().enumerate() {
            if k > 0 {
                f.write_str(" or ")?;
            }
            let number = numbers(parts, " # ");
            match self.called(parts) {
                "" => f.write_str(&number)?,
                called => write!(f, "{called} ({number})")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for KnotName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            KnotName::Unknot => f.write_str("unknot"),
            KnotName::PerhapsUnknot { crossings } => {
                write!(f, "unknot or unknown ({crossings} crossings)")
            }
            KnotName::Known(known) => known.fmt(f),
            KnotName::Other {
                crossings,
                determinant,
            } => write!(
                f,
                "knot with {crossings} crossings, determinant {determinant}"
            ),
            KnotName::Tangled { crossings } => write!(f, "tangled ({crossings} crossings)"),
        }
    }
}
