//! Over the scene, at every hand: an arrow and the newtons of its pull, its twist, and the scale of the tension that
//! colours the strand it holds.

use bevy::prelude::{Camera, GlobalTransform, Vec3};
use bevy_egui::egui::{self, Align2, Color32, Context, FontId, Painter, Pos2, Stroke, Vec2};

use super::{View, legend};
use crate::app::colour::ColorMode;
use crate::app::theme::{self, Palette};
use crate::world::{HoldSnapshot, PullSnapshot};

/// Where what a user does with hands is drawn.
const ORDER: egui::Order = egui::Order::Background;
/// An arrow is so long at least, points: it can be read at any pull.
const SHORTEST: f32 = 30.0;
/// And so much longer for ten times the force.
const PER_DECADE: f32 = 32.0;
/// From this force on it grows, N.
const FIRST_N: f32 = 0.02;
/// And so long at most, points.
const LONGEST: f32 = 170.0;

/// What a hand does, as it is drawn.
struct Pulled {
    at: Vec3,
    force: Vec3,
    text: String,
}

/// The force of every hand.
pub fn pull_ui(
    ctx: &Context,
    view: &View,
    free: egui::Rect,
    camera: &Camera,
    place: &GlobalTransform,
) {
    let painter = ctx.layer_painter(egui::LayerId::new(ORDER, "pull".into()));
    let snapshot = &view.shown.snapshot;
    // A pin that is led pulls like a hand.
    let pulls = |hold: &&HoldSnapshot| {
        hold.hand.is_some() || view.dragging.leads(hold.id) && hold.force != [0.0; 3]
    };
    let strands = snapshot.holds.iter().filter(pulls).map(|hold| Pulled {
        at: hold.position.into(),
        force: hold.force.into(),
        text: text_of(hold),
    });
    let bodies = snapshot.pulls.iter().map(|pull: &PullSnapshot| Pulled {
        at: pull.position.into(),
        force: pull.force.into(),
        text: with_prefix(Vec3::from(pull.force).length(), "N"),
    });
    for Pulled { at, force, text } in strands.chain(bodies) {
        let on_screen = |at: Vec3| {
            let at = camera.world_to_viewport(place, at).ok()?;
            Some(egui::pos2(at.x, at.y))
        };
        let foot = at;
        // As far along the force as a point is from the eye, a hundredth: enough to tell the direction.
        let step = 0.01 * foot.distance(place.translation());
        let ahead = on_screen(foot + force.normalize_or_zero() * step);
        let Some((from, ahead)) = on_screen(foot).zip(ahead) else {
            continue;
        };
        let tip = from + (ahead - from).normalized() * arrow_points(force.length());
        if force.length() > 0.0 && ahead.distance(from) > 0.2 {
            arrow(&painter, from, tip);
        }
        let palette = theme::in_force(ctx);
        let limit = view.tinted_limit();
        label(&painter, palette, free, tip, &text, limit);
    }
}

/// How long the arrow of a force is, points.
fn arrow_points(newtons: f32) -> f32 {
    (SHORTEST + PER_DECADE * (1.0 + newtons / FIRST_N).log10()).min(LONGEST)
}

/// An arrow that reads on light and on dark.
fn arrow(painter: &Painter, from: Pos2, tip: Pos2) {
    let along = (tip - from).normalized();
    let across = Vec2::new(-along.y, along.x);
    let neck = tip - along * 13.0;
    for (grow, color) in [(1.6, Color32::from_black_alpha(190)), (0.0, Color32::WHITE)] {
        let stroke = Stroke::new(4.0 + 2.0 * grow, color);
        painter.line_segment([from, neck + along * 2.0], stroke);
        let half = across * (7.0 + 1.4 * grow);
        let head = vec![
            tip + along * (2.0 * grow),
            neck + half - along * grow,
            neck - half - along * grow,
        ];
        painter.add(egui::Shape::convex_polygon(head, color, Stroke::NONE));
    }
}

/// The pull, and the twist where there is one.
fn text_of(hold: &HoldSnapshot) -> String {
    let newtons = Vec3::from(hold.force).length();
    let mut text = with_prefix(newtons, "N");
    if hold.twist_rad != 0.0 {
        let turned = hold.twist_rad.to_degrees();
        let moment = with_prefix(hold.twist_moment_n_m.abs(), "N m");
        text += &format!("   twist {turned:.0}°, {moment}");
    }
    text
}

/// Three digits and a prefix that keeps them readable.
fn with_prefix(value: f32, unit: &str) -> String {
    let (scale, prefix) = match value {
        v if v >= 1e4 => (1e-3, "k"),
        v if v >= 0.9995 || v == 0.0 => (1.0, ""),
        v if v >= 0.9995e-3 => (1e3, "m"),
        _ => (1e6, "µ"),
    };
    format!("{} {prefix}{unit}", legend::short(value * scale))
}

/// The words beside the arrow's tip, over the scale of the tension; where the scene ends, they stay in it.
fn label(
    painter: &Painter,
    palette: &Palette,
    free: egui::Rect,
    tip: Pos2,
    text: &str,
    limit: Option<f32>,
) {
    let galley = painter.layout_no_wrap(text.into(), FontId::proportional(15.0), palette.text);
    let bar = limit.map_or(0.0, |_| 22.0);
    let size = Vec2::new(
        galley.size().x.max(92.0 * f32::from(bar > 0.0)),
        galley.size().y + bar,
    );
    let rect = Align2::LEFT_BOTTOM.anchor_size(tip + Vec2::new(14.0, -8.0), size);
    let margin = egui::vec2(8.0, 4.0);
    let rect = kept_within(rect, free.shrink2(margin));
    painter.rect_filled(rect.expand2(margin), 6.0, palette.label);
    let below = rect.min.y + galley.size().y;
    painter.galley(rect.min, galley, palette.text);
    if let Some(limit) = limit {
        scale(
            painter,
            palette,
            egui::pos2(rect.min.x, below),
            size.x,
            limit,
        );
    }
}

/// A rectangle moved by as little as brings it into another.
fn kept_within(rect: egui::Rect, outer: egui::Rect) -> egui::Rect {
    let room = (outer.max - rect.size()).max(outer.min);
    egui::Rect::from_min_size(rect.min.clamp(outer.min, room), rect.size())
}

/// Which colour is which tension: from slack to the largest.
fn scale(painter: &Painter, palette: &Palette, at: Pos2, width: f32, limit: f32) {
    const STRIPS: usize = 32;
    for strip in 0..STRIPS {
        let share = (strip as f32 + 0.5) / STRIPS as f32;
        let color = ColorMode::Tension.color(share * limit, limit);
        let left = at.x + width * strip as f32 / STRIPS as f32;
        let size = egui::vec2(width / STRIPS as f32 + 0.5, 6.0);
        let piece = egui::Rect::from_min_size(egui::pos2(left, at.y + 2.0), size);
        painter.rect_filled(piece, 0.0, legend::color32(color));
    }
    let small = FontId::proportional(10.5);
    let faint = palette.text;
    let low = at + Vec2::new(0.0, 20.0);
    painter.text(low, Align2::LEFT_BOTTOM, "tension 0", small.clone(), faint);
    let most = with_prefix(limit, "N");
    let high = at + Vec2::new(width, 20.0);
    painter.text(high, Align2::RIGHT_BOTTOM, most, small, faint);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_read_without_exponents() {
        let texts = [0.0, 3.2e-5, 0.0123, 0.25, 1.5, 123.4, 5e4].map(|n| with_prefix(n, "N"));
        assert_eq!(
            texts,
            [
                "0 N", "32.0 µN", "12.3 mN", "250 mN", "1.50 N", "123 N", "50.0 kN"
            ]
        );
    }

    #[test]
    fn words_stay_in_the_scene() {
        let outer = egui::Rect::from_min_max(egui::pos2(100.0, 0.0), egui::pos2(500.0, 300.0));
        let at = |x, y| {
            let rect = egui::Rect::from_min_size(egui::pos2(x, y), egui::vec2(80.0, 20.0));
            kept_within(rect, outer).min
        };
        assert_eq!(at(200.0, 100.0), egui::pos2(200.0, 100.0));
        assert_eq!(at(490.0, -50.0), egui::pos2(420.0, 0.0));
        assert_eq!(at(0.0, 900.0), egui::pos2(100.0, 280.0));
    }

    #[test]
    fn arrows_grow_with_the_force_and_are_never_too_short() {
        let lengths = [0.0, 1e-3, 0.1, 1.0, 10.0].map(arrow_points);
        assert!(lengths.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(lengths[0] >= SHORTEST);
        assert_eq!(arrow_points(1e9), LONGEST);
    }
}
