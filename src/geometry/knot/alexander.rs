//! The Alexander polynomial Δ of a diagram, exactly \[Alexander28\].
//!
//! Between two undercrossings runs an arc. At every crossing
//!
//! ```text
//!   sign +:   (1 − t) over + t before − after = 0,        sign −:   (1 − t) over − before + t after = 0,
//! ```
//!
//! with `over` the arc on top and `before`, `after` those that end and begin below it. Without one row and one column the
//! determinant of these equations is ± tᵏ Δ(t), the same for every diagram of a knot but for ± tᵏ. It is computed for as
//! many t as it has coefficients, modulo the prime 2⁶¹ − 1, and its coefficients are found from these by Newton's divided
//! differences. They are sums of at most 2ⁿ terms ±1 for n crossings \[Kauffman83\], so below 60 crossings the
//! remainders say what they are.

use super::diagram::Diagram;
use super::laurent::Laurent;
use super::prime_field::{PRIME, inverse, minus, plus, times};

/// The most crossings whose polynomial is computed: about 350 000 multiplications.
pub(super) const MOST_CROSSINGS: usize = 32;

/// Computes polynomials.
#[derive(Clone, Debug, Default)]
pub(super) struct Alexander {
    rows: Vec<Row>,
    matrix: Vec<u64>,
    values: Vec<u64>,
    coefficients: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    over: usize,
    before: usize,
    after: usize,
    sign: i8,
}

impl Alexander {
    /// Δ of a diagram of at most [`MOST_CROSSINGS`].
    pub fn polynomial(&mut self, diagram: &Diagram) -> Laurent {
        let crossings = diagram.crossings();
        if crossings < 3 {
            return Laurent::one();
        }
        self.read(diagram);
        // The degree is at most the number of rows; t = 0 would lose rows, so from 2 on.
        self.values.clear();
        for k in 0..crossings as u64 {
            let value = self.at(2 + k, crossings);
            self.values.push(value);
        }
        interpolate(&self.values, 2, &mut self.coefficients);
        symmetric(&self.coefficients)
    }

    /// |Δ(−1)|, the determinant of the knot.
    pub fn determinant(&mut self, diagram: &Diagram) -> u64 {
        if diagram.crossings() < 3 {
            return 1;
        }
        self.read(diagram);
        let found = self.at(PRIME - 1, diagram.crossings());
        found.min(PRIME - found)
    }

    fn read(&mut self, diagram: &Diagram) {
        let crossings = diagram.crossings();
        self.rows.clear();
        self.rows.resize(crossings, Row::default());
        // Arc 0 runs from the start to the first undercrossing and, being closed, goes on after the last.
        let mut arc = 0;
        for visit in &diagram.visits {
            let c = visit.crossing as usize;
            let row = &mut self.rows[c];
            if visit.over {
                row.over = arc;
            } else {
                row.before = arc;
                arc = (arc + 1) % crossings;
                row.after = arc;
                row.sign = diagram.signs[c];
            }
        }
    }

    /// The determinant of the equations at one t.
    fn at(&mut self, t: u64, crossings: usize) -> u64 {
        let size = crossings - 1;
        self.matrix.clear();
        self.matrix.resize(size * size, 0);
        for (i, row) in self.rows[..size].iter().enumerate() {
            let (before, after) = if row.sign > 0 {
                (t, PRIME - 1)
            } else {
                (PRIME - 1, t)
            };
            let entries = [
                (row.over, minus(1, t)),
                (row.before, before),
                (row.after, after),
            ];
            for (column, value) in entries.into_iter().filter(|(column, _)| *column < size) {
                let entry = &mut self.matrix[i * size + column];
                *entry = plus(*entry, value);
            }
        }
        determinant(&mut self.matrix, size)
    }
}

/// The determinant modulo the prime, by elimination.
fn determinant(matrix: &mut [u64], size: usize) -> u64 {
    let mut determinant = 1;
    for k in 0..size {
        let Some(pivot) = (k..size).find(|i| matrix[i * size + k] != 0) else {
            return 0;
        };
        if pivot != k {
            let (above, below) = matrix.split_at_mut(pivot * size);
            above[k * size..][..size].swap_with_slice(&mut below[..size]);
            determinant = PRIME - determinant;
        }
        determinant = times(determinant, matrix[k * size + k]);
        let (above, below) = matrix.split_at_mut((k + 1) * size);
        let top = &above[k * size..];
        // Most of a column is zero: an equation has three unknowns.
        let mut by = None;
        for row in below.chunks_exact_mut(size).filter(|row| row[k] != 0) {
            let by = *by.get_or_insert_with(|| inverse(top[k]));
            let factor = PRIME - times(row[k], by);
            for (x, t) in row[k..].iter_mut().zip(&top[k..]) {
                *x = plus(*x, times(factor, *t));
            }
        }
    }
    determinant
}

/// Coefficients of the polynomial that has these values at `start`, `start` + 1, …
fn interpolate(values: &[u64], start: u64, out: &mut Vec<u64>) {
    let count = values.len();
    let mut differences = values.to_vec();
    for order in 1..count {
        let by = inverse(order as u64);
        for k in (order..count).rev() {
            differences[k] = times(minus(differences[k], differences[k - 1]), by);
        }
    }
    // Horner: p ← p · (t − start − k) + differenceₖ.
    out.clear();
    out.resize(count, 0);
    for k in (0..count).rev() {
        let root = start + k as u64;
        for i in (1..count).rev() {
            out[i] = minus(out[i - 1], times(root, out[i]));
        }
        out[0] = minus(differences[k], times(root, out[0]));
    }
}

/// Without the power of t, and with Δ(1) = 1.
fn symmetric(coefficients: &[u64]) -> Laurent {
    let signed = |c: &u64| {
        if *c > PRIME / 2 {
            -((PRIME - c) as i64)
        } else {
            *c as i64
        }
    };
    let not_zero = |c: &u64| *c != 0;
    let (Some(first), Some(last)) = (
        coefficients.iter().position(not_zero),
        coefficients.iter().rposition(not_zero),
    ) else {
        return Laurent::new(0, Vec::new());
    };
    let mut kept: Vec<i64> = coefficients[first..=last].iter().map(signed).collect();
    if kept.iter().sum::<i64>() < 0 {
        kept.iter_mut().for_each(|c| *c = -*c);
    }
    Laurent::new(-((last - first) as i32 / 2), kept)
}
