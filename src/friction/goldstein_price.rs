//! The line search of Goldstein and Price [Bonnans03; Bertails11, alg. 2].
//!
//! A step α is long and short enough when m₂ q₀′ ≤ (q(α) − q₀)/α ≤ m₁ q₀′. Too short a step moves the lower end of a
//! bracket, too long a one the upper end; without an upper end the step grows tenfold, else the bracket is halved.
//!
//! The listing in \[Bertails11\] starts at the least step and compares f instead of q = ½|f|²; this starts at 1 and
//! compares q.

/// Largest share of the slope at the start that counts as enough decrease.
const M1: f64 = 0.1;
/// A decrease above this share of the slope shows that the step may grow.
const M2: f64 = 0.9;
/// Trials before the best step seen has to do.
const TRIALS: usize = 25;

/// A step α with q(α) < q₀, within the two bounds if trials suffice; none if no trial decreased q.
///
/// `q0` and `slope` are q and q′ at 0; without a negative slope there is no step.
pub fn search(q0: f64, slope: f64, mut q: impl FnMut(f64) -> f64) -> Option<f64> {
    if slope >= 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut alpha = 1.0;
    let mut best: Option<(f64, f64)> = None;
    for _ in 0..TRIALS {
        let value = q(alpha);
        if value < best.map_or(q0, |(least, _)| least) {
            best = Some((value, alpha));
        }
        let chord = (value - q0) / alpha;
        if chord >= M2 * slope && chord <= M1 * slope {
            return Some(alpha);
        }
        if chord < M2 * slope {
            low = alpha
        } else {
            // What is not a number counts as too long.
            high = alpha
        }
        alpha = if high.is_finite() {
            0.5 * (low + high)
        } else {
            10.0 * alpha
        };
    }
    best.map(|(_, alpha)| alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newton_step_on_a_quadratic_is_taken_whole() {
        assert_eq!(search(1.0, -2.0, |a| (1.0 - a) * (1.0 - a)), Some(1.0));
    }

    #[test]
    fn steps_grow_and_shrink_into_the_bounds() {
        for length in [1e-3, 0.03, 5.0, 4000.0] {
            let q = |a: f64| (1.0 - a / length).powi(2);
            let alpha = search(1.0, -2.0 / length, q).unwrap();
            let chord = (q(alpha) - 1.0) / alpha * length;
            assert!((-1.8..=-0.2).contains(&chord), "{length}: {alpha}");
        }
    }

    #[test]
    fn without_descent_there_is_no_step() {
        assert_eq!(search(1.0, -1.0, |a| 1.0 + a), None);
        assert_eq!(search(1.0, -1.0, |_| f64::NAN), None);
    }
}
