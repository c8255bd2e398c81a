//! Positive real roots of small polynomials, by bracketing.
//!
//! Between two neighbouring roots of p′ the polynomial p is monotone and has at most one root, which bisection with
//! Newton steps cannot miss. No complex numbers, no closed forms that lose digits.

/// The most roots a polynomial here can have.
pub const MAX_ROOTS: usize = 4;

/// Real roots in rising order; the first `len` entries count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Roots {
    values: [f64; MAX_ROOTS],
    len: usize,
}

impl Roots {
    /// The roots.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.len]
    }

    fn push(&mut self, root: f64) {
        // Neighbouring intervals can both report a root that lies on their common end.
        let repeated = self
            .as_slice()
            .last()
            .is_some_and(|&last| root - last <= 4.0 * f64::EPSILON * root.abs());
        if !repeated && self.len < MAX_ROOTS {
            self.values[self.len] = root;
            self.len += 1;
        }
    }
}

/// Roots x > 0 of Σ cₖ xᵏ, degree at most 4. A polynomial that vanishes everywhere, or is not finite, has none.
pub fn positive_roots(coefficients: &[f64]) -> Roots {
    let mut roots = Roots::default();
    if coefficients.iter().any(|c| !c.is_finite()) {
        return roots;
    }
    let largest = coefficients.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    let degree = coefficients
        .iter()
        .rposition(|c| c.abs() > 1e-300_f64.max(1e-18 * largest));
    let Some(degree @ 1..=MAX_ROOTS) = degree else {
        return roots;
    };
    let c = &coefficients[..=degree];
    let bound = 1.0
        + c[..degree]
            .iter()
            .fold(0.0_f64, |m, k| m.max((k / c[degree]).abs()));
    let mut derivative = [0.0; MAX_ROOTS];
    (1..=degree).for_each(|k| derivative[k - 1] = k as f64 * c[k]);
    let turning = positive_roots(&derivative[..degree]);

    let mut low = 0.0;
    for &high in turning
        .as_slice()
        .iter()
        .filter(|&&t| t < bound)
        .chain([bound].iter())
    {
        if let Some(root) = monotone_root(c, low, high) {
            roots.push(root);
        }
        low = high;
    }
    roots
}

/// Value and slope by Horner's scheme.
fn evaluate(c: &[f64], x: f64) -> (f64, f64) {
    c.iter()
        .rev()
        .fold((0.0, 0.0), |(p, dp), &k| (p * x + k, dp * x + p))
}

/// Size of the terms of the polynomial: values below rounding of this are zero.
fn magnitude(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |p, &k| p * x.abs() + k.abs())
}

/// The root in (low, high], between which the polynomial is monotone.
fn monotone_root(c: &[f64], low: f64, high: f64) -> Option<f64> {
    let (at_low, at_high) = (evaluate(c, low).0, evaluate(c, high).0);
    // A double root touches zero at a turning point without crossing it.
    if at_high.abs() <= 8.0 * f64::EPSILON * magnitude(c, high) {
        return Some(high);
    }
    if at_low == 0.0 || (at_low > 0.0) == (at_high > 0.0) {
        return None;
    }
    let (mut low, mut high) = (low, high);
    let mut x = 0.5 * (low + high);
    for _ in 0..200 {
        let (p, dp) = evaluate(c, x);
        if p == 0.0 {
            break;
        }
        if (p > 0.0) == (at_high > 0.0) {
            high = x;
        } else {
            low = x;
        }
        let newton = x - p / dp;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - x).abs() <= f64::EPSILON * x.abs() {
            x = next;
            break;
        }
        x = next;
    }
    (x > 0.0).then_some(x)
}

/// (−1)ʲ/(2j + first)!, for j = 0, 1, …: coefficients of the cosine (`first` 0), of sin θ/θ (1) and of what follows, in θ².
pub const fn factorials<const N: usize>(first: u32) -> [f64; N] {
    let mut out = [0.0; N];
    let (mut j, mut n, mut factorial) = (0, 1, 1.0);
    while j < N {
        while n <= 2 * j as u32 + first {
            factorial *= n as f64;
            n += 1;
        }
        out[j] = if j % 2 == 0 { 1.0 } else { -1.0 } / factorial;
        j += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_those_of_sine_and_cosine() {
        let x = 0.7_f64;
        let sum = |f: [f64; 10]| f.iter().rev().fold(0.0, |sum, f| sum * x * x + f);
        assert!((sum(factorials(0)) - x.cos()).abs() < 1e-15);
        assert!((sum(factorials(1)) - x.sin() / x).abs() < 1e-15);
    }

    fn from_roots(roots: &[f64]) -> Vec<f64> {
        roots.iter().fold(vec![1.0], |p, root| {
            let mut next = vec![0.0; p.len() + 1];
            for (k, c) in p.iter().enumerate() {
                next[k + 1] += c;
                next[k] -= root * c;
            }
            next
        })
    }

    #[test]
    fn finds_every_positive_root_and_no_other() {
        let roots = [-3.0, 0.25, 2.0, 17.0];
        let found = positive_roots(&from_roots(&roots));
        assert_eq!(found.as_slice().len(), 3);
        for (found, root) in found.as_slice().iter().zip(&roots[1..]) {
            assert!((found / root - 1.0).abs() < 1e-12, "{found} for {root}");
        }
    }

    #[test]
    fn finds_double_roots_once() {
        let found = positive_roots(&from_roots(&[1.5, 1.5, -1.0, -2.0]));
        assert_eq!(found.as_slice().len(), 1);
        assert!((found.as_slice()[0] - 1.5).abs() < 1e-7);
    }

    #[test]
    fn lower_degrees_and_degenerate_input() {
        assert_eq!(
            positive_roots(&[-6.0, 2.0, 0.0, 0.0, 0.0]).as_slice(),
            [3.0]
        );
        assert!(positive_roots(&[1.0, 0.0, 1.0]).as_slice().is_empty());
        assert!(positive_roots(&[0.0; 5]).as_slice().is_empty());
        assert!(positive_roots(&[1.0, f64::NAN]).as_slice().is_empty());
    }
}
