//! Files made by hand, right and wrong, of every format.

mod fuzz;
mod hair;
mod obj;
mod usda;

use nalgebra::Point3;

use super::{Strand, StrandFile, Up, parse};

fn read(ending: &str, text: &str) -> StrandFile {
    parse(ending, text.as_bytes()).unwrap_or_else(|why| panic!("{why}"))
}

/// Each of `parts` is in the sentence for a file.
#[track_caller]
fn assert_refused(ending: &str, bytes: &[u8], parts: &[&str]) {
    let why = parse(ending, bytes).expect_err("wrong");
    assert_eq!(why.lines().count(), 1, "{why}");
    for part in parts {
        assert!(why.contains(part), "\"{why}\" does not say \"{part}\"");
    }
}

/// An open strand without a thickness.
fn open(points: &[[f64; 3]]) -> Strand {
    Strand {
        points: points.iter().copied().map(Point3::from).collect(),
        ..Strand::default()
    }
}

#[test]
fn other_endings_get_a_sentence() {
    assert_refused("abc", b"", &[".hair, .usda or .obj"]);
}

#[test]
fn strands_are_chosen_evenly() {
    let strand = |k: u8| open(&[[f64::from(k), 0.0, 0.0], [f64::from(k), 1.0, 0.0]]);
    let file = StrandFile {
        strands: (0..10).map(strand).collect(),
        ..StrandFile::default()
    };
    let chosen = |most: usize| -> Vec<f64> {
        let all = file.thinned(most).map(|strand| strand.points[0].x);
        all.collect()
    };
    assert_eq!(chosen(4), [0.0, 2.0, 5.0, 7.0]);
    assert_eq!(chosen(100).len(), 10);
    assert!(chosen(0).is_empty());
    assert_eq!(StrandFile::default().thinned(4).count(), 0);
}

#[test]
fn what_stands_in_the_file_is_turned_upright() {
    let top = Point3::new(1.0, 2.0, 3.0);
    assert_eq!(Up::Y.turn() * top, top);
    assert!((Up::Z.turn() * top - Point3::new(1.0, 3.0, -2.0)).norm() < 1e-15);
}

#[test]
fn points_given_twice_are_left_out_and_a_loop_of_two_is_none() {
    let mut strand = open(&[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1e-12, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
    ]);
    strand.closed = true;
    strand.tidy();
    assert_eq!((strand.points.len(), strand.closed), (3, true));
    strand.points.pop();
    strand.tidy();
    assert_eq!((strand.points.len(), strand.closed), (2, false));
}
