//! `prusik run --dump-problems`, driven from outside: problems on disk are those of the run.

mod common;

use std::path::{Path, PathBuf};

use common::{number, refusal, report, scratch};
use prusik::friction::files::{self, siconos};
use prusik::record::{guess_file, read_guess};
use prusik::scene::load;
use prusik::world::{Edit, World};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn problems(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("made");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "dat"));
    files.sort();
    files
}

#[test]
fn dumped_problems_are_those_of_the_run_bit_by_bit() {
    let folder = folder("dump_bits");
    let run = report(&[
        "run",
        "wisp",
        "--steps",
        "25",
        "--dump-problems",
        text(&folder),
    ]);
    let files = problems(&folder);
    assert_eq!(run["problems_dumped"].as_u64(), Some(files.len() as u64));
    let mut world = World::new(load("wisp", &[]).expect("ships").spec).expect("valid");
    world.apply(Edit::PlayDemo(true)).expect("allowed");
    world.keep_guesses();
    let mut dumped = files.iter();
    let mut guessed = 0;
    for step in 1..=25 {
        world.step().expect("no fault");
        let Some(handed) = world.handed() else {
            continue;
        };
        let file = dumped.next().expect("a file for every step with contacts");
        let n = handed.problem.len();
        assert!(
            text(file).ends_with(&format!("wisp-{step:06}-{n}.dat")),
            "{file:?}"
        );
        let again = files::read(file).expect("a problem");
        // The text is as exact as the bits, and also tells −0 from +0.
        assert_eq!(siconos::write(&again), siconos::write(handed.problem));
        let guess = read_guess(file, n).expect("well formed").expect("written");
        assert_eq!(guess, handed.guess);
        guessed += usize::from(guess.iter().any(|r| r.x > 0.0));
    }
    assert!(dumped.next().is_none());
    assert!(
        guessed > 5,
        "contacts persist, so there is something to start from"
    );
    // Dumping changes nothing.
    assert_eq!(run["state_hash"], format!("{:016x}", world.state_hash()));
    let plain = report(&["run", "wisp", "--steps", "25"]);
    assert_eq!(plain["state_hash"], run["state_hash"]);
    assert!(plain.get("problems_dumped").is_none());
}

#[test]
fn a_dumped_problem_can_be_solved() {
    let folder = folder("dump_solve");
    let args = [
        "run",
        "knot",
        "--steps",
        "700",
        "--dump-problems",
        text(&folder),
    ];
    let run = report(&[&args[..], &["--dump-every", "150"]].concat());
    let files = problems(&folder);
    assert_eq!(run["problems_dumped"].as_u64(), Some(files.len() as u64));
    assert!(files.len() >= 2 && files.len() < 6, "{}", files.len());
    for file in &files {
        assert!(guess_file(file).is_file());
        let solved = report(&["solve", text(file), "--tol", "1e-6"]);
        assert_eq!(solved["status"], "solved");
        assert!(number(&solved, "/rel") <= 1e-6);
    }
}

#[test]
fn steps_without_contacts_are_skipped() {
    let folder = folder("dump_none");
    let run = report(&[
        "run",
        "drape",
        "--steps",
        "2",
        "--dump-problems",
        text(&folder),
    ]);
    assert_eq!(run["problems_dumped"], 0);
    assert!(problems(&folder).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_a_sentence() {
    let says = |place: &str, part: &str| {
        let error = refusal(
            &["run", "wisp", "--steps", "2", "--dump-problems", place],
            1,
        );
        assert!(
            error.contains(part) && error.lines().count() == 1,
            "{error}"
        );
    };
    let file = scratch("dump_file");
    std::fs::write(&file, "").expect("written");
    says(text(&file), "is a file, but");
    says(text(&file.join("below")), "cannot be made");
    #[cfg(target_os = "linux")]
    says("/proc/self/task", "cannot be written");
    refusal(&["run", "wisp", "--dump-every", "2"], 2);
    let args = ["run", "wisp", "--dump-problems", "x", "--dump-every", "0"];
    refusal(&args, 2);
}
