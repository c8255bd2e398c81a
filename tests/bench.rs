//! `prusik bench`, driven from outside: the shape of its tables, bad input.

mod common;

use common::{number, prusik, refusal, report, scratch, text};
use prusik::bench::ROD_SIZES;
use prusik::body::RodModel;
use prusik::friction::SolverKind;
use serde_json::Value;

/// A problem of the repository.
fn problem(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[test]
fn every_solver_has_a_row_on_the_packed_problems() {
    let table = report(&["bench", "solvers", "--problems", "5"]);
    assert_eq!(table["problems"], 5);
    assert!(number(&table, "/contacts_mean") > 100.0);
    assert!(number(&table, "/nu_mean") > 1.0);
    assert_eq!(number(&table, "/tolerance"), 1e-6);
    let rows = table["solvers"].as_array().expect("a list");
    let names: Vec<&str> = rows.iter().filter_map(|r| r["solver"].as_str()).collect();
    assert_eq!(names, SolverKind::ALL.map(SolverKind::name));
    for row in rows {
        assert_eq!(row["problems"], 5);
        for field in ["mean_iterations", "mean_work", "mean_ms", "mean_error"] {
            assert!(row[field].as_f64() > Some(0.0), "{field} of {row}");
        }
        assert!(row["unsolved_percent"].as_f64().is_some());
    }
    let hybrid = rows.iter().find(|row| row["solver"] == "gs-hybrid");
    let hybrid = hybrid.expect("listed");
    assert!(hybrid["failsafe_percent"].is_number() && hybrid["local_failures_percent"].is_number());
    assert_eq!(hybrid["paper"]["method"], "MFB + Enum");
    let warm = &table["warm_start"];
    assert_eq!(warm["problems"], 5);
    for ratio in ["iterations_ratio", "work_ratio", "time_ratio"] {
        assert!(warm[ratio].as_f64() > Some(0.0), "{ratio}");
    }
}

#[test]
fn every_rod_model_has_a_row_per_size() {
    let table = report(&["bench", "rods", "--steps", "2"]);
    assert_eq!(table["steps"], 2);
    let rows = table["rows"].as_array().expect("a list");
    let sizes: usize = ROD_SIZES.iter().map(|(_, sizes)| sizes.len()).sum();
    assert_eq!(rows.len(), sizes);
    for row in rows {
        for field in ["size", "dofs", "us_per_step", "passes"] {
            assert!(row[field].as_f64() > Some(0.0), "{field} of {row}");
        }
    }
    let firsts = rows.iter().filter(|row| row["growth"].is_null());
    let models: Vec<&str> = firsts.filter_map(|row| row["model"].as_str()).collect();
    assert_eq!(models, RodModel::ALL.map(RodModel::name));
    refusal(&["bench", "rods", "--steps", "0"], 2);
    refusal(&["bench", "rods", "--json", "extra"], 2);
}

#[test]
fn smooth_detection_is_held_against_pieces() {
    let table = report(&["bench", "detection", "--pairs", "3000"]);
    assert_eq!(table["pairs"], 3000);
    for field in [
        "curves",
        "radius_m",
        "length_m",
        "limit_m",
        "within_limit",
        "apart_at_once",
        "accept_ns",
        "accept_with_guess_ns",
        "reject_ns",
        "reject_median_ns",
        "accept_over_reject",
        "accept_over_reject_median",
        "smooth_growth",
        "segments_growth",
    ] {
        assert!(table[field].as_f64() > Some(0.0), "{field}");
    }
    assert!(table["touching"].is_u64());
    for rows in ["smooth", "segments"] {
        let rows = table[rows].as_array().expect("a list");
        assert!(rows.len() > 5);
        for row in rows {
            assert_eq!(row["found"], row["pairs"], "{row}");
            assert!(row["mean_error_m"].as_f64() >= Some(0.0), "{row}");
        }
    }
    let best = table["smooth"].as_array().and_then(|rows| rows.last());
    assert!(best.is_some_and(|row| row["median_error_m"].as_f64() < Some(1e-11)));
    let gaps = table["gaps"].as_array().expect("a list");
    let counted: u64 = gaps.iter().filter_map(|row| row["pairs"].as_u64()).sum();
    assert_eq!(counted, 3000);
    refusal(&["bench", "detection", "--pairs", "0"], 2);
    refusal(&["bench", "detection", "--record", "x.bin"], 2);
}

#[test]
fn files_are_raced_against_auto() {
    let files = [problem("local.hdf5"), problem("global.hdf5")];
    let args = ["bench", "solvers", &files[0], &files[1]];
    let race = report(&[&args[..], &["--solvers", "gs-hybrid,gs-enum"]].concat());
    let first = &race["problems"][0];
    assert_eq!(first["problem"], "local.hdf5");
    assert_eq!(keys(&first["solvers"]), ["auto", "gs-enum", "gs-hybrid"]);
    assert_eq!(first["solvers"]["auto"]["solved"], true);
    assert!(number(first, "/solvers/auto/rel") <= 1e-6);
    assert_eq!(number(&race, "/ratio_to_auto/auto/geometric_mean"), 1.0);
    assert_eq!(race["ratio_to_auto"]["auto"]["problems"], 2);
    assert!(race["speed_up"].is_null() && first["nsgs_here"].is_null());
    let output = prusik(&args);
    let table = text(&output.stdout);
    assert!(output.status.success() && text(&output.stderr).is_empty());
    assert!(table.contains("global.hdf5") && table.contains("time over that of auto"));
}

#[test]
fn guesses_beside_the_files_are_used() {
    let folder = scratch("bench_guess");
    let _ = std::fs::remove_dir_all(&folder);
    let place = folder.to_str().expect("text");
    let args = ["run", "wisp", "--steps", "30", "--dump-problems", place];
    report(&[&args[..], &["--dump-every", "29"]].concat());
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("made")
        .map(|entry| entry.expect("readable").path().display().to_string())
        .filter(|name| name.ends_with(".dat"))
        .collect();
    files.sort();
    let race = report(&["bench", "solvers", &files[1], "--solvers", "auto"]);
    assert_eq!(race["warm_start"]["problems"], 1);
    let guess = files[1].replace(".dat", ".guess.txt");
    std::fs::write(&guess, "1 2\n").expect("written");
    let error = refusal(&["bench", "solvers", &files[1]], 1);
    assert!(error.contains("a guess for"), "{error}");
}

#[test]
fn bench_refuses_what_it_cannot_do_in_a_sentence() {
    let file = problem("local.hdf5");
    let error = refusal(&["bench", "solvers", "no/such.dat", "--json"], 1);
    assert!(error.contains("no/such.dat: cannot be read") && error.lines().count() == 1);
    let error = refusal(&["bench", "solvers", &file, "--judge", "no/such.py"], 1);
    assert!(error.contains("there is no judge no/such.py"), "{error}");
    let error = refusal(&["bench", "solvers", "--solvers", "auto,magic"], 2);
    assert!(error.contains("gs-hybrid"), "{error}");
    refusal(&["bench", "solvers", "--problems", "0"], 2);
    refusal(&["bench", "solvers", "--judge", &file], 2);
    refusal(&["bench", "solvers", &file, "--problems", "3"], 2);
    refusal(&["bench", "solvers", "--tol=-1"], 2);
    refusal(&["bench", "solvers", "--max-iterations", "0"], 2);
    refusal(&["bench"], 2);
}

/// A judge that answers nonsense costs its column, not the table.
#[cfg(target_os = "linux")]
#[test]
fn a_judge_without_an_answer_is_a_sentence_and_the_table_remains() {
    if !std::path::Path::new("/usr/bin/python3").exists() {
        eprintln!("skipped: there is no /usr/bin/python3");
        return;
    }
    let script = scratch("no_judge.py");
    std::fs::write(&script, "raise ValueError('not today')\n").expect("written");
    let args = ["bench", "solvers", &problem("local.hdf5"), "--json"];
    let judge = ["--judge", script.to_str().expect("text")];
    let output = prusik(&[&args[..], &judge].concat());
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("not today"));
    let race: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert!(race["problems"][0]["nsgs_here"].is_null());
}

#[test]
fn scenes_stand_beside_what_is_published_of_them() {
    let args = [
        "bench",
        "scenes",
        "--only",
        "spaghetti_7",
        "--seconds",
        "0.002",
    ];
    let table = report(&args);
    let row = &table["rows"][0];
    assert_eq!(
        (row["label"].as_str(), row["steps"].as_u64()),
        (Some("spaghetti_7"), Some(20))
    );
    assert_eq!(row["published_contacts_max"], 121);
    for field in ["ms_per_step", "cpu_ms_per_step", "speed_up"] {
        assert!(row[field].as_f64() > Some(0.0), "{field}");
    }
    assert_eq!(row["crossings"], 0);
    assert!(row["phases_ms"]["assembly"].is_number());
}

#[test]
fn convergence_is_a_table_and_a_plot() {
    let folder = scratch("convergence");
    let out = folder.to_str().expect("a path");
    let table = report(&[
        "bench",
        "convergence",
        "--scene",
        "wisp",
        "--problems",
        "3",
        "--max-work",
        "1e7",
        "--out",
        out,
    ]);
    let rows = table["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 9, "three problems, three solvers");
    assert!(rows.iter().all(|row| row["nu"].as_f64() > Some(0.0)));
    let csv = std::fs::read_to_string(folder.join("convergence.csv")).expect("a table");
    assert_eq!(csv.lines().count(), 10);
    let svg = std::fs::read_to_string(folder.join("convergence.svg")).expect("a plot");
    assert!(svg.starts_with("<svg") && svg.contains("gs-hybrid"));
}
