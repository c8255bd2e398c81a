//! The exact solution of one contact by trying the three regimes in turn [Daviet11, app. B; Bonnefon11].
//!
//! Take-off if b_N ≥ 0; stick if r = −W⁻¹b lies in the cone; else slide: with w = W_TN, W̄ = W_TT − w wᵀ/W_NN,
//! c = b_T − b_N w/W_NN, A = adj W̄ and
//!
//! g(α) = −b_N α² + (w·c − b_N tr W̄) α + w·A c − b_N det W̄,
//!
//! u_T = −α r_T means r_T = −(A c + α c)/q, r_N = g/(W_NN q), q = α² + α tr W̄ + det W̄, and the cone asks for
//! W_NN |A c + α c| = µ g. Squared, that is a quartic, whose roots with g < 0 are false. This form of it divides by
//! nothing that may vanish.

use nalgebra::{Matrix2, Vector2, Vector3};

use super::Contact;
use crate::math::polynomial::positive_roots;

/// The solution, or none where W is void or not finite.
pub fn solve(contact: &Contact) -> Option<Vector3<f64>> {
    let (b, mu) = (contact.b, contact.mu);
    if b.x >= 0.0 {
        return Some(Vector3::zeros());
    }
    let trace = contact.w.trace();
    let size = b.norm();
    if !(trace.is_finite() && trace > 0.0 && size.is_finite()) {
        return None;
    }
    // In units in which W and b are of size one, the quartic's coefficients are comparable.
    let unit = 3.0 / trace;
    let w = contact.w * unit;
    let b = b / size;
    let w_n = w[(0, 0)];
    if w_n <= 1e-14 {
        return None;
    }
    if mu == 0.0 {
        return Some(Vector3::new(-b.x / w_n, 0.0, 0.0) * (size * unit));
    }
    let coupling = Vector2::new(0.5 * (w[(1, 0)] + w[(0, 1)]), 0.5 * (w[(2, 0)] + w[(0, 2)]));
    let tangential = Matrix2::new(w[(1, 1)], w[(1, 2)], w[(2, 1)], w[(2, 2)]);
    let reduced = tangential - coupling * coupling.transpose() / w_n;
    let adjugate = Matrix2::new(reduced.m22, -reduced.m12, -reduced.m21, reduced.m11);
    let c = Vector2::new(b.y, b.z) - coupling * (b.x / w_n);
    let (ac, trace, det) = (
        adjugate * c,
        reduced.trace(),
        reduced.determinant().max(0.0),
    );
    let g = [
        coupling.dot(&ac) - b.x * det,
        coupling.dot(&c) - b.x * trace,
        -b.x,
    ];
    let at = |alpha: f64| {
        let q = alpha * alpha + alpha * trace + det;
        let t = -(ac + c * alpha) / q;
        let n = (g[0] + alpha * (g[1] + alpha * g[2])) / (w_n * q);
        Vector3::new(n, t.x, t.y) * (size * unit)
    };
    if det > 0.0 {
        let stick = at(0.0);
        if stick.y.hypot(stick.z) <= mu * stick.x {
            return Some(stick);
        }
    }
    let (m2, n2) = (mu * mu, w_n * w_n);
    let quartic = [
        m2 * g[0] * g[0] - n2 * ac.norm_squared(),
        2.0 * (m2 * g[0] * g[1] - n2 * ac.dot(&c)),
        m2 * (g[1] * g[1] + 2.0 * g[0] * g[2]) - n2 * c.norm_squared(),
        2.0 * m2 * g[1] * g[2],
        m2 * g[2] * g[2],
    ];
    let roots = positive_roots(&quartic);
    let real = |alpha: &&f64| g[0] + **alpha * (g[1] + **alpha * g[2]) > 0.0;
    roots
        .as_slice()
        .iter()
        .find(real)
        .map(|&alpha| at(alpha))
        .filter(|r| r.iter().all(|x| x.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::local::tests::Noise;
    use nalgebra::Matrix3;

    /// The slow twin, which knows nothing of α: friction may point anywhere. For every direction e on the rim of the
    /// cone, u_N = 0 gives r_N, and the slip must lie against e: scans so many directions for sign changes of
    /// e × u_T, and bisects each. Sticking comes first.
    fn brute_force(
        w: &Matrix3<f64>,
        b: &Vector3<f64>,
        mu: f64,
        directions: usize,
    ) -> Vec<Vector3<f64>> {
        let at = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let ray = Vector3::new(1.0, mu * cos, mu * sin);
            // r = s·ray with s = −b_N/(w ray)_N; times that denominator nothing is divided by zero.
            let pushed = w * ray;
            let u = b * pushed.x - pushed * b.x;
            (cos * u.z - sin * u.y, cos * u.y + sin * u.z, pushed.x, ray)
        };
        let mut found = Vec::new();
        let stick = w.lu().solve(&-b).unwrap();
        if stick.y.hypot(stick.z) <= mu * stick.x {
            found.push(stick);
        }
        let step = std::f64::consts::TAU / directions as f64;
        let mut before = at(0.0).0 > 0.0;
        for k in 0..directions {
            let (mut low, mut high) = (k as f64 * step, (k + 1) as f64 * step);
            let after = at(high).0 > 0.0;
            if before != after {
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if (at(middle).0 > 0.0) == before {
                        low = middle
                    } else {
                        high = middle
                    }
                }
                let (_, along, denominator, ray) = at(0.5 * (low + high));
                if denominator > 0.0 && along < 0.0 {
                    found.push(ray * (-b.x / denominator));
                }
            }
            before = after;
        }
        found
    }

    /// Relative distance to the nearest of some solutions.
    fn nearest(r: &Vector3<f64>, twins: &[Vector3<f64>]) -> f64 {
        let apart = twins.iter().map(|t| (t - r).norm() / r.norm());
        apart.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn solves_a_hundred_thousand_contacts_as_the_slow_twin_does() {
        let mut noise = Noise(1);
        for k in 0..100_000 {
            let (w, b, mu) = noise.contact();
            let contact = Contact::new(&w, b, mu);
            let r = solve(&contact).expect("a regular block has a solution");
            assert!(r.x >= 0.0, "contact {k}: a false root");
            let error = contact.error(&r);
            assert!(
                error <= 1e-9 * contact.law().rho * b.norm(),
                "contact {k}: {error}"
            );
            if b.x >= 0.0 {
                assert_eq!(r, Vector3::zeros());
                continue;
            }
            // Two slides close to each other hide from a coarse scan: look closer before complaining.
            let apart = [360, 100_000]
                .into_iter()
                .map(|directions| nearest(&r, &brute_force(&w, &b, mu, directions)))
                .find(|&apart| apart < 1e-6);
            assert!(apart.is_some(), "contact {k}: {r} is none of the twin's");
        }
    }

    #[test]
    fn false_roots_of_the_squared_equation_are_refused() {
        // Stick and two slides solve this one; its squared equation has further roots with r_N < 0.
        let w = Matrix3::new(
            1.7634, -1.6629, 0.6674, -1.6629, 3.1461, -0.1543, 0.6674, -0.1543, 0.5185,
        );
        let b = Vector3::new(-0.1427, 1.2459, 0.7903);
        let contact = Contact::new(&w, b, 4.6503);
        let r = solve(&contact).unwrap();
        assert!(r.x > 0.0 && contact.error(&r) < 1e-12);
    }

    #[test]
    fn degenerate_blocks_never_give_nan() {
        let b = Vector3::new(-1.0, 0.3, 0.2);
        let singular = Vector3::new(1.0, 0.0, 0.0) * Vector3::new(1.0, 0.0, 0.0).transpose();
        for w in [
            Matrix3::identity(),
            Matrix3::zeros(),
            singular,
            Matrix3::repeat(f64::NAN),
        ] {
            for mu in [0.0, 0.3, 10.0] {
                if let Some(r) = solve(&Contact::new(&w, b, mu)) {
                    assert!(r.iter().all(|x| x.is_finite()), "{w} {mu}");
                }
            }
        }
        let r = solve(&Contact::new(&Matrix3::identity(), b, 1.0)).unwrap();
        assert!((r + b).norm() < 1e-15, "an identity block sticks");
    }
}
