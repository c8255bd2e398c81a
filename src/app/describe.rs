//! What a change of values is called: `µ 0.3 to 0.5`, `density of hair 1300 to 800 kg/m³`.

use nalgebra::Vector3;

use super::units::{digits, si};
use crate::body::{RodMaterial, SectionShape};
use crate::scene::Scene;
use crate::world::{Edit, Settings, SurfaceId, Values};

/// One line on what is different.
pub fn change(before: &Values, after: &Values, scene: &Scene) -> String {
    let edits = before.edits_to(after);
    match edits.as_slice() {
        [] => "nothing".into(),
        [one] => edit(one, before, scene),
        [first, ..] if edits.iter().all(|e| same_kind(e, first)) => {
            let strands = strands_of(first).map_or(String::new(), |_| " of several strands".into());
            format!("{}{strands}", kind(first))
        }
        many => format!("{} settings", many.len()),
    }
}

fn same_kind(a: &Edit, b: &Edit) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// The name of what an edit sets.
fn kind(edit: &Edit) -> &'static str {
    match edit {
        Edit::SetFriction(_) => "µ",
        Edit::SetPairFriction { .. } => "friction of pairs",
        Edit::SetTimeStep(_) => "time step",
        Edit::SetGravity(_) => "gravity",
        Edit::SetDetector(_) => "contacts",
        Edit::SetSolver(_) => "solver",
        Edit::SetTolerance(_) => "tolerance",
        Edit::SetMaxIterations(_) => "iterations",
        Edit::SetSolverBudget(_) => "budget",
        Edit::SetMaxPasses(_) => "passes",
        Edit::SetSelfContact(_) => "self contact",
        Edit::SetModel { .. } => "model",
        Edit::SetMaterial { .. } => "material",
        _ => "the world",
    }
}

fn strands_of(edit: &Edit) -> Option<std::ops::Range<usize>> {
    match edit {
        Edit::SetModel { rods, .. } => rods.clone(),
        Edit::SetMaterial { rods, .. } => Some(rods.clone()),
        _ => None,
    }
}

/// One line on an edit of these values.
fn edit(edit: &Edit, before: &Values, scene: &Scene) -> String {
    let s: &Settings = &before.settings;
    let to = |from: String, to: String| format!("{} {from} to {to}", kind(edit));
    match edit {
        Edit::SetFriction(mu) => to(digits(before.friction.default), digits(*mu)),
        Edit::SetPairFriction { a, b, mu } => {
            let text = |mu: Option<f64>| mu.map_or("as default".into(), digits);
            let (from, to) = (text(before.friction.listed(*a, *b)), text(*mu));
            format!("µ of {} {from} to {to}", pair(*a, *b, scene))
        }
        Edit::SetTimeStep(dt) => to(si(s.dt_s, "s"), si(*dt, "s")),
        Edit::SetGravity(g) => to(gravity(&s.gravity_m_s2), gravity(g)),
        Edit::SetDetector(kind) => to(s.detector.name().into(), kind.name().into()),
        Edit::SetSolver(kind) => to(s.solver.name().into(), kind.name().into()),
        Edit::SetTolerance(t) => to(format!("{:.0e}", s.tolerance), format!("{t:.0e}")),
        Edit::SetMaxIterations(n) => to(s.max_iterations.to_string(), n.to_string()),
        Edit::SetSolverBudget(ms) => to(budget(s.solver_budget_ms), budget(*ms)),
        Edit::SetMaxPasses(n) => to(s.max_passes.to_string(), n.to_string()),
        Edit::SetSelfContact(on) => format!("self contact {}", if *on { "on" } else { "off" }),
        Edit::SetModel { rods, model } => {
            let first = rods.as_ref().map_or(0, |rods| rods.start);
            let from = before.strands.get(first).map_or("", |s| s.model.name());
            format!(
                "model{} {from} to {}",
                of_group(rods.as_ref(), scene),
                model.name()
            )
        }
        Edit::SetMaterial {
            rods,
            material,
            section,
        } => {
            let Some(old) = before.strands.get(rods.start) else {
                return kind(edit).into();
            };
            let what = matter((&old.material, old.section), (material, *section));
            let (name, values) = what.split_once(' ').unwrap_or((&what, ""));
            format!("{name}{} {values}", of_group(Some(rods), scene))
        }
        _ => kind(edit).into(),
    }
}

/// ` of hair`, if there are several groups to tell apart.
fn of_group(rods: Option<&std::ops::Range<usize>>, scene: &Scene) -> String {
    let group = rods.and_then(|rods| scene.groups.iter().find(|g| g.rods.contains(&rods.start)));
    match group.filter(|_| scene.groups.len() > 1) {
        Some(group) => format!(" of {}", group.name),
        None => String::new(),
    }
}

/// What of a material is different: one word, then from what to what.
fn matter(old: (&RodMaterial, SectionShape), new: (&RodMaterial, SectionShape)) -> String {
    let ((m, s), (n, t)) = (old, new);
    let [a, b] = [s, t].map(SectionShape::half_m);
    let rows = [
        ("E", m.youngs_modulus_pa, n.youngs_modulus_pa, "Pa"),
        ("ν", m.poisson_ratio, n.poisson_ratio, ""),
        ("density", m.density_kg_m3, n.density_kg_m3, "kg/m³"),
        ("stiffness", m.bending_factor, n.bending_factor, ""),
        ("drag", m.mass_damping_per_s, n.mass_damping_per_s, "1/s"),
        ("damping", m.stiffness_damping_s, n.stiffness_damping_s, "s"),
        ("radius", a[0], b[0], "m"),
        ("thickness", a[1], b[1], "m"),
    ];
    // A round strand's radius is both its half sizes.
    let round = matches!(
        (s, t),
        (SectionShape::Round { .. }, SectionShape::Round { .. })
    );
    let differing =
        |row: &&(&str, f64, f64, &str)| row.1 != row.2 && !(round && row.0 == "thickness");
    let mut found = rows.iter().filter(differing);
    match (found.next(), found.next()) {
        (Some(&(name, from, to, unit)), None) => {
            let text = |x: f64| match unit {
                "Pa" | "m" | "s" => si(x, unit),
                _ => digits(x),
            };
            let tail = if matches!(unit, "kg/m³" | "1/s") {
                unit
            } else {
                ""
            };
            format!("{name} {} to {} {tail}", text(from), text(to))
                .trim_end()
                .to_owned()
        }
        _ => "material changed".into(),
    }
}

/// The names of two surfaces.
pub fn pair(a: SurfaceId, b: SurfaceId, scene: &Scene) -> String {
    let name = |id: SurfaceId| {
        let names = &scene.spec.surfaces;
        names.get(usize::from(id.0)).map_or("?", String::as_str)
    };
    format!("{} on {}", name(a), name(b))
}

fn gravity(g: &Vector3<f64>) -> String {
    match (g.x, g.z) {
        (0.0, 0.0) => format!("{} m/s²", digits(-g.y)),
        _ => format!("({}, {}, {})", digits(g.x), digits(g.y), digits(g.z)),
    }
}

fn budget(ms: f64) -> String {
    if ms.is_finite() {
        format!("{} ms", digits(ms))
    } else {
        "none".into()
    }
}
