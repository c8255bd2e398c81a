//! Damped Newton on the Fischer-Burmeister function of one contact [Daviet11, app. A.2].
//!
//! φ = ½|f|², d = −J⁻¹ f, or the gradient −Jᵀ f where d is no descent; Armijo's rule; the best iterate is kept.

use nalgebra::Vector3;

use super::Contact;

/// Newton steps before the contact is called unsolved; those that converge take about three.
const MAX_STEPS: usize = 25;
/// d counts as a descent direction from this cosine on.
const MIN_COSINE: f64 = 1e-3;
/// Share of the predicted decrease that a step must reach.
const ARMIJO: f64 = 1e-4;
/// Halvings before a line search gives up.
const MAX_HALVINGS: usize = 12;

/// Improves `r`; returns whether it solves the contact.
pub fn solve(contact: &Contact, r: &mut Vector3<f64>) -> bool {
    let law = contact.law();
    let tolerance = contact.tolerance();
    let velocity = |r: &Vector3<f64>| contact.w * r + contact.b;
    let mut f = law.value(r, &velocity(r));
    if f.norm() <= tolerance {
        return true;
    }
    let mut jacobian = law.value_and_jacobian(r, &velocity(r), contact.w).1;
    for _ in 0..MAX_STEPS {
        let gradient = jacobian.tr_mul(&f);
        let newton = jacobian
            .try_inverse()
            .map(|inverse| inverse * -f)
            .filter(|d| d.iter().all(|x| x.is_finite()));
        let d = match newton {
            Some(d) if d.dot(&gradient) <= -MIN_COSINE * d.norm() * gradient.norm() => d,
            _ => -gradient,
        };
        let enough = |t: f64| 0.5 * f.norm_squared() + ARMIJO * t * d.dot(&gradient);
        // A whole step is the rule: its derivative is wanted with it.
        let whole = *r + d;
        let (value, derivative) = law.value_and_jacobian(&whole, &velocity(&whole), contact.w);
        if 0.5 * value.norm_squared() <= enough(1.0) {
            (*r, f, jacobian) = (whole, value, derivative);
        } else {
            let shorter = (1..MAX_HALVINGS)
                .map(|k| 0.5_f64.powi(k as i32))
                .map(|t| (t, *r + d * t))
                .find(|(t, trial)| {
                    0.5 * law.value(trial, &velocity(trial)).norm_squared() <= enough(*t)
                });
            let Some((_, next)) = shorter else {
                // No descent left: rounding, or a local minimum.
                return f.norm() <= tolerance.max(1e3 * contact.rounding());
            };
            *r = next;
            (f, jacobian) = law.value_and_jacobian(r, &velocity(r), contact.w);
        }
        if f.norm() <= tolerance {
            return true;
        }
    }
    false
}
