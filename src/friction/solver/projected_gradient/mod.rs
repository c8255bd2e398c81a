//! Projected gradient on the cone form of Coulomb's law.
//!
//! With ũ = u + s e_N, s = µ|u_T| \[DeSaxce98\], the law reads K* ∋ ũ ⟂ r ∈ K, K: |r_T| ≤ µ r_N. For s held fixed these
//! are the optimality conditions of a convex problem \[Acary11\],
//!
//! min ½ rᵀW r + rᵀ(b + s e_N),  r ∈ K,
//!
//! on which gradient steps, each put back into the cones, make sure progress at the price of one product with W. s
//! follows the slip meanwhile; where it does not change any more, this is exact Coulomb friction.
//!
//! In x with r = c x/√dᵢ and v = A x + q the diagonal of A is near one, and cones stay what they are. Steps see the
//! symmetric part of A: W in real data is asymmetric by up to 2e-3, which has no energy to descend on, and momentum
//! then grows without bounds. What that leaves out comes in with every measurement, which computes v anew.

mod nesterov;
mod spectral;

use nalgebra::Vector3;

use super::{Best, Stage, Task};
use crate::friction::Problem;
use crate::friction::cone::project;
use nesterov::Nesterov;
use spectral::Spectral;

/// Steps between measurements of the true error.
const MEASURE_EVERY: usize = 10;

/// How long steps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// As the last one teaches.
    Spectral,
    /// With momentum.
    Nesterov,
}

/// The methods with their workspace.
#[derive(Clone, Debug, Default)]
pub struct ProjectedGradient {
    state: State,
    spectral: Spectral,
    nesterov: Nesterov,
}

impl ProjectedGradient {
    /// Steps from `start` until the task is done or its iterations are spent.
    pub fn solve(&mut self, method: Method, task: &Task, start: &[Vector3<f64>], best: &mut Best) {
        if task.ended(&best.report) {
            return;
        }
        best.stage = Stage::Gradient;
        let state = &mut self.state;
        state.prepare(task, start);
        self.spectral.start();
        self.nesterov.start(state);
        let mut unmeasured = 0;
        while !task.ended(&best.report) {
            let sound = match method {
                Method::Spectral => self.spectral.step(task.problem, state),
                Method::Nesterov => self.nesterov.step(task.problem, state),
            };
            if !sound {
                break;
            }
            best.report.iterations += 1;
            best.report.work += task.problem.w.blocks() as f64;
            unmeasured += 1;
            let progress = state.progress(task.problem);
            match method {
                Method::Spectral => self.spectral.follow(task.problem, state, &progress),
                Method::Nesterov => self.nesterov.follow(task.problem, state, &progress),
            }
            let last = best.report.iterations == task.stop.max_iterations;
            let promising = progress.larger() <= task.tolerance_m_s();
            if promising || last || unmeasured >= MEASURE_EVERY {
                state.impulses();
                best.offer(task, &state.r);
                self.nesterov.correct(state, &best.u);
                state.correct(&best.u);
                unmeasured = 0;
            }
        }
    }
}

/// What is left to do, as velocities, m/s.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// By how much the convex problem is unsolved.
    residual_m_s: f64,
    /// By how much s is off.
    off_m_s: f64,
}

impl Progress {
    fn larger(&self) -> f64 {
        self.residual_m_s.max(self.off_m_s)
    }
}

/// Where the iteration stands.
#[derive(Clone, Debug, Default)]
struct State {
    /// 1/√dᵢ.
    scale: Vec<f64>,
    /// Unit of impulse c.
    unit: f64,
    x: Vec<Vector3<f64>>,
    /// v = A x + q.
    v: Vec<Vector3<f64>>,
    s: Vec<f64>,
    r: Vec<Vector3<f64>>,
}

impl State {
    fn prepare(&mut self, task: &Task, start: &[Vector3<f64>]) {
        let problem = task.problem;
        self.scale.clear();
        let scale = (0..problem.len()).map(|i| 1.0 / problem.mean_diagonal(i).sqrt());
        self.scale.extend(scale);
        let largest = self.scale.iter().copied().fold(0.0, f64::max);
        self.unit = (task.scale_m_s * largest).max(f64::MIN_POSITIVE);
        self.x.clear();
        let scaled = start.iter().zip(&self.scale).zip(&problem.mu);
        self.x
            .extend(scaled.map(|((r, s), &mu)| project(&(r / (s * self.unit)), mu)));
        self.impulses();
        self.v.clear();
        for i in 0..problem.len() {
            let u = problem.w.row_times(i, &self.r) + problem.b[i];
            self.v.push(u * (self.scale[i] / self.unit));
        }
        self.s.clear();
        self.s.resize(problem.len(), 0.0);
        self.follow_slip(problem);
    }

    /// r of x.
    fn impulses(&mut self) {
        self.r.clear();
        let scaled = self.x.iter().zip(&self.scale);
        self.r.extend(scaled.map(|(x, s)| x * (s * self.unit)));
    }

    /// v from velocities u that were computed anew: with all of W, and without the rounding that has piled up.
    fn correct(&mut self, u: &[Vector3<f64>]) {
        for ((v, u), s) in self.v.iter_mut().zip(u).zip(&self.scale) {
            *v = u * (s / self.unit);
        }
    }

    /// s = µ|v_T|.
    fn follow_slip(&mut self, problem: &Problem) {
        for ((s, v), mu) in self.s.iter_mut().zip(&self.v).zip(&problem.mu) {
            *s = mu * v.y.hypot(v.z);
        }
    }

    /// ½(A + Aᵀ) d into `out`.
    fn product(&mut self, problem: &Problem, d: &[Vector3<f64>], out: &mut Vec<Vector3<f64>>) {
        self.r.clear();
        self.r
            .extend(d.iter().zip(&self.scale).map(|(d, s)| d * (0.5 * s)));
        out.clear();
        out.resize(d.len(), Vector3::zeros());
        for i in 0..problem.len() {
            let own = self.r[i];
            let mut sum = Vector3::zeros();
            for (j, block) in problem.w.row(i) {
                sum += block * self.r[j as usize];
                out[j as usize] += block.tr_mul(&own);
            }
            out[i] += sum;
        }
        out.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= *s);
    }

    fn progress(&self, problem: &Problem) -> Progress {
        let (mut residual, mut off) = (0.0_f64, 0.0_f64);
        for i in 0..problem.len() {
            let (x, v, mu) = (&self.x[i], &self.v[i], problem.mu[i]);
            let step = project(&(x - lifted(v, self.s[i])), mu) - x;
            let unit = self.unit / self.scale[i];
            residual = residual.max(step.amax() * unit);
            off = off.max((mu * v.y.hypot(v.z) - self.s[i]).abs() * unit);
        }
        Progress {
            residual_m_s: residual,
            off_m_s: off,
        }
    }
}

/// v + s e_N: the gradient.
#[inline]
fn lifted(v: &Vector3<f64>, s: f64) -> Vector3<f64> {
    Vector3::new(v.x + s, v.y, v.z)
}

fn dot(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}
