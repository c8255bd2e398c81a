//! Fills a [`Snapshot`] from a world.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::checkpoint::Outcome;
use super::hold::Hold;
use super::{
    ContactSnapshot, ContactState, HoldSnapshot, MaterialPoint, Outline, PullSnapshot, Snapshot,
    SolidPose, StrandPoint, StrandRange, Touched, World,
};
use crate::body::{SectionShape, Site};
use crate::contact::{Side, StrandSide};

/// A contact that slips slower than this share of the fastest free velocity sticks.
const STICK_SHARE: f64 = 1e-6;

impl World {
    /// Writes the present state into `out`, reusing its buffers; leaves `generation` alone.
    pub fn snapshot(&self, out: &mut Snapshot) {
        out.step = self.steps;
        out.time_s = self.time_s;
        out.passed.clear();
        out.passed.push(self.passed());
        out.report.clone_from(&self.report);
        self.convergence.write(&mut out.convergence);
        out.friction = self.friction.default;
        out.friction_pairs.clone_from(&self.friction.pairs);
        if !Arc::ptr_eq(&out.strand_values, &self.strands) {
            out.strand_values = self.strands.clone();
        }
        out.settings.clone_from(&self.settings);
        out.demo = self.demo;
        self.write_strands(out);
        self.write_contacts(out);
        out.solids.clear();
        out.solids.extend(self.solids.iter().map(|solid| {
            let pose = solid.pose(self.time_s);
            SolidPose {
                position: single(&pose.translation.vector),
                rotation: pose.rotation.coords.map(|x| x as f32).into(),
                led: solid.led.is_some(),
                free: solid.free.is_some(),
                speed: (solid.free.as_ref()).map_or(0.0, |free| free.velocity().norm() as f32),
                spin: (solid.free.as_ref()).map_or([0.0; 3], |free| single(&free.spin())),
            }
        }));
        out.pulls.clear();
        out.pulls.extend(self.pulls.iter().map(|pull| {
            let held = self.solids[pull.solid].pose(self.time_s) * pull.local;
            PullSnapshot {
                hand: pull.hand,
                solid: pull.solid as u32,
                position: single(&held.coords),
                target: single(&pull.target.coords),
                force: single(&pull.force),
            }
        }));
        out.holds.clear();
        let acting = self
            .holds
            .iter()
            .filter(|hold| hold.acts(self.time_s, self.demo));
        out.holds
            .extend(acting.map(|hold| self.hold_snapshot(hold)));
    }

    fn hold_snapshot(&self, hold: &Hold) -> HoldSnapshot {
        let body = self.bodies[hold.rod].as_ref();
        let position = hold.position(body.nodes());
        // Only a grab, and what a hand leads, have a target apart from where they hold.
        let target = match (&hold.led, hold.hand) {
            (Some(led), _) => Point3::from(led.goal.translation.vector),
            (None, Some(_)) => hold.target,
            (None, None) => position,
        };
        let rotation = body.frame(hold.site).rotation;
        let twist = hold.twist.as_ref();
        HoldSnapshot {
            id: hold.id,
            rod: hold.rod as u32,
            point: MaterialPoint {
                rod: hold.rod,
                element: hold.site.element,
                fraction: hold.site.fraction,
            },
            kind: hold.kind,
            hand: hold.hand,
            described: hold.described.map(|index| index as u32),
            led: hold.led.is_some(),
            position: single(&position.coords),
            rotation: rotation.coords.map(|x| x as f32).into(),
            target: single(&target.coords),
            force: single(&hold.force),
            twist_rad: twist.map_or(0.0, |twist| twist.angle_rad() as f32),
            twist_moment_n_m: twist.map_or(0.0, |twist| twist.moment_n_m as f32),
        }
    }

    fn write_strands(&self, out: &mut Snapshot) {
        out.strands.clear();
        out.points.clear();
        for (body, label) in self.bodies.iter().zip(&self.labels) {
            let first = out.points.len() as u32;
            let radius = body.section().radius_m as f32;
            let half = body.section().half_m.map(|size| size as f32);
            out.points
                .extend(body.nodes().iter().enumerate().map(|(k, x)| {
                    let probe = body.probe(k);
                    StrandPoint {
                        position: single(&x.coords),
                        radius,
                        half,
                        director: single(&probe.director),
                        tension: probe.tension_n as f32,
                        bending_moment: probe.bending_moment_n_m as f32,
                        twist_moment: probe.twist_moment_n_m as f32,
                        curvature: probe.curvature_per_m as f32,
                        twist: probe.twist_rad_m as f32,
                        speed: body.node_velocity(k).norm() as f32,
                        contact_force: 0.0,
                    }
                }));
            let count = out.points.len() as u32 - first;
            out.strands.push(StrandRange {
                first,
                count,
                color: label.color,
                model: label.model,
                closed: body.closed(),
                outline: match label.design.section {
                    SectionShape::Round { .. } => Outline::Round,
                    SectionShape::Ellipse { .. } => Outline::Ellipse,
                    SectionShape::Rectangle { .. } => Outline::Rectangle,
                },
                fixed: label.design.fixed,
            });
        }
    }

    fn write_contacts(&self, out: &mut Snapshot) {
        out.contacts.clear();
        out.solid_forces.clear();
        out.solid_forces.resize(self.solids.len(), [0.0; 3]);
        let mut outcome = Outcome::default();
        self.write_outcome(&mut outcome);
        let Outcome {
            velocities,
            mu,
            scale_m_s,
        } = outcome;
        let bearing = self.contacts.iter().zip(&self.impulses);
        for (((contact, r), u), mu) in bearing.zip(&velocities).zip(&mu) {
            let state = match (r.x > 0.0, u.y.hypot(u.z) > STICK_SHARE * scale_m_s) {
                (false, _) => ContactState::Open,
                (true, false) => ContactState::Stick,
                (true, true) => ContactState::Slide,
            };
            let force: Vector3<f64> = contact.basis * r / self.taken_s;
            out.contacts.push(ContactSnapshot {
                sides: [&contact.a, &contact.b].map(|side| match side {
                    Side::Strand(side) => Touched::Strand(side.body),
                    Side::Solid(side) => Touched::Solid(side.solid),
                }),
                point: single(&contact.point.coords),
                normal: single(&contact.basis.column(0).into_owned()),
                force: single(&force),
                mu: *mu as f32,
                state,
            });
            let mut spread = |side: &StrandSide| {
                let Site { element, fraction } = self.bodies[side.body as usize].site(side.place);
                let at = out.strands[side.body as usize].first as usize + element;
                out.points[at].contact_force += (force.norm() * (1.0 - fraction)) as f32;
                out.points[at + 1].contact_force += (force.norm() * fraction) as f32;
            };
            // What acts on the one acts back on the other.
            for (side, force) in [(&contact.a, force), (&contact.b, -force)] {
                match side {
                    Side::Strand(side) => spread(side),
                    Side::Solid(side) => {
                        let total = &mut out.solid_forces[side.solid as usize];
                        let force = single(&force);
                        (0..3).for_each(|k| total[k] += force[k]);
                    }
                }
            }
        }
        // The node that closes a loop is its first.
        for strand in out.strands.iter().filter(|strand| strand.closed) {
            let [first, last] = [strand.first, strand.first + strand.count - 1].map(|k| k as usize);
            let both = out.points[first].contact_force + out.points[last].contact_force;
            (
                out.points[first].contact_force,
                out.points[last].contact_force,
            ) = (both, both);
        }
    }
}

fn single(v: &Vector3<f64>) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}
