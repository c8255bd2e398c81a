//! Edits of hands, holds and solids: what a user does to the things of a running world.

use nalgebra::{Isometry3, Point3};

use super::build::check;
use super::hold::{Hold, Parked};
use super::led::Led;
use super::solid::Pull;
use super::{Hand, MaterialPoint, SpecError, World};
use crate::body::RodModel;

/// So many holds that were removed can be brought back: more than any scene has. Every checkpoint carries them.
const MOST_PARKED: usize = 4096;
/// The fastest that anything can be made to spin, rad/s.
const MOST_SPIN: f64 = 1e5;
/// A hand turns a strand at most so far, rad: sixteen thousand times around.
const MOST_TWIST: f64 = 1e5;

impl World {
    /// A hand takes hold of a strand; it lets go of what it held.
    pub(super) fn grab(
        &mut self,
        hand: Hand,
        point: &MaterialPoint,
        target: Point3<f64>,
    ) -> Result<(), SpecError> {
        self.check_point(point)?;
        check_target(&target)?;
        check(!self.labels[point.rod].design.fixed, || {
            let name = &self.labels[point.rod].name;
            format!("{name} is fixed: no hand can move it")
        })?;
        self.release(hand);
        let id = self.new_hold_id();
        let body = self.bodies[point.rod].as_ref();
        self.holds.push(Hold::grab(id, hand, point, target, body));
        Ok(())
    }

    /// A hand pulls elsewhere.
    pub(super) fn move_hand(&mut self, hand: Hand, target: Point3<f64>) -> Result<(), SpecError> {
        check_target(&target)?;
        let pull = self.pulls.iter_mut().find(|pull| pull.hand == hand);
        match pull {
            Some(pull) => pull.target = target,
            None => self.held_by(hand)?.target = target,
        }
        Ok(())
    }

    /// A hand takes hold of a solid that is free to move; it lets go of what it held.
    pub(super) fn grab_solid(
        &mut self,
        hand: Hand,
        solid: usize,
        local: Point3<f64>,
        target: Point3<f64>,
    ) -> Result<(), SpecError> {
        check_target(&local)?;
        check_target(&target)?;
        let found = self.solids.get(solid);
        let found = found.ok_or_else(|| SpecError(format!("there is no solid {solid} to pull")))?;
        check(found.free.is_some(), || {
            format!(
                "{} is not free to move: it can be led, not pulled",
                found.name
            )
        })?;
        self.release(hand);
        self.pulls.push(Pull {
            hand,
            solid,
            local,
            target,
            force: nalgebra::Vector3::zeros(),
        });
        Ok(())
    }

    /// Gives a free solid another angular velocity.
    pub(super) fn spin_solid(
        &mut self,
        solid: usize,
        spin: nalgebra::Vector3<f64>,
    ) -> Result<(), SpecError> {
        check(spin.norm() <= MOST_SPIN, || {
            format!(
                "a solid can spin at most at {MOST_SPIN} rad/s, not {}",
                spin.norm()
            )
        })?;
        let found = self.solids.get_mut(solid);
        let found = found.ok_or_else(|| SpecError(format!("there is no solid {solid} to spin")))?;
        match &mut found.free {
            Some(free) => free.set_spin(&spin),
            None => {
                let why = format!("{} is not free to move, so it cannot be spun", found.name);
                return Err(SpecError(why));
            }
        }
        Ok(())
    }

    /// A hand lets go.
    pub(super) fn release(&mut self, hand: Hand) {
        self.holds.retain(|hold| hold.hand != Some(hand));
        self.pulls.retain(|pull| pull.hand != hand);
    }

    /// A hand turns the section that it holds about its tangent, by so much since it took hold.
    pub(super) fn twist_hand(&mut self, hand: Hand, angle_rad: f64) -> Result<(), SpecError> {
        check(angle_rad.abs() <= MOST_TWIST, || {
            format!("a hand can twist by at most {MOST_TWIST} rad, not {angle_rad}")
        })?;
        let rod = self.held_by(hand)?.rod;
        check(self.labels[rod].model != RodModel::MassSpring, || {
            let name = &self.labels[rod].name;
            format!(
                "{name} is a mass-spring chain, which has no twist: choose another model to twist it"
            )
        })?;
        let body = self.bodies[rod].as_ref();
        let held = self.holds.iter_mut().find(|hold| hold.hand == Some(hand));
        held.into_iter().for_each(|hold| hold.turn(body, angle_rad));
        Ok(())
    }

    /// Pins or clamps the node nearest to a material point as it is now.
    pub(super) fn fix(&mut self, point: &MaterialPoint, direction: bool) -> Result<(), SpecError> {
        self.check_point(point)?;
        check(!self.labels[point.rod].design.fixed, || {
            let name = &self.labels[point.rod].name;
            format!("{name} is fixed: it needs no pin")
        })?;
        let new = match direction {
            true => Hold::clamp(self.next_hold, point),
            false => Hold::pin(self.next_hold, point),
        };
        let (time_s, demo) = (self.time_s, self.demo);
        let mut acting = self.holds.iter().filter(|hold| hold.acts(time_s, demo));
        if acting.any(|hold| hold.does_the_same(&new)) {
            // A second one would only share the force with the first.
            return Ok(());
        }
        self.next_hold += 1;
        self.holds.push(new);
        Ok(())
    }

    /// Removes a hold, so that it can be brought back; one of a hand is gone.
    pub(super) fn unhold(&mut self, id: u32) {
        let Some(at) = self.holds.iter().position(|hold| hold.id == id) else {
            return;
        };
        let hold = self.holds.remove(at);
        if hold.hand.is_some() {
            return;
        }
        let surplus = (self.parked.len() + 1).saturating_sub(MOST_PARKED);
        self.parked.drain(..surplus);
        let since_s = self.time_s;
        self.parked.push(Parked { hold, since_s });
    }

    /// Brings a hold back that was removed; nothing happens if it is there.
    pub(super) fn rehold(&mut self, id: u32) -> Result<(), SpecError> {
        let place = self.holds.partition_point(|hold| hold.id < id);
        if self.holds.get(place).is_some_and(|hold| hold.id == id) {
            return Ok(());
        }
        let found = self.parked.iter().position(|parked| parked.hold.id == id);
        let found =
            found.ok_or_else(|| SpecError(format!("there is no hold {id} to bring back")))?;
        let Parked { mut hold, since_s } = self.parked.remove(found);
        hold.come_back(self.bodies[hold.rod].as_ref(), self.time_s - since_s);
        self.holds.insert(place, hold);
        Ok(())
    }

    /// Leads a hold that acts now to a pose; its script, if it has one, stands still.
    pub(super) fn move_hold(&mut self, id: u32, goal: Isometry3<f64>) -> Result<(), SpecError> {
        check_pose(&goal)?;
        let hold = self.acting_hold(id)?;
        let hold = &mut self.holds[hold];
        hold.lead_to(self.bodies[hold.rod].as_ref(), goal);
        Ok(())
    }

    /// Leads a hold that acts now back to where its script was left, to go on with that.
    pub(super) fn return_hold(&mut self, id: u32) -> Result<(), SpecError> {
        let hold = self.acting_hold(id)?;
        self.holds[hold].return_to_script();
        Ok(())
    }

    /// Where the hold of this number is that acts now and is no hand.
    fn acting_hold(&self, id: u32) -> Result<usize, SpecError> {
        let (time_s, demo) = (self.time_s, self.demo);
        let acts = |hold: &Hold| hold.id == id && hold.hand.is_none() && hold.acts(time_s, demo);
        let found = self.holds.iter().position(acts);
        found.ok_or_else(|| SpecError(format!("there is no hold {id} to move")))
    }

    /// Leads a solid to a pose; its script, if it has one, stands still.
    pub(super) fn move_solid(
        &mut self,
        solid: usize,
        goal: Isometry3<f64>,
    ) -> Result<(), SpecError> {
        check_pose(&goal)?;
        let time_s = self.time_s;
        let led = self.solids.get_mut(solid);
        let led = led.ok_or_else(|| SpecError(format!("there is no solid {solid} to move")))?;
        check(led.free.is_none(), || {
            format!("{} is free to move: pull it instead", led.name)
        })?;
        let pose = led.pose(time_s);
        led.led.get_or_insert(Led::at(pose)).goal = goal;
        led.returns = false;
        Ok(())
    }

    /// Leads a solid back to where its script was left, to go on with that.
    pub(super) fn return_solid(&mut self, solid: usize) -> Result<(), SpecError> {
        let time_s = self.time_s;
        let found = self.solids.get_mut(solid);
        let found =
            found.ok_or_else(|| SpecError(format!("there is no solid {solid} to bring back")))?;
        let goal = found.scripted(time_s);
        // What no hand has is where it should be.
        if let Some(led) = &mut found.led {
            led.goal = goal;
            found.returns = true;
        }
        Ok(())
    }

    fn held_by(&mut self, hand: Hand) -> Result<&mut Hold, SpecError> {
        let held = self.holds.iter_mut().find(|hold| hold.hand == Some(hand));
        held.ok_or_else(|| SpecError("that hand holds nothing".into()))
    }

    fn new_hold_id(&mut self) -> u32 {
        self.next_hold += 1;
        self.next_hold - 1
    }

    fn check_point(&self, point: &MaterialPoint) -> Result<(), SpecError> {
        let elements = self
            .bodies
            .get(point.rod)
            .map_or(0, |body| body.nodes().len() - 1);
        let exists = point.element < elements && (0.0..=1.0).contains(&point.fraction);
        check(exists, || {
            format!("strand {} has no element {}", point.rod, point.element)
        })
    }
}

fn check_target(target: &Point3<f64>) -> Result<(), SpecError> {
    check(target.iter().all(|x| x.is_finite()), || {
        "the grab has no finite target".into()
    })
}

fn check_pose(pose: &Isometry3<f64>) -> Result<(), SpecError> {
    let place = pose.translation.vector.iter().all(|x| x.is_finite());
    // Also false for what is not a number.
    let rotation = (pose.rotation.norm() - 1.0).abs() < 1e-6;
    check(place && rotation, || {
        "what is moved needs a finite place and rotation".into()
    })
}
