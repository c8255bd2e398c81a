//! Spectral steps [Barzilai88; Birgin00].
//!
//! d = Π(x − λ g) − x, λ from the last step by turns as d·d/d·Ad and d·Ad/Ad·Ad. A step may climb, as long as it stays
//! below the highest of the last ten values of the energy; one that does not goes to the lowest point along d instead,
//! which a quadratic energy knows at once. s is held until the convex problem is solved as well as s is known.

use nalgebra::Vector3;

use super::{Progress, State, dot, lifted};
use crate::friction::Problem;
use crate::friction::cone::project;

/// s follows the slip after so many steps at the latest.
const LONGEST: usize = 100;
/// Values of the energy that are remembered.
const MEMORY: usize = 10;
/// Share of the predicted decrease that a step must reach.
const ARMIJO: f64 = 1e-4;
/// Bounds of λ; the diagonal of A is near one.
const RANGE: (f64, f64) = (1e-6, 1e8);

/// The iteration with its memory.
#[derive(Clone, Debug, Default)]
pub struct Spectral {
    lambda: f64,
    turn: bool,
    /// Energies against the value when s was last changed.
    energies: [f64; MEMORY],
    at: usize,
    /// Steps since s was last changed.
    held: usize,
    d: Vec<Vector3<f64>>,
    a_d: Vec<Vector3<f64>>,
}

impl Spectral {
    /// Knows nothing of the problem.
    pub fn start(&mut self) {
        self.lambda = 1.0;
        self.turn = false;
        self.restart();
    }

    /// Forgets energies, which mean nothing once s has changed; keeps the step length.
    fn restart(&mut self) {
        self.held = 0;
        self.energies = [f64::NEG_INFINITY; MEMORY];
        self.energies[0] = 0.0;
        self.at = 0;
    }

    /// Lets s follow the slip when it is time.
    pub fn follow(&mut self, problem: &Problem, state: &mut State, progress: &Progress) {
        self.held += 1;
        if self.held >= LONGEST || progress.residual_m_s <= progress.off_m_s {
            state.follow_slip(problem);
            self.restart();
        }
    }

    /// One step; false where there is none.
    pub fn step(&mut self, problem: &Problem, state: &mut State) -> bool {
        self.d.clear();
        let mut slope = 0.0;
        for i in 0..problem.len() {
            let (x, g) = (&state.x[i], lifted(&state.v[i], state.s[i]));
            let d = project(&(x - g * self.lambda), problem.mu[i]) - x;
            slope += g.dot(&d);
            self.d.push(d);
        }
        let mut a_d = std::mem::take(&mut self.a_d);
        state.product(problem, &self.d, &mut a_d);
        self.a_d = a_d;
        let bend = dot(&self.d, &self.a_d);
        if !(slope.is_finite() && bend.is_finite()) {
            return false;
        }
        // True of every projection; near a solution g is nearly normal to d, and rounding would hide the descent.
        let slope = slope.min(-dot(&self.d, &self.d) / self.lambda);
        let t = self.length(slope, bend);
        for i in 0..problem.len() {
            state.x[i] += self.d[i] * t;
            state.v[i] += self.a_d[i] * t;
        }
        self.learn(bend);
        true
    }

    /// How far to go along d; remembers the energy there.
    fn length(&mut self, slope: f64, bend: f64) -> f64 {
        let energy = self.energies[self.at];
        let highest = self
            .energies
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let after = |t: f64| energy + t * slope + 0.5 * t * t * bend;
        let t = if after(1.0) <= highest + ARMIJO * slope || bend <= 0.0 {
            1.0
        } else {
            (-slope / bend).clamp(0.0, 1.0)
        };
        self.at = (self.at + 1) % MEMORY;
        self.energies[self.at] = after(t);
        t
    }

    fn learn(&mut self, bend: f64) {
        let (d2, a2) = (dot(&self.d, &self.d), dot(&self.a_d, &self.a_d));
        let next = if self.turn { d2 / bend } else { bend / a2 };
        self.turn = !self.turn;
        // Along a direction without stiffness, or at a standstill, nothing is learned but that steps may be long.
        self.lambda = if next > 0.0 && next.is_finite() {
            next.clamp(RANGE.0, RANGE.1)
        } else {
            1.0
        };
    }
}
