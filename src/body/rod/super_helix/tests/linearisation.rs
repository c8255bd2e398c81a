//! The linearised step against differences of what it linearises.

use super::derivatives::moved;
use super::*;
use crate::body::rod::super_helix::chain::part;
use crate::body::rod::super_helix::step::turn_about_tangent;

/// What the step makes stationary, at velocity v: see `step`.
fn incremental_potential(
    rod: &SuperHelix,
    v: &[f64],
    dt: f64,
    g: &Vector3<f64>,
    spring: (usize, Vector3<f64>, f64, f64),
    twist: &TwistSpring,
) -> f64 {
    let (layout, state) = (&rod.rest.layout, &rod.state);
    let chain = moved(rod, v, dt);
    let inertia = 1.0 + rod.material.mass_damping_per_s * dt;
    let mut sum = 0.0;
    for (i, station) in layout.stations.iter().enumerate() {
        let (now, then) = (&state.chain.spots[i], &chain.spots[i]);
        let speed = part(v, 0) + (then.x - now.x) / dt;
        let spin = turn_about_tangent(&now.frame, &then.frame).0 / dt;
        sum += station.mass
            * (0.5 * inertia * speed.norm_squared()
                - (state.station_velocity[i] + g * dt).dot(&speed));
        sum += station.polar * (0.5 * inertia * spin * spin - state.spin[i] * spin);
    }
    sum += rod.rest.energy(&chain.pose.k);
    for i in 0..layout.elements {
        let rate = part(v, 2 + i);
        let damping = rod.material.stiffness_damping_s * dt;
        sum += 0.5 * damping * rod.rest.stiffness.component_mul(&rate).dot(&rate);
    }
    let (node, target, stiffness, damping) = spring;
    let station = layout.nodes[node];
    let x = chain.pose.root + chain.spots[station].x;
    let speed = part(v, 0) + (chain.spots[station].x - state.chain.spots[station].x) / dt;
    let (now, then) = (&state.chain.spots[station], &chain.spots[station]);
    let turned = turn_about_tangent(&now.frame, &then.frame).0;
    sum += 0.5 * twist.stiffness_n_m * (turned - twist.left_rad).powi(2);
    sum += 0.5 * twist.damping_n_m_s * turned * turned / dt;
    sum + 0.5 * stiffness * (x - target).norm_squared() + 0.5 * damping * dt * speed.norm_squared()
}

/// An attempt at exactly this velocity, however far it goes.
fn try_out(rod: &mut SuperHelix, v: &[f64], pushes: &[Push]) {
    rod.step.velocity = v.to_vec();
    rod.step
        .try_velocity(&rod.material, &rod.rest, &rod.state, pushes);
}

#[test]
fn residual_is_the_gradient_of_the_incremental_potential() {
    let mut rod = tangled(4);
    let (dt, v) = (0.05, motion(rod.dofs()));
    let target = Point3::new(0.3, 0.1, 0.2);
    let twist = TwistSpring {
        left_rad: 0.4,
        stiffness_n_m: 2e-3,
        damping_n_m_s: 1e-4,
    };
    let spring = Constraint::Spring {
        site: Site {
            element: 7,
            fraction: 1.0,
        },
        target,
        stiffness_n_m: 3.0,
        damping_n_s_m: 0.2,
        twist: Some(twist),
    };
    rod.begin(dt, &GRAVITY, &[spring]);
    rod.linearise().unwrap();
    try_out(&mut rod, &v, &[]);
    for dof in 0..rod.dofs() {
        let h = 1e-5;
        let [up, down] = [h, -h].map(|h| {
            let mut v = v.clone();
            v[dof] += h;
            incremental_potential(&rod, &v, dt, &GRAVITY, (8, target.coords, 3.0, 0.2), &twist)
        });
        let plain = (up - down) / (2.0 * h);
        let found = rod.step.balance[dof];
        assert!(
            (found - plain).abs() < 1e-8 * (1.0 + plain.abs()),
            "{dof}: {found} {plain}"
        );
    }
}

#[test]
fn a_push_acts_where_its_jacobian_says() {
    let mut rod = tangled(4);
    let (dt, v) = (0.02, motion(rod.dofs()));
    let site = Site {
        element: 5,
        fraction: 0.3,
    };
    let (offset, impulse) = (
        Vector3::new(1e-3, -2e-3, 3e-3),
        Vector3::new(0.3, 0.1, -0.2),
    );
    rod.begin(dt, &GRAVITY, &[]);
    rod.linearise().unwrap();
    try_out(&mut rod, &v, &[]);
    let free = rod.step.balance.clone();
    let push = Push {
        place: site.into(),
        offset,
        impulse,
    };
    try_out(&mut rod, &v, &[push]);
    let pushed = rod.step.balance.clone();
    rod.step.guess = rod.step.trial.clone();
    let mut columns = Vec::new();
    assert_eq!(rod.jacobian(site.into(), &offset, &mut columns), 0);
    columns.resize(rod.dofs(), Vector3::zeros());
    for dof in 0..rod.dofs() {
        assert!(
            (free[dof] - pushed[dof] - columns[dof].dot(&impulse)).abs() < 1e-12,
            "{dof}"
        );
    }
}

#[test]
fn drift_and_jacobian_give_the_motion_of_a_site() {
    let mut rod = tangled(4);
    let (dt, v) = (0.02, motion(rod.dofs()));
    let site = Site {
        element: 6,
        fraction: 0.4,
    };
    rod.begin(dt, &GRAVITY, &[]);
    rod.linearise().unwrap();
    rod.attempt(&v, &[], &[]);
    let trial = rod.trial_nodes().to_vec();
    rod.linearise().unwrap();
    let mut columns = Vec::new();
    rod.jacobian(site.into(), &Vector3::zeros(), &mut columns);
    let linear: Vector3<f64> = columns.iter().zip(&v).map(|(c, v)| c * *v).sum();
    let at = |nodes: &[Point3<f64>]| nodes[6].coords.lerp(&nodes[7].coords, 0.4);
    let actual = (at(&trial) - at(rod.nodes())) / dt;
    assert!((linear + rod.drift(site.into()) - actual).norm() < 1e-10);
    let free = rod.free_velocity();
    for node in [0, 3, 12] {
        let mut columns = Vec::new();
        let (site, fraction) = if node == 0 { (0, 0.0) } else { (node - 1, 1.0) };
        let site = Site {
            element: site,
            fraction,
        };
        rod.jacobian(site.into(), &Vector3::zeros(), &mut columns);
        let linear: Vector3<f64> = columns.iter().zip(free).map(|(c, v)| c * *v).sum();
        assert!((linear + rod.drift(site.into()) - rod.foreseen_velocity(node)).norm() < 1e-10);
    }
}
