//! Laws that every solver of one contact keeps.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

use super::*;

/// Evenly spread numbers from −1 to 1, always the same.
pub(super) struct Noise(pub u64);

impl Noise {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// W = M Mᵀ + 10^(−4…0) I, b, and µ from 0.05 to 5, spread over its logarithm.
    pub(super) fn contact(&mut self) -> (Matrix3<f64>, Vector3<f64>, f64) {
        let m = Matrix3::from_fn(|_, _| self.next());
        let b = Vector3::from_fn(|_, _| self.next());
        let shift = 10f64.powf(2.0 * self.next() - 2.0);
        let mu = 10f64.powf(self.next() - 0.3);
        (m * m.transpose() + Matrix3::identity() * shift, b, mu)
    }
}

/// What repeated solves settle on: a method of one pass needs more than one.
fn settled(local: LocalSolver, contact: &Contact) -> Vector3<f64> {
    let mut r = Vector3::zeros();
    for _ in 0..200 {
        let before = r;
        local.solve(contact, &mut r);
        if r == before {
            break;
        }
    }
    r
}

/// W with mild coupling between its axes.
fn block() -> Matrix3<f64> {
    Matrix3::new(2.0, 0.1, -0.2, 0.1, 1.5, 0.1, -0.2, 0.1, 1.2)
}

#[test]
fn every_solver_knows_take_off() {
    for local in LocalSolver::ALL {
        let w = block();
        let contact = Contact::new(&w, Vector3::new(0.2, 1.0, -3.0), 0.5);
        let mut r = Vector3::zeros();
        assert!(local.solve(&contact, &mut r), "{local:?}");
        assert_eq!(r, Vector3::zeros(), "{local:?}");
    }
}

#[test]
fn every_solver_knows_stick() {
    for local in LocalSolver::ALL {
        let w = block();
        let contact = Contact::new(&w, Vector3::new(-1.0, 0.1, -0.15), 0.5);
        let r = settled(local, &contact);
        let u = w * r + contact.b;
        assert!(u.norm() < 1e-12, "{local:?} slips by {u}");
        assert!(r.y.hypot(r.z) < 0.5 * r.x, "{local:?}");
    }
}

#[test]
fn every_solver_knows_slide() {
    // Along an axis and without coupling even the inexact ones are right.
    let w = Matrix3::from_diagonal(&Vector3::new(2.0, 1.5, 1.5));
    for local in LocalSolver::ALL {
        let contact = Contact::new(&w, Vector3::new(-1.0, 3.0, 0.0), 0.5);
        let r = settled(local, &contact);
        let expected = Vector3::new(0.5, -0.25, 0.0);
        assert!((r - expected).norm() < 1e-12, "{local:?} {r}");
    }
}

#[test]
fn without_friction_there_is_only_a_normal_impulse() {
    let w = block();
    for local in LocalSolver::ALL {
        let contact = Contact::new(&w, Vector3::new(-1.0, 3.0, 0.4), 0.0);
        let r = settled(local, &contact);
        let expected = Vector3::new(0.5, 0.0, 0.0);
        assert!((r - expected).norm() < 1e-12, "{local:?} {r}");
    }
}

#[test]
fn degenerate_contacts_never_give_nan() {
    let b = Vector3::new(-1.0, 0.3, 0.2);
    let column = Vector3::new(1.0, 1.0, 0.0);
    let blocks = [
        Matrix3::identity(),
        Matrix3::zeros(),
        Matrix3::from_diagonal(&Vector3::new(1.0, 0.0, 0.0)),
        Matrix3::from_diagonal(&Vector3::new(0.0, 1.0, 1.0)),
        column * column.transpose(),
    ];
    for local in LocalSolver::ALL {
        for (w, mu) in blocks.iter().flat_map(|w| [(w, 0.0), (w, 0.3), (w, 10.0)]) {
            for scale in [1e-150, 1.0, 1e150] {
                let w = w * scale;
                for b in [b * scale, b, Vector3::zeros()] {
                    let contact = Contact::new(&w, b, mu);
                    let mut r = Vector3::zeros();
                    local.solve(&contact, &mut r);
                    assert!(r.iter().all(|x| x.is_finite()), "{local:?} {w} {mu} {r}");
                    local.solve_safely(&contact, &mut r);
                    assert!(r.iter().all(|x| x.is_finite()), "{local:?} {w} {mu} {r}");
                }
            }
        }
    }
}

#[test]
fn solved_means_that_the_law_holds() {
    let mut noise = Noise(7);
    for _ in 0..3000 {
        let (w, b, mu) = noise.contact();
        let contact = Contact::new(&w, b, mu);
        for local in LocalSolver::ALL {
            let mut r = Vector3::zeros();
            if local.solve(&contact, &mut r) {
                // Newton's method may end at rounding a little above the tolerance; so may the quartic.
                let bound = 1e-9 * contact.law().rho * b.norm();
                assert!(
                    contact.error(&r) <= bound,
                    "{local:?} {}",
                    contact.error(&r)
                );
            }
        }
    }
}

/// Share of random contacts with approach that a local solver solves from r = 0.
fn success(local: LocalSolver) -> f64 {
    let mut noise = Noise(11);
    let (mut solved, mut asked) = (0, 0);
    while asked < 4000 {
        let (w, b, mu) = noise.contact();
        if b.x < 0.0 {
            let contact = Contact {
                tolerance_m_s: 1e-9,
                ..Contact::new(&w, b, mu)
            };
            asked += 1;
            solved += usize::from(local.solve(&contact, &mut Vector3::zeros()));
        }
    }
    solved as f64 / asked as f64
}

#[test]
fn newton_methods_solve_most_contacts_and_damping_helps() {
    let pure = success(LocalSolver::NewtonAcPure);
    let damped = success(LocalSolver::NewtonAcDamped);
    let fischer_burmeister = success(LocalSolver::NewtonFb);
    assert!(pure > 0.9, "{pure}");
    assert!(damped > pure, "{damped} against {pure}");
    assert!(fischer_burmeister > 0.92, "{fischer_burmeister}");
    assert_eq!(success(LocalSolver::Enumerative), 1.0);
}

#[test]
fn the_fail_safe_makes_every_solver_exact() {
    let mut noise = Noise(3);
    for _ in 0..3000 {
        let (w, b, mu) = noise.contact();
        let contact = Contact {
            tolerance_m_s: 1e-9,
            ..Contact::new(&w, b, mu)
        };
        for local in LocalSolver::ALL {
            let mut r = Vector3::zeros();
            let outcome = local.solve_safely(&contact, &mut r);
            assert!(outcome.solved, "{local:?} {w} {b} {mu}");
            assert!(contact.error(&r) <= 2e-9 * contact.law().rho, "{local:?}");
        }
    }
}

/// A sliding contact whose W_TT is not isotropic.
fn askew() -> (Matrix3<f64>, f64) {
    let w = Matrix3::new(1.5, 0.1, 0.05, 0.1, 2.0, 0.3, 0.05, 0.3, 0.8);
    (w, 0.4)
}

/// The same vector in tangent axes turned by an angle.
fn turn(angle: f64) -> Matrix3<f64> {
    let (sin, cos) = angle.sin_cos();
    Matrix3::new(1.0, 0.0, 0.0, 0.0, cos, sin, 0.0, -sin, cos)
}

/// Largest change of the impulse, relative, when the tangent axes are turned.
fn frame_dependence(local: LocalSolver) -> f64 {
    let (w, mu) = askew();
    let mut worst = 0.0_f64;
    for k in 0..24 {
        let slip = f64::from(k) * 0.7;
        let b = Vector3::new(-1.0, 4.0 * slip.cos(), 4.0 * slip.sin());
        let straight = settled(local, &Contact::new(&w, b, mu));
        let q = turn(0.26 * f64::from(k + 1));
        let turned_w = q * w * q.transpose();
        let turned = settled(local, &Contact::new(&turned_w, q * b, mu));
        worst = worst.max((turned - q * straight).norm() / straight.norm());
    }
    worst
}

/// Largest sine of the angle between friction and slip.
fn skew(local: LocalSolver, w: &Matrix3<f64>, mu: f64) -> f64 {
    let mut worst = 0.0_f64;
    for k in 0..24 {
        let angle = f64::from(k) * 0.7;
        let b = Vector3::new(-1.0, 4.0 * angle.cos(), 4.0 * angle.sin());
        let r = settled(local, &Contact::new(w, b, mu));
        let u = w * r + b;
        let (r, u) = (Vector2::new(r.y, r.z), Vector2::new(u.y, u.z));
        worst =
            worst.max(Matrix2::from_columns(&[r, u]).determinant().abs() / (r.norm() * u.norm()));
    }
    worst
}

#[test]
fn only_the_pyramid_depends_on_the_tangent_axes() {
    for local in LocalSolver::ALL {
        let change = frame_dependence(local);
        if local == LocalSolver::FourSides {
            assert!(change > 0.05, "{change}");
        } else {
            assert!(change < 1e-9, "{local:?} {change}");
        }
    }
}

#[test]
fn only_exact_solvers_push_against_the_slip() {
    let (w, mu) = askew();
    for local in LocalSolver::ALL {
        let skewed = skew(local, &w, mu);
        if local.is_exact() {
            assert!(skewed < 1e-9, "{local:?} {skewed}");
        } else {
            assert!(skewed > 0.05, "{local:?} {skewed}");
        }
    }
    // With an isotropic W_TT the method of 2006 is right, and the pyramid still is not.
    let isotropic = Matrix3::from_diagonal(&Vector3::new(1.5, 2.0, 2.0));
    assert!(skew(LocalSolver::Duriez06, &isotropic, mu) < 1e-9);
    assert!(skew(LocalSolver::FourSides, &isotropic, mu) > 0.05);
}
