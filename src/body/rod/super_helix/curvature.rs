//! How loads change their effect on the unknowns as the rod turns: Σ f · ∂²r, in O(N²) operations, tip to root.
//!
//! Turning element i takes along all that lies beyond, also the way in which it moves with a later element j:
//! ∂²r/∂kᵢ∂kⱼ = Ωᵢ × ∂r/∂kⱼ. So with the sums beyond element j, F = Σ f and B = Σ r fᵀ,
//!
//! ```text
//!   Qⱼ = −[F]× Aⱼ − (tr B I − B) Ωⱼ − Σⱼ [f]× dr/dk        the block of i < j is Ωᵢᵀ Qⱼ
//! ```
//!
//! The block of an element with itself sums the same over all pairs of its slices, the earlier turning the later. Turns
//! are alike for every slice, and their pairs give the whole product; ways grow towards the element's start, and give
//! two thirds of it. That is exact for elements of little curvature, and off by its share of a turn else.

use nalgebra::{Matrix3, Vector3};

use super::chain::{Chain, Layout, cross_columns};
use crate::math::DenseLdl;

/// Adds `factor` times Σ f · ∂²r to the lower part of a matrix of the unknowns.
pub fn add_curvature(
    layout: &Layout,
    chain: &Chain,
    forces: &[Vector3<f64>],
    factor: f64,
    out: &mut DenseLdl,
) {
    let (mut force, mut lever_sum) = (Vector3::zeros(), Matrix3::zeros());
    for j in (0..layout.elements).rev() {
        let (lever, turn) = chain.columns(2 + j);
        let end = chain.starts[j + 1].0;
        // About the element's end, where its own ways and turns are told apart.
        let ways = lever - cross_columns(&end, &turn);
        let about_end = lever_sum - end * force.transpose();
        let turned = (about_end - Matrix3::from_diagonal_element(about_end.trace())) * turn;
        let moved = -cross_columns(&force, &ways);
        let mut all = turned + moved;
        let mut own =
            symmetric(&turn.tr_mul(&turned)) + symmetric(&turn.tr_mul(&moved)) * (2.0 / 3.0);
        let here = layout.first[j]..layout.first[j + 1];
        for (f, spot) in forces[here.clone()].iter().zip(&chain.spots[here]) {
            let moved = -cross_columns(f, &spot.lever);
            all += moved;
            own += symmetric(&spot.turn.tr_mul(&moved)) * (2.0 / 3.0);
            force += f;
            lever_sum += spot.x * f.transpose();
        }
        add_rows(chain, 6 + 3 * j, &(all * factor), &(own * factor), out);
    }
    let (_, turn) = chain.columns(1);
    let turned = (lever_sum - Matrix3::from_diagonal_element(lever_sum.trace())) * turn;
    let own = symmetric(&turn.tr_mul(&turned));
    add_rows(chain, 3, &Matrix3::zeros(), &(own * factor), out);
}

fn symmetric(m: &Matrix3<f64>) -> Matrix3<f64> {
    (m + m.transpose()) * 0.5
}

/// Rows `row` to `row + 2`: Qᵀ Ω before the diagonal block, `own` on it.
fn add_rows(chain: &Chain, row: usize, q: &Matrix3<f64>, own: &Matrix3<f64>, out: &mut DenseLdl) {
    let [t0, t1, t2] = [0, 1, 2].map(|c| &chain.turn[c][..row]);
    for (b, out) in out.three_rows_mut(row).into_iter().enumerate() {
        let (q0, q1, q2) = (q[(0, b)], q[(1, b)], q[(2, b)]);
        let (before, block) = out.split_at_mut(row);
        for (i, out) in before.iter_mut().enumerate() {
            *out += q0 * t0[i] + q1 * t1[i] + q2 * t2[i];
        }
        for (c, out) in block.iter_mut().enumerate() {
            *out += own[(b, c)];
        }
    }
}
