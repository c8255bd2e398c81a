//! Laws of curves and of their closest points.

mod arcs;
mod parts;
mod special;
mod twin;

use nalgebra::{Matrix3, Point3, Rotation3, Vector3};

use super::Curve;

/// A small generator of numbers, the same on every machine (xorshift).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Even in low … high.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Its logarithm even.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    pub fn direction(&mut self) -> Vector3<f64> {
        loop {
            let v = self.vector();
            if (0.1..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }

    pub fn frame(&mut self) -> Matrix3<f64> {
        let turn = self.direction() * self.between(0.0, 3.1);
        *Rotation3::new(turn).matrix()
    }
}

/// What a helix is made from.
#[derive(Clone, Copy, Debug)]
pub struct HelixData {
    pub start: Point3<f64>,
    pub frame: Matrix3<f64>,
    pub k: Vector3<f64>,
    pub length: f64,
}

impl HelixData {
    pub fn random(dice: &mut Dice) -> Self {
        let length = dice.scale(0.01, 2.0);
        // |k| length from none over tiny to more than three turns.
        let winding = match dice.below(8) {
            0 => 0.0,
            1 => dice.scale(1e-12, 1e-6),
            2 => dice.scale(1e-6, 1e-2),
            3 => dice.between(6.0, 20.0),
            _ => dice.between(0.0, 3.0),
        };
        Self {
            start: Point3::from(dice.vector() * 0.5),
            frame: dice.frame(),
            k: dice.direction() * (winding / length),
            length,
        }
    }

    pub fn curve(&self) -> Curve {
        Curve::helix(self.start, &self.frame, &self.k, self.length)
    }
}

pub fn any_segment(dice: &mut Dice) -> Curve {
    let from = Point3::from(dice.vector() * 0.5);
    let length = dice.scale(1e-4, 2.0);
    Curve::segment(from, from + dice.direction() * length)
}

pub fn any_cubic(dice: &mut Dice) -> Curve {
    let from = Point3::from(dice.vector() * 0.5);
    let size = dice.scale(0.01, 1.0);
    let along = dice.direction() * size;
    let wild = dice.scale(1e-9, 1.0) * size;
    let points = [0.0, 1.0, 2.0, 3.0].map(|k| from + along * k + dice.vector() * wild);
    Curve::cubic(points)
}

pub fn any_curve(dice: &mut Dice) -> Curve {
    match dice.below(4) {
        0 => any_segment(dice),
        1 => any_cubic(dice),
        _ => HelixData::random(dice).curve(),
    }
}

/// Moves a curve as a whole.
pub fn moved(curve: &Curve, by: &Vector3<f64>) -> Curve {
    match curve {
        Curve::Segment(_) => Curve::segment(curve.point(0.0) + by, curve.point(1.0) + by),
        Curve::Helix(arc) => Curve::Helix(arc.moved(by)),
        Curve::Cubic(arc) => Curve::Cubic(arc.moved(by)),
    }
}
