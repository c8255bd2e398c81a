//! Fewer points for a plot, without losing a peak.

/// Stretches that a curve is cut into at the most: about as many as a plot in a dock has pixels.
const STRETCHES: usize = 220;

/// At most two points for each of so many stretches: the lowest and the highest, in their order. What is not finite is
/// left out.
pub fn thin(count: usize, point: impl Fn(usize) -> [f64; 2]) -> Vec<[f64; 2]> {
    let length = count.div_ceil(STRETCHES).max(1);
    let mut kept = Vec::with_capacity(count.min(2 * STRETCHES));
    for start in (0..count).step_by(length) {
        let stretch = (start..(start + length).min(count)).map(&point);
        let mut ends: Option<[[f64; 2]; 2]> = None;
        for p in stretch.filter(|[x, y]| x.is_finite() && y.is_finite()) {
            let [low, high] = ends.get_or_insert([p, p]);
            if p[1] < low[1] {
                *low = p;
            }
            if p[1] > high[1] {
                *high = p;
            }
        }
        let Some([low, high]) = ends else {
            continue;
        };
        if low[0] == high[0] {
            kept.push(low);
        } else if low[0] < high[0] {
            kept.extend([low, high]);
        } else {
            kept.extend([high, low]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_are_all_kept() {
        let points = thin(5, |k| [k as f64, (k * k) as f64]);
        let expected: Vec<[f64; 2]> = (0..5).map(|k| [k as f64, (k * k) as f64]).collect();
        assert_eq!(points, expected);
    }

    #[test]
    fn a_single_peak_among_many_survives() {
        let wave = |k: usize| if k == 4321 { 9.0 } else { (k as f64).sin() };
        let points = thin(6000, |k| [k as f64, wave(k)]);
        assert!(points.len() <= 2 * STRETCHES);
        assert!(points.contains(&[4321.0, 9.0]));
        assert!(points.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    #[test]
    fn what_is_not_a_number_is_not_drawn() {
        let points = thin(4, |k| [k as f64, if k == 1 { f64::NAN } else { 0.0 }]);
        assert_eq!(points.len(), 3);
        assert!(thin(0, |_| [0.0; 2]).is_empty());
        assert!(thin(3, |_| [f64::NAN; 2]).is_empty());
    }
}
