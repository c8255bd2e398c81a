//! Forces and stiffness against differences of the energy, and the strain against the formula of the paper.

use super::*;

fn strained(natural: NaturalShape, closed: bool) -> Subject<Rest, BAND> {
    Subject::new(&curly(natural, closed), 4e-3)
}

#[test]
fn the_strain_is_that_of_the_paper() {
    // u_k = (2/|q|²) B_k q · q′ with the matrices B_k written out: B_k q is q times the k-th unit quaternion.
    let frames = strained(NaturalShape::Straight, false).state.q;
    let (e, f) = (frames[2].into_inner(), frames[3].into_inner());
    let (middle, l) = ((e + f) * 0.5, 0.02);
    let slope = (f - e) / l;
    let strain = Strain::between(&frames[2], &frames[3], 1.0);
    for k in 0..3 {
        let mut axis = Vector3::zeros();
        axis[k] = 1.0;
        let b_q = middle * nalgebra::Quaternion::from_imag(axis);
        let u = 2.0 / middle.norm_squared() * b_q.coords.dot(&slope.coords);
        assert!(
            (strain.u[k] - u * l).abs() < 1e-14,
            "{} against {}",
            strain.u[k],
            u * l
        );
    }
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
        let subject = Subject::<Rest, BAND>::new(&curly(NaturalShape::AsGiven, closed), 0.0);
        let error = laws::apart(&subject.stiffness(), &subject.slope_of_forces());
        assert!(error < 1e-6, "closed {closed}: {error}");
    }
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
fn elastic_forces_and_torques_balance() {
    for natural in natural_shapes() {
        for closed in [false, true] {
            let torque = |at: &Kinematics, k: usize, t: &[f64]| {
                at.turn[k].q * Vector3::new(t[0], t[1], t[2])
            };
            let [force, turn] = strained(natural.clone(), closed).imbalance(torque);
            assert!(force < 1e-12 && turn < 1e-13, "{force}, {turn}");
        }
    }
}

#[test]
fn a_surface_point_moves_as_its_jacobian_says() {
    let subject = strained(NaturalShape::AsGiven, false);
    let here = subject.here();
    let (k, h) = (2, 1e-6);
    let offset = Vector3::new(1e-3, -2e-3, 3e-3);
    let mut columns = Vec::new();
    subject.model.edge_jacobian(&here, k, &offset, &mut columns);
    let carried = here.turn[k].q.inverse() * offset;
    for (c, column) in columns.iter().enumerate() {
        let mut motion = vec![0.0; subject.model.chain.dofs(6)];
        motion[6 * k + 3 + c] = h;
        let moved = (subject.at(&motion).turn[k].q * carried - offset) / h;
        assert!((moved - column).norm() < 1e-8);
    }
}
