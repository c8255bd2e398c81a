//! A bust: a head with a face, a neck and shoulders, smooth and of nobody in particular. Two solids, so that the head
//! can turn on the shoulders: both have their origin where the head turns on the neck, y up, the face towards +z.
//!
//! | file | idea |
//! |---|---|
//! | `blob` | balls, ellipsoids and limbs that melt into each other |
//! | `figure` | which of them make a head, and which shoulders |
//! | `net` | triangles on the surface of anything that says how far away it is |

mod blob;
mod figure;
mod net;

use nalgebra::{Point3, Vector3};

use super::{MeshError, TriangleMesh};
use figure::{HEAD, SHOULDERS};
use net::net;

/// Edge of the cells of the net, over the size of the bust: fine enough for a nose.
const CELL: f64 = 0.006;

/// Half of a bust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BustPart {
    /// Head and upper neck.
    Head,
    /// Neck, shoulders and upper chest.
    Shoulders,
}

impl BustPart {
    /// Both.
    pub const ALL: [BustPart; 2] = [BustPart::Head, BustPart::Shoulders];

    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            BustPart::Head => "head",
            BustPart::Shoulders => "shoulders",
        }
    }

    /// The part with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// About how far outside its surface a point is, m; negative inside. Near the surface it is exact to a few percent.
    pub fn distance(self, x: &Point3<f64>) -> f64 {
        match self {
            BustPart::Head => HEAD.distance(x),
            BustPart::Shoulders => SHOULDERS.distance(x),
        }
    }

    /// Where its distance grows, a unit vector.
    pub fn outward(self, x: &Point3<f64>) -> Vector3<f64> {
        gradient(&|y| self.distance(y), x).normalize()
    }

    /// Its surface, a grown person's: a head of 24 cm.
    pub fn mesh(self) -> Result<TriangleMesh, MeshError> {
        let (low, high) = match self {
            BustPart::Head => ([-0.12, -0.10, -0.14], [0.12, 0.24, 0.16]),
            BustPart::Shoulders => ([-0.28, -0.33, -0.16], [0.28, 0.03, 0.14]),
        };
        let (vertices, triangles) = net(
            &|x| self.distance(x),
            Point3::from(low),
            Point3::from(high),
            CELL,
        );
        TriangleMesh::new(&vertices, &triangles)
    }
}

/// Gradient by central differences; the fields are smooth over this length, m.
fn gradient(field: &dyn Fn(&Point3<f64>) -> f64, x: &Point3<f64>) -> Vector3<f64> {
    const H: f64 = 1e-4;
    Vector3::from_fn(|axis, _| {
        let step = Vector3::ith(axis, H);
        (field(&(x + step)) - field(&(x - step))) / (2.0 * H)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bust_is_closed_and_its_corners_lie_on_its_surface() {
        for part in BustPart::ALL {
            let mesh = part.mesh().expect("a mesh");
            assert!(mesh.is_closed(), "{part:?}");
            for vertex in mesh.vertices() {
                let off = part.distance(vertex).abs();
                assert!(off < 1e-5, "{part:?}: {off} m at {vertex}");
            }
            // One piece: V − E + F = 2, with E = 3F/2.
            let (v, f) = (mesh.vertices().len() as i64, mesh.triangles().len() as i64);
            assert_eq!(v - f / 2, 2, "{part:?}");
        }
    }

    #[test]
    fn both_sides_of_a_head_are_alike() {
        for part in BustPart::ALL {
            for (x, y, z) in [(0.05, 0.1, 0.06), (0.08, 0.07, 0.0), (0.15, -0.15, -0.05)] {
                let [a, b] = [1.0, -1.0].map(|side| part.distance(&Point3::new(side * x, y, z)));
                assert!((a - b).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_head_is_as_large_as_a_head() {
        let mesh = BustPart::Head.mesh().expect("a mesh");
        let extent = |axis: usize| {
            let along = mesh.vertices().iter().map(|v| v[axis]);
            let (low, high) = along.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        assert!((0.14..0.20).contains(&extent(0)), "{} m wide", extent(0));
        assert!((0.18..0.26).contains(&extent(2)), "{} m deep", extent(2));
    }
}
