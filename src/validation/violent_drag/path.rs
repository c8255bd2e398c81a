//! Smooth random paths.

use std::f64::consts::TAU;

use nalgebra::Vector3;

/// A stream of scattered numbers between 0 and 1 (xorshift: any will do).
pub(super) struct Random(u64);

impl Random {
    /// The stream of this name.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next vector, each component between −1 and 1.
    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| 2.0 * self.next() - 1.0)
    }
}

/// A sum of swings about the start.
pub(super) struct Path {
    /// Amplitude, m, angular frequency, rad/s, and phase.
    swings: [(Vector3<f64>, f64, f64); 4],
}

impl Path {
    /// A path of about this size, never faster than `fastest_m_s`, and at times nearly as fast.
    pub fn random(size_m: f64, fastest_m_s: f64, random: &mut Random) -> Self {
        let mut swings = [0; 4].map(|_| {
            let frequency = 5.0 + 75.0 * random.next();
            (random.vector() * size_m, frequency, TAU * random.next())
        });
        let most: f64 = swings.iter().map(|(a, w, _)| a.norm() * w).sum();
        let share = (fastest_m_s / most).min(1.0);
        swings.iter_mut().for_each(|(a, _, _)| *a *= share);
        Self { swings }
    }

    /// Displacement from the start, m.
    pub fn at(&self, time_s: f64) -> Vector3<f64> {
        let swing = |(a, w, phase): &(Vector3<f64>, f64, f64)| {
            a * ((w * time_s + phase).sin() - phase.sin())
        };
        self.swings.iter().map(swing).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_is_faster_than_it_may_be_and_some_come_near() {
        let mut fastest = 0.0_f64;
        for seed in 0..20 {
            let path = Path::random(0.25, 20.0, &mut Random::new(seed));
            assert_eq!(path.at(0.0), Vector3::zeros());
            for k in 0..20_000 {
                let t = 1e-3 * f64::from(k);
                let speed = (path.at(t + 1e-4) - path.at(t)).norm() * 1e4;
                assert!(speed <= 20.0 * (1.0 + 1e-9));
                fastest = fastest.max(speed);
            }
        }
        assert!(fastest > 15.0, "{fastest} m/s");
    }
}
