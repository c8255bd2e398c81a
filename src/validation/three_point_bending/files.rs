//! Tables and plots of all runs.

use std::path::Path;

use super::figures::normalised;
use super::{CURVED_PER_M, Run, per_cm};
use crate::record::Series;
use crate::record::plot::{Line, Panel, Plot};
use crate::validation::{file_name, name_column};

const INDENTATION: &str = "indentation δ/Δ (–)";
const FORCE: &str = "force F Δ²/(48 B) (–)";
const NORMALISED: &str = "force over theory F/F_a (–)";
/// Of the normalised plots: what the smooth runs need, ten times over; segments go beyond.
const SHOWN: [f64; 2] = [0.95, 1.05];

/// Writes all of them; returns their names.
pub fn write(runs: &[Run], folder: &Path) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut file = |name: &str| {
        let path = folder.join(file_name("three_point_bending", name));
        names.push(path.display().to_string());
        path
    };
    for curvature in curvatures_of(runs) {
        let name = format!("curvature_{}.csv", per_cm(curvature));
        table(&of_curvature(runs, curvature)).write(&file(&name))?;
    }
    table(&with_friction(runs)).write(&file("friction.csv"))?;
    forces(runs).write(&file("forces.svg"))?;
    curvatures(runs).write(&file("normalised.svg"))?;
    frictions(runs).write(&file("friction.svg"))?;
    Ok(names)
}

fn of_curvature(runs: &[Run], curvature: f64) -> Vec<&Run> {
    let wanted = |run: &&Run| run.rig.curvature_per_m == curvature && run.rig.friction == 0.0;
    runs.iter().filter(wanted).collect()
}

/// The natural curvatures that were tried.
fn curvatures_of(runs: &[Run]) -> Vec<f64> {
    let mut list: Vec<f64> = runs.iter().map(|run| run.rig.curvature_per_m).collect();
    list.sort_by(f64::total_cmp);
    list.dedup();
    list
}

/// The runs of the rod on which friction was tried, those without among them.
fn with_friction(runs: &[Run]) -> Vec<&Run> {
    let model = runs[0].variant.model;
    let wanted = |run: &&Run| run.rig.curvature_per_m == CURVED_PER_M && run.variant.model == model;
    runs.iter().filter(wanted).collect()
}

/// One row per indentation: theory, force and their ratio of every run.
fn table(runs: &[&Run]) -> Series {
    let mut columns = vec!["indentation".to_owned()];
    for run in runs {
        let mu = match run.rig.friction {
            0.0 => String::new(),
            mu => format!("_mu_{mu}"),
        };
        let variant = name_column(run.variant.name);
        columns.extend(["theory", "force", "normalised"].map(|of| format!("{of}_{variant}{mu}")));
    }
    let mut series = Series::new(columns);
    let longest = runs.iter().map(|run| run.track.force.len()).max();
    for i in 0..longest.unwrap_or(0) {
        let at = |list: &[f64]| list.get(i).copied().unwrap_or(f64::NAN);
        let indentations = runs.iter().map(|run| at(&run.track.indentation));
        let mut row = vec![indentations.fold(f64::NAN, f64::max)];
        for run in runs {
            let (theory, force) = (at(&run.track.theory), at(&run.track.force));
            row.extend([theory, force, force / theory]);
        }
        series.rows.push(row);
    }
    series
}

fn line(name: String, color: usize, dashed: bool, run: &Run, ys: Vec<f64>) -> Line {
    let points = run.track.indentation.iter().zip(ys);
    Line {
        name,
        color,
        dashed,
        points: points.map(|(&x, y)| [x, y]).collect(),
    }
}

fn force_line(run: &Run, name: &str, color: usize) -> Line {
    line(name.into(), color, false, run, run.track.force.clone())
}

fn theory_line(run: &Run, name: &str) -> Line {
    line(name.into(), 0, true, run, run.track.theory.clone())
}

fn normalised_line(run: &Run, name: &str, color: usize) -> Line {
    line(
        name.into(),
        color,
        false,
        run,
        normalised(&run.track).collect(),
    )
}

/// Force curves of all curvatures: with segments left, smooth right.
fn forces(runs: &[Run]) -> Plot {
    let panel = |smooth: bool| {
        let shown = || {
            let plain = runs.iter().filter(|run| run.rig.friction == 0.0);
            plain.filter(move |run| run.is_smooth() == smooth)
        };
        let mut lines = Vec::new();
        let first = runs[0].rig.curvature_per_m;
        let once = |run: &Run, name: &'static str| match run.rig.curvature_per_m == first {
            true => name,
            false => "",
        };
        for run in shown() {
            let color = if run.variant.model == runs[0].variant.model {
                1
            } else {
                3
            };
            lines.push(force_line(run, once(run, run.variant.name), color));
        }
        let theory = shown().filter(|run| run.variant.model == runs[0].variant.model);
        lines.extend(theory.map(|run| theory_line(run, once(run, "theory"))));
        Panel {
            title: match smooth {
                true => "smooth detection".into(),
                false => "straight segments".into(),
            },
            x: INDENTATION.into(),
            y: FORCE.into(),
            y_range: Some([0.0, 0.16]),
            lines,
        }
    };
    Plot {
        title: "Three-point bending: the more a rod is curved by nature, the lower its force"
            .into(),
        per_row: 2,
        panels: vec![panel(false), panel(true)],
    }
}

/// Force over theory, one panel per curvature.
fn curvatures(runs: &[Run]) -> Plot {
    let panel = |curvature: f64| {
        let mut shown = of_curvature(runs, curvature);
        // The smooth ones above the others.
        shown.sort_by_key(|run| run.is_smooth());
        let color = |run: &Run| match (run.is_smooth(), run.variant.model == runs[0].variant.model)
        {
            (true, true) => 2,
            (true, false) => 0,
            (false, true) => 6,
            (false, false) => 3,
        };
        Panel {
            title: format!("natural curvature {} /cm", per_cm(curvature)),
            x: INDENTATION.into(),
            y: NORMALISED.into(),
            y_range: Some(SHOWN),
            lines: shown
                .iter()
                .map(|run| normalised_line(run, run.variant.name, color(run)))
                .collect(),
        }
    };
    Plot {
        title: "Three-point bending: force over theory".into(),
        per_row: 2,
        panels: curvatures_of(runs).into_iter().map(panel).collect(),
    }
}

/// Force curves and force over theory for all coefficients of friction.
fn frictions(runs: &[Run]) -> Plot {
    let shown = with_friction(runs);
    let panel = |smooth: bool, over_theory: bool| {
        let mut lines = Vec::new();
        let shown = shown.iter().filter(|run| run.is_smooth() == smooth);
        for (color, run) in (1..).zip(shown) {
            let name = format!("µ = {}", run.rig.friction);
            match over_theory {
                true => lines.push(normalised_line(run, &name, color)),
                false => {
                    lines.push(force_line(run, &name, color));
                    lines.push(theory_line(run, ""));
                }
            }
        }
        let detector = match smooth {
            true => "smooth detection",
            false => "straight segments",
        };
        Panel {
            title: match over_theory {
                true => format!("{detector}, over theory"),
                false => format!("{detector}, theory dashed"),
            },
            x: INDENTATION.into(),
            y: if over_theory { NORMALISED } else { FORCE }.into(),
            y_range: over_theory.then_some(SHOWN),
            lines,
        }
    };
    Plot {
        title: "Three-point bending with friction, natural curvature 0.3 /cm, super-helix".into(),
        per_row: 2,
        panels: vec![
            panel(false, false),
            panel(true, false),
            panel(false, true),
            panel(true, true),
        ],
    }
}
