//! Steps with momentum \[Mazhar15\], dropped where it leads uphill \[ODonoghue15\].
//!
//! x⁺ = Π(y − g(y)/L), y⁺ = x⁺ + β (x⁺ − x), β from θ⁺² = (1 − θ⁺) θ². L is doubled until it bounds the curvature along
//! the step, and relaxed a little after each. s follows the slip with every step.

use nalgebra::Vector3;

use super::{Progress, State, dot, lifted};
use crate::friction::Problem;
use crate::friction::cone::project;

/// L after an accepted step, against before.
const RELAX: f64 = 0.9;
/// L never falls below this share of the largest that was needed: steps along directions without stiffness would grow
/// without bounds.
const FLOOR: f64 = 0.1;
/// An error that has grown so many times shows that momentum leads astray.
const ASTRAY: f64 = 10.0;
/// Doublings of L in one step.
const DOUBLINGS: usize = 60;

/// The iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub struct Nesterov {
    curvature: f64,
    steepest: f64,
    least_m_s: f64,
    theta: f64,
    y: Vec<Vector3<f64>>,
    /// A y + q.
    v_y: Vec<Vector3<f64>>,
    /// x⁺ − y.
    d: Vec<Vector3<f64>>,
    a_d: Vec<Vector3<f64>>,
}

impl Nesterov {
    /// Knows nothing of the problem.
    pub fn start(&mut self, state: &State) {
        self.curvature = 1.0;
        self.steepest = 0.0;
        self.least_m_s = f64::INFINITY;
        self.restart(state);
    }

    /// Lets s follow the slip, and drops the momentum where it does harm.
    pub fn follow(&mut self, problem: &Problem, state: &mut State, progress: &Progress) {
        state.follow_slip(problem);
        let error = progress.larger();
        self.least_m_s = self.least_m_s.min(error);
        if error > ASTRAY * self.least_m_s {
            self.least_m_s = error;
            self.restart(state);
        }
    }

    /// Moves v(y) as v(x) will be moved by velocities u computed anew.
    pub fn correct(&mut self, state: &State, u: &[Vector3<f64>]) {
        for (i, v_y) in self.v_y.iter_mut().enumerate() {
            *v_y += u[i] * (state.scale[i] / state.unit) - state.v[i];
        }
    }

    /// Drops the momentum; keeps L.
    fn restart(&mut self, state: &State) {
        self.theta = 1.0;
        self.y.clone_from(&state.x);
        self.v_y.clone_from(&state.v);
    }

    /// One step; false where there is none.
    pub fn step(&mut self, problem: &Problem, state: &mut State) -> bool {
        let mut a_d = std::mem::take(&mut self.a_d);
        let mut bounded = false;
        for _ in 0..DOUBLINGS {
            self.d.clear();
            for i in 0..problem.len() {
                let g = lifted(&self.v_y[i], state.s[i]);
                let x = project(&(self.y[i] - g / self.curvature), problem.mu[i]);
                self.d.push(x - self.y[i]);
            }
            state.product(problem, &self.d, &mut a_d);
            if dot(&self.d, &a_d) <= self.curvature * dot(&self.d, &self.d) {
                bounded = true;
                break;
            }
            self.curvature *= 2.0;
        }
        self.a_d = a_d;
        if bounded {
            self.advance(state);
        }
        bounded
    }

    fn advance(&mut self, state: &mut State) {
        let theta = self.theta;
        let next = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
        let beta = theta * (1.0 - theta) / (theta * theta + next);
        let mut uphill = 0.0;
        for i in 0..state.x.len() {
            let g = lifted(&self.v_y[i], state.s[i]);
            let (x, v) = (self.y[i] + self.d[i], self.v_y[i] + self.a_d[i]);
            let (dx, dv) = (x - state.x[i], v - state.v[i]);
            uphill += g.dot(&dx);
            self.y[i] = x + dx * beta;
            self.v_y[i] = v + dv * beta;
            (state.x[i], state.v[i]) = (x, v);
        }
        self.theta = next;
        if uphill > 0.0 {
            self.restart(state);
        }
        self.steepest = self.steepest.max(self.curvature);
        self.curvature = (self.curvature * RELAX).max(FLOOR * self.steepest);
    }
}
