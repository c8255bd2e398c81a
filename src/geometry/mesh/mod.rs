//! Triangle meshes as solids: distances in the mesh's own frame, m.
//!
//! A closed mesh has an inside, where distances are negative. An open one (a sheet, or anything with a hole, an edge of
//! three triangles, or triangles that do not agree which way is out) has none: it is a wall that can be touched from
//! both sides, distances are never negative, and normals point to where the query is.
//!
//! The tree and the distances are our own: a closest pair of segment and mesh within a limit is what contact asks for
//! most, and the library at hand (parry) answers it only by an iterative method for convex parts, in vectors of
//! another library.

mod bust;
mod bvh;
mod places;
mod sphere;
mod surface;
#[cfg(test)]
pub(crate) mod tests;
mod triangle;

use nalgebra::{Point3, Vector3};

use super::distance::SurfaceDistance;
use super::segment::point_at;
use super::{Aabb, Ray};
use bvh::Bvh;
use surface::{ALONE, Surface};
use triangle::{Closest, Feature, closest_to_point, closest_to_segment, cut, pierce};

pub use bust::BustPart;
pub use places::Places;
pub use sphere::{MOST_SUBDIVISIONS, bumpy_sphere};

/// Why triangles are not a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// No triangle with an area; so many had none.
    #[error("it has no triangles{}", if *.0 > 0 { format!(" but {} without area", .0) } else { String::new() })]
    Empty(usize),
    /// A corner, counted from 0, is not finite.
    #[error("vertex {} is not three finite numbers", .0 + 1)]
    NotFinite(usize),
    /// A triangle, counted from 0, names a corner that is not there.
    #[error("triangle {} names a vertex that is not there", .0 + 1)]
    NoSuchCorner(usize),
}

/// The closest pair of a segment and a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentDistance {
    /// How far along the segment, 0 to 1.
    pub fraction: f64,
    /// The closest point of the surface, m.
    pub point: Point3<f64>,
    /// Signed distance of the segment's point, m; zero where it goes through the surface.
    pub distance: f64,
    /// Outward unit vector.
    pub normal: Vector3<f64>,
}

/// A rigid surface of triangles.
#[derive(Clone, Debug)]
pub struct TriangleMesh {
    surface: Surface,
    vertex_normals: Vec<Vector3<f64>>,
    tree: Bvh,
    bounds: Aabb,
}

/// Places at which a segment that is partly inside is looked at.
const PROBES: u32 = 8;

impl TriangleMesh {
    /// Makes a mesh of corners, m, and triangles that name them, anticlockwise seen from outside. Triangles without area
    /// are left out; a closed mesh that faces inwards is turned.
    pub fn new(vertices: &[Point3<f64>], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        let mut surface = Surface::new(vertices, triangles)?;
        let corners = |t: &[u32; 3]| t.map(|i| surface.vertices[i as usize]);
        let boxes: Vec<Aabb> = (surface.triangles.iter())
            .map(|t| Aabb::around(&corners(t)))
            .collect();
        let (tree, order) = Bvh::new(&boxes);
        surface.reorder(&order);
        let bounds = tree.bounds().ok_or(MeshError::Empty(surface.dropped))?;
        Ok(Self {
            vertex_normals: surface.vertex_normals(),
            surface,
            tree,
            bounds,
        })
    }

    /// Corners, m.
    pub fn vertices(&self) -> &[Point3<f64>] {
        &self.surface.vertices
    }

    /// Triangles as indices of corners, anticlockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.surface.triangles
    }

    /// Unit normals of the triangles.
    pub fn normals(&self) -> &[Vector3<f64>] {
        &self.surface.normals
    }

    /// Unit normals of the corners, weighted by angle.
    pub fn vertex_normals(&self) -> &[Vector3<f64>] {
        &self.vertex_normals
    }

    /// Corners of all triangles, three by three, with normals to draw them by: smooth, but for creases sharper than
    /// twice `crease_rad`.
    pub fn drawn(&self, crease_rad: f64) -> impl Iterator<Item = (Point3<f64>, Vector3<f64>)> {
        let least = crease_rad.cos();
        let faces = self.triangles().iter().zip(self.normals());
        faces.flat_map(move |(triangle, face)| {
            triangle.map(|i| {
                let smooth = self.vertex_normals[i as usize];
                let normal = if smooth.dot(face) > least {
                    smooth
                } else {
                    *face
                };
                (self.vertices()[i as usize], normal)
            })
        })
    }

    /// Whether it has an inside.
    pub fn is_closed(&self) -> bool {
        self.surface.closed
    }

    /// Triangles that were given but have no area.
    pub fn dropped(&self) -> usize {
        self.surface.dropped
    }

    /// The box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Distance of a point to the surface, negative inside a closed mesh.
    pub fn signed_distance(&self, p: &Point3<f64>) -> SurfaceDistance {
        let query = Aabb { low: *p, high: *p };
        let mut best: Option<(usize, Closest)> = None;
        self.tree.nearest(&query, f64::INFINITY, |triangle, least| {
            let corners = self.corners(triangle);
            let height = self.surface.normals[triangle].dot(&(p - corners[0]));
            // The plane is no farther than the triangle, and sooner known.
            if height * height > least {
                return least;
            }
            let found = closest_to_point(p, &corners);
            if found.distance_squared < least {
                best = Some((triangle, found));
                found.distance_squared
            } else {
                least
            }
        });
        match best {
            Some((triangle, found)) => self.signed(p, triangle, &found),
            // Only a point that is not finite is nearest to nothing.
            None => SurfaceDistance {
                distance: f64::NAN,
                normal: Vector3::y(),
            },
        }
    }

    /// The closest pair of a segment and the surface, if it is nearer than `limit`. Where the segment goes through the
    /// surface, the place nearest to its start.
    pub fn closest_to_segment(
        &self,
        ends: &[Point3<f64>; 2],
        limit: f64,
    ) -> Option<SegmentDistance> {
        if limit <= 0.0 {
            return None;
        }
        let query = Aabb::around(ends);
        let mut best: Option<(usize, f64, Closest)> = None;
        self.tree.nearest(&query, limit * limit, |triangle, least| {
            if self.plane_is_farther(triangle, ends, least) {
                return least;
            }
            let (fraction, found) = closest_to_segment(ends, &self.corners(triangle));
            let earlier = best.is_some_and(|(_, before, _)| fraction < before);
            let squared = found.distance_squared;
            if squared < least || (squared == 0.0 && earlier) {
                best = Some((triangle, fraction, found));
                squared
            } else {
                least
            }
        });
        best.map(|(triangle, fraction, found)| {
            let signed = self.signed(&point_at(ends, fraction), triangle, &found);
            SegmentDistance {
                fraction,
                point: found.point,
                distance: signed.distance,
                normal: signed.normal,
            }
        })
    }

    /// Where along a segment triangles that are nearer than `limit` come nearest to it, between its ends. Of places closer
    /// together than `spacing`, a share of its length, only the nearest counts.
    pub fn places_along(&self, ends: &[Point3<f64>; 2], limit: f64, spacing: f64) -> Places {
        let mut places = Places::default();
        let query = Aabb::around(ends);
        self.tree.nearest(&query, limit * limit, |triangle, least| {
            if self.plane_is_farther(triangle, ends, least) {
                return least;
            }
            let (fraction, found) = closest_to_segment(ends, &self.corners(triangle));
            if found.distance_squared < least && fraction > 0.0 && fraction < 1.0 {
                places.offer(fraction, found.distance_squared);
            }
            least
        });
        places.thin(spacing);
        places
    }

    /// The least signed distance of the points of a segment: exact while all are outside, else the least of a few.
    pub fn piece_distance(&self, ends: &[Point3<f64>; 2]) -> f64 {
        let at = |share: f64| {
            let p = ends[0] + (ends[1] - ends[0]) * share;
            self.signed_distance(&p).distance
        };
        let nearer = at(0.0).min(at(1.0));
        match self.closest_to_segment(ends, nearer.max(0.0)) {
            Some(found) if found.distance > 0.0 => found.distance,
            None if nearer > 0.0 => nearer,
            _ => (1..PROBES)
                .map(|k| at(f64::from(k) / f64::from(PROBES)))
                .fold(nearer.min(0.0), f64::min),
        }
    }

    /// Whether a segment is outside and no nearer than `limit` to the surface: known sooner than how far it is. Sooner still
    /// if it is known that it `starts_outside`.
    pub fn is_clear_of(&self, ends: &[Point3<f64>; 2], limit: f64, starts_outside: bool) -> bool {
        if !Aabb::around(ends).grown(limit).overlaps(&self.bounds) {
            return true;
        }
        if self.is_within(ends, limit) {
            return false;
        }
        starts_outside || !self.surface.closed || !self.is_inside(&ends[0])
    }

    /// Whether any triangle is nearer to a segment than `limit`.
    pub fn is_within(&self, ends: &[Point3<f64>; 2], limit: f64) -> bool {
        let limit_squared = (limit * limit).max(f64::MIN_POSITIVE);
        let mut found = false;
        self.tree
            .nearest(&Aabb::around(ends), limit_squared, |triangle, least| {
                let corners = self.corners(triangle);
                found = found
                    || !self.plane_is_farther(triangle, ends, limit_squared)
                        && closest_to_segment(ends, &corners).1.distance_squared < limit_squared;
                // One is enough: nothing is nearer than this.
                if found { -1.0 } else { least }
            });
        found
    }

    /// Whether the plane of a triangle, and so the triangle, is known to be farther from a segment: on one side of the
    /// plane, its nearer end is no farther from the plane than the segment from the triangle.
    fn plane_is_farther(&self, triangle: usize, ends: &[Point3<f64>; 2], squared: f64) -> bool {
        let corner = self.surface.vertices[self.surface.triangles[triangle][0] as usize];
        let normal = &self.surface.normals[triangle];
        let [p, q] = ends.map(|end| normal.dot(&(end - corner)));
        p * q > 0.0 && p.abs().min(q.abs()).powi(2) > squared
    }

    /// Whether a point that is not on the surface is inside a closed mesh: a ray from it first meets a triangle's back.
    fn is_inside(&self, p: &Point3<f64>) -> bool {
        // Askew to everything that people build along axes.
        let way = Vector3::new(0.371_39, 0.742_78, 0.557_09).normalize();
        let ray = Ray {
            origin: *p,
            direction: way,
        };
        let (mut first, mut inside) = (f64::INFINITY, false);
        self.tree.along(&ray, |triangle, best| {
            match ray.meets_triangle(&self.corners(triangle)) {
                Some(t) if t < best && t < first => {
                    first = t;
                    inside = self.surface.normals[triangle].dot(&way) > 0.0;
                    t
                }
                _ => best,
            }
        });
        inside
    }

    /// Whether a segment goes through the surface.
    pub fn is_pierced_by(&self, ends: &[Point3<f64>; 2]) -> bool {
        let query = Aabb::around(ends);
        self.tree
            .any(&query, |k| pierce(ends, &self.corners(k)).is_some())
    }

    /// Whether a segment that moves straight from one place to another meets the surface on its way. What it sweeps is
    /// taken as two triangles.
    pub fn sweep_hits(&self, from: &[Point3<f64>; 2], to: &[Point3<f64>; 2]) -> bool {
        let query = Aabb::around(from.iter().chain(to));
        let swept = [[from[0], from[1], to[1]], [from[0], to[1], to[0]]];
        self.tree.any(&query, |k| {
            let corners = self.corners(k);
            swept.iter().any(|half| cut(half, &corners))
        })
    }

    /// Distance to the first triangle that a ray meets, from either side, m.
    pub fn first_hit(&self, ray: &Ray) -> Option<f64> {
        let mut first = None;
        self.tree.along(ray, |triangle, best| {
            match ray.meets_triangle(&self.corners(triangle)) {
                Some(t) if t < best => *first.insert(t),
                _ => best,
            }
        });
        first
    }

    fn corners(&self, triangle: usize) -> [Point3<f64>; 3] {
        self.surface.triangles[triangle].map(|i| self.surface.vertices[i as usize])
    }

    /// Which side of the surface `p` is on, and how far.
    ///
    /// The sign is that of (p − c) · n with the closest point c and n the normal of what c is on: a face, an edge (the
    /// sum over both faces), or a corner (the sum by angles) \[Baerentzen05, §3\].
    fn signed(&self, p: &Point3<f64>, triangle: usize, found: &Closest) -> SurfaceDistance {
        let away = p - found.point;
        let length = found.distance_squared.sqrt();
        let outward = self.normal_of(triangle, found.feature);
        let inside = away.dot(&outward) < 0.0;
        let sign = if inside { -1.0 } else { 1.0 };
        let normal = match found.feature {
            // The face's own normal has no noise, however near the surface is.
            Feature::Face => outward,
            // Nearer than this, what is left of the difference is rounding.
            _ if length > 1e-9 * found.point.coords.norm() => away * (sign / length),
            _ => outward,
        };
        if self.surface.closed {
            SurfaceDistance {
                distance: sign * length,
                normal,
            }
        } else {
            SurfaceDistance {
                distance: length,
                normal: normal * sign,
            }
        }
    }

    /// Unit normal of a face, edge or corner.
    fn normal_of(&self, triangle: usize, feature: Feature) -> Vector3<f64> {
        let face = self.surface.normals[triangle];
        let normal = match feature {
            Feature::Face => return face,
            Feature::Edge(k) => match self.surface.neighbours[triangle][k] {
                ALONE => return face,
                other => face + self.surface.normals[other as usize],
            },
            Feature::Corner(k) => self.vertex_normals[self.surface.triangles[triangle][k] as usize],
        };
        // Faces folded back onto each other have no common normal.
        normal.try_normalize(1e-9).unwrap_or(face)
    }
}

impl PartialEq for TriangleMesh {
    /// The rest follows from corners and triangles.
    fn eq(&self, other: &Self) -> bool {
        self.vertices() == other.vertices() && self.triangles() == other.triangles()
    }
}
