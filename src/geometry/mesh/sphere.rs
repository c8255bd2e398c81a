//! Spheres of triangles, smooth or bumpy: an icosahedron whose triangles are quartered again and again.

use nalgebra::{Point3, Vector3};

use super::{MeshError, TriangleMesh};

/// Quartering more often only exhausts memory: this makes 327 680 triangles.
pub const MOST_SUBDIVISIONS: usize = 7;

/// A sphere about the origin whose surface swells and sinks by up to `bumps_m`: in direction x its radius is
/// R + h/3 (cos kx₁ + cos kx₂ + cos kx₃), with k = π waves/2, so that there are about `waves` bumps on the way around.
pub fn bumpy_sphere(
    radius_m: f64,
    bumps_m: f64,
    waves: f64,
    subdivisions: usize,
) -> Result<TriangleMesh, MeshError> {
    let k = 0.5 * std::f64::consts::PI * waves;
    let radius = |x: &Vector3<f64>| {
        let swell: f64 = x.iter().map(|x| (k * x).cos()).sum();
        radius_m + bumps_m * swell / 3.0
    };
    let (directions, triangles) = unit_sphere(subdivisions.min(MOST_SUBDIVISIONS));
    let vertices: Vec<Point3<f64>> = directions
        .iter()
        .map(|x| Point3::from(x * radius(x)))
        .collect();
    TriangleMesh::new(&vertices, &triangles)
}

fn unit_sphere(subdivisions: usize) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = icosahedron();
    for _ in 0..subdivisions {
        let middles = Middles::of(&triangles, &mut points);
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|edge| middles.at(edge));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (points, triangles)
}

/// The corners in the middle of edges, found by edge.
struct Middles {
    edges: Vec<[u32; 2]>,
    first: u32,
}

impl Middles {
    fn of(triangles: &[[u32; 3]], points: &mut Vec<Vector3<f64>>) -> Self {
        let mut edges: Vec<[u32; 2]> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .filter(|[a, b]| a < b)
            .collect();
        edges.sort_unstable();
        let first = points.len() as u32;
        for &[a, b] in &edges {
            let middle = points[a as usize] + points[b as usize];
            points.push(middle.normalize());
        }
        Self { edges, first }
    }

    fn at(&self, [a, b]: [u32; 2]) -> u32 {
        // Every edge has two triangles, of which one runs along it upwards; so it is in the list.
        let place = self
            .edges
            .partition_point(|edge| *edge < [a.min(b), a.max(b)]);
        self.first + place as u32
    }
}

fn icosahedron() -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (s, t) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
        points.extend([
            Vector3::new(0.0, s, t).normalize(),
            Vector3::new(s, t, 0.0).normalize(),
            Vector3::new(t, 0.0, s).normalize(),
        ]);
    }
    // Its triangles are all triples of neighbouring corners.
    let near = |i: usize, j: usize| {
        let (a, b): (&Vector3<f64>, &Vector3<f64>) = (&points[i], &points[j]);
        a.dot(b) > 0.4
    };
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let out = (points[j] - points[i]).cross(&(points[k] - points[i]));
                    let turned = out.dot(&points[i]) < 0.0;
                    let [j, k] = if turned { [k, j] } else { [j, k] };
                    triangles.push([i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    (points, triangles)
}
