//! Impulses carried from step to step: a contact that persists starts from what it bore before.

use nalgebra::Vector3;

use crate::contact::{Contact, ContactKey};

/// The impulses of the last step, in world axes, sorted by contact.
#[derive(Clone, Debug, Default)]
pub struct WarmStart {
    impulses: Vec<(ContactKey, Vector3<f64>)>,
    dt_s: f64,
}

impl WarmStart {
    /// Keeps the impulses of an accepted step.
    pub fn keep(&mut self, contacts: &[Contact], r: &[Vector3<f64>], dt_s: f64) {
        self.dt_s = dt_s;
        self.impulses.clear();
        self.impulses.extend(
            contacts
                .iter()
                .zip(r)
                .map(|(contact, r)| (contact.key, contact.basis * r)),
        );
    }

    /// First guesses for the contacts of a step, in their own axes. A contact that has slid on to a neighbouring
    /// piece finds its impulse there.
    pub fn guess(&self, contacts: &[Contact], dt_s: f64, r: &mut Vec<Vector3<f64>>) {
        let scale = if self.dt_s > 0.0 {
            dt_s / self.dt_s
        } else {
            0.0
        };
        r.clear();
        r.extend(
            contacts
                .iter()
                .map(|contact| match self.find(&contact.key) {
                    Some(impulse) => contact.basis.tr_mul(&impulse) * scale,
                    None => Vector3::zeros(),
                }),
        );
    }

    fn find(&self, key: &ContactKey) -> Option<Vector3<f64>> {
        let near = |i: i64, j: i64| {
            let feature = u32::try_from(i64::from(key.feature) + i).ok()?;
            let partner_feature = u32::try_from(i64::from(key.partner_feature) + j).ok()?;
            let wanted = ContactKey {
                feature,
                partner_feature,
                ..*key
            };
            let at = self
                .impulses
                .binary_search_by_key(&wanted, |entry| entry.0)
                .ok()?;
            Some(self.impulses[at].1)
        };
        let around = [
            (0, 0),
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (-1, -1),
            (1, -1),
            (-1, 1),
        ];
        // A neighbour that is still there keeps its own impulse; taking it twice would double the load.
        near(0, 0)
            .or_else(|| around[1..].iter().find_map(|&(i, j)| near(i, j)))
            .or_else(|| self.only_one_of(key))
    }

    /// The impulse of two things that had one contact, wherever it was: a ball that runs along a rail passes many pieces in a
    /// step.
    fn only_one_of(&self, key: &ContactKey) -> Option<Vector3<f64>> {
        let pair = (key.body, key.partner);
        let of = |entry: &(ContactKey, Vector3<f64>)| (entry.0.body, entry.0.partner);
        let first = self.impulses.partition_point(|entry| of(entry) < pair);
        let next = self.impulses.get(first + 1);
        let alone = next.is_none_or(|next| of(next) != pair);
        let entry = self.impulses.get(first).filter(|entry| of(entry) == pair);
        entry.filter(|_| alone).map(|entry| entry.1)
    }

    /// Memory of its list.
    pub fn bytes(&self) -> usize {
        size_of_val(self.impulses.as_slice())
    }

    /// Feeds every bit.
    pub fn hash(&self, hasher: &mut dyn std::hash::Hasher) {
        for (key, impulse) in &self.impulses {
            [
                key.body,
                key.partner,
                key.feature,
                key.partner_feature,
                key.slot,
            ]
            .iter()
            .for_each(|&k| hasher.write_u32(k));
            impulse.iter().for_each(|x| hasher.write_u64(x.to_bits()));
        }
    }
}
