//! Parallel transport: turning a vector along with a direction, without twist about it.
//!
//! From t to t′, with b = t × t′ and c = t · t′:  v′ = c v + b × v + b (b · v)/(1 + c).

use nalgebra::Vector3;

/// Carries `v` from direction `from` to direction `to` (unit vectors) by the smallest rotation.
#[inline]
pub fn parallel_transport(
    v: &Vector3<f64>,
    from: &Vector3<f64>,
    to: &Vector3<f64>,
) -> Vector3<f64> {
    let b = from.cross(to);
    let c = from.dot(to);
    // Opposite directions have no smallest rotation; turn by π about any axis across.
    if c < -1.0 + 1e-12 {
        let axis = any_perpendicular(from);
        return 2.0 * axis * axis.dot(v) - v;
    }
    c * v + b.cross(v) + b * (b.dot(v) / (1.0 + c))
}

/// Makes `v` a unit vector perpendicular to the unit vector `axis`; falls back on any such vector.
#[inline]
pub fn orthonormalise(v: &Vector3<f64>, axis: &Vector3<f64>) -> Vector3<f64> {
    (v - axis * axis.dot(v))
        .try_normalize(1e-12)
        .unwrap_or_else(|| any_perpendicular(axis))
}

/// Some unit vector perpendicular to `axis`.
pub fn any_perpendicular(axis: &Vector3<f64>) -> Vector3<f64> {
    // The coordinate axis least along `axis` gives the best-conditioned cross product.
    let smallest = axis.iamin();
    let mut other = Vector3::zeros();
    other[smallest] = 1.0;
    axis.cross(&other).normalize()
}

/// Turns `v` about the unit vector `axis`, which it is perpendicular to.
#[inline]
pub fn rotate_about(v: &Vector3<f64>, axis: &Vector3<f64>, angle: f64) -> Vector3<f64> {
    let (sin, cos) = angle.sin_cos();
    v * cos + axis.cross(v) * sin
}

/// The signed angle from `u` to `v` about `axis`, all unit vectors, both across the axis.
#[inline]
pub fn signed_angle(u: &Vector3<f64>, v: &Vector3<f64>, axis: &Vector3<f64>) -> f64 {
    u.cross(v).dot(axis).atan2(u.dot(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    #[test]
    fn transport_is_the_smallest_rotation() {
        let from = Vector3::new(1.0, 2.0, -0.5).normalize();
        let to = Vector3::new(-0.3, 1.0, 0.8).normalize();
        let rotation = Rotation3::rotation_between(&from, &to).unwrap();
        let v = Vector3::new(0.2, -1.0, 3.0);
        assert!((parallel_transport(&v, &from, &to) - rotation * v).norm() < 1e-14);
    }

    #[test]
    fn transport_to_the_opposite_direction_stays_a_rotation() {
        let from = Vector3::new(1.0, 2.0, -0.5).normalize();
        let v = any_perpendicular(&from);
        let carried = parallel_transport(&v, &from, &-from);
        assert!((carried.norm() - 1.0).abs() < 1e-14);
        assert!(carried.dot(&from).abs() < 1e-14);
        assert!((parallel_transport(&from, &from, &-from) + from).norm() < 1e-14);
    }

    #[test]
    fn signed_angle_inverts_rotate_about() {
        let axis = Vector3::new(0.0, 0.6, 0.8);
        let u = any_perpendicular(&axis);
        for angle in [-3.0, -0.1, 0.0, 1e-9, 2.0] {
            assert!(
                (signed_angle(&u, &rotate_about(&u, &axis, angle), &axis) - angle).abs() < 1e-15
            );
        }
    }
}
