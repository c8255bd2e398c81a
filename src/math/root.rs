//! A root of a function that changes its sign on an interval.

/// Halvings after which an interval of doubles is as small as it gets.
const MOST_STEPS: usize = 200;

/// Where `f` changes its sign between `low` and `high`: the false position method with the Illinois rule, and a halving
/// where that is slow. If the sign is the same at both ends, the end where |f| is smaller.
pub fn between(low: f64, high: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (mut a, mut b) = (low, high);
    let (mut at_a, mut at_b) = (f(a), f(b));
    if at_a == 0.0 || at_a.signum() == at_b.signum() {
        return if at_a.abs() <= at_b.abs() { a } else { b };
    }
    let mut width = (b - a).abs();
    for _ in 0..MOST_STEPS {
        let mut x = b - at_b * (b - a) / (at_b - at_a);
        let halve = !(x > a.min(b) && x < a.max(b));
        if halve {
            x = 0.5 * (a + b);
        }
        // No number lies between the ends.
        if x == a || x == b {
            break;
        }
        let at_x = f(x);
        if at_x == 0.0 {
            return x;
        }
        if at_x.signum() == at_b.signum() {
            // The other end stays: halving its value pulls the next estimate over to its side.
            at_a *= 0.5;
        } else {
            (a, at_a) = (b, at_b);
        }
        (b, at_b) = (x, at_x);
        let narrower = (b - a).abs();
        if narrower <= f64::EPSILON * b.abs() {
            break;
        }
        if narrower > 0.5 * width {
            let middle = 0.5 * (a + b);
            let at_middle = f(middle);
            if at_middle.signum() == at_b.signum() {
                (b, at_b) = (middle, at_middle);
            } else {
                (a, at_a) = (middle, at_middle);
            }
        }
        width = (b - a).abs();
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_to_rounding() {
        let cube = between(0.0, 10.0, |x| x * x * x - 5.0);
        assert!((cube - 5.0_f64.cbrt()).abs() < 1e-14, "{cube}");
        let flat = between(-1.0, 2.0, |x: f64| x.powi(9));
        assert!(flat.abs() < 1e-3, "{flat}");
        let steep = between(1e-9, 1.0, |x: f64| (x / 1e-6).ln());
        assert!((steep / 1e-6 - 1.0).abs() < 1e-12, "{steep}");
        assert!((between(4.0, 0.0, f64::cos) - std::f64::consts::FRAC_PI_2).abs() < 1e-14);
    }

    #[test]
    fn without_a_change_of_sign_the_nearer_end_is_given() {
        assert_eq!(between(1.0, 3.0, |x| x), 1.0);
        assert_eq!(between(1.0, 3.0, |x| x - 4.0), 3.0);
    }
}
