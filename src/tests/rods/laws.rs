//! Momentum, rest, energy, invariance.

use nalgebra::{Isometry3, Point3, Vector3};

use super::*;

/// A curl whose natural shape is another curl.
fn curl(natural: NaturalShape) -> RodDesign {
    curl_of(natural, 16)
}

/// The same in so many pieces.
fn curl_of(natural: NaturalShape, pieces: u32) -> RodDesign {
    let nodes = (0..=pieces).map(|k| {
        let s = 5.6 * f64::from(k) / f64::from(pieces);
        Point3::new(0.03 * s.cos(), 0.03 * s.sin(), 0.006 * s + 0.001 * s * s)
    });
    let mut design = design(nodes.collect(), 2e-3);
    design.natural = natural;
    design.helices = Some(8);
    design
}

#[test]
fn a_free_rod_falls_as_a_stone_however_it_wriggles() {
    for model in RodModel::ALL {
        let design = curl(NaturalShape::Straight);
        let start = Vector3::new(0.3, 0.1, -0.2);
        let mut body = moving(model, &design, start);
        let (dt, steps) = (1e-3, 300);
        let before = centre(body.as_ref());
        for _ in 0..steps {
            advance(body.as_mut(), dt, &GRAVITY, &[]);
        }
        // Implicit Euler falls by g dt² n (n + 1)/2.
        let n = f64::from(steps);
        let expected = start * (n * dt) + GRAVITY * (0.5 * dt * dt * n * (n + 1.0));
        let off = (centre(body.as_ref()) - before - expected).norm();
        assert!(off < 1e-9, "{}: off by {off} m", model.name());
    }
}

#[test]
fn a_rod_in_its_natural_shape_stays_at_rest() {
    for model in RodModel::ALL {
        for clamped in [false, true] {
            let design = curl(NaturalShape::AsGiven);
            let mut body = at_rest(model, &design);
            let before = body.nodes().to_vec();
            let hold = clamp(body.as_ref(), 0, 0.0);
            for _ in 0..100 {
                let holds = if clamped { &[hold][..] } else { &[] };
                advance(body.as_mut(), 5e-3, &Vector3::zeros(), holds);
            }
            let moved = body
                .nodes()
                .iter()
                .zip(&before)
                .map(|(a, b)| (a - b).norm());
            let moved = moved.fold(0.0, f64::max);
            assert!(
                moved < 1e-11,
                "{}, clamped {clamped}: moved {moved} m",
                model.name()
            );
        }
    }
}

#[test]
fn energy_never_grows_without_forcing() {
    for model in RodModel::ALL {
        // Released from a bend it does not like, drifting and wriggling in empty space.
        let nodes = (0..=8).map(|k| {
            let s = 0.3 * f64::from(k);
            Point3::new(0.05 * s.sin(), 0.05 * (1.0 - s.cos()), 0.004 * s)
        });
        let mut design = design(nodes.collect(), 2e-3);
        design.helices = Some(4);
        let mut body = moving(model, &design, Vector3::new(0.1, 0.0, 0.02));
        let mut last = energy(body.as_ref());
        let first = last;
        for step in 0..100_000 {
            advance(body.as_mut(), 2e-3, &Vector3::zeros(), &[]);
            let now = energy(body.as_ref());
            assert!(
                now <= last + 1e-9 * first,
                "{}, step {step}: {now} J after {last} J",
                model.name()
            );
            last = now;
        }
        assert!(last.is_finite() && last < first, "{}", model.name());
    }
}

#[test]
fn a_turned_world_turns_the_motion() {
    let pose = Isometry3::new(Vector3::new(0.3, -1.0, 0.7), Vector3::new(0.4, 1.1, -0.6));
    for model in RodModel::ALL {
        let mut design = curl(NaturalShape::helical(15.0, 4.0));
        design.facing = Some(Vector3::new(0.2, 0.3, 1.0));
        let mut turned = design.clone();
        turned.centreline.iter_mut().for_each(|x| *x = pose * *x);
        turned.facing = design.facing.map(|d| pose.rotation * d);
        let mut bodies = [&design, &turned].map(|design| at_rest(model, design));
        for _ in 0..50 {
            advance(bodies[0].as_mut(), 2e-3, &GRAVITY, &[]);
            advance(bodies[1].as_mut(), 2e-3, &(pose.rotation * GRAVITY), &[]);
        }
        let pairs = bodies[0].nodes().iter().zip(bodies[1].nodes());
        let off = pairs
            .map(|(a, b)| (pose * a - b).norm())
            .fold(0.0, f64::max);
        assert!(off < 1e-8, "{}: {off} m", model.name());
    }
}

#[test]
fn a_strand_handed_from_model_to_model_keeps_its_shape_and_motion() {
    for from in RodModel::ALL {
        for to in RodModel::ALL {
            let mut design = curl_of(NaturalShape::Straight, 64);
            // A super-helix is fitted to the nodes, and promises a quarter of the radius as long as it may choose the number
            // of its helices; the others take them as they are.
            design.helices = None;
            let (close, lost) = match to {
                RodModel::SuperHelix => (0.25 * 2e-3, 0.03),
                _ => (1e-15, 1e-3),
            };
            let mut body = moving(from, &design, Vector3::new(0.0, 0.4, 0.0));
            for _ in 0..20 {
                advance(body.as_mut(), 1e-3, &GRAVITY, &[]);
            }
            let mut other = rod::build(to, &design, &body.strand());
            let names = (from.name(), to.name());
            let off = farthest(body.as_ref(), other.as_ref(), |body, k| {
                body.nodes()[k].coords
            });
            assert!(off <= close, "{names:?}: {off} m");
            let slower = |other: &dyn Body| {
                farthest(body.as_ref(), other, |body, k| body.node_velocity(k))
                    / fastest(body.as_ref())
            };
            let first = slower(other.as_ref());
            assert!(first < 1e-12, "{names:?}: {first} of the speed");
            // A step too short for forces shows what of the motion the model can do. Velocities are changes of place over
            // the last step; helices, which do not stretch, lose what leads off their way: also their own.
            advance(other.as_mut(), 1e-7, &GRAVITY, &[]);
            let then = slower(other.as_ref());
            println!("{names:?}: {off:.1e} m, {then:.1e} of the speed");
            assert!(then < lost, "{names:?}: {then} of the speed");
        }
    }
}

/// Largest difference of what two strands have at their nodes.
fn farthest(a: &dyn Body, b: &dyn Body, of: impl Fn(&dyn Body, usize) -> Vector3<f64>) -> f64 {
    let off = (0..a.nodes().len()).map(|k| (of(a, k) - of(b, k)).norm());
    off.fold(0.0, f64::max)
}
