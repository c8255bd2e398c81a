//! Alart and Curnier's function of Coulomb's law, as nonsmooth Newton methods use it [Bertails11, sect. 4.3].
//!
//! f_N = max(0, r_N − ρ u_N) − r_N,  f_T = Π(r_T − ρ u_T) − r_T,  Π projects on the disc of radius δ = µ r_N.
//!
//! \[Alart91\] projects on the disc of radius µ max(0, r_N − ρ u_N), which is what the judge in
//! [`crate::friction::residual`] does. This disc is simpler to differentiate; both vanish at the same points.
//! A disc of negative radius is the centre.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// A contact seen by the law.
#[derive(Clone, Copy, Debug)]
pub struct AlartCurnier {
    /// Coefficient of friction µ.
    pub mu: f64,
    /// ρ, kg: makes velocity and impulse comparable. 3 / tr W makes the function independent of units.
    pub rho: f64,
}

/// What the tangential projection does.
enum Disc {
    /// y lies inside.
    Stick,
    /// y is drawn back to the rim: the direction y/|y| and δ/|y|.
    Slide(Vector2<f64>, f64),
    /// There is no disc.
    Open,
}

impl AlartCurnier {
    /// f(r, u).
    #[inline]
    pub fn value(&self, r: &Vector3<f64>, u: &Vector3<f64>) -> Vector3<f64> {
        let y = self.pushed(r, u);
        let projected = match self.disc(r, &y) {
            Disc::Stick => y,
            Disc::Slide(_, shrink) => y * shrink,
            Disc::Open => Vector2::zeros(),
        };
        let normal = (r.x - self.rho * u.x).max(0.0);
        Vector3::new(normal - r.x, projected.x - r.y, projected.y - r.z)
    }

    /// ∂f/∂r and ∂f/∂u; at a kink, one of the two sides.
    #[inline]
    pub fn derivatives(&self, r: &Vector3<f64>, u: &Vector3<f64>) -> (Matrix3<f64>, Matrix3<f64>) {
        let (mut by_r, mut by_u) = (Matrix3::zeros(), Matrix3::zeros());
        if r.x - self.rho * u.x > 0.0 {
            by_u[(0, 0)] = -self.rho;
        } else {
            by_r[(0, 0)] = -1.0;
        }
        let (tangent_r, tangent_u, by_normal) = match self.disc(r, &self.pushed(r, u)) {
            Disc::Stick => (Matrix2::zeros(), Matrix2::identity(), Vector2::zeros()),
            Disc::Slide(direction, shrink) => {
                let across = Matrix2::identity() - direction * direction.transpose();
                let turn = across * shrink;
                (turn - Matrix2::identity(), turn, direction * self.mu)
            }
            Disc::Open => (-Matrix2::identity(), Matrix2::zeros(), Vector2::zeros()),
        };
        by_r.fixed_view_mut::<2, 2>(1, 1).copy_from(&tangent_r);
        by_r.fixed_view_mut::<2, 1>(1, 0).copy_from(&by_normal);
        by_u.fixed_view_mut::<2, 2>(1, 1)
            .copy_from(&(tangent_u * -self.rho));
        (by_r, by_u)
    }

    /// f(r, W r + b) and its derivative by r.
    pub fn value_and_jacobian(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
        w: &Matrix3<f64>,
    ) -> (Vector3<f64>, Matrix3<f64>) {
        let (by_r, by_u) = self.derivatives(r, u);
        (self.value(r, u), by_u * w + by_r)
    }

    /// y = r_T − ρ u_T.
    fn pushed(&self, r: &Vector3<f64>, u: &Vector3<f64>) -> Vector2<f64> {
        Vector2::new(r.y - self.rho * u.y, r.z - self.rho * u.z)
    }

    fn disc(&self, r: &Vector3<f64>, y: &Vector2<f64>) -> Disc {
        let (length, radius) = (y.norm(), self.mu * r.x);
        if radius <= 0.0 {
            Disc::Open
        } else if length <= radius {
            Disc::Stick
        } else {
            Disc::Slide(y / length, radius / length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-2.0..2.0_f64).prop_map(Vector3::from)
    }

    proptest! {
        #[test]
        fn jacobian_agrees_with_central_differences(
            r in vector(), b in vector(), m in prop::array::uniform9(-1.0..1.0_f64), mu in 0.0..3.0_f64,
        ) {
            let m = Matrix3::from_row_slice(&m);
            let w = m * m.transpose() + Matrix3::identity() * 0.1;
            let law = AlartCurnier { mu, rho: 3.0 / w.trace() };
            let u = w * r + b;
            let (_, jacobian) = law.value_and_jacobian(&r, &u, &w);
            // Differences mean nothing within a few steps of a kink.
            let y = law.pushed(&r, &u).norm();
            prop_assume!((y - mu * r.x).abs() > 1e-3 && (mu * r.x).abs() > 1e-3 && y > 1e-3);
            prop_assume!((r.x - law.rho * u.x).abs() > 1e-3);
            let step = 1e-6;
            for k in 0..3 {
                let mut d = Vector3::zeros();
                d[k] = step;
                let at = |r: Vector3<f64>| law.value(&r, &(w * r + b));
                let difference = (at(r + d) - at(r - d)) / (2.0 * step);
                prop_assert!((difference - jacobian.column(k)).amax() < 1e-6, "{difference} {jacobian}");
            }
        }
    }

    #[test]
    fn vanishes_in_each_regime_and_only_there() {
        let law = AlartCurnier { mu: 0.5, rho: 2.0 };
        let f = |r: [f64; 3], u: [f64; 3]| law.value(&r.into(), &u.into()).norm();
        assert_eq!(f([0.0; 3], [0.3, 1.0, -2.0]), 0.0, "take-off");
        assert_eq!(f([2.0, 0.6, -0.7], [0.0; 3]), 0.0, "stick");
        assert!(f([2.0, 0.6, 0.8], [0.0, -3.0, -4.0]) < 1e-15, "slide");
        assert!(
            f([2.0, 0.6, 0.8], [0.0, 3.0, 4.0]) > 0.1,
            "slide the wrong way"
        );
        assert!(
            f([0.0; 3], [-0.1, 0.0, 0.0]) > 0.1,
            "approach without a force"
        );
        assert!(f([-1.0, 0.0, 0.0], [0.0; 3]) > 0.1, "a pull");
    }
}
