//! The smooth curve of a strand: its shape, and how it moves with the unknowns.

use super::*;
use crate::body::Place;

/// A strand bent and wound, moving in an uneven way.
fn wound(model: RodModel, closed: bool) -> Box<dyn Body> {
    let pieces = 24;
    let nodes: Vec<Point3<f64>> = (0..=pieces)
        .map(|k| {
            let angle = std::f64::consts::TAU * (k % if closed { pieces } else { 100 }) as f64
                / pieces as f64;
            let share = if closed { 1.0 } else { 0.7 };
            let angle = angle * share;
            Point3::new(
                0.1 * angle.cos(),
                0.1 * angle.sin(),
                0.03 * (2.0 * angle).sin(),
            )
        })
        .collect();
    let mut design = design(nodes, 5e-3);
    design.closed = closed;
    design.helices = Some(8);
    let mut start = StrandState::along(&design, &Vector3::zeros());
    for (v, x) in start.velocities.iter_mut().zip(&design.centreline) {
        *v = Vector3::new((20.0 * x.y).sin(), (15.0 * x.x).cos(), 30.0 * x.z);
    }
    rod::build(model, &design, &start)
}

/// Every model, open, and those that can be closed.
fn all() -> Vec<(String, Box<dyn Body>)> {
    let mut all = Vec::new();
    for model in RodModel::ALL {
        all.push((model.name().to_string(), wound(model, false)));
        if model != RodModel::SuperHelix {
            all.push((format!("closed {}", model.name()), wound(model, true)));
        }
    }
    all
}

#[test]
fn smooth_pieces_join_and_stay_with_the_nodes() {
    for (name, body) in all() {
        let pieces = body.curves();
        for k in 0..pieces {
            let next = if k + 1 < pieces {
                k + 1
            } else if body.closed() {
                0
            } else {
                continue;
            };
            let (a, b) = (body.curve(k).0.jet(1.0), body.curve(next).0.jet(0.0));
            assert!((a.point - b.point).norm() < 1e-12, "{name} {k}");
            let (t, u) = (a.first.normalize(), b.first.normalize());
            assert!((t - u).norm() < 1e-9, "{name} {k}");
        }
        let radius = body.section().radius_m;
        for k in 0..pieces {
            for t in [0.0, 0.37, 0.81] {
                let place = Place::Curve(Site {
                    element: k,
                    fraction: t,
                });
                let site = body.site(place);
                let nodes = body.nodes();
                let chord = nodes[site.element].lerp(&nodes[site.element + 1], site.fraction);
                let off = (body.curve(k).0.point(t) - chord).norm();
                assert!(off < 0.4 * radius, "{name} {k} {t}: {off}");
            }
        }
    }
}

#[test]
fn places_on_the_curve_move_as_their_jacobian_says() {
    for (name, mut body) in all() {
        let before: Vec<_> = (0..body.curves()).map(|k| body.curve(k).0).collect();
        let dt = 1e-6;
        body.begin(dt, &GRAVITY, &[]);
        body.linearise().unwrap();
        let v = body.free_velocity().to_vec();
        let mut linear = Vec::new();
        for k in 0..body.curves() {
            for t in [0.0, 0.3, 0.9, 1.0] {
                let place = Place::Curve(Site {
                    element: k,
                    fraction: t,
                });
                let mut columns = Vec::new();
                let first = body.jacobian(place, &Vector3::zeros(), &mut columns);
                let terms = columns.iter().zip(&v[first..]);
                let velocity = terms.fold(body.drift(place), |sum, (h, v)| sum + h * *v);
                linear.push((k, t, velocity));
            }
        }
        let none = vec![0.0; body.dofs()];
        body.attempt(&v, &none, &[]);
        body.accept();
        for (k, t, velocity) in linear {
            let moved = (body.curve(k).0.point(t) - before[k].point(t)) / dt;
            let off = (moved - velocity).norm();
            assert!(off < 2e-5 * (1.0 + moved.norm()), "{name} {k} {t}: {off}");
        }
    }
}

#[test]
fn a_section_on_the_curve_turns_with_the_strand() {
    // A turn of the whole strand about an axis moves its surface as a rigid body's.
    for (name, mut body) in all() {
        let turn = Vector3::new(0.4, -0.3, 0.8);
        let nodes = body.nodes().to_vec();
        let mut state = body.strand();
        for (v, x) in state.velocities.iter_mut().zip(&nodes) {
            *v = turn.cross(&x.coords);
        }
        for (k, spin) in state.spins.iter_mut().enumerate() {
            *spin = turn.dot(&(nodes[k + 1] - nodes[k]).normalize());
        }
        let model = RodModel::ALL
            .into_iter()
            .find(|model| name.ends_with(model.name()))
            .unwrap();
        if matches!(model, RodModel::MassSpring | RodModel::Corde) {
            // The one has no sections to turn about the tangent; the frames of the other have velocities of their own,
            // of which a strand that is handed over sets the spin alone.
            continue;
        }
        let mut design = design(nodes, body.section().radius_m);
        design.closed = body.closed();
        design.helices = Some(8);
        design.natural = NaturalShape::AsGiven;
        body = rod::build(model, &design, &state);
        body.begin(1e-6, &Vector3::zeros(), &[]);
        body.linearise().unwrap();
        for k in 0..body.curves() {
            for t in [0.1, 0.5, 0.8] {
                let (curve, _) = body.curve(k);
                let jet = curve.jet(t);
                let offset = jet.first.cross(&Vector3::new(0.3, 0.5, 0.7)).normalize() * 5e-3;
                let place = Place::Curve(Site {
                    element: k,
                    fraction: t,
                });
                let mut columns = Vec::new();
                let first = body.jacobian(place, &offset, &mut columns);
                let v = &body.free_velocity()[first..];
                let terms = columns.iter().zip(v);
                let velocity = terms.fold(body.drift(place), |sum, (h, v)| sum + h * *v);
                let rigid = turn.cross(&(jet.point + offset));
                let off = (velocity - rigid).norm() / (turn.norm() * 5e-3);
                // A super-helix takes over velocities of straight pieces, which are not quite those of a turn.
                let allowed = if model == RodModel::SuperHelix {
                    0.1
                } else {
                    0.02
                };
                assert!(off < allowed, "{name} {k} {t}: {off}");
            }
        }
    }
}
