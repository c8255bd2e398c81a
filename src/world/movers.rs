//! All that moves by the laws of mechanics, in one row: the strands, then the solids, of which some may be free.

use nalgebra::Vector3;

use super::solid::Solid;
use crate::body::{Body, Columns, RIGID_DOFS, Rigid};
use crate::contact::Side;

/// Strands and solids of a world.
#[derive(Clone, Copy)]
pub(super) struct Movers<'a> {
    pub strands: &'a [Box<dyn Body>],
    pub solids: &'a [Solid],
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) enum Mover<'a> {
    Strand(&'a dyn Body),
    Free(&'a Rigid),
    /// A solid that no impulse moves.
    Unmoved,
}

impl<'a> Movers<'a> {
    pub fn len(&self) -> usize {
        self.strands.len() + self.solids.len()
    }

    pub fn get(&self, index: usize) -> Mover<'a> {
        match index.checked_sub(self.strands.len()) {
            None => Mover::Strand(self.strands[index].as_ref()),
            Some(solid) => match &self.solids[solid].free {
                Some(free) => Mover::Free(free),
                None => Mover::Unmoved,
            },
        }
    }

    /// Which of them a side is; none if no impulse moves it.
    pub fn index(&self, side: &Side) -> Option<usize> {
        match side {
            Side::Strand(side) => Some(side.body as usize),
            Side::Solid(side) => {
                let free = self.solids[side.solid as usize].free.is_some();
                free.then_some(self.strands.len() + side.solid as usize)
            }
        }
    }

    /// Appends how the surface at a side moves with the unknowns; returns the first of them.
    pub fn jacobian(&self, side: &Side, out: &mut Vec<Vector3<f64>>) -> usize {
        match side {
            Side::Strand(side) => {
                self.strands[side.body as usize].jacobian(side.place, &side.offset, out)
            }
            Side::Solid(side) => {
                if let Some(free) = &self.solids[side.solid as usize].free {
                    free.jacobian(&side.point, out);
                }
                0
            }
        }
    }

    /// What the surface at a side moves besides, m/s.
    pub fn drift(&self, side: &Side) -> Vector3<f64> {
        match side {
            Side::Strand(side) => self.strands[side.body as usize].drift(side.place),
            Side::Solid(_) => Vector3::zeros(),
        }
    }

    /// Velocity of the surface at a side at the start of the step, m/s.
    pub fn velocity(&self, side: &Side) -> Vector3<f64> {
        match side {
            Side::Strand(side) => {
                let body = self.strands[side.body as usize].as_ref();
                let site = body.site(side.place);
                let [v, w] = [0, 1].map(|k| body.node_velocity(site.element + k));
                v.lerp(&w, site.fraction)
            }
            Side::Solid(side) => match &self.solids[side.solid as usize].free {
                Some(free) => free.velocity_at(&side.point),
                None => side.velocity,
            },
        }
    }
}

impl Mover<'_> {
    pub fn dofs(&self) -> usize {
        match self {
            Mover::Strand(body) => body.dofs(),
            Mover::Free(_) => RIGID_DOFS,
            Mover::Unmoved => 0,
        }
    }

    pub fn free_velocity(&self) -> &[f64] {
        match self {
            Mover::Strand(body) => body.free_velocity(),
            Mover::Free(body) => body.free_velocity(),
            Mover::Unmoved => &[],
        }
    }

    /// Whether its Jacobian changes when the step is linearised again.
    pub fn is_curved(&self) -> bool {
        match self {
            Mover::Strand(body) => body.is_curved(),
            Mover::Free(_) | Mover::Unmoved => false,
        }
    }

    /// Applies A⁻¹ to columns.
    pub fn solve(&self, columns: &mut [Columns], first: usize) {
        match self {
            Mover::Strand(body) => body.solve(columns, first),
            Mover::Free(body) => body.solve(columns),
            Mover::Unmoved => {}
        }
    }
}
