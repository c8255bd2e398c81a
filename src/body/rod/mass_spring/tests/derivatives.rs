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
            let error = strained(natural.clone(), closed).error_of_forces();
            assert!(error < 1e-6, "{natural:?}, closed {closed}: {error}");
        }
    }
}

#[test]
fn at_rest_the_stiffness_is_the_slope_of_the_forces() {
    for closed in [false, true] {
        let subject = Subject::<Curly, CURLS>::new(&curly(NaturalShape::AsGiven, closed), 0.0);
        let error = laws::apart(&subject.stiffness(), &subject.slope_of_forces());
        assert!(error < 1e-6, "closed {closed}: {error}");
    }
    let straight = laws::design(
        laws::line(0.1, 6),
        4e-3,
        laws::material(),
        NaturalShape::Straight,
    );
    let subject = Subject::<Plain, BENDS>::new(&straight, 0.0);
    let error = laws::apart(&subject.stiffness(), &subject.slope_of_forces());
    assert!(error < 1e-6, "straight: {error}");
}

#[test]
fn the_stiffness_is_never_negative() {
    for natural in natural_shapes() {
        for closed in [false, true] {
            let least = strained(natural.clone(), closed).least_stiffness();
            assert!(least > -1e-12, "{natural:?}, closed {closed}: {least}");
        }
    }
}

#[test]
fn elastic_forces_balance() {
    for natural in natural_shapes() {
        for closed in [false, true] {
            let subject = strained(natural.clone(), closed);
            let [force, turn] = subject.imbalance(|_, _, _| Vector3::zeros());
            assert!(force < 1e-12 && turn < 1e-13, "{force}, {turn}");
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
