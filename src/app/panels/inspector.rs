//! What is known of the strand or solid that was clicked.

use bevy_egui::egui::{self, RichText, Ui};
use nalgebra::Vector3;

use super::rows::{faint, figure_ui};
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::chosen::Thing;
use crate::app::units::{digits, si};
use crate::body::Section;
use crate::geometry::Shape;
use crate::world::{
    ContactSnapshot, ContactState, Edit, MaterialPoint, Snapshot, StrandPoint, StrandRange, Touched,
};

/// What turns more slowly has no axis, rad/s.
const SLOW: f64 = 1e-3;
/// The slider of the spin goes at least so far, rad/s.
const MOST_SPIN: f64 = 300.0;

/// Figures of what is chosen, or how to choose something.
pub fn inspector_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let shown = ui.scope(|ui| match view.chosen.thing {
        None => {
            let hint = "click a strand or a solid to see what is known of it";
            ui.label(RichText::new(hint).small().color(faint(ui)));
        }
        Some(Thing::Strand(point)) => strand_ui(ui, view, &point),
        Some(Thing::Solid(solid)) => {
            solid_ui(ui, view, solid);
            spin_ui(ui, view, solid, asked);
        }
    });
    widgets.insert("inspector", shown.response.rect);
}

/// The nodes of a strand.
fn nodes<'a>(snapshot: &'a Snapshot, strand: &StrandRange) -> Option<&'a [StrandPoint]> {
    let first = strand.first as usize;
    snapshot.points.get(first..first + strand.count as usize)
}

fn strand_ui(ui: &mut Ui, view: &View, point: &MaterialPoint) {
    let snapshot = &view.shown.snapshot;
    let spec = view.shown.scene.spec.rods.get(point.rod);
    let found = snapshot
        .strands
        .get(point.rod)
        .and_then(|strand| Some((strand, nodes(snapshot, strand)?)));
    let (Some(spec), Some((strand, nodes))) = (spec, found) else {
        return;
    };
    ui.label(RichText::new(&spec.name).strong());
    let values = snapshot.strand_values.get(point.rod);
    let section = values.map(|values| Section::new(values.section, &values.material));
    let length = length_m(nodes, 0..nodes.len());
    grid(ui, "strand_figures", |ui| {
        match strand.fixed {
            true => figure_ui(ui, "model", "rail", "nothing bends or moves it"),
            false => figure_ui(ui, "model", strand.model.name(), strand.model.summary()),
        }
        let kind = if strand.closed { "loop" } else { "open" };
        let elements = format!("{} elements, {kind}", nodes.len() - 1);
        figure_ui(
            ui,
            "made of",
            &elements,
            "straight pieces that contact sees",
        );
        ui.end_row();
        figure_ui(
            ui,
            "length",
            &si(length, "m"),
            "as it is now, stretch included",
        );
        let mass = section.map(|section| {
            let rest: f64 = spec.design.lengths().iter().sum();
            si(1e3 * section.line_density_kg_m * rest, "g")
        });
        figure_ui(ui, "mass", &mass.unwrap_or_default(), "of this strand");
        ui.end_row();
        if let Some(section) = section {
            let radius = si(section.radius_m, "m");
            figure_ui(ui, "radius", &radius, "that contact sees");
            if !strand.fixed {
                let bend = si(section.mean_ei_n_m2(), "N m²");
                figure_ui(ui, "EI", &bend, "resistance to bending");
            }
            ui.end_row();
        }
    });
    if !strand.fixed {
        here_ui(ui, nodes, point, length);
    }
    let on_it = |contact: &&ContactSnapshot| {
        let rod = point.rod as u32;
        contact.sides.contains(&Touched::Strand(rod))
    };
    contacts_ui(ui, snapshot.contacts.iter().filter(on_it));
}

/// What is measured at the clicked point.
fn here_ui(ui: &mut Ui, nodes: &[StrandPoint], point: &MaterialPoint, length: f64) {
    let Some([a, b]) = nodes.get(point.element..point.element + 2) else {
        return;
    };
    let f = point.fraction as f32;
    let mix = |of: fn(&StrandPoint) -> f32| f64::from(of(a) + f * (of(b) - of(a)));
    let before = length_m(nodes, 0..point.element + 1);
    let step = length_m(nodes, point.element..point.element + 2);
    let share = (before + f64::from(f) * step) / length.max(f64::MIN_POSITIVE);
    ui.add_space(3.0);
    let place = format!(
        "at {:.0} % of its length (element {})",
        100.0 * share,
        point.element
    );
    ui.label(RichText::new(place).small().strong());
    grid(ui, "point_figures", |ui| {
        let tension = si(mix(|p| p.tension), "N");
        figure_ui(ui, "tension", &tension, "negative in compression");
        let speed = si(mix(|p| p.speed), "m/s");
        figure_ui(ui, "speed", &speed, "of this point");
        ui.end_row();
        let curvature = mix(|p| p.curvature);
        let text = format!("{} /m", digits(curvature));
        let radius = format!("bent to a radius of {}", si(1.0 / curvature.max(1e-9), "m"));
        figure_ui(ui, "curvature", &text, &radius);
        let twist = format!("{} rad/m", digits(mix(|p| p.twist)));
        figure_ui(ui, "twist", &twist, "turn of its sections about it");
        ui.end_row();
        let force = si(mix(|p| p.contact_force), "N");
        figure_ui(ui, "contact", &force, "contact forces at the nodes around");
        let moment = si(mix(|p| p.bending_moment), "N m");
        figure_ui(ui, "bending", &moment, "bending moment");
        ui.end_row();
    });
}

fn solid_ui(ui: &mut Ui, view: &View, solid: usize) {
    let snapshot = &view.shown.snapshot;
    let spec = view.shown.scene.spec.solids.get(solid);
    let (Some(spec), Some(pose)) = (spec, snapshot.solids.get(solid)) else {
        return;
    };
    ui.label(RichText::new(&spec.name).strong());
    let names = &view.shown.scene.spec.surfaces;
    let surface = names.get(usize::from(spec.surface.0));
    let on_it = |contact: &&ContactSnapshot| contact.sides.contains(&Touched::Solid(solid as u32));
    let contacts = snapshot.contacts.iter().filter(on_it);
    let force = snapshot.solid_forces.get(solid);
    let force = force.map_or([0.0; 3], |force| force.map(f64::from));
    grid(ui, "solid_figures", |ui| {
        figure_ui(ui, "shape", &shape(&spec.shape), "its size");
        figure_ui(
            ui,
            "surface",
            surface.map_or("", String::as_str),
            "for friction",
        );
        ui.end_row();
        let [x, y, z] = pose.position.map(|x| digits(f64::from(x)));
        figure_ui(ui, "at", &format!("{x}, {y}, {z} m"), "x, y (up), z");
        match pose.free {
            true => {
                let speed = si(f64::from(pose.speed), "m/s");
                figure_ui(ui, "speed", &speed, "of its middle");
            }
            false => {
                let moves = if spec.motion.is_still() { "no" } else { "yes" };
                figure_ui(ui, "scripted", moves, "whether the scene moves it");
            }
        }
        ui.end_row();
    });
    let size = force.iter().map(|f| f * f).sum::<f64>().sqrt();
    // What is left of forces that cancel is no number for people.
    let [x, y, z] = force.map(|f| digits(if f.abs() < 1e-6 * size { 0.0 } else { f }));
    let text = format!("{}  ({x}, {y}, {z} N)", si(size, "N"));
    figure_ui(
        ui,
        "force on it",
        &text,
        "of all that touches it, strands and solids; x, y (up), z",
    );
    contacts_ui(ui, contacts);
}

/// The spin of a solid that is free to move, to be changed: about the axis it turns about, or that it started with.
fn spin_ui(ui: &mut Ui, view: &View, solid: usize, asked: &mut Vec<Action>) {
    let pose = view.shown.snapshot.solids.get(solid);
    let matter = view.shown.scene.spec.solids.get(solid);
    let matter = matter.and_then(|spec| spec.matter.as_ref());
    let (Some(pose), Some(matter)) = (pose.filter(|pose| pose.free), matter) else {
        return;
    };
    let now = Vector3::from(pose.spin.map(f64::from));
    let start = matter.spin_rad_s;
    let axis = start
        .try_normalize(SLOW)
        .or_else(|| now.try_normalize(SLOW));
    let axis = axis.unwrap_or_else(|| -Vector3::z());
    // Whole numbers are shown, and of none −0 would be no number for people.
    let mut rate = now.dot(&axis);
    if rate.abs() < 0.5 {
        rate = 0.0;
    }
    let most = MOST_SPIN.max(2.0 * start.norm());
    let slider = egui::Slider::new(&mut rate, -most..=most)
        .fixed_decimals(0)
        .suffix(" rad/s")
        .clamping(egui::SliderClamping::Edits);
    let hint = "turns it about its axis from now on; R starts the scene again";
    let row = ui.horizontal(|ui| {
        ui.label("spin");
        ui.add(slider).on_hover_text(hint).changed()
    });
    if row.inner && rate.is_finite() {
        let spin = now + axis * (rate - now.dot(&axis));
        asked.push(Action::Edit(Edit::SpinSolid { solid, spin }));
    }
}

fn shape(shape: &Shape) -> String {
    let m = |x: f64| si(x, "m");
    match shape {
        Shape::Plane => "plane".into(),
        Shape::Sphere { radius_m } => format!("sphere, radius {}", m(*radius_m)),
        Shape::Capsule { radius_m, .. } => format!("capsule, radius {}", m(*radius_m)),
        Shape::Cylinder { radius_m, .. } => format!("cylinder, radius {}", m(*radius_m)),
        Shape::Box { half_extents_m } => {
            let [x, y, z] = half_extents_m.map(|half| digits(2e3 * half));
            format!("box, {x} × {y} × {z} mm")
        }
        Shape::Mesh(_) => "triangle mesh".into(),
    }
}

/// How many contacts there are, and what they do.
fn contacts_ui<'a>(ui: &mut Ui, contacts: impl Iterator<Item = &'a ContactSnapshot>) {
    let (mut stick, mut slide, mut sum) = (0, 0, 0.0);
    for contact in contacts {
        match contact.state {
            ContactState::Stick => stick += 1,
            ContactState::Slide => slide += 1,
            ContactState::Open => {}
        }
        let force = contact.force.map(f64::from);
        sum += force.iter().map(|f| f * f).sum::<f64>().sqrt();
    }
    let text = match stick + slide {
        0 => "none".into(),
        n => format!("{n}: {stick} stick, {slide} slide, {} in all", si(sum, "N")),
    };
    figure_ui(
        ui,
        "contacts",
        &text,
        "contacts that bear force, and the sum of their sizes",
    );
}

fn grid(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    egui::Grid::new(name)
        .num_columns(2)
        .spacing([18.0, 1.0])
        .show(ui, add);
}

/// Length along the nodes of a range, m.
fn length_m(nodes: &[StrandPoint], range: std::ops::Range<usize>) -> f64 {
    let nodes = nodes.get(range).unwrap_or(&[]);
    let piece = |pair: &[StrandPoint]| {
        let offset = [0, 1, 2].map(|k| f64::from(pair[1].position[k] - pair[0].position[k]));
        offset.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    nodes.windows(2).map(piece).sum()
}
