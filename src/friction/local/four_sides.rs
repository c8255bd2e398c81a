//! One contact with the friction cone replaced by a pyramid: |r_T1| ≤ µ r_N and |r_T2| ≤ µ r_N \[Otaduy09\].
//!
//! ```text
//!     T2           Along each tangent axis friction either sticks, u = 0, or holds against the slip with all it has,
//!   ┌──┴──┐        r = ∓µ r_N where u ≷ 0. Three choices per axis make nine linear systems; the solution is the one
//!  ─┤  ·  ├─ T1    whose answer agrees with the choice. In the corners friction is √2 µ r_N: it depends on how the
//!   └──┬──┘        axes happen to lie.
//! ```

use nalgebra::{Matrix3, Vector3};

use super::Contact;

/// What friction does along the two axes: 0 sticks, ±1 pushes that way with µ r_N. Sticking first.
const FACES: [[f64; 2]; 9] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, 1.0],
    [0.0, -1.0],
    [1.0, 1.0],
    [1.0, -1.0],
    [-1.0, 1.0],
    [-1.0, -1.0],
];

/// A face whose answer contradicts it by less than this, in impulses relative to ρ |b|, is taken at once.
const ROUNDING: f64 = 1e-13;

/// Solves the pyramid; returns whether the result happens to obey Coulomb's law with the round cone.
pub fn solve(contact: &Contact, r: &mut Vector3<f64>) -> bool {
    *r = pyramid(contact);
    contact.error(r) <= contact.tolerance()
}

/// The solution for the pyramid; where rounding leaves none, the answer with the least contradiction.
pub fn pyramid(contact: &Contact) -> Vector3<f64> {
    if contact.b.x >= 0.0 {
        return Vector3::zeros();
    }
    let enough = ROUNDING * contact.law().rho * contact.b.norm();
    let mut least = f64::INFINITY;
    let mut best = Vector3::zeros();
    for face in &FACES {
        let Some(r) = on_face(contact, face) else {
            continue;
        };
        let wrong = contradiction(contact, face, &r);
        if wrong < least {
            (best, least) = (r, wrong);
        }
        if wrong <= enough {
            break;
        }
    }
    best
}

/// The impulse with u_N = 0 and each axis as the face has it: u_k = 0, or r_k = s µ r_N.
fn on_face(contact: &Contact, face: &[f64; 2]) -> Option<Vector3<f64>> {
    let rho = contact.law().rho;
    let mut system: Matrix3<f64> = contact.w * rho;
    let mut rhs = -contact.b * rho;
    for (k, &side) in (1..).zip(face) {
        if side != 0.0 || contact.mu == 0.0 {
            system.set_row(k, &Vector3::zeros().transpose());
            system[(k, k)] = 1.0;
            system[(k, 0)] = -side * contact.mu;
            rhs[k] = 0.0;
        }
    }
    let r = system.lu().solve(&rhs)?;
    r.iter().all(|x| x.is_finite()).then_some(r)
}

/// By how much an answer contradicts its face, as an impulse.
fn contradiction(contact: &Contact, face: &[f64; 2], r: &Vector3<f64>) -> f64 {
    let u = (contact.w * r + contact.b) * contact.law().rho;
    let mut wrong = (-r.x).max(0.0);
    for (k, &side) in (1..).zip(face) {
        let against = if side == 0.0 {
            r[k].abs() - contact.mu * r.x
        } else {
            // Friction pushes against the slip.
            side * u[k]
        };
        wrong = wrong.max(against);
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]
        #[test]
        fn every_random_contact_obeys_the_pyramid(
            m in prop::array::uniform9(-1.0..1.0_f64), b in prop::array::uniform3(-1.0..1.0_f64),
            shift in -4.0..0.0_f64, mu in -1.3..0.7_f64,
        ) {
            let m = Matrix3::from_row_slice(&m);
            let w = m * m.transpose() + Matrix3::identity() * 10f64.powf(shift);
            let (b, mu) = (Vector3::from(b), 10f64.powf(mu));
            let contact = Contact::new(&w, b, mu);
            let r = pyramid(&contact);
            let u = (w * r + b) * contact.law().rho;
            // Box by box: r = projection of r − u.
            let normal = (r.x - u.x).max(0.0);
            let (low, high) = (-mu * r.x, mu * r.x);
            let tolerance = 1e-8 * (b.norm() * contact.law().rho + r.norm());
            prop_assert!((r.x - normal).abs() <= tolerance, "{r} {u}");
            for k in 1..3 {
                prop_assert!((r[k] - (r[k] - u[k]).min(high).max(low)).abs() <= tolerance, "{r} {u}");
            }
        }
    }

    #[test]
    fn friction_in_a_corner_exceeds_the_cone() {
        let w = Matrix3::identity();
        let contact = Contact::new(&w, Vector3::new(-1.0, 5.0, 5.0), 0.5);
        let r = pyramid(&contact);
        assert!((r - Vector3::new(1.0, -0.5, -0.5)).norm() < 1e-15);
        let along = Contact::new(&w, Vector3::new(-1.0, 5.0, 0.0), 0.5);
        assert!((pyramid(&along) - Vector3::new(1.0, -0.5, 0.0)).norm() < 1e-15);
    }
}
