//! Solids against solids: where two of them touch, and what a solid of some density weighs. Queries are parry's.
//!
//! A ball touches at one point, which the exact distance of the other's surface gives; all other pairs touch at the few
//! points that a flat face needs so as not to rock.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;

use super::distance::to_surface;
use super::{Shape, TriangleMesh};

/// A mesh is convex when no corner stands out of the plane of a face by more than this share of its size.
const OUT_OF_PLANE: f64 = 1e-6;

/// A solid as other solids see it.
#[derive(Clone)]
pub struct Hull {
    shape: SharedShape,
    /// Radius of a ball.
    ball_m: Option<f64>,
}

impl std::fmt::Debug for Hull {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hull({:?})", self.shape.shape_type())
    }
}

/// Mass, where its middle is, and its moments of inertia about that, in the solid's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// kg.
    pub mass_kg: f64,
    /// m.
    pub centre: Point3<f64>,
    /// kg m².
    pub inertia_kg_m2: Matrix3<f64>,
}

/// A place where two solids touch, or nearly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// On the surface of the first, m.
    pub on_first: Point3<f64>,
    /// On the surface of the second, m.
    pub on_second: Point3<f64>,
    /// From the second to the first.
    pub normal: Vector3<f64>,
    /// Distance of the surfaces, m; negative where they overlap.
    pub gap_m: f64,
    /// The corners, edges or faces that touch, as numbers.
    pub features: [u32; 2],
}

/// What queries work with.
#[derive(Clone, Default)]
pub struct Touching {
    manifolds: Vec<ContactManifold<(), ()>>,
}

impl std::fmt::Debug for Touching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Touching")
    }
}

impl Hull {
    /// The hull of a shape that stands still or follows a script: a mesh is its triangles.
    pub fn of(shape: &Shape) -> Result<Self, String> {
        Self::new(shape, false)
    }

    /// The hull of a shape that is free to move: a mesh must be closed and convex. Errors end a sentence that begins with
    /// the name of the solid.
    pub fn of_free(shape: &Shape) -> Result<Self, String> {
        Self::new(shape, true)
    }

    fn new(shape: &Shape, free: bool) -> Result<Self, String> {
        let mut ball_m = None;
        let shape = match *shape {
            Shape::Plane if free => return Err("is a plane, which has no end and no weight".into()),
            Shape::Plane => SharedShape::halfspace(Vector::Y),
            Shape::Sphere { radius_m } => {
                ball_m = Some(radius_m);
                SharedShape::ball(radius_m)
            }
            Shape::Capsule {
                radius_m,
                half_length_m,
            } => SharedShape::capsule_y(half_length_m, radius_m),
            Shape::Box {
                half_extents_m: [x, y, z],
            } => SharedShape::cuboid(x, y, z),
            Shape::Cylinder {
                radius_m,
                half_length_m,
            } => SharedShape::cylinder(half_length_m, radius_m),
            Shape::Mesh(ref mesh) if free => convex(mesh)?,
            Shape::Mesh(ref mesh) => {
                let corners = mesh.vertices().iter().map(|p| vector(&p.coords)).collect();
                SharedShape::trimesh(corners, mesh.triangles().to_vec())
                    .map_err(|why| format!("has triangles that cannot be touched: {why}"))?
            }
        };
        Ok(Self { shape, ball_m })
    }

    /// What it weighs with this density.
    pub fn mass(&self, density_kg_m3: f64) -> Mass {
        let mass = self.shape.mass_properties(density_kg_m3);
        let inertia = mass.reconstruct_inertia_matrix().to_cols_array();
        Mass {
            mass_kg: mass.mass(),
            centre: Point3::from(from(mass.local_com)),
            inertia_kg_m2: Matrix3::from_column_slice(&inertia),
        }
    }
}

/// Appends where two solids touch that are nearer than `reach_m`. Each is a hull, its shape and its pose.
pub fn touches(
    first: (&Hull, &Shape, &Isometry3<f64>),
    second: (&Hull, &Shape, &Isometry3<f64>),
    reach_m: f64,
    memory: &mut Touching,
    out: &mut Vec<Touch>,
) {
    if let Some(radius_m) = first.0.ball_m {
        out.extend(ball(radius_m, first.2, second.1, second.2).filter(|t| t.gap_m < reach_m));
        return;
    }
    if let Some(radius_m) = second.0.ball_m {
        let touch = ball(radius_m, second.2, first.1, first.2).filter(|t| t.gap_m < reach_m);
        out.extend(touch.map(|t| Touch {
            on_first: t.on_second,
            on_second: t.on_first,
            normal: -t.normal,
            ..t
        }));
        return;
    }
    faces(first.0, first.2, second.0, second.2, reach_m, memory, out);
}

/// A ball against whatever has a distance.
fn ball(
    radius_m: f64,
    pose: &Isometry3<f64>,
    shape: &Shape,
    other: &Isometry3<f64>,
) -> Option<Touch> {
    let centre = Point3::from(pose.translation.vector);
    let near = to_surface(shape, &other.inverse_transform_point(&centre));
    let normal = other * near.normal;
    Some(Touch {
        on_first: centre - normal * radius_m,
        on_second: centre - normal * near.distance,
        normal,
        gap_m: near.distance - radius_m,
        features: [0, 0],
    })
    .filter(|touch| touch.gap_m.is_finite())
}

/// Two solids of which none is a ball.
fn faces(
    first: &Hull,
    first_pose: &Isometry3<f64>,
    second: &Hull,
    second_pose: &Isometry3<f64>,
    reach_m: f64,
    memory: &mut Touching,
    out: &mut Vec<Touch>,
) {
    let between = pose(&first_pose.inv_mul(second_pose));
    let manifolds = &mut memory.manifolds;
    // What was found before must not matter: a world that goes on from a checkpoint has not found it.
    manifolds.truncate(1);
    manifolds.iter_mut().for_each(ContactManifold::clear);
    // Every pair of these shapes is supported; were one not, it would not touch.
    let _ = DefaultQueryDispatcher.contact_manifolds(
        &between,
        &*first.shape.0,
        &*second.shape.0,
        reach_m,
        manifolds,
        &mut None,
    );
    for manifold in manifolds.iter() {
        let normal = -(first_pose * from(manifold.local_n1));
        let [first_part, second_part] = [manifold.subshape_pos1(), manifold.subshape_pos2()];
        for point in manifold.points.iter().filter(|p| p.dist < reach_m) {
            let on_first = first_part.map_or(point.local_p1, |part| *part * point.local_p1);
            let on_second = second_part.map_or(point.local_p2, |part| *part * point.local_p2);
            out.push(Touch {
                on_first: first_pose * Point3::from(from(on_first)),
                on_second: second_pose * Point3::from(from(on_second)),
                normal,
                gap_m: point.dist,
                features: [point.fid1.0, point.fid2.0],
            });
        }
    }
}

/// The hull of a mesh that is its own hull.
fn convex(mesh: &TriangleMesh) -> Result<SharedShape, String> {
    if !mesh.is_closed() {
        return Err("is free to move, so its mesh must be closed; it has holes".into());
    }
    let size = mesh.bounds().high - mesh.bounds().low;
    let most = OUT_OF_PLANE * size.norm();
    for (triangle, normal) in mesh.triangles().iter().zip(mesh.normals()) {
        let on_plane = mesh.vertices()[triangle[0] as usize];
        let stands_out = |p: &Point3<f64>| (p - on_plane).dot(normal) > most;
        if mesh.vertices().iter().any(stands_out) {
            return Err("is free to move, so its mesh must be convex; it has dents".into());
        }
    }
    let corners: Vec<Vector> = mesh.vertices().iter().map(|p| vector(&p.coords)).collect();
    SharedShape::convex_hull(&corners).ok_or_else(|| "has a mesh without volume".into())
}

fn vector(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn from(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

fn pose(pose: &Isometry3<f64>) -> Pose {
    let q = &pose.rotation.coords;
    Pose::from_parts(
        vector(&pose.translation.vector),
        Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::geometry::mesh::bumpy_sphere;

    fn found(
        first: (&Shape, Isometry3<f64>),
        second: (&Shape, Isometry3<f64>),
        reach_m: f64,
    ) -> Vec<Touch> {
        let hulls = [first.0, second.0].map(|shape| Hull::of(shape).expect("a hull"));
        let mut out = Vec::new();
        touches(
            (&hulls[0], first.0, &first.1),
            (&hulls[1], second.0, &second.1),
            reach_m,
            &mut Touching::default(),
            &mut out,
        );
        out
    }

    const CUBE: Shape = Shape::Box {
        half_extents_m: [0.5; 3],
    };

    #[test]
    fn a_box_stands_on_a_plane_with_four_corners_and_on_a_box_with_as_many() {
        for (below, y) in [(Shape::Plane, 0.0), (CUBE, -0.5)] {
            let box_at = Isometry3::new(Vector3::new(0.2, 0.49, 0.1), Vector3::y() * 0.3);
            let touches = found(
                (&CUBE, box_at),
                (&below, Isometry3::translation(0.0, y, 0.0)),
                0.05,
            );
            assert!(touches.len() >= 4, "{touches:?}");
            for touch in &touches {
                assert!((touch.normal - Vector3::y()).norm() < 1e-12);
                assert!((touch.gap_m + 0.01).abs() < 1e-12);
                let apart = touch.on_first - touch.on_second;
                assert!((apart.dot(&touch.normal) - touch.gap_m).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_ball_touches_everything_at_one_point_from_either_side() {
        let ball = Shape::Sphere { radius_m: 0.3 };
        let mesh = Arc::new(bumpy_sphere(0.5, 0.0, 0.0, 3).expect("a ball"));
        let below = [
            Shape::Plane,
            CUBE,
            Shape::Cylinder {
                radius_m: 0.4,
                half_length_m: 0.5,
            },
            Shape::Mesh(mesh),
        ];
        for shape in &below {
            let top = if matches!(shape, Shape::Plane) {
                0.0
            } else {
                0.5
            };
            let at = Isometry3::translation(0.01, top + 0.31, 0.02);
            let one = found((&ball, at), (shape, Isometry3::identity()), 0.05);
            let other = found((shape, Isometry3::identity()), (&ball, at), 0.05);
            assert_eq!((one.len(), other.len()), (1, 1), "{shape:?}");
            assert!((one[0].gap_m - 0.01).abs() < 2e-3, "{shape:?}");
            assert!((one[0].normal + other[0].normal).norm() < 1e-12);
            assert!((one[0].on_first - other[0].on_second).norm() < 1e-12);
        }
    }

    #[test]
    fn masses_are_those_of_the_books() {
        let (r, l, rho): (f64, f64, f64) = (0.2, 0.7, 900.0);
        let ball = Hull::of_free(&Shape::Sphere { radius_m: r }).expect("a ball");
        let mass = ball.mass(rho);
        let m = rho * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        assert!((mass.mass_kg / m - 1.0).abs() < 1e-12);
        assert!((mass.inertia_kg_m2[(1, 1)] / (0.4 * m * r * r) - 1.0).abs() < 1e-12);
        let rod = Shape::Cylinder {
            radius_m: r,
            half_length_m: 0.5 * l,
        };
        let mass = Hull::of_free(&rod).expect("a cylinder").mass(rho);
        let m = rho * std::f64::consts::PI * r * r * l;
        let (along, across) = (0.5 * m * r * r, m * (3.0 * r * r + l * l) / 12.0);
        assert!((mass.inertia_kg_m2[(1, 1)] / along - 1.0).abs() < 1e-12);
        assert!((mass.inertia_kg_m2[(0, 0)] / across - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_free_must_be_convex_and_have_an_end() {
        let free = |shape: &Shape| Hull::of_free(shape).err();
        let bumpy = Arc::new(bumpy_sphere(0.5, 0.05, 6.0, 3).expect("a mesh"));
        let round = Arc::new(bumpy_sphere(0.5, 0.0, 0.0, 3).expect("a mesh"));
        assert!(free(&Shape::Mesh(bumpy)).is_some_and(|why| why.contains("dents")));
        assert!(free(&Shape::Plane).is_some_and(|why| why.contains("no end")));
        assert_eq!(free(&Shape::Mesh(round)), None);
    }
}
