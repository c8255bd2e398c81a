//! Which pieces of one strand lie so near along it that they are not held apart.

/// Whether two pieces of a strand, so many pieces apart, are so near along it that only bending tighter than its own
/// radius could make them touch. `length_m` is that of the shorter one.
pub(super) fn are_neighbours(apart: u32, length_m: f64, radius_m: f64) -> bool {
    apart < 2 || f64::from(apart - 1) * length_m < std::f64::consts::PI * radius_m
}
