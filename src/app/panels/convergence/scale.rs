//! The scale of the plot: what part of the plane is shown, and where its grid has lines.

use egui_plot::{GridInput, GridMark, PlotBounds};

use crate::world::{Convergence, ConvergencePoint};

/// Decades shown below the tolerance at the most: an error of zero lies at the bottom, not far away.
const DECADES_BELOW: f64 = 3.0;
/// Lines of the grid across the height, at the most.
const MOST_DECADE_LINES: f64 = 5.0;

/// What part of the plane is shown. Its ends are round numbers, so that it rests while the solver works at a live
/// pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    iterations: f64,
    low: f64,
    high: f64,
}

impl Range {
    /// Room for every error of a solve, and for its tolerance.
    pub fn of(course: &Convergence) -> Self {
        let logs = course.points.iter().map(|point| f64::from(point.log_error));
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for log in logs {
            (least, most) = (least.min(log), most.max(log));
        }
        let tolerance = course.tolerance.log10().floor();
        let last = course.points.last().map_or(0, |point| point.iteration);
        Self {
            iterations: round_up(f64::from(last)),
            low: least
                .floor()
                .clamp(tolerance - DECADES_BELOW, tolerance - 1.0),
            high: most.ceil().max(0.0),
        }
    }

    /// The shown part, with room for dots on its edges.
    pub fn bounds(&self) -> PlotBounds {
        let (across, up) = (0.025 * self.iterations, 0.05 * (self.high - self.low));
        PlotBounds::from_min_max(
            [-across, self.low - up],
            [self.iterations + across, self.high + up],
        )
    }

    /// Where a point is drawn: on the bottom if it lies below.
    pub fn place(&self, point: &ConvergencePoint) -> [f64; 2] {
        let log = f64::from(point.log_error);
        [f64::from(point.iteration), log.max(self.low)]
    }
}

/// The next of 10, 20, 30, 50, 100, 200 …
fn round_up(iterations: f64) -> f64 {
    let mut decade = 10.0;
    loop {
        for round in [1.0, 2.0, 3.0, 5.0].map(|digit| digit * decade) {
            if iterations <= round {
                return round;
            }
        }
        decade *= 10.0;
    }
}

/// Lines of the grid at whole powers of ten, a few of them.
pub fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let stride = ((high - low) / MOST_DECADE_LINES).ceil().max(1.0);
    marks(low, high, stride)
}

/// Lines of the grid at five round iterations.
pub fn iterations(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    // The shown range is one digit with zeros, and a little room.
    let stride = (0.2 * (high - low)).floor().max(1.0);
    let digit = 10_f64.powf(stride.log10().floor());
    marks(low, high, (stride / digit).round() * digit)
}

/// Multiples of `stride` from `low` to `high`.
fn marks(low: f64, high: f64, stride: f64) -> Vec<GridMark> {
    let (first, last) = ((low / stride).ceil() as i64, (high / stride).floor() as i64);
    let mark = |k: i64| GridMark {
        value: k as f64 * stride,
        step_size: stride,
    };
    (first..=last).map(mark).collect()
}

/// 1e-4 for −4, and 1 for 0.
pub fn power_of_ten(exponent: f64) -> String {
    match exponent.round() as i64 {
        0 => "1".into(),
        whole => format!("1e{whole}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::Stage;

    fn course(errors: &[(u32, f32, Stage)]) -> Convergence {
        let point = |&(iteration, log_error, stage)| ConvergencePoint {
            iteration,
            log_error,
            stage,
        };
        Convergence {
            points: errors.iter().map(point).collect(),
            tolerance: 1e-6,
            ..Convergence::default()
        }
    }

    #[test]
    fn the_shown_range_is_round_and_holds_the_tolerance() {
        let range = Range::of(&course(&[
            (0, -1.4, Stage::Start),
            (8, -6.2, Stage::Sweeps),
        ]));
        assert_eq!((range.iterations, range.low, range.high), (10.0, -7.0, 0.0));
        let diverged = Range::of(&course(&[(0, 0.0, Stage::Start), (70, 6.0, Stage::Newton)]));
        assert_eq!((diverged.iterations, diverged.high), (100.0, 6.0));
    }

    #[test]
    fn an_error_of_zero_lies_on_the_bottom() {
        let solved = course(&[(0, -2.0, Stage::Start), (1, -18.0, Stage::Sweeps)]);
        let range = Range::of(&solved);
        assert_eq!(range.low, -9.0);
        assert_eq!(range.place(&solved.points[1]), [1.0, -9.0]);
    }

    #[test]
    fn ticks_are_few_and_round() {
        let values = |marks: Vec<GridMark>| -> Vec<f64> { marks.iter().map(|m| m.value).collect() };
        let input = |low, high| GridInput {
            bounds: (low, high),
            base_step_size: 0.1,
        };
        assert_eq!(values(decades(input(-7.35, 0.35))), [-6.0, -4.0, -2.0, 0.0]);
        assert_eq!(
            values(iterations(input(-0.25, 10.25))),
            [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
        );
        assert_eq!(
            values(iterations(input(-12.5, 512.5))),
            [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]
        );
        assert_eq!([-4.0, 0.0, 2.0].map(power_of_ten), ["1e-4", "1", "1e2"]);
    }
}
