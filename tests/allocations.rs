//! Once a solver has its memory, iterations take none: as many requests for one iteration as for a thousand.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use prusik::friction::{Problem, Solver, SolverKind, StopRule};
use prusik::math::BlockMatrix;

/// The system's allocator, counting requests.
struct Counting;

static REQUESTS: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Contacts on fewer degrees of freedom than they constrain: no solver is done with it at once.
fn sample() -> Problem {
    let n = 20;
    let h = DMatrix::from_fn(3 * n, 24, |i, j| ((13 * i + 7 * j * j) as f64).sin());
    let w = &h * h.transpose() + DMatrix::identity(3 * n, 3 * n) * 1e-7;
    let b = &h * DVector::from_fn(24, |i, _| (3.7 * i as f64).cos());
    let block = |i: usize, j: usize| -> Matrix3<f64> { w.fixed_view::<3, 3>(3 * i, 3 * j).into() };
    let rows: Vec<Vec<_>> = (0..n)
        .map(|i| (0..n).map(|j| block(i, j)).collect())
        .collect();
    Problem {
        w: BlockMatrix::from_dense(&rows),
        b: (0..n).map(|i| b.fixed_rows::<3>(3 * i).into()).collect(),
        mu: vec![0.5; n],
    }
}

#[test]
fn iterations_of_a_warm_solver_request_no_memory() {
    let problem = sample();
    for kind in SolverKind::ALL {
        let mut solver = Solver::default();
        let mut r = vec![Vector3::zeros(); problem.len()];
        let mut requests = |max_iterations: usize| {
            let stop = StopRule {
                // Never reached, so that every iteration is taken.
                tolerance: 0.0,
                max_iterations,
                ..StopRule::default()
            };
            r.fill(Vector3::zeros());
            let before = REQUESTS.load(Ordering::Relaxed);
            let report = solver.solve(kind, &problem, &mut r, &stop);
            (REQUESTS.load(Ordering::Relaxed) - before, report.iterations)
        };
        requests(900);
        // `auto` comes to its last stage, the strong shift, after about 300 iterations.
        let (few, taken) = requests(400);
        let (many, taken_then) = requests(900);
        assert_eq!(
            few,
            many,
            "{}: {taken} and {taken_then} iterations",
            kind.name()
        );
    }
}
