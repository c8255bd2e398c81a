//! A spun ball on two rails \[Bertails11, sect. 6.1\]: friction turns its spin into speed until it rolls; how much of it
//! there is decides how far the ball gets through two loops.
//!
//! | part | what is held against what |
//! |---|---|
//! | onset | time, speed and place at which it begins to roll, on straight rails, against the closed form |
//! | Newton | iterations of the nonsmooth Newton method, which starts from two sweeps, and ‖f_AC‖² in steps of 11 ms |
//! | ends | three coefficients of friction, three fates: back from the first loop, down from the second, through both |

mod onset;
mod ride;

pub use onset::{Onset, onset};
pub use ride::{Ride, ride};

use super::{Page, Plan, Rule, Runs};

/// What the protocol claims.
pub const CLAIM: &str = "a spun ball on two rails begins to roll when and where theory says, and friction decides how far it gets";
/// What it is held against.
pub const REFERENCE: &str = "the closed form of the ball on two rails, and its energy in the loops";

/// Coefficients of friction of the three rides, and what becomes of the ball: how many loops it takes.
pub const RIDES: [(f64, usize); 3] = [(0.15, 0), (0.25, 1), (0.6, 2)];
/// By how much the onset may be missed, relative.
const ONSET_MISS: f64 = 5e-3;
/// Newton iterations that are few, and f_AC that is rounding.
const FEW: usize = 5;
const ROUNDING: f64 = 1e-20;
/// Share of the steps in which both must hold: it is 100 % with µ = 0.15, 99.8 % with 0.25, 99.3 % with 0.6.
const MOST_STEPS: f64 = 0.99;
/// Ends that can be told apart, m.
const APART_M: f64 = 0.25;

/// Runs the protocol. Errors are sentences.
pub fn run(plan: &Plan) -> Result<Page, String> {
    let watch = Runs::new(plan, 1 + RIDES.len());
    let mut page = Page::default();
    let dt_s = if plan.quick { 5e-4 } else { 2.5e-4 };
    let measured = onset(dt_s)?;
    watch.done();
    let theory = Onset::in_theory();
    page.result(
        "onset",
        [
            ("time_s", measured.time_s),
            ("speed_m_s", measured.speed_m_s),
            ("place_m", measured.place_m),
        ],
    );
    for (what, measured, expected) in [
        ("time, s", measured.time_s, theory.time_s),
        ("speed, m/s", measured.speed_m_s, theory.speed_m_s),
        ("place, m", measured.place_m, theory.place_m),
    ] {
        let rule = Rule::About(expected, ONSET_MISS * expected);
        page.check("onset", what, measured, rule);
    }
    let mut rides = Vec::new();
    for (mu, loops) in RIDES {
        let ride = ride(mu)?;
        watch.done();
        judge(mu, loops, &ride, &mut page);
        rides.push(ride);
    }
    for pair in rides.windows(2) {
        let apart = (pair[1].end - pair[0].end).norm();
        page.check("ends", "distance, m", apart, Rule::AtLeast(APART_M));
    }
    Ok(page)
}

fn judge(mu: f64, loops: usize, ride: &Ride, page: &mut Page) {
    let case = format!("µ = {mu}");
    let few = ride.share(|step| step.iterations < FEW && step.residual <= ROUNDING);
    page.result(
        &case,
        [
            ("steps", ride.steps.len() as f64),
            ("iterations_max", ride.most_iterations() as f64),
            ("contacts_max", ride.most_contacts() as f64),
            ("highest_m", ride.highest_m),
            ("end_x_m", ride.end.x),
            ("end_z_m", ride.end.z),
        ],
    );
    let share = "share of steps with under 5 iterations and ‖f_AC‖² below 1e-20";
    page.check(&case, share, few, Rule::AtLeast(MOST_STEPS));
    let taken = ride.loops_taken() as f64;
    page.check(&case, "loops taken", taken, Rule::About(loops as f64, 0.0));
    page.check(&case, "crossings", ride.crossings as f64, Rule::AtMost(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ball_begins_to_roll_when_and_where_theory_says() {
        let (measured, theory) = (onset(5e-4).expect("a run"), Onset::in_theory());
        assert!((measured.time_s / theory.time_s - 1.0).abs() < ONSET_MISS);
        assert!((measured.speed_m_s / theory.speed_m_s - 1.0).abs() < 1e-6);
        assert!((measured.place_m / theory.place_m - 1.0).abs() < ONSET_MISS);
    }

    #[test]
    fn half_the_step_is_half_as_far_off() {
        let theory = Onset::in_theory().place_m;
        let [coarse, fine] = [2e-3, 1e-3].map(|dt| onset(dt).expect("a run").place_m - theory);
        assert!((coarse / fine - 2.0).abs() < 0.1, "{coarse} {fine}");
    }

    #[test]
    fn friction_decides_how_far_it_gets() {
        let rides = RIDES.map(|(mu, loops)| (ride(mu).expect("a run"), loops));
        for (ride, loops) in &rides {
            assert_eq!(ride.loops_taken(), *loops, "{}", ride.highest_m);
            assert_eq!(ride.crossings, 0);
            let few = ride.share(|step| step.iterations < FEW && step.residual <= ROUNDING);
            assert!(few >= MOST_STEPS, "{few}");
            assert!(ride.most_contacts() <= 3, "{}", ride.most_contacts());
        }
        let ends = rides.map(|(ride, _)| ride.end);
        assert!((ends[0] - ends[1]).norm() > APART_M && (ends[1] - ends[2]).norm() > APART_M);
    }
}
