//! Three-point bending of a thin rod in closed form, up to integrals [Crespel24, eq. 1, app. A and D].
//!
//! ```text
//!          F                         half of it, turned by the load:
//!          ↓
//!   ───────┬───────                  clamp ├──────____        ___  contact, tangent at α
//!     ○         ○                          0          ‾‾‾○‾‾‾‾     support lifted by δ
//!     ├─── Δ ───┤                          ├──── Δ/2 ────┤
//! ```
//!
//! Lengths are in units of the span Δ, forces are F̂ = F Δ²/B = 48 F̄. Between clamp and contact the tangent turns from
//! θ = 0 to α. With k = κ₀ Δ the natural curvature towards the load, φ = arctan µ and x = α − θ,
//!
//!   (dθ/ds)² = k_c² + F̂ (sin(x − φ) + sin φ) / cos(α − φ),
//!
//! and α and F̂ are such that
//!
//!   ∫ cos θ / (dθ/ds) dθ = ½ − r̄ sin α,     ∫ sin θ / (dθ/ds) dθ = δ̄ − r̄ (1 − cos α),
//!
//! where r̄ is the sum of both radii over the span. For k = 0 and µ = 0 this is [Crespel24, eq. 1], whose printed F̄ lacks
//! a factor 1/12. Friction holds the rod back, which is drawn inwards as the support rises. It acts on the surface of
//! the rod, r̄₁ = r/Δ below its axis, which the papers leave out: at the contact the rod bends by more than it does by
//! nature, k_c = k + r̄₁ F̂ sin φ / (2 cos(α − φ)).
//!
//! The integrand is singular where k and x vanish. With c the slope of the bracket at x = 0 and U² = k_c² + c α, the
//! substitution x = α τ (2 k_c + (U − k_c) τ)/(U + k_c), τ = 0 … 1, makes it smooth for any load and any curvature.

use std::f64::consts::FRAC_PI_2;

use crate::math::quadrature::gauss_legendre;
use crate::math::root;

/// Points of quadrature: twice as many change nothing.
const POINTS: usize = 24;
/// The contact angle stays so far below the one at which the rod slips off, rad.
const SLIPS_OFF: f64 = 1e-4;

/// The rod and its supports, everything over the span Δ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreePointBending {
    /// r̄: radius of the rod and of a support together.
    pub reach: f64,
    /// k = κ₀ Δ: natural curvature, towards the load.
    pub curvature: f64,
    /// µ.
    pub friction: f64,
    /// r̄₁: the radius of the rod, at which friction pulls; 0 as if it pulled at the axis.
    pub lever: f64,
}

/// The rod under a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bent {
    /// F̄ = F Δ²/(48 B).
    pub force: f64,
    /// δ̄ from first touch.
    pub indentation: f64,
    /// α: angle of the tangent at the contact, rad.
    pub angle_rad: f64,
    /// Length of the half rod between clamp and contact.
    pub arc: f64,
}

impl ThreePointBending {
    /// α₀: angle of the tangent where the unloaded rod touches the support, rad.
    pub fn touch_angle_rad(&self) -> f64 {
        // sin α₀ / k = ½ − r̄ sin α₀
        (0.5 * self.curvature / (1.0 + self.curvature * self.reach)).asin()
    }

    /// δ̄₀: how far the support is lifted when it first touches, counted from where it touches a straight rod.
    pub fn touch(&self) -> f64 {
        let k = self.curvature;
        let angle = self.touch_angle_rad();
        // (1 − cos α)/k, without the cancellation of a small k.
        let half = (0.5 * angle).sin();
        let rise = 2.0 * half * half;
        rise * self.reach + if k > 0.0 { rise / k } else { 0.0 }
    }

    /// The rod when the support has been lifted by `indentation` since it first touched; none where there is no
    /// equilibrium with the contact angle below a right one (beyond φ, with friction).
    pub fn at(&self, indentation: f64) -> Option<Bent> {
        if indentation < 0.0 {
            return None;
        }
        let rule = gauss_legendre(POINTS);
        let low = self.touch_angle_rad();
        let high = FRAC_PI_2 + self.friction.atan() - SLIPS_OFF;
        let wanted = self.touch() + indentation;
        let miss = |angle: f64| self.bent(&rule, angle).indentation + self.touch() - wanted;
        if indentation == 0.0 {
            return Some(self.bent(&rule, low));
        }
        let angle = root::between(low, high, miss);
        (angle < high).then(|| self.bent(&rule, angle))
    }

    /// The rod whose contact angle is α.
    fn bent(&self, rule: &[(f64, f64)], angle: f64) -> Bent {
        let across = 0.5 - self.reach * angle.sin();
        let miss = |force: f64| self.shape(rule, angle, force).across - across;
        // A rod that is straight by nature needs more; so does one whose end is not bent by friction.
        let straight = Self {
            curvature: 0.0,
            lever: 0.0,
            ..*self
        };
        let force = if angle <= self.touch_angle_rad() {
            0.0
        } else {
            let unit = straight.shape(rule, angle, 1.0).across / across;
            root::between(0.0, unit * unit, miss)
        };
        let shape = self.shape(rule, angle, force);
        Bent {
            force: force / 48.0,
            indentation: shape.up + self.reach * (1.0 - angle.cos()) - self.touch(),
            angle_rad: angle,
            arc: shape.arc,
        }
    }

    /// Where the contact lies from the clamp, at this angle and load F̂.
    fn shape(&self, rule: &[(f64, f64)], angle: f64, force: f64) -> Shape {
        let phi = self.friction.atan();
        let scale = force / (angle - phi).cos();
        let k = self.curvature + 0.5 * self.lever * scale * phi.sin();
        let u = (k * k + scale * phi.cos() * angle).sqrt();
        let mut shape = Shape::default();
        // A straight rod without load takes all the way there is to turn by α.
        if u + k == 0.0 {
            shape.across = f64::INFINITY;
            return shape;
        }
        for &(tau, weight) in rule {
            let x = angle * tau * (2.0 * k + (u - k) * tau) / (u + k);
            let dx = 2.0 * angle * (k + (u - k) * tau) / (u + k);
            // sin(x − φ) + sin φ, without cancellation.
            let bracket = 2.0 * (0.5 * x).sin() * (0.5 * x - phi).cos();
            let ds = weight * dx / (k * k + scale * bracket).sqrt();
            let (sin, cos) = (angle - x).sin_cos();
            shape.across += ds * cos;
            shape.up += ds * sin;
            shape.arc += ds;
        }
        shape
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    across: f64,
    up: f64,
    arc: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH: f64 = 0.0074;
    /// Curvature times span for κ₀ = 0.1, 0.2, 0.3 cm⁻¹ and Δ = 5 cm.
    const CURVED: [f64; 3] = [0.5, 1.0, 1.5];

    fn rod(reach: f64, curvature: f64, friction: f64) -> ThreePointBending {
        ThreePointBending {
            reach,
            curvature,
            friction,
            lever: 0.0,
        }
    }

    fn force(rod: ThreePointBending, indentation: f64) -> f64 {
        rod.at(indentation).expect("in equilibrium").force
    }

    #[test]
    fn a_straight_rod_meets_its_table() {
        let table = [
            (0.01, 0.00999970, 1.7188, 0.00998972),
            (0.02, 0.01995772, 3.4367, 0.01991793),
            (0.05, 0.04897704, 8.5716, 0.04873558),
            (0.10, 0.09123503, 16.9910, 0.09036806),
            (0.15, 0.12156503, 25.1132, 0.11993211),
            (0.20, 0.13794554, 32.8234, 0.13566477),
            (0.25, 0.14135366, 40.0438, 0.13870689),
            (0.30, 0.13465285, 46.7326, 0.13195931),
            (0.40, 0.10451875, 58.4948, 0.10242629),
        ];
        for (indentation, expected, degrees, thin) in table {
            let bent = rod(REACH, 0.0, 0.0)
                .at(indentation)
                .expect("in equilibrium");
            assert!((bent.force - expected).abs() < 6e-9, "{bent:?}");
            assert!(
                (bent.angle_rad.to_degrees() - degrees).abs() < 6e-5,
                "{bent:?}"
            );
            assert!((bent.indentation - indentation).abs() < 1e-12, "{bent:?}");
            let found = force(rod(0.0, 0.0, 0.0), indentation);
            assert!((found - thin).abs() < 6e-9, "{found}");
        }
    }

    #[test]
    fn the_force_is_largest_where_the_table_says() {
        for (reach, at, most) in [(REACH, 0.239475, 0.141589), (0.0, 0.238189, 0.138996)] {
            let [before, here, after] =
                [-1e-5, 0.0, 1e-5].map(|off| force(rod(reach, 0.0, 0.0), at + off));
            assert!((here - most).abs() < 6e-7, "{here}");
            // The vertex of the parabola through three points.
            let vertex = at + 0.5e-5 * (before - after) / (before - 2.0 * here + after);
            assert!((vertex - at).abs() < 2e-6, "{vertex}");
        }
    }

    #[test]
    fn a_curved_rod_meets_its_table() {
        let touches = [(14.423, 0.063267), (29.757, 0.132840), (47.882, 0.221998)];
        let slopes = [0.9304, 0.7097, 0.3739];
        let at = [0.01, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30];
        let forces = [
            [
                0.009147, 0.041863, 0.071808, 0.088408, 0.092994, 0.088470, 0.078118,
            ],
            [
                0.006847, 0.029084, 0.045508, 0.051105, 0.048833, 0.041726, 0.032290,
            ],
            [
                0.003517, 0.013454, 0.018297, 0.017446, 0.013448, 0.008190, 0.002901,
            ],
        ];
        for (i, curvature) in CURVED.into_iter().enumerate() {
            let rod = rod(REACH, curvature, 0.0);
            let (degrees, touch) = touches[i];
            assert!((rod.touch_angle_rad().to_degrees() - degrees).abs() < 6e-4);
            assert!((rod.touch() - touch).abs() < 6e-7, "{}", rod.touch());
            // Those of the table are of a small indentation, not of none: that fits all three.
            let slope = force(rod, 5e-5) / 5e-5;
            assert!((slope - slopes[i]).abs() < 6e-5, "{slope}");
            for (indentation, expected) in at.into_iter().zip(forces[i]) {
                let found = force(rod, indentation);
                assert!(
                    (found - expected).abs() < 6e-7,
                    "{curvature} {indentation}: {found}"
                );
            }
        }
    }

    #[test]
    fn friction_meets_its_table() {
        let at = [0.05, 0.10, 0.20, 0.30];
        let table = [
            (0.0, 0.1, [0.049567, 0.093474, 0.145259, 0.146845]),
            (0.0, 0.3, [0.050737, 0.097871, 0.159380, 0.170035]),
            (0.0, 0.5, [0.051892, 0.102165, 0.172886, 0.191827]),
            (1.5, 0.1, [0.014884, 0.021025, 0.017920, 0.007925]),
            (1.5, 0.3, [0.017465, 0.025898, 0.025743, 0.016528]),
            (1.5, 0.5, [0.019733, 0.030128, 0.032372, 0.023651]),
        ];
        for (curvature, friction, forces) in table {
            for (indentation, expected) in at.into_iter().zip(forces) {
                let found = force(rod(REACH, curvature, friction), indentation);
                assert!(
                    (found - expected).abs() < 6e-7,
                    "{curvature} {friction} {indentation}: {found}"
                );
            }
        }
    }

    #[test]
    fn a_rod_that_is_hardly_curved_is_straight() {
        for indentation in [0.01, 0.1, 0.4] {
            let straight = force(rod(REACH, 0.0, 0.3), indentation);
            let nearly = force(rod(REACH, 1e-7, 0.3), indentation);
            assert!(
                (nearly / straight - 1.0).abs() < 1e-6,
                "{nearly} {straight}"
            );
        }
    }

    #[test]
    fn small_loads_are_those_of_a_beam() {
        // F̄ = δ̄ = α/3
        let bent = rod(0.0, 0.0, 0.0).at(1e-4).expect("in equilibrium");
        assert!((bent.force / 1e-4 - 1.0).abs() < 1e-6, "{bent:?}");
        assert!((bent.angle_rad / 3e-4 - 1.0).abs() < 1e-6, "{bent:?}");
    }

    /// The slow twin: from the contact inwards, θ and the place by small steps of arc length, the load given.
    fn march(rod: &ThreePointBending, bent: &Bent) -> (f64, f64, f64) {
        let phi = rod.friction.atan();
        let push = 48.0 * bent.force / (2.0 * (bent.angle_rad - phi).cos());
        // Direction of the force on the rod; its moment about a point further in bends the rod.
        let direction = bent.angle_rad + std::f64::consts::FRAC_PI_2 - phi;
        let steps = 20_000;
        let ds = bent.arc / steps as f64;
        let (mut theta, mut x, mut y) = (bent.angle_rad, 0.0_f64, 0.0_f64);
        let couple = rod.lever * push * phi.sin();
        let bend = |x: f64, y: f64| {
            rod.curvature + couple + push * (-x * direction.sin() + y * direction.cos())
        };
        for _ in 0..steps {
            // The midpoint rule, outside in; (x, y) is from the contact.
            let half = theta - 0.5 * ds * bend(x, y);
            let (mx, my) = (x - 0.5 * ds * half.cos(), y - 0.5 * ds * half.sin());
            let middle = theta - 0.5 * ds * bend(mx, my);
            theta -= ds * bend(mx, my);
            x -= ds * middle.cos();
            y -= ds * middle.sin();
        }
        (theta, -x, -y)
    }

    #[test]
    fn the_rod_marched_along_its_length_ends_in_the_clamp() {
        for (curvature, friction, lever, indentation) in [
            (0.0, 0.0, 0.0, 0.3),
            (1.0, 0.0, 0.0, 0.2),
            (1.5, 0.5, 0.0, 0.1),
            (1.5, 0.5, 0.0037, 0.25),
            (0.0, 0.4, 0.02, 0.1),
        ] {
            let rod = ThreePointBending {
                reach: REACH,
                curvature,
                friction,
                lever,
            };
            let bent = rod.at(indentation).expect("in equilibrium");
            let (theta, across, up) = march(&rod, &bent);
            let angle = bent.angle_rad;
            assert!(theta.abs() < 1e-7, "{theta}");
            assert!(
                (across - (0.5 - REACH * angle.sin())).abs() < 1e-7,
                "{across}"
            );
            let lifted = rod.touch() + indentation - REACH * (1.0 - angle.cos());
            assert!((up - lifted).abs() < 1e-7, "{up} {lifted}");
        }
    }

    #[test]
    fn a_rod_that_would_slip_off_has_no_equilibrium() {
        assert_eq!(rod(REACH, 1.5, 0.0).at(0.5), None);
        assert_eq!(rod(REACH, 0.0, 0.0).at(-0.1), None);
        assert!(
            rod(REACH, 1.5, 0.0)
                .at(0.0)
                .is_some_and(|bent| bent.force == 0.0)
        );
    }
}
