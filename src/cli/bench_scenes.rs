//! `prusik bench scenes`: our times beside those of [Bertails11, table I].

use prusik::bench::{SceneRow, measure_scene, scene_rows};
use serde::Serialize;

use super::args::BenchScenesArgs;
use super::progress::progress_bar;
use super::table::{Table, short, short_or_dash};
use super::{Failure, print_json, print_line, use_threads};

#[derive(Serialize)]
struct SceneTable {
    threads: usize,
    rows: Vec<SceneRow>,
}

/// Runs every scene of the table that ships, and prints.
pub(super) fn bench_scenes(args: &BenchScenesArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let wanted = scene_rows(&args.only);
    if wanted.is_empty() {
        let known: Vec<&str> = scene_rows(&[]).iter().map(|row| row.label).collect();
        return Err(Failure::usage(format!(
            "--only names no scene of the table; there are: {}",
            known.join(", ")
        )));
    }
    let bar = progress_bar(wanted.len() as u64, "scenes");
    let mut rows = Vec::new();
    for row in &wanted {
        rows.push(measure_scene(row, args.seconds).map_err(Failure::fault)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    if args.json {
        return print_json(&SceneTable { threads, rows });
    }
    print(threads, &rows)
}

fn print(threads: usize, rows: &[SceneRow]) -> Result<(), Failure> {
    print_line(format_args!(
        "Scenes of [Bertails11, table I] on {threads} threads. In brackets: the paper's figures, one thread of a Core 2 Duo, 2.1 GHz;"
    ))?;
    print_line(
        "ν counts all unknowns; of CORDE, after a slash, places of nodes alone, as the paper does.\n",
    )?;
    let mut text = Table::new([
        "scene",
        "size",
        "model",
        "µ",
        "dt, ms",
        "contacts max",
        "ν max",
        "ms per step",
        "CPU ms",
        "times as fast",
        "real time",
        "% over",
        "crossings",
    ]);
    let mut phases = Table::new([
        "ms per step",
        "dynamics",
        "detection",
        "assembly",
        "solve",
        "advance",
        "check",
        "other",
        "(boxes)",
    ]);
    for row in rows {
        text.add(figures(row));
        let p = &row.phases_ms;
        let shares = [
            p.dynamics,
            p.detection,
            p.assembly,
            p.solve,
            p.advance,
            p.check,
            p.other,
            p.broad,
        ];
        let mut line = vec![row.published.label.to_owned()];
        line.extend(shares.map(short));
        phases.add(line);
    }
    print_line(text)?;
    print_line(phases)?;
    let faults = rows
        .iter()
        .filter_map(|row| Some((row, row.fault.as_ref()?)));
    for (row, fault) in faults {
        print_line(format_args!("{}: {fault}", row.published.label))?;
    }
    Ok(())
}

fn figures(row: &SceneRow) -> [String; 13] {
    let paper = &row.published;
    let beside = |ours: String, theirs: Option<String>| match theirs {
        Some(theirs) => format!("{ours} [{theirs}]"),
        None => ours,
    };
    let nu = match row.nu_max_of_places {
        Some(places) => format!("{}/{}", short(row.nu_max), short(places)),
        None => short(row.nu_max),
    };
    let theirs_ms = paper.seconds_per_step.map(|s| short(1e3 * s));
    [
        paper.label.to_owned(),
        paper.size.to_owned(),
        paper.model.to_owned(),
        short(paper.mu),
        short(paper.dt_ms),
        beside(
            row.contacts_max.to_string(),
            paper.published_contacts_max.map(|n| n.to_string()),
        ),
        beside(nu, paper.published_nu_max.map(short)),
        beside(short(row.ms_per_step), theirs_ms),
        short(row.cpu_ms_per_step),
        short_or_dash(row.speed_up),
        short(row.real_time_factor),
        short(row.over_tolerance_percent),
        row.crossings.to_string(),
    ]
}
