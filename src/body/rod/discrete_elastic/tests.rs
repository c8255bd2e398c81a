//! What is special to this model: its exact Hessian, its frames, its twist. Laws of all models are in `src/tests/rods/`.

use nalgebra::{DMatrix, Isometry3, Point3, Vector3};

use super::*;
use crate::body::rod::laws::{self, Subject};
use crate::body::rod::nodal::part;
use crate::body::{Body, Constraint, NaturalShape, RodMaterial, Scheme, SectionShape, Site};

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

fn design(
    centreline: &[Point3<f64>],
    radius_m: f64,
    material: RodMaterial,
    natural: NaturalShape,
) -> RodDesign {
    RodDesign {
        centreline: centreline.to_vec(),
        closed: false,
        section: SectionShape::Round { radius_m },
        facing: None,
        material,
        natural,
        helices: None,
        scheme: Scheme::Implicit,
        fixed: false,
    }
}

fn new_rod(
    centreline: &[Point3<f64>],
    radius_m: f64,
    material: RodMaterial,
    natural: NaturalShape,
) -> DiscreteElasticRod {
    let design = design(centreline, radius_m, material, natural);
    DiscreteElasticRod::new(&design, &StrandState::along(&design, &Vector3::zeros()))
}

/// A curly rod, bent, twisted and stretched away from a rest shape that is itself curved.
fn tangled() -> (Rest, State) {
    let curl = |k: usize| {
        let s = k as f64 * 0.7;
        Point3::new(0.03 * s.cos(), 0.03 * s.sin() + 0.004 * s * s, 0.012 * s)
    };
    let rest_shape: Vec<_> = (0..7).map(curl).collect();
    // Thicker one way than the other, so that the two curvatures are told apart.
    let mut design = design(&rest_shape, 4e-3, material(), NaturalShape::AsGiven);
    design.section = SectionShape::Ellipse {
        half_m: [4e-3, 3e-3],
    };
    let (rest, mut state) = Rest::build(&design, &StrandState::along(&design, &Vector3::zeros()));
    let motion: Vec<f64> = (0..rest.chain.dofs(4))
        .map(|i| ((3 * i * i + 1) as f64).sin() * if i % 4 == 3 { 0.6 } else { 4e-3 })
        .collect();
    let moved = kinematics(&rest, &state, &motion);
    state.accept(&moved);
    (rest, state)
}

/// The same, closed to a loop.
fn tangled_loop() -> (Rest, State) {
    let (_, open) = tangled();
    let mut nodes = open.x;
    nodes.push(nodes[0]);
    let mut design = design(&nodes, 4e-3, material(), NaturalShape::AsGiven);
    design.closed = true;
    let (rest, mut state) = Rest::build(&design, &StrandState::along(&design, &Vector3::zeros()));
    let motion: Vec<f64> = (0..rest.chain.dofs(4))
        .map(|i| ((5 * i * i + 2) as f64).sin() * if i % 4 == 3 { 0.4 } else { 3e-3 })
        .collect();
    let moved = kinematics(&rest, &state, &motion);
    state.accept(&moved);
    (rest, state)
}

fn kinematics(rest: &Rest, state: &State, motion: &[f64]) -> Kinematics {
    let mut out = Kinematics::default();
    state.moved(&rest.chain, motion, 1.0, &mut out);
    out
}

/// K of a state, its edges under their own tensions.
fn stiffness(rest: &Rest, state: &State, which: Stiffness) -> RingLdl<BAND> {
    let n = rest.chain.dofs(4);
    let here = kinematics(rest, state, &vec![0.0; n]);
    let mut banded = RingLdl::default();
    banded.reset(n, if rest.chain.closed { 8 } else { 0 });
    let tensions: Vec<f64> = (0..rest.chain.edges())
        .map(|k| rest.tension(&here, k))
        .collect();
    rest.add_elastic_stiffness(&here, &tensions, which, &mut banded);
    banded
}

/// Both as the laws of all models with nodes see them.
fn subjects() -> [Subject<Rest, BAND>; 2] {
    [tangled(), tangled_loop()].map(|(model, state)| Subject { model, state })
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    for subject in subjects() {
        let error = subject.error_of_forces();
        assert!(error < 1e-6, "{error}");
    }
}

#[test]
fn stiffness_is_the_slope_of_the_forces() {
    for subject in subjects() {
        let n = subject.model.chain.dofs(4);
        let banded = stiffness(&subject.model, &subject.state, Stiffness::Exact);
        let exact = DMatrix::from_fn(n, n, |i, j| banded.get(i, j));
        // Carrying frames along makes the differences asymmetric (holonomy); the symmetric part is the Hessian.
        let slope = subject.slope_of_forces();
        let error = laws::apart(&exact, &((&slope + slope.transpose()) * 0.5));
        assert!(error < 1e-6, "{error}");
    }
}

#[test]
fn the_positive_stiffness_is_never_negative() {
    for subject in subjects() {
        let least = subject.least_stiffness();
        assert!(least > -1e-12, "{least}");
    }
}

#[test]
fn rigid_motion_changes_neither_energy_nor_the_size_of_forces() {
    let (rest, state) = tangled();
    let n = rest.chain.dofs(4);
    let still = vec![0.0; n];
    let pose = Isometry3::new(Vector3::new(0.3, -2.0, 1.0), Vector3::new(1.1, 0.4, -2.0));
    let mut moved = state.clone();
    moved.x.iter_mut().for_each(|x| *x = pose * *x);
    moved
        .tangent
        .iter_mut()
        .chain(&mut moved.reference)
        .for_each(|d| *d = pose.rotation * *d);
    let energies =
        [&state, &moved].map(|state| rest.elastic_energy(&kinematics(&rest, state, &still)));
    assert!((energies[0] / energies[1] - 1.0).abs() < 1e-12);
    let forces = [&state, &moved].map(|state| {
        let mut force = vec![0.0; n];
        rest.add_elastic_forces(&kinematics(&rest, state, &still), &mut force);
        force
    });
    for node in 0..state.x.len() {
        let turned = pose.rotation * part(&forces[0], 4 * node);
        assert!((turned - part(&forces[1], 4 * node)).norm() < 1e-9 * turned.norm());
    }
}

#[test]
fn elastic_forces_balance() {
    let (rest, state) = tangled();
    let at = kinematics(&rest, &state, &vec![0.0; rest.chain.dofs(4)]);
    let mut force = vec![0.0; rest.chain.dofs(4)];
    rest.add_elastic_forces(&at, &mut force);
    let (mut total, mut torque, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for node in 0..state.x.len() {
        let f = part(&force, 4 * node);
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
        if rod.attempt(&v, &none, &[]) < 1e-12 {
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
    let site = Site {
        element,
        fraction: 0.0,
    };
    Constraint::Frame {
        site,
        pose: rod.frame(site),
    }
}

#[test]
fn twisting_moment_is_gj_times_twist() {
    let elements = 20;
    let mut m = material();
    m.mass_damping_per_s = 5.0;
    let mut rod = new_rod(&line(0.2, elements), 3e-3, m, NaturalShape::Straight);
    let fixed = clamp(&rod, 0);
    let last = elements - 1;
    let site = Site {
        element: last,
        fraction: 1.0,
    };
    let start = rod.frame(site);
    let total = 9.0;
    for step in 1..=600 {
        // More than a full turn: the clamp must not lose count.
        let angle = total * (step as f64 / 300.0).min(1.0);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle);
        let turned = Constraint::Frame {
            site,
            pose: Isometry3::from_parts(start.translation, turn * start.rotation),
        };
        advance(&mut rod, 0.01, &Vector3::zeros(), &[fixed, turned]);
    }
    let free = 0.2 * (elements - 1) as f64 / elements as f64;
    let expected = rod.model().chain.section.gj_n_m2 * total / free;
    for i in 1..elements {
        let torque = rod.probe(i).twist_moment_n_m;
        assert!(
            (torque / expected - 1.0).abs() < 1e-6,
            "{torque} against {expected}"
        );
    }
}

#[test]
fn a_uniformly_curved_rod_closes_to_its_circle() {
    // Natural curvature 2π/L and no load: the rod rolls up into a ring of radius L/2π.
    let (length, elements) = (0.3, 60);
    let curvature = std::f64::consts::TAU / length;
    let natural = NaturalShape::helical(curvature, 0.0);
    let mut m = material();
    m.mass_damping_per_s = 8.0;
    let mut rod = new_rod(&line(length, elements), 1e-3, m, natural);
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
    let most = laws::passes_of_a_whip::<Rest, BAND>();
    assert!(most <= 8, "{most} passes");
}
