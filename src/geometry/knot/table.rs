//! All prime knots of at most eight crossings, as \[Rolfsen76\] numbers them, and the sums of them that have at most ten.

use std::sync::LazyLock;

use super::diagram::{Diagram, Visit};
use super::jones::jones;
use super::laurent::Laurent;

/// Sums are listed up to so many crossings.
const MOST_CROSSINGS_OF_SUMS: u8 = 10;

/// A prime knot.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Prime {
    /// Crossings, and number among those that have as many.
    pub number: (u8, u8),
    /// What people call it, or nothing.
    pub called: &'static str,
    /// Coefficients of the Alexander polynomial from the middle on, their sum over all powers +1.
    pub alexander: &'static [i64],
    /// A braid whose closure it is: ±k crosses strands k and k + 1.
    pub braid: &'static [i8],
}

const fn prime(
    crossings: u8,
    index: u8,
    called: &'static str,
    alexander: &'static [i64],
    braid: &'static [i8],
) -> Prime {
    Prime {
        number: (crossings, index),
        called,
        alexander,
        braid,
    }
}

/// All of them.
#[rustfmt::skip]
pub(super) static PRIMES: [Prime; 35] = [
    prime(3, 1, "trefoil", &[-1, 1], &[1, 1, 1]),
    prime(4, 1, "figure-eight", &[3, -1], &[1, -2, 1, -2]),
    prime(5, 1, "cinquefoil", &[1, -1, 1], &[1, 1, 1, 1, 1]),
    prime(5, 2, "three-twist", &[-3, 2], &[1, 1, 1, 2, -1, 2]),
    prime(6, 1, "stevedore", &[5, -2], &[1, 1, 2, -1, -3, 2, -3]),
    prime(6, 2, "", &[-3, 3, -1], &[1, 1, 1, -2, 1, -2]),
    prime(6, 3, "", &[5, -3, 1], &[1, 1, -2, 1, -2, -2]),
    prime(7, 1, "septafoil", &[-1, 1, -1, 1], &[1, 1, 1, 1, 1, 1, 1]),
    prime(7, 2, "five-twist", &[-5, 3], &[1, 1, 1, 2, -1, 2, 3, -2, 3]),
    prime(7, 3, "", &[3, -3, 2], &[1, 1, 1, 1, 1, 2, -1, 2]),
    prime(7, 4, "endless knot", &[-7, 4], &[1, 1, 2, -1, 2, 2, 3, -2, 3]),
    prime(7, 5, "", &[5, -4, 2], &[1, 1, 1, 1, 2, -1, 2, 2]),
    prime(7, 6, "", &[-7, 5, -1], &[1, 1, -2, 1, 3, -2, 3]),
    prime(7, 7, "", &[9, -5, 1], &[-1, 2, -1, 2, -3, 2, -3]),
    prime(8, 1, "six-twist", &[7, -3], &[1, 1, 2, -1, 2, 3, -2, -4, 3, -4]),
    prime(8, 2, "", &[3, -3, 3, -1], &[1, 1, 1, 1, 1, -2, 1, -2]),
    prime(8, 3, "", &[9, -4], &[1, 1, 2, -1, -3, 2, -3, -4, 3, -4]),
    prime(8, 4, "", &[-5, 5, -2], &[-1, -1, -1, 2, -1, 2, 3, -2, 3]),
    prime(8, 5, "", &[5, -4, 3, -1], &[1, 1, 1, -2, 1, 1, 1, -2]),
    prime(8, 6, "", &[-7, 6, -2], &[1, 1, 1, 1, 2, -1, -3, 2, -3]),
    prime(8, 7, "", &[-5, 5, -3, 1], &[-1, -1, -1, -1, 2, -1, 2, 2]),
    prime(8, 8, "", &[9, -6, 2], &[-1, -1, -1, -2, 1, 3, -2, 3, 3]),
    prime(8, 9, "", &[7, -5, 3, -1], &[1, 1, 1, -2, 1, -2, -2, -2]),
    prime(8, 10, "", &[-7, 6, -3, 1], &[-1, -1, -1, 2, -1, -1, 2, 2]),
    prime(8, 11, "", &[-9, 7, -2], &[1, 1, 2, -1, 2, 2, -3, 2, -3]),
    prime(8, 12, "", &[13, -7, 1], &[1, -2, 1, 3, -2, -4, 3, -4]),
    prime(8, 13, "", &[11, -7, 2], &[1, 1, -2, 1, -2, -2, -3, 2, -3]),
    prime(8, 14, "", &[-11, 8, -2], &[1, 1, 1, 2, -1, 2, -3, 2, -3]),
    prime(8, 15, "", &[11, -8, 3], &[1, 1, -2, 1, 3, 2, 2, 2, 3]),
    prime(8, 16, "", &[-9, 8, -4, 1], &[-1, -1, 2, -1, -1, 2, -1, 2]),
    prime(8, 17, "", &[11, -8, 4, -1], &[1, 1, -2, 1, -2, 1, -2, -2]),
    prime(8, 18, "carrick mat", &[13, -10, 5, -1], &[1, -2, 1, -2, 1, -2, 1, -2]),
    prime(8, 19, "", &[1, 0, -1, 1], &[1, 1, 1, 2, 1, 1, 1, 2]),
    prime(8, 20, "", &[3, -2, 1], &[1, 1, 1, -2, -1, -1, -1, -2]),
    prime(8, 21, "", &[-5, 4, -1], &[1, 1, 1, 2, -1, -1, 2, 2]),
];

/// A knot of the table, or a sum of some.
#[derive(Debug)]
pub(super) struct Entry {
    /// What it is made of.
    pub parts: Vec<&'static Prime>,
    /// Its crossings.
    pub crossings: u8,
    /// Its Alexander polynomial.
    pub alexander: Laurent,
    /// The Jones polynomials that it may have: its parts may be mirror images each.
    pub jones: Vec<Laurent>,
}

/// Every knot that has a name, with fewer crossings first.
pub(super) static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = Vec::new();
    add_sums(&mut Vec::new(), 0, 0, &mut entries);
    entries.sort_by_key(|entry| entry.crossings);
    entries
});

/// Adds the sums that begin with `parts`, each further part not before the last.
fn add_sums(parts: &mut Vec<&'static Prime>, from: usize, crossings: u8, out: &mut Vec<Entry>) {
    for (k, part) in PRIMES.iter().enumerate().skip(from) {
        let crossings = crossings + part.number.0;
        if crossings > MOST_CROSSINGS_OF_SUMS {
            break;
        }
        parts.push(part);
        out.push(entry(parts, crossings));
        add_sums(parts, k, crossings, out);
        parts.pop();
    }
}

fn entry(parts: &[&'static Prime], crossings: u8) -> Entry {
    let alexanders = parts.iter().map(|part| Laurent::symmetric(part.alexander));
    let alexander = alexanders.fold(Laurent::one(), |product, p| product.times(&p));
    let mut variants = vec![Laurent::one()];
    for part in parts {
        let one = jones(&closed_braid(part.braid));
        let other = one.mirrored();
        let both = |v: &Laurent| [v.times(&one), v.times(&other)];
        variants = variants.iter().flat_map(both).collect();
    }
    let mut jones: Vec<Laurent> = Vec::new();
    for variant in variants {
        if !jones.contains(&variant) {
            jones.push(variant);
        }
    }
    Entry {
        parts: parts.to_vec(),
        crossings,
        alexander,
        jones,
    }
}

/// The diagram of a braid's closure; of its first strand, should it have several.
pub(super) fn closed_braid(word: &[i8]) -> Diagram {
    let mut diagram = Diagram {
        signs: word.iter().map(|letter| letter.signum()).collect(),
        visits: Vec::new(),
    };
    let mut at = 1;
    loop {
        for (c, letter) in word.iter().enumerate() {
            let left = letter.abs();
            let moved = if at == left { left + 1 } else { left };
            if at == left || at == left + 1 {
                // At a positive crossing the strand that goes up in number is above.
                let over = (moved > at) == (*letter > 0);
                let crossing = c as u32;
                diagram.visits.push(Visit { crossing, over });
                at = moved;
            }
        }
        if at == 1 {
            return diagram;
        }
    }
}
