//! What tables of time against error come down to.

use super::ErrorRow;

/// 10 to the power of minus the slope of log time over log error, by least squares.
pub(super) fn growth(rows: &[ErrorRow]) -> f64 {
    let points: Vec<(f64, f64)> = (rows.iter())
        .filter(|row| row.mean_error_m > 0.0)
        .map(|row| (row.mean_error_m.log10(), row.ns_per_pair.log10()))
        .collect();
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (xx, xy) = points.iter().fold((0.0, 0.0), |(xx, xy), p| {
        (xx + (p.0 - x) * (p.0 - x), xy + (p.0 - x) * (p.1 - y))
    });
    if xx > 0.0 { 10_f64.powf(-xy / xx) } else { 1.0 }
}

/// The smallest time of straight pieces over that of smooth curves at the same or a smaller mean error, wherever the
/// pieces' is below `below_m`.
pub(super) fn smallest_ratio(
    smooth: &[ErrorRow],
    segments: &[ErrorRow],
    below_m: f64,
) -> Option<f64> {
    segments
        .iter()
        .filter(|row| row.mean_error_m < below_m)
        .filter_map(|row| {
            let as_good = smooth.iter().filter(|s| s.mean_error_m <= row.mean_error_m);
            let cheapest = as_good.map(|s| s.ns_per_pair).fold(f64::INFINITY, f64::min);
            cheapest.is_finite().then(|| row.ns_per_pair / cheapest)
        })
        .min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean_error_m: f64, ns_per_pair: f64) -> ErrorRow {
        ErrorRow {
            tolerance_m: mean_error_m,
            pairs: 1,
            found: 1,
            mean_error_m,
            median_error_m: mean_error_m,
            ns_per_pair,
            build_ns_per_curve: None,
        }
    }

    #[test]
    fn growth_is_the_factor_per_decade() {
        let rows = [row(1e-2, 5.0), row(1e-3, 10.0), row(1e-5, 40.0)];
        assert!((growth(&rows) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn ratios_are_taken_at_equal_or_smaller_error() {
        let smooth = [row(1e-4, 10.0), row(1e-8, 20.0)];
        let segments = [row(1e-2, 1.0), row(2e-4, 30.0), row(1e-6, 100.0)];
        assert_eq!(smallest_ratio(&smooth, &segments, 1e-3), Some(3.0));
        assert_eq!(smallest_ratio(&smooth, &segments, 1e-5), Some(5.0));
        assert_eq!(smallest_ratio(&smooth, &segments, 1e-9), None);
    }
}
