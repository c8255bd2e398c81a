//! Once a solver has its memory, iterations take none: as many requests for one iteration as for a thousand. Nor do the
//! steps of a strand that has swung for a while, nor the looks of a detector at what hardly moves.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Point3, Vector3};
use prusik::body::{
    Constraint, NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape, Site,
    StrandState, rod,
};
use prusik::contact::{Detection, DetectorKind};
use prusik::friction::{Problem, Solver, SolverKind, StopRule};
use prusik::geometry::curve::Search;
use prusik::geometry::mesh::bumpy_sphere;
use prusik::geometry::{
    Along, Curve, CurveProxy, ProxySet, Sections, SegmentProxy, Shape, SolidProxy,
};
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

/// One test, since requests of others at the same time would be counted.
#[test]
fn what_is_warm_requests_no_memory() {
    // Threads ask for memory as they start, which on a busy machine is late.
    rayon::broadcast(|_| ());
    iterations_of_a_warm_solver();
    steps_of_a_warm_strand();
    searches_of_a_warm_detector();
    searches_of_warm_curves();
}

/// Two wound strands, a bar and a bumpy ball that they lie on, looked at again and again as they move on.
fn searches_of_a_warm_detector() {
    let point = |turn: f64, phase: f64| {
        let angle = turn + phase;
        Point3::new(0.02 * angle.cos(), 0.01 * turn, 0.02 * angle.sin())
    };
    let ball = Arc::new(bumpy_sphere(0.03, 0.002, 400.0, 3).expect("a ball"));
    let proxies = |shift: f64| {
        let mut set = ProxySet::default();
        for (body, phase) in [(0, 0.0), (1, 3.0)] {
            for element in 0..20_u32 {
                let [from, to] = [element, element + 1]
                    .map(|k| point(0.3 * f64::from(k), phase) + Vector3::y() * shift);
                let length_m = (to - from).norm();
                let along = Along {
                    from_m: f64::from(element) * length_m,
                    to_m: f64::from(element + 1) * length_m,
                    round_m: 0.0,
                };
                let middle = |share: f64| from + (to - from) * share;
                set.segments.push(SegmentProxy {
                    body,
                    element,
                    last: element == 19,
                    along,
                    span: [f64::from(element), f64::from(element + 1)],
                    ends: [from, to],
                    velocities: [Vector3::zeros(); 2],
                    radius_m: 0.019,
                    sections: Sections::Edges,
                });
                set.curves.push(CurveProxy {
                    body,
                    element,
                    last: element == 19,
                    ring: 0,
                    piece: element,
                    span: [0.0, 1.0],
                    curve: Curve::cubic([from, middle(0.3), middle(0.7), to]),
                    length_m,
                    start_m: along.from_m,
                    round_m: 0.0,
                    along,
                    velocity: Vector3::zeros(),
                    spread_m_s: 0.0,
                    radius_m: 0.019,
                    sections: Sections::Edges,
                });
            }
        }
        let bar = Shape::Capsule {
            radius_m: 0.01,
            half_length_m: 0.1,
        };
        for (solid, shape) in (0..).zip([bar, Shape::Mesh(ball.clone())]) {
            set.solids.push(SolidProxy {
                solid,
                shape,
                world_from_body: Isometry3::identity(),
                linear_m_s: Vector3::zeros(),
                angular_rad_s: Vector3::zeros(),
            });
        }
        set
    };
    for kind in DetectorKind::ALL {
        let (mut detection, mut out) = (Detection::default(), Vec::new());
        let mut look = |set: &ProxySet| {
            let before = REQUESTS.load(Ordering::Relaxed);
            detection.detect(kind, set, 1e-3, true, &mut out);
            REQUESTS.load(Ordering::Relaxed) - before
        };
        look(&proxies(0.0));
        let requests: usize = (0..50).map(|k| look(&proxies(1e-6 * f64::from(k)))).sum();
        assert_eq!(requests, 0, "{}", kind.name());
        assert!(out.len() > 10, "{}: {} contacts", kind.name(), out.len());
    }
}

/// Closest points of all pairs of some helices, twice.
fn searches_of_warm_curves() {
    let curve = |k: i32| {
        let x = f64::from(k);
        let bend = Vector3::new((3.0 * x).sin(), (5.0 * x).cos(), (7.0 * x).sin()) * 9.0;
        let start = Point3::new(0.05 * x.sin(), 0.05 * x.cos(), 0.01 * x);
        Curve::helix(start, &Matrix3::identity(), &bend, 0.3)
    };
    let curves: Vec<Curve> = (0..12).map(curve).collect();
    let mut search = Search::default();
    let all = |search: &mut Search| {
        let before = REQUESTS.load(Ordering::Relaxed);
        let mut near = 0;
        for a in &curves {
            for b in &curves {
                near += usize::from(search.closest(a, b, 0.02, 1e-8).is_some());
            }
        }
        (near, REQUESTS.load(Ordering::Relaxed) - before)
    };
    let (near, _) = all(&mut search);
    assert!(near > 20, "{near}");
    assert_eq!(all(&mut search), (near, 0), "searches ask for memory");
}

/// A curl that swings from its clamped root, pulled at its tip.
fn steps_of_a_warm_strand() {
    let node = |k: i32| {
        let angle = 0.3 * f64::from(k);
        Point3::new(0.02 * angle.cos(), -0.004 * angle, 0.02 * angle.sin())
    };
    let design = RodDesign {
        centreline: (0..=24).map(node).collect(),
        closed: false,
        section: SectionShape::Round { radius_m: 2e-3 },
        facing: None,
        material: RodMaterial {
            youngs_modulus_pa: 2e6,
            poisson_ratio: 0.3,
            density_kg_m3: 1100.0,
            bending_factor: 1.0,
            mass_damping_per_s: 0.5,
            stiffness_damping_s: 1e-3,
        },
        natural: NaturalShape::AsGiven,
        helices: Some(8),
        scheme: Scheme::Implicit,
        fixed: false,
    };
    for model in RodModel::ALL {
        let start = StrandState::along(&design, &Vector3::zeros());
        let mut body = rod::build(model, &design, &start);
        let site = |element, fraction| Site { element, fraction };
        let holds = [
            Constraint::Frame {
                site: site(0, 0.0),
                pose: body.frame(site(0, 0.0)),
            },
            Constraint::Spring {
                site: site(23, 1.0),
                target: Point3::new(0.1, -0.1, 0.0),
                stiffness_n_m: 1.0,
                damping_n_s_m: 0.01,
                twist: None,
            },
        ];
        let (none, mut v) = (vec![0.0; body.dofs()], vec![0.0; body.dofs()]);
        let mut swing = |steps: usize| {
            let before = REQUESTS.load(Ordering::Relaxed);
            for _ in 0..steps {
                body.begin(2e-3, &Vector3::new(0.0, -9.81, 0.0), &holds);
                for _ in 0..3 {
                    body.linearise().expect("finite");
                    v.copy_from_slice(body.free_velocity());
                    body.attempt(&v, &none, &[]);
                }
                body.accept();
            }
            REQUESTS.load(Ordering::Relaxed) - before
        };
        swing(5);
        assert_eq!(swing(100), 0, "{}", model.name());
    }
}

fn iterations_of_a_warm_solver() {
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
