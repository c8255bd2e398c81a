//! Nonsmooth Newton on all contacts at once, on Alart and Curnier's function [Bertails11, alg. 1 and 2] or on that of
//! Fischer and Burmeister [Daviet11, app. A].
//!
//! In x with r = c x/√dᵢ the problem is scale free: v = A x + q, Aᵢⱼ = Wᵢⱼ/√(dᵢ dⱼ), q = bᵢ/(c √dᵢ), and both laws
//! have ρ = 1. A step solves (∂f/∂x + ∂f/∂v (A + δ I)) d = −f; the merit is ½|f|².
//!
//! The sources have δ = 0. But W is singular wherever contacts outnumber the degrees of freedom, and then so is the
//! system. A shift in proportion to |f| cures that and, as it vanishes with the error, still lets each step square the
//! error close to a solution whose contacts are clear of the kinks of f. Far from one there is no promise.
//!
//! Few contacts get two things more with Alart and Curnier's function. The direction is the shortest of all where the
//! system is singular: a ball stuck between two rails can be squeezed by any force, and a direction that changes it at
//! random leads out of the cones again and again. And it starts from two sweeps, which cost less than a step: what begins
//! to slip in this step is found by them, one contact after the other, not by linearising what was before.

use nalgebra::{Matrix3, Vector3};

use super::accelerated::AcceleratedSweeps;
use super::jacobian::{FEW, Jacobian, Own, even_scale};
use super::{Best, Stage, Task};
use crate::friction::Problem;
use crate::friction::goldstein_price;
use crate::friction::law::alart_curnier::AlartCurnier;
use crate::friction::law::fischer_burmeister::Law;

/// Sweeps before the first step on few contacts.
const FIRST_SWEEPS: usize = 2;
/// Steps that may pass without halving the error.
const PATIENCE: usize = 60;
/// δ over the root mean square of f. With it Fischer and Burmeister's function solves sixteen of seventeen test problems
/// of Siconos, without it twelve.
const SHIFT: f64 = 1.0;
/// The same for whole steps, which are here to show how Newton's method fails by itself: only singular systems change.
const SHIFT_PURE: f64 = 1e-6;
/// Least δ, tried in turn where the system is singular in spite of it.
const LEAST_SHIFTS: [f64; 4] = [0.0, 1e-9, 1e-6, 1e-3];
/// A direction longer than this many times |f| comes from a system that is singular but for rounding.
const LONGEST: f64 = 1e7;
/// A Newton step counts as a descent direction from this cosine on [Daviet11, app. A.2].
const MIN_COSINE: f64 = 1e-3;
/// Share of the predicted decrease that a step must reach.
const ARMIJO: f64 = 1e-4;
/// Halvings of a step by Armijo's rule.
const HALVINGS: usize = 20;

/// Which function must vanish, and how steps are kept short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Alart and Curnier's function; the line search of Goldstein and Price.
    AlartCurnier,
    /// The same function; whole steps.
    AlartCurnierPure,
    /// Fischer and Burmeister's function; Armijo's rule, and the gradient where Newton's direction is no descent.
    FischerBurmeister,
}

impl Method {
    fn value(self, x: &Vector3<f64>, v: &Vector3<f64>, mu: f64) -> Vector3<f64> {
        match self {
            Method::FischerBurmeister => Law { mu, rho: 1.0 }.value(x, v),
            _ => AlartCurnier { mu, rho: 1.0 }.value(x, v),
        }
    }

    /// f, ∂f/∂x and ∂f/∂v.
    fn derivatives(
        self,
        x: &Vector3<f64>,
        v: &Vector3<f64>,
        mu: f64,
    ) -> (Vector3<f64>, Matrix3<f64>, Matrix3<f64>) {
        match self {
            Method::FischerBurmeister => Law { mu, rho: 1.0 }.value_and_derivatives(x, v),
            _ => {
                let law = AlartCurnier { mu, rho: 1.0 };
                let (by_x, by_v) = law.derivatives(x, v);
                (law.value(x, v), by_x, by_v)
            }
        }
    }
}

/// The methods with their workspace.
#[derive(Clone, Debug, Default)]
pub struct Newton {
    /// 1/√dᵢ, for the normal and for the tangents.
    scale: Vec<[f64; 2]>,
    /// Unit of impulse c.
    unit: f64,
    x: Vec<Vector3<f64>>,
    v: Vec<Vector3<f64>>,
    /// −f.
    rhs: Vec<Vector3<f64>>,
    own: Vec<Own>,
    shifted: Vec<Own>,
    gradient: Vec<Vector3<f64>>,
    d: Vec<Vector3<f64>>,
    /// A d.
    dv: Vec<Vector3<f64>>,
    r: Vec<Vector3<f64>>,
    jacobian: Jacobian,
    sweeps: AcceleratedSweeps,
}

impl Newton {
    /// Steps from `start` until the task is done, nothing is gained any more, or its iterations are spent.
    pub fn solve(&mut self, method: Method, task: &Task, start: &[Vector3<f64>], best: &mut Best) {
        if task.ended(&best.report) {
            return;
        }
        let problem = task.problem;
        best.stage = Stage::Newton;
        self.rescale(task, start);
        if is_few(method, problem.len()) {
            self.sweep_first(task, best);
        }
        let (mut milestone, mut since) = (f64::INFINITY, 0);
        while !task.ended(&best.report) && since < PATIENCE {
            self.linearise(method, problem);
            let Some(length) = self.step(method, problem) else {
                return;
            };
            for (x, d) in self.x.iter_mut().zip(&self.d) {
                *x += d * length;
            }
            self.impulses();
            best.report.iterations += 1;
            best.report.work += self.jacobian.work();
            let error = best.offer(task, &self.r);
            since += 1;
            if error < 0.5 * milestone {
                (milestone, since) = (error, 0);
            }
        }
    }

    fn rescale(&mut self, task: &Task, start: &[Vector3<f64>]) {
        self.unit = even_scale(task, &mut self.scale);
        self.x.clear();
        let scaled = start.iter().zip(&self.scale);
        self.x.extend(scaled.map(|(r, s)| r / (s[0] * self.unit)));
        self.jacobian.prepare(task.problem, &self.scale);
        self.impulses();
    }

    /// A better start; none of its sweeps is a step.
    fn sweep_first(&mut self, task: &Task, best: &mut Best) {
        self.sweeps.prepare(task.problem);
        (0..FIRST_SWEEPS).for_each(|_| self.sweeps.pass(task.problem, &mut self.r));
        best.report.work += FIRST_SWEEPS as f64 * AcceleratedSweeps::work(task.problem);
        best.offer(task, &self.r);
        let scaled = self.x.iter_mut().zip(&self.r).zip(&self.scale);
        scaled.for_each(|((x, r), s)| *x = r / (s[0] * self.unit));
    }

    /// r of x.
    fn impulses(&mut self) {
        self.r.clear();
        let scaled = self.x.iter().zip(&self.scale);
        self.r.extend(scaled.map(|(x, s)| x * (s[0] * self.unit)));
    }

    /// f and its derivatives at x.
    fn linearise(&mut self, method: Method, problem: &Problem) {
        self.v.clear();
        self.own.clear();
        self.rhs.clear();
        for i in 0..problem.len() {
            let u = problem.w.row_times(i, &self.r) + problem.b[i];
            let v = u * (self.scale[i][0] / self.unit);
            let (f, by_x, by_v) = method.derivatives(&self.x[i], &v, problem.mu[i]);
            self.v.push(v);
            self.rhs.push(-f);
            self.own.push(Own { by_x, by_v });
        }
    }

    /// Finds d; returns how far to go along it, none where nothing is to be gained.
    fn step(&mut self, method: Method, problem: &Problem) -> Option<f64> {
        let q0 = 0.5 * dot(&self.rhs, &self.rhs);
        if !(q0 > 0.0 && q0.is_finite()) {
            return None;
        }
        let newton = self.newton_direction(method, 2.0 * q0);
        match method {
            Method::AlartCurnierPure => newton.then_some(1.0),
            Method::AlartCurnier => {
                if !newton {
                    return None;
                }
                self.push(problem);
                let merit = |t: f64| self.merit(method, problem, t);
                let length = goldstein_price::search(q0, self.slope(), merit);
                // Without descent across a kink, a whole step gets further than giving up.
                Some(length.unwrap_or(1.0))
            }
            Method::FischerBurmeister => {
                self.descend(problem);
                let along = dot(&self.d, &self.gradient);
                let least = MIN_COSINE * norm(&self.d) * norm(&self.gradient);
                if newton && along <= -least {
                    self.push(problem);
                    let length = self.armijo(method, problem, q0, along);
                    if length.is_some() {
                        return length;
                    }
                }
                self.d.clear();
                self.d.extend(self.gradient.iter().map(|g| -g));
                self.push(problem);
                let slope = -dot(&self.gradient, &self.gradient);
                self.armijo(method, problem, q0, slope)
            }
        }
    }

    /// d = −J⁻¹ f; whether there is one. |f|² is at hand.
    fn newton_direction(&mut self, method: Method, f2: f64) -> bool {
        if is_few(method, self.x.len()) {
            let Self { jacobian, own, .. } = self;
            if jacobian.solve_shortest(own, &self.rhs, &mut self.d) {
                return true;
            }
        }
        let rms = (f2 / (3 * self.x.len()) as f64).sqrt();
        let wanted = match method {
            Method::AlartCurnierPure => SHIFT_PURE * rms,
            _ => SHIFT * rms,
        };
        for least in LEAST_SHIFTS {
            let shift = wanted.max(least);
            self.shifted.clear();
            self.shifted.extend(self.own.iter().map(|own| Own {
                by_x: own.by_x + own.by_v * shift,
                by_v: own.by_v,
            }));
            let found = self.jacobian.solve(&self.shifted, &self.rhs, &mut self.d);
            if found && dot(&self.d, &self.d) <= LONGEST * LONGEST * f2 {
                return true;
            }
        }
        false
    }

    /// Gradient of the merit, (∂f/∂x + ∂f/∂v A)ᵀ f.
    fn descend(&mut self, problem: &Problem) {
        self.gradient.clear();
        let direct = self.own.iter().zip(&self.rhs);
        self.gradient
            .extend(direct.map(|(own, f)| -own.by_x.tr_mul(f)));
        for i in 0..problem.len() {
            let pulled = self.own[i].by_v.tr_mul(&self.rhs[i]) * -self.scale[i][0];
            for (j, block) in problem.w.row(i) {
                self.gradient[j as usize] += block.tr_mul(&pulled) * self.scale[j as usize][0];
            }
        }
    }

    /// A d, by way of the impulses.
    fn push(&mut self, problem: &Problem) {
        self.r.clear();
        let scaled = self.d.iter().zip(&self.scale);
        self.r.extend(scaled.map(|(d, s)| d * s[0]));
        self.dv.clear();
        let rows = (0..problem.len()).map(|i| problem.w.row_times(i, &self.r) * self.scale[i][0]);
        self.dv.extend(rows);
    }

    /// Slope of ½|f|² along d, fᵀ (∂f/∂x d + ∂f/∂v A d).
    fn slope(&self) -> f64 {
        let at = |i: usize| {
            let own = &self.own[i];
            -self.rhs[i].dot(&(own.by_x * self.d[i] + own.by_v * self.dv[i]))
        };
        (0..self.d.len()).map(at).sum()
    }

    /// ½|f|² at x + t d.
    fn merit(&self, method: Method, problem: &Problem, t: f64) -> f64 {
        let at = |i: usize| {
            let (x, v) = (self.x[i] + self.d[i] * t, self.v[i] + self.dv[i] * t);
            method.value(&x, &v, problem.mu[i]).norm_squared()
        };
        0.5 * (0..problem.len()).map(at).sum::<f64>()
    }

    /// The longest of 1, ½, ¼ … with enough decrease.
    fn armijo(&self, method: Method, problem: &Problem, q0: f64, slope: f64) -> Option<f64> {
        let lengths = (0..HALVINGS as i32).map(|k| 0.5_f64.powi(k));
        lengths
            .into_iter()
            .find(|t| self.merit(method, problem, *t) <= q0 + ARMIJO * t * slope)
    }
}

/// Whether so many contacts are few enough for dense methods.
fn is_few(method: Method, contacts: usize) -> bool {
    contacts <= FEW && method != Method::FischerBurmeister
}

fn dot(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

fn norm(a: &[Vector3<f64>]) -> f64 {
    dot(a, a).sqrt()
}
