//! Laws that every rod model keeps, checked through the one trait: what is true of a rod is true of all four.

mod bending;
mod contact;
mod curl;
mod curves;
mod large_steps;
mod laws;
mod moving_by_hand;
mod natural;
mod rings;
mod stretching;
mod switching;

use nalgebra::{Point3, Vector3};

use crate::body::{
    Body, Constraint, NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape, Site,
    StrandState, rod,
};

const GRAVITY: Vector3<f64> = Vector3::new(0.0, -9.81, 0.0);

fn rubber() -> RodMaterial {
    RodMaterial {
        youngs_modulus_pa: 2e6,
        poisson_ratio: 0.3,
        density_kg_m3: 1100.0,
        bending_factor: 1.0,
        mass_damping_per_s: 0.0,
        stiffness_damping_s: 0.0,
    }
}

fn design(centreline: Vec<Point3<f64>>, radius_m: f64) -> RodDesign {
    RodDesign {
        centreline,
        closed: false,
        section: SectionShape::Round { radius_m },
        facing: None,
        material: rubber(),
        natural: NaturalShape::Straight,
        helices: None,
        scheme: Scheme::Implicit,
        fixed: false,
    }
}

fn line(length: f64, pieces: usize) -> Vec<Point3<f64>> {
    (0..=pieces)
        .map(|k| Point3::new(length * k as f64 / pieces as f64, 0.0, 0.0))
        .collect()
}

fn at_rest(model: RodModel, design: &RodDesign) -> Box<dyn Body> {
    moving(model, design, Vector3::zeros())
}

fn moving(model: RodModel, design: &RodDesign, velocity: Vector3<f64>) -> Box<dyn Body> {
    rod::build(model, design, &StrandState::along(design, &velocity))
}

/// A clamp that holds a site as it is.
fn clamp(body: &dyn Body, element: usize, fraction: f64) -> Constraint {
    let site = Site { element, fraction };
    Constraint::Frame {
        site,
        pose: body.frame(site),
    }
}

/// One step without contacts, linearised until it fulfils its equation.
fn advance(body: &mut dyn Body, dt: f64, gravity: &Vector3<f64>, holds: &[Constraint]) {
    let none = vec![0.0; body.dofs()];
    body.begin(dt, gravity, holds);
    let mut passes = 0;
    loop {
        body.linearise().unwrap();
        let v = body.free_velocity().to_vec();
        passes += 1;
        let off = body.attempt(&v, &none, &[]);
        if off < 1e-10 * body.section().radius_m || passes == 30 {
            break;
        }
    }
    body.accept();
}

/// Total energy without gravity, J.
fn energy(body: &dyn Body) -> f64 {
    let [kinetic, elastic, _] = body.energies(&Vector3::zeros());
    kinetic + elastic
}

/// Middle of mass, m: from the energy in a unit of gravity along each axis.
fn centre(body: &dyn Body) -> Vector3<f64> {
    let along = |axis: Vector3<f64>| -body.energies(&axis)[2] / body.mass_kg();
    Vector3::new(
        along(Vector3::x()),
        along(Vector3::y()),
        along(Vector3::z()),
    )
}

fn fastest(body: &dyn Body) -> f64 {
    let speeds = (0..body.nodes().len()).map(|k| body.node_velocity(k).norm());
    speeds.fold(0.0, f64::max)
}

/// Lets a damped rod come to rest under its load.
fn settle(body: &mut dyn Body, gravity: &Vector3<f64>, holds: &[Constraint]) {
    for step in 0..4000 {
        advance(body, 0.05, gravity, holds);
        if step > 20 && fastest(body) < 1e-9 {
            return;
        }
    }
    panic!("still moving at {} m/s", fastest(body));
}
