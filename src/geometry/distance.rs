//! Signed distance from a point to the surface of a shape, with the outward direction.

use nalgebra::{Point3, Vector3};

use super::Shape;

/// Distance to a surface: negative inside, `normal` points away from the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// Signed distance, m.
    pub distance: f64,
    /// Outward unit vector.
    pub normal: Vector3<f64>,
}

/// Distance of `p` to `shape`, both in the shape's own frame.
pub fn to_surface(shape: &Shape, p: &Point3<f64>) -> SurfaceDistance {
    match *shape {
        Shape::Plane => SurfaceDistance {
            distance: p.y,
            normal: Vector3::y(),
        },
        Shape::Sphere { radius_m } => ball(&p.coords, radius_m),
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => {
            let axis = Vector3::new(0.0, p.y.clamp(-half_length_m, half_length_m), 0.0);
            ball(&(p.coords - axis), radius_m)
        }
        Shape::Box { half_extents_m } => cuboid(p, &half_extents_m),
        Shape::Cylinder {
            radius_m,
            half_length_m,
        } => cylinder(p, radius_m, half_length_m),
        Shape::Mesh(ref mesh) => mesh.signed_distance(p),
    }
}

fn ball(from_centre: &Vector3<f64>, radius: f64) -> SurfaceDistance {
    let length = from_centre.norm();
    // At the very centre every direction is as good.
    let normal = if length > 0.0 {
        from_centre / length
    } else {
        Vector3::y()
    };
    SurfaceDistance {
        distance: length - radius,
        normal,
    }
}

fn cuboid(p: &Point3<f64>, half: &[f64; 3]) -> SurfaceDistance {
    let over = [0, 1, 2].map(|c| p[c].abs() - half[c]);
    let sign = |c: usize| if p[c] < 0.0 { -1.0 } else { 1.0 };
    let outside = Vector3::from_fn(|c, _| sign(c) * over[c].max(0.0));
    let distance = outside.norm();
    if distance > 0.0 {
        return SurfaceDistance {
            distance,
            normal: outside / distance,
        };
    }
    // Inside: out through the nearest face.
    let nearest = (0..3).fold(0, |best, c| if over[c] > over[best] { c } else { best });
    let mut normal = Vector3::zeros();
    normal[nearest] = sign(nearest);
    SurfaceDistance {
        distance: over[nearest],
        normal,
    }
}

fn cylinder(p: &Point3<f64>, radius: f64, half_length: f64) -> SurfaceDistance {
    let across = Vector3::new(p.x, 0.0, p.z);
    let length = across.norm();
    let radial = if length > 0.0 {
        across / length
    } else {
        Vector3::x()
    };
    let up = Vector3::y() * if p.y < 0.0 { -1.0 } else { 1.0 };
    let (side, end) = (length - radius, p.y.abs() - half_length);
    let outside = radial * side.max(0.0) + up * end.max(0.0);
    let distance = outside.norm();
    if distance > 0.0 {
        SurfaceDistance {
            distance,
            normal: outside / distance,
        }
    } else if side > end {
        SurfaceDistance {
            distance: side,
            normal: radial,
        }
    } else {
        SurfaceDistance {
            distance: end,
            normal: up,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPES: [Shape; 5] = [
        Shape::Plane,
        Shape::Sphere { radius_m: 0.7 },
        Shape::Capsule {
            radius_m: 0.3,
            half_length_m: 0.5,
        },
        Shape::Box {
            half_extents_m: [0.5, 0.2, 0.8],
        },
        Shape::Cylinder {
            radius_m: 0.6,
            half_length_m: 0.4,
        },
    ];

    proptest! {
        #[test]
        fn going_back_along_the_normal_reaches_the_surface(p in prop::array::uniform3(-1.5..1.5_f64), k in 0..5_usize) {
            let p = Point3::from(p);
            let found = to_surface(&SHAPES[k], &p);
            prop_assert!((found.normal.norm() - 1.0).abs() < 1e-12);
            let foot = p - found.normal * found.distance;
            prop_assert!(to_surface(&SHAPES[k], &foot).distance.abs() < 1e-12);
        }

        #[test]
        fn distance_never_grows_faster_than_the_way(
            p in prop::array::uniform3(-1.5..1.5_f64), q in prop::array::uniform3(-1.5..1.5_f64), k in 0..5_usize,
        ) {
            let (p, q) = (Point3::from(p), Point3::from(q));
            let change = to_surface(&SHAPES[k], &p).distance - to_surface(&SHAPES[k], &q).distance;
            prop_assert!(change.abs() <= (p - q).norm() + 1e-12);
        }
    }

    #[test]
    fn known_points() {
        let d = |k: usize, p: [f64; 3]| to_surface(&SHAPES[k], &Point3::from(p)).distance;
        assert!((d(1, [0.0, 1.0, 0.0]) - 0.3).abs() < 1e-15);
        assert!((d(2, [0.0, 1.0, 0.0]) - 0.2).abs() < 1e-15);
        assert!((d(3, [0.5 + 0.3, 0.2 + 0.4, 0.0]) - 0.5).abs() < 1e-15);
        assert!((d(3, [0.0, 0.1, 0.0]) + 0.1).abs() < 1e-15);
        assert!((d(4, [0.6 + 0.3, 0.4 + 0.4, 0.0]) - 0.5).abs() < 1e-15);
    }
}
