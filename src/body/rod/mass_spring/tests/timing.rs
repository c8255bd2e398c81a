//! How long a step takes.

use super::*;

#[test]
#[ignore = "prints times"]
fn microseconds_per_pass() {
    let straight = laws::design(
        laws::line(0.2, 21),
        1e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    for close in [1.0, 1e-6] {
        laws::print_pass_us(&mut laws::rod::<Plain, BENDS>(&straight), 2e-3, close);
    }
}

#[test]
#[ignore = "prints times"]
fn microseconds_per_pass_of_a_curl() {
    let mut curly = laws::design(
        laws::line(0.2, 21),
        1e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    curly.natural = NaturalShape::helical(30.0, 10.0);
    for close in [1.0, 1e-6] {
        laws::print_pass_us(&mut laws::rod::<Curly, CURLS>(&curly), 2e-3, close);
    }
}
