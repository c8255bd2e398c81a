//! From a description to a world, and edits to a running one. Both check every number, so that a world never holds
//! one that its steps cannot take.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::check_rod::check_rod;
use super::hold::Hold;
use super::size::Size;
use super::solid::{Solid, hull};
use super::{Edit, FrictionTable, HoldAt, HoldSpec, Label, RodSpec, Settings, SolidSpec};
use super::{SpecError, World, WorldSpec};
use crate::body::{Body, StrandState, rod};
use crate::geometry::{ProxySet, Shape};

/// A thousand times the Earth's, m/s²: beyond it nothing is recognisable.
const MOST_GRAVITY: f64 = 1e4;
/// Time steps that make sense, s.
const TIME_STEPS: RangeInclusive<f64> = 1e-7..=0.1;

impl World {
    /// Builds a world, or says in a sentence what is wrong with its description.
    pub fn new(mut spec: WorldSpec) -> Result<Self, SpecError> {
        spec.friction.tidy();
        check_settings(&spec.settings)?;
        check_friction(&spec.friction)?;
        let mut size = Size::default();
        for rod in &spec.rods {
            check_rod(rod)?;
            size.add(rod.model, &rod.design, 1)?;
        }
        spec.solids.iter().try_for_each(check_solid)?;
        let solids = spec.solids.iter().map(Solid::described);
        let solids = solids.collect::<Result<Vec<_>, _>>()?;
        let proxies = lasting_proxies(&spec)?;
        let bodies: Vec<Box<dyn Body>> = spec.rods.iter().map(build_rod).collect();
        for (rod, body) in spec.rods.iter().zip(&bodies) {
            check_step(&rod.name, body.as_ref(), spec.settings.dt_s)?;
        }
        let mut holds = Vec::new();
        for (index, hold) in spec.holds.iter().enumerate() {
            check_hold(hold, bodies.len(), spec.solids.len())?;
            holds.push(Hold::described(
                index,
                index as u32,
                hold,
                bodies[hold.rod].as_ref(),
            ));
        }
        let label = |rod: &RodSpec| Label {
            name: rod.name.clone(),
            model: rod.model,
            design: rod.design.clone(),
            proxies: rod.proxies,
            surface: rod.surface,
            color: rod.color,
        };
        let labels: Vec<Label> = spec.rods.iter().map(label).collect();
        Ok(Self {
            surfaces: spec.surfaces.len(),
            strands: Arc::new(labels.iter().map(Label::values).collect()),
            labels,
            proxies,
            solids,
            parked: Vec::new(),
            pulls: Vec::new(),
            next_hold: holds.len() as u32,
            taking_s: spec.settings.dt_s,
            taken_s: spec.settings.dt_s,
            bodies,
            holds,
            friction: spec.friction,
            settings: spec.settings,
            demo: spec.demo,
            steps: 0,
            time_s: 0.0,
            constraints: Vec::new(),
            detector: Default::default(),
            contacts: Vec::new(),
            one_step: Default::default(),
            solver: Default::default(),
            impulses: Vec::new(),
            warm: Default::default(),
            guess: None,
            passing: Default::default(),
            traces: Default::default(),
            alongs: Vec::new(),
            off: Vec::new(),
            involved: Default::default(),
            jammed: 0,
            division: Default::default(),
            separation: Default::default(),
            report: Default::default(),
            convergence: Default::default(),
            restored: None,
        })
    }

    /// Applies an edit, or says in a sentence why not (the world is unchanged then).
    pub fn apply(&mut self, edit: Edit) -> Result<(), SpecError> {
        match edit {
            Edit::SetFriction(mu) => {
                check_mu(mu)?;
                self.friction.default = mu;
            }
            Edit::SetTimeStep(dt_s) => {
                let mut settings = self.settings.clone();
                settings.dt_s = dt_s;
                check_settings(&settings)?;
                for (label, body) in self.labels.iter().zip(&self.bodies) {
                    check_step(&label.name, body.as_ref(), dt_s)?;
                }
                self.settings = settings;
            }
            Edit::SetPairFriction { a, b, mu } => self.set_pair_friction(a, b, mu)?,
            Edit::SetModel { rods, model } => self.set_model(rods, model)?,
            Edit::SetMaterial {
                rods,
                material,
                section,
            } => self.set_material(rods, &material, section)?,
            Edit::SetGravity(gravity) => self.try_settings(|s| s.gravity_m_s2 = gravity)?,
            Edit::SetDetector(detector) => self.try_settings(|s| s.detector = detector)?,
            Edit::SetSolver(solver) => self.try_settings(|s| s.solver = solver)?,
            Edit::SetTolerance(tolerance) => self.try_settings(|s| s.tolerance = tolerance)?,
            Edit::SetMaxIterations(limit) => self.try_settings(|s| s.max_iterations = limit)?,
            Edit::SetSolverBudget(ms) => self.try_settings(|s| s.solver_budget_ms = ms)?,
            Edit::SetMaxPasses(passes) => self.try_settings(|s| s.max_passes = passes)?,
            Edit::SetSelfContact(on) => self.try_settings(|s| s.self_contact = on)?,
            Edit::Grab {
                hand,
                point,
                target,
            } => self.grab(hand, &point, target)?,
            Edit::GrabSolid {
                hand,
                solid,
                local,
                target,
            } => self.grab_solid(hand, solid, local, target)?,
            Edit::SpinSolid { solid, spin } => self.spin_solid(solid, spin)?,
            Edit::MoveHand { hand, target } => self.move_hand(hand, target)?,
            Edit::TwistHand { hand, angle_rad } => self.twist_hand(hand, angle_rad)?,
            Edit::Release(hand) => self.release(hand),
            Edit::Pin(point) => self.fix(&point, false)?,
            Edit::Clamp(point) => self.fix(&point, true)?,
            Edit::MoveHold { id, pose } => self.move_hold(id, pose)?,
            Edit::MoveSolid { solid, pose } => self.move_solid(solid, pose)?,
            Edit::ReturnHold { id } => self.return_hold(id)?,
            Edit::ReturnSolid { solid } => self.return_solid(solid)?,
            Edit::Unhold(id) => self.unhold(id),
            Edit::Rehold(id) => self.rehold(id)?,
            Edit::PlayDemo(demo) => self.demo = demo,
        }
        Ok(())
    }

    fn try_settings(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), SpecError> {
        let mut settings = self.settings.clone();
        change(&mut settings);
        check_settings(&settings)?;
        self.settings = settings;
        Ok(())
    }
}

/// What of the proxies does not change from step to step.
fn lasting_proxies(spec: &WorldSpec) -> Result<ProxySet, SpecError> {
    let free: Vec<bool> = spec.solids.iter().map(|s| s.matter.is_some()).collect();
    let hulls = match free.contains(&true) {
        true => spec.solids.iter().map(hull).collect::<Result<_, _>>()?,
        false => Vec::new(),
    };
    Ok(ProxySet {
        fixed: spec.rods.iter().map(|rod| rod.design.fixed).collect(),
        hulls,
        free,
        ..ProxySet::default()
    })
}

fn build_rod(spec: &RodSpec) -> Box<dyn Body> {
    let start = StrandState::along(&spec.design, &spec.velocity_m_s);
    rod::build(spec.model, &spec.design, &start)
}

/// An explicit model must not be asked for larger steps than it can take.
pub(super) fn check_step(name: &str, body: &dyn Body, dt_s: f64) -> Result<(), SpecError> {
    let most = body.largest_step_s();
    check(dt_s <= most, || {
        if most < *TIME_STEPS.start() {
            return format!(
                "{name} takes explicit steps, which would be stable below {most:.0e} s only: too small; set its scheme to \
                 \"implicit\""
            );
        }
        // Two digits, rounded down: what is advised must be accepted.
        let digit = 10_f64.powf(most.max(f64::MIN_POSITIVE).log10().floor() - 1.0);
        let advised = (most / digit).floor() * digit;
        format!(
            "{name} takes explicit steps, which are stable up to {advised:.1e} s here; the time step is {dt_s:e} s: set dt to \
             {advised:.1e} or less, or its scheme to \"implicit\""
        )
    })
}

pub(super) fn check(holds: bool, sentence: impl FnOnce() -> String) -> Result<(), SpecError> {
    if holds {
        Ok(())
    } else {
        Err(SpecError(sentence()))
    }
}

pub(super) fn positive(x: f64) -> bool {
    x.is_finite() && x > 0.0
}

fn check_settings(s: &Settings) -> Result<(), SpecError> {
    let dt = s.dt_s;
    check(TIME_STEPS.contains(&dt), || {
        format!(
            "the time step must lie between {} s and {} s, not {dt}",
            TIME_STEPS.start(),
            TIME_STEPS.end()
        )
    })?;
    let gravity = s.gravity_m_s2.norm();
    check(gravity <= MOST_GRAVITY, || {
        format!("gravity must be at most {MOST_GRAVITY} m/s², not {gravity}")
    })?;
    check(positive(s.tolerance), || {
        format!("the tolerance must be positive, not {}", s.tolerance)
    })?;
    check(s.max_iterations > 0, || {
        "the solver needs at least one iteration".into()
    })?;
    check(s.solver_budget_ms > 0.0, || {
        let given = s.solver_budget_ms;
        format!("the solver's budget must be more than 0 ms, not {given}")
    })?;
    check(s.max_passes > 0, || "a step needs at least one pass".into())
}

/// A coefficient of friction must be one.
pub(super) fn check_mu(mu: f64) -> Result<(), SpecError> {
    check(mu.is_finite() && mu >= 0.0, || {
        format!("friction must be 0 or more, not {mu}")
    })
}

fn check_friction(friction: &FrictionTable) -> Result<(), SpecError> {
    let pairs = friction.pairs.iter().map(|&(_, _, mu)| mu);
    pairs.chain([friction.default]).try_for_each(check_mu)
}

fn check_solid(solid: &SolidSpec) -> Result<(), SpecError> {
    let sizes = match &solid.shape {
        // A mesh has been checked when it was made.
        Shape::Plane | Shape::Mesh(_) => vec![],
        Shape::Sphere { radius_m } => vec![*radius_m],
        Shape::Capsule {
            radius_m,
            half_length_m,
        }
        | Shape::Cylinder {
            radius_m,
            half_length_m,
        } => {
            vec![*radius_m, *half_length_m]
        }
        Shape::Box { half_extents_m } => half_extents_m.to_vec(),
    };
    check(sizes.iter().all(|&size| positive(size)), || {
        format!("{} has a size that is not positive", solid.name)
    })?;
    let bounces = (0.0..=1.0).contains(&solid.restitution);
    check(bounces, || {
        let (name, given) = (&solid.name, solid.restitution);
        format!("the restitution of {name} must lie between 0 and 1, not {given}")
    })?;
    let Some(matter) = &solid.matter else {
        return Ok(());
    };
    check(positive(matter.density_kg_m3), || {
        let (name, given) = (&solid.name, matter.density_kg_m3);
        format!("the density of {name} must be positive, not {given}")
    })?;
    let mut rates = matter.velocity_m_s.iter().chain(&matter.spin_rad_s);
    check(rates.all(|rate| rate.is_finite()), || {
        format!("{} starts with a velocity that is not finite", solid.name)
    })?;
    check(solid.motion.is_still(), || {
        format!(
            "{} has a density, so it is free to move, and a motion, so it is not: leave one of them out",
            solid.name
        )
    })
}

fn check_hold(hold: &HoldSpec, rods: usize, solids: usize) -> Result<(), SpecError> {
    check(hold.rod < rods, || {
        format!(
            "{} holds strand {}, but there are only {rods}",
            hold.name, hold.rod
        )
    })?;
    check(hold.on.is_none_or(|on| on < solids), || {
        format!("{} is on a solid that does not exist", hold.name)
    })?;
    match hold.at {
        HoldAt::Fraction(share) => check((0.0..=1.0).contains(&share), || {
            format!("{} holds at {share}, outside 0 to 1", hold.name)
        }),
        HoldAt::Start | HoldAt::End => Ok(()),
    }
}
