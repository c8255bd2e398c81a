//! What one strand or free solid contributes to the one-step problem: its contacts as it sees them, and what they do to it.

use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

use super::movers::Mover;
use crate::body::{COLUMNS, Columns, Push};
use crate::math::wide;

/// Contacts whose columns are solved together.
pub(super) const CHUNK: usize = COLUMNS / 3;

/// Jacobian of one side of a contact: columns in the contact's axes for consecutive unknowns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    pub(super) first_dof: usize,
    pub(super) start: usize,
    pub(super) len: usize,
    /// Whether it is the contact's second side, which counts negatively.
    pub(super) second: bool,
    /// What the surface moves besides, m/s, in the contact's axes.
    pub(super) drift: Vector3<f64>,
}

/// A contact as one strand sees it; with itself, on two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) contact: u32,
    pub(super) sides: [Side; 2],
    pub(super) count: usize,
}

/// What one strand contributes.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    pub(super) entries: Vec<Entry>,
    /// A⁻¹Hᵀ in chunks of `CHUNK` entries, each row by row.
    pub(super) responses: Vec<Vec<Columns>>,
    pub(super) velocity: Vec<f64>,
    pub(super) impulse: Vec<f64>,
    pub(super) pushes: Vec<Push>,
}

impl Entry {
    pub(super) fn velocity(&self, columns: &[Vector3<f64>], v: &[f64]) -> Vector3<f64> {
        let mut u = Vector3::zeros();
        for side in &self.sides[..self.count] {
            let h = &columns[side.start..side.start + side.len];
            u += side.drift;
            u += h
                .iter()
                .zip(&v[side.first_dof..])
                .fold(Vector3::zeros(), |u, (h, v)| u + h * *v);
        }
        u
    }
}

impl Share {
    /// Solves A X = Hᵀ for every chunk.
    pub(super) fn respond(&mut self, mover: Mover, columns: &[Vector3<f64>]) {
        let chunks = self.entries.len().div_ceil(CHUNK);
        self.responses
            .resize_with(chunks.max(self.responses.len()), Vec::new);
        let tasks = self.entries.par_chunks(CHUNK).zip(&mut self.responses);
        tasks.for_each(|(entries, x)| {
            x.clear();
            x.resize(mover.dofs(), [0.0; COLUMNS]);
            let mut first = mover.dofs();
            for (k, entry) in entries.iter().enumerate() {
                for side in &entry.sides[..entry.count] {
                    first = first.min(side.first_dof);
                    for (i, h) in columns[side.start..side.start + side.len]
                        .iter()
                        .enumerate()
                    {
                        x[side.first_dof + i][3 * k..3 * k + 3]
                            .iter_mut()
                            .zip(h.iter())
                            .for_each(|(x, h)| *x += h);
                    }
                }
            }
            mover.solve(x, first);
        });
    }
}

/// Adding H_i A⁻¹ H_jᵀ of one strand to row i, for all of its contacts j from i on, as one piece of work.
pub(super) struct Coupling<'a> {
    pub(super) share: &'a Share,
    /// Place of i among the strand's contacts.
    pub(super) entry: usize,
    pub(super) columns: &'a [Vector3<f64>],
    /// Contacts of the row from i on …
    pub(super) own: &'a [u32],
    /// … and their blocks.
    pub(super) blocks: &'a mut [Matrix3<f64>],
}

impl wide::Work for Coupling<'_> {
    type Output = ();

    /// As many contacts side by side as were solved together.
    #[inline(always)]
    fn run(self) {
        let Self {
            share,
            entry,
            columns,
            own,
            blocks,
        } = self;
        let Entry { sides, count, .. } = &share.entries[entry];
        let mut at = [0; CHUNK];
        let mut next = 0;
        let chunks = share.entries.chunks(CHUNK).zip(&share.responses);
        for (k, (chunk, response)) in chunks.enumerate().skip(entry / CHUNK) {
            // Of the first, those before i belong to rows before.
            let first = entry.saturating_sub(k * CHUNK);
            let [mut a, mut b, mut c] = [[0.0; COLUMNS]; 3];
            for (slot, other) in chunk.iter().enumerate().skip(first) {
                while own[next] != other.contact {
                    next += 1;
                }
                at[slot] = next;
                let block = &blocks[next];
                for q in 0..3 {
                    a[3 * slot + q] = block[(0, q)];
                    b[3 * slot + q] = block[(1, q)];
                    c[3 * slot + q] = block[(2, q)];
                }
            }
            for side in &sides[..*count] {
                let h = &columns[side.start..side.start + side.len];
                let rows = &response[side.first_dof..side.first_dof + side.len];
                for (h, row) in h.iter().zip(rows) {
                    for k in 0..COLUMNS {
                        a[k] += h.x * row[k];
                        b[k] += h.y * row[k];
                        c[k] += h.z * row[k];
                    }
                }
            }
            for slot in first..chunk.len() {
                let block = &mut blocks[at[slot]];
                for q in 0..3 {
                    block[(0, q)] = a[3 * slot + q];
                    block[(1, q)] = b[3 * slot + q];
                    block[(2, q)] = c[3 * slot + q];
                }
            }
        }
    }
}
