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

/// Ways to solve one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalSolver {
    /// Fischer-Burmeister Newton; where it fails the enumerative solver, and the better of the two.
    Hybrid,
    /// Fischer-Burmeister Newton alone.
    NewtonFb,
    /// The enumerative solver; Newton where it has no answer.
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
    /// Solves one contact from the guess `r`.
    pub fn solve(self, contact: &Contact, r: &mut Vector3<f64>) -> Outcome {
        match self {
            LocalSolver::NewtonFb => Outcome {
                solved: newton_fb::solve(contact, r),
                failsafe: false,
            },
            LocalSolver::Enumerative => match enumerative::solve(contact) {
                Some(exact) => {
                    *r = exact;
                    Outcome {
                        solved: true,
                        failsafe: false,
                    }
                }
                None => Outcome {
                    solved: newton_fb::solve(contact, r),
                    failsafe: true,
                },
            },
            LocalSolver::Hybrid => {
                if newton_fb::solve(contact, r) {
                    return Outcome {
                        solved: true,
                        failsafe: false,
                    };
                }
                let candidates = [
                    Some(*r),
                    enumerative::solve(contact),
                    Some(Vector3::zeros()),
                ];
                let by_error = |a: &Vector3<f64>, b: &Vector3<f64>| {
                    contact.error(a).total_cmp(&contact.error(b))
                };
                *r = candidates
                    .into_iter()
                    .flatten()
                    .min_by(by_error)
                    .unwrap_or_default();
                Outcome {
                    solved: contact.error(r) <= 1e4 * contact.tolerance(),
                    failsafe: true,
                }
            }
        }
    }
}
