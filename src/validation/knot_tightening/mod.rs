//! Knots drawn tight \[Li25, sect. IV-B\]: two cords of 3 mm, wound once and four times, pulled apart at 0.8 m/s without
//! friction, in steps of 1 ms. The published method takes steps of 0.1 ms; others let the cord through itself.
//!
//! | file | idea |
//! |---|---|
//! | `pull` | one knot in the scene, drawn tight and watched |
//! | `snap` | where the pull falls although the ends are drawn on |

mod pull;
mod snap;

pub use pull::{Moment, Pull, Track};
pub use snap::{Snap, snaps};

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{Page, Plan, Rule, Runs, file_name};
use crate::record::Series;
use crate::record::plot::{Line, Panel, Plot};

/// What the protocol claims.
pub const CLAIM: &str = "knots that are drawn tight never pass through themselves, and snap through when they are tight";
/// What it is held against.
pub const REFERENCE: &str = "the cord itself: pieces that cross, and the determinant of the knot, 2 n + 1; [Li25, fig. 1] shows one snap for n = 4";

/// Where the published centrelines are, if they are: beside the working directory.
const PUBLISHED: &str = "../shared/data/knots";
/// The published knots: name, file, windings, and how often the pull falls.
const FILES: [(&str, &str, u64, f64); 2] = [
    ("published, n = 1", "n1.txt", 1, 0.0),
    ("published, n = 4", "n4.txt", 4, 1.0),
];
/// Deepest overlap that is tolerated, over the radius.
const MOST_OVERLAP: f64 = 0.1;
/// Falls of the pull count from this time on, s: the jerk with which the ends set out must ring out …
const CALM_S: f64 = 0.1;
/// … and from this share of B/r² on, which is about what bends a cord around itself.
const LEAST_FALL: f64 = 2e-3;
/// In haste our own knot is drawn for this long, s, and only knots that are wound once.
const QUICK_S: f64 = 0.2;

/// A knot, and how often the pull should fall; not looked at where it is not drawn tight.
struct Case {
    pull: Pull,
    snaps: Option<f64>,
}

/// Runs the protocol. Errors are sentences.
pub fn run(plan: &Plan) -> Result<Page, String> {
    let mut page = Page::default();
    let cases = cases(plan, Path::new(PUBLISHED), &mut page);
    let watch = Runs::new(plan, cases.len());
    let tracks: Vec<Track> = cases
        .par_iter()
        .map(|case| {
            let track = case.pull.run();
            watch.done();
            track
        })
        .collect::<Result<_, String>>()?;
    for (case, track) in cases.iter().zip(&tracks) {
        judge(case, track, &mut page);
    }
    if let Some(folder) = plan.out {
        page.files = write(&cases, &tracks, folder)?;
    }
    Ok(page)
}

/// Our own knot, and the published ones where they are found.
fn cases(plan: &Plan, published: &Path, page: &mut Page) -> Vec<Case> {
    let own = match plan.quick {
        true => Pull {
            name: "ours, n = 1".into(),
            sets: vec!["rod.0.shape.turns=1".into()],
            determinant: 3,
            seconds: Some(QUICK_S),
        },
        false => Pull {
            name: "ours, n = 4".into(),
            sets: Vec::new(),
            determinant: 9,
            seconds: None,
        },
    };
    let mut cases = vec![Case {
        snaps: (!plan.quick).then_some(1.0),
        pull: own,
    }];
    for (name, file, wound, snaps) in FILES {
        let path: PathBuf = published.join(file);
        if !path.is_file() {
            page.skipped
                .push(format!("{name}: there is no {}", path.display()));
            continue;
        }
        if plan.quick && wound > 1 {
            page.skipped
                .push(format!("{name}: takes too long in haste"));
            continue;
        }
        cases.push(Case {
            pull: Pull {
                name: name.into(),
                sets: vec![format!("rods.file={}", path.display())],
                determinant: 2 * wound + 1,
                seconds: None,
            },
            snaps: Some(snaps),
        });
    }
    cases
}

fn judge(case: &Case, track: &Track, page: &mut Page) {
    let name = case.pull.name.as_str();
    let overlaps = track.moments.iter().map(|m| m.overlap_over_radius);
    let overlap = overlaps.fold(0.0, f64::max);
    let contacts = track.moments.iter().map(|m| m.contacts).max().unwrap_or(0);
    let last = track.moments.last().copied().unwrap_or_default();
    page.result(
        name,
        [
            ("steps", track.moments.len() as f64),
            ("substeps", track.substeps as f64),
            ("held_back", track.held_back as f64),
            ("contacts_max", contacts as f64),
            ("overlap_max_over_radius", overlap),
            ("end_distance_m", last.end_distance_m),
            ("pull_at_end_n", 0.5 * (last.pull_n[0] + last.pull_n[1])),
        ],
    );
    page.check(
        name,
        "pieces that passed through each other",
        track.crossings as f64,
        Rule::AtMost(0.0),
    );
    let stopped = f64::from(u8::from(track.fault.is_some()));
    page.check(name, "steps that had to stop", stopped, Rule::AtMost(0.0));
    let [before, after] = track.determinants.map(|d| d as f64);
    let expected = case.pull.determinant as f64;
    let rule = Rule::About(expected, 0.0);
    page.check(name, "determinant at the start", before, rule);
    page.check(name, "determinant at the end", after, rule);
    page.check(
        name,
        "deepest overlap, over the radius",
        overlap,
        Rule::AtMost(MOST_OVERLAP),
    );
    if let Some(expected) = case.snaps {
        let snaps = falls(track);
        let rule = Rule::About(expected, 0.0);
        page.check(name, "sudden falls of the pull", snaps.len() as f64, rule);
        page.notes.extend(snaps.iter().map(|snap| {
            format!(
                "{name}: the pull falls by {:.0} % from {:.3} N to {:.3} N as the ends go from {:.3} m to {:.3} m",
                100.0 * snap.share(),
                snap.pull_n[0],
                snap.pull_n[1],
                snap.distance_m[0],
                snap.distance_m[1]
            )
        }));
    }
    if let Some(fault) = &track.fault {
        page.notes.push(format!("{name}: {fault}"));
    }
}

/// Where the pull falls once the cord is calm.
fn falls(track: &Track) -> Vec<Snap> {
    let calm = || track.moments.iter().filter(|m| m.time_s >= CALM_S);
    let distance_m: Vec<f64> = calm().map(|m| m.end_distance_m).collect();
    let pull_n: Vec<f64> = calm().map(mean_pull).collect();
    snaps(&distance_m, &pull_n, LEAST_FALL * track.unit_n)
}

fn mean_pull(moment: &Moment) -> f64 {
    0.5 * (moment.pull_n[0] + moment.pull_n[1])
}

/// Tables of all runs and one plot; returns their names.
fn write(cases: &[Case], tracks: &[Track], folder: &Path) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut file = |name: &str| {
        let path = folder.join(file_name("knot_tightening", name));
        names.push(path.display().to_string());
        path
    };
    for (case, track) in cases.iter().zip(tracks) {
        let name = format!("{}.csv", super::name_column(&case.pull.name));
        table(track).write(&file(&name))?;
    }
    plot(cases, tracks).write(&file("pull.svg"))?;
    Ok(names)
}

fn table(track: &Track) -> Series {
    let mut series = Series::new([
        "time_s",
        "end_distance_m",
        "pull_start_n",
        "pull_end_n",
        "contacts",
        "overlap_over_radius",
    ]);
    let row = |m: &Moment| {
        let [start, end] = m.pull_n;
        vec![
            m.time_s,
            m.end_distance_m,
            start,
            end,
            m.contacts as f64,
            m.overlap_over_radius,
        ]
    };
    series.rows = track.moments.iter().map(row).collect();
    series
}

/// The pull over the distance of the ends: as it is, and where it snaps from nearby.
fn plot(cases: &[Case], tracks: &[Track]) -> Plot {
    let lines = || -> Vec<Line> {
        let line = |(i, (case, track)): (usize, (&Case, &Track))| Line {
            name: case.pull.name.clone(),
            color: i + 1,
            dashed: false,
            points: track
                .moments
                .iter()
                .map(|m| [m.end_distance_m, mean_pull(m)])
                .collect(),
        };
        cases.iter().zip(tracks).enumerate().map(line).collect()
    };
    let panel = |title: &str, y_range: Option<[f64; 2]>| Panel {
        title: title.into(),
        x: "distance of the ends (m)".into(),
        y: "pull (N)".into(),
        y_range,
        lines: lines(),
    };
    Plot {
        title: "Knots drawn tight at 0.8 m/s without friction".into(),
        per_row: 2,
        panels: vec![
            panel("all of it", None),
            panel("the snap from nearby", Some([0.0, 0.6])),
        ],
    }
}

#[cfg(test)]
mod tests;
