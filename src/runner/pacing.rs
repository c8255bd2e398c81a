//! When the next step is due, and how fast time really runs. Clock readings come in as arguments, so tests need no clock.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Pace;

/// A solver that cannot keep up may owe this much wall time; the rest is forgotten. Short enough that a slow moment is
/// not followed by a rush, long enough to smooth over a busy machine.
const BACKLOG: Duration = Duration::from_millis(50);

/// Decides when steps are due.
#[derive(Debug)]
pub(super) struct Pacer {
    pace: Pace,
    /// Simulated time owed, s.
    owed_s: f64,
    last: Instant,
}

impl Pacer {
    pub fn new(pace: Pace, now: Instant) -> Self {
        Self {
            pace,
            owed_s: 0.0,
            last: now,
        }
    }

    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Changes the pace; nothing is owed from before.
    pub fn set_pace(&mut self, pace: Pace, now: Instant) {
        *self = Self::new(pace, now);
    }

    /// Forgets what is owed: after a pause or a load.
    pub fn restart(&mut self, now: Instant) {
        *self = Self::new(self.pace, now);
    }

    /// Takes a step of `dt_s` out of what is owed, or says how long to wait for it.
    pub fn take(&mut self, dt_s: f64, now: Instant) -> Result<(), Duration> {
        let Pace::RealTime { speed } = self.pace else {
            return Ok(());
        };
        // A speed of zero (or none at all) is a pause that still listens.
        let speed = if speed.is_finite() {
            speed.max(0.0)
        } else {
            0.0
        };
        let elapsed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        let most = (speed * BACKLOG.as_secs_f64()).max(dt_s);
        self.owed_s = (self.owed_s + speed * elapsed).min(most);
        if self.owed_s >= dt_s {
            self.owed_s -= dt_s;
            return Ok(());
        }
        let wait_s = (dt_s - self.owed_s) / speed;
        // Never zero: rounding must not turn the wait into a busy loop.
        Err(Duration::try_from_secs_f64(wait_s)
            .unwrap_or(Duration::MAX)
            .clamp(Duration::from_micros(20), Duration::from_secs(1)))
    }
}

/// Simulated seconds per second over about the last half second.
#[derive(Debug, Default)]
pub(super) struct RateMeter {
    /// (clock, simulated time), oldest first.
    samples: VecDeque<(Instant, f64)>,
}

impl RateMeter {
    const WINDOW: Duration = Duration::from_millis(500);
    const SPACING: Duration = Duration::from_millis(10);

    /// Forgets everything: after a pause or a load.
    pub fn restart(&mut self, now: Instant, time_s: f64) {
        self.samples.clear();
        self.samples.push_back((now, time_s));
    }

    /// Notes the simulated time and returns the rate.
    pub fn rate(&mut self, now: Instant, time_s: f64) -> f64 {
        // The oldest sample is kept until the next is old enough, so that one step of two seconds has a rate too.
        while self
            .samples
            .get(1)
            .is_some_and(|&(at, _)| now.saturating_duration_since(at) >= Self::WINDOW)
        {
            self.samples.pop_front();
        }
        let rate = self.samples.front().map_or(0.0, |&(at, then_s)| {
            let elapsed_s = now.saturating_duration_since(at).as_secs_f64();
            if elapsed_s > 0.0 {
                (time_s - then_s) / elapsed_s
            } else {
                0.0
            }
        });
        let spaced = |&(at, _): &(Instant, f64)| now.saturating_duration_since(at) >= Self::SPACING;
        if self.samples.back().is_none_or(spaced) {
            self.samples.push_back((now, time_s));
        }
        rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Steps taken in one second by a solver that needs `cost` for each.
    fn steps_in_a_second(speed: f64, dt_s: f64, cost: Duration) -> usize {
        let start = Instant::now();
        let mut now = start;
        let mut pacer = Pacer::new(Pace::RealTime { speed }, now);
        let mut steps = 0;
        while now < start + 1000 * MS {
            match pacer.take(dt_s, now) {
                Ok(()) => {
                    steps += 1;
                    now += cost;
                }
                Err(wait) => now += wait,
            }
        }
        steps
    }

    #[test]
    fn real_time_is_kept_by_a_fast_solver() {
        assert!((490..=510).contains(&steps_in_a_second(1.0, 2e-3, MS / 10)));
        assert!((48..=52).contains(&steps_in_a_second(0.1, 2e-3, MS / 10)));
    }

    #[test]
    fn slow_solver_runs_without_pause_and_owes_nothing_afterwards() {
        assert_eq!(steps_in_a_second(1.0, 2e-3, 100 * MS), 10);
        let now = Instant::now();
        let mut pacer = Pacer::new(Pace::RealTime { speed: 1.0 }, now);
        let later = now + 10_000 * MS;
        let rush = (0..10_000)
            .take_while(|_| pacer.take(2e-3, later).is_ok())
            .count();
        assert!(rush <= 25, "{rush} steps of backlog");
    }

    #[test]
    fn speed_zero_waits() {
        assert_eq!(steps_in_a_second(0.0, 2e-3, MS), 0);
    }

    #[test]
    fn rate_is_measured_over_half_a_second() {
        let start = Instant::now();
        let mut meter = RateMeter::default();
        meter.restart(start, 0.0);
        let mut rate = 0.0;
        for i in 1..=300 {
            rate = meter.rate(start + i * 5 * MS, f64::from(i) * 0.0025);
        }
        assert!((rate - 0.5).abs() < 1e-9, "{rate}");
        assert!(meter.samples.len() <= 53);
        let stalled = meter.rate(start + 1500 * MS + 2000 * MS, 300.0 * 0.0025 + 0.002);
        assert!(stalled < 0.01, "{stalled}");
    }
}
