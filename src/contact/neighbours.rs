//! Which pieces of one strand lie so near along it that they are not held apart.

use crate::geometry::Along;

/// Whether two pieces of a strand are so near along it that only bending tighter than its own radius could make them
/// touch. That is told by lengths at rest: pieces that were neighbours only while they were squeezed would overlap when they
/// are not.
pub(super) fn are_neighbours(a: &Along, b: &Along, radius_m: f64) -> bool {
    a.between_m(b) < std::f64::consts::PI * radius_m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_neighbours_by_what_is_between_them_the_shorter_way_around() {
        // Pieces of 1, 4, 1, 1, … m, open or closed.
        let along = |from_m: f64, length: f64, round_m: f64| Along {
            from_m,
            to_m: from_m + length,
            round_m,
        };
        let open = |from, length| along(from, length, 0.0);
        assert!(are_neighbours(&open(0.0, 1.0), &open(1.0, 4.0), 1e-6));
        assert!(are_neighbours(&open(6.0, 1.0), &open(5.0, 1.0), 1e-6));
        // The long piece lies between.
        assert!(!are_neighbours(&open(0.0, 1.0), &open(5.0, 1.0), 1.2));
        assert!(are_neighbours(&open(0.0, 1.0), &open(5.0, 1.0), 1.3));
        assert!(!are_neighbours(&open(0.0, 1.0), &open(9.0, 1.0), 1.3));
        let closed = |from, length| along(from, length, 10.0);
        assert!(are_neighbours(&closed(0.0, 1.0), &closed(9.0, 1.0), 1e-6));
        assert!(are_neighbours(&closed(8.0, 1.0), &closed(0.0, 1.0), 0.4));
        assert!(!are_neighbours(&closed(8.0, 1.0), &closed(0.0, 1.0), 0.3));
    }
}
