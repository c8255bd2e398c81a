//! From corners and triangles as they come to a surface: which triangles meet at an edge, which way is out.

use nalgebra::{Point3, Vector3};

use super::MeshError;

/// No triangle is on the other side of this edge.
pub(super) const ALONE: u32 = u32::MAX;
/// A triangle whose height is less than this share of its longest edge has no direction.
const FLAT: f64 = 1e-10;

/// Corners without repetition, triangles with a direction, and how they are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub vertices: Vec<Point3<f64>>,
    pub triangles: Vec<[u32; 3]>,
    /// Unit normal of each triangle, by the right-hand rule.
    pub normals: Vec<Vector3<f64>>,
    /// Beyond each edge: the triangle that shares it and runs along it the other way, or [`ALONE`].
    pub neighbours: Vec<[u32; 3]>,
    /// Whether every edge has such a neighbour.
    pub closed: bool,
    /// Triangles without area, left out.
    pub dropped: usize,
}

impl Surface {
    pub fn new(points: &[Point3<f64>], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        if let Some(index) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(MeshError::NotFinite(index));
        }
        let mut surface = Self::default();
        let names = surface.weld(points);
        for (index, triangle) in triangles.iter().enumerate() {
            if triangle.iter().any(|&i| i as usize >= points.len()) {
                return Err(MeshError::NoSuchCorner(index));
            }
            surface.add(triangle.map(|i| names[i as usize]));
        }
        if surface.triangles.is_empty() {
            return Err(MeshError::Empty(surface.dropped));
        }
        surface.join();
        if surface.closed && surface.volume() < 0.0 {
            surface.turn_inside_out();
        }
        Ok(surface)
    }

    /// Corners at the same place become one (files often write them once per triangle); returns their new numbers.
    fn weld(&mut self, points: &[Point3<f64>]) -> Vec<u32> {
        // Adding zero makes −0 and 0 the same.
        let place = |i: u32| points[i as usize].coords.map(|x| (x + 0.0).to_bits());
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        order.sort_unstable_by_key(|&i| {
            let [x, y, z] = place(i).into();
            (x, y, z, i)
        });
        // The first of each group, so that the order of the file stays.
        let mut first = vec![0_u32; points.len()];
        for group in order.chunk_by(|&i, &j| place(i) == place(j)) {
            group.iter().for_each(|&i| first[i as usize] = group[0]);
        }
        let mut names = vec![0_u32; points.len()];
        for i in 0..points.len() {
            if first[i] as usize == i {
                names[i] = self.vertices.len() as u32;
                self.vertices.push(points[i]);
            } else {
                names[i] = names[first[i] as usize];
            }
        }
        names
    }

    fn add(&mut self, triangle: [u32; 3]) {
        let [a, b, c] = triangle.map(|i| self.vertices[i as usize]);
        let across = (b - a).cross(&(c - a));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        if across.norm() > FLAT * longest * longest {
            self.triangles.push(triangle);
            self.normals.push(across.normalize());
        } else {
            self.dropped += 1;
        }
    }

    /// Finds the neighbours: two triangles that run along an edge in opposite directions. Where more meet, or two run the
    /// same way, there is no telling inside from outside.
    fn join(&mut self) {
        let mut edges: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (index, t) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                edges.push(([a.min(b), a.max(b)], index as u32, k as u32));
            }
        }
        edges.sort_unstable();
        self.neighbours = vec![[ALONE; 3]; self.triangles.len()];
        self.closed = true;
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let start = |&(_, triangle, k): &([u32; 2], u32, u32)| {
                self.triangles[triangle as usize][k as usize]
            };
            match group {
                [p, q] if start(p) != start(q) => {
                    self.neighbours[p.1 as usize][p.2 as usize] = q.1;
                    self.neighbours[q.1 as usize][q.2 as usize] = p.1;
                }
                _ => self.closed = false,
            }
        }
    }

    /// Six times the volume inside, m³.
    fn volume(&self) -> f64 {
        // From a corner of its own: far from the origin the sum would lose its digits.
        let origin = self.vertices[0];
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| self.vertices[i as usize] - origin);
            a.cross(&b).dot(&c)
        };
        self.triangles.iter().map(of).sum()
    }

    fn turn_inside_out(&mut self) {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
        // Edges a–b, b–c, c–a become a–c, c–b, b–a.
        for neighbours in &mut self.neighbours {
            neighbours.swap(0, 2);
        }
        for normal in &mut self.normals {
            *normal = -*normal;
        }
    }

    /// Puts the triangles into another order.
    pub fn reorder(&mut self, order: &[u32]) {
        let mut place = vec![0_u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        let at = |old: u32| {
            if old == ALONE {
                ALONE
            } else {
                place[old as usize]
            }
        };
        self.triangles = order.iter().map(|&i| self.triangles[i as usize]).collect();
        self.normals = order.iter().map(|&i| self.normals[i as usize]).collect();
        self.neighbours = order
            .iter()
            .map(|&i| self.neighbours[i as usize].map(at))
            .collect();
    }

    /// Normals of the corners: those of the triangles around, weighted by their angles there. A point whose closest
    /// point is the corner is outside exactly if it is on the side of this normal \[Baerentzen05, eq. 6\].
    pub fn vertex_normals(&self) -> Vec<Vector3<f64>> {
        let mut normals = vec![Vector3::zeros(); self.vertices.len()];
        for (triangle, normal) in self.triangles.iter().zip(&self.normals) {
            let p = triangle.map(|i| self.vertices[i as usize]);
            for k in 0..3 {
                let angle = (p[(k + 1) % 3] - p[k]).angle(&(p[(k + 2) % 3] - p[k]));
                normals[triangle[k] as usize] += normal * angle;
            }
        }
        normals
            .iter()
            .map(|n| n.try_normalize(1e-12).unwrap_or_else(Vector3::zeros))
            .collect()
    }
}
