//! How long a step takes.

use super::*;

#[test]
#[ignore = "prints times"]
fn microseconds_per_pass() {
    for nodes in [22, 100, 200, 400] {
        let length = 0.005 * nodes as f64;
        let design = laws::design(
            laws::line(length, nodes - 1),
            1e-3,
            laws::material(),
            NaturalShape::Straight,
        );
        laws::print_pass_us(&mut laws::rod::<Rest, BAND>(&design), 2e-3, 1.0);
    }
}
