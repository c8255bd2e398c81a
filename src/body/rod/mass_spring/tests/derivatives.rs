//! Forces and stiffness against differences of the energy.

use super::*;

fn strained(natural: NaturalShape, closed: bool) -> Subject<Curly, CURLS> {
    Subject::new(&curly(natural, closed), 4e-3)
}

fn natural_shapes() -> [NaturalShape; 3] {
    [
        NaturalShape::Straight,
        NaturalShape::AsGiven,
        NaturalShape::Curved {
            curvature_per_m: vec![[20.0, -5.0], [10.0, 15.0]],
            twist_rad_m: vec![12.0],
        },
    ]
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    for natural in natural_shapes() {
        for closed in [false, true] {
            strained(natural.clone(), closed).forces_are_the_slope_of_the_energy();
        }
    }
}

#[test]
fn at_rest_the_stiffness_is_the_slope_of_the_forces() {
    for closed in [false, true] {
        Subject::<Curly, CURLS>::new(&curly(NaturalShape::AsGiven, closed), 0.0)
            .stiffness_is_the_slope_of_the_forces();
    }
    let straight = laws::design(
        laws::line(0.1, 6),
        4e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    Subject::<Plain, BENDS>::new(&straight, 0.0).stiffness_is_the_slope_of_the_forces();
}

#[test]
fn the_stiffness_is_never_negative() {
    for natural in natural_shapes() {
        for closed in [false, true] {
            strained(natural.clone(), closed).stiffness_is_never_negative();
        }
    }
}

#[test]
fn elastic_forces_balance() {
    for natural in natural_shapes() {
        for closed in [false, true] {
            strained(natural.clone(), closed).forces_balance(|_, _, _| Vector3::zeros());
        }
    }
}

#[test]
fn a_straightened_curl_is_pushed_nowhere_in_particular() {
    // The cusp of the bending energy is rounded off: straight is an equilibrium, unstable, without any direction.
    let mut straight = laws::design(
        laws::line(0.1, 6),
        4e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    straight.natural = NaturalShape::helical(30.0, 10.0);
    let subject = Subject::<Curly, CURLS>::new(&straight, 0.0);
    assert!(subject.forces(&subject.here()).iter().all(|f| *f == 0.0));
}

#[test]
fn narrow_and_wide_matrices_give_the_same_rod() {
    let straight = curly(NaturalShape::Straight, false);
    let [narrow, wide] = [
        Subject::<Plain, BENDS>::new(&straight, 4e-3).stiffness(),
        Subject::<Curly, CURLS>::new(&straight, 4e-3).stiffness(),
    ];
    assert_eq!(narrow, wide);
}
