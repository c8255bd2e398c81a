//! When and where a spun ball on straight rails begins to roll.
//!
//! With the contacts at half gap a, h = √(R² − a²) and k = I/(m h²): the ball gains v̇ = µ g R/h and loses ω̇ = −5 µ g/(2 R)
//! until v = ω h, at
//!
//! ```text
//!   t = 2 R h² ω₀/(µ g (2 R² + 5 h²)),   v = 2 R² h ω₀/(2 R² + 5 h²),   x = ½ µ g R t²/h
//! ```

use super::ride::{BALL, RAIL_RADIUS_M, RAIL_TO_MIDDLE_M};
use crate::geometry::Shape;
use crate::scene;
use crate::world::World;

/// Spin at the start, rad/s.
const SPIN: f64 = 60.0;
const MU: f64 = 0.3;
const G: f64 = 9.81;
/// Radius of the ball of the scene, m.
const R: f64 = 0.05;
/// It rolls when it slips slower than this, m/s.
const ROLLS: f64 = 1e-7;
/// It has begun to roll by then, s.
const LONGEST_S: f64 = 1.0;

/// The instant at which rolling begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// When, s.
    pub time_s: f64,
    /// How fast it is then, m/s.
    pub speed_m_s: f64,
    /// How far it has come, m.
    pub place_m: f64,
}

/// Height of the middle over the contacts: half the gap of the contacts is A R/(R + c).
fn height_m() -> f64 {
    let half_gap = RAIL_TO_MIDDLE_M * R / (R + RAIL_RADIUS_M);
    (R * R - half_gap * half_gap).sqrt()
}

impl Onset {
    /// What theory says.
    pub fn in_theory() -> Self {
        let h = height_m();
        let share = 2.0 * R * R + 5.0 * h * h;
        let time_s = 2.0 * R * h * h * SPIN / (MU * G * share);
        Self {
            time_s,
            speed_m_s: 2.0 * R * R * h * SPIN / share,
            place_m: 0.5 * MU * G * R / h * time_s * time_s,
        }
    }
}

/// What a run in steps of `dt_s` gives: the instant is where the slip, which falls evenly, would be nil.
pub fn onset(dt_s: f64) -> Result<Onset, String> {
    let mut sets = vec![
        format!("dt={dt_s}"),
        format!("friction.default={MU}"),
        format!("body.0.spin=[0,0,-{SPIN}]"),
    ];
    // No loops within the way of the ball.
    sets.extend([0, 1].map(|rail| format!("rod.{rail}.shape.run_in=1.2")));
    let scene = scene::load("double_loop", &sets).map_err(|why| why.to_string())?;
    let ball = &scene.spec.solids[BALL];
    if ball.shape != (Shape::Sphere { radius_m: R }) {
        return Err("the scene double_loop has another ball than the theory".into());
    }
    let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
    let start = world.solid_pose(BALL).translation.x;
    let h = height_m();
    let mut before: Option<[f64; 4]> = None;
    while world.time_s() < LONGEST_S {
        world.step().map_err(|why| why.to_string())?;
        let [velocity, spin] = world.solid_motion(BALL).unwrap_or_default();
        let (x, slip) = (
            world.solid_pose(BALL).translation.x - start,
            -spin.z * h - velocity.x,
        );
        if slip.abs() < ROLLS {
            let Some([time_s, place_m, slip, rate]) = before else {
                break;
            };
            let left_s = slip / rate;
            return Ok(Onset {
                time_s: time_s + left_s,
                speed_m_s: velocity.x,
                place_m: place_m + left_s * velocity.x,
            });
        }
        let rate = match before {
            Some([.., last, _]) => (last - slip) / dt_s,
            None => f64::INFINITY,
        };
        before = Some([world.time_s(), x, slip, rate]);
    }
    Err(format!(
        "the ball does not begin to roll within {LONGEST_S} s"
    ))
}
