//! Laws of motion.

use super::*;

/// Momentum and angular momentum of the mass points and spins.
fn momenta(rod: &SuperHelix) -> (Vector3<f64>, Vector3<f64>) {
    let (state, mut p, mut l) = (&rod.state, Vector3::zeros(), Vector3::zeros());
    for (g, station) in rod.rest.layout.stations.iter().enumerate() {
        let momentum = state.station_velocity[g] * station.mass;
        p += momentum;
        l += (state.chain.pose.root + state.chain.spots[g].x).cross(&momentum);
        l += state.chain.spots[g].frame.column(0) * (station.polar * state.spin[g]);
    }
    (p, l)
}

#[test]
fn equation_of_motion_is_met_after_convergence() {
    let mut rod = tangled(5);
    rod.begin(2e-3, &GRAVITY, &[]);
    let mut off = f64::INFINITY;
    for _ in 0..12 {
        rod.linearise().unwrap();
        let v = rod.free_velocity().to_vec();
        off = rod.attempt(&v, &[], &[]);
    }
    assert!(off < 1e-10, "{off}");
    let worst = rod.step.balance.iter().fold(0.0_f64, |w, g| w.max(g.abs()));
    assert!(worst < 1e-12, "{worst}");
}

#[test]
fn momentum_of_a_free_rod_stays_and_angular_momentum_drifts_with_the_step() {
    let drift = |dt: f64| {
        let mut rod = tangled(4);
        rod.material.mass_damping_per_s = 0.0;
        let state = &mut rod.state;
        let turn = Vector3::new(3.0, -5.0, 8.0);
        for g in 0..state.spin.len() {
            state.station_velocity[g] =
                Vector3::new(0.2, 0.1, -0.3) + turn.cross(&state.chain.spots[g].x);
            state.spin[g] = turn.dot(&state.chain.spots[g].frame.column(0));
        }
        let (p, l) = momenta(&rod);
        for _ in 0..(0.02 / dt).round() as usize {
            assert!(step_within(&mut rod, dt, &Vector3::zeros(), &[], 1e-11, 30) < 30);
        }
        let (q, m) = momenta(&rod);
        assert!(
            (p - q).norm() < 1e-9 * p.norm(),
            "{}",
            (p - q).norm() / p.norm()
        );
        (l - m).norm() / l.norm()
    };
    let (coarse, fine) = (drift(1e-3), drift(5e-4));
    println!("drift of angular momentum {coarse:.2e} {fine:.2e}");
    assert!(coarse < 0.1 && fine < 0.65 * coarse, "{coarse} {fine}");
}

#[test]
fn a_free_rod_falls_as_a_stone() {
    let mut rod = rod(&curl(0.02, 0.02, 2.0, 40, 10));
    let start = rod.nodes().to_vec();
    let (dt, steps) = (0.01, 30);
    for _ in 0..steps {
        step(&mut rod, dt, &GRAVITY, &[]);
    }
    // Implicit Euler falls g dt² n (n + 1)/2.
    let fall = GRAVITY * (dt * dt * (steps * (steps + 1)) as f64 / 2.0);
    for (a, b) in start.iter().zip(rod.nodes()) {
        assert!((b - a - fall).norm() < 1e-9, "{}", (b - a - fall).norm());
    }
}

#[test]
fn a_rod_at_rest_stays_at_rest() {
    for clamped in [false, true] {
        let mut rod = rod(&curl(0.02, 0.02, 3.0, 60, 15));
        let start = rod.nodes().to_vec();
        let holds = [clamp_root(&rod)];
        for _ in 0..200 {
            let passes = step(
                &mut rod,
                0.01,
                &Vector3::zeros(),
                &holds[..usize::from(clamped)],
            );
            assert_eq!(passes, 1);
        }
        for (a, b) in start.iter().zip(rod.nodes()) {
            assert!((b - a).norm() < 1e-12);
        }
    }
}

#[test]
fn a_whipped_root_converges_and_stays_whole() {
    let mut design = straight(0.3, 40, 10);
    design.material.youngs_modulus_pa = 1e9;
    let mut rod = rod(&design);
    let site = Site {
        element: 0,
        fraction: 0.0,
    };
    let pose = rod.frame(site);
    let (dt, mut most, mut sum) = (0.01, 0, 0);
    let steps = 150;
    for n in 1..=steps {
        // 0.1 m back and forth at 5 Hz is 10 g, and the root turns along.
        let angle = std::f64::consts::TAU * 5.0 * dt * n as f64;
        let shift = Translation3::new(0.0, 0.1 * angle.sin(), 0.03 * (1.7 * angle).sin());
        let turn =
            UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.2, 0.8) * (0.8 * angle).sin());
        let target = Isometry3::from_parts(shift * pose.translation, turn * pose.rotation);
        let passes = step_within(
            &mut rod,
            dt,
            &GRAVITY,
            &[Constraint::Frame { site, pose: target }],
            1e-3,
            20,
        );
        (most, sum) = (most.max(passes), sum + passes);
    }
    println!(
        "whip: at most {most} passes, {:.2} on average",
        sum as f64 / steps as f64
    );
    assert!(most <= 8, "{most}");
    let fastest = (0..rod.nodes().len())
        .map(|k| rod.node_velocity(k).norm())
        .fold(0.0, f64::max);
    assert!(fastest < 30.0, "{fastest}");
}

#[test]
fn motion_does_not_depend_on_where_the_rod_is() {
    let turn = Rotation3::new(Vector3::new(0.5, -1.2, 0.4));
    let shift = Vector3::new(3.0, -2.0, 1.0);
    let mut here = tangled(5);
    let mut there = tangled(5);
    let pose = &mut there.state.chain.pose;
    pose.root = turn * pose.root + shift;
    pose.frame = turn.matrix() * pose.frame;
    there
        .state
        .chain
        .evaluate(&there.rest.layout, &Vector3::zeros());
    there
        .state
        .station_velocity
        .iter_mut()
        .for_each(|v| *v = turn * *v);
    for _ in 0..20 {
        step_within(&mut here, 2e-3, &GRAVITY, &[], 1e-10, 30);
        step_within(&mut there, 2e-3, &(turn * GRAVITY), &[], 1e-10, 30);
    }
    for (a, b) in here.nodes().iter().zip(there.nodes()) {
        assert!(
            (turn * a.coords + shift - b.coords).norm() < 1e-8,
            "{}",
            (turn * a.coords + shift - b.coords).norm()
        );
    }
}

#[test]
fn a_straight_rod_spins_on_about_its_axis() {
    let design = straight(0.2, 12, 3);
    let mut start = StrandState::along(&design, &Vector3::zeros());
    start.spins.iter_mut().for_each(|s| *s = 3.0);
    let mut rod = SuperHelix::new(&design, &start);
    for _ in 0..50 {
        step(&mut rod, 2e-3, &Vector3::zeros(), &[]);
    }
    let strand = rod.strand();
    assert!(
        strand.spins.iter().all(|s| (s - 3.0).abs() < 1e-9),
        "{:?}",
        strand.spins
    );
    let angle =
        crate::math::frame::signed_angle(&start.directors[4], &strand.directors[4], &Vector3::x());
    assert!((angle - 0.3).abs() < 1e-9);
}
