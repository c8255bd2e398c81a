//! Laws of the super-helix: derivatives, slow twins, and solutions known from elsewhere.

mod contact;
mod derivatives;
mod dynamics;
mod holds;
mod linearisation;
mod shapes;
mod statics;

use nalgebra::{Point3, Rotation3, Vector3};

use super::*;
use crate::body::{Scheme, SectionShape, TwistSpring};

pub const GRAVITY: Vector3<f64> = Vector3::new(0.0, -9.81, 0.0);

pub fn material() -> RodMaterial {
    RodMaterial {
        youngs_modulus_pa: 2e6,
        poisson_ratio: 0.3,
        density_kg_m3: 1100.0,
        bending_factor: 1.0,
        mass_damping_per_s: 0.0,
        stiffness_damping_s: 0.0,
    }
}

/// A straight strand along x.
pub fn straight(length: f64, pieces: usize, helices: usize) -> RodDesign {
    let centreline = (0..=pieces).map(|k| Point3::new(length * k as f64 / pieces as f64, 0.0, 0.0));
    RodDesign {
        centreline: centreline.collect(),
        closed: false,
        section: SectionShape::Round { radius_m: 4e-3 },
        facing: None,
        material: material(),
        natural: NaturalShape::Straight,
        helices: Some(helices),
        scheme: Scheme::Implicit,
        fixed: false,
    }
}

pub fn rod(design: &RodDesign) -> SuperHelix {
    SuperHelix::new(design, &StrandState::along(design, &Vector3::zeros()))
}

/// A design whose centreline is an arc of a helix, well resolved, and which it keeps without load.
pub fn curl(radius: f64, pitch: f64, turns: f64, pieces: usize, helices: usize) -> RodDesign {
    let rise = pitch / std::f64::consts::TAU;
    let point = |k: usize| {
        let angle = std::f64::consts::TAU * turns * k as f64 / pieces as f64;
        Point3::new(radius * angle.cos(), -rise * angle, radius * angle.sin())
    };
    RodDesign {
        centreline: (0..=pieces).map(point).collect(),
        natural: NaturalShape::AsGiven,
        ..straight(1.0, pieces, helices)
    }
}

/// A rod bent and twisted at random, moving at random, away from its natural shape.
pub fn tangled(helices: usize) -> SuperHelix {
    let mut design = straight(0.4, 3 * helices + 1, helices);
    design.natural = NaturalShape::helical(4.0, 3.0);
    design.material.mass_damping_per_s = 0.4;
    design.material.stiffness_damping_s = 2e-3;
    let mut rod = rod(&design);
    let state = &mut rod.state;
    for (i, k) in state.chain.pose.k.iter_mut().enumerate() {
        *k = Vector3::from_fn(|c, _| 9.0 * ((7 * i + 3 * c * c + 1) as f64).sin());
    }
    state.chain.pose.root = Vector3::new(0.2, -0.1, 0.3);
    state.chain.pose.frame = Rotation3::new(Vector3::new(0.4, -0.9, 0.3)).into_inner();
    state.chain.evaluate(&rod.rest.layout, &Vector3::zeros());
    for (g, v) in state.station_velocity.iter_mut().enumerate() {
        *v = Vector3::from_fn(|c, _| 0.3 * ((5 * g + 2 * c + 1) as f64).cos());
        state.spin[g] = (g as f64).sin();
    }
    place_nodes(&rod.rest.layout, &state.chain, &mut state.nodes);
    rod
}

/// Velocities of all unknowns with no structure to speak of.
pub fn motion(dofs: usize) -> Vec<f64> {
    (0..dofs)
        .map(|i| 0.8 * ((3 * i * i + 2) as f64).sin() * if i < 6 { 1.0 } else { 10.0 })
        .collect()
}

/// The whole root held where it is.
pub fn clamp_root(rod: &SuperHelix) -> Constraint {
    let site = Site {
        element: 0,
        fraction: 0.0,
    };
    Constraint::Frame {
        site,
        pose: rod.frame(site),
    }
}

/// One step, linearised again until it is met to `tolerance` radii or `most` passes are made; how many it took.
pub fn step_within(
    rod: &mut SuperHelix,
    dt: f64,
    g: &Vector3<f64>,
    holds: &[Constraint],
    tolerance: f64,
    most: usize,
) -> usize {
    rod.begin(dt, g, holds);
    let mut passes = 0;
    loop {
        passes += 1;
        rod.linearise().unwrap();
        let v = rod.free_velocity().to_vec();
        let off = rod.attempt(&v, &[], &[]);
        if off <= tolerance * rod.section().radius_m || passes >= most {
            break;
        }
    }
    rod.check().unwrap();
    rod.accept();
    passes
}

/// One step to high accuracy.
pub fn step(rod: &mut SuperHelix, dt: f64, g: &Vector3<f64>, holds: &[Constraint]) -> usize {
    step_within(rod, dt, g, holds, 1e-6, 30)
}

/// Steps until nothing moves faster than `speed`, with drag.
pub fn settle(rod: &mut SuperHelix, g: &Vector3<f64>, holds: &[Constraint], dt: f64, speed: f64) {
    for count in 0.. {
        step(rod, dt, g, holds);
        let fastest = (0..rod.nodes().len())
            .map(|k| rod.node_velocity(k).norm())
            .fold(0.0, f64::max);
        if fastest < speed && count > 10 {
            break;
        }
        assert!(count < 20_000, "does not settle: {fastest}");
    }
}
