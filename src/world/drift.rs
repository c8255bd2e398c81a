//! What gaps and curved surfaces add to the velocities at contacts.
//!
//! At the end of a step a gap must not be negative: gap + dt u_N + ½ dt² (gap)″ ≥ 0. So b_N has gap/dt + ½ dt (gap)″; what
//! overlaps must not approach, and is moved apart elsewhere, see `separate`.
//!
//! A ball that runs between two rails follows both. Were each of its contacts given its own share along its own normal,
//! the ball could only obey by slipping aside, for which friction would punish it. But it goes as a whole: its contacts with
//! rails have one velocity e in common, the shortest with n·e as asked at each of them.

use nalgebra::{Matrix3, Vector3};

use crate::contact::{Contact, ContactKey};

/// Gaps up to this share of the radius count as nothing but errors of the steps before.
const SMALL: f64 = 0.02;
/// Normals that differ by less than this count as one.
const ALIKE: f64 = 1e-6;

/// What contacts of one step ask for.
pub(super) struct Drifts<'a, F> {
    contacts: &'a [Contact],
    /// Whether the strand of an index is a rail.
    is_rail: F,
    dt_s: f64,
}

impl<'a, F: Fn(u32) -> bool> Drifts<'a, F> {
    pub fn new(contacts: &'a [Contact], dt_s: f64, is_rail: F) -> Self {
        Self {
            contacts,
            is_rail,
            dt_s,
        }
    }

    /// What is added at a contact, in its axes, m/s.
    pub fn of(&self, contact: &Contact) -> Vector3<f64> {
        match self.follows(contact) {
            true => contact.basis.tr_mul(&self.common(contact.key.partner)),
            false => Vector3::x() * wanted(contact, self.dt_s),
        }
    }

    /// The shortest e with n·e as wanted at all contacts of a ball with rails.
    fn common(&self, ball: u32) -> Vector3<f64> {
        let (mut normals, mut sum) = (Matrix3::zeros(), Vector3::zeros());
        let own = |contact: &&Contact| contact.key.partner == ball && self.follows(contact);
        for contact in self.contacts.iter().filter(own) {
            let n = contact.basis.column(0);
            normals += n * n.transpose();
            sum += n * wanted(contact, self.dt_s);
        }
        let inverse = normals.pseudo_inverse(ALIKE);
        inverse.map_or_else(|_| Vector3::zeros(), |inverse| inverse * sum)
    }

    /// Whether a solid is so near to a rail that it follows it.
    fn follows(&self, contact: &Contact) -> bool {
        let ContactKey { body, partner, .. } = contact.key;
        let meet = body < ContactKey::SOLIDS && partner >= ContactKey::SOLIDS;
        meet && contact.gap < SMALL * contact.radius_m && (self.is_rail)(body)
    }
}

fn wanted(contact: &Contact, dt_s: f64) -> f64 {
    contact.gap.max(0.0) / dt_s + 0.5 * dt_s * contact.bend_m_s2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Side, SolidSide, StrandSide, basis};
    use crate::geometry::{Place, Site};
    use nalgebra::Point3;

    fn contact(rail: u32, normal: Vector3<f64>, bend_m_s2: f64) -> Contact {
        let site = Site {
            element: 0,
            fraction: 0.5,
        };
        Contact {
            key: ContactKey {
                body: rail,
                partner: ContactKey::SOLIDS,
                feature: 0,
                partner_feature: 0,
                slot: 0,
            },
            a: Side::Strand(StrandSide {
                body: rail,
                place: Place::Piece(site),
                offset: Vector3::zeros(),
            }),
            b: Side::Solid(SolidSide {
                solid: 0,
                point: Point3::origin(),
                velocity: Vector3::zeros(),
            }),
            point: Point3::origin(),
            basis: basis(&normal, &Vector3::x()),
            gap: 0.0,
            radius_m: 0.01,
            bend_m_s2,
        }
    }

    #[test]
    fn a_ball_between_two_rails_is_led_as_a_whole() {
        let normals = [Vector3::new(0.0, -0.8, 0.6), Vector3::new(0.0, -0.8, -0.6)];
        let contacts = [contact(0, normals[0], 8.0), contact(1, normals[1], 8.0)];
        let dt = 0.01;
        let drifts = Drifts::new(&contacts, dt, |_| true);
        let led = contacts.map(|c| c.basis * drifts.of(&c));
        assert!((led[0] - led[1]).norm() < 1e-12);
        for (e, n) in led.iter().zip(normals) {
            assert!((e.dot(&n) - 0.5 * dt * 8.0).abs() < 1e-12, "{e}");
        }
        assert!(led[0].z.abs() < 1e-12);
    }

    #[test]
    fn on_straight_rails_too_a_ball_that_floats_is_led_as_a_whole() {
        // Else it would have to slip at one of them, for both to be closed.
        let normals = [Vector3::new(0.0, -0.8, 0.6), Vector3::new(0.0, -0.8, -0.6)];
        let mut contacts = [contact(0, normals[0], 0.0), contact(1, normals[1], 0.0)];
        contacts[0].gap = 1e-6;
        contacts[1].gap = 3e-6;
        let drifts = Drifts::new(&contacts, 0.01, |_| true);
        let led = contacts.map(|c| c.basis * drifts.of(&c));
        assert!((led[0] - led[1]).norm() < 1e-12);
        assert!((led[1].dot(&normals[1]) - 3e-4).abs() < 1e-12);
        let strands = Drifts::new(&contacts, 0.01, |_| false);
        assert!((strands.of(&contacts[1]) - Vector3::x() * 3e-4).norm() < 1e-12);
    }

    #[test]
    fn other_contacts_have_their_gap_on_the_normal() {
        let mut far = contact(0, Vector3::y(), 0.0);
        far.gap = 0.002;
        let drifts = Drifts::new(std::slice::from_ref(&far), 0.01, |_| true);
        assert!((drifts.of(&far) - Vector3::x() * 0.2).norm() < 1e-12);
    }
}
