//! Trials that are taken back, and displacements.

use nalgebra::Vector3;

use super::*;

/// A strand on its way, with a step tried.
fn on_its_way(model: RodModel) -> Box<dyn Body> {
    let design = design(line(0.3, 12), 3e-3);
    let mut body = moving(model, &design, Vector3::new(0.3, 1.0, -0.5));
    for _ in 0..5 {
        try_step(body.as_mut());
        body.accept();
    }
    try_step(body.as_mut());
    body
}

fn try_step(body: &mut dyn Body) {
    body.begin(2e-3, &GRAVITY, &[]);
    body.linearise().unwrap();
    let v = body.free_velocity().to_vec();
    body.attempt(&v, &vec![0.0; v.len()], &[]);
}

fn speeds(body: &dyn Body) -> Vec<Vector3<f64>> {
    (0..body.nodes().len())
        .map(|k| body.node_velocity(k))
        .collect()
}

#[test]
fn a_trial_held_back_goes_its_share_of_the_way_at_its_share_of_the_speed() {
    for model in RodModel::ALL {
        let mut whole = on_its_way(model);
        let mut half = on_its_way(model);
        half.hold_back(0.5);
        let from = whole.nodes().to_vec();
        whole.accept();
        half.accept();
        for (k, start) in from.iter().enumerate() {
            let (all, some) = (whole.nodes()[k] - start, half.nodes()[k] - start);
            assert!((some - all * 0.5).norm() < 1e-3 * all.norm(), "{model:?}");
            let slower = half.node_velocity(k) - whole.node_velocity(k) * 0.5;
            assert!(slower.norm() < 1e-3, "{model:?}");
        }
    }
}

#[test]
fn a_trial_held_back_to_nothing_is_the_state_at_rest() {
    for model in RodModel::ALL {
        let mut body = on_its_way(model);
        let from = body.nodes().to_vec();
        body.hold_back(0.0);
        body.accept();
        let moved = body.nodes().iter().zip(&from);
        let farthest = moved.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(farthest < 1e-15, "{model:?}: {farthest} m");
        assert!(speeds(body.as_ref()).iter().all(|v| v.norm() < 1e-12));
        assert!(body.energies(&GRAVITY)[0] < 1e-20, "{model:?}");
    }
}

#[test]
fn displacement_moves_but_does_not_speed_up() {
    for model in RodModel::ALL {
        let mut body = on_its_way(model);
        body.accept();
        let (from, before) = (body.nodes().to_vec(), speeds(body.as_ref()));
        let kinetic = body.energies(&GRAVITY)[0];
        body.soften(0.5).unwrap();
        let site = Site {
            element: 3,
            fraction: 0.4,
        };
        let mut columns = Vec::new();
        let first = body.jacobian(site.into(), &Vector3::zeros(), &mut columns);
        let mut push = vec![[0.0; crate::body::COLUMNS]; body.dofs()];
        for (k, column) in columns.iter().enumerate() {
            push[first + k][0] = column.y * 1e-5;
        }
        body.solve(&mut push, first);
        let motion: Vec<f64> = push.iter().map(|row| row[0]).collect();
        body.displace(&motion);
        let wanted = body.trial_nodes().to_vec();
        body.settle();
        assert_eq!(body.nodes(), wanted, "{model:?}");
        assert!(
            (body.nodes()[3].y - from[3].y) > 1e-6,
            "{model:?}: it moved"
        );
        assert_eq!(speeds(body.as_ref()), before, "{model:?}");
        assert_eq!(body.energies(&GRAVITY)[0], kinetic, "{model:?}");
    }
}

#[test]
fn a_slow_push_moves_a_free_strand_without_bending_it() {
    for model in RodModel::ALL {
        let design = design(line(0.3, 12), 3e-3);
        let mut body = at_rest(model, &design);
        try_step(body.as_mut());
        let mut bend = |over_s: f64| {
            body.soften(over_s).unwrap();
            let site = Site {
                element: 6,
                fraction: 0.0,
            };
            let mut columns = Vec::new();
            let first = body.jacobian(site.into(), &Vector3::zeros(), &mut columns);
            let mut push = vec![[0.0; crate::body::COLUMNS]; body.dofs()];
            for (k, column) in columns.iter().enumerate() {
                push[first + k][0] = column.y;
            }
            body.solve(&mut push, first);
            let scale: f64 = columns
                .iter()
                .zip(&push[first..])
                .map(|(c, p)| c.y * p[0])
                .sum();
            let motion: Vec<f64> = push.iter().map(|row| row[0] * 1e-3 / scale).collect();
            body.displace(&motion);
            let y = |k: usize| body.trial_nodes()[k].y - body.nodes()[k].y;
            assert!((y(6) - 1e-3).abs() < 1e-5, "{model:?}: {} m", y(6));
            (y(6) - 0.5 * (y(0) + y(12))).abs()
        };
        let (quick, slow) = (bend(2e-3), bend(0.5));
        assert!(slow < 0.1 * quick, "{model:?}: {slow} m and {quick} m");
    }
}
