//! A piece of a helix: a frame R = (t, n₁, n₂) with R′ = R [k]×, k = (twist, k₁, k₂) constant \[Bertails06\].
//!
//! In the world the frame turns about ω = R k, which stays the same all along. About the middle m of the arc, with
//! σ = t − ½, lengths in units of the parameter and θ = |ω| σ,
//!
//! ```text
//!   a  = m + d σ + b σ² B + c σ³ C        d = a′(½), b = ω × d, c = ω × b
//!   a′ = d + b σ A + c σ² B               A = sin θ/θ, B = (1 − cos θ)/θ², C = (θ − sin θ)/θ³
//!   a″ = b cos θ + c σ A
//! ```
//!
//! so that one sine and one cosine (or two short series) give everything, and a straight arc is no special case.

use nalgebra::{Matrix3, Point3, Vector3};

use super::{Capsule, Jet, Limits};
use crate::math::polynomial::factorials;

/// An arc of constant curvatures and twist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HelixArc {
    /// m, d, b, c.
    middle: Vector3<f64>,
    along: Vector3<f64>,
    bend: Vector3<f64>,
    turn: Vector3<f64>,
    /// |ω|², and 1/|ω| where it is used.
    square: f64,
    inverse: f64,
    limits: Limits,
    hull: Capsule,
    halves: [Capsule; 2],
}

/// Below this θ² the functions are power series: their closed forms lose digits, and need a sine.
const SERIES_BELOW: f64 = 1.0;

impl HelixArc {
    /// The arc that starts at `start` with the frame `frame` (columns: tangent and two directors) and has the twist and
    /// curvatures `k`, 1/m, along its length.
    pub fn new(start: &Point3<f64>, frame: &Matrix3<f64>, k: &Vector3<f64>, length_m: f64) -> Self {
        let omega = frame * k * length_m;
        let square = omega.norm_squared();
        let along = frame.column(0) * length_m;
        let bend = omega.cross(&along);
        let mut arc = Self {
            middle: start.coords,
            along,
            bend,
            turn: omega.cross(&bend),
            square,
            inverse: if square > 0.0 {
                1.0 / square.sqrt()
            } else {
                0.0
            },
            limits: Limits {
                first: length_m,
                // |k × e₀| without the cancellation of a cross product in the world.
                second: length_m * length_m * k.y.hypot(k.z),
                third: length_m * length_m * k.y.hypot(k.z) * square.sqrt(),
                even: true,
            },
            hull: Capsule::default(),
            halves: [Capsule::default(); 2],
        };
        // So far written about its start; now about its middle.
        let jet = arc.at(0.5);
        arc.middle = jet.point;
        arc.along = jet.first;
        arc.bend = jet.second;
        arc.turn = omega.cross(&jet.second);
        arc.find_capsules();
        arc
    }

    fn find_capsules(&mut self) {
        self.hull = self.whole();
        self.halves = [0.25, 0.75].map(|t| self.capsule(&self.jet(t), 0.25));
    }

    /// The same arc elsewhere.
    pub fn moved(mut self, by: &Vector3<f64>) -> Self {
        self.middle += by;
        self.hull.centre += by;
        for half in &mut self.halves {
            half.centre += by;
        }
        self
    }

    /// The arc between two parameters.
    pub(super) fn part(&self, [from, to]: [f64; 2]) -> Self {
        let (share, sigma) = (to - from, 0.5 * (from + to) - 0.5);
        let jet = self.at(sigma);
        let (a, _, _) = self.functions(sigma);
        let theta = self.square.sqrt() * sigma;
        // The derivative of a″.
        let third = self.turn * theta.cos() - self.bend * (self.square * sigma * a);
        let mut arc = Self {
            middle: jet.point,
            along: jet.first * share,
            bend: jet.second * share.powi(2),
            turn: third * share.powi(3),
            square: self.square * share.powi(2),
            inverse: self.inverse / share,
            limits: Limits {
                first: self.limits.first * share,
                second: self.limits.second * share.powi(2),
                third: self.limits.third * share.powi(3),
                even: true,
            },
            hull: Capsule::default(),
            halves: [Capsule::default(); 2],
        };
        arc.find_capsules();
        arc
    }

    #[inline]
    pub(super) fn hull(&self) -> &Capsule {
        &self.hull
    }

    #[inline]
    pub(super) fn halves(&self) -> &[Capsule] {
        &self.halves
    }

    #[inline]
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    #[inline]
    pub(super) fn jet(&self, t: f64) -> Jet {
        self.at(t - 0.5)
    }

    #[inline]
    pub(super) fn middle(&self) -> Jet {
        Jet {
            point: self.middle,
            first: self.along,
            second: self.bend,
        }
    }

    /// A capsule around the piece that reaches `half` to both sides of where `jet` was taken.
    ///
    /// Short pieces: the tangent, moved by half the sag b h²/2. The rest across, b and c at right angles, is at most
    /// b h²/4 and c h³/6. Pieces that wind: the axis.
    #[inline]
    pub(super) fn capsule(&self, jet: &Jet, half: f64) -> Capsule {
        let square = self.square * half * half;
        if square < 4.0 {
            let sag = 0.25 * half * half;
            let (b, c) = (
                self.limits.second * sag,
                self.limits.third * half * half * half * (1.0 / 6.0),
            );
            Capsule {
                centre: jet.point + jet.second * sag,
                half: jet.first * half,
                radius: (b * b + c * c).sqrt(),
                half_length: self.limits.first * half,
            }
        } else {
            self.winding(jet, half)
        }
    }

    /// The axis beside a piece, and the radius of the helix.
    fn winding(&self, jet: &Jet, half: f64) -> Capsule {
        let inverse = self.inverse * self.inverse;
        Capsule {
            centre: jet.point + jet.second * inverse,
            half: (self.along + self.turn * inverse) * half,
            radius: self.limits.second * inverse,
            half_length: self.limits.first * half,
        }
    }

    /// The capsule around everything: along the chord, through the middle of the sag.
    fn whole(&self) -> Capsule {
        let jet = self.at(0.0);
        if self.square >= 16.0 {
            return self.winding(&jet, 0.5);
        }
        let (_, b, c) = self.functions(0.5);
        // σ² B from 0 to b/4; σ³ C against the straight line from 0 to its end: the largest difference is where the
        // slopes are equal, and below what the cubic of the same ends has at 1/√3.
        let sag = 0.125 * b;
        let across = (
            self.limits.second * sag,
            self.limits.third * 0.125 * c * 0.385,
        );
        Capsule {
            centre: jet.point + jet.second * sag,
            half: self.along * 0.5 + self.turn * (0.125 * c),
            radius: across.0.hypot(across.1),
            half_length: 0.5 * self.limits.first,
        }
    }

    #[inline]
    fn at(&self, s: f64) -> Jet {
        let (a, b, c) = self.functions(s);
        let (sa, ssb) = (s * a, s * s * b);
        Jet {
            point: self.middle + self.along * s + self.bend * ssb + self.turn * (s * s * s * c),
            first: self.along + self.bend * sa + self.turn * ssb,
            second: self.bend * (1.0 - self.square * ssb) + self.turn * sa,
        }
    }

    /// A, B and C at θ = |ω| s.
    #[inline]
    fn functions(&self, s: f64) -> (f64, f64, f64) {
        let x = self.square * s * s;
        if x < SERIES_BELOW {
            let b = series(&B_SERIES, x);
            let c = series(&C_SERIES, x);
            (1.0 - x * c, b, c)
        } else {
            let theta = x.sqrt();
            let (sin, cos) = theta.sin_cos();
            let inverse = 1.0 / x;
            let a = sin / theta;
            (a, (1.0 - cos) * inverse, (1.0 - a) * inverse)
        }
    }
}

const B_SERIES: [f64; 8] = factorials(2);
const C_SERIES: [f64; 8] = factorials(3);

/// Σ fⱼ xʲ, paired so that the products do not wait for one another.
#[inline]
fn series(f: &[f64; 8], x: f64) -> f64 {
    let (x2, x4) = (x * x, (x * x) * (x * x));
    let (p, q) = (f[0] + f[1] * x, f[2] + f[3] * x);
    let (r, s) = (f[4] + f[5] * x, f[6] + f[7] * x);
    (p + q * x2) + (r + s * x2) * x4
}
