//! Laws that every solver keeps.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use super::*;
use crate::math::BlockMatrix;

const STOP: StopRule = StopRule {
    tolerance: 1e-10,
    max_iterations: 5000,
    velocity_floor: 0.0,
    max_work: f64::INFINITY,
};

/// n contacts on `rank` degrees of freedom, W = H Hᵀ + shift I, b = H v: a motion that the contacts may stop, so that
/// there is a solution however singular W is.
fn sample(n: usize, rank: usize, shift: f64, mu: f64) -> Problem {
    let h = DMatrix::from_fn(3 * n, rank, |i, j| ((13 * i + 7 * j * j) as f64).sin());
    let w = &h * h.transpose() / rank as f64 + DMatrix::identity(3 * n, 3 * n) * shift;
    let block = |i, j| Matrix3::from_fn(|p, q| w[(3 * i + p, 3 * j + q)]);
    let rows: Vec<Vec<_>> = (0..n)
        .map(|i| (0..n).map(|j| block(i, j)).collect())
        .collect();
    let free = &h * DVector::from_fn(rank, |j, _| (2.0 * j as f64).cos());
    let b = (0..n).map(|i| Vector3::new(free[3 * i], free[3 * i + 1], free[3 * i + 2]));
    Problem {
        w: BlockMatrix::from_dense(&rows),
        b: b.collect(),
        mu: vec![mu; n],
    }
}

#[test]
fn all_solvers_agree_on_the_velocities() {
    for mu in [0.0, 0.3, 1.0] {
        let problem = sample(12, 36, 1.0, mu);
        let mut reference: Option<Vec<Vector3<f64>>> = None;
        for kind in SolverKind::ALL.into_iter().filter(|kind| kind.is_exact()) {
            let mut r = vec![Vector3::zeros(); 12];
            let report = Solver::default().solve(kind, &problem, &mut r, &STOP);
            assert!(report.solved, "{} µ = {mu}: {report:?}", kind.name());
            let mut u = Vec::new();
            problem.velocities(&r, &mut u);
            let reference = reference.get_or_insert_with(|| u.clone());
            let apart = reference
                .iter()
                .zip(&u)
                .map(|(a, b)| (a - b).amax())
                .fold(0.0, f64::max);
            assert!(apart < 1e-8, "{} differs by {apart}", kind.name());
        }
    }
}

#[test]
fn newton_solves_what_sweeps_leave_unsolved() {
    // Twenty contacts on few degrees of freedom: sweeps crawl.
    let problem = sample(20, 24, 1e-7, 0.5);
    let mut r = vec![Vector3::zeros(); 20];
    let few = StopRule {
        tolerance: 1e-7,
        max_iterations: 400,
        ..STOP
    };
    let plain = Solver::default().solve(crate::friction::HYBRID, &problem, &mut r, &few);
    assert!(!plain.solved, "too easy a sample: {plain:?}");
    r.fill(Vector3::zeros());
    let auto = Solver::default().solve(SolverKind::Auto, &problem, &mut r, &few);
    assert!(auto.solved, "{auto:?}");
}

#[test]
fn a_solved_problem_needs_no_iteration() {
    let problem = sample(6, 18, 1.0, 0.4);
    for kind in SolverKind::ALL.into_iter().filter(|kind| kind.is_exact()) {
        let mut r = vec![Vector3::zeros(); 6];
        let mut solver = Solver::default();
        solver.solve(kind, &problem, &mut r, &STOP);
        let again = solver.solve(kind, &problem, &mut r, &STOP);
        assert_eq!((again.iterations, again.solved), (0, true));
    }
}

#[test]
fn the_reported_error_is_that_of_the_returned_impulses() {
    let problem = sample(20, 24, 1e-7, 0.5);
    for kind in SolverKind::ALL {
        let mut r = vec![Vector3::zeros(); 20];
        let stop = StopRule {
            max_iterations: 7,
            ..STOP
        };
        let report = Solver::default().solve(kind, &problem, &mut r, &stop);
        let mut u = Vec::new();
        problem.velocities(&r, &mut u);
        let true_error = relative_error(&problem, &r, &u, velocity_scale(&problem, 0.0));
        assert_eq!(report.error, true_error, "{}", kind.name());
    }
}
