//! Steps: rest, free fall, energy, whips; how long they take.

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

/// Law: a closed ring stays round at rest and falls as a stone.
pub fn a_ring_stays_round<M: Nodal<B>, const B: usize>() {
    let design = ring(24);
    assert!(creep::<M, B>(&design) < 1e-13);
    let mut rod = rod::<M, B>(&design);
    for _ in 0..100 {
        advance(&mut rod, 1e-3, &GRAVITY, &[]);
    }
    // Implicit steps fall by g dt² n (n + 1)/2.
    let fallen = GRAVITY * (1e-6 * 5050.0);
    for (now, before) in rod.nodes().iter().zip(&design.centreline) {
        assert!((now - before - fallen).norm() < 1e-11);
    }
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

/// Prints the microseconds of one pass of a swinging strand's steps, which are linearised until they are `close`: the
/// best of thirty hundreds, since others use the machine too.
pub fn print_pass_us(rod: &mut dyn Body, dt: f64, close: f64) {
    let hold = [clamp(rod, 0)];
    let none = vec![0.0; rod.dofs()];
    let mut v = none.clone();
    let (mut best, mut passes) = (f64::INFINITY, 0);
    for _ in 0..30 {
        let (clock, before) = (std::time::Instant::now(), passes);
        for _ in 0..100 {
            rod.begin(dt, &GRAVITY, &hold);
            loop {
                rod.linearise().unwrap();
                v.copy_from_slice(rod.free_velocity());
                passes += 1;
                if rod.attempt(&v, &none, &[]) < close {
                    break;
                }
            }
            rod.accept();
        }
        best = best.min(clock.elapsed().as_secs_f64() * 1e6 / (passes - before) as f64);
    }
    let (nodes, passes) = (rod.nodes().len(), passes as f64 / 3000.0);
    let mean = best * passes;
    println!("{nodes} nodes: {best:.1} µs per pass, {passes:.2} passes and {mean:.1} µs per step");
}
