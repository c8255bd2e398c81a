//! Over the scene, at every hand: an arrow and the newtons of its pull, its twist, and the scale of the tension that
//! colours the strand it holds.

use std::sync::Arc;

use bevy::prelude::{Camera, GlobalTransform, Vec3};
use bevy_egui::egui::{
    self, Align2, Color32, Context, FontId, Galley, Painter, Pos2, Stroke, Vec2,
};

use super::{View, legend};
use crate::app::colour::ColorMode;
use crate::app::theme::{self, Palette};
use crate::world::{HoldSnapshot, PullSnapshot, Snapshot};

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

/// Smaller forces and moments are none: rounding errors of what hangs free.
const NOTHING: f32 = 1e-9;
/// From the tip of an arrow to its words, points.
const GAP: f32 = 26.0;
/// A strand is looked at in at most so many points when a place for words is sought.
const MOST_POINTS: usize = 200;
/// Where words can stand about the tip of an arrow, the best first.
const SEATS: [[f32; 2]; 8] = [
    [1.0, -1.0],
    [-1.0, -1.0],
    [1.0, 1.0],
    [-1.0, 1.0],
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
];

/// What a hand does, as it is drawn.
struct Pulled {
    at: Vec3,
    force: Vec3,
    text: String,
    /// The strand, if it is one.
    rod: Option<u32>,
    /// Whether the strand is coloured by its tension.
    tinted: bool,
}

/// What of a scene is left above a card at its lower edge.
pub fn clear_of(free: egui::Rect, card: Option<egui::Rect>) -> egui::Rect {
    let bottom = card.map_or(free.bottom(), |card| card.top().min(free.bottom()));
    free.with_max_y(bottom.max(free.center().y))
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
        rod: Some(hold.rod),
        tinted: hold.hand.is_some(),
    });
    let bodies = snapshot.pulls.iter().map(|pull: &PullSnapshot| Pulled {
        at: pull.position.into(),
        force: pull.force.into(),
        text: with_prefix(Vec3::from(pull.force).length(), "N"),
        rod: None,
        tinted: false,
    });
    let on_screen = |at: Vec3| {
        let at = camera.world_to_viewport(place, at).ok()?;
        Some(egui::pos2(at.x, at.y))
    };
    for (index, pulled) in strands.chain(bodies).enumerate() {
        let Pulled {
            at: foot, force, ..
        } = pulled;
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
        let limit = view.tinted_limit().filter(|_| pulled.tinted);
        let words = Words::new(ctx, &painter, &pulled.text, limit);
        let mut avoid: Vec<Pos2> = strand(snapshot, pulled.rod).filter_map(on_screen).collect();
        avoid.extend(way(from, tip));
        let id = egui::Id::new(("words of a pull", index));
        let last = ctx.data(|data| data.get_temp(id)).unwrap_or(0);
        let (seat, rect) = seated(words.size(), tip, free, &avoid, last);
        ctx.data_mut(|data| data.insert_temp(id, seat));
        words.paint(&painter, rect);
    }
}

/// Points along a strand, m, not too many.
fn strand(snapshot: &Snapshot, rod: Option<u32>) -> impl Iterator<Item = Vec3> {
    let strand = rod.and_then(|rod| snapshot.strands.get(rod as usize));
    let range = strand.map_or(0..0, |strand| {
        strand.first as usize..(strand.first + strand.count) as usize
    });
    let nodes = snapshot.points.get(range).unwrap_or(&[]);
    let stride = nodes.len().div_ceil(MOST_POINTS).max(1);
    nodes
        .iter()
        .step_by(stride)
        .map(|node| node.position.into())
}

/// Points along an arrow, and on where it points: there the hand goes next.
fn way(from: Pos2, tip: Pos2) -> impl Iterator<Item = Pos2> {
    let along = (tip - from).normalized();
    let arrow = (0..=8).map(move |k| from.lerp(tip, k as f32 / 8.0));
    arrow.chain([15.0, 30.0, 45.0].map(|further| tip + along * further))
}

/// Where words stand about a tip: where they cover the least of what is to be seen. They stay in the seat they had as long as
/// they cover nothing there.
fn seated(
    size: Vec2,
    tip: Pos2,
    free: egui::Rect,
    avoid: &[Pos2],
    last: usize,
) -> (usize, egui::Rect) {
    let seat = |k: usize| {
        let [x, y] = SEATS[k % SEATS.len()];
        let away = Vec2::new(x * (GAP + 0.5 * size.x), y * (GAP + 0.5 * size.y));
        let rect = egui::Rect::from_center_size(tip + away, size);
        kept_within(rect, free.shrink2(MARGIN))
    };
    let covered = |k: usize| {
        let rect = seat(k).expand2(2.0 * MARGIN);
        avoid.iter().filter(|at| rect.contains(**at)).count()
    };
    let best = match covered(last) {
        0 => last,
        _ => (0..SEATS.len()).min_by_key(|k| covered(*k)).unwrap_or(0),
    };
    (best, seat(best))
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
        v if v < NOTHING => return format!("0 {unit}"),
        v if v >= 0.9995 => (1.0, ""),
        v if v >= 0.9995e-3 => (1e3, "m"),
        _ => (1e6, "µ"),
    };
    format!("{} {prefix}{unit}", legend::short(value * scale))
}

/// Room about words, points.
const MARGIN: Vec2 = Vec2::new(8.0, 4.0);

/// The words beside the arrow's tip, over the scale of the tension.
struct Words<'a> {
    palette: &'a Palette,
    galley: Arc<Galley>,
    limit: Option<f32>,
}

impl Words<'_> {
    fn new(ctx: &Context, painter: &Painter, text: &str, limit: Option<f32>) -> Self {
        let palette = theme::in_force(ctx);
        let font = FontId::proportional(15.0);
        Self {
            palette,
            galley: painter.layout_no_wrap(text.into(), font, palette.text),
            limit,
        }
    }

    fn size(&self) -> Vec2 {
        let scale = match self.limit {
            Some(_) => Vec2::new(110.0, 22.0),
            None => Vec2::ZERO,
        };
        let text = self.galley.size();
        Vec2::new(text.x.max(scale.x), text.y + scale.y)
    }

    fn paint(self, painter: &Painter, rect: egui::Rect) {
        painter.rect_filled(rect.expand2(MARGIN), 6.0, self.palette.label);
        let below = egui::pos2(rect.min.x, rect.min.y + self.galley.size().y);
        painter.galley(rect.min, self.galley, self.palette.text);
        if let Some(limit) = self.limit {
            scale(painter, self.palette, below, rect.width(), limit);
        }
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
        assert_eq!(with_prefix(5.4e-33, "N"), "0 N");
        let texts = [0.0, 3.2e-5, 0.0123, 0.25, 1.5, 123.4, 5e4].map(|n| with_prefix(n, "N"));
        assert_eq!(
            texts,
            [
                "0 N", "32.0 µN", "12.3 mN", "250 mN", "1.50 N", "123 N", "50.0 kN"
            ]
        );
    }

    #[test]
    fn words_keep_off_the_strand_and_the_way_of_the_pull_and_do_not_jump_about() {
        let free = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(800.0, 600.0));
        let size = Vec2::new(110.0, 40.0);
        let from = egui::pos2(400.0, 300.0);
        for direction in [
            [1.0, 0.0],
            [-1.0, 0.3],
            [0.2, 1.0],
            [0.0, -1.0],
            [0.7, -0.7],
        ] {
            let direction = Vec2::from(direction).normalized();
            let tip = from + direction * 60.0;
            let strand = (0..50).map(|k| from - direction * (8.0 * k as f32));
            let avoid: Vec<Pos2> = strand.chain(way(from, tip)).collect();
            for last in 0..SEATS.len() {
                let (seat, rect) = seated(size, tip, free, &avoid, last);
                assert!(free.contains_rect(rect));
                assert!(!avoid.iter().any(|at| rect.contains(*at)), "{direction:?}");
                assert_eq!(seated(size, tip, free, &avoid, seat).0, seat);
            }
        }
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
