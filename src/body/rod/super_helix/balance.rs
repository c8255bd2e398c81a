//! From loads on stations to loads on unknowns, and to the force inside the rod.
//!
//! With the sums beyond element j, F = Σ f and M = Σ (r × f + τ), Jᵀ of all loads has the part
//! Aⱼᵀ F + Ωⱼᵀ M + Σⱼ ((dr/dk)ᵀ f + Ωᵀ τ) on kⱼ. The force inside at s is the pull of all that lies beyond s.

use nalgebra::Vector3;

use super::chain::{Chain, Layout};
use super::element::Spot;

/// Force and moment on a station, or impulse and angular impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force, world frame.
    pub force: Vector3<f64>,
    /// Moment about the station, world frame.
    pub moment: Vector3<f64>,
}

/// A load between stations.
#[derive(Clone, Copy, Debug)]
pub struct PointLoad {
    /// The element it is on.
    pub element: usize,
    /// Arc length from the element's start, m.
    pub s: f64,
    /// The section there.
    pub spot: Spot,
    /// Force and moment.
    pub load: Load,
}

/// Jᵀ times the loads of all stations and those between them; overwrites `out`.
pub fn gather(
    layout: &Layout,
    chain: &Chain,
    loads: &[Load],
    between: &[PointLoad],
    out: &mut [f64],
) {
    let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
    for j in (0..layout.elements).rev() {
        let (lever, turn) = chain.columns(2 + j);
        let mut own = lever.tr_mul(&force) + turn.tr_mul(&moment);
        let here = layout.first[j]..layout.first[j + 1];
        let stations = loads[here.clone()].iter().zip(&chain.spots[here]);
        let others = between.iter().filter(|point| point.element == j);
        for (load, spot) in stations.chain(others.map(|point| (&point.load, &point.spot))) {
            own += spot.lever.tr_mul(&load.force) + spot.turn.tr_mul(&load.moment);
            force += load.force;
            moment += spot.x.cross(&load.force) + load.moment;
        }
        out[6 + 3 * j..9 + 3 * j].copy_from_slice(own.as_slice());
    }
    out[..3].copy_from_slice(force.as_slice());
    let turn = chain.columns(1).1.tr_mul(&moment);
    out[3..6].copy_from_slice(turn.as_slice());
}

/// Force inside the rod at every station, on what lies before it, when `forces` are the loads, inertia counted
/// positive: n = −Σ beyond; its part along the tangent is the tension. A station's own load counts half, but that at the
/// tip, which pulls at all of the rod.
pub fn internal_forces(layout: &Layout, forces: &[Vector3<f64>], out: &mut Vec<Vector3<f64>>) {
    out.resize(layout.stations.len(), Vector3::zeros());
    let mut beyond = Vector3::zeros();
    let tip = layout.stations.len() - 1;
    for g in (0..=tip).rev() {
        let share = if g == tip { 1.0 } else { 0.5 };
        out[g] = -(beyond + forces[g] * share);
        beyond += forces[g];
    }
}
