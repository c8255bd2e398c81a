//! Groups apart, on any number of threads, and contacts at work alone: all give what solving the whole gives.

use nalgebra::Vector3;

use super::auto::Stages;
use super::chain::Chain;
use super::tests::{apart, sample};
use super::*;
use crate::math::BlockMatrix;

const STOP: StopRule = StopRule {
    tolerance: 1e-9,
    max_iterations: 1_900,
    velocity_floor: 0.0,
    max_work: f64::INFINITY,
};

/// Problems side by side, contact i of each at places `stride` apart, so that groups are interleaved.
fn interleaved(parts: &[Problem]) -> Problem {
    let stride = parts.len();
    let count = parts[0].len() * stride;
    let mut w = BlockMatrix::default();
    for i in 0..count {
        let row = parts[i % stride].w.row(i / stride);
        w.push_filled_row(row.map(|(j, block)| (j * stride as u32 + (i % stride) as u32, block)));
    }
    Problem {
        w,
        b: (0..count)
            .map(|i| parts[i % stride].b[i / stride])
            .collect(),
        mu: (0..count)
            .map(|i| parts[i % stride].mu[i / stride])
            .collect(),
    }
}

/// Six groups of 80 contacts each: enough for several threads, small enough for the short chain.
fn groups() -> Problem {
    let part = |k: usize| sample(80, 300, 0.3 + 0.1 * k as f64, 0.2 + 0.1 * k as f64);
    interleaved(&(0..6).map(part).collect::<Vec<_>>())
}

/// A pile: most of its contacts have a gap that the step does not close.
fn mostly_open() -> Problem {
    let mut problem = sample(240, 400, 0.2, 0.3);
    let far = problem.b.iter_mut().enumerate();
    far.filter(|(i, _)| i % 3 != 0)
        .for_each(|(i, b)| b.x += 5.0 + (i % 7) as f64);
    problem
}

/// Solves as a whole: no groups, all contacts at work.
fn whole(problem: &Problem) -> (Vec<Vector3<f64>>, SolverReport) {
    let task = Task {
        problem,
        stop: &STOP,
        scale_m_s: velocity_scale(problem, STOP.velocity_floor),
    };
    let mut r = vec![Vector3::zeros(); problem.len()];
    let mut best = Best::default();
    best.start(&task, &r);
    Chain::default().solve(Stages::All, &task, &mut r, 0, &mut best);
    (best.r, best.report)
}

fn on_threads(threads: usize, problem: &Problem) -> (Vec<Vector3<f64>>, SolverReport) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        let mut r = vec![Vector3::zeros(); problem.len()];
        let report = Solver::default().solve(SolverKind::Auto, problem, &mut r, &STOP);
        (r, report)
    })
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    for problem in [groups(), mostly_open()] {
        let (one, first) = on_threads(1, &problem);
        let (two, second) = on_threads(2, &problem);
        assert!(first.solved && second.solved, "{first:?} {second:?}");
        assert_eq!(first.iterations, second.iterations);
        let same = one
            .iter()
            .zip(&two)
            .all(|(a, b)| (a.iter().zip(b.iter())).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert!(same, "impulses differ");
    }
}

#[test]
fn groups_move_as_they_do_when_the_whole_is_solved() {
    let problem = groups();
    let ((apart_r, report), (whole_r, twin)) = (on_threads(2, &problem), whole(&problem));
    assert!(
        report.solved && twin.error <= STOP.tolerance,
        "{report:?} {twin:?}"
    );
    let apart = apart(&problem, &apart_r, &whole_r);
    assert!(apart < 1e-6, "velocities differ by {apart}");
}

#[test]
fn contacts_at_work_alone_move_as_all_do_together() {
    let problem = mostly_open();
    let ((few_r, report), (all_r, twin)) = (on_threads(1, &problem), whole(&problem));
    assert!(
        report.solved && twin.error <= STOP.tolerance,
        "{report:?} {twin:?}"
    );
    let apart = apart(&problem, &few_r, &all_r);
    assert!(apart < 1e-6, "velocities differ by {apart}");
    let idle = few_r.iter().filter(|r| r.x == 0.0).count();
    assert!(idle > 80, "only {idle} of 240 are open");
}

#[test]
fn a_solved_pile_is_solved_better_still() {
    let problem = mostly_open();
    let (mut r, _) = on_threads(1, &problem);
    let loose = StopRule {
        tolerance: 1e-5,
        ..STOP
    };
    r.iter_mut().for_each(|r| *r *= 1.0 + 1e-7);
    let before = Solver::default().solve(SolverKind::NewtonFb, &problem, &mut r.clone(), &loose);
    assert!(before.solved && before.iterations == 0, "a good guess");
    let after = Solver::default().solve(SolverKind::Auto, &problem, &mut r, &loose);
    assert!(
        after.error < 0.3 * before.error,
        "{} after {}",
        after.error,
        before.error
    );
}
