//! Laws of a single rigid body.

use super::*;

/// A brick with three different moments of inertia.
fn brick(spin: Vector3<f64>) -> Rigid {
    let mass = Mass {
        mass_kg: 2.0,
        centre: Point3::new(0.01, -0.02, 0.03),
        inertia_kg_m2: Matrix3::from_diagonal(&Vector3::new(0.010, 0.025, 0.031)),
    };
    let pose = Isometry3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.4, 0.5, -0.6));
    Rigid::new(mass, 0.1, &pose, Vector3::new(1.0, 2.0, -0.5), spin)
}

fn fly(body: &mut Rigid, dt: f64, steps: usize, gravity: &Vector3<f64>) {
    for _ in 0..steps {
        body.begin(dt, gravity, None);
        body.linearise().expect("finite");
        let free = body.free;
        let off = body.attempt(&free);
        assert!(off < 1e-12, "{off}");
        body.accept();
    }
}

#[test]
fn a_body_in_flight_keeps_its_momentum_and_its_energy_does_not_drift() {
    let mut body = brick(Vector3::new(0.3, 8.0, 0.2));
    let (momentum, energy) = (body.state.momentum, body.energies(&Vector3::zeros())[0]);
    let mut worst = 0.0_f64;
    // It turns over again and again about its middle axis.
    for _ in 0..100 {
        fly(&mut body, 5e-3, 100, &Vector3::zeros());
        let now = body.energies(&Vector3::zeros())[0];
        worst = worst.max((now / energy - 1.0).abs());
    }
    assert!((body.state.momentum - momentum).norm() < 1e-11 * momentum.norm());
    assert!(worst < 2e-3, "{worst}");
    // Ten thousand roundings.
    assert!((body.velocity() - Vector3::new(1.0, 2.0, -0.5)).norm() < 1e-11);
}

#[test]
fn halving_the_step_divides_the_error_of_the_rotation_by_four() {
    let end = |dt: f64| {
        let mut body = brick(Vector3::new(3.0, 5.0, 2.0));
        fly(
            &mut body,
            dt,
            (0.8 / dt).round() as usize,
            &Vector3::zeros(),
        );
        body.state.rotation
    };
    let exact = end(1e-5);
    let [coarse, fine] = [2e-3, 1e-3].map(|dt| end(dt).angle_to(&exact));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}, {coarse} {fine}");
}

#[test]
fn a_symmetric_top_precesses_as_theory_says() {
    // Free precession of a top about ℓ at |ℓ|/I₁, the same for the whole motion.
    let (across, along) = (0.010, 0.025);
    let mass = Mass {
        mass_kg: 1.0,
        centre: Point3::origin(),
        inertia_kg_m2: Matrix3::from_diagonal(&Vector3::new(across, along, across)),
    };
    let spin = Vector3::new(1.0, 6.0, 0.0);
    let mut top = Rigid::new(mass, 0.1, &Isometry3::identity(), Vector3::zeros(), spin);
    let momentum = top.state.momentum;
    let (dt, steps) = (1e-3, 700);
    fly(&mut top, dt, steps, &Vector3::zeros());
    let angle = momentum.norm() / across * dt * steps as f64;
    let around = UnitQuaternion::from_scaled_axis(momentum.normalize() * angle);
    let axis = top.state.rotation * Vector3::y();
    assert!((axis - around * Vector3::y()).norm() < 2e-4);
}

#[test]
fn it_falls_about_its_centre_of_mass() {
    let gravity = Vector3::new(0.0, -9.81, 0.0);
    let mut body = brick(Vector3::zeros());
    let (start, pose) = (body.centre(), body.pose());
    let (dt, steps) = (1e-3, 500);
    fly(&mut body, dt, steps, &gravity);
    let t = dt * steps as f64;
    let fallen = start + Vector3::new(1.0, 2.0, -0.5) * t + gravity * (0.5 * t * (t + dt));
    assert!((body.centre() - fallen).norm() < 1e-12);
    assert!(body.pose().rotation.angle_to(&pose.rotation) < 1e-12);
}

#[test]
fn the_jacobian_is_how_its_points_move() {
    let body = brick(Vector3::new(1.0, -2.0, 3.0));
    let point = Point3::new(0.4, 0.1, 0.2);
    let mut columns = Vec::new();
    body.jacobian(&point, &mut columns);
    let unknowns = body
        .velocity()
        .iter()
        .chain(&body.spin())
        .copied()
        .collect::<Vec<_>>();
    let moves = columns
        .iter()
        .zip(&unknowns)
        .fold(Vector3::zeros(), |u, (h, v)| u + h * *v);
    assert!((moves - body.velocity_at(&point)).norm() < 1e-14);
}

#[test]
fn a_pull_leads_a_point_to_where_it_is_wanted() {
    let mut body = brick(Vector3::zeros());
    let local = Point3::new(0.1, 0.0, 0.05);
    let target = Point3::new(0.5, 0.6, 0.2);
    for _ in 0..4000 {
        let pull = RigidPull {
            local,
            target,
            stiffness_n_m: 2000.0,
            damping_n_s_m: 60.0,
        };
        body.begin(2e-3, &Vector3::zeros(), Some(pull));
        body.linearise().expect("finite");
        let free = body.free;
        body.attempt(&free);
        body.accept();
    }
    assert!((body.pose() * local - target).norm() < 0.01);
}
