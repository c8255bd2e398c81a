//! One contact by a fixed-point loop over its components \[Duriez08\].
//!
//! As in [`super::duriez06`] the normal impulse follows from the tangential one; but the tangential one is
//! r_T ← Π(r_T − ρ_T u_T), Π shortening to µ r_N and ρ_T = 2/tr W_TT, and both are repeated. Where nothing changes any
//! more r_T is opposite to the slip, so that this is exact Coulomb friction, if it converges.

use nalgebra::Vector3;

use super::Contact;
use super::duriez06::normal_impulse;
use crate::friction::cone::shorten;

/// Passes before the contact is called unsolved; the error falls by a constant factor with each.
const MAX_PASSES: usize = 100;

/// Improves `r`; returns whether it solves the contact.
pub fn solve(contact: &Contact, r: &mut Vector3<f64>) -> bool {
    let w = contact.w;
    let trace = w[(1, 1)] + w[(2, 2)];
    let rho = if trace > 0.0 { 2.0 / trace } else { 0.0 };
    let tolerance = contact.tolerance();
    for _ in 0..MAX_PASSES {
        r.x = normal_impulse(contact, r);
        let u = w * *r + contact.b;
        r.y -= rho * u.y;
        r.z -= rho * u.z;
        shorten(r, contact.mu);
        if contact.error(r) <= tolerance {
            return true;
        }
    }
    false
}
