//! Knots whose names are known from elsewhere.

mod invariants;
mod linking;
mod shapes;
mod table;
mod unknots;

use nalgebra::{Point3, Rotation3, Vector3};

/// Numbers from −½ to ½, the same for the same seed.
pub(super) fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }
}

/// A turn about a random axis.
pub(super) fn random_turn(next: &mut impl FnMut() -> f64) -> Rotation3<f64> {
    Rotation3::from_scaled_axis(Vector3::new(next(), next(), next()) * 6.0)
}

/// So many corners of a closed curve.
pub(super) fn closed(count: usize, at: impl Fn(f64) -> [f64; 3]) -> Vec<Point3<f64>> {
    (0..count)
        .map(|k| Point3::from(at(std::f64::consts::TAU * k as f64 / count as f64)))
        .collect()
}

/// The torus knot that winds p times around the axis and q times around the core.
pub(super) fn torus_knot(p: f64, q: f64) -> Vec<Point3<f64>> {
    closed(240, |t| {
        let r = 2.0 + (q * t).cos();
        [r * (p * t).cos(), r * (p * t).sin(), (q * t).sin()]
    })
}

/// The closure of a braid in space: around an axis, strand k at radius 4 + k, with half-turn bumps where two change
/// places. `fine` corners for every letter and strand.
pub(super) fn braid_in_space(word: &[i8], fine: usize) -> Vec<Point3<f64>> {
    let (mut corners, mut at) = (Vec::new(), 1_i8);
    loop {
        for (c, letter) in word.iter().enumerate() {
            let left = letter.abs();
            let to = match at {
                x if x == left => left + 1,
                x if x == left + 1 => left,
                x => x,
            };
            // Above where it goes up in number at a positive letter; level where it does not change place.
            let height = f64::from(to - at) * f64::from(letter.signum());
            for k in 0..fine {
                let s = k as f64 / fine as f64;
                let ease = 0.5 - 0.5 * (std::f64::consts::PI * s).cos();
                let radius = 4.0 + f64::from(at) + f64::from(to - at) * ease;
                let angle = std::f64::consts::TAU * (c as f64 + s) / word.len() as f64;
                let z = 0.5 * height * (std::f64::consts::PI * s).sin();
                corners.push(Point3::new(radius * angle.cos(), radius * angle.sin(), z));
            }
            at = to;
        }
        if at == 1 {
            return corners;
        }
    }
}
