//! Rays: where a line of sight first meets a shape.
//!
//! A ray hits where it enters; one that starts inside does not hit. Along p + t d with |d| = 1, t is a distance.

use nalgebra::{Isometry3, Point3, Vector3};

use super::Shape;

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, m.
    pub origin: Point3<f64>,
    /// Unit direction.
    pub direction: Vector3<f64>,
}

impl Ray {
    /// The point at a distance, m.
    pub fn at(&self, distance_m: f64) -> Point3<f64> {
        self.origin + self.direction * distance_m
    }

    /// Distance to where it enters a shape at a pose, m.
    pub fn enters(&self, shape: &Shape, world_from_body: &Isometry3<f64>) -> Option<f64> {
        let local = Self {
            origin: world_from_body.inverse_transform_point(&self.origin),
            direction: world_from_body.inverse_transform_vector(&self.direction),
        };
        local.enters_own(shape)
    }

    /// The same in the shape's own frame.
    fn enters_own(&self, shape: &Shape) -> Option<f64> {
        let inside = match *shape {
            Shape::Plane => {
                let down = self.direction.y < 0.0 && self.origin.y >= 0.0;
                return down.then(|| -self.origin.y / self.direction.y);
            }
            Shape::Mesh(ref mesh) => return mesh.first_hit(self),
            Shape::Sphere { radius_m } => self.in_ball(&Point3::origin(), radius_m),
            Shape::Capsule {
                radius_m,
                half_length_m,
            } => {
                let ends = [half_length_m, -half_length_m].map(|y| Point3::new(0.0, y, 0.0));
                return self.enters_tube(&ends, radius_m).map(|(t, _)| t);
            }
            Shape::Box { half_extents_m } => {
                let slabs = [0, 1, 2].map(|c| self.in_slab(c, half_extents_m[c]));
                common(common(slabs[0], slabs[1]), slabs[2])
            }
            Shape::Cylinder {
                radius_m,
                half_length_m,
            } => common(self.in_slab(1, half_length_m), self.in_pillar(radius_m)),
        };
        inside.filter(|[enter, _]| *enter >= 0.0).map(|[t, _]| t)
    }

    /// Distance to where it enters a segment thickened by `radius_m`, round at both ends, and how far along the segment
    /// that is, 0 to 1.
    pub fn enters_tube(&self, ends: &[Point3<f64>; 2], radius_m: f64) -> Option<(f64, f64)> {
        let [a, b] = ends;
        // From near the segment, so that nothing is lost to the distance of the eye.
        let near = (a + (b - a) * 0.5 - self.origin).dot(&self.direction);
        let (o, d, e) = (self.at(near) - a, self.direction, b - a);
        let (ee, de, oe) = (e.norm_squared(), d.dot(&e), o.dot(&e));
        // |o + t d − s e| = r with s = ((o + t d) · e)/e² is a quadratic in t.
        let (p, q) = (ee - de * de, ee * o.dot(&d) - oe * de);
        let rest = ee * (o.norm_squared() - radius_m * radius_m) - oe * oe;
        let mut best: Option<(f64, f64)> = None;
        let mut offer = |t: f64, s: f64| {
            if near + t >= 0.0 && best.is_none_or(|(other, _)| near + t < other) {
                best = Some((near + t, s));
            }
        };
        let square = q * q - p * rest;
        if p > 1e-12 * ee && square >= 0.0 {
            let t = (-q - square.sqrt()) / p;
            let along = (oe + t * de) / ee;
            if (0.0..=1.0).contains(&along) {
                offer(t, along);
            }
        }
        for (end, s) in ends.iter().zip([0.0, 1.0]) {
            if let Some([t, _]) = self.in_ball(end, radius_m) {
                offer(t - near, s);
            }
        }
        // What is entered through one part must not be inside another.
        best.filter(|_| !is_inside(&self.origin, ends, radius_m))
    }

    /// Distances between which it is in a ball.
    fn in_ball(&self, centre: &Point3<f64>, radius: f64) -> Option<[f64; 2]> {
        let middle = (centre - self.origin).dot(&self.direction);
        let square = radius * radius - (self.at(middle) - centre).norm_squared();
        let half = (square >= 0.0).then(|| square.sqrt())?;
        Some([middle - half, middle + half])
    }

    /// Distances between which one coordinate is within ±half.
    fn in_slab(&self, axis: usize, half: f64) -> Option<[f64; 2]> {
        let (o, d) = (self.origin[axis], self.direction[axis]);
        if d == 0.0 {
            return (o.abs() <= half).then_some([f64::NEG_INFINITY, f64::INFINITY]);
        }
        let [t, u] = [-half, half].map(|x| (x - o) / d);
        Some([t.min(u), t.max(u)])
    }

    /// Distances between which it is in an endless cylinder about y.
    fn in_pillar(&self, radius: f64) -> Option<[f64; 2]> {
        let flat = |v: &Vector3<f64>| Vector3::new(v.x, 0.0, v.z);
        let (o, d) = (flat(&self.origin.coords), flat(&self.direction));
        let dd = d.norm_squared();
        if dd < 1e-24 {
            return (o.norm() <= radius).then_some([f64::NEG_INFINITY, f64::INFINITY]);
        }
        let middle = -o.dot(&d) / dd;
        let square = (radius * radius - (o + d * middle).norm_squared()) / dd;
        let half = (square >= 0.0).then(|| square.sqrt())?;
        Some([middle - half, middle + half])
    }

    /// Distance to a triangle, from either side, m.
    pub fn meets_triangle(&self, [a, b, c]: &[Point3<f64>; 3]) -> Option<f64> {
        // Möller and Trumbore: o + t d = a + u (b − a) + v (c − a).
        let (e, f) = (b - a, c - a);
        let across = self.direction.cross(&f);
        let volume = e.dot(&across);
        let from = self.origin - a;
        let turned = from.cross(&e);
        let u = from.dot(&across) / volume;
        let v = self.direction.dot(&turned) / volume;
        let t = f.dot(&turned) / volume;
        // Not a number, for a ray along the triangle, is no hit.
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 && t.is_finite()).then_some(t)
    }
}

/// What two spans have in common.
fn common(a: Option<[f64; 2]>, b: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let ([p, q], [r, s]) = (a?, b?);
    let (from, to) = (p.max(r), q.min(s));
    (from <= to).then_some([from, to])
}

fn is_inside(x: &Point3<f64>, [a, b]: &[Point3<f64>; 2], radius: f64) -> bool {
    let e = b - a;
    let s = (x - a).dot(&e) / e.norm_squared().max(f64::MIN_POSITIVE);
    (x - (a + e * s.clamp(0.0, 1.0))).norm() < radius
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::geometry::distance::to_surface;
    use crate::geometry::mesh::bumpy_sphere;
    use proptest::prelude::*;

    fn vector(most: f64) -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-most..most).prop_map(Vector3::from)
    }

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Plane,
            Shape::Sphere { radius_m: 0.6 },
            Shape::Capsule {
                radius_m: 0.3,
                half_length_m: 0.7,
            },
            Shape::Box {
                half_extents_m: [0.5, 0.2, 0.8],
            },
            Shape::Cylinder {
                radius_m: 0.4,
                half_length_m: 0.6,
            },
            Shape::Mesh(Arc::new(bumpy_sphere(0.6, 0.1, 3.0, 3).unwrap())),
        ]
    }

    /// Goes along the ray by what the distance to the surface allows, until it is there.
    fn march(ray: &Ray, shape: &Shape, pose: &Isometry3<f64>) -> Option<f64> {
        let mut t = 0.0;
        for _ in 0..4000 {
            let apart = to_surface(shape, &pose.inverse_transform_point(&ray.at(t))).distance;
            if apart < 1e-7 {
                return Some(t);
            }
            t += apart;
            if t > 20.0 {
                return None;
            }
        }
        // Along the surface for ever: neither.
        Some(f64::NAN)
    }

    proptest! {
        #[test]
        fn a_ray_enters_where_a_walk_along_it_does(
            from in vector(3.0), towards in vector(0.6), place in vector(0.5), turn in vector(2.0),
        ) {
            let pose = Isometry3::new(place, turn);
            let ray = Ray {
                origin: Point3::from(from * 2.0),
                direction: (towards - from * 2.0).normalize(),
            };
            for shape in shapes() {
                let outside = to_surface(&shape, &pose.inverse_transform_point(&ray.origin)).distance;
                if outside <= 1e-3 {
                    continue;
                }
                match (ray.enters(&shape, &pose), march(&ray, &shape, &pose)) {
                    (_, Some(t)) if t.is_nan() => {}
                    (Some(t), Some(walked)) => {
                        // A grazing walk stops early.
                        let here = to_surface(&shape, &pose.inverse_transform_point(&ray.at(t)));
                        prop_assert!(here.distance.abs() < 1e-6, "{shape:?}: {t}");
                        prop_assert!(walked <= t + 1e-6, "{shape:?}: {t} {walked}");
                    }
                    (None, Some(walked)) => {
                        // It may have touched without going in.
                        let deeper = to_surface(&shape, &pose.inverse_transform_point(&ray.at(walked + 1e-3)));
                        prop_assert!(deeper.distance > -1e-6, "{shape:?}: {walked}");
                    }
                    // A plane may be met beyond the end of the walk.
                    (found, None) => prop_assert!(found.is_none_or(|t| t > 19.9), "{shape:?}"),
                }
            }
        }

        #[test]
        fn a_tube_is_hit_where_the_segment_is_one_radius_away(
            a in vector(1.0), b in vector(1.0), from in vector(4.0), radius in 1e-4..0.2_f64,
        ) {
            let ends = [Point3::from(a), Point3::from(b)];
            let origin = Point3::from(from * 5.0);
            let aim = ends[0] + (ends[1] - ends[0]) * 0.3;
            let ray = Ray { origin, direction: (aim - origin).normalize() };
            prop_assume!(!is_inside(&origin, &ends, radius));
            let (t, s) = ray.enters_tube(&ends, radius).expect("it is aimed at the axis");
            let hit = ray.at(t);
            let axis = ends[0] + (ends[1] - ends[0]) * s;
            prop_assert!(((hit - axis).norm() - radius).abs() < 1e-9 + 1e-6 * radius);
            prop_assert!(t <= (aim - origin).norm());
            // And nowhere before.
            for k in 0..50 {
                prop_assert!(!is_inside(&ray.at(t * f64::from(k) / 50.0), &ends, radius * (1.0 - 1e-9)));
            }
        }
    }

    #[test]
    fn from_inside_nothing_is_hit() {
        let ray = Ray {
            origin: Point3::new(0.01, 0.02, 0.0),
            direction: Vector3::x(),
        };
        for shape in shapes() {
            if !matches!(shape, Shape::Plane | Shape::Mesh(_)) {
                assert_eq!(
                    ray.enters(&shape, &Isometry3::identity()),
                    None,
                    "{shape:?}"
                );
            }
        }
    }

    #[test]
    fn a_ray_along_a_tube_hits_its_end() {
        let ends = [Point3::new(0.0, 0.0, 0.0), Point3::new(0.0, 0.0, -1.0)];
        let ray = Ray {
            origin: Point3::new(0.0, 0.0, 5.0),
            direction: -Vector3::z(),
        };
        let (t, s) = ray.enters_tube(&ends, 0.1).unwrap();
        assert!((t - 4.9).abs() < 1e-12 && s == 0.0);
    }
}
