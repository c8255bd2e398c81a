//! What moves: the nodes of all strands, written anew for every state into memory that the graphics adapter copies from.
//!
//! ```text
//!   word     0 1 2      3                          4
//!            x y z m    director, 3 × 10 bits      share of the colour range, −1 to 1
//! ```
//!
//! Five words, because two thousand strands of a hundred nodes must pass in well under two milliseconds: what does not
//! move is in the mesh and in the [`table`](super::table).

use crate::app::colour::ColorMode;
use crate::world::StrandPoint;

/// Bytes of one node.
pub const NODE_BYTES: usize = 20;

/// One node as the shader reads it.
pub type Packed = [u8; NODE_BYTES];

/// Packs all nodes for a colour range that ends at `limit`.
pub fn pack(points: &[StrandPoint], mode: ColorMode, limit: f32, write: impl FnMut(Packed)) {
    // One loop per quantity: a choice inside the loop would cost as much as the rest of it.
    match mode {
        // In their own colours, strands that a hand holds are tinted by tension.
        ColorMode::Strand | ColorMode::Tension => pack_with(points, limit, |p| p.tension, write),
        ColorMode::Curvature => pack_with(points, limit, |p| p.curvature, write),
        ColorMode::Twist => pack_with(points, limit, |p| p.twist, write),
        ColorMode::Speed => pack_with(points, limit, |p| p.speed, write),
        ColorMode::ContactForce => pack_with(points, limit, |p| p.contact_force, write),
    }
}

fn pack_with(
    points: &[StrandPoint],
    limit: f32,
    value: impl Fn(&StrandPoint) -> f32,
    mut write: impl FnMut(Packed),
) {
    let scale = if limit > 0.0 { limit.recip() } else { 0.0 };
    for point in points {
        write(node(point, share(value(point), scale)));
    }
}

/// Within −1 to 1; nonsense counts as zero.
fn share(value: f32, scale: f32) -> f32 {
    let share = value * scale;
    if share.is_finite() {
        share.clamp(-1.0, 1.0)
    } else {
        0.0
    }
}

fn node(point: &StrandPoint, share: f32) -> Packed {
    let [x, y, z] = point.position;
    let words = [
        x.to_bits(),
        y.to_bits(),
        z.to_bits(),
        direction(point.director),
        share.to_bits(),
    ];
    let mut bytes = [0; NODE_BYTES];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// A unit vector in thirty bits: each component from −1…1 to 0…1022. A tenth of a degree, finer than a pixel shows.
fn direction([x, y, z]: [f32; 3]) -> u32 {
    let tenbit = |c: f32| (c.clamp(-1.0, 1.0) * 511.0 + 511.5) as u32;
    tenbit(x) | tenbit(y) << 10 | tenbit(z) << 20
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(point: StrandPoint, mode: ColorMode, limit: f32) -> [u32; 5] {
        let mut words = [0; 5];
        pack(&[point], mode, limit, |bytes| {
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
    fn positions_are_kept_to_the_bit_and_values_as_shares_of_the_range() {
        let point = StrandPoint {
            position: [0.1, -2.5, 3e-7],
            tension: -3.0,
            ..Default::default()
        };
        let words = packed(point, ColorMode::Tension, 4.0);
        assert_eq!(
            [words[0], words[1], words[2]],
            point.position.map(f32::to_bits)
        );
        assert_eq!(f32::from_bits(words[4]), -0.75);
        let beyond = packed(point, ColorMode::Tension, 1.0);
        assert_eq!(f32::from_bits(beyond[4]), -1.0);
    }

    #[test]
    fn nonsense_and_empty_ranges_have_the_colour_of_zero() {
        let point = StrandPoint {
            speed: f32::NAN,
            tension: 1.0,
            ..Default::default()
        };
        for (mode, limit) in [
            (ColorMode::Speed, 1.0),
            (ColorMode::Tension, 0.0),
            (ColorMode::Tension, f32::NAN),
        ] {
            assert_eq!(f32::from_bits(packed(point, mode, limit)[4]), 0.0);
        }
    }
}
