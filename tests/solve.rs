//! `prusik solve`, driven from outside: reports, bad input, exit codes, determinism.

mod common;

use std::process::Command;

use common::{number, refusal, report, scratch, text};

/// A problem of the repository.
fn problem(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn solve_reports_one_problem_or_several() {
    let one = report(&["solve", &problem("local.hdf5")]);
    let mut fields: Vec<&str> = one
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "ac",
            "cpu_ms",
            "fb",
            "iterations",
            "n",
            "problem",
            "rel",
            "solver",
            "status",
            "wall_ms",
            "work"
        ]
    );
    assert_eq!((&one["n"], &one["status"]), (&3.into(), &"solved".into()));
    assert!(number(&one, "/rel") <= 1e-8);
    let two = report(&[
        "solve",
        &problem("local_gzip.hdf5"),
        &problem("global.hdf5"),
    ]);
    assert_eq!(two["problems"][1]["problem"], "global.hdf5");
    assert!(number(&two, "/problems/1/rel") <= 1e-8);
}

#[test]
fn thread_count_does_not_change_a_solution() {
    // Real problems, where they are at hand, have more contacts than one thread takes at a time.
    let real = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/data/fc3d/Spheres-i099-356-679.hdf5"
    );
    for file in [problem("global.hdf5"), real.to_owned()] {
        if !std::path::Path::new(&file).exists() {
            eprintln!("skipped: there is no {file}");
            continue;
        }
        let impulses = |threads: &str| {
            let out = scratch(&format!("impulses_{threads}.txt"));
            report(&[
                "solve",
                &file,
                "--threads",
                threads,
                "--out",
                out.to_str().expect("text"),
            ]);
            std::fs::read(out).expect("written")
        };
        let one = impulses("1");
        assert!(!one.is_empty());
        assert_eq!(one, impulses("2"));
        assert_eq!(one, impulses("5"));
    }
}

#[test]
fn solve_refuses_bad_arguments() {
    let file = problem("local.hdf5");
    let says = |args: &[&str], part: &str| {
        let error = refusal(&[&["solve", file.as_str()], args].concat(), 2);
        assert!(error.contains(part), "{error}");
    };
    for tol in ["0", "-1", "-1e-8", "nan", "inf", "tight"] {
        says(&["--tol", tol], "--tol");
    }
    for count in ["0", "-1", "1.5", "many"] {
        says(&["--max-iterations", count], "--max-iterations");
        says(&[&format!("--threads={count}")], "--threads");
    }
    says(&["--solver", "magic"], "gs-hybrid");
    says(&[file.as_str(), "--out", "x.txt"], "several files");
    refusal(&["solve"], 2);
}

#[test]
fn solve_refuses_bad_files_in_one_sentence() {
    let says = |args: &[&str], part: &str| {
        let error = refusal(&[&["solve", "--json"], args].concat(), 1);
        assert!(
            error.contains(part) && error.lines().count() == 1,
            "{error}"
        );
    };
    says(
        &["no/such/problem.hdf5"],
        "no/such/problem.hdf5: cannot be read: ",
    );
    says(&[env!("CARGO_MANIFEST_DIR")], "this is a folder");
    let file = scratch("empty.dat");
    std::fs::write(&file, "").expect("written");
    says(&[file.to_str().expect("text")], "the file is empty");
    let mut cut = std::fs::read(problem("local.hdf5")).expect("readable");
    cut.truncate(3000);
    let file = scratch("cut.hdf5");
    std::fs::write(&file, cut).expect("written");
    says(
        &[file.to_str().expect("text")],
        "cut.hdf5: the HDF5 file is broken",
    );
    let file = problem("local.hdf5");
    says(
        &[&file, "--out", "no/such/folder/r.txt"],
        "there is no folder no/such/folder",
    );
    says(
        &[&file, "--out", env!("CARGO_MANIFEST_DIR")],
        "cannot be written",
    );
    #[cfg(target_os = "linux")]
    says(
        &[&file, "--out", "/dev/full"],
        "/dev/full: cannot be written: No space left",
    );
}

/// Standard output on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_printed_is_a_sentence() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = Command::new(env!("CARGO_BIN_EXE_prusik"))
        .args(["solve", &problem("local.hdf5"), "--json"])
        .stdout(full)
        .output()
        .expect("the binary starts");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.starts_with("prusik: the output cannot be written"),
        "{error}"
    );
}
