//! Colours that carry numbers: which quantity, which range, which colour map.
//!
//! Quantities that are never negative use a sequential map (viridis: lightness grows evenly, safe for colour-blind
//! users), signed ones a diverging map about zero.

use bevy::prelude::*;

use crate::world::{Snapshot, StrandPoint};

/// What the colour of a strand shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorMode {
    /// The strand's own colour.
    #[default]
    Strand,
    /// Tension, N.
    Tension,
    /// Bending moment, N m.
    BendingMoment,
    /// Curvature, 1/m.
    Curvature,
    /// Twist, rad/m.
    Twist,
    /// Speed, m/s.
    Speed,
    /// Contact force, N.
    ContactForce,
}

impl ColorMode {
    /// Every mode, in the order of the panel.
    pub const ALL: [ColorMode; 7] = [
        ColorMode::Strand,
        ColorMode::Tension,
        ColorMode::BendingMoment,
        ColorMode::Curvature,
        ColorMode::Twist,
        ColorMode::Speed,
        ColorMode::ContactForce,
    ];

    /// The name in the panel.
    pub fn name(self) -> &'static str {
        match self {
            ColorMode::Strand => "strand",
            ColorMode::Tension => "tension",
            ColorMode::BendingMoment => "bending moment",
            ColorMode::Curvature => "curvature",
            ColorMode::Twist => "twist",
            ColorMode::Speed => "speed",
            ColorMode::ContactForce => "contact force",
        }
    }

    /// The unit of the quantity.
    pub fn unit(self) -> &'static str {
        match self {
            ColorMode::Strand => "",
            ColorMode::Tension | ColorMode::ContactForce => "N",
            ColorMode::BendingMoment => "N m",
            ColorMode::Curvature => "1/m",
            ColorMode::Twist => "rad/m",
            ColorMode::Speed => "m/s",
        }
    }

    /// Whether the quantity has a sign, and so a diverging map.
    pub fn signed(self) -> bool {
        matches!(self, ColorMode::Tension | ColorMode::Twist)
    }

    /// Where the range ends at the least, in the mode's unit: what strands at rest still tremble with would else fill it.
    /// Below what a single hair of 10 µg under its own weight shows.
    fn least(self) -> f32 {
        match self {
            ColorMode::Strand => 0.0,
            ColorMode::Tension | ColorMode::ContactForce => 1e-8,
            ColorMode::BendingMoment => 1e-12,
            ColorMode::Curvature | ColorMode::Twist => 1e-2,
            ColorMode::Speed => 1e-4,
        }
    }

    /// The quantity at a node.
    pub fn value(self, point: &StrandPoint) -> f32 {
        match self {
            ColorMode::Strand => 0.0,
            ColorMode::Tension => point.tension,
            ColorMode::BendingMoment => point.bending_moment,
            ColorMode::Curvature => point.curvature,
            ColorMode::Twist => point.twist,
            ColorMode::Speed => point.speed,
            ColorMode::ContactForce => point.contact_force,
        }
    }

    /// The colour, linear RGB, of a value when the range ends at `limit`.
    pub fn color(self, value: f32, limit: f32) -> [f32; 3] {
        let share = if limit > 0.0 && value.is_finite() {
            value / limit
        } else {
            0.0
        };
        if self.signed() {
            sample(&DIVERGING, 0.5 + 0.5 * share)
        } else {
            sample(&SEQUENTIAL, share)
        }
    }
}

/// The end of the colour range. It follows growth at once and shrinks slowly, so that colours do not flicker.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct ColorRange {
    mode: ColorMode,
    limit: f32,
}

impl ColorRange {
    /// The end of the range, in the mode's unit.
    pub fn limit(&self) -> f32 {
        self.limit
    }

    /// Takes in the largest size of the quantity in a new state, `elapsed_s` of wall time after the last.
    pub fn follow(&mut self, mode: ColorMode, largest: f32, elapsed_s: f32) {
        let kept = if mode == self.mode {
            self.limit * fading(elapsed_s)
        } else {
            0.0
        };
        self.mode = mode;
        self.limit = largest.max(kept).max(mode.least());
    }
}

/// The strands that hands hold: one for each hand, so few.
pub fn pulled_strands(snapshot: &Snapshot) -> Vec<usize> {
    let by_hand = snapshot.holds.iter().filter(|hold| hold.hand.is_some());
    by_hand.map(|hold| hold.rod as usize).collect()
}

/// Smaller pulls than this have hardly any colour, N: what a strand at rest still trembles with would else fill the range.
const LEAST_PULL_N: f32 = 1e-3;

/// The largest tension of the strands that hands hold, N; zero if they hold none.
pub fn largest_pull(snapshot: &Snapshot) -> f32 {
    let pulled = pulled_strands(snapshot);
    let least = if pulled.is_empty() { 0.0 } else { LEAST_PULL_N };
    let strands = pulled
        .into_iter()
        .filter_map(|rod| snapshot.strands.get(rod));
    let points = strands.flat_map(|strand| {
        let first = strand.first as usize;
        &snapshot.points[first..first + strand.count as usize]
    });
    let sizes = points.map(|point| point.tension.abs());
    sizes.filter(|size| size.is_finite()).fold(least, f32::max)
}

/// How much of an old maximum is left after so many seconds: a range ten times too wide shrinks in three.
pub fn fading(elapsed_s: f32) -> f32 {
    (-elapsed_s / 1.3).exp()
}

/// Viridis at even steps, sRGB.
const SEQUENTIAL: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// Blue, white, red at even steps, sRGB.
const DIVERGING: [[u8; 3]; 7] = [
    [33, 102, 172],
    [103, 169, 207],
    [209, 229, 240],
    [247, 247, 247],
    [253, 219, 199],
    [239, 138, 98],
    [178, 24, 43],
];

/// The colour, linear RGB, at a place from 0 to 1; outside, the colour of the nearer end.
fn sample(map: &[[u8; 3]], place: f32) -> [f32; 3] {
    let scaled = place.clamp(0.0, 1.0) * (map.len() - 1) as f32;
    let i = (scaled as usize).min(map.len() - 2);
    let share = scaled - i as f32;
    let mixed: [f32; 3] = std::array::from_fn(|c| {
        (map[i][c] as f32 * (1.0 - share) + map[i + 1][c] as f32 * share) / 255.0
    });
    let linear = LinearRgba::from(Srgba::rgb(mixed[0], mixed[1], mixed[2]));
    [linear.red, linear.green, linear.blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance([r, g, b]: [f32; 3]) -> f32 {
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn sequential_map_grows_lighter_all_the_way() {
        let lightness: Vec<f32> = (0..=64)
            .map(|i| luminance(ColorMode::Speed.color(i as f32, 64.0)))
            .collect();
        assert!(lightness.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn signed_quantities_are_palest_at_zero() {
        let at = |value| luminance(ColorMode::Tension.color(value, 1.0));
        assert!(at(0.0) > at(0.5) && at(0.5) > at(1.0));
        assert!(at(0.0) > at(-0.5) && at(-0.5) > at(-1.0));
    }

    #[test]
    fn values_beyond_the_range_and_nonsense_have_a_colour() {
        assert_eq!(
            ColorMode::Speed.color(9.0, 1.0),
            ColorMode::Speed.color(1.0, 1.0)
        );
        assert_eq!(
            ColorMode::Speed.color(f32::NAN, 1.0),
            ColorMode::Speed.color(0.0, 1.0)
        );
        assert_eq!(
            ColorMode::Speed.color(1.0, 0.0),
            ColorMode::Speed.color(0.0, 1.0)
        );
    }

    #[test]
    fn range_follows_growth_at_once_and_shrinks_slowly() {
        let mut range = ColorRange::default();
        range.follow(ColorMode::Speed, 2.0, 0.02);
        assert_eq!(range.limit(), 2.0);
        range.follow(ColorMode::Speed, 1.0, 0.02);
        assert!(range.limit() > 1.9);
        range.follow(ColorMode::Curvature, 3.0, 0.02);
        assert_eq!(range.limit(), 3.0);
    }

    /// Strands at rest shone in all colours, over a range of 1e-9 m/s.
    #[test]
    fn rounding_errors_do_not_fill_the_range() {
        let noise = [
            (ColorMode::Speed, 1.3e-9),
            (ColorMode::Twist, 1e-7),
            (ColorMode::Tension, 1e-12),
        ];
        for (mode, noise) in noise {
            let mut range = ColorRange::default();
            range.follow(mode, noise, 0.02);
            let [still, shown] = [0.0, noise].map(|value| mode.color(value, range.limit()));
            let change = still.iter().zip(shown).map(|(a, b)| (a - b).abs());
            assert!(change.fold(0.0, f32::max) < 1e-3, "{mode:?}");
        }
    }
}
