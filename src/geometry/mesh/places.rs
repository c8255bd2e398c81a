//! Places along a segment that are near a surface, few enough to stay on the stack.

/// So many are kept in mind; of more, the nearest.
const MOST: usize = 24;

/// A place along a segment, and how far the surface is from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    squared: f64,
    fraction: f64,
}

/// Places along a segment, the nearest to the surface first once thinned out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    items: [Place; MOST],
    count: usize,
}

impl Places {
    /// Shares of the segment's length.
    pub fn fractions(&self) -> impl Iterator<Item = f64> {
        self.items[..self.count].iter().map(|place| place.fraction)
    }

    /// Takes a place at the square of its distance.
    pub(super) fn offer(&mut self, fraction: f64, squared: f64) {
        let place = Place { squared, fraction };
        let at = self.items[..self.count].partition_point(|other| before(other, &place));
        if at == MOST {
            return;
        }
        self.count = (self.count + 1).min(MOST);
        self.items[at..self.count].rotate_right(1);
        self.items[at] = place;
    }

    /// Leaves the nearest of those that are closer together than `spacing`.
    pub(super) fn thin(&mut self, spacing: f64) {
        let mut kept = 0;
        for at in 0..self.count {
            let place = self.items[at];
            let apart = |other: &Place| (other.fraction - place.fraction).abs() >= spacing;
            if self.items[..kept].iter().all(apart) {
                self.items[kept] = place;
                kept += 1;
            }
        }
        self.count = kept;
    }
}

/// By distance; what is as far, from the start on.
fn before(a: &Place, b: &Place) -> bool {
    let by_distance = a.squared.total_cmp(&b.squared);
    by_distance.then(a.fraction.total_cmp(&b.fraction)).is_lt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_kept_and_stand_apart() {
        let mut places = Places::default();
        for (fraction, squared) in [(0.5, 3.0), (0.1, 1.0), (0.12, 0.5), (0.5, 3.0), (0.9, 2.0)] {
            places.offer(fraction, squared);
        }
        places.thin(0.05);
        assert_eq!(places.fractions().collect::<Vec<_>>(), [0.12, 0.9, 0.5]);
    }

    #[test]
    fn of_too_many_the_farthest_are_forgotten() {
        let mut places = Places::default();
        for k in 0..2 * MOST {
            places.offer(k as f64 / 100.0, (2 * MOST - k) as f64);
        }
        places.thin(0.0);
        let nearest: Vec<f64> = (MOST..2 * MOST).rev().map(|k| k as f64 / 100.0).collect();
        assert_eq!(places.fractions().collect::<Vec<_>>(), nearest);
    }
}
