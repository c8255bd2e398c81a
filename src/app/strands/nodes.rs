//! What moves: the nodes of all strands, written anew for every state into memory that the graphics adapter copies from.
//!
//! ```text
//!   word     0 1 2      3                          4                              last of all
//!            x y z m    director, 3 × 10 bits      the quantity that is shown     1 / end of the colour range
//! ```
//!
//! Five words, because two thousand strands of a hundred nodes must pass in well under two milliseconds: what does not
//! move is in the mesh and in the [`table`](super::table). For the same reason nodes are read once: the end of the colour
//! range is known only after the last of them, so the shader divides by it.

use crate::app::colour::ColorMode;
use crate::world::StrandPoint;

/// Bytes of one node.
pub const NODE_BYTES: usize = 20;
/// Bytes after the last node.
pub const TAIL_BYTES: usize = 4;

/// One node as the shader reads it.
pub type Packed = [u8; NODE_BYTES];

/// Packs all nodes; returns the largest size of the quantity that is shown.
pub fn pack(points: &[StrandPoint], mode: ColorMode, write: impl FnMut(Packed)) -> f32 {
    // One loop per quantity: a choice inside the loop would cost as much as the rest of it.
    match mode {
        // In their own colours, strands that a hand holds are tinted by tension.
        ColorMode::Strand | ColorMode::Tension => pack_with(points, |p| p.tension, write),
        ColorMode::BendingMoment => pack_with(points, |p| p.bending_moment, write),
        ColorMode::Curvature => pack_with(points, |p| p.curvature, write),
        ColorMode::Twist => pack_with(points, |p| p.twist, write),
        ColorMode::Speed => pack_with(points, |p| p.speed, write),
        ColorMode::ContactForce => pack_with(points, |p| p.contact_force, write),
    }
}

fn pack_with(
    points: &[StrandPoint],
    value: impl Fn(&StrandPoint) -> f32,
    mut write: impl FnMut(Packed),
) -> f32 {
    let mut largest = 0.0_f32;
    for point in points {
        let value = finite(value(point));
        largest = largest.max(value.abs());
        write(node(point, value));
    }
    largest
}

/// What follows the last node, for a colour range that ends at `limit`: what values are multiplied by.
pub fn tail(limit: f32) -> [u8; TAIL_BYTES] {
    let scale = finite(limit.recip()).max(0.0);
    scale.to_le_bytes()
}

/// Nonsense counts as zero.
fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

fn node(point: &StrandPoint, value: f32) -> Packed {
    let [x, y, z] = point.position;
    let words = [
        x.to_bits(),
        y.to_bits(),
        z.to_bits(),
        direction(point.director),
        value.to_bits(),
    ];
    let mut bytes = [0; NODE_BYTES];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// A unit vector in thirty bits: each component from −1…1 to 0…1022. A tenth of a degree, finer than a pixel shows.
fn direction([x, y, z]: [f32; 3]) -> u32 {
    // From here on floats are whole numbers, which stand in the lowest bits: twice as fast as a conversion that has to
    // think of numbers that do not fit.
    const WHOLE: f32 = 8_388_608.0;
    let tenbit = |c: f32| (c.clamp(-1.0, 1.0) * 511.0 + (WHOLE + 511.0)).to_bits() & 1023;
    tenbit(x) | tenbit(y) << 10 | tenbit(z) << 20
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(point: StrandPoint, mode: ColorMode) -> [u32; 5] {
        let mut words = [0; 5];
        pack(&[point], mode, |bytes| {
            let word = |k: usize| std::array::from_fn(|b| bytes[4 * k + b]);
            words = std::array::from_fn(|k| u32::from_le_bytes(word(k)));
        });
        words
    }

    /// What the shader makes of the fourth word.
    fn unpacked(word: u32) -> [f32; 3] {
        [0, 10, 20].map(|shift| (word >> shift & 1023) as f32 / 511.0 - 1.0)
    }

    #[test]
    fn directors_survive_packing_to_a_fifth_of_a_degree() {
        for i in 0..500 {
            let (a, b) = (i as f32 * 0.7, i as f32 * 0.31);
            let director = [a.sin() * b.cos(), b.sin(), a.cos() * b.cos()];
            let back = unpacked(direction(director));
            let off: f32 = director
                .iter()
                .zip(back)
                .map(|(u, v)| (u - v).powi(2))
                .sum();
            assert!(off.sqrt() < 0.2_f32.to_radians(), "{director:?}: {back:?}");
        }
    }

    #[test]
    fn positions_and_values_are_kept_to_the_bit() {
        let point = StrandPoint {
            position: [0.1, -2.5, 3e-7],
            tension: -3.0,
            ..Default::default()
        };
        let words = packed(point, ColorMode::Tension);
        assert_eq!(
            [words[0], words[1], words[2]],
            point.position.map(f32::to_bits)
        );
        assert_eq!(f32::from_bits(words[4]), -3.0);
    }

    #[test]
    fn the_largest_size_is_found_on_the_way() {
        let with = |tension: f32| StrandPoint {
            tension,
            ..Default::default()
        };
        let points = [1.0, -3.0, 2.0, f32::NAN, f32::NEG_INFINITY].map(with);
        assert_eq!(pack(&points, ColorMode::Tension, |_| {}), 3.0);
        assert_eq!(pack(&points, ColorMode::Speed, |_| {}), 0.0);
    }

    #[test]
    fn nonsense_and_empty_ranges_have_the_colour_of_zero() {
        let point = StrandPoint {
            speed: f32::NAN,
            ..Default::default()
        };
        assert_eq!(f32::from_bits(packed(point, ColorMode::Speed)[4]), 0.0);
        for limit in [0.0, -0.0, f32::NAN, f32::INFINITY] {
            assert_eq!(f32::from_le_bytes(tail(limit)), 0.0, "{limit}");
        }
        assert_eq!(f32::from_le_bytes(tail(4.0)), 0.25);
    }
}
