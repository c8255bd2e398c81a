//! Laws that every model with nodes obeys, for their tests, and strands to try them on.

mod derivatives;
mod motion;

use nalgebra::{Isometry3, Point3, Vector3};

pub use derivatives::{Subject, apart};
pub use motion::{creep, fall_of_a_ring, passes_of_a_whip};

use super::nodal::{Nodal, NodalRod};
use crate::body::{
    Body, Constraint, NaturalShape, RodDesign, RodMaterial, Scheme, SectionShape, Site, StrandState,
};

/// Gravity, m/s².
pub const GRAVITY: Vector3<f64> = Vector3::new(0.0, -9.81, 0.0);

/// A soft solid without damping.
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

/// An open round strand.
pub fn design(
    centreline: Vec<Point3<f64>>,
    radius_m: f64,
    material: RodMaterial,
    natural: NaturalShape,
) -> RodDesign {
    RodDesign {
        centreline,
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

/// A straight centreline along x.
pub fn line(length: f64, elements: usize) -> Vec<Point3<f64>> {
    (0..=elements)
        .map(|k| Point3::new(length * k as f64 / elements as f64, 0.0, 0.0))
        .collect()
}

/// A centreline without any symmetry.
pub fn curl() -> Vec<Point3<f64>> {
    (0..7)
        .map(|k| {
            let s = k as f64 * 0.7;
            Point3::new(0.03 * s.cos(), 0.03 * s.sin() + 0.004 * s * s, 0.012 * s)
        })
        .collect()
}

/// A helix about the vertical y axis, winding down.
pub fn helix(radius: f64, pitch: f64, turns: usize, per_turn: usize) -> Vec<Point3<f64>> {
    (0..=turns * per_turn)
        .map(|k| {
            let turn = k as f64 / per_turn as f64;
            let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
            Point3::new(radius * cos, -pitch * turn, radius * sin)
        })
        .collect()
}

/// A polygon whose edges turn by 0.1 rad towards the first director, by its natural curvature.
pub fn arc() -> RodDesign {
    let step = 0.01;
    let mut at = Point3::origin();
    let mut nodes = vec![at];
    for k in 0..15 {
        let (sin, cos) = (0.1 * k as f64).sin_cos();
        at += Vector3::new(cos, sin, 0.0) * step;
        nodes.push(at);
    }
    let mut design = design(
        nodes,
        1e-3,
        material(),
        NaturalShape::helical(0.1 / step, 0.0),
    );
    design.facing = Some(Vector3::y());
    design
}

/// A closed polygon of a circle in a slanted plane.
pub fn ring(elements: usize) -> RodDesign {
    let mut nodes: Vec<_> = (0..elements)
        .map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / elements as f64).sin_cos();
            somewhere() * Point3::new(0.05 * cos, 0.05 * sin, 0.0)
        })
        .collect();
    nodes.push(nodes[0]);
    let mut design = design(nodes, 2e-3, material(), NaturalShape::AsGiven);
    design.closed = true;
    design
}

/// A pose that is not special in any way.
fn somewhere() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(0.3, -2.0, 1.0), Vector3::new(1.1, 0.4, -2.0))
}

/// A strand of a design, at rest.
pub fn rod<M: Nodal<B>, const B: usize>(design: &RodDesign) -> NodalRod<M, B> {
    NodalRod::new(design, &StrandState::along(design, &Vector3::zeros()))
}

/// Holds a piece as it is.
pub fn clamp(rod: &dyn Body, element: usize) -> Constraint {
    let site = Site {
        element,
        fraction: 0.0,
    };
    Constraint::Frame {
        site,
        pose: rod.frame(site),
    }
}

/// Takes a step without contacts, linearised again until it fulfils its equation to `close` metres; how often.
pub fn advance_to(
    rod: &mut dyn Body,
    dt: f64,
    gravity: &Vector3<f64>,
    holds: &[Constraint],
    close: f64,
) -> usize {
    rod.begin(dt, gravity, holds);
    let none = vec![0.0; rod.dofs()];
    let mut passes = 0;
    loop {
        rod.linearise().unwrap();
        let v = rod.free_velocity().to_vec();
        passes += 1;
        if rod.attempt(&v, &none, &[]) < close || passes >= 40 {
            break;
        }
    }
    rod.accept();
    passes
}

/// Takes a step, exactly.
pub fn advance(rod: &mut dyn Body, dt: f64, gravity: &Vector3<f64>, holds: &[Constraint]) {
    advance_to(rod, dt, gravity, holds, 1e-12);
}

/// Moves in ever larger steps until nothing moves.
pub fn settle(rod: &mut dyn Body, gravity: &Vector3<f64>, holds: &[Constraint]) {
    let mut dt = 0.02;
    for _ in 0..300 {
        advance_to(rod, dt, gravity, holds, 1e-11);
        dt = f64::min(1.05 * dt, 2.0);
    }
    let fastest = (0..rod.nodes().len())
        .map(|node| rod.node_velocity(node).norm())
        .fold(0.0, f64::max);
    assert!(fastest < 1e-7, "still moving at {fastest}");
}
