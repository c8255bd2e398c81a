//! Curves that run alongside each other: where they are closest is not a point but a stretch, and any point of it is
//! right. Its middle is chosen, as for parallel segments, so that the answer does not depend on rounding.

use super::Curve;
use super::newton::{Foot, Model};

/// Halvings when an end of the stretch is sought: to a thousandth of the curve.
const HALVINGS: usize = 10;

/// Whether along the valley the distance hardly changes: by less than `tolerance_m` over half the curve.
pub(super) fn is_flat(foot: &Foot, tolerance_m: f64) -> bool {
    let model = Model::new(&foot.a, &foot.b);
    let bend = model.along_valley().max(0.0) * 0.25;
    let distance = foot.square.sqrt().max(tolerance_m);
    bend < 2.0 * distance * tolerance_m
}

/// The middle of the stretch through `foot` on which the distance is within the tolerance of that at `foot`.
pub(super) fn middle(a: &Curve, b: &Curve, foot: &Foot, tolerance_m: f64) -> Foot {
    let allowed = (foot.square.sqrt() + tolerance_m).powi(2);
    let low = end(a, b, foot, 0.0, allowed);
    let high = end(a, b, foot, 1.0, allowed);
    let candidate = beside(
        a,
        b,
        0.5 * (low.at[0] + high.at[0]),
        0.5 * (low.at[1] + high.at[1]),
    );
    if candidate.square <= allowed {
        candidate
    } else {
        *foot
    }
}

/// The last point towards s = `towards` that is still near enough.
fn end(a: &Curve, b: &Curve, foot: &Foot, towards: f64, allowed: f64) -> Foot {
    let (mut good, mut bad) = (*foot, towards);
    let last = follow(a, b, foot, towards);
    if last.square <= allowed {
        return last;
    }
    for _ in 0..HALVINGS {
        let next = beside(a, b, 0.5 * (good.at[0] + bad), good.at[1]);
        if next.square <= allowed {
            good = next;
        } else {
            bad = next.at[0];
        }
    }
    good
}

/// From `foot` to another s in small steps, so that the second curve's nearest point is not lost where both wind.
fn follow(a: &Curve, b: &Curve, foot: &Foot, to: f64) -> Foot {
    let mut here = *foot;
    let from = foot.at[0];
    for k in 1..=16 {
        here = beside(a, b, from + (to - from) * f64::from(k) / 16.0, here.at[1]);
    }
    here
}

/// The pair at s with the nearest t, from a guess.
fn beside(a: &Curve, b: &Curve, s: f64, guess: f64) -> Foot {
    let mut foot = Foot::new(a, b, [s, guess]);
    for _ in 0..20 {
        let g = foot.a.point - foot.b.point;
        let speed = foot.b.first.norm_squared();
        let bend = (speed - g.dot(&foot.b.second)).max(0.5 * speed);
        if bend == 0.0 {
            break;
        }
        let t = (foot.at[1] + g.dot(&foot.b.first) / bend).clamp(0.0, 1.0);
        let way = (t - foot.at[1]).abs();
        foot = Foot::new(a, b, [s, t]);
        if way < 1e-9 {
            break;
        }
    }
    foot
}
