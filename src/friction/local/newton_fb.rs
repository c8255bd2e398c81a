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
    let (mut f, mut jacobian) = law.value_and_jacobian(r, &(contact.w * *r + contact.b), contact.w);
    for _ in 0..MAX_STEPS {
        let phi = 0.5 * f.norm_squared();
        if f.norm() <= tolerance {
            return true;
        }
        let gradient = jacobian.tr_mul(&f);
        let newton = jacobian
            .lu()
            .solve(&-f)
            .filter(|d| d.iter().all(|x| x.is_finite()));
        let d = match newton {
            Some(d) if d.dot(&gradient) <= -MIN_COSINE * d.norm() * gradient.norm() => d,
            _ => -gradient,
        };
        let slope = d.dot(&gradient);
        let mut t = 1.0;
        let mut accepted = None;
        for _ in 0..MAX_HALVINGS {
            let trial = *r + d * t;
            let value = law.value(&trial, &(contact.w * trial + contact.b));
            if 0.5 * value.norm_squared() <= phi + ARMIJO * t * slope {
                accepted = Some(trial);
                break;
            }
            t *= 0.5;
        }
        let Some(next) = accepted else {
            // No descent left: rounding, or a local minimum.
            return f.norm() <= tolerance.max(1e3 * contact.rounding());
        };
        *r = next;
        (f, jacobian) = law.value_and_jacobian(r, &(contact.w * *r + contact.b), contact.w);
    }
    f.norm() <= tolerance
}
