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
pub(super) fn sample(n: usize, rank: usize, shift: f64, mu: f64) -> Problem {
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

fn exact_kinds() -> impl Iterator<Item = SolverKind> {
    SolverKind::ALL.into_iter().filter(|kind| kind.is_exact())
}

/// Largest difference of the velocities that two impulses give.
pub(super) fn apart(problem: &Problem, a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    let (mut u, mut v) = (Vec::new(), Vec::new());
    problem.velocities(a, &mut u);
    problem.velocities(b, &mut v);
    let each = u.iter().zip(&v).map(|(u, v)| (u - v).amax());
    each.fold(0.0, f64::max)
}

#[test]
fn all_exact_solvers_agree_on_the_velocities() {
    for mu in [0.0, 0.3, 1.0] {
        let problem = sample(12, 36, 1.0, mu);
        let mut reference: Option<Vec<Vector3<f64>>> = None;
        for kind in exact_kinds() {
            let mut r = vec![Vector3::zeros(); 12];
            let report = Solver::default().solve(kind, &problem, &mut r, &STOP);
            assert!(report.solved, "{} µ = {mu}: {report:?}", kind.name());
            let reference = reference.get_or_insert_with(|| r.clone());
            let apart = apart(&problem, reference, &r);
            assert!(apart < 1e-8, "{} differs by {apart}", kind.name());
        }
    }
}

#[test]
fn inexact_solvers_settle_and_say_how_wrong_they_are() {
    let problem = sample(12, 36, 1.0, 0.5);
    for kind in SolverKind::ALL {
        if kind.is_exact() {
            continue;
        }
        let mut r = vec![Vector3::zeros(); 12];
        let report = Solver::default().solve(kind, &problem, &mut r, &STOP);
        assert_eq!(report.stop, StopReason::Stalled, "{}", kind.name());
        assert!(report.iterations < 200, "{}: {report:?}", kind.name());
        assert!(
            (1e-4..1.0).contains(&report.error),
            "{}: {report:?}",
            kind.name()
        );
        // Its own answer, whatever it started from.
        let mut again = vec![Vector3::new(1.0, 0.2, -0.1); 12];
        Solver::default().solve(kind, &problem, &mut again, &STOP);
        let apart = apart(&problem, &r, &again);
        assert!(apart < 1e-8, "{} differs by {apart}", kind.name());
    }
}

#[test]
fn without_friction_every_sweep_method_is_exact() {
    let problem = sample(12, 36, 1.0, 0.0);
    for kind in SolverKind::ALL
        .into_iter()
        .filter(|&kind| kind != SolverKind::Sap)
    {
        let mut r = vec![Vector3::zeros(); 12];
        let report = Solver::default().solve(kind, &problem, &mut r, &STOP);
        assert!(report.solved, "{}: {report:?}", kind.name());
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
    for kind in [SolverKind::Auto, SolverKind::NewtonAc] {
        r.fill(Vector3::zeros());
        let report = Solver::default().solve(kind, &problem, &mut r, &few);
        assert!(report.solved, "{}: {report:?}", kind.name());
    }
}

/// Order p of error⁺ ∝ errorᵖ: the slope of the least squares line through the logarithms.
fn order(steps: &[(f64, f64)]) -> f64 {
    let count = steps.len() as f64;
    let (x, y) = steps
        .iter()
        .fold((0.0, 0.0), |(x, y), s| (x + s.0.ln(), y + s.1.ln()));
    let (x, y) = (x / count, y / count);
    let rise: f64 = steps.iter().map(|s| (s.0.ln() - x) * (s.1.ln() - y)).sum();
    let run: f64 = steps.iter().map(|s| (s.0.ln() - x).powi(2)).sum();
    rise / run
}

#[test]
fn newton_methods_square_the_error_at_the_end() {
    let stop = StopRule {
        tolerance: 1e-12,
        ..STOP
    };
    for kind in [
        SolverKind::NewtonAc,
        SolverKind::NewtonAcPure,
        SolverKind::NewtonFb,
    ] {
        let mut steps = Vec::new();
        for k in 2..14 {
            let problem = sample(2 * k, 6 * k, 1.0, 0.1 * k as f64);
            let mut solver = Solver::default();
            let mut r = vec![Vector3::zeros(); 2 * k];
            let report = solver.solve(kind, &problem, &mut r, &stop);
            assert!(report.solved, "{} sample {k}: {report:?}", kind.name());
            // From where contraction has set in, to where rounding has not.
            let pairs = solver.trace().windows(2).map(|p| (p[0].error, p[1].error));
            steps.extend(pairs.filter(|&(before, after)| before < 1e-2 && after > 1e-13));
        }
        assert!(steps.len() >= 10, "{}: {steps:?}", kind.name());
        let order = order(&steps);
        assert!(order > 1.7, "{} has order {order}: {steps:?}", kind.name());
    }
}

#[test]
fn a_solved_problem_needs_no_iteration() {
    let problem = sample(6, 18, 1.0, 0.4);
    for kind in exact_kinds() {
        let mut r = vec![Vector3::zeros(); 6];
        let mut solver = Solver::default();
        solver.solve(kind, &problem, &mut r, &STOP);
        let again = solver.solve(kind, &problem, &mut r, &STOP);
        assert_eq!(
            (again.iterations, again.solved),
            (0, true),
            "{}",
            kind.name()
        );
    }
}

#[test]
fn a_solver_remembers_nothing_of_the_last_problem() {
    let (first, second) = (sample(9, 12, 1e-3, 0.9), sample(12, 36, 1.0, 0.5));
    for kind in SolverKind::ALL {
        let mut used = Solver::default();
        used.solve(kind, &first, &mut [Vector3::zeros(); 9], &STOP);
        let (mut a, mut b) = ([Vector3::zeros(); 12], [Vector3::zeros(); 12]);
        let warm = used.solve(kind, &second, &mut a, &STOP);
        let cold = Solver::default().solve(kind, &second, &mut b, &STOP);
        assert_eq!((a, warm), (b, cold), "{}", kind.name());
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

/// Problems that no solver may choke on.
fn mistakes() -> Vec<Problem> {
    let scaled = |w: f64, b: f64| {
        let mut problem = sample(5, 15, 1.0, 0.5);
        problem
            .w
            .fill_rows(|_, _, blocks| blocks.iter_mut().for_each(|block| *block *= w));
        problem.b.iter_mut().for_each(|velocity| *velocity *= b);
        problem
    };
    let mut mixed = sample(5, 6, 0.0, 0.5);
    mixed.mu = vec![0.0, 1e-9, 0.5, 30.0, 0.0];
    vec![
        Problem::default(),
        scaled(0.0, 1.0),
        scaled(1.0, 0.0),
        scaled(1e-100, 1e80),
        scaled(1e100, 1e-90),
        scaled(f64::NAN, 1.0),
        mixed,
    ]
}

#[test]
fn no_solver_panics_or_returns_what_is_no_number() {
    let stop = StopRule {
        max_iterations: 50,
        ..STOP
    };
    for (k, problem) in mistakes().iter().enumerate() {
        for kind in SolverKind::ALL {
            for guess in [0.0, 1e200, f64::NAN] {
                let mut r = vec![Vector3::repeat(guess); problem.len()];
                let report = Solver::default().solve(kind, problem, &mut r, &stop);
                let finite = r.iter().all(|r| r.iter().all(|x| x.is_finite()));
                assert!(finite, "{} problem {k} guess {guess}: {r:?}", kind.name());
                assert!(!report.error.is_nan(), "{} problem {k}", kind.name());
                if problem.is_empty() {
                    assert!(report.solved);
                }
            }
        }
    }
}

#[test]
fn scale_changes_nothing() {
    let plain = sample(8, 24, 1.0, 0.6);
    let (heavy, slow) = (1e-7, 1e-3);
    let mut scaled = plain.clone();
    scaled
        .w
        .fill_rows(|_, _, blocks| blocks.iter_mut().for_each(|block| *block *= heavy));
    scaled.b.iter_mut().for_each(|velocity| *velocity *= slow);
    for kind in SolverKind::ALL {
        let (mut a, mut b) = ([Vector3::zeros(); 8], [Vector3::zeros(); 8]);
        Solver::default().solve(kind, &plain, &mut a, &STOP);
        Solver::default().solve(kind, &scaled, &mut b, &STOP);
        for (a, b) in a.iter().zip(&b) {
            let difference = (a - b * (heavy / slow)).norm();
            assert!(difference < 1e-7, "{}: {difference}", kind.name());
        }
    }
}

#[test]
fn a_spent_budget_returns_the_best_so_far_with_its_true_error() {
    let problem = sample(20, 24, 1e-7, 0.5);
    for budget in [1.0, 3e3, 3e4, 3e5] {
        let mut r = vec![Vector3::zeros(); 20];
        let stop = StopRule {
            max_work: budget,
            tolerance: 1e-14,
            ..STOP
        };
        let report = Solver::default().solve(SolverKind::Auto, &problem, &mut r, &stop);
        assert_eq!(report.stop, StopReason::Work, "{budget}: {report:?}");
        // It may finish the iteration that it is in, and plain sweeps before Newton's method.
        assert!(report.work < 1.5 * budget + 3e4, "{budget}: {report:?}");
        let mut u = Vec::new();
        problem.velocities(&r, &mut u);
        let scale = velocity_scale(&problem, 0.0);
        assert_eq!(report.error, relative_error(&problem, &r, &u, scale));
    }
}

#[test]
fn groups_solved_apart_give_what_they_give_together() {
    // Two problems side by side, their contacts interleaved.
    let (a, b) = (sample(6, 18, 0.5, 0.4), sample(6, 18, 1.0, 0.7));
    let mut w = BlockMatrix::default();
    for i in 0..12 {
        let part = if i % 2 == 0 { &a } else { &b };
        let row = part
            .w
            .row(i / 2)
            .map(|(j, block)| (2 * j + (i % 2) as u32, block));
        w.push_filled_row(row);
    }
    let both = Problem {
        w,
        b: (0..12).map(|i| [&a, &b][i % 2].b[i / 2]).collect(),
        mu: (0..12).map(|i| [&a, &b][i % 2].mu[i / 2]).collect(),
    };
    let mut together = vec![Vector3::zeros(); 12];
    let report = Solver::default().solve(SolverKind::Auto, &both, &mut together, &STOP);
    assert!(report.solved, "{report:?}");
    for (k, part) in [&a, &b].into_iter().enumerate() {
        let mut alone = vec![Vector3::zeros(); 6];
        assert!(
            Solver::default()
                .solve(SolverKind::Auto, part, &mut alone, &STOP)
                .solved
        );
        let there: Vec<_> = (0..6).map(|i| together[2 * i + k]).collect();
        assert!(apart(part, &alone, &there) < 1e-8);
    }
}
