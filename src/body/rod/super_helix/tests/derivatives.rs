//! Every derivative against differences, every fast sum against a plain one.

use nalgebra::{DMatrix, Matrix3};

use super::*;
use crate::body::rod::super_helix::balance::{Load, gather, internal_forces};
use crate::body::rod::super_helix::chain::part;
use crate::body::rod::super_helix::curvature::add_curvature;
use crate::body::rod::super_helix::element::{
    Element, Functions, left_jacobian, rotation, rotation_vector, skew,
};
use crate::body::rod::super_helix::mass::{Weight, assemble};
use crate::body::rod::super_helix::step::turn_about_tangent;
use crate::math::DenseLdl;

const SAMPLES: [[f64; 3]; 6] = [
    [0.0, 0.0, 0.0],
    [1e-9, 2e-9, 0.0],
    [1e-4, 0.0, 3e-4],
    [0.3, -0.2, 0.5],
    [1.0, 4.0, -3.0],
    [-9.0, 5.0, 20.0],
];

#[test]
fn element_is_the_exponential_of_its_curvatures() {
    let frame = rotation(&Vector3::new(0.3, 0.1, -0.7));
    let start = Vector3::new(0.1, 0.2, 0.3);
    for k in SAMPLES.map(Vector3::from) {
        for s in [0.01, 0.3, 1.0] {
            let spot = Element::new(&start, &frame, &k).spot(s);
            // [R; r]′ = [R; r] [[k]× e₀; 0 0] as one 4 × 4 exponential.
            let mut generator = nalgebra::Matrix4::zeros();
            generator
                .fixed_view_mut::<3, 3>(0, 0)
                .copy_from(&(skew(&k) * s));
            generator[(0, 3)] = s;
            let power = generator.exp();
            let turned = frame * power.fixed_view::<3, 3>(0, 0);
            let moved = start + frame * power.fixed_view::<3, 1>(0, 3);
            assert!((spot.frame - turned).norm() < 1e-12, "{k} {s}");
            assert!((spot.x - moved).norm() < 1e-12, "{k} {s}");
        }
    }
}

#[test]
fn element_derivatives_agree_with_differences() {
    let frame = rotation(&Vector3::new(0.3, 0.1, -0.7));
    let start = Vector3::new(0.1, 0.2, 0.3);
    for k in SAMPLES.map(Vector3::from) {
        for s in [0.01, 0.3, 1.0] {
            let spot = Element::new(&start, &frame, &k).spot(s);
            for c in 0..3 {
                let h = 1e-5;
                let mut d = Vector3::zeros();
                d[c] = h;
                let (up, down) = (
                    Element::new(&start, &frame, &(k + d)).spot(s),
                    Element::new(&start, &frame, &(k - d)).spot(s),
                );
                let lever = (up.x - down.x) / (2.0 * h);
                let turn = rotation_vector(&(up.frame * down.frame.transpose())) / (2.0 * h);
                assert!((spot.lever.column(c) - lever).norm() < 2e-9, "{k} {s} {c}");
                assert!((spot.turn.column(c) - turn).norm() < 2e-9, "{k} {s} {c}");
            }
        }
    }
}

#[test]
fn series_and_closed_forms_meet() {
    for x in [0.5_f64, 0.9, 0.999_999] {
        let (series, theta) = (Functions::at(x), x.sqrt());
        let a = theta.sin() / theta;
        let b = (1.0 - theta.cos()) / x;
        let c = (1.0 - a) / x;
        assert!((series.a - a).abs() + (series.b - b).abs() + (series.c - c).abs() < 1e-15);
        assert!((series.db - 0.5 * (a - 2.0 * b) / x).abs() < 1e-15);
        assert!((series.dc - 0.5 * (b - 3.0 * c) / x).abs() < 1e-15);
    }
}

/// The chain of a rod after moving at `v` for `dt`.
pub fn moved(rod: &SuperHelix, v: &[f64], dt: f64) -> Chain {
    let mut chain = Chain::default();
    rod.state.chain.pose.moved(v, dt, &mut chain.pose);
    chain.evaluate(&rod.rest.layout, &(part(v, 1) * dt));
    chain
}

#[test]
fn jacobian_of_every_unknown_agrees_with_differences() {
    let rod = tangled(4);
    let (layout, dt) = (&rod.rest.layout, 0.3);
    let v = motion(rod.dofs());
    let chain = moved(&rod, &v, dt);
    for dof in 0..rod.dofs() {
        let h = 1e-5;
        let [up, down] = [h, -h].map(|h| {
            let mut v = v.clone();
            v[dof] += h;
            moved(&rod, &v, dt)
        });
        for element in 0..layout.elements {
            for g in layout.first[element]..layout.first[element + 1] {
                let (x, turn) = chain.column(&chain.spots[g], element, dof);
                let dx = (up.spots[g].x + up.pose.root - down.spots[g].x - down.pose.root)
                    / (2.0 * h * dt);
                let turned = up.spots[g].frame * down.spots[g].frame.transpose();
                assert!((x - dx).norm() < 1e-8, "{dof} {g}");
                assert!(
                    (turn - rotation_vector(&turned) / (2.0 * h * dt)).norm() < 1e-8,
                    "{dof} {g}"
                );
            }
        }
    }
}

#[test]
fn node_rates_are_the_jacobian_times_the_velocity() {
    let rod = tangled(5);
    let v = motion(rod.dofs());
    let chain = moved(&rod, &v, 0.1);
    let mut seen = 0;
    chain.node_rates(&rod.rest.layout, &v, |node, velocity, turn| {
        let columns =
            (0..rod.dofs()).map(|dof| (step::node_column(&rod.rest, &chain, node, dof), v[dof]));
        let (mut x, mut w) = (Vector3::zeros(), Vector3::zeros());
        columns.for_each(|((dx, dw), v)| (x, w) = (x + dx * v, w + dw * v));
        assert!((x - velocity).norm() < 1e-12 && (w - turn).norm() < 1e-12);
        seen += 1;
    });
    assert_eq!(seen, rod.nodes().len());
}

#[test]
fn recursive_assembly_agrees_with_plain_sums() {
    let rod = tangled(6);
    let layout = &rod.rest.layout;
    let v = motion(rod.dofs());
    let chain = moved(&rod, &v, 0.1);
    let weights: Vec<Weight> = (0..layout.stations.len())
        .map(|g| {
            let half = Matrix3::from_fn(|i, j| ((g + 3 * i + 7 * j) as f64).sin());
            Weight {
                mass: 1.0 + (g as f64).cos().powi(2),
                turn: half * half.transpose() * 0.01,
            }
        })
        .collect();
    let mut fast = DenseLdl::default();
    assemble(layout, &chain, &weights, &mut fast);
    let mut plain = DMatrix::<f64>::zeros(rod.dofs(), rod.dofs());
    for element in 0..layout.elements {
        let here = layout.first[element]..layout.first[element + 1];
        for (weight, spot) in weights[here.clone()].iter().zip(&chain.spots[here]) {
            let columns: Vec<_> = (0..rod.dofs())
                .map(|dof| chain.column(spot, element, dof))
                .collect();
            for (i, (xi, wi)) in columns.iter().enumerate() {
                for (j, (xj, wj)) in columns.iter().enumerate() {
                    plain[(i, j)] += weight.mass * xi.dot(xj) + wi.dot(&(weight.turn * wj));
                }
            }
        }
    }
    for i in 0..rod.dofs() {
        for j in 0..rod.dofs() {
            assert!(
                (fast.get(i, j) - plain[(i, j)]).abs() < 1e-12 * plain.amax(),
                "{i} {j}"
            );
        }
    }
}

#[test]
fn stiffness_of_tension_is_that_of_turning_tangents() {
    // T ∫ |∂t|² ds by differences of tangents, against B = T (I − t tᵀ) in the assembly.
    let rod = tangled(3);
    let layout = &rod.rest.layout;
    let v = motion(rod.dofs());
    let chain = moved(&rod, &v, 0.1);
    let weights: Vec<Weight> = (layout.stations.iter().enumerate())
        .map(|(g, station)| {
            let t = chain.spots[g].frame.column(0).into_owned();
            // A mass too small to be seen keeps the station in.
            Weight {
                mass: 1e-30,
                turn: (Matrix3::identity() - t * t.transpose()) * station.length,
            }
        })
        .collect();
    let mut fast = DenseLdl::default();
    assemble(layout, &chain, &weights, &mut fast);
    let (h, dt) = (1e-5, 0.1);
    let changes: Vec<Vec<Vector3<f64>>> = (0..rod.dofs())
        .map(|dof| {
            let [up, down] = [h, -h].map(|h| {
                let mut v = v.clone();
                v[dof] += h;
                moved(&rod, &v, dt)
            });
            let change = |g: usize| {
                (up.spots[g].frame.column(0) - down.spots[g].frame.column(0)) / (2.0 * h * dt)
            };
            (0..layout.stations.len()).map(change).collect()
        })
        .collect();
    for i in 0..rod.dofs() {
        for j in 0..=i {
            let plain: f64 = (0..layout.stations.len())
                .map(|g| layout.stations[g].length * changes[i][g].dot(&changes[j][g]))
                .sum();
            assert!((fast.get(i, j) - plain).abs() < 1e-8, "{i} {j}");
        }
    }
}

#[test]
fn curvature_of_loads_is_the_change_of_their_effect() {
    // Gathered loads that stay the same while the rod moves, by differences.
    for (scale, tolerance) in [(0.1, 0.02), (1.0, 0.2)] {
        let mut rod = tangled(6);
        let layout = rod.rest.layout.clone();
        rod.state.chain.pose.k.iter_mut().for_each(|k| *k *= scale);
        let n = rod.dofs();
        let still = vec![0.0; n];
        let forces: Vec<Vector3<f64>> = (0..layout.stations.len())
            .map(|g| Vector3::from_fn(|c, _| ((g * g + c) as f64).sin() + 0.5))
            .collect();
        let loads: Vec<Load> = (forces.iter())
            .map(|&force| Load {
                force,
                moment: Vector3::zeros(),
            })
            .collect();
        let mut fast = DenseLdl::default();
        fast.reset(n);
        add_curvature(&layout, &moved(&rod, &still, 1.0), &forces, 1.0, &mut fast);
        let effect = |v: &[f64]| {
            let mut out = vec![0.0; n];
            gather(&layout, &moved(&rod, v, 1.0), &loads, &[], &mut out);
            out
        };
        let (mut off, mut size) = (0.0_f64, 0.0_f64);
        for j in 0..n {
            let h = 1e-5;
            let [up, down] = [h, -h].map(|h| {
                let mut v = still.clone();
                v[j] += h;
                effect(&v)
            });
            for i in 0..n {
                let plain = (up[i] - down[i]) / (2.0 * h);
                // Different elements are exact, one with itself nearly.
                let limit = if i / 3 == j / 3 && i >= 6 {
                    f64::INFINITY
                } else {
                    1e-7
                };
                assert!(
                    (fast.get(i.max(j), i.min(j)) - plain).abs() < limit,
                    "{i} {j}"
                );
                off += (fast.get(i.max(j), i.min(j)) - plain).powi(2);
                size += plain * plain;
            }
        }
        assert!((off / size).sqrt() < tolerance, "{}", (off / size).sqrt());
    }
}

#[test]
fn gathered_loads_agree_with_plain_sums() {
    let rod = tangled(5);
    let layout = &rod.rest.layout;
    let chain = moved(&rod, &motion(rod.dofs()), 0.1);
    let loads: Vec<Load> = (0..layout.stations.len())
        .map(|g| Load {
            force: Vector3::from_fn(|c, _| ((g * g + c) as f64).sin()),
            moment: Vector3::from_fn(|c, _| ((g + 5 * c) as f64).cos()),
        })
        .collect();
    let mut fast = vec![0.0; rod.dofs()];
    gather(layout, &chain, &loads, &[], &mut fast);
    for (dof, fast) in fast.iter().enumerate() {
        let mut plain = 0.0;
        for element in 0..layout.elements {
            let here = layout.first[element]..layout.first[element + 1];
            for (load, spot) in loads[here.clone()].iter().zip(&chain.spots[here]) {
                let (x, turn) = chain.column(spot, element, dof);
                plain += x.dot(&load.force) + turn.dot(&load.moment);
            }
        }
        assert!((plain - fast).abs() < 1e-12, "{dof}");
    }
}

#[test]
fn the_force_inside_is_the_pull_of_what_lies_beyond() {
    let rod = rod(&straight(1.0, 8, 3));
    let layout = &rod.rest.layout;
    // What is lacking at a rod that is held back against a pull along +x: inertia −1 each.
    let forces = vec![Vector3::new(-1.0, 0.0, 0.0); layout.stations.len()];
    let mut out = Vec::new();
    internal_forces(layout, &forces, &mut out);
    for (g, inside) in out.iter().enumerate() {
        let tip = g + 1 == layout.stations.len();
        let beyond = (layout.stations.len() - g) as f64 - if tip { 0.0 } else { 0.5 };
        assert!((inside - Vector3::x() * beyond).norm() < 1e-12);
    }
}

#[test]
fn turn_about_the_tangent_changes_as_told() {
    let before = rotation(&Vector3::new(0.3, -0.4, 0.2));
    let after = rotation(&Vector3::new(0.9, 0.4, -0.5));
    let (_, axis) = turn_about_tangent(&before, &after);
    for c in 0..3 {
        let mut d = Vector3::zeros();
        d[c] = 1e-6;
        let (up, down) = (
            turn_about_tangent(&before, &(rotation(&d) * after)).0,
            turn_about_tangent(&before, &(rotation(&-d) * after)).0,
        );
        assert!(((up - down) / 2e-6 - axis[c]).abs() < 1e-8);
    }
    // About the tangent itself it is the whole turn.
    let spun = rotation(&(before.column(0) * 0.7)) * before;
    assert!((turn_about_tangent(&before, &spun).0 - 0.7).abs() < 1e-12);
}

#[test]
fn rotation_turns_on_by_its_left_jacobian() {
    let turn = Vector3::new(0.8, -0.5, 1.1);
    for c in 0..3 {
        let mut d = Vector3::zeros();
        d[c] = 1e-6;
        let change =
            rotation_vector(&(rotation(&(turn + d)) * rotation(&(turn - d)).transpose())) / 2e-6;
        assert!((left_jacobian(&turn).column(c) - change).norm() < 1e-9);
    }
}
