//! Fills a [`Snapshot`] from a world.

use nalgebra::Vector3;

use super::{
    ContactSnapshot, ContactState, HoldSnapshot, Outline, Snapshot, SolidPose, StrandPoint,
    StrandRange, World,
};
use crate::body::{SectionShape, Site};
use crate::contact::{Partner, StrandSide};

/// A contact that slips slower than this share of the fastest free velocity sticks.
const STICK_SHARE: f64 = 1e-6;

impl World {
    /// Writes the present state into `out`, reusing its buffers; leaves `generation` alone.
    pub fn snapshot(&self, out: &mut Snapshot) {
        out.step = self.steps;
        out.time_s = self.time_s;
        out.report.clone_from(&self.report);
        self.convergence.write(&mut out.convergence);
        out.friction = self.friction.default;
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
            }
        }));
        out.holds.clear();
        let acting = self
            .holds
            .iter()
            .filter(|hold| hold.acts(self.time_s, self.demo));
        out.holds.extend(acting.map(|hold| {
            let position = hold.position(self.bodies[hold.rod].nodes());
            HoldSnapshot {
                id: hold.id,
                rod: hold.rod as u32,
                kind: hold.kind,
                hand: hold.hand,
                position: single(&position.coords),
                // Only a grab has a target apart from where it holds.
                target: if hold.hand.is_some() {
                    single(&hold.target.coords)
                } else {
                    single(&position.coords)
                },
                force: single(&hold.force),
            }
        }));
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
            });
        }
    }

    fn write_contacts(&self, out: &mut Snapshot) {
        out.contacts.clear();
        let problem = &self.one_step.problem;
        let scale = crate::friction::residual::velocity_scale(problem, 1e-9);
        for (i, (contact, r)) in self.contacts.iter().zip(&self.impulses).enumerate() {
            // Before the first step, or after an attempt that failed, there is nothing to show.
            if i >= problem.len() {
                break;
            }
            let u = problem.w.row_times(i, &self.impulses) + problem.b[i];
            let state = match (r.x > 0.0, u.y.hypot(u.z) > STICK_SHARE * scale) {
                (false, _) => ContactState::Open,
                (true, false) => ContactState::Stick,
                (true, true) => ContactState::Slide,
            };
            let force: Vector3<f64> = contact.basis * r / self.taken_s;
            out.contacts.push(ContactSnapshot {
                point: single(&contact.point.coords),
                normal: single(&contact.basis.column(0).into_owned()),
                force: single(&force),
                mu: problem.mu[i] as f32,
                state,
            });
            let mut spread = |side: &StrandSide| {
                let Site { element, fraction } = self.bodies[side.body as usize].site(side.place);
                let at = out.strands[side.body as usize].first as usize + element;
                out.points[at].contact_force += (force.norm() * (1.0 - fraction)) as f32;
                out.points[at + 1].contact_force += (force.norm() * fraction) as f32;
            };
            spread(&contact.a);
            if let Partner::Strand(b) = &contact.b {
                spread(b);
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
