//! Newton on Alart and Curnier's function of one contact [Bertails11, alg. 1]: pure (`PAC`) or damped (`DAC`) by the
//! line search of Goldstein and Price, as compared in [Daviet11, table 2].
//!
//! d = −J⁻¹ f (the listing has + f, with which nothing converges); the best iterate is kept.

use nalgebra::Vector3;

use super::Contact;
use crate::friction::goldstein_price;
use crate::friction::law::alart_curnier::AlartCurnier;

/// Newton steps before the contact is called unsolved; those that converge take about three.
const MAX_STEPS: usize = 25;

/// Improves `r` by whole Newton steps; returns whether it solves the contact.
pub fn solve_pure(contact: &Contact, r: &mut Vector3<f64>) -> bool {
    iterate(contact, r, |_, _| 1.0)
}

/// Improves `r` by Newton steps that decrease ½|f|²; returns whether it solves the contact.
pub fn solve_damped(contact: &Contact, r: &mut Vector3<f64>) -> bool {
    let law = law(contact);
    iterate(contact, r, |r, d| {
        let q = |t: f64| {
            let trial = r + d * t;
            let u = contact.w * trial + contact.b;
            0.5 * law.value(&trial, &u).norm_squared()
        };
        let q0 = q(0.0);
        // Along an exact Newton step the slope of ½|f|² is −|f|². Without descent across a kink, a whole step gets
        // further than giving up.
        goldstein_price::search(q0, -2.0 * q0, q).unwrap_or(1.0)
    })
}

fn law(contact: &Contact) -> AlartCurnier {
    AlartCurnier {
        mu: contact.mu,
        rho: contact.law().rho,
    }
}

/// Newton steps d of length `length(r, d)`.
fn iterate(
    contact: &Contact,
    r: &mut Vector3<f64>,
    length: impl Fn(&Vector3<f64>, &Vector3<f64>) -> f64,
) -> bool {
    let law = law(contact);
    let tolerance = contact.tolerance();
    let mut x = *r;
    let mut least = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let error = contact.error(&x);
        if error < least {
            (*r, least) = (x, error);
        }
        if error <= tolerance {
            return true;
        }
        let u = contact.w * x + contact.b;
        let (f, jacobian) = law.value_and_jacobian(&x, &u, contact.w);
        let Some(d) = jacobian.lu().solve(&-f) else {
            return false;
        };
        x += d * length(&x, &d);
    }
    false
}
