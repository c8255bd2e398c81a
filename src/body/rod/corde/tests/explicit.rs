//! The explicit step: as large as it claims it may be, and no larger; friction that takes energy.

use super::*;
use crate::body::{Body, Scheme};

fn hanging(damping_s: f64) -> CordeRod {
    let mut material = laws::material();
    material.stiffness_damping_s = damping_s;
    let mut design = laws::design(laws::line(0.1, 8), 4e-3, material, NaturalShape::Straight);
    design.scheme = Scheme::Explicit;
    laws::rod(&design)
}

/// Largest distance of the end from the clamp over so many steps, over the length; infinite once it is not finite.
fn farthest(mut rod: CordeRod, times: f64, steps: usize) -> f64 {
    let hold = [laws::clamp(&rod, 0)];
    let none = vec![0.0; rod.dofs()];
    let dt = rod.largest_step_s() * times;
    let mut far = 0.0_f64;
    for _ in 0..steps {
        rod.begin(dt, &laws::GRAVITY, &hold);
        if rod.linearise().is_err() {
            return f64::INFINITY;
        }
        let v = rod.free_velocity().to_vec();
        rod.attempt(&v, &none, &[]);
        if rod.check().is_err() {
            return f64::INFINITY;
        }
        rod.accept();
        let reach = (rod.nodes()[8] - rod.nodes()[0]).norm() / 0.1;
        far = if reach.is_finite() {
            far.max(reach)
        } else {
            f64::INFINITY
        };
    }
    far
}

#[test]
fn a_swinging_rod_stays_bounded_at_the_largest_step_and_not_at_four_times_it() {
    for damping_s in [0.0, 1e-4] {
        println!("{damping_s}: {} s", hanging(damping_s).largest_step_s());
        let far = farthest(hanging(damping_s), 1.0, 100_000);
        assert!(far < 1.1, "{far}");
        let far = farthest(hanging(damping_s), 4.0, 20_000);
        assert!(far > 2.0, "{far}");
    }
}

#[test]
fn friction_inside_takes_energy_as_stiffness_damping_does() {
    // Along edges and between frames it is β K v, but for what ties the two.
    let mut design = curly(NaturalShape::AsGiven, false);
    let mut subject = Subject::<Rest, BAND>::new(&design, 0.0);
    subject.model.tie_n = 0.0;
    let (beta, n) = (1e-3, subject.model.chain.dofs(6));
    let v: Vec<f64> = (0..n).map(|i| ((7 * i + 2) as f64).sin()).collect();
    let mut force = vec![0.0; n];
    subject
        .model
        .add_friction(&subject.here(), &v, beta, &mut force);
    let expected = subject.stiffness() * nalgebra::DVector::from_vec(v.clone()) * -beta;
    for dof in 0..n {
        assert!((force[dof] - expected[dof]).abs() < 1e-9 * expected.amax());
    }
    // A rigid motion meets none of it.
    design.centreline = laws::line(0.1, 5);
    let subject = Subject::<Rest, BAND>::new(&design, 0.0);
    let here = subject.here();
    let omega = Vector3::new(1.0, -2.0, 0.5);
    let mut v = vec![0.0; subject.model.chain.dofs(6)];
    for i in 0..6 {
        v[6 * i..6 * i + 3].copy_from_slice(omega.cross(&here.x[i].coords).as_slice());
        if i < 5 {
            let own = here.turn[i].q.inverse() * omega;
            v[6 * i + 3..6 * i + 6].copy_from_slice(own.as_slice());
        }
    }
    let mut force = vec![0.0; v.len()];
    subject.model.add_friction(&here, &v, beta, &mut force);
    assert!(force.iter().all(|f| f.abs() < 1e-12), "{force:?}");
}

#[test]
fn explicit_and_implicit_rods_hang_alike() {
    let mut material = laws::material();
    material.mass_damping_per_s = 20.0;
    let mut design = laws::design(laws::line(0.1, 8), 4e-3, material, NaturalShape::Straight);
    let mut implicit = laws::rod::<Rest, BAND>(&design);
    let hold = [laws::clamp(&implicit, 0)];
    laws::settle(&mut implicit, &laws::GRAVITY, &hold);
    design.scheme = Scheme::Explicit;
    let mut explicit = laws::rod::<Rest, BAND>(&design);
    let dt = explicit.largest_step_s();
    for _ in 0..(1.5 / dt) as usize {
        laws::advance(&mut explicit, dt, &laws::GRAVITY, &hold);
    }
    let sag = [implicit.nodes()[8].y, explicit.nodes()[8].y];
    // The explicit one ties its frames less tightly: softer by ¾ (r/L)², a thousandth.
    assert!((sag[1] / sag[0] - 1.0).abs() < 4e-3, "{sag:?}");
}
