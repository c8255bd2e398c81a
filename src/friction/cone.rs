//! The cone K: x_N ≥ |x_T| and its Jordan algebra, x ∘ y = (x·y, x_N y_T + y_N x_T).
//!
//! ```text
//!        x_N        inside: contact force that sticks
//!      \  |  /      boundary: slides
//!       \ | /
//!     ───\|/──── x_T
//! ```

use nalgebra::{Matrix3, Vector2, Vector3};

/// s = (x∘x + y∘y + 2τ²e)^½ in the algebra of K, with what its derivative needs.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The root.
    pub s: Vector3<f64>,
    /// Its determinant √λ₁ √λ₂.
    pub det: f64,
    /// λ₁ vanishes against λ₂, or both vanish: s has no inverse.
    pub singular: bool,
}

impl Root {
    /// The root of x∘x + y∘y + 2τ²e.
    #[inline]
    pub fn of_squares(x: &Vector3<f64>, y: &Vector3<f64>, tau: f64) -> Self {
        let z = x.norm_squared() + y.norm_squared() + 2.0 * tau * tau;
        let a = Vector2::new(x.x * x.y + y.x * y.y, x.x * x.z + y.x * y.z);
        let length = a.norm();
        // Rounding may push the smaller eigenvalue below zero.
        let (l1, l2) = ((z - 2.0 * length).max(0.0), z + 2.0 * length);
        let (s1, s2) = (l1.sqrt(), l2.sqrt());
        // Where a = 0 both eigenvalues agree and the direction does not matter.
        let w = if length > 0.0 {
            a / length
        } else {
            Vector2::zeros()
        };
        let tangent = w * (0.5 * (s2 - s1));
        let s = Vector3::new(0.5 * (s1 + s2), tangent.x, tangent.y);
        Self {
            s,
            det: s1 * s2,
            singular: l1 <= 1e-14 * l2,
        }
    }

    /// L_s⁻¹ = (1/det) [[s_N, −s_Tᵀ], [−s_T, (det I + s_T s_Tᵀ)/s_N]].
    #[inline]
    pub fn inverse_arrow(&self) -> Matrix3<f64> {
        let s = &self.s;
        let (i, n) = (
            1.0 / self.det.max(f64::MIN_POSITIVE),
            s.x.max(f64::MIN_POSITIVE),
        );
        let across = s.y * s.z / n * i;
        let (along_1, along_2) = (
            (self.det + s.y * s.y) / n * i,
            (self.det + s.z * s.z) / n * i,
        );
        Matrix3::new(
            n * i,
            -s.y * i,
            -s.z * i,
            -s.y * i,
            along_1,
            across,
            -s.z * i,
            across,
            along_2,
        )
    }
}

/// L_x = [[x_N, x_Tᵀ], [x_T, x_N I]]: multiplication by x.
#[inline]
pub fn arrow(x: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(x.x, x.y, x.z, x.y, x.x, 0.0, x.z, 0.0, x.x)
}

/// Puts an impulse into the friction cone: shortens the tangential part; a pull becomes nothing.
pub fn shorten(r: &mut Vector3<f64>, mu: f64) {
    r.x = r.x.max(0.0);
    let (tangent, radius) = (r.y * r.y + r.z * r.z, mu * r.x);
    if tangent > radius * radius {
        let scale = radius / tangent.sqrt();
        r.y *= scale;
        r.z *= scale;
    }
}

/// The point of the friction cone |x_T| ≤ µ x_N nearest to x.
#[inline]
pub fn project(x: &Vector3<f64>, mu: f64) -> Vector3<f64> {
    let tangent = x.y.hypot(x.z);
    if mu * tangent <= -x.x {
        return Vector3::zeros();
    }
    if tangent <= mu * x.x {
        return *x;
    }
    let normal = (x.x + mu * tangent) / (1.0 + mu * mu);
    let scale = mu * normal / tangent;
    Vector3::new(normal, x.y * scale, x.z * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_squares_back() {
        let (x, y, tau) = (
            Vector3::new(1.0, -0.4, 2.0),
            Vector3::new(-0.3, 0.8, 0.1),
            0.2,
        );
        let root = Root::of_squares(&x, &y, tau);
        let squared = arrow(&root.s) * root.s;
        let expected = arrow(&x) * x + arrow(&y) * y + Vector3::x() * (2.0 * tau * tau);
        assert!((squared - expected).norm() < 1e-14);
        assert!((root.inverse_arrow() * arrow(&root.s) - Matrix3::identity()).norm() < 1e-13);
    }

    #[test]
    fn shortening_leaves_what_is_inside_alone() {
        let mut inside = Vector3::new(2.0, 0.3, 0.4);
        shorten(&mut inside, 0.5);
        assert_eq!(inside, Vector3::new(2.0, 0.3, 0.4));
        let mut outside = Vector3::new(1.0, 3.0, 4.0);
        shorten(&mut outside, 0.5);
        assert!((outside - Vector3::new(1.0, 0.3, 0.4)).norm() < 1e-15);
        let mut pull = Vector3::new(-1.0, 0.1, 0.0);
        shorten(&mut pull, 0.5);
        assert_eq!(pull, Vector3::zeros());
    }

    #[test]
    fn what_projection_takes_away_lies_in_the_polar_cone() {
        for mu in [0.0, 0.3, 2.0] {
            for k in 0..200 {
                let x = Vector3::new((f64::from(k)).sin(), (2.3 * f64::from(k)).cos(), 0.4);
                let p = project(&x, mu);
                let rest = p - x;
                assert!(p.y.hypot(p.z) <= mu * p.x + 1e-15, "{p} lies outside");
                assert!(mu * rest.y.hypot(rest.z) <= rest.x + 1e-15, "{rest}");
                assert!(p.dot(&rest).abs() < 1e-15);
            }
        }
    }
}
