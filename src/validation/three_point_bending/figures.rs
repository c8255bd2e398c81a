//! What is read off one run.

use super::rig::{SAMPLE, Track};

/// Deviations count in proportion to the force from this indentation on; before, where both forces begin at nothing and
/// the first touch still rings, in proportion to the largest force.
pub const FROM: f64 = 0.005;

/// Figures of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Largest |F/F_a − 1| from δ̄ = [`FROM`] on.
    pub deviation: f64,
    /// Where that is.
    pub deviation_at: f64,
    /// Largest |F − F_a| over the peak of F_a before.
    pub beginning: f64,
    /// Mean |d(F/F_a)/dδ̄| over the samples from [`FROM`] on: the L1 norm of [Crespel24, fig. 6].
    pub roughness: f64,
    /// Largest change of F/F_a from one sample to the next.
    pub jump: f64,
}

impl Figures {
    /// Reads them off.
    pub fn of(track: &Track) -> Self {
        let peak = track.theory.iter().copied().fold(0.0, f64::max);
        let mut figures = Self {
            deviation: 0.0,
            deviation_at: FROM,
            beginning: 0.0,
            roughness: 0.0,
            jump: 0.0,
        };
        let mut before: Option<f64> = None;
        let mut samples = 0;
        for (i, &at) in track.indentation.iter().enumerate() {
            let (force, theory) = (track.force[i], track.theory[i]);
            // Half a sample: the indentations are sums of many steps.
            if at < FROM - 0.5 * SAMPLE {
                figures.beginning = figures.beginning.max((force - theory).abs() / peak);
                continue;
            }
            let normalised = force / theory;
            // Not-a-number must not hide: it is as far off as can be.
            let off = match normalised.is_nan() {
                true => f64::INFINITY,
                false => (normalised - 1.0).abs(),
            };
            if off > figures.deviation {
                (figures.deviation, figures.deviation_at) = (off, at);
            }
            if let Some(before) = before {
                let change = (normalised - before).abs();
                figures.roughness += change / SAMPLE;
                figures.jump = figures.jump.max(change);
                samples += 1;
            }
            before = Some(normalised);
        }
        figures.roughness /= f64::from(samples.max(1));
        figures
    }
}

/// F/F_a, sample by sample.
pub fn normalised(track: &Track) -> impl Iterator<Item = f64> {
    track.force.iter().zip(&track.theory).map(|(f, a)| f / a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(force: impl Fn(f64) -> f64) -> Track {
        let indentation: Vec<f64> = (1..=100).map(|i| f64::from(i) * SAMPLE).collect();
        Track {
            force: indentation.iter().map(|&d| force(d)).collect(),
            theory: indentation.clone(),
            indentation,
            overlap: 0.0,
        }
    }

    #[test]
    fn a_force_that_is_a_little_too_large_is_smooth() {
        let figures = Figures::of(&track(|d| 1.01 * d));
        assert!((figures.deviation - 0.01).abs() < 1e-12);
        assert!((figures.beginning - 0.01 * 0.004 / 0.1).abs() < 1e-12);
        assert!(figures.roughness < 1e-9 && figures.jump < 1e-12);
    }

    #[test]
    fn a_force_that_jumps_is_rough() {
        let saw = |d: f64| {
            d * if (d * 100.0).floor() as i64 % 2 == 0 {
                1.02
            } else {
                0.98
            }
        };
        let figures = Figures::of(&track(saw));
        assert!((figures.jump - 0.04).abs() < 1e-9);
        // Ten jumps of 0.04 over an indentation of 0.095.
        let exact = 10.0 * 0.04 / 0.095;
        assert!((figures.roughness / exact - 1.0).abs() < 0.1, "{figures:?}");
    }

    #[test]
    fn what_is_not_a_number_is_infinitely_far_off() {
        let broken = |d: f64| if d > 0.05 { f64::NAN } else { d };
        assert_eq!(Figures::of(&track(broken)).deviation, f64::INFINITY);
    }
}
