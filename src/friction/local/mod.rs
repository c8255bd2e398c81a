//! One contact alone: given W_ii and b, find r.

pub mod duriez06;
pub mod duriez08;
pub mod enumerative;
pub mod four_sides;
pub mod newton_ac;
pub mod newton_fb;
pub mod secular;
#[cfg(test)]
mod tests;

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
    /// An error of the law below this velocity, m/s, counts as solved.
    pub tolerance_m_s: f64,
}

impl<'a> Contact<'a> {
    /// A contact to be solved to rounding.
    pub fn new(w: &'a Matrix3<f64>, b: Vector3<f64>, mu: f64) -> Self {
        Self {
            w,
            b,
            mu,
            tolerance_m_s: 0.0,
        }
    }

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

    /// The tolerance as an impulse; never below rounding.
    pub fn tolerance(&self) -> f64 {
        (self.law().rho * self.tolerance_m_s).max(self.rounding())
    }

    /// An error below this impulse is rounding.
    pub fn rounding(&self) -> f64 {
        1e-13 * self.law().rho * self.b.norm()
    }
}

/// Ways to solve one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalSolver {
    /// Alart-Curnier Newton, whole steps (PAC).
    NewtonAcPure,
    /// Alart-Curnier Newton, damped (DAC).
    NewtonAcDamped,
    /// Fischer-Burmeister Newton (MFB).
    NewtonFb,
    /// The three regimes in turn, sliding by a quartic.
    Enumerative,
    /// Normal, then tangential impulse, shortened radially: one pass.
    Duriez06,
    /// The same as a fixed-point loop.
    Duriez08,
    /// A four-sided pyramid instead of the cone.
    FourSides,
}

/// How a local solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The contact obeys the law.
    pub solved: bool,
    /// The second method was called.
    pub failsafe: bool,
}

impl LocalSolver {
    /// Every local solver, in the order of lists.
    pub const ALL: [LocalSolver; 7] = [
        LocalSolver::NewtonAcPure,
        LocalSolver::NewtonAcDamped,
        LocalSolver::NewtonFb,
        LocalSolver::Enumerative,
        LocalSolver::Duriez06,
        LocalSolver::Duriez08,
        LocalSolver::FourSides,
    ];

    /// Whether what it finds, if it succeeds, is Coulomb friction and not a likeness of it.
    pub fn is_exact(self) -> bool {
        !matches!(self, LocalSolver::Duriez06 | LocalSolver::FourSides)
    }

    /// Solves one contact from the guess `r`; returns whether it obeys the law. The answer of an inexact method stays
    /// as it is even where it does not.
    pub fn solve(self, contact: &Contact, r: &mut Vector3<f64>) -> bool {
        match self {
            LocalSolver::NewtonAcPure => newton_ac::solve_pure(contact, r),
            LocalSolver::NewtonAcDamped => newton_ac::solve_damped(contact, r),
            LocalSolver::NewtonFb => newton_fb::solve(contact, r),
            LocalSolver::Duriez06 => duriez06::solve(contact, r),
            LocalSolver::Duriez08 => duriez08::solve(contact, r),
            LocalSolver::FourSides => four_sides::solve(contact, r),
            LocalSolver::Enumerative => match enumerative::solve(contact) {
                Some(exact) => {
                    *r = exact;
                    true
                }
                None => false,
            },
        }
    }

    /// What takes over where this one fails.
    fn second(self) -> LocalSolver {
        match self {
            LocalSolver::Enumerative => LocalSolver::NewtonFb,
            _ => LocalSolver::Enumerative,
        }
    }

    /// Solves one contact; where that fails, by the second method; where both fail, the better of them and of no force.
    pub fn solve_safely(self, contact: &Contact, r: &mut Vector3<f64>) -> Outcome {
        let start = *r;
        if self.solve(contact, r) {
            return Outcome {
                solved: true,
                failsafe: false,
            };
        }
        let mut other = start;
        if self.second().solve(contact, &mut other) {
            *r = other;
            return Outcome {
                solved: true,
                failsafe: true,
            };
        }
        let candidates = [*r, other, Vector3::zeros()];
        let by_error =
            |a: &Vector3<f64>, b: &Vector3<f64>| contact.error(a).total_cmp(&contact.error(b));
        *r = candidates.into_iter().min_by(by_error).unwrap_or_default();
        Outcome {
            solved: contact.error(r) <= contact.tolerance(),
            failsafe: true,
        }
    }
}
