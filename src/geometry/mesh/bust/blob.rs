//! Balls, ellipsoids and limbs that melt into each other.
//!
//! The union of two fields a and b with a seam of width k is min(a, b) − k h³/6, h = max(k − |a − b|, 0)/k: smooth to the
//! second derivative, and the same whichever comes first.

use nalgebra::{Point3, Vector3};

/// A simple body.
#[derive(Clone, Copy, Debug)]
pub(super) enum Blob {
    /// Centre and radii, m.
    Ellipsoid([f64; 3], [f64; 3]),
    /// From, to and radius, m.
    Limb([f64; 3], [f64; 3], f64),
}

impl Blob {
    /// Exact for a limb, of first order near the surface of an ellipsoid.
    pub fn distance(&self, x: &Point3<f64>) -> f64 {
        match *self {
            Blob::Ellipsoid(centre, radii) => {
                let p = x - Point3::from(centre);
                let r = Vector3::from(radii);
                let once = p.component_div(&r).norm();
                let twice = p.component_div(&r).component_div(&r).norm();
                // The middle is as far inside as the thinnest radius.
                if twice < 1e-9 {
                    return -r.min();
                }
                once * (once - 1.0) / twice
            }
            Blob::Limb(from, to, radius) => {
                let (a, b) = (Point3::from(from), Point3::from(to));
                let along = (x - a).dot(&(b - a)) / (b - a).norm_squared();
                (x - a - (b - a) * along.clamp(0.0, 1.0)).norm() - radius
            }
        }
    }
}

/// What is done with a blob.
#[derive(Clone, Copy, Debug)]
pub(super) enum Melt {
    /// Added, with a seam so wide, m.
    Add(f64),
    /// Taken away, likewise.
    Dent(f64),
}

/// Blobs, each melted into those before it, on both sides of the plane x = 0.
pub(super) struct Figure {
    /// The first stands alone.
    pub blobs: &'static [(Melt, Blob)],
    /// Cut off level below this height, m, the edge rounded.
    pub floor_m: f64,
}

impl Figure {
    /// About how far outside a point is, m.
    pub fn distance(&self, x: &Point3<f64>) -> f64 {
        // Written for one side: the other is its mirror image.
        let x = Point3::new(x.x.abs(), x.y, x.z);
        let mut field = f64::INFINITY;
        for (melt, blob) in self.blobs {
            let other = blob.distance(&x);
            field = match *melt {
                Melt::Add(_) if field == f64::INFINITY => other,
                Melt::Add(width) => union(field, other, width),
                Melt::Dent(width) => -union(-field, other, width),
            };
        }
        -union(-field, x.y - self.floor_m, 0.02)
    }
}

fn union(a: f64, b: f64, width: f64) -> f64 {
    let h = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - width * h * h * h / 6.0
}
