//! How a frame turns within a step, as fits the edge it belongs to.
//!
//! q⁺ = T(t → t⁺) q ∘ exp(ψ_⊥) ∘ exp(ψ_x x),  ψ = dt ω − q⁻¹ (t × Δe)/|e|,
//!
//! with T the smallest rotation that turns the edge as its nodes do, t × Δe/|e| the same turn as it is foreseen when Δe
//! is small, and ψ what the frame turns besides: its spin ψ_x, and ψ_⊥, by which it leaves its edge. To first order this
//! is q ∘ exp(dt ω), as in \[Spillmann07\]. But a whipping rope's edges turn by a radian within a step; exp(dt ω) would
//! turn a frame further than its nodes turn the edge, and the stiff spring between the two would be strained by tens of
//! degrees. Here that spring is strained by ψ_⊥, which is linear in the unknowns: a linearised step foresees it exactly,
//! and settles as fast as if there were no such spring.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use crate::math::frame::any_perpendicular;

/// The turn of an edge and its frame within a step.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The frame after it.
    pub q: UnitQuaternion<f64>,
    /// The edge's direction in the frame's axes, but for the spin: (1, 0, 0) where they agree.
    pub seen: Vector3<f64>,
    /// ∂ψ_⊥/∂e, world to material axes, 1/m.
    pub lever: Matrix3<f64>,
    /// How the frame turns, in its own axes, as dt ω changes: undoes the spin.
    pub turning: Matrix3<f64>,
}

impl Turn {
    /// The turn of frame `q` with an edge of direction `t` and this length, to which `change` is added and which takes
    /// the direction `next`, for `theta` = dt ω.
    pub fn new(
        (q, t, length): (&UnitQuaternion<f64>, &Vector3<f64>, f64),
        (change, next): (&Vector3<f64>, &Vector3<f64>),
        theta: &Vector3<f64>,
    ) -> Self {
        let axes = q.to_rotation_matrix();
        let mut lever = axes.matrix().tr_mul(&t.cross_matrix()) / -length;
        let psi = theta + lever * change;
        lever.row_mut(0).fill(0.0);
        let seen = axes.inverse_transform_vector(t);
        if psi == Vector3::zeros() && t == next {
            return Self {
                q: *q,
                seen,
                lever,
                turning: Matrix3::identity(),
            };
        }
        let leave = UnitQuaternion::from_scaled_axis(Vector3::new(0.0, psi.y, psi.z));
        let (sin, cos) = (0.5 * psi.x).sin_cos();
        let spin = Quaternion::new(cos, sin, 0.0, 0.0);
        let (sin, cos) = psi.x.sin_cos();
        let turned = smallest_rotation(t, next) * (q * leave).into_inner() * spin;
        Self {
            // Kept a unit quaternion against rounding.
            q: UnitQuaternion::new_normalize(turned),
            seen: leave.inverse_transform_vector(&seen),
            lever,
            turning: Matrix3::new(1.0, 0.0, 0.0, 0.0, cos, sin, 0.0, -sin, cos),
        }
    }

    /// The dt ω that turns frame `q` of an edge of direction `t` to `frame`, whose edge it is to follow.
    pub fn towards(
        q: &UnitQuaternion<f64>,
        t: &Vector3<f64>,
        frame: &UnitQuaternion<f64>,
    ) -> Vector3<f64> {
        let next = frame * Vector3::x();
        let carried = UnitQuaternion::new_normalize(smallest_rotation(t, &next) * q.into_inner());
        // rest = exp(ψ_⊥) ∘ exp(ψ_x x): ψ_⊥ turns x to where it turns it.
        let rest = carried.inverse() * frame;
        let axis = rest * Vector3::x();
        let across = Vector3::new(0.0, -axis.z, axis.y);
        let leave = match across.try_normalize(1e-300) {
            Some(unit) => unit * across.norm().atan2(axis.x),
            None => Vector3::zeros(),
        };
        let spin = UnitQuaternion::from_scaled_axis(leave).inverse() * rest;
        let half_turns = 2.0 * spin.i.atan2(spin.w);
        let turns = (half_turns / std::f64::consts::TAU).round();
        let about = half_turns - turns * std::f64::consts::TAU;
        leave + Vector3::new(about, 0.0, 0.0) + q.inverse_transform_vector(&t.cross(&next))
    }
}

/// The smallest rotation from one unit vector to another; not quite of unit length.
fn smallest_rotation(from: &Vector3<f64>, to: &Vector3<f64>) -> Quaternion<f64> {
    let twice = 1.0 + from.dot(to);
    if twice < 1e-12 {
        // Opposite directions have no smallest rotation; turn by π about any axis across.
        return Quaternion::from_imag(any_perpendicular(from));
    }
    Quaternion::from_parts(twice, from.cross(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame that is 0.02 rad off its edge, and three ways for the edge's end to move.
    fn sample() -> (UnitQuaternion<f64>, Vector3<f64>, [Vector3<f64>; 3]) {
        let q = UnitQuaternion::from_euler_angles(0.4, -1.0, 2.0);
        let off = UnitQuaternion::from_euler_angles(0.0, 0.02, -0.01);
        let moves = [[0.1, -0.3, 0.2], [1e-3, 2e-3, -1e-3], [-0.9, 1.1, 2.0]].map(Vector3::from);
        (q, q * off * Vector3::x(), moves)
    }

    #[test]
    fn a_frame_that_turns_as_foreseen_stays_with_its_edge() {
        let (q, t, moves) = sample();
        for change in moves {
            let next = (t + change).normalize();
            let theta = q.inverse() * t.cross(&change);
            let turn = Turn::new((&q, &t, 1.0), (&change, &next), &theta);
            assert!((turn.q.inverse() * next - q.inverse() * t).norm() < 1e-14);
            assert!((turn.seen - q.inverse() * t).norm() < 1e-14);
        }
    }

    #[test]
    fn small_turns_are_those_of_the_paper() {
        let (q, t, moves) = sample();
        let (omega, h) = (Vector3::new(0.3, -0.8, 0.5), 1e-5);
        for change in moves {
            let next = (t + change * h).normalize();
            let turn = Turn::new((&q, &t, 1.0), (&(change * h), &next), &(omega * h));
            let paper = q * UnitQuaternion::from_scaled_axis(omega * h);
            assert!(paper.angle_to(&turn.q) < 10.0 * h * h);
        }
    }

    #[test]
    fn towards_finds_the_turn() {
        let (q, t, moves) = sample();
        for change in moves {
            let frame = UnitQuaternion::from_scaled_axis(change) * q;
            let next = frame * Vector3::x();
            let theta = Turn::towards(&q, &t, &frame);
            let turn = Turn::new((&q, &t, 1.0), (&(next - t), &next), &theta);
            assert!(turn.q.angle_to(&frame) < 1e-14);
            assert!((turn.seen - Vector3::x()).norm() < 1e-14);
        }
    }
}
