//! The elastica, the cantilever, sections.

use nalgebra::{Point3, Vector3};

use super::*;

/// Height over width of a horizontally clamped rod that hangs under its own weight, Γ = ρ S g L³/EI.
///
/// Models with nodes clamp their first edge, and its second node carries the curvature of half that edge too: the free
/// length starts in its middle. A super-helix is clamped at its very start.
fn hanging_slope(model: RodModel, elements: usize, gamma: f64) -> f64 {
    let (radius, free) = (2e-3, 0.4);
    let smooth = model == RodModel::SuperHelix;
    let pieces = if smooth { 4 * elements } else { elements };
    let clamped = if smooth { 0.0 } else { 0.5 / elements as f64 };
    let length = free / (1.0 - clamped);
    let mut design = design(line(length, pieces), radius);
    design.helices = Some(elements);
    let m = &mut design.material;
    m.mass_damping_per_s = 3.0;
    // Γ fixes the stiffness; inextensible enough at this thickness.
    m.youngs_modulus_pa = 4.0 * m.density_kg_m3 * 9.81 * free.powi(3) / (gamma * radius * radius);
    let mut body = at_rest(model, &design);
    let hold = [clamp(body.as_ref(), 0, 0.0)];
    settle(body.as_mut(), &GRAVITY, &hold);
    let tip = body.nodes()[pieces];
    -tip.y / (tip.x - clamped * length)
}

#[test]
fn every_cantilever_hangs_as_the_elastica_does() {
    for model in RodModel::ALL {
        let elements = if model == RodModel::SuperHelix {
            20
        } else {
            100
        };
        // H/W of the self-weight cantilever.
        for (gamma, expected) in [(1.0, 0.124562), (10.0, 1.066802), (50.0, 3.705561)] {
            let error = (hanging_slope(model, elements, gamma) / expected - 1.0).abs();
            assert!(error < 0.01, "{}, Γ = {gamma}: {error}", model.name());
        }
    }
}

/// Stiffness of a cantilever against a small load across its tip, over 3 EI/L³.
fn tip_stiffness(model: RodModel, elements: usize) -> f64 {
    let smooth = model == RodModel::SuperHelix;
    let pieces = if smooth { 4 * elements } else { elements };
    let clamped = if smooth { 0.0 } else { 0.5 / elements as f64 };
    let length = 0.2 / (1.0 - clamped);
    let mut design = design(line(length, pieces), 2e-3);
    design.helices = Some(elements);
    design.material.mass_damping_per_s = 5.0;
    let mut body = at_rest(model, &design);
    let ei = body.section().ei_n_m2[0];
    let stiffness = 3.0 * ei / 0.2_f64.powi(3);
    // A soft spring with a far target pulls with nearly the same force everywhere.
    let (force, far) = (stiffness * 1e-3, 1e3);
    let pull = Constraint::Spring {
        site: Site {
            element: pieces - 1,
            fraction: 1.0,
        },
        target: Point3::new(length, far, 0.0),
        stiffness_n_m: force / far,
        damping_n_s_m: 0.0,
        twist: None,
    };
    let hold = clamp(body.as_ref(), 0, 0.0);
    settle(body.as_mut(), &Vector3::zeros(), &[hold, pull]);
    force / body.nodes()[pieces].y / stiffness
}

#[test]
fn bending_stiffness_does_not_depend_on_the_number_of_elements() {
    for model in RodModel::ALL {
        let counts = match model {
            RodModel::SuperHelix => [5, 10, 20, 40],
            _ => [20, 50, 100, 200],
        };
        let found = counts.map(|elements| tip_stiffness(model, elements));
        let (least, most) = found
            .iter()
            .fold((f64::MAX, 0.0_f64), |(a, b), k| (a.min(*k), b.max(*k)));
        assert!(most / least < 1.01, "{}: {found:?}", model.name());
        assert!((found[3] - 1.0).abs() < 2e-3, "{}: {found:?}", model.name());
    }
}

#[test]
fn a_flat_strand_bends_easily_across_its_thin_side() {
    for model in [
        RodModel::SuperHelix,
        RodModel::DiscreteElastic,
        RodModel::Corde,
    ] {
        let sag = |facing: Vector3<f64>| {
            let mut design = design(line(0.2, 40), 1e-3);
            design.section = SectionShape::Rectangle {
                half_m: [2e-3, 1e-3],
            };
            design.facing = Some(facing);
            design.helices = Some(10);
            design.material.youngs_modulus_pa = 1e9;
            design.material.mass_damping_per_s = 5.0;
            let mut body = at_rest(model, &design);
            let hold = [clamp(body.as_ref(), 0, 0.0)];
            settle(body.as_mut(), &GRAVITY, &hold);
            -body.nodes()[40].y
        };
        // The wide side along gravity resists (2/1)² times as much.
        let ratio = sag(Vector3::z()) / sag(Vector3::y());
        assert!(
            (ratio / 4.0 - 1.0).abs() < 0.01,
            "{}: {ratio}",
            model.name()
        );
    }
}

#[test]
fn both_ends_held_stay_where_they_are_held() {
    for model in RodModel::ALL {
        let mut design = design(line(0.3, 30), 2e-3);
        design.helices = Some(10);
        design.material.mass_damping_per_s = 3.0;
        let mut body = at_rest(model, &design);
        let start = clamp(body.as_ref(), 0, 0.0);
        let Constraint::Frame { site, pose } = clamp(body.as_ref(), 29, 1.0) else {
            unreachable!("a clamp holds a frame");
        };
        // The far end is brought 6 cm nearer and turned by a quarter about the strand, then the strand settles.
        let mut held = pose;
        for step in 1..=300 {
            let share = (f64::from(step) / 200.0).min(1.0);
            held = pose;
            held.translation.x -= 0.06 * share;
            held.append_rotation_wrt_center_mut(&nalgebra::UnitQuaternion::from_axis_angle(
                &Vector3::x_axis(),
                1.5 * share,
            ));
            let end = Constraint::Frame { site, pose: held };
            advance(body.as_mut(), 5e-3, &GRAVITY, &[start, end]);
        }
        let end = Constraint::Frame { site, pose: held };
        settle(body.as_mut(), &GRAVITY, &[start, end]);
        let reached = body.frame(site);
        let off = (reached.translation.vector - held.translation.vector).norm();
        assert!(off < 1e-5, "{}: the end is {off} m away", model.name());
        if model != RodModel::MassSpring {
            let turn = reached.rotation.angle_to(&held.rotation);
            assert!(turn < 0.02, "{}: the end is {turn} rad off", model.name());
        }
        let weight = body.mass_kg() * 9.81;
        let borne = body.hold_force(0) + body.hold_force(1);
        assert!(
            (borne - Vector3::y() * weight).norm() < 1e-3 * weight,
            "{}: {borne} against {weight}",
            model.name()
        );
    }
}

#[test]
fn a_strand_may_be_pinned_anywhere() {
    for model in RodModel::ALL {
        let mut design = design(line(0.3, 30), 2e-3);
        design.helices = Some(10);
        design.material.mass_damping_per_s = 3.0;
        let mut body = at_rest(model, &design);
        let pins = [7, 20].map(|node| Constraint::Node {
            node,
            target: body.nodes()[node],
        });
        settle(body.as_mut(), &GRAVITY, &pins);
        for pin in pins {
            let Constraint::Node { node, target } = pin else {
                unreachable!("a pin holds a node");
            };
            let off = (body.nodes()[node] - target).norm();
            // A super-helix cannot stretch: hung between two pins, it pulls hard, and they give way as springs do.
            let section = body.section();
            let force = body.hold_force(usize::from(node == 20)).norm();
            let gives = match model {
                RodModel::SuperHelix => force * section.radius_m / section.ea_n,
                _ => 0.0,
            };
            assert!((off - gives).abs() < 1e-7, "{}: {off} m", model.name());
        }
        let borne = body.hold_force(0) + body.hold_force(1);
        let weight = body.mass_kg() * 9.81;
        assert!(
            (borne.y / weight - 1.0).abs() < 1e-3,
            "{}: {borne}",
            model.name()
        );
    }
}
