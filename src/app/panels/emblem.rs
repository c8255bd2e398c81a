//! A trefoil knot, drawn as a rope that passes over and under itself.

use std::f32::consts::TAU;

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Stroke, pos2};

/// Pieces of the curve; enough to look smooth at the size of a card.
const PIECES: usize = 150;
/// Width of the rope over the width of the emblem.
const ROPE: f32 = 0.105;

/// The curve at a share of its length: place in the unit square, height.
fn trefoil(share: f32) -> (Pos2, f32) {
    let t = TAU * share;
    let (x, y) = (
        t.sin() + 2.0 * (2.0 * t).sin(),
        t.cos() - 2.0 * (2.0 * t).cos(),
    );
    (pos2(0.5 + x / 6.6, 0.5 - y / 6.6), -(3.0 * t).sin())
}

/// Draws the knot into a square; `edge` is the colour of what it lies on.
pub fn draw(painter: &Painter, rect: Rect, rope: Color32, edge: Color32) {
    let place = |unit: Pos2| rect.min + unit.to_vec2() * rect.size();
    let mut pieces: Vec<(f32, [Pos2; 2], [Pos2; 2])> = (0..PIECES)
        .map(|i| {
            let share = |j: f32| (i as f32 + j) / PIECES as f32;
            let ends = |a, b| [share(a), share(b)].map(|s| place(trefoil(s).0));
            // The rope a little longer than a piece, so that no gap shows between two.
            (trefoil(share(0.5)).1, ends(0.0, 1.0), ends(-0.35, 1.35))
        })
        .collect();
    pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let width = ROPE * rect.width();
    for (height, gap, ends) in pieces {
        painter.line_segment(gap, Stroke::new(1.55 * width, edge));
        // Farther parts are darker.
        let light = 0.80 + 0.20 * height;
        let rope = Color32::BLACK.lerp_to_gamma(rope, light);
        painter.line_segment(ends, Stroke::new(width, rope));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knot_stays_within_its_square() {
        for i in 0..500 {
            let (at, height) = trefoil(i as f32 / 500.0);
            let inside = 0.5 * ROPE - 0.03..=1.03 - 0.5 * ROPE;
            assert!(inside.contains(&at.x) && inside.contains(&at.y), "{at:?}");
            assert!((-1.0..=1.0).contains(&height));
        }
    }
}
