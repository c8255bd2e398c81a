//! What strands are made of, group by group: preset, elasticity, density, thickness, and what follows from them.

use bevy_egui::egui::{self, RichText, Ui};

use super::model::group_model_ui;
use super::rows::{Answer, Row, combo_width, faint, figure_ui, row_ui, si_slider};
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::units::{digits, si};
use crate::body::{NaturalShape, RodMaterial, Section, SectionShape};
use crate::scene::{PRESETS, StrandGroup};
use crate::world::{Edit, RodSpec, StrandValues};

/// What stands in the list's place when no preset fits.
const OWN: &str = "own";

/// Material of the chosen group.
pub fn material_ui(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    let groups = &view.shown.scene.groups;
    let Some(chosen) = groups.get(view.chosen.group).or(groups.first()) else {
        ui.label(RichText::new("this scene has no strands").color(faint(ui)));
        return;
    };
    if groups.len() > 1 {
        group_ui(ui, view, chosen, asked, widgets);
        group_model_ui(ui, view, chosen.rods.clone(), asked, widgets);
    }
    let wanted = &view.bridge.wanted;
    let first = chosen.rods.start;
    let (Some(&now), Some(&scene)) = (
        wanted.values.strands.get(first),
        wanted.scene.strands.get(first),
    ) else {
        return;
    };
    let mut edited = now;
    preset_ui(ui, &mut edited, &scene, widgets);
    elasticity_ui(ui, &mut edited.material, &scene.material, widgets);
    weight_ui(ui, &mut edited.material, &scene.material, widgets);
    section_ui(ui, &mut edited.section, &scene.section, widgets);
    if edited != now {
        asked.push(Action::Edit(Edit::SetMaterial {
            rods: chosen.rods.clone(),
            material: edited.material,
            section: edited.section,
        }));
    }
    derived_ui(ui, &edited, chosen, &view.shown.scene.spec.rods[first]);
}

fn group_ui(
    ui: &mut Ui,
    view: &View,
    chosen: &StrandGroup,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let text = |group: &StrandGroup| match group.rods.len() {
        1 => group.name.clone(),
        n => format!("{} · {n} strands", group.name),
    };
    ui.horizontal(|ui| {
        let hint = "which strands: those that one [[rod]] of the scene stands for";
        super::rows::label_ui(ui, "strands", hint, false);
        let combo = egui::ComboBox::from_id_salt("group")
            .width(ui.available_width() - 8.0)
            .selected_text(text(chosen))
            .show_ui(ui, |ui| {
                for (index, group) in view.shown.scene.groups.iter().enumerate() {
                    if ui.selectable_label(group == chosen, text(group)).clicked() {
                        asked.push(Action::ChooseGroup(index));
                    }
                }
            });
        widgets.insert("group", combo.response.rect);
    });
}

fn preset_ui(ui: &mut Ui, edited: &mut StrandValues, scene: &StrandValues, widgets: &mut Widgets) {
    let named = |material: &RodMaterial| {
        let preset = PRESETS.iter().find(|preset| preset.material == *material);
        preset.map_or(OWN, |preset| preset.name)
    };
    let row = Row {
        names: ["preset", "preset_back"],
        label: "preset",
        hint: "numbers of a known material; the thickness stays",
        differs: edited.material != scene.material,
    };
    let mut clicked = None;
    let answer = row_ui(ui, &row, widgets, |ui| {
        let combo = egui::ComboBox::from_id_salt("preset")
            .width(combo_width(ui))
            .selected_text(named(&edited.material))
            .show_ui(ui, |ui| {
                for preset in &PRESETS {
                    let here = preset.material == edited.material;
                    let m = &preset.material;
                    let about = format!(
                        "E {}, density {} kg/m³",
                        si(m.youngs_modulus_pa, "Pa"),
                        digits(m.density_kg_m3)
                    );
                    let shown = ui.selectable_label(here, preset.name).on_hover_text(about);
                    if shown.clicked() {
                        clicked = Some(preset);
                    }
                }
            });
        combo.response
    });
    if let Some(preset) = clicked {
        edited.material = preset.material;
    }
    if answer.put_back {
        edited.material = scene.material;
    }
}

/// Takes over what a row was given, or puts it back.
fn take(answer: Answer, value: f64, scene: f64, valid: impl Fn(f64) -> bool, out: &mut f64) {
    if answer.put_back {
        *out = scene;
    } else if answer.changed && valid(value) {
        *out = value;
    }
}

fn positive(x: f64) -> bool {
    x.is_finite() && x > 0.0
}

fn elasticity_ui(ui: &mut Ui, m: &mut RodMaterial, scene: &RodMaterial, widgets: &mut Widgets) {
    let row = Row {
        names: ["youngs_modulus", "youngs_modulus_back"],
        label: "E",
        hint: "Young's modulus: how hard it is to stretch. 1 kPa to 1 TPa; steel 200 GPa, nylon 2.5 GPa, rubber 2 MPa",
        differs: m.youngs_modulus_pa != scene.youngs_modulus_pa,
    };
    let mut e = m.youngs_modulus_pa;
    let answer = row_ui(ui, &row, widgets, |ui| {
        ui.add(si_slider(&mut e, 1e3..=1e12, "Pa"))
    });
    take(
        answer,
        e,
        scene.youngs_modulus_pa,
        positive,
        &mut m.youngs_modulus_pa,
    );

    let row = Row {
        names: ["poisson", "poisson_back"],
        label: "Poisson ν",
        hint: "Poisson's ratio: by how much it narrows when stretched; above −1, at most 0.5. G = E / (2 (1 + ν))",
        differs: m.poisson_ratio != scene.poisson_ratio,
    };
    let mut nu = m.poisson_ratio;
    let slider = egui::Slider::new(&mut nu, -0.9..=0.5)
        .fixed_decimals(2)
        .clamping(egui::SliderClamping::Edits);
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    let valid = |nu: f64| nu > -1.0 && nu <= 0.5;
    take(answer, nu, scene.poisson_ratio, valid, &mut m.poisson_ratio);

    let row = Row {
        names: ["shear_modulus", "shear_modulus_back"],
        label: "G",
        hint: "shear modulus: how hard it is to twist; sets ν = E / 2G − 1, so it lies between E/3 and 5 E",
        differs: false,
    };
    let mut g = m.shear_modulus_pa();
    let e = m.youngs_modulus_pa;
    let slider = si_slider(&mut g, e / 3.0..=5.0 * e, "Pa");
    if row_ui(ui, &row, widgets, |ui| ui.add(slider)).changed && positive(g) {
        m.poisson_ratio = (e / (2.0 * g) - 1.0).clamp(-0.9, 0.5);
    }
}

fn weight_ui(ui: &mut Ui, m: &mut RodMaterial, scene: &RodMaterial, widgets: &mut Widgets) {
    let row = Row {
        names: ["density", "density_back"],
        label: "density",
        hint: "mass per volume, kg/m³: 10 to 30 000; water 1000, steel 7850",
        differs: m.density_kg_m3 != scene.density_kg_m3,
    };
    let mut density = m.density_kg_m3;
    let slider = egui::Slider::new(&mut density, 10.0..=3e4)
        .logarithmic(true)
        .clamping(egui::SliderClamping::Edits)
        .custom_formatter(|value, _| format!("{} kg/m³", digits(value)))
        .custom_parser(|text| {
            let number = text.trim().trim_end_matches("kg/m³").trim();
            number.replace(',', ".").parse().ok()
        });
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    take(
        answer,
        density,
        scene.density_kg_m3,
        positive,
        &mut m.density_kg_m3,
    );
    ui.collapsing("softness and damping", |ui| {
        let row = Row {
            names: ["bending_factor", "bending_factor_back"],
            label: "bending",
            hint: "bending and twisting stiffness over that of a solid rod: 1 for a wire, about 0.04 for a rope of fibres that slide",
            differs: m.bending_factor != scene.bending_factor,
        };
        let mut factor = m.bending_factor;
        let slider = egui::Slider::new(&mut factor, 1e-3..=1.0)
            .logarithmic(true)
            .custom_formatter(|value, _| digits(value))
            .clamping(egui::SliderClamping::Edits);
        let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
        let valid = |s: f64| s > 0.0 && s <= 1.0;
        take(answer, factor, scene.bending_factor, valid, &mut m.bending_factor);
        damping_ui(ui, m, scene, widgets);
    });
}

fn damping_ui(ui: &mut Ui, m: &mut RodMaterial, scene: &RodMaterial, widgets: &mut Widgets) {
    let not_negative = |x: f64| x.is_finite() && x >= 0.0;
    let row = Row {
        names: ["mass_damping", "mass_damping_back"],
        label: "drag",
        hint: "damping in proportion to mass, as of air, 1/s: 0 to 50",
        differs: m.mass_damping_per_s != scene.mass_damping_per_s,
    };
    let mut drag = m.mass_damping_per_s;
    let slider = egui::Slider::new(&mut drag, 0.0..=50.0)
        .suffix(" 1/s")
        .clamping(egui::SliderClamping::Edits);
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    take(
        answer,
        drag,
        scene.mass_damping_per_s,
        not_negative,
        &mut m.mass_damping_per_s,
    );
    let row = Row {
        names: ["stiffness_damping", "stiffness_damping_back"],
        label: "internal",
        hint: "damping in proportion to stiffness, as of fibres that rub, s: 0 to 0.1",
        differs: m.stiffness_damping_s != scene.stiffness_damping_s,
    };
    let mut internal = m.stiffness_damping_s;
    let slider = si_slider(&mut internal, 0.0..=0.1, "s").smallest_positive(1e-6);
    let answer = row_ui(ui, &row, widgets, |ui| ui.add(slider));
    take(
        answer,
        internal,
        scene.stiffness_damping_s,
        not_negative,
        &mut m.stiffness_damping_s,
    );
}

/// Radius of a round strand, both widths of others.
fn section_ui(ui: &mut Ui, s: &mut SectionShape, scene: &SectionShape, widgets: &mut Widgets) {
    let hint =
        "half its thickness: what bends, weighs and touches; 10 µm to 50 mm. The centreline stays";
    let mut size_ui = |names, label, hint, value: &mut f64, scene: f64, range| {
        let row = Row {
            names,
            label,
            hint,
            differs: *value != scene,
        };
        let mut edited = *value;
        let answer = row_ui(ui, &row, widgets, |ui| {
            ui.add(si_slider(&mut edited, range, "m"))
        });
        take(answer, edited, scene, positive, value);
    };
    match s {
        SectionShape::Round { radius_m } => {
            let names = ["radius", "radius_back"];
            let usual = scene.half_m()[0];
            size_ui(names, "radius", hint, radius_m, usual, 1e-5..=0.05);
        }
        SectionShape::Ellipse { half_m } | SectionShape::Rectangle { half_m } => {
            let rows = [
                (["width_1", "width_1_back"], "half width"),
                (["width_2", "width_2_back"], "half depth"),
            ];
            let usual = scene.half_m();
            for (k, (names, label)) in rows.into_iter().enumerate() {
                let hint = "half size along a director; 10 µm to 50 mm";
                size_ui(names, label, hint, &mut half_m[k], usual[k], 1e-5..=0.05);
            }
        }
    }
}

/// What follows from it.
fn derived_ui(ui: &mut Ui, values: &StrandValues, group: &StrandGroup, rod: &RodSpec) {
    let section = Section::new(values.section, &values.material);
    let length: f64 = rod.design.lengths().iter().sum();
    let mass = section.line_density_kg_m * length;
    let [ei, ei2] = section.ei_n_m2;
    ui.add_space(2.0);
    egui::Grid::new("derived")
        .num_columns(2)
        .spacing([18.0, 1.0])
        .show(ui, |ui| {
            let stretch = "resistance to stretching, Young's modulus times area";
            figure_ui(ui, "EA", &si(section.ea_n, "N"), stretch);
            // A round section has one, even where its two differ by rounding errors.
            let [bend, bend2] = [ei, ei2].map(|ei| si(ei, "N m²"));
            let bend = match bend == bend2 {
                true => bend,
                false => format!("{bend}, {bend2}"),
            };
            figure_ui(ui, "EI", &bend, "resistance to bending");
            ui.end_row();
            figure_ui(
                ui,
                "GJ",
                &si(section.gj_n_m2, "N m²"),
                "resistance to twisting",
            );
            let line = si(1e3 * section.line_density_kg_m, "g/m");
            figure_ui(ui, "mass/length", &line, "mass of a metre");
            ui.end_row();
            figure_ui(ui, "length", &si(length, "m"), "of one strand, unstretched");
            let whole = si(1e3 * mass * group.rods.len() as f64, "g");
            figure_ui(ui, "total mass", &whole, "of all strands of this group");
            ui.end_row();
        });
    let text = natural(&rod.design.natural);
    figure_ui(
        ui,
        "without load",
        &text,
        "the shape it springs back to; set in the scene",
    );
}

/// A shape without load, in words.
pub fn natural(shape: &NaturalShape) -> String {
    match shape {
        NaturalShape::Straight => "straight".into(),
        NaturalShape::AsGiven => "as it was at the start".into(),
        NaturalShape::Curved { .. } => {
            let [k1, k2, twist] = shape.mean(0.0, 1.0);
            let (curvature, twist) = (digits(k1.hypot(k2)), digits(twist));
            format!("curvature {curvature} /m, twist {twist} rad/m (means)")
        }
    }
}
