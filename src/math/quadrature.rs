//! Gauss-Legendre quadrature: ∫₀¹ f ≈ Σ wᵢ f(xᵢ), exact for polynomials of degree 2 n − 1.

use std::f64::consts::PI;

/// Points and weights on [0, 1], by rising point.
pub fn gauss_legendre(count: usize) -> Vec<(f64, f64)> {
    (1..=count).map(|i| point(count, i)).collect()
}

/// The i-th root of the Legendre polynomial Pₙ, counted from −1, by Newton's method from the usual estimate.
fn point(n: usize, i: usize) -> (f64, f64) {
    let mut x = -(PI * (i as f64 - 0.25) / (n as f64 + 0.5)).cos();
    let mut slope = 1.0;
    // Quadratic from the start: five steps reach rounding, the others cost nothing.
    for _ in 0..10 {
        let value;
        (value, slope) = legendre(n, x);
        x -= value / slope;
    }
    (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
}

/// Pₙ(x) and its derivative, by the three-term recurrence.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut here) = (1.0, x);
    for k in 2..=n {
        let k = k as f64;
        (before, here) = (here, ((2.0 * k - 1.0) * x * here - (k - 1.0) * before) / k);
    }
    (here, n as f64 * (x * here - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_up_to_degree_2n_minus_1_are_exact() {
        for count in [1, 2, 5, 24, 40] {
            let rule = gauss_legendre(count);
            assert!(rule.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for degree in 0..2 * count {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                let exact = 1.0 / (degree as f64 + 1.0);
                assert!((sum - exact).abs() < 1e-14, "{count} {degree}: {sum}");
            }
        }
    }
}
