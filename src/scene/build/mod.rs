//! From the file as written to a world that can be built: fills in defaults, checks values, turns the slope.

mod centreline;
mod copies;
mod curve;
mod hair;
mod hold;
mod measure;
mod motion;
mod natural;
mod rod;
mod section;
mod solid;
mod strands;
mod surfaces;

use std::path::Path;

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::check::{Checked, FieldError};
use super::file::{Gravity, SceneFile, WispFile};
use super::{Camera, Scene, StrandLook, Wisp, check};
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::world::{Settings, WorldSpec};
use motion::motion;
use surfaces::Surfaces;

/// How long `run` simulates when neither the scene nor the user says, s.
const DEFAULT_TIME_S: f64 = 5.0;
/// More hairs in a wisp than one can see.
const MOST_HAIRS: usize = 200;

/// Builds the scene; `folder` is where files named in it are looked for first.
pub(super) fn build(name: &str, file: &SceneFile, folder: Option<&Path>) -> Checked<Scene> {
    let slope = slope(file)?;
    let mut surfaces = Surfaces::default();
    let (rods, groups) = rod::rods(file, folder, &slope, &mut surfaces)?;
    let solids = solid::solids(file, folder, &slope, &mut surfaces)?;
    let holds = hold::holds(file, &rods, &solids, &slope)?;
    let friction = surfaces.friction(&file.friction)?;
    let spec = WorldSpec {
        demo: true,
        rods,
        solids,
        holds,
        surfaces: surfaces.names(),
        friction,
        settings: settings(file)?,
    };
    Ok(Scene {
        name: name.to_owned(),
        origin: Default::default(),
        title: file.title.clone(),
        watch: file.watch.clone(),
        camera: camera(file)?,
        look: look(file)?,
        wisp: wisp(file)?,
        time_s: check::positive("time", file.time.unwrap_or(DEFAULT_TIME_S))?,
        measures: measure::measures(file, &spec, &slope)?,
        groups,
        spec,
    })
}

fn slope(file: &SceneFile) -> Checked<UnitQuaternion<f64>> {
    let angle = check::finite("slope_deg", file.slope_deg)?.to_radians();
    Ok(UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle))
}

fn settings(file: &SceneFile) -> Checked<Settings> {
    let default = Settings::default();
    let gravity_m_s2 = match file.gravity {
        None => default.gravity_m_s2,
        Some(Gravity::Down(g)) => -Vector3::y() * check::finite("gravity", g)?,
        Some(Gravity::Vector(g)) => check::vector("gravity", g)?,
    };
    let solver = file.solver.as_deref().map_or(Ok(default.solver), |name| {
        let known = SolverKind::ALL.map(SolverKind::name);
        check::named("solver", name, SolverKind::from_name(name), known)
    })?;
    let detector = file
        .detector
        .as_deref()
        .map_or(Ok(default.detector), |name| {
            let known = DetectorKind::ALL.map(DetectorKind::name);
            check::named("detector", name, DetectorKind::from_name(name), known)
        })?;
    let iterations = file.max_iterations.unwrap_or(default.max_iterations);
    let passes = file.max_passes.unwrap_or(default.max_passes);
    Ok(Settings {
        dt_s: check::positive("dt", file.dt.unwrap_or(default.dt_s))?,
        gravity_m_s2,
        solver,
        detector,
        tolerance: check::positive("tolerance", file.tolerance.unwrap_or(default.tolerance))?,
        max_iterations: check::count("max_iterations", iterations, (1, 1_000_000))?,
        solver_budget_ms: file
            .solver_budget_ms
            .map_or(Ok(default.solver_budget_ms), |ms| {
                check::positive("solver_budget_ms", ms)
            })?,
        max_passes: check::count("max_passes", passes, (1, 100))?,
        self_contact: file.self_contact.unwrap_or(default.self_contact),
    })
}

fn camera(file: &SceneFile) -> Checked<Camera> {
    let eye_m = file.camera.eye.unwrap_or([0.0, 0.6, 1.6]);
    let target_m = file.camera.target.unwrap_or([0.0, 0.3, 0.0]);
    check::vector("camera.eye", eye_m)?;
    check::vector("camera.target", target_m)?;
    if eye_m == target_m {
        return Err(FieldError::new(
            "camera.eye",
            "is where the camera's target is, but must be another point",
        ));
    }
    let fov_deg = file.camera.fov_deg.unwrap_or(40.0);
    Ok(Camera {
        eye_m,
        target_m,
        fov_deg: check::field_of_view("camera.fov_deg", fov_deg)?,
    })
}

fn look(file: &SceneFile) -> Checked<Option<StrandLook>> {
    let named = |name: &String| {
        let known = StrandLook::ALL.map(StrandLook::name);
        check::named("look", name, StrandLook::from_name(name), known)
    };
    file.look.as_ref().map(named).transpose()
}

fn wisp(file: &SceneFile) -> Checked<Option<Wisp>> {
    let wisp = |wisp: &WispFile| {
        Ok(Wisp {
            hairs: check::count("wisp.hairs", wisp.hairs, (1, MOST_HAIRS))?,
            spread_m: check::not_negative("wisp.spread", wisp.spread)?,
            radius_m: check::positive("wisp.radius", wisp.radius)?,
        })
    };
    file.wisp.as_ref().map(wisp).transpose()
}

/// The direction in which a thing on the slope would slide: −x of the turned scene when gravity does not say.
fn downhill(gravity: &Vector3<f64>, slope: &UnitQuaternion<f64>) -> Unit<Vector3<f64>> {
    let normal = slope * Vector3::y();
    let along = gravity - normal * gravity.dot(&normal);
    // Below this the slope is flat to rounding and any direction would be noise.
    Unit::try_new(along, 1e-9).unwrap_or_else(|| Unit::new_unchecked(slope * -Vector3::x()))
}
