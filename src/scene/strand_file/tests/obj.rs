//! Lines of `.obj`.

use super::{StrandFile, Up, assert_refused, open, read};

pub(super) const VERTICES: &str =
    "# four\no thing\nv 0 0 0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\n";

fn lines(text: &str) -> StrandFile {
    read("obj", &format!("{VERTICES}{text}"))
}

#[test]
fn a_line_is_a_strand_and_may_count_backwards() {
    let expected = [open(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])];
    for text in ["l 1 2 3", "l -4 -3 -2", "l 1/1 2/2 3 # end", "  l 1 2 2 3"] {
        let file = lines(text);
        assert_eq!(file.strands, expected, "{text}");
        assert_eq!((file.up, file.unit_m), (Up::Y, None));
    }
}

#[test]
fn lines_of_two_that_go_on_are_one_strand() {
    let joined = lines("l 1 2\nl 2 3\nf 1 2 3\nl 3 4\nl 1 3\n");
    let sizes: Vec<usize> = joined.strands.iter().map(|s| s.points.len()).collect();
    assert_eq!(sizes, [4, 2]);
    assert!(joined.strands.iter().all(|strand| !strand.closed));
}

#[test]
fn a_line_that_ends_where_it_begins_is_a_loop() {
    for text in ["l 1 2 3 4 1", "l 1 2\nl 2 3\nl 3 4\nl 4 1\n"] {
        let [ring] = &lines(text).strands[..] else {
            panic!("not one strand")
        };
        assert_eq!((ring.points.len(), ring.closed), (4, true), "{text}");
    }
    let after = lines("l 1 2 3 1\nl 1 4\n");
    assert_eq!(after.strands.len(), 2);
    assert!(after.strands[0].closed && !after.strands[1].closed);
    assert!(!lines("l 1 2 1").strands[0].closed);
}

#[test]
fn a_file_without_lines_has_no_strands() {
    for text in ["", "f 1 2 3\n", "line 1 2\n", "l 1 1\n"] {
        assert!(lines(text).strands.is_empty(), "{text}");
    }
}

#[test]
fn wrong_files_get_a_sentence() {
    let says = |text: &str, parts: &[&str]| {
        assert_refused("obj", format!("{VERTICES}{text}").as_bytes(), parts);
    };
    says("l 1 5", &["line 7", "names vertex 5, but there are 4"]);
    says("l 1 0", &["line 7", "names vertex 0"]);
    says("l 1 -5", &["line 7", "names vertex -5"]);
    says("l 1 two", &["line 7", "\"two\""]);
    says("l 1", &["line 7", "through 1 vertices"]);
    says("v 1 2 nan\nl 1 2", &["line 7", "three finite numbers"]);
}
