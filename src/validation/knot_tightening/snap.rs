//! Snap-through: the pull falls although the ends are drawn on.

/// Forces are averaged over this distance of the ends, m: waves run up and down the cord, some in its length.
const WINDOW_M: f64 = 8e-3;
/// A fall counts from this share of the force before it on.
const LEAST_SHARE: f64 = 0.3;

/// A fall of the pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snap {
    /// Distances of the ends at the top and at the bottom of the fall, m.
    pub distance_m: [f64; 2],
    /// The pull there, N.
    pub pull_n: [f64; 2],
}

impl Snap {
    /// By which share the pull falls.
    pub fn share(&self) -> f64 {
        1.0 - self.pull_n[1] / self.pull_n[0]
    }
}

/// Every fall by three tenths or more, and by at least `least_n`, in pulls over rising distances.
pub fn snaps(distance_m: &[f64], pull_n: &[f64], least_n: f64) -> Vec<Snap> {
    let pull = averaged(distance_m, pull_n);
    let mut snaps = Vec::new();
    let mut top = 0;
    let mut bottom: Option<usize> = None;
    let note = |top: usize, bottom: usize, snaps: &mut Vec<Snap>| {
        if pull[top] - pull[bottom] >= least_n {
            snaps.push(Snap {
                distance_m: [distance_m[top], distance_m[bottom]],
                pull_n: [pull[top], pull[bottom]],
            });
        }
    };
    for i in 0..pull.len() {
        match bottom {
            None if pull[i] > pull[top] => top = i,
            None if pull[i] < (1.0 - LEAST_SHARE) * pull[top] => bottom = Some(i),
            None => {}
            Some(low) if pull[i] < pull[low] => bottom = Some(i),
            // It has recovered by as much as it must fall: what comes next is another.
            Some(low) if pull[i] * (1.0 - LEAST_SHARE) > pull[low] => {
                note(top, low, &mut snaps);
                (top, bottom) = (i, None);
            }
            Some(_) => {}
        }
    }
    if let Some(low) = bottom {
        note(top, low, &mut snaps);
    }
    snaps
}

/// The mean over half the window on either side.
fn averaged(distance_m: &[f64], pull_n: &[f64]) -> Vec<f64> {
    let mean = |&at: &f64| {
        let from = distance_m.partition_point(|&d| d < at - 0.5 * WINDOW_M);
        let to = distance_m.partition_point(|&d| d <= at + 0.5 * WINDOW_M);
        pull_n[from..to].iter().sum::<f64>() / (to - from) as f64
    };
    distance_m.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distances() -> Vec<f64> {
        (0..1000).map(|i| 0.4 + 5e-4 * f64::from(i)).collect()
    }

    fn found(pull: impl Fn(f64) -> f64) -> Vec<Snap> {
        let distances = distances();
        // What rings is not what snaps.
        let ringing = |d: f64| 1.0 + 0.2 * (d * 4000.0).sin();
        let pulls: Vec<f64> = distances.iter().map(|&d| pull(d) * ringing(d)).collect();
        snaps(&distances, &pulls, 0.05)
    }

    #[test]
    fn a_pull_that_rises_does_not_snap() {
        assert_eq!(found(|d| 10.0 * d * d), []);
    }

    #[test]
    fn each_fall_is_found_with_its_place_and_size() {
        let snaps = found(|d| match d {
            d if d < 0.6 => 1.0 + d,
            d if d < 0.8 => 0.5 + 2.0 * (d - 0.6),
            d => 0.3 + 3.0 * (d - 0.8),
        });
        assert_eq!(snaps.len(), 2, "{snaps:?}");
        assert!((snaps[0].distance_m[0] - 0.6).abs() < 0.01, "{snaps:?}");
        assert!((snaps[0].pull_n[0] - 1.6).abs() < 0.05, "{snaps:?}");
        assert!((snaps[0].share() - 0.69).abs() < 0.03, "{snaps:?}");
        assert!((snaps[1].distance_m[1] - 0.8).abs() < 0.01, "{snaps:?}");
    }

    #[test]
    fn small_falls_do_not_count() {
        assert_eq!(found(|d| if d < 0.6 { 0.06 } else { 0.02 }), []);
    }
}
