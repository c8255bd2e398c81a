//! One contact alone: given W_ii and b, find r.

pub mod enumerative;
pub mod newton_fb;
pub mod secular;

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
    /// Fischer-Burmeister Newton.
    NewtonFb,
    /// The three regimes in turn, sliding by a quartic.
    Enumerative,
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
    /// One line for the panel.
    pub fn summary(self) -> &'static str {
        match self {
            LocalSolver::NewtonFb => {
                "Contact by contact: Newton on the Fischer-Burmeister function"
            }
            LocalSolver::Enumerative => "Contact by contact: take-off, stick or slide by a quartic",
        }
    }

    /// Solves one contact from the guess `r`; returns whether it obeys the law.
    pub fn solve(self, contact: &Contact, r: &mut Vector3<f64>) -> bool {
        match self {
            LocalSolver::NewtonFb => newton_fb::solve(contact, r),
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
