//! Problem files of every kind: what is read from good ones, and that no broken one does more than fail.
//!
//! The files are described in `tests/data/README.md`.
#![allow(
    unsafe_code,
    reason = "an allocator that measures itself cannot be written without"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;
use prusik::friction::Problem;
use prusik::friction::files::{self, fclib, siconos};

const FILES: [&str; 4] = [
    "local.hdf5",
    "local_gzip.hdf5",
    "global.hdf5",
    "global_latest.hdf5",
];

/// No file of these few kilobytes may make the reader ask for more at once: 1024 times the largest file, and the
/// numbers as larger numbers.
const MOST_BYTES_AT_ONCE: usize = 64 << 20;
/// Far more than any of them takes, on a machine however busy.
const MOST_SECONDS: f64 = 20.0;

/// The system's allocator, which remembers the largest request of each thread.
struct Measured;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn remember(bytes: usize) {
    // A thread that ends has no cell any more.
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(bytes)));
}

// SAFETY: every call is handed to the system's allocator as it is.
unsafe impl GlobalAlloc for Measured {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        remember(layout.size());
        // SAFETY: the caller keeps the promises of this function, which are those of that one.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        remember(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        remember(bytes);
        // SAFETY: as above.
        unsafe { System.realloc(old, layout, bytes) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static MEASURED: Measured = Measured;

fn path(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data")).join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).expect("a file of the repository")
}

/// What reading a file gave, and what it cost.
struct Reading {
    result: Result<Problem, String>,
    seconds: f64,
    largest_request: usize,
}

impl Reading {
    fn of(bytes: Vec<u8>) -> Self {
        LARGEST.set(0);
        let start = Instant::now();
        let result = files::parse(bytes).map_err(|error| error.0);
        Self {
            result,
            seconds: start.elapsed().as_secs_f64(),
            largest_request: LARGEST.get(),
        }
    }

    /// What no file may do: take long, take much, make the decoder panic, give no sentence or half a problem.
    fn flaw(&self) -> Option<String> {
        if self.seconds >= MOST_SECONDS {
            return Some(format!("{} s", self.seconds));
        }
        if self.largest_request >= MOST_BYTES_AT_ONCE {
            return Some(format!("{} bytes at once", self.largest_request));
        }
        match &self.result {
            Ok(problem) => {
                let sizes = [problem.w.len(), problem.b.len(), problem.mu.len()];
                (sizes != [problem.len(); 3]).then(|| format!("sizes {sizes:?}"))
            }
            Err(error) => {
                let sentence = !error.is_empty() && !error.contains('\n');
                let panicked = error.contains("cannot be told");
                (!sentence || panicked).then(|| error.clone())
            }
        }
    }
}

#[test]
fn every_way_to_store_a_problem_gives_the_same_numbers() {
    let problems = FILES.map(|name| files::read(&path(name)).expect(name));
    for problem in &problems {
        assert_eq!(problem.mu, [0.3, 0.55, 0.0]);
        for i in 0..3 {
            let expected: [&[u32]; 3] = [&[0, 2], &[1, 2], &[0, 1, 2]];
            assert_eq!(
                problem.w.columns(i),
                expected[i],
                "the ball does not feel the wall"
            );
            for ((_, block), (_, twin)) in problem.w.row(i).zip(problems[0].w.row(i)) {
                assert!((block - twin).amax() < 1e-15);
            }
            assert!((problem.b[i] - problems[0].b[i]).amax() < 1e-15);
        }
    }
    // By hand: the first contact is that of a ball of 2 kg, and 4 kg upwards, with the ground.
    let own = Matrix3::from_diagonal(&Vector3::new(0.25, 0.5, 0.5));
    assert_eq!(*problems[0].w.diagonal(0), own);
    assert_eq!(problems[0].b[0], Vector3::new(-0.5, 0.35, -0.125));
}

#[test]
fn the_velocities_of_the_bodies_come_with_a_global_file() {
    let Ok(fclib::Fclib::Global(primal)) = fclib::parse(bytes("global.hdf5")) else {
        panic!("a global problem");
    };
    let r = [Vector3::new(1.0, 0.2, 0.1); 3];
    let v = primal.body_velocities(&r).expect("M is regular");
    let mut u = Vec::new();
    primal.reduce().expect("reduces").velocities(&r, &mut u);
    for (u, from_v) in u.iter().zip(primal.relative_velocities(&v)) {
        assert!((u - from_v).amax() < 1e-14);
    }
}

#[test]
fn content_decides_not_the_name() {
    let text = siconos::write(&files::read(&path("local.hdf5")).expect("readable"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let misnamed = folder.join("text.hdf5");
    std::fs::write(&misnamed, &text).expect("written");
    assert_eq!(files::read(&misnamed).expect("text").len(), 3);
    let misnamed = folder.join("binary.dat");
    std::fs::copy(path("local.hdf5"), &misnamed).expect("copied");
    assert_eq!(files::read(&misnamed).expect("HDF5").len(), 3);
    // HDF5 may follow a block of something else.
    let behind = [vec![b'#'; 512], bytes("global_latest.hdf5")].concat();
    assert_eq!(files::parse(behind).expect("HDF5").len(), 3);
}

#[test]
fn what_is_no_problem_file_gets_a_sentence() {
    let says = |path: &Path, part: &str| {
        let error = files::read(path).expect_err(part).0;
        assert!(error.contains(part), "{error}");
    };
    says(&path("no such file"), "cannot be read: ");
    says(&path(""), "this is a folder");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("odd");
    let write = |bytes: &[u8]| std::fs::write(&file, bytes).expect("written");
    write(b"");
    says(&file, "the file is empty");
    write(b"\xff\xfe\x00\x01");
    says(&file, "neither text (Siconos) nor HDF5 (FCLIB)");
    write(b"\x89HDF\r\n\x1a\n");
    says(&file, "the HDF5 file is broken at its head");
    let large = std::fs::File::create(&file).expect("created");
    // A hole: no disk is filled.
    large.set_len(3 << 30).expect("a sparse file");
    says(&file, "at most 1073741824 are read");
    std::fs::remove_file(&file).expect("removed");
    #[cfg(target_os = "linux")]
    says(Path::new("/dev/zero"), "not an ordinary file");
}

/// Replaces bytes wherever they stand, one place at a time, and reads.
fn readings_of_changes(name: &str, from: &[u8], to: &[u8]) -> Vec<Reading> {
    let original = bytes(name);
    let places = (0..=original.len() - from.len()).filter(|&k| original[k..].starts_with(from));
    let change = |k: usize| {
        let mut changed = original.clone();
        changed[k..k + to.len()].copy_from_slice(to);
        Reading::of(changed)
    };
    places.map(change).collect()
}

#[test]
fn each_mistake_has_its_sentence() {
    // Some of the changed files must be refused with this sentence.
    let some_change_says = |name: &str, from: &[u8], to: &[u8], part: &str| {
        let readings = readings_of_changes(name, from, to);
        for reading in &readings {
            assert_eq!(reading.flaw(), None, "{part}");
        }
        let sentences: Vec<&String> = (readings.iter())
            .filter_map(|reading| reading.result.as_ref().err())
            .collect();
        assert!(
            sentences.iter().any(|sentence| sentence.contains(part)),
            "{part}: {sentences:?}"
        );
    };
    let whole = |x: i32| x.to_le_bytes();
    let number = |x: f64| x.to_le_bytes();
    let (local, global) = ("local.hdf5", "global.hdf5");
    some_change_says(local, &whole(3), &whole(2), "in 2 dimensions");
    some_change_says(
        local,
        &whole(9),
        &whole(8),
        "fclib_local/W has 8 rows, but should have 9",
    );
    some_change_says(
        local,
        &whole(9),
        &whole(-9),
        "has -9 columns, but should have 9",
    );
    some_change_says(local, &whole(-2), &whole(-7), "fclib_local/W/nz is -7");
    some_change_says(local, &whole(8), &whole(9), "only the places 0 to 8 exist");
    some_change_says(local, &whole(8), &whole(-1), "an entry in place -1");
    some_change_says(
        local,
        &whole(0),
        &whole(1),
        "row starts of fclib_local/W do not rise",
    );
    some_change_says(local, &number(0.3), &number(-0.3), "µ of contact 0 is -0.3");
    some_change_says(
        local,
        &number(0.3),
        &number(f64::NAN),
        "µ of contact 0 is NaN",
    );
    some_change_says(
        local,
        &number(0.35),
        &number(f64::INFINITY),
        "vectors/q is inf",
    );
    some_change_says(
        local,
        &number(0.25),
        &number(f64::NAN),
        "fclib_local/W/x is NaN",
    );
    some_change_says(local, b"vectors", b"victors", "no fclib_local/vectors/mu");
    some_change_says(local, b"spacedim", b"spicedim", "no fclib_local/spacedim");
    some_change_says(
        local,
        b"fclib_local",
        b"fclib_loyal",
        "neither fclib_local nor",
    );
    some_change_says(
        local,
        &9_u64.to_le_bytes(),
        &10_u64.to_le_bytes(),
        "broken at",
    );
    some_change_says(
        local,
        &9_u64.to_le_bytes(),
        &u64::MAX.to_le_bytes(),
        "fclib_local/vectors/q",
    );
    some_change_says(
        local,
        &3_u64.to_le_bytes(),
        &(1_u64 << 40).to_le_bytes(),
        "more than it can hold",
    );
    some_change_says(
        global,
        &whole(18),
        &whole(19),
        "fclib_global/H promises 19 entries, but holds 18",
    );
    some_change_says(
        global,
        &whole(6),
        &whole(7),
        "fclib_global/M has 7 rows, but should have 6",
    );
    some_change_says(
        global,
        &number(4.0),
        &number(0.0),
        "M is singular: unknown 2",
    );
    some_change_says(global, &number(1.5), &number(f64::NAN), "vectors/f is NaN");
    // H by another name is the matrix of equality constraints; the other one is then missing.
    some_change_says(global, b"H\0", b"G\0", "equality constraints (G)");
}

/// Sets integers that look like sizes or addresses to this.
fn replace(bytes: &mut [u8], at: usize, width: usize, value: u64) {
    let end = (at + width).min(bytes.len());
    let value = value.to_le_bytes();
    bytes[at..end].copy_from_slice(&value[..end - at]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn no_flipped_bytes_do_more_than_fail(
        file in 0..FILES.len(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9),
    ) {
        let mut bytes = bytes(FILES[file]);
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        prop_assert_eq!(Reading::of(bytes).flaw(), None);
    }

    #[test]
    fn no_file_cut_short_does_more_than_fail(
        file in 0..FILES.len(),
        at in any::<prop::sample::Index>(),
        rest in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut bytes = bytes(FILES[file]);
        bytes.truncate(at.index(bytes.len()));
        bytes.extend(rest);
        prop_assert_eq!(Reading::of(bytes).flaw(), None);
    }

    #[test]
    fn no_huge_number_in_a_header_does_more_than_fail(
        file in 0..FILES.len(),
        at in any::<prop::sample::Index>(),
        width in prop::sample::select(vec![1, 2, 4, 8]),
        value in prop_oneof![
            Just(u64::MAX), Just(u64::MAX - 1), Just(i64::MAX as u64), Just(i32::MAX as u64), Just(u32::MAX.into()),
            Just(0), Just(1 << 20), Just(1 << 33), Just(1 << 40), any::<u64>(), 0..20_000_u64,
        ],
    ) {
        let mut bytes = bytes(FILES[file]);
        let at = at.index(bytes.len());
        // Sizes and addresses stand at even places.
        replace(&mut bytes, at & !1, width, value);
        prop_assert_eq!(Reading::of(bytes).flaw(), None);
    }

    #[test]
    fn no_huge_number_in_a_text_file_does_more_than_fail(
        at in 0..40_usize,
        value in prop_oneof![Just(u64::MAX), Just(10 << 30), Just(1 << 40), Just(i64::MAX as u64), any::<u64>(), 0..2000_u64],
    ) {
        let text = siconos::write(&files::read(&path("local.hdf5")).expect("readable"));
        let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
        let value = value.to_string();
        words[at] = &value;
        prop_assert_eq!(Reading::of(words.join(" ").into_bytes()).flaw(), None);
    }
}
