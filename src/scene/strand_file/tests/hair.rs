//! `.hair`, byte by byte.

use super::{StrandFile, Up, assert_refused, open, parse};

/// Two strands of two and one segments.
const POINTS: [[f32; 3]; 5] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 2.0, 0.0],
    [5.0, 0.0, 0.0],
    [5.0, 0.0, 3.0],
];

/// A header, then the arrays.
pub(super) fn file(counts: [u32; 2], arrays: u32, segments: u32, numbers: &[u8]) -> Vec<u8> {
    let mut bytes = b"HAIR".to_vec();
    for number in [counts[0], counts[1], arrays, segments] {
        bytes.extend(number.to_le_bytes());
    }
    for number in [0.25_f32, 0.0, 0.5, 0.25, 0.125] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.resize(128, b' ');
    bytes.extend(numbers);
    bytes
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// A file with all arrays.
pub(super) fn full() -> Vec<u8> {
    let mut numbers: Vec<u8> = [2_u16, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
    numbers.extend(floats(POINTS.as_flattened()));
    numbers.extend(floats(&[0.1, 0.2, 0.3, 0.4, 0.6]));
    numbers.extend(floats(&[0.0; 5]));
    numbers.extend(floats(&[[1.0, 0.5, 0.0]; 5].concat()));
    file([2, 5], 31, 0, &numbers)
}

#[test]
fn every_array_is_read() {
    let read = parse("HAIR", &full()).expect("right");
    assert_eq!((read.up, read.unit_m), (Up::Z, None));
    assert_eq!(read.color, Some([1.0, 0.5, 0.0]));
    let [first, second] = read.strands.as_slice() else {
        panic!("not two strands")
    };
    let expected = open(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]]);
    assert_eq!(first.points, expected.points);
    assert!(!first.closed && (first.diameter.expect("given") - 0.2).abs() < 1e-7);
    assert!((second.diameter.expect("given") - 0.5).abs() < 1e-7);
}

#[test]
fn what_has_no_array_is_in_the_header() {
    let bytes = file([1, 5], 2, 4, &floats(POINTS.as_flattened()));
    let read = parse("hair", &bytes).expect("right");
    assert_eq!(read.strands.len(), 1);
    assert_eq!(read.strands[0].points.len(), 5);
    assert_eq!(read.strands[0].diameter, Some(0.25));
    assert_eq!(read.color, Some([0.5, 0.25, 0.125]));
}

#[test]
fn strands_without_segments_are_left_out() {
    let mut numbers: Vec<u8> = [0_u16, 0, 2].iter().flat_map(|n| n.to_le_bytes()).collect();
    numbers.extend(floats(POINTS.as_flattened()));
    let read = parse("hair", &file([3, 5], 3, 0, &numbers)).expect("right");
    assert_eq!(read.strands.len(), 1);
    assert_eq!(read.strands[0].points[2].z, 3.0);
    let none = parse("hair", &file([0, 0], 2, 0, &[])).expect("right");
    assert_eq!(none.strands, StrandFile::default().strands);
}

#[test]
fn wrong_files_get_a_sentence() {
    let full = full();
    assert_refused("hair", b"", &["header"]);
    assert_refused("hair", &full[..100], &["header"]);
    assert_refused("hair", &[b"HARE", &full[4..]].concat(), &["header"]);
    let (needed, last) = (full.len(), full.len() - 1);
    let cut = format!("has {needed} bytes, but there are {last}");
    assert_refused("hair", &full[..last], &["cut short", &cut]);
    let points = floats(POINTS.as_flattened());
    assert_refused("hair", &file([2, 5], 1, 0, &points), &["no points"]);
    let counted = "6 points in all, but its header says 5";
    assert_refused("hair", &file([2, 5], 2, 2, &points), &[counted]);
    assert_refused("hair", &file([9, 5], 2, u32::MAX, &points), &["in all"]);
    let mut wrong = points.clone();
    wrong[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    let place = "point 1 of strand 0 is not finite";
    assert_refused("hair", &file([1, 5], 2, 4, &wrong), &[place]);
    let huge = file([u32::MAX, u32::MAX], 31, u32::MAX, &points);
    assert_refused("hair", &huge, &["more than"]);
    let huge = file([1, u32::MAX], 31, u32::MAX, &points);
    assert_refused("hair", &huge, &["more than", "points"]);
}

#[test]
fn a_thickness_or_a_colour_that_is_none_is_left_out() {
    let mut bytes = file([1, 5], 2, 4, &floats(POINTS.as_flattened()));
    bytes[20..24].copy_from_slice(&(-1.0_f32).to_le_bytes());
    bytes[28..32].copy_from_slice(&2.0_f32.to_le_bytes());
    let read = parse("hair", &bytes).expect("right");
    assert_eq!((read.strands[0].diameter, read.color), (None, None));
}
