//! The Jones polynomial V of a diagram by the bracket of \[Kauffman87\]: every crossing is opened in one of two ways,
//!
//! ```text
//!   ⟨D⟩ = Σ over all ways  A^(a − b) (−A² − A⁻²)^(loops − 1),      V(t) = (−A³)^(−w) ⟨D⟩ at t = A⁻⁴,
//! ```
//!
//! with a and b the numbers opened the one way and the other, and w the sum of the signs. 2ⁿ ways for n crossings, so
//! only for few. It tells some knots apart that share their Alexander polynomial, and most from their mirror images.

use super::diagram::Diagram;
use super::laurent::Laurent;

/// The most crossings that it is computed for: 4096 ways.
pub(super) const MOST_CROSSINGS: usize = 12;

/// Joins of the arcs at one crossing: two pairs, opened along the strand's direction, and across it.
struct Joins {
    along: [[usize; 2]; 2],
    across: [[usize; 2]; 2],
    positive: bool,
}

/// V of a diagram of at most [`MOST_CROSSINGS`].
pub(super) fn jones(diagram: &Diagram) -> Laurent {
    let crossings = diagram.crossings();
    if crossings == 0 {
        return Laurent::one();
    }
    let joins = joins(diagram);
    // counts[a][loops]: how many ways.
    let mut counts = vec![vec![0_i64; crossings + 2]; crossings + 1];
    for way in 0_u32..1 << crossings {
        let a = way.count_ones() as usize;
        counts[a][loops(&joins, way)] += 1;
    }
    let writhe: i32 = diagram.signs.iter().map(|s| i32::from(*s)).sum();
    collect(&counts, crossings as i32, writhe)
}

fn joins(diagram: &Diagram) -> Vec<Joins> {
    let visits = diagram.visits.len();
    let mut places = vec![[0; 2]; diagram.crossings()];
    for (i, visit) in diagram.visits.iter().enumerate() {
        places[visit.crossing as usize][usize::from(visit.over)] = i;
    }
    // Arc i begins at visit i; its beginning is end 2i, its end 2i + 1.
    let comes = |i: usize| 2 * ((i + visits - 1) % visits) + 1;
    let goes = |i: usize| 2 * i;
    let at = |([under, over], sign): (&[usize; 2], &i8)| Joins {
        along: [[comes(*under), goes(*over)], [comes(*over), goes(*under)]],
        across: [[comes(*under), comes(*over)], [goes(*over), goes(*under)]],
        positive: *sign > 0,
    };
    places.iter().zip(&diagram.signs).map(at).collect()
}

/// Number of closed loops when the crossings whose bit is set are opened the one way, the rest the other.
fn loops(joins: &[Joins], way: u32) -> usize {
    let ends = 4 * joins.len();
    let mut joined = [0_usize; 4 * MOST_CROSSINGS];
    for (c, join) in joins.iter().enumerate() {
        let one_way = way >> c & 1 == 1;
        // At a positive crossing the first way goes along the strand.
        let pairs = if one_way == join.positive {
            &join.along
        } else {
            &join.across
        };
        for [p, q] in pairs {
            joined[*p] = *q;
            joined[*q] = *p;
        }
    }
    let (mut seen, mut count) = (0_u64, 0);
    for start in 0..ends {
        if seen >> start & 1 == 1 {
            continue;
        }
        count += 1;
        let mut end = start;
        while seen >> end & 1 == 0 {
            seen |= 1 << end;
            // Along the arc to its other end, then through the crossing.
            let other = end ^ 1;
            seen |= 1 << other;
            end = joined[other];
        }
    }
    count
}

fn collect(counts: &[Vec<i64>], crossings: i32, writhe: i32) -> Laurent {
    // Powers of A from `low` on; the widest is that of a diagram whose crossings are all opened one way.
    let low = -(7 * crossings + 8);
    let mut sum = vec![0_i64; (-2 * low + 1) as usize];
    let flip = if writhe % 2 == 0 { 1 } else { -1 };
    for (a, row) in counts.iter().enumerate() {
        for (loops, ways) in row.iter().enumerate().filter(|(_, ways)| **ways != 0) {
            let power = 2 * a as i32 - crossings - 3 * writhe;
            let rings = loops as i32 - 1;
            // (−A² − A⁻²)ʳ = (−1)ʳ Σ binomial(r, k) A^(2r − 4k)
            let sign = if rings % 2 == 0 { flip } else { -flip };
            let mut binomial = 1_i64;
            for k in 0..=rings {
                sum[(power + 2 * rings - 4 * k - low) as usize] += sign * ways * binomial;
                binomial = binomial * i64::from(rings - k) / i64::from(k + 1);
            }
        }
    }
    // t = A⁻⁴; a knot has only such powers.
    let highest = -(low / 4) * 4;
    let power = |k: i32| sum.get((highest - 4 * k - low) as usize).copied();
    let coefficients = (0..).map_while(power).collect();
    Laurent::new(-highest / 4, coefficients)
}
