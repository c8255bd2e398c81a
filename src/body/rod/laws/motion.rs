//! Steps: rest, free fall, whips.

use nalgebra::{Point3, Vector3};

use super::{GRAVITY, advance, advance_to, clamp, design, material, ring, rod};
use crate::body::rod::nodal::Nodal;
use crate::body::{Body, NaturalShape, RodDesign, RodMaterial};

/// Law: a strand in its natural shape stays there; how far it moves, m.
pub fn creep<M: Nodal<B>, const B: usize>(design: &RodDesign) -> f64 {
    let mut rod = rod::<M, B>(design);
    for _ in 0..50 {
        advance(&mut rod, 5e-3, &Vector3::zeros(), &[]);
    }
    let apart = rod.nodes().iter().zip(&design.centreline);
    apart.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// Law: a closed ring falls as a stone; how far off it is after 0.1 s, m.
pub fn fall_of_a_ring<M: Nodal<B>, const B: usize>() -> f64 {
    let design = ring(24);
    let mut rod = rod::<M, B>(&design);
    for _ in 0..100 {
        advance(&mut rod, 1e-3, &GRAVITY, &[]);
    }
    // Implicit steps fall by g dt² n (n + 1)/2.
    let fallen = GRAVITY * (1e-6 * 5050.0);
    let pairs = rod.nodes().iter().zip(&design.centreline);
    let off = pairs.map(|(now, before)| (now - before - fallen).norm());
    off.fold(0.0, f64::max)
}

/// Most passes that a rope, stiff to stretch and soft to bend, takes when it is released from a coil: the hardest case
/// for a linearised step.
pub fn passes_of_a_whip<M: Nodal<B>, const B: usize>() -> usize {
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
    let mut rod = rod::<M, B>(&design(nodes, 4e-3, rope, NaturalShape::Straight));
    let hold = [clamp(&rod, 0)];
    (0..500)
        .map(|_| advance_to(&mut rod, 2e-3, &GRAVITY, &hold, 4e-6))
        .max()
        .unwrap_or(0)
}
