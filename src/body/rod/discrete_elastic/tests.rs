//! Laws of the rod: derivatives, invariance, and solutions known from elsewhere.

use nalgebra::{DMatrix, Isometry3, Point3, Vector3};

use super::*;
use crate::math::BandedLdl;

const GRAVITY: Vector3<f64> = Vector3::new(0.0, -9.81, 0.0);

fn material() -> RodMaterial {
    RodMaterial {
        youngs_modulus_pa: 2e6,
        poisson_ratio: 0.3,
        density_kg_m3: 1100.0,
        bending_factor: 1.0,
        mass_damping_per_s: 0.0,
        stiffness_damping_s: 0.0,
    }
}

/// A curly rod, bent, twisted and stretched away from a rest shape that is itself curved.
fn tangled() -> (Rest, State) {
    let curl = |k: usize| {
        let s = k as f64 * 0.7;
        Point3::new(0.03 * s.cos(), 0.03 * s.sin() + 0.004 * s * s, 0.012 * s)
    };
    let rest_shape: Vec<_> = (0..7).map(curl).collect();
    let rod = DiscreteElasticRod::new(
        &rest_shape,
        4e-3,
        material(),
        NaturalShape::AsGiven,
        &Vector3::zeros(),
    );
    let mut state = rod.state;
    let motion: Vec<f64> = (0..state.v.len())
        .map(|i| ((3 * i * i + 1) as f64).sin() * if i % 4 == 3 { 0.6 } else { 4e-3 })
        .collect();
    let mut moved = Kinematics::default();
    state.moved(&motion, 1.0, &mut moved);
    state.accept(&moved);
    (rod.rest, state)
}

fn kinematics(state: &State, motion: &[f64]) -> Kinematics {
    let mut out = Kinematics::default();
    state.moved(motion, 1.0, &mut out);
    out
}

/// K of a state, its edges under their own tensions.
fn stiffness(rest: &Rest, state: &State, which: Stiffness) -> BandedLdl<BAND> {
    let here = kinematics(state, &vec![0.0; state.v.len()]);
    let (mut banded, mut tensions) = (BandedLdl::default(), Vec::new());
    banded.reset(state.v.len());
    rest.tensions(&here, &mut tensions);
    rest.add_stiffness(&here, &tensions, which, &mut banded);
    banded
}

fn unit(n: usize, dof: usize, size: f64) -> Vec<f64> {
    let mut motion = vec![0.0; n];
    motion[dof] = size;
    motion
}

/// Steps that suit each unknown: positions are centimetres, angles radians.
fn difference_step(dof: usize) -> f64 {
    if dof % 4 == 3 { 1e-5 } else { 1e-7 }
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    let (rest, state) = tangled();
    let n = state.v.len();
    let mut force = vec![0.0; n];
    rest.add_forces(&kinematics(&state, &vec![0.0; n]), &mut force);
    let largest = |turn: bool| {
        (0..n)
            .filter(|i| (i % 4 == 3) == turn)
            .map(|i| force[i].abs())
            .fold(0.0, f64::max)
    };
    for (dof, force_here) in force.iter().enumerate() {
        let h = difference_step(dof);
        let energy = |size| rest.energy(&kinematics(&state, &unit(n, dof, size)));
        // Fourth-order difference, so that rounding and not truncation limits the comparison.
        let slope =
            (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
        let error = (force_here + slope).abs() / largest(dof % 4 == 3);
        assert!(
            error < 1e-6,
            "unknown {dof}: {} against {}",
            force_here,
            -slope
        );
    }
}

#[test]
fn stiffness_is_the_slope_of_the_forces() {
    let (rest, state) = tangled();
    let n = state.v.len();
    let banded = stiffness(&rest, &state, Stiffness::Exact);
    let force = |motion: &[f64]| {
        let mut force = vec![0.0; n];
        rest.add_forces(&kinematics(&state, motion), &mut force);
        force
    };
    let mut slope = DMatrix::zeros(n, n);
    for j in 0..n {
        let h = difference_step(j);
        let f = [1.0, -1.0, 2.0, -2.0].map(|k| force(&unit(n, j, k * h)));
        for i in 0..n {
            slope[(i, j)] = -(8.0 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12.0 * h);
        }
    }
    // Carrying frames along makes the differences asymmetric (holonomy); the symmetric part is the Hessian.
    let slope = (&slope + slope.transpose()) * 0.5;
    // Unknowns have different units: compare in units in which the diagonal is one.
    let size = |i: usize| slope[(i, i)].abs().sqrt();
    for i in 0..n {
        for j in 0..n {
            let error = (banded.get(i, j) - slope[(i, j)]).abs() / (size(i) * size(j));
            assert!(
                error < 1e-6,
                "({i}, {j}): {} against {}",
                banded.get(i, j),
                slope[(i, j)]
            );
        }
    }
}

#[test]
fn the_positive_stiffness_is_never_negative() {
    let (rest, state) = tangled();
    let n = state.v.len();
    let banded = stiffness(&rest, &state, Stiffness::Positive);
    let dense = DMatrix::from_fn(n, n, |i, j| banded.get(i, j));
    let eigenvalues = dense.symmetric_eigen().eigenvalues;
    assert!(
        eigenvalues.min() > -1e-12 * eigenvalues.max(),
        "{eigenvalues}"
    );
}

#[test]
fn rigid_motion_changes_neither_energy_nor_the_size_of_forces() {
    let (rest, state) = tangled();
    let n = state.v.len();
    let still = vec![0.0; n];
    let pose = Isometry3::new(Vector3::new(0.3, -2.0, 1.0), Vector3::new(1.1, 0.4, -2.0));
    let mut moved = state.clone();
    moved.x.iter_mut().for_each(|x| *x = pose * *x);
    moved
        .tangent
        .iter_mut()
        .chain(&mut moved.reference)
        .for_each(|d| *d = pose.rotation * *d);
    let energies = [&state, &moved].map(|state| rest.energy(&kinematics(state, &still)));
    assert!((energies[0] / energies[1] - 1.0).abs() < 1e-12);
    let forces = [&state, &moved].map(|state| {
        let mut force = vec![0.0; n];
        rest.add_forces(&kinematics(state, &still), &mut force);
        force
    });
    for node in 0..state.x.len() {
        let turned = pose.rotation * node_part(&forces[0], node);
        assert!((turned - node_part(&forces[1], node)).norm() < 1e-9 * turned.norm());
    }
}

#[test]
fn elastic_forces_balance() {
    let (rest, state) = tangled();
    let at = kinematics(&state, &vec![0.0; state.v.len()]);
    let mut force = vec![0.0; state.v.len()];
    rest.add_forces(&at, &mut force);
    let (mut total, mut torque, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for node in 0..state.x.len() {
        let f = node_part(&force, node);
        total += f;
        torque += state.x[node].coords.cross(&f);
        size += f.norm();
    }
    for (k, edge) in at.edge.iter().enumerate() {
        torque += edge.tangent * force[4 * k + 3];
    }
    assert!(total.norm() < 1e-12 * size);
    assert!(torque.norm() < 1e-12 * size * 0.1, "{torque}");
}

/// Takes steps without contacts; each is linearised again until it fulfils its equation.
fn advance(rod: &mut DiscreteElasticRod, dt: f64, gravity: &Vector3<f64>, holds: &[Constraint]) {
    rod.begin(dt, gravity, holds);
    let none = vec![0.0; rod.dofs()];
    for _ in 0..20 {
        rod.linearise().unwrap();
        let v = rod.free_velocity().to_vec();
        if rod.attempt(&v, &none) < 1e-12 {
            break;
        }
    }
    rod.accept();
}

fn line(length: f64, elements: usize) -> Vec<Point3<f64>> {
    (0..=elements)
        .map(|k| Point3::new(length * k as f64 / elements as f64, 0.0, 0.0))
        .collect()
}

fn clamp(rod: &DiscreteElasticRod, element: usize) -> Constraint {
    Constraint::Frame {
        element,
        targets: [rod.nodes()[element], rod.nodes()[element + 1]],
        director: rod.director(element),
    }
}

/// Height over width of a horizontally clamped rod that hangs under its own weight, Γ = ρ S g L³/EI.
///
/// The clamp holds the first edge; node 1 carries the curvature of half that edge too, so the free length starts in
/// its middle.
fn hanging_slope(elements: usize, gamma: f64) -> f64 {
    let (radius, free) = (2e-3, 0.4);
    let length = free / (1.0 - 0.5 / elements as f64);
    let mut m = material();
    m.mass_damping_per_s = 2.0;
    // Γ fixes the stiffness; inextensible enough at this thickness.
    m.youngs_modulus_pa = 4.0 * m.density_kg_m3 * 9.81 * free.powi(3) / (gamma * radius * radius);
    let mut rod = DiscreteElasticRod::new(
        &line(length, elements),
        radius,
        m,
        NaturalShape::Straight,
        &Vector3::zeros(),
    );
    let hold = [clamp(&rod, 0)];
    for _ in 0..400 {
        advance(&mut rod, 0.05, &GRAVITY, &hold);
    }
    let fastest = rod.velocity().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(fastest < 1e-6, "still moving at {fastest}");
    let start = 0.5 * length / elements as f64;
    let tip = rod.nodes()[elements];
    -tip.y / (tip.x - start)
}

#[test]
fn cantilever_hangs_as_the_elastica_does() {
    // H/W of the self-weight cantilever.
    for (gamma, expected) in [(1.0, 0.124562), (10.0, 1.066802), (50.0, 3.705561)] {
        let errors = [12, 25, 50, 100]
            .map(|elements| (hanging_slope(elements, gamma) / expected - 1.0).abs());
        assert!(errors[3] < 0.01, "Γ = {gamma}: {errors:?}");
        assert!(
            errors[0] > errors[1] && errors[1] > errors[2] && errors[2] > errors[3],
            "Γ = {gamma}: {errors:?}"
        );
    }
}

#[test]
fn twisting_moment_is_gj_times_twist() {
    let elements = 20;
    let mut m = material();
    m.mass_damping_per_s = 5.0;
    let mut rod = DiscreteElasticRod::new(
        &line(0.2, elements),
        3e-3,
        m,
        NaturalShape::Straight,
        &Vector3::zeros(),
    );
    let fixed = clamp(&rod, 0);
    let last = elements - 1;
    let (targets, across) = (
        [rod.nodes()[last], rod.nodes()[last + 1]],
        rod.director(last),
    );
    let total = 9.0;
    for step in 1..=600 {
        // More than a full turn: the clamp must not lose count.
        let angle = total * (step as f64 / 300.0).min(1.0);
        let director = crate::math::frame::rotate_about(&across, &Vector3::x(), angle);
        let turned = Constraint::Frame {
            element: last,
            targets,
            director,
        };
        advance(&mut rod, 0.01, &Vector3::zeros(), &[fixed, turned]);
    }
    let free = 0.2 * (elements - 1) as f64 / elements as f64;
    let expected = rod.rest.section.gj_n_m2 * total / free;
    for i in 1..elements {
        let bend = Bend::new(&rod.present.edge[i - 1], &rod.present.edge[i]);
        let torque = rod.rest.moments(&rod.present, i, &bend)[2];
        assert!(
            (torque / expected - 1.0).abs() < 1e-6,
            "{torque} against {expected}"
        );
    }
}

#[test]
fn end_load_stretches_by_ea() {
    let mut rod = DiscreteElasticRod::new(
        &line(0.3, 30),
        2e-3,
        RodMaterial {
            mass_damping_per_s: 5.0,
            ..material()
        },
        NaturalShape::Straight,
        &Vector3::zeros(),
    );
    let held = Constraint::Node {
        node: 0,
        target: rod.nodes()[0],
    };
    let pulled = Constraint::Node {
        node: 30,
        target: Point3::new(0.306, 0.0, 0.0),
    };
    for _ in 0..300 {
        advance(&mut rod, 0.01, &Vector3::zeros(), &[held, pulled]);
    }
    let expected = 0.02 * rod.rest.section.ea_n;
    assert!((rod.hold_force(1).x / expected - 1.0).abs() < 1e-6);
    assert!((rod.hold_force(0).x / -expected - 1.0).abs() < 1e-6);
}

#[test]
fn a_free_rod_keeps_its_momentum_and_falls_as_a_stone() {
    let (_, start) = tangled();
    let mut rod = DiscreteElasticRod::new(
        &start.x,
        4e-3,
        material(),
        NaturalShape::Straight,
        &Vector3::new(0.3, 0.0, -0.1),
    );
    let momentum = |rod: &DiscreteElasticRod| {
        (0..rod.nodes().len())
            .map(|k| node_part(&rod.state.v, k) * rod.mass[4 * k])
            .sum::<Vector3<f64>>()
    };
    let before = momentum(&rod);
    for _ in 0..200 {
        advance(&mut rod, 1e-3, &GRAVITY, &[]);
    }
    let gained = momentum(&rod) - before;
    assert!((gained / rod.mass_kg() - GRAVITY * 0.2).norm() < 1e-9);
}

#[test]
fn a_rod_at_rest_stays_at_rest() {
    let (_, start) = tangled();
    let mut rod = DiscreteElasticRod::new(
        &start.x,
        4e-3,
        material(),
        NaturalShape::AsGiven,
        &Vector3::zeros(),
    );
    for _ in 0..50 {
        advance(&mut rod, 5e-3, &Vector3::zeros(), &[]);
    }
    let moved = rod
        .nodes()
        .iter()
        .zip(&start.x)
        .map(|(a, b)| (a - b).norm())
        .fold(0.0, f64::max);
    assert!(moved < 1e-14, "{moved}");
}

#[test]
fn a_uniformly_curved_rod_closes_to_its_circle() {
    // Natural curvature 2π/L and no load: the rod rolls up into a ring of radius L/2π.
    let (length, elements) = (0.3, 60);
    let curvature = std::f64::consts::TAU / length;
    let natural = NaturalShape::Helical {
        curvature_per_m: curvature,
        twist_rad_m: 0.0,
    };
    let mut m = material();
    m.mass_damping_per_s = 8.0;
    let mut rod =
        DiscreteElasticRod::new(&line(length, elements), 1e-3, m, natural, &Vector3::zeros());
    let hold = [clamp(&rod, 0)];
    for _ in 0..600 {
        advance(&mut rod, 0.05, &Vector3::zeros(), &hold);
    }
    for i in 1..elements {
        assert!(
            (rod.probe(i).curvature_per_m / curvature - 1.0).abs() < 2e-3,
            "node {i}"
        );
    }
    assert!((rod.nodes()[0] - rod.nodes()[elements]).norm() < 0.01 * length);
}

#[test]
fn a_whipping_rope_meets_its_equation_of_motion_within_a_few_passes() {
    // Stiff to stretch, soft to bend, released from a coil: the hardest case for a linearised step.
    let rope = RodMaterial {
        youngs_modulus_pa: 3e7,
        bending_factor: 0.02,
        stiffness_damping_s: 2e-3,
        ..material()
    };
    let coil = |k: usize| {
        let s = 0.2 * k as f64;
        Point3::new(0.05 * s.sin(), -0.003 * k as f64, 0.05 * s.cos())
    };
    let nodes: Vec<_> = (0..=100).map(coil).collect();
    let mut rod = DiscreteElasticRod::new(
        &nodes,
        4e-3,
        rope,
        NaturalShape::Straight,
        &Vector3::zeros(),
    );
    let hold = [clamp(&rod, 0)];
    let none = vec![0.0; rod.dofs()];
    let mut most = 0;
    for _ in 0..500 {
        rod.begin(2e-3, &GRAVITY, &hold);
        let mut passes = 0;
        loop {
            rod.linearise().unwrap();
            let v = rod.free_velocity().to_vec();
            passes += 1;
            if rod.attempt(&v, &none) < 4e-6 || passes > 20 {
                break;
            }
        }
        rod.accept();
        most = most.max(passes);
    }
    assert!(most <= 8, "{most} passes");
}
