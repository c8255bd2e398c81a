//! The free end of a strand on a ball that turns to and fro [Daviet11, fig. 7]: it sticks and slips, and ends up on one
//! periodic orbit. Which, Coulomb's law decides: all solvers that aim at it must find the same, whatever their method;
//! those that settle on a likeness of it find another.
//!
//! | file | idea |
//! |---|---|
//! | `orbit` | the path of the tip through its phase space, and how far two of them are apart |

mod orbit;

pub use orbit::{Moment, Orbit, apart};

use std::path::Path;

use rayon::prelude::*;

use super::{Page, Plan, Rule, Runs, file_name, name_column};
use crate::friction::SolverKind;
use crate::record::Series;
use crate::record::plot::{Line, Panel, Plot};

/// What the protocol claims.
pub const CLAIM: &str = "all solvers of Coulomb's law lead the tip of a strand on an oscillating ball to one orbit; likenesses of the law lead elsewhere";
/// What it is held against.
pub const REFERENCE: &str =
    "the solvers against each other, by methods that share nothing but the law [Daviet11, fig. 7]";

/// Orbits are the same if they are nowhere further apart than this share of their size …
const SAME: f64 = 0.01;
/// … and others if they are somewhere further apart than this.
const OTHER: f64 = 0.05;
/// The solver that the others are compared with.
const JUDGE: SolverKind = SolverKind::Auto;
/// In haste only these are tried, beside it and what is inexact.
const QUICK: [&str; 3] = ["newton-ac", "gs-hybrid", "projected-gradient"];

/// Runs the protocol. Errors are sentences.
pub fn run(plan: &Plan) -> Result<Page, String> {
    let solvers = solvers(plan);
    let watch = Runs::new(plan, solvers.len());
    let orbits: Vec<Orbit> = solvers
        .par_iter()
        .map(|&solver| {
            let orbit = Orbit::of(solver);
            watch.done();
            orbit
        })
        .collect::<Result<_, String>>()?;
    let mut page = Page::default();
    let judge = &orbits[0];
    page.check(
        JUDGE.name(),
        "change from the last period but one to the last, over the size of the orbit",
        judge.unrest(),
        Rule::AtMost(0.1 * SAME),
    );
    for orbit in &orbits {
        let distance = apart(judge, orbit) / judge.size();
        let name = orbit.solver.name();
        page.result(
            name,
            [
                ("apart_over_size", distance),
                ("change_over_size", orbit.unrest()),
                ("steps_over_tolerance", orbit.unsolved as f64),
                ("size", orbit.size()),
            ],
        );
        let rule = match orbit.solver.is_exact() {
            true => Rule::AtMost(SAME),
            false => Rule::AtLeast(OTHER),
        };
        // The soft contacts of `sap` are so stiff here that they tell nothing apart.
        if orbit.solver != SolverKind::Sap {
            page.check(
                name,
                "distance from the orbit of auto, over its size",
                distance,
                rule,
            );
        }
    }
    if let Some(folder) = plan.out {
        page.files = write(&orbits, folder)?;
    }
    Ok(page)
}

/// The judge first.
fn solvers(plan: &Plan) -> Vec<SolverKind> {
    let wanted = |solver: &SolverKind| {
        *solver != JUDGE
            && (!plan.quick || !solver.is_exact() || QUICK.contains(&solver.name()))
            && plan.only.is_none_or(|part| solver.name().contains(part))
    };
    let others = SolverKind::ALL.into_iter().filter(wanted);
    [JUDGE].into_iter().chain(others).collect()
}

/// A table of all orbits and one plot; returns their names.
fn write(orbits: &[Orbit], folder: &Path) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut file = |name: &str| {
        let path = folder.join(file_name("oscillating_sphere", name));
        names.push(path.display().to_string());
        path
    };
    table(orbits).write(&file("orbits.csv"))?;
    plot(orbits).write(&file("orbits.svg"))?;
    Ok(names)
}

fn table(orbits: &[Orbit]) -> Series {
    let mut columns = vec!["time_in_period_s".to_owned()];
    for orbit in orbits {
        let name = name_column(orbit.solver.name());
        columns.extend(["x_m", "z_m", "vx_m_s", "vz_m_s"].map(|what| format!("{name}_{what}")));
    }
    let mut series = Series::new(columns);
    for k in 0..orbits[0].last().len() {
        let mut row = vec![(k + 1) as f64 * orbits[0].dt_s];
        for orbit in orbits {
            let moment = orbit.last()[k];
            row.extend([0, 2].map(|axis| moment.place_m[axis]));
            row.extend([0, 2].map(|axis| moment.velocity_m_s[axis]));
        }
        series.rows.push(row);
    }
    series
}

/// Velocity over place along both level axes; likenesses of the law are dashed.
fn plot(orbits: &[Orbit]) -> Plot {
    let lines = |axis: usize| -> Vec<Line> {
        let line = |(i, orbit): (usize, &Orbit)| {
            let exact = orbit.solver.is_exact();
            Line {
                name: orbit.solver.name().into(),
                color: if exact { 0 } else { i },
                dashed: !exact,
                points: orbit.closed(axis),
            }
        };
        // One name for all that lie on each other would hide which there are: each has its own, in one colour.
        orbits.iter().enumerate().map(line).collect()
    };
    let panel = |axis: usize, name: &str| Panel {
        title: format!("along {name}"),
        x: format!("{name} of the tip (m)"),
        y: format!("its velocity along {name} (m/s)"),
        y_range: None,
        lines: lines(axis),
    };
    Plot {
        title: "Tip of a strand on an oscillating ball, µ = 1: the last period".into(),
        per_row: 2,
        panels: vec![panel(0, "x"), panel(2, "z")],
    }
}
