//! One time step, as a list of stages.

use std::time::Instant;

use nalgebra::Isometry3;
use rayon::prelude::*;

use super::guard::UNSETTLED;
use super::movers::Movers;
use super::{Energies, Fault, StepReport, World};
use crate::body::NotFinite;
use crate::contact::{Contact, Side};
use crate::friction::StopRule;
use crate::math::largest;

/// A step is linearised again while its equation of motion is off by more than this share of the radius.
const PASS_TOLERANCE: f64 = 1e-3;
/// A step that is still off by more than this share of the radius after all its passes is divided.
pub(super) const MOST_OFF: f64 = 0.05;
/// Where the friction problem is left with a larger error than this it has no solution, as between the jaws of a press,
/// and it is no use to linearise again.
const HOPELESS: f64 = 0.1;
/// A pass that is not the last is solved to this error only, if to no better one is asked for.
const PASSING_ERROR: f64 = 1e-3;
/// From this pass on a step is given up and divided where, at the rate of the last two passes, it would not settle in time.
const FORESEE_FROM: usize = 3;
/// A step that cannot be divided any more is given so many times the usual passes.
const LAST_PATIENCE: usize = 3;
/// Free velocities below this, m/s, do not make a problem's error relative to themselves.
const VELOCITY_FLOOR: f64 = 1e-7;
/// What approaches more slowly than it would by falling for so many steps does not rebound: it rests.
const RESTING_STEPS: f64 = 3.0;
/// Block products in a nominal millisecond (measured: 0.7 to 3e5 on one slow core).
const WORK_PER_MS: f64 = 2e5;

impl World {
    /// Advances by one time step; divided where strands would pass through each other or through solids, and where their
    /// equation of motion is not met however often it is linearised.
    pub fn step(&mut self) -> Result<&StepReport, Fault> {
        // On a thread of the pool all the way: parts are handed from one to the next there at no cost, and from outside each
        // would have to wait for a thread to wake.
        rayon::scope(|_| self.whole_step())?;
        Ok(&self.report)
    }

    fn whole_step(&mut self) -> Result<(), Fault> {
        let whole = self.settings.dt_s;
        self.report = StepReport::default();
        self.restored = None;
        self.convergence.restart();
        let mut done = 0.0;
        let mut jammed = self.try_scripts();
        // Of a divided step the worst piece counts, so that no piece can hide behind a better last one.
        let (mut worst, mut solved, mut contacts) = (0.0_f64, true, 0);
        while done < whole * (1.0 - 1e-9) {
            let dt = self.division.piece(whole).min(whole - done);
            let divisible = self.division.is_divisible();
            let attempted = self.attempt(dt, divisible);
            // Not a number is as far off as can be.
            let off = attempted
                .as_ref()
                .map_or(f64::INFINITY, |off| off.min(f64::INFINITY));
            let most = if divisible { MOST_OFF } else { UNSETTLED };
            let mut free = attempted.is_ok() && self.is_free(dt) && off <= most;
            if divisible && !free && attempted.is_ok() && std::mem::take(&mut jammed) {
                // What stood in the way before is still there, most likely.
                free = self.stall(dt, false) == Ok(true);
                if !free {
                    self.release_scripts();
                }
            }
            if divisible && !free {
                self.division.failed();
                continue;
            }
            attempted?;
            let taken = match free {
                true => dt,
                false => self.hold_back(dt)?,
            };
            self.report.crossings += self.passing.crossings();
            // Contacts tell only of what was detected.
            let deepest = self.report.penetration_over_radius;
            self.report.penetration_over_radius = deepest.max(self.deepest_judged());
            self.report.motion_error = self.report.motion_error.max(off);
            self.accept(dt, taken);
            self.separate(dt);
            worst = worst.max(self.report.solver_error);
            solved &= self.report.solved;
            contacts = contacts.max(self.report.contacts);
            self.report.substeps += usize::from(dt < whole);
            done += dt;
            self.division.passed();
        }
        self.report.solver_error = worst;
        self.report.solved = solved;
        self.report.contacts = contacts;
        self.steps += 1;
        self.summarise();
        Ok(())
    }

    /// A trial step of `dt`, which nothing has accepted yet; returns how far the worst strand is off its equation of
    /// motion, in radii.
    pub(super) fn attempt(&mut self, dt: f64, divisible: bool) -> Result<f64, Fault> {
        let clock = Instant::now();
        self.hold_strands(dt);
        self.linearise()?;
        let clock = lap(clock, &mut self.report.phases.dynamics_ms);
        self.collect_proxies(dt);
        self.detector.detect(
            self.settings.detector,
            &self.proxies,
            dt,
            self.settings.self_contact,
            &mut self.contacts,
        );
        self.warm.guess(&self.contacts, dt, &mut self.impulses);
        if let Some(guess) = &mut self.guess {
            guess.clone_from(&self.impulses);
        }
        let mut clock = lap(clock, &mut self.report.phases.detection_ms);
        self.prepare(dt);
        let most = match divisible {
            true => self.settings.max_passes,
            false => LAST_PATIENCE * self.settings.max_passes,
        };
        let tolerance = self.settings.tolerance;
        let mut off = f64::INFINITY;
        let mut before = [f64::INFINITY; 2];
        for pass in 1..=most {
            let movers = Movers {
                strands: &self.bodies,
                solids: &self.solids,
            };
            self.one_step.assemble(movers, &self.contacts, dt);
            clock = lap(clock, &mut self.report.phases.assembly_ms);
            // Most steps settle in their first pass, hard ones in their last: in between less will do.
            let first_or_last = pass == 1 || pass == most;
            let asked = if first_or_last {
                tolerance
            } else {
                tolerance.max(PASSING_ERROR)
            };
            off = self.solve_and_move(asked, &mut clock);
            if off <= PASS_TOLERANCE && self.report.solver_error > tolerance && asked > tolerance {
                off = self.solve_and_move(tolerance, &mut clock);
            }
            self.report.passes += 1;
            let hopeless = self.report.solver_error > HOPELESS;
            if off <= PASS_TOLERANCE || pass == most || hopeless {
                break;
            }
            let rate = (off / before[0]).sqrt();
            let foreseen = off * rate.powi((most - pass) as i32);
            if divisible && pass >= FORESEE_FROM && off.min(foreseen) > MOST_OFF {
                break;
            }
            before = [before[1], off];
            self.linearise()?;
            clock = lap(clock, &mut self.report.phases.dynamics_ms);
            let movers = Movers {
                strands: &self.bodies,
                solids: &self.solids,
            };
            self.one_step.refresh(movers, &self.contacts);
        }
        self.guard()?;
        lap(clock, &mut self.report.phases.other_ms);
        Ok(off)
    }

    /// Tells every strand and free solid what holds it during the step.
    fn hold_strands(&mut self, dt: f64) {
        let (time_s, demo, gravity) = (self.time_s, self.demo, self.settings.gravity_m_s2);
        let Self {
            bodies,
            holds,
            constraints,
            solids,
            ..
        } = self;
        for hold in holds.iter_mut().filter(|hold| !hold.acts(time_s, demo)) {
            hold.let_go();
        }
        for (rod, body) in bodies.iter_mut().enumerate() {
            constraints.clear();
            let acting = holds
                .iter_mut()
                .filter(|hold| hold.rod == rod && hold.acts(time_s, demo));
            constraints.extend(acting.map(|hold| {
                let carrier = match hold.on {
                    None => [Isometry3::identity(); 2],
                    Some(on) => [solids[on].pose(time_s), solids[on].pose_after(time_s, dt)],
                };
                hold.constraint(body.as_ref(), [time_s, time_s + dt], carrier)
            }));
            body.begin(dt, &gravity, constraints);
        }
        let pulls = self.pulls.as_slice();
        for (index, solid) in self.solids.iter_mut().enumerate() {
            if let Some(free) = &mut solid.free {
                let own = pulls.iter().filter(|pull| pull.solid == index);
                let (pose, mass_kg) = (free.pose(), free.mass_kg());
                let springs = own.map(|pull| pull.spring(&pose, mass_kg, gravity.norm()));
                free.begin(dt, &gravity, springs);
            }
        }
    }

    /// Free motion of every strand and free solid.
    fn linearise(&mut self) -> Result<(), Fault> {
        let bodies = self.bodies.par_iter_mut().enumerate();
        let first = bodies.find_map_first(|(index, body)| Some((index, body.linearise().err()?)));
        self.no_fault("free motion", first)?;
        let solids = self.solids.iter_mut().enumerate();
        let mut free = solids.filter_map(|(index, solid)| Some((index, solid.free.as_mut()?)));
        let first = free.find_map(|(index, free)| Some((index, free.linearise().err()?)));
        self.no_solid_fault("free motion", first)
    }

    /// Jacobians, friction coefficients and the pattern of W.
    fn prepare(&mut self, dt: f64) {
        let Self {
            one_step,
            bodies,
            contacts,
            friction,
            labels,
            solids,
            settings,
            ..
        } = self;
        let movers = Movers {
            strands: bodies,
            solids,
        };
        let surface = |side: &Side| match side {
            Side::Strand(side) => labels[side.body as usize].surface,
            Side::Solid(side) => solids[side.solid as usize].surface,
        };
        let mu = |contact: &Contact| friction.mu(surface(&contact.a), surface(&contact.b));
        let resting = RESTING_STEPS * settings.gravity_m_s2.norm() * dt;
        one_step.prepare(movers, contacts, mu, |contact| {
            rebound(movers, contact, dt, resting)
        });
        let depth = |c: &Contact| -c.gap / c.radius_m;
        let deepest = contacts.iter().map(depth).fold(0.0, f64::max);
        self.report.penetration_over_radius = self.report.penetration_over_radius.max(deepest);
    }

    /// Finds the contact impulses and moves the strands; returns how far the worst is off its equation of motion, in
    /// radii.
    fn solve_and_move(&mut self, tolerance: f64, clock: &mut Instant) -> f64 {
        self.solve(tolerance);
        *clock = lap(*clock, &mut self.report.phases.solve_ms);
        let off = self.move_strands();
        *clock = lap(*clock, &mut self.report.phases.advance_ms);
        off
    }

    /// Finds the contact impulses.
    fn solve(&mut self, tolerance: f64) {
        let stop = StopRule {
            tolerance,
            max_iterations: self.settings.max_iterations,
            velocity_floor: VELOCITY_FLOOR,
            max_work: self.settings.solver_budget_ms * WORK_PER_MS,
        };
        let kind = self.settings.solver;
        let report = self
            .solver
            .solve(kind, &self.one_step.problem, &mut self.impulses, &stop);
        self.report.contacts = self.contacts.len();
        self.report.iterations += report.iterations;
        self.report.solver_error = report.error;
        self.report.solved = report.solved;
        if !self.contacts.is_empty() {
            let trace = self.solver.trace();
            self.convergence.offer(kind, stop.tolerance, &report, trace);
        }
    }

    /// Gives every strand and free solid its velocity; returns how far the worst is off its equation of motion, in radii.
    fn move_strands(&mut self) -> f64 {
        let Self {
            one_step,
            bodies,
            contacts,
            impulses,
            off,
            ..
        } = self;
        off.clear();
        for (index, body) in bodies.iter_mut().enumerate() {
            let after = one_step.respond_to(index, body.free_velocity(), contacts, impulses);
            let off_m = body.attempt(after.velocity, after.impulse, after.pushes);
            off.push(off_m / body.section().radius_m);
        }
        let mut worst = off.iter().copied().fold(0.0, largest);
        let first = bodies.len();
        for (index, solid) in self.solids.iter_mut().enumerate() {
            if let Some(free) = &mut solid.free {
                let velocity = free.free_velocity();
                let after = one_step.respond_to(first + index, velocity, contacts, impulses);
                let off_m = free.attempt(after.velocity);
                worst = largest(worst, off_m / free.size_m());
            }
        }
        self.foresee_solids();
        worst
    }

    /// Stops on anything that is not finite.
    fn guard(&self) -> Result<(), Fault> {
        if let Some(at) = self
            .impulses
            .iter()
            .position(|r| !r.iter().all(|x| x.is_finite()))
        {
            let (stage, what) = ("contact forces", "a contact force");
            return Err(match &self.contacts[at].a {
                Side::Strand(side) => {
                    let body = side.body as usize;
                    let element = self.bodies[body].site(side.place).element;
                    self.fault(stage, what, body, element)
                }
                Side::Solid(side) => self.solid_fault(stage, what, side.solid as usize),
            });
        }
        let mut checks = self.bodies.iter().enumerate();
        let first = checks.find_map(|(index, body)| Some((index, body.check().err()?)));
        self.no_fault("new state", first)?;
        let mut checks = self.solids.iter().enumerate();
        let first = checks.find_map(|(index, solid)| {
            let wrong = solid.free.as_ref()?.check().err()?;
            Some((index, wrong))
        });
        self.no_solid_fault("new state", first)
    }

    fn no_solid_fault(
        &self,
        stage: &'static str,
        first: Option<(usize, NotFinite)>,
    ) -> Result<(), Fault> {
        match first {
            Some((solid, NotFinite { what, .. })) => Err(self.solid_fault(stage, what, solid)),
            None => Ok(()),
        }
    }

    fn solid_fault(&self, stage: &'static str, what: &'static str, solid: usize) -> Fault {
        Fault {
            stage,
            what,
            body: self.solids[solid].name.clone(),
            element: 0,
            step: self.steps,
        }
    }

    fn no_fault(
        &self,
        stage: &'static str,
        first: Option<(usize, NotFinite)>,
    ) -> Result<(), Fault> {
        match first {
            Some((body, NotFinite { what, element })) => {
                Err(self.fault(stage, what, body, element))
            }
            None => Ok(()),
        }
    }

    fn fault(&self, stage: &'static str, what: &'static str, body: usize, element: usize) -> Fault {
        Fault {
            stage,
            what,
            body: self.labels[body].name.clone(),
            element,
            step: self.steps,
        }
    }

    /// The trial, a step of `taken`, becomes the state after `dt`.
    fn accept(&mut self, dt: f64, taken: f64) {
        let clock = Instant::now();
        self.warm.keep(&self.contacts, &self.impulses, taken);
        let (time_s, demo) = (self.time_s, self.demo);
        for (rod, body) in self.bodies.iter_mut().enumerate() {
            let acting = self
                .holds
                .iter_mut()
                .filter(|hold| hold.rod == rod && hold.acts(time_s, demo));
            acting
                .enumerate()
                .for_each(|(k, hold)| hold.force = body.hold_force(k));
            body.accept();
        }
        self.accept_solids();
        self.solids.iter_mut().for_each(|solid| solid.pass(dt));
        self.holds.iter_mut().for_each(|hold| hold.pass(dt));
        self.time_s += dt;
        self.taken_s = taken;
        lap(clock, &mut self.report.phases.advance_ms);
    }

    /// The trial of every free solid becomes its state.
    fn accept_solids(&mut self) {
        let Self { solids, pulls, .. } = self;
        for (index, solid) in solids.iter_mut().enumerate() {
            if let Some(free) = &mut solid.free {
                let own = pulls.iter_mut().filter(|pull| pull.solid == index);
                own.enumerate()
                    .for_each(|(k, pull)| pull.force = free.pull_force(k));
                free.accept();
            }
        }
    }

    /// Energies and the fastest node.
    fn summarise(&mut self) {
        let clock = Instant::now();
        let mut energies = Energies::default();
        let mut fastest = 0.0_f64;
        for body in &self.bodies {
            let [kinetic, elastic, gravity] = body.energies(&self.settings.gravity_m_s2);
            energies.kinetic_j += kinetic;
            energies.elastic_j += elastic;
            energies.gravity_j += gravity;
            let speeds = (0..body.nodes().len()).map(|k| body.node_velocity(k).norm());
            fastest = speeds.fold(fastest, f64::max);
        }
        for free in self.solids.iter().filter_map(|solid| solid.free.as_ref()) {
            let [kinetic, gravity] = free.energies(&self.settings.gravity_m_s2);
            energies.kinetic_j += kinetic;
            energies.gravity_j += gravity;
            fastest = fastest.max(free.speed_m_s());
        }
        self.report.energies = energies;
        self.report.max_speed_m_s = fastest;
        self.report.phases.broad_ms = self.detector.broad_ms() + self.passing.broad_ms();
        self.report.nu = 3.0 * self.report.contacts as f64 / self.dofs().max(1) as f64;
        lap(clock, &mut self.report.phases.other_ms);
    }
}

/// How fast the sides of a contact are to separate, m/s: Newton's law of impact, where they would meet within the step.
fn rebound(movers: Movers, contact: &Contact, dt: f64, resting: f64) -> f64 {
    let of = |side: &Side| {
        side.solid()
            .map_or(0.0, |s| movers.solids[s.solid as usize].restitution)
    };
    let restitution = of(&contact.a).max(of(&contact.b));
    if restitution == 0.0 {
        return 0.0;
    }
    let velocity = movers.velocity(&contact.a) - movers.velocity(&contact.b);
    let approach = -contact.basis.column(0).dot(&velocity);
    match approach > resting && approach * dt > contact.gap {
        true => restitution * approach,
        false => 0.0,
    }
}

/// Adds the milliseconds since `clock` and starts it again.
pub(super) fn lap(clock: Instant, phase: &mut f64) -> Instant {
    let now = Instant::now();
    *phase += (now - clock).as_secs_f64() * 1e3;
    now
}
