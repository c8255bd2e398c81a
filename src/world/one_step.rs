//! From contacts to the one-step problem and back.
//!
//! H maps velocities of the unknowns to relative velocities at the contacts, in their own axes; A is block-diagonal
//! over the strands and free solids. Then W = H A⁻¹ Hᵀ, b = H v_free − v_solid + what gaps and curved surfaces add
//! (see `drift`), and once r is known v = v_free + A⁻¹ Hᵀ r. Where something rebounds, c e takes their place
//! \[Daviet11, eq. 5\].
//!
//! A⁻¹Hᵀ is found strand by strand, a few contacts at a time: each such chunk and each row of W is independent of
//! the others, so threads change nothing in the result.

use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

use super::drift::Drifts;
use super::movers::Movers;
use super::separate::is_unyielding;
use super::share::{CHUNK, Coupling, Entry, Share, Side};
use crate::body::Push;
use crate::contact::{Contact, Side as ContactSide};
use crate::friction::Problem;
use crate::math::wide;

/// A strand after its contacts have acted.
pub struct Response<'a> {
    /// v_free + A⁻¹Hᵀ r.
    pub velocity: &'a [f64],
    /// Hᵀ r.
    pub impulse: &'a [f64],
    /// The impulses one by one.
    pub pushes: &'a [Push],
}

/// The one-step problem with what it takes to build and to apply it.
#[derive(Clone, Debug, Default)]
pub struct OneStep {
    /// W, b, µ.
    pub problem: Problem,
    shares: Vec<Share>,
    columns: Vec<Vector3<f64>>,
    scratch: Vec<Vector3<f64>>,
    /// Where each contact stands among the entries of its one or two strands or free solids.
    places: Vec<[Option<(u32, u32)>; 2]>,
    /// c of each contact: how fast it is to separate, m/s; 0 where nothing rebounds.
    rebounds: Vec<f64>,
}

impl OneStep {
    /// Takes the contacts of this step: Jacobians and the pattern of W. Both stay while the step is linearised again.
    pub fn prepare(
        &mut self,
        movers: Movers,
        contacts: &[Contact],
        mu: impl Fn(&Contact) -> f64,
        rebound: impl Fn(&Contact) -> f64,
    ) {
        self.columns.clear();
        self.places.clear();
        self.shares.resize_with(movers.len(), Share::default);
        self.shares
            .iter_mut()
            .for_each(|share| share.entries.clear());
        self.problem.mu.clear();
        self.problem.mu.extend(contacts.iter().map(mu));
        self.rebounds.clear();
        self.rebounds.extend(contacts.iter().map(rebound));
        for (index, contact) in contacts.iter().enumerate() {
            let first = self.add_side(movers, index, contact, false);
            let second = self.add_side(movers, index, contact, true);
            self.places
                .push([first, second.filter(|_| second != first)]);
        }
        self.pattern();
    }

    fn add_side(
        &mut self,
        movers: Movers,
        index: usize,
        contact: &Contact,
        second: bool,
    ) -> Option<(u32, u32)> {
        let side = side_of(contact, second);
        let mover = movers.index(side)?;
        let start = self.columns.len();
        let first_dof = movers.jacobian(side, &mut self.columns);
        to_contact_axes(contact, second, &mut self.columns[start..]);
        let columns = Side {
            first_dof,
            start,
            len: self.columns.len() - start,
            second,
            drift: drift(movers, contact, second),
        };
        let entries = &mut self.shares[mover].entries;
        match entries.last_mut() {
            Some(entry) if entry.contact == index as u32 => {
                entry.sides[1] = columns;
                entry.count = 2;
            }
            _ => entries.push(Entry {
                contact: index as u32,
                sides: [columns, Side::default()],
                count: 1,
            }),
        }
        Some((mover as u32, entries.len() as u32 - 1))
    }

    /// Jacobians of strands whose points move on curves, after the step has been linearised again.
    pub fn refresh(&mut self, movers: Movers, contacts: &[Contact]) {
        let Self {
            shares,
            columns,
            scratch,
            ..
        } = self;
        for (index, share) in shares.iter_mut().enumerate() {
            if !movers.get(index).is_curved() {
                continue;
            }
            for entry in &mut share.entries {
                let contact = &contacts[entry.contact as usize];
                for side in &mut entry.sides[..entry.count] {
                    scratch.clear();
                    movers.jacobian(side_of(contact, side.second), scratch);
                    to_contact_axes(contact, side.second, scratch);
                    columns[side.start..side.start + side.len].copy_from_slice(scratch);
                    side.drift = drift(movers, contact, side.second);
                }
            }
        }
    }

    /// Two contacts couple when they share a strand.
    fn pattern(&mut self) {
        let Self {
            problem,
            shares,
            places,
            ..
        } = self;
        problem.w.clear_symmetric();
        for places in places.iter() {
            let [left, right] = places.map(|place| entries_of(shares, place));
            let merged = Merge {
                left,
                right,
                at: (0, 0),
            };
            problem.w.push_row(merged.map(|(contact, _, _)| contact));
        }
    }

    /// Fills W and b for the strands' present linearisation.
    pub fn assemble(&mut self, movers: Movers, contacts: &[Contact], dt_s: f64) {
        self.assemble_w(movers);
        self.assemble_b(movers, contacts, dt_s);
    }

    /// Fills W alone.
    pub fn assemble_w(&mut self, movers: Movers) {
        let Self {
            problem,
            shares,
            columns,
            places,
            ..
        } = self;
        let columns = columns.as_slice();
        shares
            .par_iter_mut()
            .enumerate()
            .for_each(|(index, share)| share.respond(movers.get(index), columns));
        let shares = shares.as_slice();
        let places = places.as_slice();
        // What lies left of the diagonal is the mirror image of what earlier rows have.
        problem.w.fill_rows(|i, own, blocks| {
            blocks.fill(Matrix3::zeros());
            for (mover, entry) in places[i].iter().flatten() {
                wide::run(Coupling {
                    share: &shares[*mover as usize],
                    entry: *entry as usize,
                    columns,
                    own,
                    blocks,
                });
            }
        });
    }

    fn assemble_b(&mut self, movers: Movers, contacts: &[Contact], dt_s: f64) {
        let Self {
            problem,
            shares,
            columns,
            places,
            rebounds,
            ..
        } = self;
        problem.b.clear();
        let is_rail = |strand: u32| movers.strands[strand as usize].dofs() == 0;
        let drifts = Drifts::new(contacts, dt_s, is_rail);
        let rows = contacts.iter().zip(places.iter()).zip(rebounds.iter());
        problem.b.extend(rows.map(|((contact, places), rebound)| {
            let mut b = Vector3::zeros();
            for (mover, entry) in places.iter().flatten() {
                let entry = &shares[*mover as usize].entries[*entry as usize];
                b += entry.velocity(columns, movers.get(*mover as usize).free_velocity());
            }
            for second in [false, true] {
                let side = side_of(contact, second);
                if let (ContactSide::Solid(solid), None) = (side, movers.index(side)) {
                    b += contact.basis.tr_mul(&solid.velocity) * sign(second);
                }
            }
            match *rebound > 0.0 {
                true => b.x -= rebound,
                false => b += drifts.of(contact),
            }
            b
        }));
        // Where both sides are held no impulse helps, and one beyond all bounds would be asked for.
        for (i, b) in problem.b.iter_mut().enumerate() {
            if is_unyielding(problem.w.diagonal(i)) {
                b.x = b.x.max(0.0);
            }
        }
    }

    /// Whether a strand has contacts.
    pub fn touches(&self, body: usize) -> bool {
        !self.shares[body].entries.is_empty()
    }

    /// A⁻¹Hᵀ p of a strand, for impulses p along the normals of which this share is taken; none if nothing pushes it.
    pub fn displacement(&mut self, body: usize, p: &[f64], share: f64) -> Option<&[f64]> {
        let share_of = &mut self.shares[body];
        let pushed = |entry: &Entry| p[entry.contact as usize] != 0.0;
        if !share_of.entries.iter().any(pushed) {
            return None;
        }
        let entries = share_of.entries.chunks(CHUNK);
        share_of.velocity.clear();
        share_of.velocity.resize(share_of.responses[0].len(), 0.0);
        for (entries, response) in entries.zip(&share_of.responses) {
            for (v, row) in share_of.velocity.iter_mut().zip(response) {
                for (entry, x) in entries.iter().zip(row.chunks_exact(3)) {
                    *v += x[0] * share * p[entry.contact as usize];
                }
            }
        }
        Some(&share_of.velocity)
    }

    /// What the contact impulses `r` do to a strand.
    pub fn respond_to(
        &mut self,
        body: usize,
        free: &[f64],
        contacts: &[Contact],
        r: &[Vector3<f64>],
    ) -> Response<'_> {
        let Self {
            shares, columns, ..
        } = self;
        let share = &mut shares[body];
        share.velocity.clear();
        share.velocity.extend_from_slice(free);
        share.impulse.clear();
        share.impulse.resize(free.len(), 0.0);
        share.pushes.clear();
        for (entries, response) in share.entries.chunks(CHUNK).zip(&share.responses) {
            for (v, row) in share.velocity.iter_mut().zip(response) {
                for (entry, x) in entries.iter().zip(row.chunks_exact(3)) {
                    let r = &r[entry.contact as usize];
                    *v += x[0] * r.x + x[1] * r.y + x[2] * r.z;
                }
            }
            for entry in entries {
                let (contact, r) = (
                    &contacts[entry.contact as usize],
                    &r[entry.contact as usize],
                );
                for side in &entry.sides[..entry.count] {
                    let h = &columns[side.start..side.start + side.len];
                    let impulse = &mut share.impulse[side.first_dof..];
                    for (impulse, h) in impulse.iter_mut().zip(h) {
                        *impulse += h.dot(r);
                    }
                    if let Some(at) = side_of(contact, side.second).strand() {
                        share.pushes.push(Push {
                            place: at.place,
                            offset: at.offset,
                            impulse: contact.basis * r * sign(side.second),
                        });
                    }
                }
            }
        }
        Response {
            velocity: &share.velocity,
            impulse: &share.impulse,
            pushes: &share.pushes,
        }
    }
}

/// The first side of a contact, or the second.
fn side_of(contact: &Contact, second: bool) -> &ContactSide {
    if second { &contact.b } else { &contact.a }
}

/// The second side counts negatively: velocities are of the first against the second.
fn sign(second: bool) -> f64 {
    if second { -1.0 } else { 1.0 }
}

fn to_contact_axes(contact: &Contact, second: bool, columns: &mut [Vector3<f64>]) {
    for column in columns {
        *column = contact.basis.tr_mul(column) * sign(second);
    }
}

fn drift(movers: Movers, contact: &Contact, second: bool) -> Vector3<f64> {
    let drift = movers.drift(side_of(contact, second));
    contact.basis.tr_mul(&drift) * sign(second)
}

/// The contacts of the strand at a place; none where there is no strand.
fn entries_of(shares: &[Share], place: Option<(u32, u32)>) -> &[Entry] {
    place.map_or(&[], |(body, _)| &shares[body as usize].entries)
}

/// Walks two lists of entries by rising contact: contact, its place in the left list, its place in the right.
struct Merge<'a> {
    left: &'a [Entry],
    right: &'a [Entry],
    at: (usize, usize),
}

impl Iterator for Merge<'_> {
    type Item = (u32, Option<usize>, Option<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let (i, j) = self.at;
        let left = self.left.get(i).map(|entry| entry.contact);
        let right = self.right.get(j).map(|entry| entry.contact);
        let contact = match (left, right) {
            (Some(p), Some(q)) => p.min(q),
            (Some(p), None) | (None, Some(p)) => p,
            (None, None) => return None,
        };
        let (in_left, in_right) = (left == Some(contact), right == Some(contact));
        self.at = (i + usize::from(in_left), j + usize::from(in_right));
        Some((contact, in_left.then_some(i), in_right.then_some(j)))
    }
}
