//! Times of things that take nanoseconds.

use std::hint::black_box;
use std::time::Instant;

use cpu_time::ProcessTime;

/// CPU time per measurement, s.
const PATIENCE_S: f64 = 0.1;
/// Runs of one entry in a row, so that the clock itself does not count.
const RUNS: usize = 32;

/// CPU time per entry, ns: the fastest of several rounds, for whatever else the machine does only adds.
pub(super) fn time<T, R>(entries: &[T], mut run: impl FnMut(&T) -> R) -> f64 {
    let mut fastest = f64::INFINITY;
    let whole = ProcessTime::now();
    for round in 0.. {
        let clock = ProcessTime::now();
        for entry in entries {
            black_box(run(entry));
        }
        // The first round fills the caches.
        if round > 0 {
            fastest = fastest.min(clock.elapsed().as_secs_f64());
        }
        if round >= 3 && whole.elapsed().as_secs_f64() > PATIENCE_S {
            break;
        }
    }
    1e9 * fastest / entries.len() as f64
}

/// Time of the median entry, ns, each run many times in a row. Of the wall clock, which costs less to read; when the
/// machine does something else in between, that entry is late, and the median does not mind.
pub(super) fn median_ns<T, R>(entries: &[T], mut run: impl FnMut(&T) -> R) -> f64 {
    let mut times: Vec<f64> = (entries.iter())
        .map(|entry| {
            let clock = Instant::now();
            for _ in 0..RUNS {
                black_box(run(entry));
            }
            1e9 * clock.elapsed().as_secs_f64() / RUNS as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
