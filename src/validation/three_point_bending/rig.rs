//! The test rig: the scene `three_point_bending` with one rod, run and read off.

use nalgebra::Vector3;

use crate::body::RodModel;
use crate::contact::DetectorKind;
use crate::geometry::Shape;
use crate::scene::{Scene, load};
use crate::validation::bending::ThreePointBending;
use crate::world::{Edit, World};

const SCENE: &str = "three_point_bending";
/// Speed of the support, m/s, as the scene's keys have it.
const SPEED_M_S: f64 = 5e-3;
/// Indentation between two samples, over the span. One of a hundred straight pieces passes the support in about ten.
pub const SAMPLE: f64 = 1e-3;

/// One rod in the rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Natural curvature κ₀, 1/m.
    pub curvature_per_m: f64,
    /// µ between rod and support.
    pub friction: f64,
    /// Model of the rod.
    pub model: RodModel,
    /// How contact sees it.
    pub detector: DetectorKind,
    /// How far the support is lifted after it has touched, m.
    pub depth_m: f64,
    /// Time step, s.
    pub dt_s: f64,
    /// Other changes to the scene.
    pub changes: Vec<String>,
}

/// What one run gave: entry i belongs to δ̄ = (i + 1) × [`SAMPLE`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// δ̄ from first touch.
    pub indentation: Vec<f64>,
    /// F̄ that the support feels.
    pub force: Vec<f64>,
    /// F̄ in theory.
    pub theory: Vec<f64>,
    /// Deepest overlap with the support, over the radius.
    pub overlap: f64,
}

impl Rig {
    /// Runs it. Errors are sentences.
    pub fn run(&self) -> Result<Track, String> {
        let scene = load(SCENE, &self.sets()?).map_err(|why| why.to_string())?;
        let theory = self.theory(&scene)?;
        let (span_m, stiffness) = (span_m(&scene), scene.spec.rods[0].design.section());
        // Half the rod bears half the load: F = 2 f.
        let unit = 2.0 * span_m * span_m / (48.0 * stiffness.ei_n_m2[0]);
        let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
        world
            .apply(Edit::PlayDemo(true))
            .map_err(|why| why.to_string())?;
        let per_sample = (SAMPLE * span_m / (SPEED_M_S * self.dt_s)).round() as usize;
        let samples = (self.depth_m / (SAMPLE * span_m)).round() as usize;
        let mut track = Track::default();
        for _ in 0..samples {
            for _ in 0..per_sample {
                let step = world.step().map_err(|fault| fault.to_string())?;
                track.overlap = track.overlap.max(step.penetration_over_radius);
            }
            let indentation = SPEED_M_S * world.time_s() / span_m;
            track.indentation.push(indentation);
            track
                .force
                .push(-world.solid_force(0).dot(&Vector3::y()) * unit);
            track
                .theory
                .push(theory.at(indentation).map_or(f64::NAN, |bent| bent.force));
        }
        Ok(track)
    }

    /// The same rod in theory.
    fn theory(&self, scene: &Scene) -> Result<ThreePointBending, String> {
        let radius_m = scene.spec.rods[0].design.section().radius_m;
        let Shape::Capsule {
            radius_m: support_m,
            ..
        } = scene.spec.solids[0].shape
        else {
            return Err(format!("the support of the scene {SCENE} is not a capsule"));
        };
        let span_m = span_m(scene);
        Ok(ThreePointBending {
            reach: (radius_m + support_m) / span_m,
            curvature: self.curvature_per_m * span_m,
            friction: self.friction,
            lever: radius_m / span_m,
        })
    }

    /// What it changes in the scene.
    fn sets(&self) -> Result<Vec<String>, String> {
        let plain = load(SCENE, &[]).map_err(|why| why.to_string())?;
        let span_m = span_m(&plain);
        let theory = self.theory(&plain)?;
        let support_y = (theory.touch() - theory.reach) * span_m;
        let curvature = self.curvature_per_m;
        let mut sets = vec![
            format!("dt={}", self.dt_s),
            format!("friction.default={}", self.friction),
            format!("detector={}", self.detector.name()),
            format!("rods.model={}", self.model.name()),
            format!("rods.natural.curvature={curvature}"),
            format!("rod.0.shape.curvature={curvature}"),
            format!("body.0.position.1={support_y}"),
        ];
        if self.model != RodModel::SuperHelix {
            // A chain of edges bends at its nodes only, so one edge is held level and its middle is the middle of the
            // whole, symmetric rod.
            let lengths = plain.spec.rods[0].design.lengths();
            let half = 0.5 * lengths.iter().sum::<f64>() / lengths.len() as f64;
            let turn = curvature * half;
            let (back, up) = match curvature {
                0.0 => (half, 0.0),
                _ => (turn.sin() / curvature, (1.0 - turn.cos()) / curvature),
            };
            sets.push(format!("rod.0.shape.from=[{}, {up}, 0]", -back));
            let (sin, cos) = turn.sin_cos();
            sets.push(format!("rod.0.shape.direction=[{cos}, {}, 0]", -sin));
        }
        sets.extend_from_slice(&self.changes);
        Ok(sets)
    }
}

/// The distance of the two supports, of which the scene has one.
fn span_m(scene: &Scene) -> f64 {
    2.0 * scene.spec.solids[0].world_from_body.translation.vector.x
}
