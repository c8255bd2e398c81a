//! The conversation with a world, without friction: a floor under every node.

use super::*;
use crate::body::COLUMNS;

/// One step above the floor y = 0; the passes it took and the sum of the floor's impulses.
fn step_on_floor(rod: &mut SuperHelix, dt: f64, holds: &[Constraint]) -> (usize, f64) {
    let radius = rod.section().radius_m;
    let offset = Vector3::new(0.0, -radius, 0.0);
    rod.begin(dt, &GRAVITY, holds);
    let nodes = rod.nodes().to_vec();
    let sites: Vec<Site> = (0..nodes.len())
        .map(|k| Site {
            element: k.max(1) - 1,
            fraction: f64::from(k.min(1) as u8),
        })
        .collect();
    let mut impulses = vec![0.0; nodes.len()];
    for pass in 1.. {
        rod.linearise().unwrap();
        let rows: Vec<Vec<f64>> = (sites.iter())
            .map(|site| {
                let mut columns = Vec::new();
                rod.jacobian((*site).into(), &offset, &mut columns);
                columns.resize(rod.dofs(), Vector3::zeros());
                columns.iter().map(|c| c.y).collect()
            })
            .collect();
        let mut responses = Vec::new();
        for chunk in rows.chunks(COLUMNS) {
            let mut columns = vec![[0.0; COLUMNS]; rod.dofs()];
            for (k, row) in chunk.iter().enumerate() {
                row.iter()
                    .enumerate()
                    .for_each(|(dof, x)| columns[dof][k] = *x);
            }
            rod.solve(&mut columns, 0);
            responses.extend(
                (0..chunk.len()).map(|k| columns.iter().map(|row| row[k]).collect::<Vec<f64>>()),
            );
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut v = rod.free_velocity().to_vec();
        for (r, response) in impulses.iter().zip(&responses) {
            v.iter_mut().zip(response).for_each(|(v, x)| *v += r * x);
        }
        // Gauss–Seidel on 0 ≤ u ⟂ r ≥ 0.
        for _ in 0..4000 {
            let mut change = 0.0_f64;
            for c in 0..rows.len() {
                let u =
                    dot(&rows[c], &v) + rod.drift(sites[c].into()).y + (nodes[c].y - radius) / dt;
                let next = (impulses[c] - u / dot(&rows[c], &responses[c])).max(0.0);
                let by = next - impulses[c];
                impulses[c] = next;
                v.iter_mut()
                    .zip(&responses[c])
                    .for_each(|(v, x)| *v += by * x);
                change = change.max(by.abs());
            }
            if change < 1e-12 {
                break;
            }
        }
        let push = |(&site, &r): (&Site, &f64)| Push {
            place: site.into(),
            offset,
            impulse: Vector3::new(0.0, r, 0.0),
        };
        let pushes: Vec<Push> = sites
            .iter()
            .zip(&impulses)
            .filter(|(_, r)| **r > 0.0)
            .map(push)
            .collect();
        let off = rod.attempt(&v, &[], &pushes);
        if off < 1e-3 * radius || pass == 20 {
            rod.check().unwrap();
            rod.accept();
            return (pass, impulses.iter().sum());
        }
    }
    unreachable!()
}

#[test]
fn a_curl_dropped_on_a_floor_comes_to_rest_on_it() {
    let mut design = curl(0.03, 0.02, 1.2, 24, 8);
    design.material.mass_damping_per_s = 3.0;
    design
        .centreline
        .iter_mut()
        .for_each(|x| *x += Vector3::new(0.0, 0.06, 0.0));
    let mut rod = rod(&design);
    let radius = rod.section().radius_m;
    let (dt, steps, mut most, mut sum, mut last) = (5e-3, 400, 0, 0, 0.0);
    for _ in 0..steps {
        let (passes, impulse) = step_on_floor(&mut rod, dt, &[]);
        (most, sum, last) = (most.max(passes), sum + passes, impulse);
        let lowest = rod
            .nodes()
            .iter()
            .map(|x| x.y)
            .fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.99 * radius, "{lowest}");
    }
    println!(
        "dropped: at most {most} passes, {:.2} on average",
        sum as f64 / steps as f64
    );
    assert!(
        (last / (dt * 9.81 * rod.mass_kg()) - 1.0).abs() < 0.02,
        "{last}"
    );
    assert!(most <= 8, "{most}");
}

#[test]
fn a_limp_rope_let_down_on_a_floor_lies_on_it() {
    let mut design = straight(0.5, 40, 20);
    design.section = SectionShape::Round { radius_m: 5e-3 };
    design.material.youngs_modulus_pa = 3e6;
    design.material.bending_factor = 0.04;
    design
        .centreline
        .iter_mut()
        .for_each(|x| *x = Point3::new(0.3 * x.x, 0.52 - x.x, 0.0));
    design.material.mass_damping_per_s = 2.0;
    let mut rod = rod(&design);
    let pose = rod.frame(Site {
        element: 0,
        fraction: 0.0,
    });
    let (steps, dt, mut most, mut sum) = (400, 2e-3, 0, 0);
    for n in 1..=steps {
        // Gently: a jerk along a straight rope buckles it, which takes passes.
        let share = n as f64 / steps as f64;
        let down = Translation3::new(0.0, -0.3 * share * share * (3.0 - 2.0 * share), 0.0);
        let site = Site {
            element: 0,
            fraction: 0.0,
        };
        let hold = Constraint::Frame {
            site,
            pose: Isometry3::from_parts(down * pose.translation, pose.rotation),
        };
        let (passes, _) = step_on_floor(&mut rod, dt, &[hold]);
        (most, sum) = (most.max(passes), sum + passes);
    }
    println!(
        "let down: at most {most} passes, {:.2} on average",
        sum as f64 / steps as f64
    );
    assert!(
        rod.nodes()
            .iter()
            .all(|x| x.y > 0.98 * rod.section().radius_m)
    );
    assert!(most <= 10, "{most}");
}
