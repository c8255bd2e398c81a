//! Strands that fall on ridges of a mesh, between which they are looked at, land on them.

use std::sync::Arc;

use nalgebra::Vector3;

use super::overlap::{RADIUS_M, solid, spec, strand};
use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::geometry::mesh::tests::terrain;
use crate::geometry::{Motion, Shape};
use crate::world::World;

#[test]
fn a_smooth_strand_that_falls_on_a_ridge_does_not_hang_in_the_air() {
    // Thinner than the strand, far from its nodes, and so low that from every node the slab is nearer.
    let top = 1.2 * RADIUS_M;
    let line = [
        (-0.3, 0.0),
        (0.0145, 0.0),
        (0.0148, top),
        (0.0152, top),
        (0.0155, 0.0),
        (0.3, 0.0),
    ];
    let slab = Shape::Mesh(Arc::new(terrain(&line, -0.02, 0.1)));
    for model in [RodModel::SuperHelix, RodModel::DiscreteElastic] {
        let height = top + 3.0 * RADIUS_M;
        let mut falling = strand(model, [-0.1, height, 1e-3], [0.1, height, -1e-3]);
        falling.design.material.youngs_modulus_pa = 2e5;
        falling.design.material.mass_damping_per_s = 4.0;
        let nodes = &mut falling.design.centreline;
        *nodes = nodes.iter().step_by(4).copied().collect();
        let slab = solid(slab.clone(), [0.0; 3], Motion::default());
        let mut spec = spec(vec![falling], vec![slab]);
        spec.settings.detector = DetectorKind::Smooth;
        spec.settings.gravity_m_s2 = Vector3::new(0.0, -9.81, 0.0);
        let mut world = World::new(spec).unwrap();
        let (mut held_back, mut crossings, mut deepest) = (0, 0, 0.0_f64);
        for _ in 0..250 {
            let step = world.step().unwrap();
            held_back += step.held_back;
            crossings += step.crossings;
            deepest = deepest.max(step.penetration_over_radius);
        }
        let name = model.name();
        assert_eq!((held_back, crossings), (0, 0), "{name}");
        assert!(deepest < 0.1, "{name}: {deepest} radii deep");
        // It bends over the ridge, its ends on the slab.
        let heights: Vec<f64> = world.rod_nodes(0).iter().map(|node| node.y).collect();
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(0.0, f64::max);
        assert!((low / RADIUS_M - 1.0).abs() < 0.05, "{name}: {heights:?}");
        assert!(high > 1.5 * RADIUS_M, "{name}: {heights:?}");
    }
}
