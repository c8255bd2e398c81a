//! What keeps the passes of a step from leaping: a bound on turns, and retreat from a trial that has gone too far.

use super::rest::Rest;
use super::step::{Loaded, Workspace};

/// No section turns by more than this in a pass, rad: beyond, the linearisation says nothing. A soft strand thrown at
/// 10 m/s against its own length (dt = 10 ms) did not settle in 30 passes without, and does in 17.
const MAX_TURN: f64 = 1.5;

/// So often is a trial drawn back before it is taken as it is.
const MAX_RETREATS: usize = 8;
/// It is drawn back to at least this share at once.
const SMALLEST_RETREAT: f64 = 0.05;
/// Each time the next linearisation is given inertia against twisting, over mass times element length squared. A piece
/// that is nearly straight twists at hardly any cost, and swings all that lies beyond once it is bent: the turn that a
/// linearisation asks for there is far too large. Without, a whipped limp wire did not settle within 40 passes even at
/// steps of 0.2 ms; with it, it always does. It starts from this …
const LIGHTEST: f64 = 1.0;
/// … grows so many times each time …
const HEAVIER: f64 = 10.0;
/// … up to this …
const HEAVIEST: f64 = 10.0;
/// … and falls to this share after a pass without retreat.
const LIGHTER: f64 = 0.1;
/// A trial whose correction is shorter than this share of the radius is not drawn back.
const WORTH_RETREAT: f64 = 1e-3;

impl Workspace {
    /// Turns the solution in `scratch` into a change of velocity that the linearisation can answer for; or says that
    /// the exact stiffness of loads makes it leap, and is not to be used.
    pub(super) fn is_restrained(&mut self, rest: &Rest) -> bool {
        let mut fastest = 0.0_f64;
        self.guess
            .node_rates(&rest.layout, &self.scratch, |_, _, turn| {
                fastest = fastest.max(turn.norm_squared())
            });
        let angle = fastest.sqrt() * self.dt;
        // Not-a-number passes, for the guard to find.
        if angle > MAX_TURN && self.loaded == Loaded::Exact {
            self.loaded = Loaded::Positive;
            return false;
        }
        self.share = if angle > MAX_TURN {
            MAX_TURN / angle
        } else {
            1.0
        };
        self.strained |= self.share < 1.0;
        let share = self.share;
        self.scratch.iter_mut().for_each(|d| *d *= -share);
        true
    }

    /// Takes back inertia against twisting after a pass that did not go too far.
    pub(super) fn lighten(&mut self) {
        if self.retreats == 0 {
            self.heaviness *= LIGHTER;
        }
        if self.heaviness < 1e-3 * LIGHTEST {
            self.heaviness = 0.0;
        }
    }

    /// Whether the trial has gone too far: then `velocity` is drawn back towards the guess, the contact impulses staying
    /// as they are.
    ///
    /// Along the change of velocity the slope of the incremental potential was −s₀ at the guess, and is s₁ at the
    /// trial. If s₁ > s₀ the trial lies higher than the guess. What the linearisation missed grows with the cube of the
    /// way in the slope (a held point is off by its square), which tells where between them to look.
    ///
    /// Impulses are multipliers: found again for a shorter way they would be shorter, too, and never balance the rest. A
    /// limp strand that a needle had pulled taut did not settle within 24 passes even in steps of 0.05 ms.
    pub(super) fn retreat(&mut self, rest: &Rest) -> bool {
        self.scratch.clear();
        self.scratch.extend(
            self.velocity
                .iter()
                .zip(&self.guess_velocity)
                .map(|(v, guess)| v - guess),
        );
        let before = self.factor.quadratic(&self.scratch);
        let after: f64 = self
            .scratch
            .iter()
            .zip(&self.balance)
            .map(|(d, g)| d * g)
            .sum();
        // Not-a-number is left for the guard to find, and what is as good as met is left alone.
        let too_far = after > before && self.left > WORTH_RETREAT * rest.section.radius_m;
        if self.retreats == MAX_RETREATS || !too_far {
            return false;
        }
        self.retreats += 1;
        self.strained = true;
        self.heaviness = (self.heaviness * HEAVIER).clamp(LIGHTEST, HEAVIEST);
        let share = (before / (before + after)).cbrt().max(SMALLEST_RETREAT);
        self.velocity.clear();
        self.velocity.extend(
            self.guess_velocity
                .iter()
                .zip(&self.scratch)
                .map(|(guess, d)| guess + d * share),
        );
        true
    }
}
