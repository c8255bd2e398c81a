//! Curls: helical springs, and the same curl whipped in two models.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use super::*;

/// A helix about the vertical, hanging down: where it is and its frame (tangent, towards its axis, and across).
struct Helix {
    radius: f64,
    /// Rise per radian.
    rise: f64,
    length: f64,
}

impl Helix {
    fn at(&self, s: f64) -> (Point3<f64>, Matrix3<f64>) {
        let c = self.radius.hypot(self.rise);
        let (sin, cos) = (s / c).sin_cos();
        let (r, h) = (self.radius, self.rise);
        let point = Point3::new(r * cos, -h * s / c, r * sin);
        let tangent = Vector3::new(-r * sin, -h, r * cos) / c;
        let normal = Vector3::new(-cos, 0.0, -sin);
        (
            point,
            Matrix3::from_columns(&[tangent, normal, tangent.cross(&normal)]),
        )
    }

    /// Curvature and the rate at which the frame turns about the tangent.
    fn strains(&self) -> [f64; 2] {
        let c2 = self.radius.powi(2) + self.rise.powi(2);
        // Sign of the torsion: this helix goes down as it turns from x to z.
        let (_, here) = self.at(0.0);
        let (_, next) = self.at(1e-6);
        let turn = (next.column(1) - here.column(1)).dot(&here.column(2)) / 1e-6;
        [self.radius / c2, turn]
    }

    fn design(&self, pieces: usize, helices: usize) -> RodDesign {
        let node = |k: usize| self.at(self.length * k as f64 / pieces as f64).0;
        let mut design = design((0..=pieces).map(node).collect(), 1e-3);
        let [curvature, twist] = self.strains();
        design.natural = NaturalShape::helical(curvature, twist);
        design.helices = Some(helices);
        design.facing = Some(self.at(0.0).1.column(1).into_owned());
        design
    }

    /// How far the tip sinks under the helix' own weight, by the theory of slender curved beams (small deflections): the
    /// integral of the moment of the weight against the compliance against the moment of a unit load at the tip. The
    /// first `held` metres do not bend.
    fn sag(&self, section: &crate::body::Section, gravity: f64, held: f64) -> f64 {
        let n = 4000;
        let ds = self.length / f64::from(n);
        let s = |k: i32| (f64::from(k) + 0.5) * ds;
        let tip = self.at(self.length).0;
        let down = -Vector3::y();
        let weight = down * (section.line_density_kg_m * gravity * ds);
        // From the tip up: force and moment (about the origin) of all that hangs below.
        let (mut force, mut moment, mut sag) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        for k in (0..n).rev() {
            let (point, frame) = self.at(s(k));
            let own = moment - point.coords.cross(&force);
            let unit = (tip - point).cross(&down);
            let (m, u) = (frame.tr_mul(&own), frame.tr_mul(&unit));
            let [b1, b2] = section.ei_n_m2;
            if s(k) < held {
                break;
            }
            // Bending towards the second axis turns about the third, and the other way round.
            sag += (m.x * u.x / section.gj_n_m2 + m.y * u.y / b2 + m.z * u.z / b1) * ds;
            force += weight;
            moment += point.coords.cross(&weight);
        }
        sag
    }
}

#[test]
fn a_helical_spring_sinks_under_its_weight_as_theory_says() {
    let helix = Helix {
        radius: 0.02,
        rise: 0.004,
        length: 0.3,
    };
    for model in RodModel::ALL {
        let pieces = 240;
        let mut design = helix.design(pieces, 24);
        design.material.mass_damping_per_s = 4.0;
        let gravity = 0.02;
        let mut body = at_rest(model, &design);
        let hold = [clamp(body.as_ref(), 0, 0.0)];
        settle(body.as_mut(), &Vector3::zeros(), &hold);
        let before = body.nodes()[pieces].y;
        settle(body.as_mut(), &(Vector3::y() * -gravity), &hold);
        let sag = before - body.nodes()[pieces].y;
        // Of models with nodes the clamp holds an edge, of springs with a curl two; half an edge more bends at their end.
        let edge = helix.length / pieces as f64;
        let held = match model {
            RodModel::SuperHelix => 0.0,
            RodModel::MassSpring => 1.5 * edge,
            _ => 0.5 * edge,
        };
        let expected = helix.sag(body.section(), gravity, held);
        assert!(
            (sag / expected - 1.0).abs() < 0.01,
            "{}: {sag} m against {expected} m",
            model.name()
        );
    }
}

/// Tip of a hanging curl whose root is whipped to and fro and turned, so many times a second.
fn whipped_tip(
    model: RodModel,
    pieces: usize,
    helices: usize,
    dt: f64,
    whips_hz: f64,
) -> Vec<Point3<f64>> {
    let helix = Helix {
        radius: 0.012,
        rise: 0.008,
        length: 0.15,
    };
    let mut design = helix.design(pieces, helices);
    design.material.youngs_modulus_pa = 2e7;
    design.material.mass_damping_per_s = 1.0;
    let mut body = at_rest(model, &design);
    let (site, start) = (
        Site {
            element: 0,
            fraction: 0.0,
        },
        helix.at(0.0),
    );
    let upright = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(start.1));
    let first = body.frame(site);
    // Models with nodes have the frame of their first edge, half an edge on: both are turned alike from where they are.
    let lean = first.rotation * upright.inverse();
    let steps = (1.0 / dt).round() as usize;
    let mut path = Vec::new();
    for step in 1..=steps {
        let t = step as f64 * dt;
        let phase = std::f64::consts::TAU * whips_hz * t;
        let shift = Vector3::new(0.03 * phase.sin(), 0.0, 0.015 * (1.0 - phase.cos()));
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.0, 0.0, 0.4 * phase.sin()));
        let pose = Isometry3::from_parts(
            (first.translation.vector + shift).into(),
            turn * lean * upright,
        );
        advance(
            body.as_mut(),
            dt,
            &GRAVITY,
            &[Constraint::Frame { site, pose }],
        );
        if step % (steps / 100) == 0 {
            path.push(body.nodes()[pieces]);
        }
    }
    path
}

#[test]
fn a_whipped_curl_moves_alike_as_super_helix_and_as_discrete_elastic_rod() {
    // Four times a second, up to 0.8 m/s; the tip swings by its length.
    let (dt, whips_hz, length) = (5e-4, 4.0, 0.15);
    let apart = |helices: usize, pieces: usize| {
        let helix = whipped_tip(RodModel::SuperHelix, 96, helices, dt, whips_hz);
        let nodes = whipped_tip(RodModel::DiscreteElastic, pieces, 1, dt, whips_hz);
        let reach = helix.iter().map(|p| (p - helix[0]).norm());
        let swing = reach.fold(0.0, f64::max);
        assert!(swing > 0.8 * length, "the curl hardly moved: {swing} m");
        let apart = helix.iter().zip(&nodes).map(|(a, b)| (a - b).norm());
        apart.fold(0.0, f64::max) / length
    };
    let (coarse, fine) = (apart(12, 96), apart(48, 384));
    println!("tips up to {coarse:.4} and {fine:.4} of the length apart");
    assert!(fine < 0.01, "tips up to {fine} of the length apart");
    // They differ by their resolution and by nothing else.
    assert!(fine < 0.3 * coarse, "{coarse} and {fine} of the length");
}
