//! Triangles on the surface of a field: one corner in every cell of a grid through which the surface goes, moved onto it,
//! and two triangles across every edge of the grid that it cuts.
//!
//! ```text
//!   +───┬───┬───+      the edge between + and − is cut: the corners · of the four cells about it are joined
//!   │ · │ · │   │
//!   +───+───−───−
//!   │ · │ · │   │
//! ```

use nalgebra::{Point3, Vector3};

use super::gradient;

/// Steps that move a corner onto the surface, each about as long as the field says.
const PROJECTIONS: usize = 12;
/// No cell has a corner yet.
const NONE: u32 = u32::MAX;

/// Corners and triangles of the surface field = 0 between two corners of a box, which must enclose it; `cell_m` is the
/// edge of the grid. Triangles are anticlockwise seen from where the field is positive.
pub(super) fn net(
    field: &dyn Fn(&Point3<f64>) -> f64,
    low: Point3<f64>,
    high: Point3<f64>,
    cell_m: f64,
) -> (Vec<Point3<f64>>, Vec<[u32; 3]>) {
    let grid = Grid::new(low, high, cell_m);
    let values: Vec<f64> = (0..grid.len())
        .map(|i| field(&grid.point(grid.at(i))))
        .collect();
    let inside = |at: [usize; 3]| values[grid.index(at)] < 0.0;
    let mut vertices = Vec::new();
    let mut corner = vec![NONE; grid.len()];
    for (i, corner) in corner.iter_mut().enumerate() {
        let at = grid.at(i);
        if !grid.has_cell(at) {
            continue;
        }
        if let Some(middle) = middle(&grid, &values, at) {
            *corner = vertices.len() as u32;
            vertices.push(onto(field, middle, cell_m));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..grid.len() {
        let at = grid.at(i);
        for axis in 0..3 {
            let mut next = at;
            next[axis] += 1;
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            let in_grid = next[axis] < grid.counts[axis] && at[u] > 0 && at[v] > 0;
            if !in_grid || inside(at) == inside(next) {
                continue;
            }
            let about = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[du, dv]| {
                let mut cell = at;
                cell[u] -= 1 - du;
                cell[v] -= 1 - dv;
                corner[grid.index(cell)]
            });
            let mut quad = about;
            if inside(next) {
                quad.reverse();
            }
            triangles.extend(halves(quad, &vertices));
        }
    }
    (vertices, triangles)
}

/// Two triangles of four corners, cut along the shorter diagonal.
fn halves([a, b, c, d]: [u32; 4], vertices: &[Point3<f64>]) -> [[u32; 3]; 2] {
    let length = |p: u32, q: u32| (vertices[p as usize] - vertices[q as usize]).norm();
    match length(a, c) <= length(b, d) {
        true => [[a, b, c], [a, c, d]],
        false => [[a, b, d], [b, c, d]],
    }
}

/// Middle of the places where a cell's edges are cut; none if none is.
fn middle(grid: &Grid, values: &[f64], at: [usize; 3]) -> Option<Point3<f64>> {
    let (mut sum, mut count) = (Vector3::zeros(), 0.0);
    for axis in 0..3 {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        for (du, dv) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let mut from = at;
            from[u] += du;
            from[v] += dv;
            let mut to = from;
            to[axis] += 1;
            let [f, g] = [from, to].map(|at| values[grid.index(at)]);
            if (f < 0.0) != (g < 0.0) {
                let (p, q) = (grid.point(from), grid.point(to));
                sum += (p + (q - p) * (f / (f - g))).coords;
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| Point3::from(sum / count))
}

/// A point near the surface, moved onto it.
fn onto(field: &dyn Fn(&Point3<f64>) -> f64, mut x: Point3<f64>, cell_m: f64) -> Point3<f64> {
    for _ in 0..PROJECTIONS {
        let slope = gradient(field, &x);
        let step = slope * (field(&x) / slope.norm_squared().max(1e-6));
        // No corner leaves its neighbourhood, however thin the surface is there.
        x -= step * (0.5 * cell_m / step.norm().max(0.5 * cell_m));
    }
    x
}

struct Grid {
    low: Point3<f64>,
    cell_m: f64,
    counts: [usize; 3],
}

impl Grid {
    fn new(low: Point3<f64>, high: Point3<f64>, cell_m: f64) -> Self {
        let counts = [0, 1, 2].map(|axis| ((high[axis] - low[axis]) / cell_m).ceil() as usize + 1);
        Self {
            low,
            cell_m,
            counts,
        }
    }

    fn len(&self) -> usize {
        self.counts.iter().product()
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.counts[1] + j) * self.counts[0] + i
    }

    fn at(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.counts;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }

    fn has_cell(&self, at: [usize; 3]) -> bool {
        (0..3).all(|axis| at[axis] + 1 < self.counts[axis])
    }

    fn point(&self, at: [usize; 3]) -> Point3<f64> {
        self.low + Vector3::from(at.map(|i| i as f64)) * self.cell_m
    }
}
