//! The judge: one error by which every solver is measured.
//!
//! rel = maxᵢ dᵢ |AC(rᵢ, uᵢ; ρ = 1/dᵢ)|∞ / max |b|  with dᵢ = tr(Wᵢᵢ)/3:
//! Alart and Curnier's function in units of velocity, over the largest free velocity. It vanishes exactly at the
//! solutions and does not change with the units of the problem.

use nalgebra::{Vector2, Vector3};

use super::Problem;
use super::law::fischer_burmeister::Law;

/// AC(r, u) = r − Π(r − ρ u), where Π projects on [0, ∞) × the disc of radius µ max(0, r_N − ρ u_N).
#[inline]
pub fn alart_curnier(r: &Vector3<f64>, u: &Vector3<f64>, mu: f64, rho: f64) -> Vector3<f64> {
    let normal = (r.x - rho * u.x).max(0.0);
    let tangent = Vector2::new(r.y - rho * u.y, r.z - rho * u.z);
    let (length, radius) = (tangent.norm(), mu * normal);
    let scale = if length > radius {
        radius / length
    } else {
        1.0
    };
    Vector3::new(
        r.x - normal,
        r.y - scale * tangent.x,
        r.z - scale * tangent.y,
    )
}

/// Error of one contact as a velocity, m/s.
#[inline]
pub fn contact_error(r: &Vector3<f64>, u: &Vector3<f64>, mu: f64, d: f64) -> f64 {
    alart_curnier(r, u, mu, 1.0 / d).amax() * d
}

/// Largest free velocity, m/s: what errors are measured against. At least `floor`.
pub fn velocity_scale(problem: &Problem, floor: f64) -> f64 {
    problem.b.iter().fold(floor, |m, b| m.max(b.amax()))
}

/// The error `rel` of impulses r with velocities u = W r + b; infinite if anything is not finite.
pub fn relative_error(
    problem: &Problem,
    r: &[Vector3<f64>],
    u: &[Vector3<f64>],
    scale: f64,
) -> f64 {
    let mut worst = 0.0_f64;
    for i in 0..problem.len() {
        let error = contact_error(&r[i], &u[i], problem.mu[i], problem.mean_diagonal(i));
        if !error.is_finite() {
            return f64::INFINITY;
        }
        worst = worst.max(error);
    }
    if worst == 0.0 { 0.0 } else { worst / scale }
}

/// |AC(r, u; ρ = 1)| over all contacts, in the problem's own units: what other programs print.
pub fn alart_curnier_norm(problem: &Problem, r: &[Vector3<f64>], u: &[Vector3<f64>]) -> f64 {
    let each = (0..problem.len()).map(|i| alart_curnier(&r[i], &u[i], problem.mu[i], 1.0));
    each.map(|f| f.norm_squared()).sum::<f64>().sqrt()
}

/// Largest component of the Fischer-Burmeister function with ρ = 1 over all contacts [Daviet11, sect. 6].
pub fn fischer_burmeister_norm(problem: &Problem, r: &[Vector3<f64>], u: &[Vector3<f64>]) -> f64 {
    let law = |i: usize| Law {
        mu: problem.mu[i],
        rho: 1.0,
    };
    (0..problem.len())
        .map(|i| law(i).value(&r[i], &u[i]).amax())
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vanishes_in_each_regime_and_only_there() {
        let (mu, rho) = (0.5, 2.0);
        let f = |r: [f64; 3], u: [f64; 3]| alart_curnier(&r.into(), &u.into(), mu, rho).norm();
        assert_eq!(f([0.0; 3], [0.3, 1.0, -2.0]), 0.0, "take-off");
        assert_eq!(f([2.0, 0.6, -0.7], [0.0; 3]), 0.0, "stick");
        assert!(f([2.0, 0.6, 0.8], [0.0, -3.0, -4.0]) < 1e-15, "slide");
        assert!(
            f([2.0, 0.6, 0.8], [0.0, 3.0, 4.0]) > 0.1,
            "slide the wrong way"
        );
        assert!(f([2.0, 0.6, 0.9], [0.0; 3]) > 0.01, "outside the cone");
        assert!(
            f([0.0; 3], [-0.1, 0.0, 0.0]) > 0.1,
            "approach without a force"
        );
        assert!(
            f([1.0, 0.0, 0.0], [0.1, 0.0, 0.0]) > 0.1,
            "force at a distance"
        );
    }
}
