//! Whatever a file holds, it is read or refused.

use proptest::prelude::*;

use super::{hair, obj, parse, usda};
use crate::scene::strand_file::MOST_POINTS;

/// Whether a file gives finite strands of at least two points each, or a reason why not.
fn is_read_or_refused(ending: &str, bytes: &[u8]) -> bool {
    match parse(ending, bytes) {
        Ok(file) => file.strands.iter().all(|strand| {
            let mut numbers = strand.points.iter().flat_map(|p| p.iter());
            let least = if strand.closed { 3 } else { 2 };
            strand.points.len() >= least && numbers.all(|x| x.is_finite())
        }),
        Err(why) => !why.is_empty(),
    }
}

/// What `.usda` files are made of.
const WORDS: &str = "def class BasisCurves \"a\" { } ( ) [ ] = : , ; \n # ' \"\"\" @ < > points points.timeSamples curveVertexCounts \
    widths \"linear\" type basis wrap \"periodic\" xformOpOrder \"xformOp:rotateXYZ\" xformOp:rotateXYZ 1 -2 1e308 nan inf 0.5.5 é";

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for ending in ["hair", "usda", "obj", "txt"] {
            prop_assert!(is_read_or_refused(ending, &bytes));
        }
        let after = |start: &[u8]| [start, &bytes].concat();
        prop_assert!(is_read_or_refused("hair", &after(b"HAIR")));
        prop_assert!(is_read_or_refused("usda", &after(b"#usda 1.0\n")));
    }

    #[test]
    fn no_header_makes_a_reader_panic_or_take_memory(
        counts in any::<[u32; 2]>(),
        small in [0..6_u32, 0..20],
        arrays in any::<u32>(),
        segments in 0..5_u32,
        numbers in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        for counts in [counts, small, [small[0], counts[1]]] {
            for arrays in [arrays, arrays % 32] {
                prop_assert!(is_read_or_refused("hair", &hair::file(counts, arrays, segments, &numbers)));
            }
        }
    }

    #[test]
    fn no_words_make_a_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.split(' ').collect::<Vec<_>>()), 0..80),
    ) {
        let text = words.join(" ");
        let alone = format!("#usda 1.0\n{text}");
        prop_assert!(is_read_or_refused("usda", alone.as_bytes()));
        prop_assert!(is_read_or_refused("usda", usda::curves(&text).as_bytes()));
    }

    #[test]
    fn no_lines_make_a_reader_panic(
        words in prop::collection::vec(
            prop::sample::select(vec!["l", "v", "\nl", "\nv 1 2 3", "\nl 1 2", "1", "-2", "3/1", "0", "1e999", "/", "é"]),
            0..60,
        ),
    ) {
        let text = format!("{}{}", obj::VERTICES, words.join(" "));
        prop_assert!(is_read_or_refused("obj", text.as_bytes()));
    }

    #[test]
    fn damaged_files_are_read_or_refused(at in 0..1000_usize, byte in any::<u8>()) {
        let text = usda::curves("int[] curveVertexCounts = [4]\npoint3f[] points = [(0, 0, 0), (1, 2, 0), (2, 2, 0), (3, 0, 0)]");
        for (ending, mut bytes) in [("hair", hair::full()), ("usda", text.into_bytes())] {
            let place = at % bytes.len();
            bytes[place] = byte;
            prop_assert!(is_read_or_refused(ending, &bytes));
            bytes.truncate(place);
            prop_assert!(is_read_or_refused(ending, &bytes));
        }
    }
}

/// A line may name a vertex again and again: few bytes, many points.
#[test]
fn more_points_than_fit_are_refused() {
    let text = format!("{}l {}", obj::VERTICES, "1 2 ".repeat(MOST_POINTS / 2 + 1));
    let why = parse("obj", text.as_bytes()).expect_err("too many");
    assert!(why.contains("more than"), "{why}");
}
