//! A quiet mark over the scene on what the inspector shows: a ring at the clicked point, a thin line along its strand.

use bevy::prelude::{Camera, GlobalTransform, Vec3};
use bevy_egui::egui::{self, Color32, Context, Pos2, Stroke};

use super::View;
use crate::app::chosen::Thing;

/// The line is drawn through at most so many points.
const MOST_POINTS: usize = 200;

/// Marks what is chosen, as far as panels leave it in sight.
pub fn mark_ui(
    ctx: &Context,
    view: &View,
    free: egui::Rect,
    camera: &Camera,
    place: &GlobalTransform,
) {
    let Some(thing) = view.chosen.thing else {
        return;
    };
    let project = |at: [f32; 3]| -> Option<Pos2> {
        let at = camera.world_to_viewport(place, Vec3::from(at)).ok()?;
        Some(egui::pos2(at.x, at.y))
    };
    let layer = egui::LayerId::new(egui::Order::Background, "chosen".into());
    let painter = ctx.layer_painter(layer).with_clip_rect(free);
    let line = Stroke::new(1.5, Color32::from_rgba_unmultiplied(86, 180, 233, 130));
    let ring = |at: Pos2, radius: f32| {
        painter.circle_stroke(at, radius, Stroke::new(3.0, Color32::from_black_alpha(90)));
        painter.circle_stroke(at, radius, Stroke::new(1.5, Color32::WHITE));
    };
    let snapshot = &view.shown.snapshot;
    match thing {
        Thing::Strand(point) => {
            let Some(strand) = snapshot.strands.get(point.rod) else {
                return;
            };
            let first = strand.first as usize;
            let nodes = snapshot.points.get(first..first + strand.count as usize);
            let nodes = nodes.unwrap_or(&[]);
            let stride = nodes.len().div_ceil(MOST_POINTS).max(1);
            let along = nodes.iter().step_by(stride).chain(nodes.last());
            let along: Vec<Pos2> = along.filter_map(|node| project(node.position)).collect();
            painter.add(egui::Shape::line(along, line));
            if let Some([a, b]) = nodes.get(point.element..point.element + 2) {
                let (a, b) = (Vec3::from(a.position), Vec3::from(b.position));
                let at = a.lerp(b, point.fraction as f32);
                project(at.into()).inspect(|at| ring(*at, 7.0));
            }
        }
        Thing::Solid(solid) => {
            let pose = snapshot.solids.get(solid);
            let at = pose.and_then(|pose| project(pose.position));
            at.inspect(|at| ring(*at, 10.0));
        }
    }
}
