//! One pass over the components of one contact \[Duriez06\].
//!
//! r_N = max(0, −(b_N + W_NT r_T)/W_NN) with the old r_T; then r_T = −W_TT⁻¹ (b_T + W_TN r_N), which would stop all
//! slip, shortened to the length µ r_N.
//!
//! Shortening keeps the direction of the impulse that would stop slip, which is opposite to the slip only if W_TT is
//! isotropic. So what Gauss-Seidel sweeps settle on is not Coulomb friction: it may push askew to the slip.

use nalgebra::{Matrix2, Vector2, Vector3};

use super::Contact;
use crate::friction::cone::shorten;

/// One pass; returns whether the result happens to obey Coulomb's law.
pub fn solve(contact: &Contact, r: &mut Vector3<f64>) -> bool {
    r.x = normal_impulse(contact, r);
    let w = contact.w;
    let pushed = Vector2::new(contact.b.y + w[(1, 0)] * r.x, contact.b.z + w[(2, 0)] * r.x);
    let stop = stopping_impulse(&w.fixed_view::<2, 2>(1, 1).into(), &pushed);
    (r.y, r.z) = (stop.x, stop.y);
    shorten(r, contact.mu);
    contact.error(r) <= contact.tolerance()
}

/// r_N with which u_N = 0, or none if the contact would have to pull.
pub(super) fn normal_impulse(contact: &Contact, r: &Vector3<f64>) -> f64 {
    let w = contact.w;
    let free = contact.b.x + w[(0, 1)] * r.y + w[(0, 2)] * r.z;
    if w[(0, 0)] > 0.0 {
        (-free / w[(0, 0)]).max(0.0)
    } else {
        0.0
    }
}

/// −W_TT⁻¹ u_T; where W_TT is singular, as if it were its mean diagonal; where it is void, nothing.
fn stopping_impulse(w: &Matrix2<f64>, u: &Vector2<f64>) -> Vector2<f64> {
    let (trace, det) = (w.trace(), w.determinant());
    if det > 1e-12 * trace * trace {
        -Matrix2::new(w.m22, -w.m12, -w.m21, w.m11) * u / det
    } else if trace > 0.0 {
        -u * (2.0 / trace)
    } else {
        Vector2::zeros()
    }
}
