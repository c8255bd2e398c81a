//! One contact alone: given W_ii and b, find r.

pub mod enumerative;
pub mod newton_fb;

use nalgebra::{Matrix3, Vector3};

use super::law::fischer_burmeister::Law;

/// One contact: u = W r + b, friction µ.
#[derive(Clone, Copy, Debug)]
pub struct Contact<'a> {
    /// Its own block of W.
    pub w: &'a Matrix3<f64>,
    /// Free velocity, the other contacts' impulses included.
    pub b: Vector3<f64>,
    /// Coefficient of friction.
    pub mu: f64,
}

impl Contact<'_> {
    /// The law at this contact, scaled by its own block.
    pub fn law(&self) -> Law {
        let trace = self.w.trace();
        Law {
            mu: self.mu,
            rho: if trace > 0.0 { 3.0 / trace } else { 1.0 },
        }
    }

    /// |f(r)|, an impulse, N s.
    pub fn error(&self, r: &Vector3<f64>) -> f64 {
        self.law().value(r, &(self.w * r + self.b)).norm()
    }

    /// An error below this is rounding.
    pub fn tolerance(&self) -> f64 {
        1e-13 * self.law().rho * self.b.norm()
    }
}
